"""Gathers whose coordinates are single numbers: slices along an axis, and their general form."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mlir_gs.dialect import gather, generic
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.shared import GatherMode
from mlir_gs.frontend.common.elementwise import coordinates, sizes_of
from mlir_gs.frontend.common.shapes import with_trailing_unit
from mlir_gs.lowering.ir.emit import Ix

tensor = dialect("tensor")

Exprs = Sequence[ir.AffineExpr]


@dataclass(frozen=True)
class OutOfBounds:
    """What happens to coordinates out of bounds, in the words of `gs.gather`."""

    mode: GatherMode | None = None
    wrap_negative: bool = False
    fill_value: ir.Attribute | None = None


PROMISED = OutOfBounds()


def take(
    source: ir.Value,
    indices: ir.Value,
    axis: int,
    bounds: OutOfBounds = PROMISED,
    *,
    unique: bool = False,
    sorted: bool = False,
) -> ir.Value:
    """`out[a.., i.., b..] = source[a.., indices[i..], b..]`, where a.. are the dims before `axis`.

    `numpy.take`, `torch.index_select`, `tf.gather`, `onnx.Gather`: `gs.gather` where `axis` is 0,
    else a `gs.generic`.
    """
    if axis == 0:
        return _take_first(source, indices, bounds, unique, sorted)
    rank, inner = source.type.rank, indices.type.rank
    total = rank - 1 + inner
    plain = [ir.AffineDimExpr.get(dim) for dim in range(total)]
    where = [*plain[:axis], ir.AffineSymbolExpr.get(0), *plain[axis + inner :]]
    sizes = sizes_of(source)
    sizes[axis : axis + 1] = sizes_of(indices)
    return gather_by_maps(
        source,
        where,
        indices,
        plain[axis : axis + inner],
        sizes,
        bounds,
        unique=unique,
        sorted=sorted,
    )


def take_computed(
    source: ir.Value, axis: int, size: Ix, place: Callable[[ir.Value], ir.Value]
) -> ir.Value:
    """The slices along `axis` at `place(i)`, which is in bounds, for i in [0, size)."""
    return take(source, coordinates([size], place), axis)


def gather_by_maps(
    source: ir.Value,
    source_exprs: Exprs,
    indices: ir.Value,
    index_exprs: Exprs,
    sizes: Sequence[Ix],
    bounds: OutOfBounds = PROMISED,
    *,
    unique: bool = False,
    sorted: bool = False,
) -> ir.Value:
    """`out[d..] = source[source_exprs]`, where the symbol s0 is `indices[index_exprs]`.

    `sizes` are those of `out`. A dim that is plain in `source_exprs` but not in `index_exprs` has
    the size of `source` there.
    """
    rank, inner = len(sizes), indices.type.rank
    plain = [ir.AffineDimExpr.get(dim) for dim in range(rank)]
    symbol = ir.AffineSymbolExpr.get(0)
    rows = [symbol, *plain[inner:]]
    if list(index_exprs) == plain[:inner] and list(source_exprs) == rows:
        return _take_first(source, indices, bounds, unique, sorted)
    identity = ir.AffineMap.get(rank, 1, plain)
    mode = "fill_or_drop" if bounds.mode == "fill" else bounds.mode or "promise_in_bounds"
    return generic(
        [source],
        [indices],
        [tensor.empty(list(sizes), source.type.element_type)],
        indexing_maps=[ir.AffineMap.get(rank, 1, list(source_exprs)), identity],
        coordinate_maps=[[ir.AffineMap.get(rank, 1, list(index_exprs))]],
        body=lambda element, _current: element,
        modes=[mode],
        wrap_negative=[bounds.wrap_negative],
        fill_values=[bounds.fill_value],
        unique=unique,
        sorted=sorted,
    ).result


def _take_first(
    source: ir.Value, indices: ir.Value, bounds: OutOfBounds, unique: bool, sorted: bool
) -> ir.Value:
    """`out[i.., b..] = source[indices[i..], b..]`"""
    return gather(
        source,
        with_trailing_unit(indices),
        [0],
        unique=unique,
        sorted=sorted,
        mode=bounds.mode,
        wrap_negative=bounds.wrap_negative,
        fill_value=bounds.fill_value,
    )
