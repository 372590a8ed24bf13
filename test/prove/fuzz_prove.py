"""Random functions and random changes of them: what is proved must not differ on any arguments.

`python test/prove/fuzz_prove.py [pairs] [seed]` compares that many pairs. The solver answers alone,
the reference runs both functions on many arguments of small and odd sizes, and where one has shown
what the other denies, the pair is printed and the exit code is 1. Some pairs are pipelines of
passes, with a change planted behind them.
"""

import random
import sys
import time
from collections import Counter

from mlir_gs.dialect import context
from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.parse import ParseError, parse
from mlir_gs.lowering import PassFailure, run_pipeline
from mlir_gs.prove.compare import compare
from mlir_gs.prove.prove import functions, plain
from mlir_gs.prove.search import search
from random_functions import changed, function, hoisted

PIPELINES = (
    "canonicalize", "cse", "gs-canonicalize", "gs-generalize", "gs-generalize,gs-fuse",
    "gs-generalize,gs-infer,canonicalize", "gs-generalize,gs-specialize", "gs-check-sizes",
    "canonicalize,cse,gs-generalize,gs-fuse,gs-canonicalize", "gs-generalize,gs-bufferize",
    "gs-generalize,gs-bufferize,convert-gs-to-scf", "gs-generalize,gs-bufferize,canonicalize",
)  # fmt: skip
_SECONDS = 1.2
_TRIALS = 200


def pair(seed: int) -> tuple[ir.Module, ir.Module] | None:
    """A function and what was made of it; None where that is no valid IR."""
    choice = random.Random(seed)
    text = function(seed)
    try:
        before = parse(text)
        if choice.random() < 0.25:
            after = parse(text)
            run_pipeline(after, choice.choice(PIPELINES))
            if choice.random() < 0.5:
                after = parse(changed(str(after), choice))
        else:
            change = hoisted if choice.random() < 0.15 else changed
            new = change(text, choice)
            after = parse(changed(new, choice) if choice.random() < 0.2 else new)
        after.operation.verify()
    except (ir.MLIRError, ParseError, PassFailure, ValueError):
        return None
    return (before, after) if "f" in functions(after) else None


def verdict(seed: int, seconds: float = _SECONDS, trials: int = _TRIALS) -> tuple[str, str]:
    """What became of the pair, and its text where that is wrong."""
    with context():
        found = pair(seed)
        if found is None:
            return "no pair", ""
        before, after = found
        if str(before) == str(after):
            return "same", ""
        one, other = plain(before), plain(after)
        is_proved = compare(functions(one)["f"], functions(other)["f"], seconds).proved
        example = search(before, after, "f", seconds, trials, seed)
        if is_proved and example:
            return "proved and different", f"{before}\n// -----\n{after}\n{example.text()}"
        return "proved" if is_proved else "refuted" if example else "unknown", ""


def main(pairs: int, seed: int) -> int:
    counts: Counter[str] = Counter()
    start = time.monotonic()
    for n in range(seed, seed + pairs):
        status, text = verdict(n)
        counts[status] += 1
        if text:
            print(f"seed {n}: {status}\n{text}", flush=True)
        if (n - seed + 1) % 200 == 0:
            print(f"{n - seed + 1}: {dict(counts)}, {time.monotonic() - start:.0f} s", flush=True)
    print(", ".join(f"{count} {status}" for status, count in sorted(counts.items())))
    return int(counts["proved and different"] > 0)


if __name__ == "__main__":
    given = [int(each) for each in sys.argv[1:]]
    sys.exit(main(given[0] if given else 200, given[1] if given[1:] else 0))
