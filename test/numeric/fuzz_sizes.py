"""Random programs called with arrays one of whose dynamic sizes does not fit: an error before any
write, or the reference's result.

    python test/numeric/fuzz_sizes.py --programs 3000 --seed 0

A dynamic size of one argument becomes one more, one less, 0 or 1. What the reference refuses the
compiled code refuses, and what the reference computes it computes, to the bit, into memory that a
mark was in before. Arrays stand between pages that cannot be read or written. A promise that the
new size breaks is refused under `sanitize`. Each program runs optimized or not, sanitized or not,
on one thread or two. Ends with a line of counts, and with 1 if something went wrong.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from draw import Draw, RandomDraw
from mlir_gs import execution
from mlir_gs.dialect.reference import run as reference_run
from program import Program
from random_programs import any_program
from small_sizes import SHARED

sys.path.append(str(Path(__file__).parents[1] / "execution" / "support"))
from guarded_kernels import guarded, release
from harness import difference, parsed, same
from workers import Failure, run_all

_ARGUMENT = re.compile(r"%\w+: (?:tensor|memref)<([^>,]*)")


@dataclass(frozen=True)
class Changed:
    """A program with one size changed, and how it is compiled."""

    program: Program
    what: str
    optimize: bool
    sanitize: bool
    threads: int

    def __str__(self) -> str:
        chosen = f"optimize={self.optimize} sanitize={self.sanitize} threads={self.threads}"
        return f"{self.program.op} {self.program.label}: {self.what}, {chosen}"


def dynamic_dims(program: Program) -> list[tuple[int, int]]:
    """(argument, dimension) of each size that the function's type leaves open."""
    signature = program.text[: program.text.index("{\n")]
    shapes = [found[1].split("x") for found in _ARGUMENT.finditer(signature)]
    return [
        (number, d)
        for number, shape in enumerate(shapes[: len(program.arguments)])
        for d, size in enumerate(shape[: program.arguments[number].ndim])
        if size == "?"
    ]


def resized(array: np.ndarray, dim: int, size: int) -> np.ndarray:
    """`array` with its first `size` positions of `dim`; if it has fewer, they are repeated."""
    if array.shape[dim] == 0:
        shape = (*array.shape[:dim], size, *array.shape[dim + 1 :])
        return np.zeros(shape, array.dtype)
    return np.ascontiguousarray(np.take(array, np.arange(size) % array.shape[dim], axis=dim))


def changed_program(seed: int) -> Changed:
    """The program of a seed, one size changed: the first one drawn that has a dynamic size."""
    draw: Draw = RandomDraw(seed)
    places: list[tuple[int, int]] = []
    while not places:
        program = any_program(draw)
        places = dynamic_dims(program)
    number, dim = draw.choice(places)
    size = program.arguments[number].shape[dim]
    new = draw.choice([n for n in (size + 1, size - 1, 0, 1) if n >= 0 and n != size])
    arguments = list(program.arguments)
    arguments[number] = resized(arguments[number], dim, new)
    return Changed(
        replace(program, arguments=tuple(arguments)),
        f"dimension {dim} of argument {number} is {new} instead of {size}",
        draw.choice((True, False)),
        draw.choice((True, False)),
        draw.integer(1, 2),
    )


def check(seed: int) -> tuple[str, str]:
    """("equal", "refused" or "undefined", "") or ("wrong", what is wrong)."""
    changed = changed_program(seed)
    program = changed.program
    given = [argument.copy() for argument in program.arguments]
    try:
        results = reference_run.run(parsed([program]), program.name, given)
        expected = results or tuple(given[n] for n in program.written)
    except Exception as error:
        return _refused(changed, error)
    return _equal(changed, expected)


def _call(changed: Changed, given: Sequence[np.ndarray], sanitize: bool, **more: object) -> object:
    options = {"optimize": changed.optimize, "threads": changed.threads, "sanitize": sanitize}
    options["target"] = SHARED if changed.threads > 1 else None
    kernel = execution.compile(changed.program.text, **options)
    return kernel(*given, **more)


def _refused(changed: Changed, error: Exception) -> tuple[str, str]:
    """The call raises as well, and has not written: what is undefined, if it is sanitized."""
    undefined = isinstance(error, reference_run.UndefinedBehavior)
    given = [guarded(argument, True) for argument in changed.program.arguments]
    try:
        _call(changed, given, changed.sanitize or undefined)
    except (ValueError, IndexError, RuntimeError) as found:
        # A broken promise is found before its op writes, sizes before what stands earlier does.
        may_write = () if isinstance(found, ValueError) else changed.program.written
    except execution.CompileError as found:
        return "wrong", f"{changed}: does not compile: {found}\n{changed.program.text}"
    else:
        return "wrong", f"{changed}: no error, expected {error!r}\n{changed.program.text}"
    for number, (after, before) in enumerate(zip(given, changed.program.arguments, strict=True)):
        if number not in may_write and not same(after, before, moves=True).all():
            return "wrong", f"{changed}: argument {number} was written\n{changed.program.text}"
    return ("undefined" if undefined else "refused"), ""


def _equal(changed: Changed, expected: tuple[np.ndarray, ...]) -> tuple[str, str]:
    given = [guarded(argument, bool(changed.threads % 2)) for argument in changed.program.arguments]
    more = {}
    if not changed.program.written and changed.program.op != "gs.histogram":
        marked = [guarded(np.full(e.shape, 0x5A, np.uint8).astype(e.dtype), True) for e in expected]
        more = {"out": marked[0] if len(marked) == 1 else tuple(marked)}
    try:
        found = _call(changed, given, changed.sanitize, **more)
    except Exception as error:
        return "wrong", f"{changed}: {type(error).__name__}: {error}\n{changed.program.text}"
    outcome = found if isinstance(found, tuple) else (found,)
    if changed.program.written:
        outcome = tuple(given[n] for n in changed.program.written)
    wrong = difference(changed.program, outcome, expected)
    return ("wrong", f"{changed}: {wrong}\n{changed.program.text}") if wrong else ("equal", "")


def checked(seed: int) -> tuple[str, str]:
    """What `check` finds, with the memory given back."""
    try:
        return check(seed)
    finally:
        release()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    seeds = range(options.seed, options.seed + options.programs)
    counts: Counter[str] = Counter()
    for number, found in run_all(checked, seeds, options.jobs):
        kind, text = ("died", str(found)) if isinstance(found, Failure) else found
        counts[kind] += 1
        if kind in ("wrong", "died"):
            print(f"seed {seeds[number]}: {text}", flush=True)
    order = ("equal", "refused", "undefined", "wrong", "died")
    print(f"{len(seeds)} programs: " + ", ".join(f"{counts[kind]} {kind}" for kind in order))
    return 1 if counts["wrong"] + counts["died"] else 0


if __name__ == "__main__":
    sys.exit(main())
