"""What the reference gives for arguments, with poison per value.

A run holds numbers and no poison. So a function is run twice, with other numbers where something
is poison: what differs, is. An op may take numbers that differ to one that does not (x * 0): then
its result is set apart as well, and both run again, until nothing new differs.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.base import NAMED
from mlir_gs.dialect.reference.control import AssertionFailed
from mlir_gs.dialect.reference.coordinates import CoordinateError, UndefinedBehavior
from mlir_gs.dialect.reference.linalg import LINALG
from mlir_gs.dialect.reference.run import run
from mlir_gs.dialect.reference.scalar import signed, unsigned, width_of
from mlir_gs.dialect.reference.types import site
from mlir_gs.dialect.reference.vectors import READS, WRITES
from mlir_gs.dialect.structure import groups
from mlir_gs.prove.overlaps import Shared, overlap
from mlir_gs.prove.poison import (
    allowed,
    float_bounds,
    kind_of,
    may_be_poison,
    may_be_undefined,
    poison,
    undefined,
)

ERROR, UNDEFINED = "an error: ", "no meaning: "
# The reference's exceptions for an error that is reported.
_REPORTED = (CoordinateError, AssertionFailed)
# How often what poison spreads through is run.
_MOST_ROUNDS = 12
# Ops of which nobody says what they hold.
_OPEN = ("tensor.empty", "memref.alloc", "memref.alloca")
_BRANCHES = ("scf.if", "scf.index_switch", "cf.assert")
# Loops in any order, which have no meaning where the last operand shares memory with another.
_LOOPS = {"gs.generic", "memref.copy", *LINALG} - {"linalg.index"}
# Operands of these that are numbers are values like others.
_MOVES = ("func.call", "tensor.from_elements", "tensor.splat", "linalg.generic")


@dataclass(frozen=True)
class Results:
    """What a function gives, and which elements of it are poison."""

    arrays: tuple[np.ndarray, ...]
    poison: tuple[np.ndarray, ...]


Outcome = Results | str


class _Poisoned(UndefinedBehavior):
    """What is done hangs on poison."""


class OutOfTime(Exception):
    """A run took longer than it may."""


def outcome(
    module: Any,
    entry: str,
    arguments: Sequence[np.ndarray],
    end: float = math.inf,
    seen: Sequence[int] = (),
    open_is_poison: bool = False,
) -> Outcome:
    """What the reference gives, and what the arguments `seen` hold afterwards. Raises what it
    raises for an op that it does not know, and OutOfTime at the time `end` of `time.monotonic`.

    What nobody wrote is any number. A result that hangs on it counts as poison; `open_is_poison`:
    so does one that may hang on it.
    """
    marks: dict[int, Any] = {}

    def ran(trace: _Trace) -> Any:
        return _ran(module, entry, arguments, seen, trace.around)

    for _ in range(_MOST_ROUNDS):
        shared = isinstance(arguments, Shared)
        traces = [_Trace(n, marks, end, n if open_is_poison else 0, shared) for n in (0, 1)]
        first = ran(traces[0])
        is_open = traces[0].is_open
        if not traces[0].is_poisoned and not is_open:
            none = (np.zeros(np.shape(array), bool) for array in first)
            return first if isinstance(first, str) else Results(first, tuple(none))
        second = ran(traces[1])
        if isinstance(first, str) or isinstance(second, str):
            both = isinstance(first, str) and isinstance(second, str)
            return str(first) if both else f"{UNDEFINED}what is done hangs on poison"
        try:
            new = _apart(traces[0].steps, traces[1].steps)
            if all(n in marks and not np.any(where & ~marks[n]) for n, where in new.items()):
                poison = tuple(map(_differ, first, second))
                is_seen = is_open and not open_is_poison
                third = ran(_Trace(0, marks, end, 1, shared)) if is_seen else first
                if isinstance(third, str):
                    raise _Poisoned("what is done hangs on what nobody wrote")
                return Results(first, tuple(map(np.logical_or, poison, map(_differ, first, third))))
        except _Poisoned as problem:
            return f"{UNDEFINED}{problem}"
        marks = {n: marks.get(n, False) | new.get(n, False) for n in {*marks, *new}}
    return f"{UNDEFINED}poison that spreads too far"


def _ran(
    module: Any, entry: str, arguments: Sequence[np.ndarray], seen: Sequence[int], around: Any
) -> Any:
    copies = [array.copy() for array in arguments]
    if isinstance(arguments, Shared):
        copies = arguments.copied()
    try:
        with module.context, ir.Location.unknown():
            found = run(module, entry, copies, around)
            return (*map(np.array, found), *(copies[n] for n in seen))
    except NotImplementedError:
        raise
    except _REPORTED as error:
        return f"{ERROR}{error}"
    except (IndexError, ValueError) as error:
        # A broken promise, or sizes that do not fit.
        return f"{UNDEFINED}{error}"


@dataclass
class _Step:
    """An op that ran: `looked_at` are the operands on which hangs what it does."""

    op: Any
    operands: list[np.ndarray]
    looked_at: list[int]
    is_elementwise: bool


@dataclass
class _Trace:
    """One run, with `number` where the step of a number is poison in `marks` or by its table."""

    number: int
    marks: dict[int, Any]
    end: float
    # What is where nobody wrote.
    open_number: int
    # Arguments share memory.
    shared: bool = False
    steps: list[_Step] = field(default_factory=list)
    is_poisoned: bool = False
    is_open: bool = False

    def around(self, op: Any, handler: Callable[..., Any], is_elementwise: bool) -> Any:
        if op.name == "memref.dealloc":

            def freed(machine: Any, op: Any, operands: list[np.ndarray]) -> Any:
                self._open(operands[0])
                return handler(machine, op, operands)

            return freed
        if op.name in _OPEN:

            def filled(machine: Any, op: Any, operands: list[np.ndarray]) -> Any:
                found = tuple(map(np.array, handler(machine, op, operands)))
                for array in found:
                    self._open(array)
                return found

            return filled
        if not is_elementwise:
            looked_at = _looked_at(op)

            def done(machine: Any, op: Any, operands: list[np.ndarray]) -> Any:
                self._check_time()
                if self.shared and op.name in _LOOPS and overlap(operands):
                    raise UndefinedBehavior("operands that share memory")
                if looked_at:
                    copied = [np.copy(x) if n in looked_at else x for n, x in enumerate(operands)]
                    self.steps.append(_Step(op, copied, looked_at, False))
                return handler(machine, op, operands)

            return done
        open_, checked, loose = may_be_poison(op), may_be_undefined(op), set(allowed(op))
        looked_at = [1] if checked else []

        def apply(op: Any, operands: list[np.ndarray]) -> np.ndarray:
            self._check_time()
            number = len(self.steps)
            self.steps.append(_Step(op, operands, looked_at, True))
            read = _Arrays(op, operands)
            if checked and any(np.any(each) for each in undefined(op, read)):
                raise UndefinedBehavior("operands without a result")
            result = np.asarray(handler(op, read.defined() if open_ else operands))
            where = self.marks.get(number, False)
            if open_:
                read.result = result
                for condition in poison(op, read) or ():
                    where = where | np.asarray(condition, bool)
            if loose:
                where = where | _may_differ(op, loose, operands, result)
            if not np.any(where):
                return result
            self.is_poisoned = True
            with np.errstate(all="ignore"):
                return np.where(where, np.asarray(self.number).astype(result.dtype), result)

        return apply

    def _open(self, array: np.ndarray) -> None:
        """What it holds is any number."""
        array[...] = np.asarray(self.open_number).astype(array.dtype)
        self.is_open |= array.size > 0

    def _check_time(self) -> None:
        if time.monotonic() > self.end:
            raise OutOfTime


def _looked_at(op: Any) -> list[int]:
    """The operands on which hangs what the op does: places, sizes, coordinates, conditions."""
    operands = list(op.operands)
    if op.name in _BRANCHES:
        return [0]
    if op.name == "scf.for":
        return [0, 1, 2]
    if op.name == "gs.generic" or op.name in NAMED:
        wanted = groups(op.opview)[1] if op.name == "gs.generic" else operands[-1:]
        return [n for n, operand in enumerate(operands) if operand in wanted]
    if op.name in _MOVES or op.name.startswith(("scf.", "bufferization.")):
        return []
    numbers = [n for n, o in enumerate(operands) if isinstance(o.type, ir.IndexType)]
    if op.name.startswith("vector."):
        # Masks and places of lanes, which stand before the last vector.
        vectors = [n for n, o in enumerate(operands) if isinstance(o.type, ir.VectorType)]
        return [*numbers, *(vectors[:-1] if op.name in (*READS, *WRITES) else ())]
    return [n for n in numbers if op.name != "tensor.insert" or n > 0]


# What an op computes of numbers without rounding.
_EXACT: dict[str, Callable[..., Any]] = {
    "addf": lambda a, b: a + b,
    "subf": lambda a, b: a - b,
    "mulf": lambda a, b: a * b,
    "negf": lambda a: -a,
}


def _may_differ(op: Any, loose: set[str], operands: list[np.ndarray], result: Any) -> np.ndarray:
    """Where fast-math flags allow another result: a zero of the other sign, what is rounded, or
    what may be any approximation. Sums of small whole numbers may be grouped in any way."""
    kind, zero = kind_of(op), (result == 0) & ("nsz" in loose)
    if kind not in (*_EXACT, "divf"):
        return zero | ("afn" in loose)
    if loose <= {"nsz"}:
        return np.asarray(zero)

    def rounds(found: Any, *given: Any) -> bool:
        if not all(map(np.isfinite, given)):
            return False
        if not np.isfinite(found):
            return True
        numbers = [Fraction(float(each)) for each in given]
        if kind != "divf":
            return bool(_EXACT[kind](*numbers) != Fraction(float(found)))
        # With a quotient that is exact, and an inverse that is.
        a, b = numbers
        return b == 0 or abs(np.frexp(float(given[1]))[0]) != 0.5 or a / b != float(found)

    return zero | np.vectorize(rounds, otypes=[bool])(result, *operands)


def _apart(one: list[_Step], other: list[_Step]) -> dict[int, np.ndarray]:
    """Where the results of elementwise ops are poison: where operands differ."""
    found = {}
    if len(one) != len(other) or any(a.op != b.op for a, b in zip(one, other, strict=True)):
        raise _Poisoned("a branch hangs on poison")
    for n, (a, b) in enumerate(zip(one, other, strict=True)):
        for k in a.looked_at:
            if np.any(_differ(a.operands[k], b.operands[k])):
                raise _Poisoned(f"{site(a.op.location)}: '{a.op.name}' of poison")
        if not a.is_elementwise or not a.operands:
            continue
        # Of a select, what is not taken may be poison.
        numbers = [0] if a.op.name == "arith.select" else range(len(a.operands))
        where = np.asarray(False)
        for k in numbers:
            where = where | _differ(a.operands[k], b.operands[k])
        if np.any(where):
            found[n] = where
    return found


def _differ(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Which elements have other bits."""
    if a.shape != b.shape:
        raise _Poisoned("a size hangs on poison")
    return bits(a) != bits(b)


