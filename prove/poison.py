"""Flags of integer ops that say what does not happen: nsw, nuw, nneg and exact.

Where it happens all the same, the result is poison: any value, and only what hangs on it is lost.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from mlir_gs.dialect.reference.scalar import signed, unsigned, width_of

FLAGS = ("overflowFlags", "nonNeg", "isExact")
# What poison is tried to be.
POISON = (0, 1, -2)
# An operand as a number with a sign, or without one.
Read = Callable[[int], Any]
_EXACT: dict[str, Callable[[Any, Any], Any]] = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
}


def flagged(op: Any) -> bool:
    return op.name.startswith("arith.") and any(
        name in op.attributes and "<none>" not in str(op.attributes[name]) for name in FLAGS
    )


def broken(op: Any, as_signed: Read, as_unsigned: Read, shift: int | None) -> list[Any] | None:
    """Conditions of which one holds where a flag of `op` is broken; None where that is not stated.

    `shift` is the number of bits that a shift shifts by, if it is known. What the operands are, may
    be numbers or terms.
    """
    kind = op.name.split(".", 1)[1]
    flags = str(op.attributes["overflowFlags"]) if "overflowFlags" in op.attributes else ""
    width = width_of(op.results[0].type)
    ends = {"nsw": (-(1 << (width - 1)), 1 << (width - 1)), "nuw": (0, 1 << width)}
    found: list[Any] = []
    for flag, read in (("nsw", as_signed), ("nuw", as_unsigned)):
        if flag not in flags:
            continue
        if kind in _EXACT:
            exact = _EXACT[kind](read(0), read(1))
        elif kind == "trunci":
            exact = read(0)
        elif kind == "shli" and shift is not None:
            exact = read(0) * (1 << shift)
        else:
            return None
        least, end = ends[flag]
        found += [exact < least, exact >= end]
    if "nonNeg" in op.attributes:
        found.append(as_signed(0) < 0)
    if "isExact" in op.attributes:
        read = as_unsigned if kind.endswith("ui") else as_signed
        if kind.startswith("div"):
            found.append(read(0) % read(1) != 0)
        elif shift is not None:
            found.append(read(0) % (1 << shift) != 0)
        else:
            return None
    return found


def may_be_poison(op: Any) -> bool:
    """A flag of `op` says what does not happen."""
    return flagged(op) or bool(_excluded(op))


def _excluded(op: Any) -> list[Callable[[np.ndarray], np.ndarray]]:
    """What the fast-math flags of `op` say that no operand and no result is."""
    flags = str(op.attributes["fastmath"]) if "fastmath" in op.attributes else ""
    tests = {"nnan": np.isnan, "ninf": np.isinf}
    return [test for flag, test in tests.items() if flag in flags or "fast>" in flags]


def is_broken(op: Any, operands: Sequence[np.ndarray], result: np.ndarray) -> np.ndarray | None:
    """At which elements of `operands` a flag is broken; None where at none."""
    where = np.zeros(result.shape, bool)
    for test in _excluded(op):
        for each in (*operands, result):
            if each.dtype.kind not in "biu":
                where = where | test(each)
    if not flagged(op):
        return where if where.any() else None
    width = width_of(op.operands[0].type)
    arrays = np.broadcast_arrays(*operands)
    rows = list(zip(*(array.reshape(-1) for array in arrays), strict=True))

    def at(row: Sequence[Any]) -> bool:
        found = broken(
            op,
            lambda n: int(signed(np.asarray(row[n]), width)),
            lambda n: int(unsigned(np.asarray(row[n]), width)),
            int(unsigned(np.asarray(row[-1]), width)) if len(row) > 1 else None,
        )
        return any(found or [])

    where = np.array([at(row) for row in rows], bool).reshape(arrays[0].shape)
    return where if where.any() else None


def spoiled(result: np.ndarray, where: np.ndarray, number: int) -> np.ndarray:
    """`result` with `number` at these elements."""
    return np.where(where, number, result).astype(result.dtype)
