"""What elementwise ops leave open: which results are poison, which operands have no meaning.

As LLVM's reference has it. Poison is a property of one value: an op that reads it gives poison,
and so does an op whose flags do not hold, a shift by the width or more, and a float that its
integer type does not hold. A division by zero or by poison has no meaning: a run that does it may
do anything. The prover reads this table with terms, the search with arrays.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference.math import INDEX
from mlir_gs.dialect.reference.scalar import width_of
from mlir_gs.dialect.reference.types import constant_value

# Flags of integers, and how each is written where it says nothing.
FLAGS = ("overflowFlags", "nonNeg", "isExact")
# Fast-math flags of which something is poison; all others allow other results.
_EXCLUDED = {"nnan": "nan", "ninf": "infinite"}
_ALLOWED = ("reassoc", "nsz", "arcp", "contract", "afn")
_EXACT: dict[str, Callable[[Any, Any], Any]] = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
}
_SHIFTS = ("shli", "shrui", "shrsi")
_SIGNED_DIVISIONS = ("divsi", "remsi", "floordivsi", "ceildivsi")
_DIVISIONS = (*_SIGNED_DIVISIONS, "divui", "remui", "ceildivui")
_TO_INTEGER = ("fptosi", "fptoui")


class Operands(Protocol):
    """The operands of an op: numbers, and conditions on them with `&` and `|`."""

    def signed(self, n: int) -> Any: ...
    def unsigned(self, n: int) -> Any: ...
    def shift(self) -> Any:
        """The bits that operand 1 shifts by, cut to the width; None where they are not known."""

    def is_poison(self, n: int) -> Any: ...
    def some_float(self, what: str) -> Any:
        """An operand or the result is a NaN (`nan`), or an infinity (`infinite`)."""

    def is_beyond(self) -> Any:
        """The float is not held by the integer type of the result."""

    def always(self) -> Any: ...


def kind_of(op: Any) -> str:
    """The op's name in arith."""
    name: str = op.name
    dialect, kind = name.split(".", 1)
    return INDEX.get(kind, kind) if dialect == "index" else kind


def flags_of(op: Any) -> set[str]:
    """The fast-math flags."""
    text = str(op.attributes["fastmath"]) if "fastmath" in op.attributes else ""
    found = set(text.partition("<")[2].rstrip(">").split(",")) - {"none", ""}
    return {*_EXCLUDED, *_ALLOWED} if "fast" in found else found


def allowed(op: Any) -> list[str]:
    """The fast-math flags that allow other results."""
    return sorted(flags_of(op) & set(_ALLOWED))


# All flags, none, or those of ops by `spelled_flags`.
Flags = bool | frozenset[str]


def spelled_flags(op: Any) -> str:
    """The op's name and all of its flags."""
    given = [f"{name}={op.attributes[name]}" for name in FLAGS if name in op.attributes]
    return ":".join([op.name, *given, *sorted(flags_of(op))])


def is_kept(op: Any, flags: Flags) -> bool:
    return flags if isinstance(flags, bool) else spelled_flags(op) in flags


def flagged(op: Any) -> bool:
    """A flag says that something does not happen."""
    return any(
        name in op.attributes and "<none>" not in str(op.attributes[name]) for name in FLAGS
    ) or bool(flags_of(op) & _EXCLUDED.keys())


def may_be_poison(op: Any, flags: Flags = True) -> bool:
    """The result may be poison where no operand is."""
    kind = kind_of(op)
    is_open = kind in _TO_INTEGER or (kind in _SHIFTS and not _shifts_inside(op))
    return is_open or op.name == "ub.poison" or (flagged(op) and is_kept(op, flags))


def _shifts_inside(op: Any) -> bool:
    """By a constant that is less than the width."""
    owner = op.operands[1].owner
    if not isinstance(owner, (ir.Operation, ir.OpView)) or owner.name != "arith.constant":
        return False
    amount = constant_value(owner.operation)
    return bool(((amount >= 0) & (amount < width_of(op.results[0].type))).all())


def may_be_undefined(op: Any) -> bool:
    return kind_of(op) in _DIVISIONS or op.name == "math.ipowi"


def undefined(op: Any, of: Operands) -> list[Any]:
    """Conditions of which none may hold."""
    kind = kind_of(op)
    if op.name == "math.ipowi":
        return [(of.signed(0) == 0) & (of.signed(1) < 0)]
    if kind not in _DIVISIONS:
        return []
    found = [of.is_poison(1), of.unsigned(1) == 0]
    if kind in _SIGNED_DIVISIONS:
        least = -(1 << (width_of(op.results[0].type) - 1))
        # Poison may be the least number.
        found.append((of.signed(1) == -1) & ((of.signed(0) == least) | of.is_poison(0)))
    return found


def poison(op: Any, of: Operands, with_flags: bool = True) -> list[Any] | None:
    """Conditions of which one holds where the result is poison and no operand is; None where
    that is not stated."""
    if op.name == "ub.poison":
        return [of.always()]
    kind, found = kind_of(op), []
    if kind in _SHIFTS:
        found.append(of.unsigned(1) >= width_of(op.results[0].type))
    if kind in _TO_INTEGER:
        found.append(of.is_beyond())
    if not with_flags:
        return found
    found += [of.some_float(what) for flag, what in _EXCLUDED.items() if flag in flags_of(op)]
    overflows, inexact = _overflows(op, of), _inexact(op, of)
    if overflows is None or inexact is None:
        return None
    if "nonNeg" in op.attributes:
        found.append(of.signed(0) < 0)
    return [*found, *overflows, *inexact]


def _overflows(op: Any, of: Operands) -> list[Any] | None:
    kind = kind_of(op)
    flags = str(op.attributes["overflowFlags"]) if "overflowFlags" in op.attributes else ""
    width = width_of(op.results[0].type)
    ends = {"nsw": (-(1 << (width - 1)), 1 << (width - 1)), "nuw": (0, 1 << width)}
    found: list[Any] = []
    for flag, read in (("nsw", of.signed), ("nuw", of.unsigned)):
        if flag not in flags:
            continue
        shift = of.shift() if kind == "shli" else None
        if kind in _EXACT:
            exact = _EXACT[kind](read(0), read(1))
        elif kind == "trunci":
            exact = read(0)
        elif shift is not None:
            exact = read(0) * 2**shift
        else:
            return None
        least, end = ends[flag]
        found += [exact < least, exact >= end]
    return found


def _inexact(op: Any, of: Operands) -> list[Any] | None:
    if "isExact" not in op.attributes:
        return []
    kind = kind_of(op)
    read = of.unsigned if kind.endswith("ui") else of.signed
    if kind.startswith("div"):
        return [read(0) % read(1) != 0]
    shift = of.shift()
    return None if shift is None else [read(0) % 2**shift != 0]


def float_bounds(op: Any) -> tuple[int, int]:
    """What a float must be above and below so that the integer type of the result holds it."""
    width = width_of(op.results[0].type)
    if kind_of(op) == "fptoui":
        return -1, 1 << width
    return -(1 << (width - 1)) - 1, 1 << (width - 1)


def blocks_may_be_poison(regions: Sequence[Any], flags: Flags) -> bool:
    """An op in `regions` may make poison."""
    return any(
        may_be_poison(view.operation, flags) or blocks_may_be_poison(view.operation.regions, flags)
        for region in regions
        for block in region.blocks
        for view in block.operations
        if "." in view.operation.name
    )
