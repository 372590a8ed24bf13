"""Reshapes that the front ends need: unit dims in and out, casts to the type that is wanted."""

from collections.abc import Collection, Sequence

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.ir.builders import dim_of

tensor = dialect("tensor")


def as_type(value: ir.Value, type_: ir.Type) -> ir.Value:
    """`value` as `type_`: a `tensor.cast` where only what is known of the sizes differs."""
    if value.type == type_:
        return value
    return tensor.cast(type_, value)


def with_unit_dims(value: ir.Value, positions: Collection[int]) -> ir.Value:
    """`value` with dims of size 1 at `positions` of the result."""
    if not positions:
        return value
    type_ = value.type
    rank = type_.rank + len(positions)
    sizes = iter(type_.shape)
    shape = [1 if dim in positions else next(sizes) for dim in range(rank)]
    kept = [dim for dim in range(rank) if dim not in positions]
    dynamic = [dim_of(value, source) for source, dim in enumerate(kept) if shape[dim] == DYNAMIC]
    return tensor.expand_shape(
        ir.RankedTensorType.get(shape, type_.element_type),
        value,
        _groups(rank, kept),
        dynamic,
        shape,
    )


def without_unit_dims(value: ir.Value, positions: Collection[int]) -> ir.Value:
    """`value` without the dims at `positions`, which have the static size 1."""
    if not positions:
        return value
    type_ = value.type
    kept = [dim for dim in range(type_.rank) if dim not in positions]
    return tensor.collapse_shape(
        ir.RankedTensorType.get([type_.shape[dim] for dim in kept], type_.element_type),
        value,
        _groups(type_.rank, kept),
    )


def with_trailing_unit(indices: ir.Value) -> ir.Value:
    """Scalar coordinates as tuples of one, `[.., n]` --> `[.., n, 1]`: what `gs.gather` takes."""
    return with_unit_dims(indices, [indices.type.rank])


def _groups(rank: int, kept: Sequence[int]) -> list[list[int]]:
    """Reassociation: each kept dim takes the unit dims before it, the last those after it too."""
    ends = [*(dim + 1 for dim in kept[:-1]), rank] if kept else []
    return [list(range(first, end)) for first, end in zip([0, *ends], ends, strict=False)]
