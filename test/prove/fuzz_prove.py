"""Random functions and random changes of them: what is proved must not differ on any arguments.

`python test/prove/fuzz_prove.py [pairs] [seed] [seconds] [1]` compares that many pairs, or what
that time is enough for; 1: mostly of vectors. The solver answers alone,
the reference runs both functions on many arguments of small and odd sizes, and where one has shown
what the other denies, the pair is printed and the exit code is 1. A seed is a function and several
changes of it. Every fourth is run through a pipeline of passes first: what that makes must not be
refuted, and the changes are planted in it.
"""

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from mlir_gs.dialect import context
from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.parse import ParseError, parse
from mlir_gs.lowering import PassFailure, run_pipeline
from mlir_gs.prove.arguments import Hints, Maker
from mlir_gs.prove.compare import compare
from mlir_gs.prove.prove import functions, plain
from mlir_gs.prove.runs import UNDEFINED, OutOfTime, outcome
from mlir_gs.prove.search import tried, types_of
from random_functions import changed, function, hoisted

PIPELINES = (
    "canonicalize", "cse", "gs-canonicalize", "gs-generalize", "gs-generalize,gs-fuse",
    "gs-generalize,gs-infer,canonicalize", "gs-generalize,gs-specialize", "gs-check-sizes",
    "canonicalize,cse,gs-generalize,gs-fuse,gs-canonicalize", "gs-generalize,gs-bufferize",
    "gs-generalize,gs-bufferize,convert-gs-to-scf", "gs-generalize,gs-bufferize,canonicalize",
    "gs-raise", "gs-generalize,convert-gs-to-linalg", "gs-infer",
)  # fmt: skip
CHANGES = 8
_SECONDS = 0.5
# The arguments on which `before` has a meaning: so many for each pair, and for one that is proved.
_FEW, _MANY, _MOST_TRIALS = 10, 50, 200
_WRONG = ("proved and different", "refuted and equal")


class Change(NamedTuple):
    """What was made of a function; `is_right`: by passes alone."""

    after: ir.Module
    is_right: bool = False


def changes(seed: int, before: ir.Module, text: str) -> Iterator[Change]:
    choice = random.Random(seed)
    if choice.random() < 0.25:
        after = parse(text)
        run_pipeline(after, choice.choice(PIPELINES))
        yield Change(after, True)
        text = str(after)
    for _ in range(CHANGES):
        change = hoisted if choice.random() < 0.15 else changed
        new = change(text, choice)
        new = changed(new, choice) if choice.random() < 0.2 else new
        try:
            after = parse(new)
        except (ir.MLIRError, ParseError, ValueError):
            continue
        if "f" in functions(after) and str(after) != str(before):
            yield Change(after)


class Runs:
    """What `before` gives for arguments, run once for all that are made of it."""

    def __init__(self, before: ir.Module, text: str, seed: int) -> None:
        self.before = before
        self.maker = Maker(types_of(before, "f"), Hints.of(text), seed)
        self.known: list[tuple[list[Any], Any]] = []
        self.trials = 0

    def pairs(self, count: int, end: float) -> Iterator[tuple[list[Any], Any]]:
        """`count` arguments with a meaning, and what is given for them."""
        yield from self.known[:count]
        while len(self.known) < count and self.trials < _MOST_TRIALS:
            arguments = self.maker.make(self.trials)
            self.trials += 1
            if arguments is None:
                continue
            first = outcome(self.before, "f", arguments, end, open_is_poison=True)
            if not (isinstance(first, str) and first.startswith(UNDEFINED)):
                self.known.append((arguments, first))
                yield self.known[-1]

    def difference(self, after: ir.Module, count: int) -> Any:
        """The first of `count` that tells both apart; None where there is none."""
        end = time.monotonic() + 2 * _SECONDS
        try:
            for arguments, first in self.pairs(count, end):
                found = tried(self.before, after, "f", arguments, end, first)
                if found:
                    return found
        except (NotImplementedError, TypeError, KeyError, OutOfTime):
            pass
        return None


def verdicts(
    seed: int, seconds: float = _SECONDS, many: int = _MANY, with_lanes: bool = False
) -> Iterator[tuple[str, str]]:
    """What became of each pair of the seed, and its text where that is wrong."""
    with context():
        text = function(seed, with_lanes)
        try:
            before = parse(text)
            runs = Runs(before, text, seed)
            one = plain(before)
            for after, is_right in changes(seed, before, text):
                other = plain(after)
                example = runs.difference(after, _FEW)
                verdict = compare(functions(one)["f"], functions(other)["f"], seconds)
                if verdict.proved and not example:
                    example = runs.difference(after, many)
                status = f"unknown: {_cause(verdict.reason)}"
                if verdict.proved or example:
                    status = "proved" if verdict.proved else "refuted"
                if example and verdict.proved:
                    status = _WRONG[0]
                elif example and is_right:
                    status = _WRONG[1]
                shown = f"{before}\n// -----\n{after}\n{example.text()}" if example else ""
                yield status, shown if status in _WRONG else ""
        except (ir.MLIRError, ParseError, PassFailure, ValueError):
            yield "no pair", ""


def _cause(reason: str) -> str:
    """What stopped a proof, without its place."""
    found = reason.split(": ", 1)[-1] if reason.startswith("at ") else reason
    return found.split(" (the time")[0]


def main(pairs: int, seed: int, seconds: int, with_lanes: int) -> int:
    counts: Counter[str] = Counter()
    start = time.monotonic()
    while (done := sum(counts.values()) - counts["no pair"]) < pairs:
        if time.monotonic() > start + seconds:
            break
        for status, text in verdicts(seed, with_lanes=bool(with_lanes)):
            counts[status] += 1
            if text:
                print(f"seed {seed}: {status}\n{text}", flush=True)
        seed += 1
    print(f"{done} pairs up to seed {seed - 1} in {time.monotonic() - start:.0f} s")
    for status, count in sorted(counts.items()):
        print(f"{count:6} {status}")
    return int(any(counts[each] for each in _WRONG))


if __name__ == "__main__":
    given = [int(each) for each in sys.argv[1:]]
    sys.exit(main(*(given + [200, 0, 1 << 30, 0][len(given) :])))
