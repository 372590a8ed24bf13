"""Random programs with spoilt coordinates: sanitized code raises exactly where a promise is broken.

    python test/numeric/fuzz_sanitize.py --programs 5000 --seed 0

What the reference says of a program is what sanitized code has to do: raise at the op and write
nothing, or give the reference's results.
"""

import argparse
import os
import sys
from collections import Counter

from draw import RandomDraw
from planted_faults import spoilt_program
from test_sanitize import complaint, text_of
from workers import Failure, run_all


def check(seed: int) -> tuple[str, str]:
    """What the reference says of program `seed`, and what is wrong with sanitized code."""
    case = spoilt_program(RandomDraw(seed))
    found = complaint(case)
    broken = "sound" if not case.broken else "out of bounds"
    for word in ("sorted", "ascend", "unique", "parallel", "clip"):
        broken = word if word in case.broken else broken
    return broken, f"seed {seed}: {text_of(case, found)}" if found else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    options = parser.parse_args()
    seeds = range(options.seed * 1_000_000, options.seed * 1_000_000 + options.programs)
    counts: Counter[str] = Counter()
    wrong = 0
    for number, result in run_all(check, seeds, options.jobs):
        found = f"seed {seeds[number]}: {result}" if isinstance(result, Failure) else result[1]
        counts["dead" if isinstance(result, Failure) else result[0]] += 1
        if found:
            wrong += 1
            print(found, flush=True)
    told = ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))
    print(f"{options.programs} programs ({told}): {wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
