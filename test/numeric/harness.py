"""Runs programs and holds the parties against each other: compiled, reference, NumPy."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from elements import NARROW, to_parts
from mlir_gs import execution
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference import run as reference_run
from mlir_gs.execution.compilation.source import Contexts
from program import Program
from small_sizes import SHARED

Arrays = tuple[np.ndarray, ...]


@dataclass(frozen=True)
class Failed:
    """A run that ended in an IndexError, with its text."""

    text: str


Outcome = Arrays | Failed


def module_text(programs: Sequence[Program]) -> str:
    return "".join(program.text for program in programs)


def numbered(programs: Sequence[Program]) -> list[Program]:
    """The programs with distinct function names."""
    return [program.named(f"f{n}") for n, program in enumerate(programs)]


def spelled(program: Program) -> Outcome:
    try:
        return program.spelling()
    except IndexError as error:
        return Failed(str(error))


def referenced(module: ir.Module, program: Program) -> Outcome:
    arguments = [argument.copy() for argument in program.arguments]
    try:
        results = reference_run.run(module, program.name, arguments)
    except IndexError as error:
        return Failed(str(error))
    return results or tuple(arguments[n] for n in program.written)


@dataclass(frozen=True)
class Refused:
    """A program that does not compile, with the diagnostics."""

    text: str


def scattered(array: np.ndarray) -> np.ndarray:
    """A copy that is a view of every other element of a larger array, backwards in its last dim."""
    larger = np.zeros(tuple(2 * n + 1 for n in array.shape), array.dtype)
    view = larger[(*(slice(1, None, 2) for _ in array.shape), ...)]
    view = view[..., ::-1] if array.ndim else view
    view[...] = array
    return view


def apart(array: np.ndarray) -> np.ndarray:
    """A copy that is a view of every other slice of a larger array: elements of rows lie side by
    side, as only a call can know."""
    larger = np.zeros((2 * len(array) + 1, *array.shape[1:]), array.dtype) if array.ndim else array
    view = larger[1::2] if array.ndim else larger.copy()
    view[...] = array
    return view


def compiled(program: Program, threads: int = 1, strided: bool = False) -> Outcome | Refused | str:
    """The outcome of compiled code; a string is a complaint about what it did to its arguments.

    In two thirds of the programs several threads share it, however little it is. `strided`: on
    arguments that do not lie side by side in memory; in some programs rows do.
    """
    try:
        drawn = len(str(program.text))
        target = SHARED if threads > 1 and drawn % 3 else None
        kernel = execution.compile(program.text, threads=threads, target=target)
    except execution.CompileError as error:
        return Refused(str(error))
    strew = apart if strided and drawn % 2 else scattered
    arguments = [strew(a) if strided else a.copy() for a in program.arguments]
    outcome: Outcome
    try:
        results = kernel(*arguments)
        outcome = results if isinstance(results, tuple) else (results,)
    except IndexError as error:
        outcome = Failed(str(error))
    except execution.CompileError as error:
        # The code for arrays with strides is compiled when they come.
        return Refused(str(error))
    written = () if isinstance(outcome, Failed) else program.written
    for n, (after, before) in enumerate(zip(arguments, program.arguments, strict=True)):
        if n not in written and not same(after, before, moves=True).all():
            return f"argument {n} was written"
    return tuple(arguments[n] for n in written) if written else outcome


_DETAIL = re.compile(r"coordinate -?\d+ at position \[[^]]*\] is out of bounds for size \d+")


def difference(program: Program, found: Outcome, expected: Outcome) -> str | None:
    """What is different between two outcomes, in a line; None if nothing is."""
    if isinstance(found, Failed) or isinstance(expected, Failed):
        if isinstance(found, Failed) and isinstance(expected, Failed):
            details = [_DETAIL.search(outcome.text) for outcome in (found, expected)]
            # NumPy's spelling only says that it fails.
            if expected.text and (None in details or details[0][0] != details[1][0]):
                return f"IndexError '{found.text}', expected '{expected.text}'"
            return None
        return f"{_short(found)}, expected {_short(expected)}"
    if len(found) != len(expected):
        return f"{len(found)} results, expected {len(expected)}"
    for number, (a, b) in enumerate(zip(found, expected, strict=True)):
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"result {number} is {a.dtype}{a.shape}, expected {b.dtype}{b.shape}"
        wrong = np.argwhere(~same(a, b, program.moves))
        if len(wrong):
            at = tuple(wrong[0])
            return f"result {number} at {[*map(int, at)]} is {a[at]!r}, expected {b[at]!r}"
    return None


def same(a: np.ndarray, b: np.ndarray, moves: bool) -> np.ndarray:
    """Where two arrays of one dtype hold the same bits; unless `moves`, any NaN is like another."""
    if "complex" in str(a.dtype) and not moves:
        return same(to_parts(a), to_parts(b), moves).all(axis=-1)
    if a.dtype in NARROW:
        # What the upper bits of the byte hold is not part of the value.
        return a.astype(np.int64) == b.astype(np.int64)
    bits = [
        np.ascontiguousarray(x).view(np.uint8).reshape(*x.shape, x.dtype.itemsize) for x in (a, b)
    ]
    equal = (bits[0] == bits[1]).all(axis=-1)
    if not moves and a.dtype.kind in "fV":
        equal |= (a != a) & (b != b)
    return equal


def _short(outcome: Outcome) -> str:
    return f"IndexError '{outcome.text}'" if isinstance(outcome, Failed) else "a result"


def parsed(programs: Sequence[Program]) -> ir.Module:
    """One verified module with all the programs."""
    return _contexts.parse(module_text(programs))


_contexts = Contexts(uses=64)


@dataclass(frozen=True)
class Finding:
    """One program that went wrong: which party, and how. `refused` if it did not compile."""

    program: Program
    party: str
    text: str
    refused: bool = False

    def __str__(self) -> str:
        return f"{self.program.op} {self.program.label}: {self.party}: {self.text}"


def check_reference(programs: Sequence[Program]) -> list[Finding]:
    """Where the reference and NumPy differ."""
    programs = numbered(programs)
    module = parsed(programs)
    found = []
    for program in programs:
        wrong = difference(program, referenced(module, program), spelled(program))
        if wrong is not None:
            found.append(Finding(program, "reference against NumPy", wrong))
    return found


def check(programs: Sequence[Program], threads: int = 1, strided: bool = False) -> list[Finding]:
    """Where compiled code, reference and NumPy differ; `strided` as in `compiled`."""
    programs = numbered(programs)
    module = parsed(programs)
    found = []
    for program in programs:
        expected = referenced(module, program)
        wrong = difference(program, expected, spelled(program))
        if wrong is not None:
            found.append(Finding(program, "reference against NumPy", wrong))
        outcome = compiled(program, threads, strided)
        if isinstance(outcome, Refused):
            found.append(Finding(program, "compiler", outcome.text.splitlines()[0], refused=True))
            continue
        wrong = outcome if isinstance(outcome, str) else difference(program, outcome, expected)
        if wrong is not None:
            found.append(Finding(program, "compiled against reference", wrong))
    return found