def bits(array: np.ndarray) -> np.ndarray:
    """The bytes of each element."""
    size = array.dtype.itemsize
    flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8).reshape(array.size, size)
    if size in (1, 2, 4, 8):
        return flat.view(f"uint{8 * size}").reshape(array.shape)
    return flat.view(f"V{size}").reshape(array.shape)


@dataclass
class _Arrays:
    """The operands of an op, as `poison` reads them."""

    op: Any
    operands: list[np.ndarray]
    result: np.ndarray | None = None

    def signed(self, n: int) -> Any:
        return signed(self.operands[n], width_of(self.op.operands[n].type)).astype(object)

    def unsigned(self, n: int) -> Any:
        return unsigned(self.operands[n], width_of(self.op.operands[n].type)).astype(object)

    def shift(self) -> Any:
        return np.minimum(self.unsigned(1), width_of(self.op.results[0].type))

    def is_poison(self, n: int) -> Any:
        # What is poison is seen by comparing two runs.
        return False

    def some_float(self, what: str) -> Any:
        test = {"nan": np.isnan, "infinite": np.isinf}[what]
        given = [each for each in (*self.operands, self.result) if each is not None]
        floats = [each for each in given if each.dtype.kind not in "biu"]
        found: Any = np.asarray(False)
        for each in floats:
            found = found | test(each)
        return found

    def is_beyond(self) -> Any:
        low, high = float_bounds(self.op)
        number = np.asarray(self.operands[0]).astype(np.float64)
        # Doubles next to 2^63 are whole, so that the bound is not one of them.
        inside = (number > low) & (number < high) if abs(low) < 1 << 53 else (number >= low + 1)
        return ~(inside & (number < high))

    def always(self) -> Any:
        return np.ones((), bool)

    def defined(self) -> list[np.ndarray]:
        """Operands with a result: others than are poison."""
        kind = kind_of(self.op)
        if kind in ("fptosi", "fptoui"):
            return [np.where(self.is_beyond(), 0, self.operands[0]).astype(self.operands[0].dtype)]
        if kind in ("shli", "shrui", "shrsi"):
            width = width_of(self.op.results[0].type)
            out = np.asarray(self.unsigned(1) >= width, bool)
            return [self.operands[0], np.where(out, 0, self.operands[1])]
        return self.operands
