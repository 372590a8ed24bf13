"""What is known of the elements of a tensor of integers, or of one integer."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.sizes import Origin
from mlir_gs.lowering.op.coordinates import never_negative


@dataclass(frozen=True)
class Facts:
    """Elements lie in [low, high] and are less than each size in `below`.

    `distinct`: no two are equal; `ascending`: in row-major order, equal neighbours allowed;
    `along`: a dim in whose lines no two are equal.
    """

    low: int
    high: int
    below: frozenset[Origin] = frozenset()
    distinct: bool = False
    ascending: bool = False
    along: int | None = None

    @property
    def constant(self) -> int | None:
        return self.low if self.low == self.high else None


def limits(type_: ir.Type) -> tuple[int, int] | None:
    """The least and the greatest number of a type of coordinates; None if it is none."""
    if isinstance(type_, ir.IndexType):
        return -(1 << 63), (1 << 63) - 1
    if not isinstance(type_, ir.IntegerType) or type_.width > 64:
        return None
    if never_negative(type_):
        return 0, (1 << type_.width) - 1
    return -(1 << (type_.width - 1)), (1 << (type_.width - 1)) - 1


def anything(type_: ir.Type) -> Facts | None:
    """What holds of each number of a type; None if it is none of coordinates."""
    found = limits(type_)
    return None if found is None else Facts(*found)


def union(parts: Sequence[Facts]) -> Facts:
    """Each element is one of one of these tensors."""
    below = frozenset.intersection(*(part.below for part in parts))
    return Facts(min(p.low for p in parts), max(p.high for p in parts), below)


def fitting(facts: Facts | None, type_: ir.Type) -> Facts | None:
    """The facts, unless a number of them is none of the type: then it wrapped around."""
    bounds = limits(type_)
    if facts is None or bounds is None or facts.low < bounds[0] or facts.high > bounds[1]:
        return None
    return facts


def iota(dim: int, sizes: Sequence[Origin]) -> Facts:
    """The positions along `dim`."""
    size = sizes[dim]
    high = size - 1 if isinstance(size, int) else (1 << 63) - 2
    alone = all(n == 1 for d, n in enumerate(sizes) if d != dim)
    first = all(n == 1 for n in sizes[:dim])
    return Facts(0, max(high, 0), frozenset({size}), alone, first, dim)


def element_of(type_: ir.Type) -> ir.Type:
    """The type of an element of a tensor, or of the value itself."""
    return type_.element_type if isinstance(type_, ir.RankedTensorType) else type_


def of_known(known: np.ndarray) -> Facts:
    """The facts of elements that are known, one at least."""
    flat = known.ravel()
    steps = np.diff(flat) >= 0
    distinct = len(np.unique(flat)) == flat.size
    apart = [d for d in range(known.ndim) if (np.diff(np.sort(known, axis=d), axis=d) != 0).all()]
    along = max(reversed(apart), key=lambda d: known.shape[d], default=None)
    return Facts(int(flat.min()), int(flat.max()), frozenset(), distinct, bool(steps.all()), along)
