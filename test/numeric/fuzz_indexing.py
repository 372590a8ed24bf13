"""NumPy's indexing on random index expressions: `python fuzz_indexing.py --programs 5000 --seed 0`.

Each is read with `at(x)[index].get`, or written with `.set`, `.add`, `.multiply`, `.min` or `.max`,
and compared with what NumPy does: elements bit for bit, shape, dtype, and whether it is refused.
"""

import argparse
import sys
from collections import Counter

import random_indexing
from mlir_gs import at


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0, help="of the first program")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    failed = 0
    for number in range(options.seed, options.seed + options.programs):
        try:
            counts[random_indexing.check(number, at)] += 1
        except Exception as error:
            failed += 1
            print(f"{type(error).__name__}: {error}", flush=True)
        done = number - options.seed + 1
        if done % 500 == 0:
            print(f"{done} programs, {failed} failed", flush=True)
    print(", ".join(f"{count} {what}" for what, count in sorted(counts.items())))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
