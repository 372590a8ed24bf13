"""JAX's modes, read back from the masks and selects that it lowers them to.

JAX spells a negative index as `select(i < 0, i + n, i)` in front of a gather, and mode fill as a
`select` behind it, by a mask of the indices in bounds. `gs` has both in the op that moves the data.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.stablehlo.windows import Windows
from mlir_gs.lowering.ir.builders import producer

_SPREADS = ("stablehlo.broadcast_in_dim", "stablehlo.reshape")


def splat(value: ir.Value) -> ir.Attribute | None:
    """The one element that a constant, or what is spread from one, holds everywhere."""
    spread = producer(value, *_SPREADS)
    if spread is not None:
        return splat(spread.operands[0])
    constant = producer(value, "stablehlo.constant")
    if constant is None:
        return None
    if isinstance(value.type.element_type, ir.ComplexType):
        # The bindings do not give their elements out.
        return None
    dense = ir.DenseElementsAttr(constant.attributes["value"])
    return dense.get_splat_value() if dense.is_splat else None


def number_in(value: ir.Value) -> int | None:
    found: Any = splat(value)
    return found.value if isinstance(found, ir.IntegerAttr) else None


def _compares(value: ir.Value, direction: str) -> tuple[ir.Value, ir.Value] | None:
    """The operands of a comparison in that direction."""
    compare = producer(value, "stablehlo.compare")
    if compare is None or direction not in str(compare.attributes["comparison_direction"]):
        return None
    lhs, rhs = compare.operands
    return lhs, rhs


def without_wrap(value: ir.Value, size: int) -> ir.Value | None:
    """`i`, where `value` is `select(i < 0, i + size, i)`; else None."""
    select = producer(value, "stablehlo.select")
    if select is None:
        return None
    condition, wrapped, plain = select.operands
    compared = _compares(condition, "LT")
    added = producer(wrapped, "stablehlo.add")
    if compared is None or added is None or compared[0] != plain or number_in(compared[1]) != 0:
        return None
    return plain if added.operands[0] == plain and number_in(added.operands[1]) == size else None


@dataclass(frozen=True)
class Fill:
    """The select behind a gather that fills where an index is out of bounds."""

    select: ir.Operation
    value: ir.Attribute


def fill_of(
    gathered: ir.Value, indices: ir.Value, windows: Windows, limits: Sequence[int]
) -> Fill | None:
    """The fill of `gathered`, if all that is done with it is to be filled.

    `limits` are the greatest starts of a whole window, by coordinate.
    """
    uses = list(gathered.uses)
    if len(uses) != 1 or uses[0].owner.name != "stablehlo.select":
        return None
    select = uses[0].owner.operation
    mask, taken, otherwise = select.operands
    value = splat(otherwise)
    if taken != gathered or otherwise == gathered or value is None:
        return None
    spread = producer(mask, "stablehlo.broadcast_in_dim")
    if spread is not None:
        if list(spread.attributes["broadcast_dimensions"]) != windows.leading_dims:
            return None
        mask = spread.operands[0]
    elif windows.window_dims:
        return None
    if not _is_mask(mask, indices, windows.vector_dim, limits):
        return None
    return Fill(select, value)


def without_clamp(
    value: ir.Value, windows: Windows, operand: ir.Value, updates: ir.Value
) -> ir.Value | None:
    """`i`, where `value` is `clamp(0, i, greatest start of a whole window)`; else None."""
    clamp = producer(value, "stablehlo.clamp")
    if clamp is None or number_in(clamp.operands[0]) != 0:
        return None
    limits = []
    for dim in windows.start_map:
        window = windows.window_of.get(dim)
        size = 1 if window is None else updates.type.shape[window]
        if DYNAMIC in (size, operand.type.shape[dim]):
            return None
        limits.append(operand.type.shape[dim] - size)
    found = numbers_along(clamp.operands[2], windows.vector_dim, len(limits))
    return clamp.operands[1] if found == _reachable(value, limits) else None


def _reachable(indices: ir.Value, limits: Sequence[int]) -> list[int]:
    """`limits`, as far as numbers of the type of `indices` go."""
    most = (1 << (indices.type.element_type.width - 1)) - 1
    return [min(limit, most) for limit in limits]


def _is_mask(mask: ir.Value, indices: ir.Value, vector_dim: int, limits: Sequence[int]) -> bool:
    """`mask` is all(0 <= indices <= limits) over the coordinates."""
    reduced = producer(mask, "stablehlo.reduce")
    if reduced is None or len(reduced.operands) != 2:
        return False
    body = [view.operation.name for view in reduced.regions[0].blocks[0].operations]
    if (
        list(reduced.attributes["dimensions"]) != [vector_dim]
        or body != ["stablehlo.and", "stablehlo.return"]
        or _truth(reduced.operands[1]) is not True
    ):
        return False
    both = producer(reduced.operands[0], "stablehlo.and")
    if both is None:
        return False
    low, high = _compares(both.operands[0], "GE"), _compares(both.operands[1], "LE")
    if low is None or high is None or low[0] != indices or high[0] != indices:
        return False
    found = numbers_along(high[1], vector_dim, len(limits))
    return number_in(low[1]) == 0 and found == _reachable(indices, limits)


def _truth(value: ir.Value) -> bool | None:
    found = splat(value)
    return None if found is None else bool(ir.BoolAttr(found).value)


def numbers_along(value: ir.Value, dim: int, count: int) -> list[int] | None:
    """The numbers of a constant that differ along `dim` only."""
    number = number_in(value)
    if number is not None:
        return [number] * count
    spread = producer(value, "stablehlo.broadcast_in_dim")
    if spread is not None:
        dims = list(spread.attributes["broadcast_dimensions"])
        return numbers_along(spread.operands[0], dims.index(dim), count) if dim in dims else None
    least = producer(value, "stablehlo.minimum")
    if least is not None:
        sides = [numbers_along(operand, dim, count) for operand in least.operands]
        if sides[0] is None or sides[1] is None:
            return None
        return [min(pair) for pair in zip(*sides, strict=True)]
    if value.type.shape[dim] != count:
        return None
    joined = producer(value, "stablehlo.concatenate")
    if joined is not None and joined.attributes["dimension"].value == dim:
        parts = [numbers_along(part, dim, part.type.shape[dim]) for part in joined.operands]
        return [n for part in parts for n in part or ()] if None not in parts else None
    constant = producer(value, "stablehlo.constant")
    if constant is None:
        return None
    found = [int(element) for element in ir.DenseIntElementsAttr(constant.attributes["value"])]
    return found if len(found) == count else None
