"""Gathers whose coordinates are single numbers: slices along an axis, and their general form."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mlir_gs.dialect import gather, generic
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.shared import GatherMode
from mlir_gs.frontend.common.elementwise import coordinates
from mlir_gs.frontend.common.shapes import with_trailing_unit
from mlir_gs.lowering.ir.builders import dim_of, index

tensor = dialect("tensor")

Exprs = Sequence[ir.AffineExpr]
# A size: a number, a value of type index, or the size of a tensor in a dimension.
Size = int | ir.Value | tuple[ir.Value, int]


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
    rank, inner = source.type.rank, indices.type.rank
    total = rank - 1 + inner
    plain = [ir.AffineDimExpr.get(dim) for dim in range(total)]
    where = [*plain[:axis], ir.AffineSymbolExpr.get(0), *plain[axis + inner :]]
    sizes = [(source, dim) for dim in range(rank)]
    sizes[axis : axis + 1] = [(indices, dim) for dim in range(inner)]
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
    source: ir.Value, axis: int, size: int | ir.Value, place: Callable[[ir.Value], ir.Value]
) -> ir.Value:
    """The slices along `axis` at `place(i)`, which is in bounds, for i in [0, size)."""
    return take(source, coordinates([size], place), axis)


def gather_by_maps(
    source: ir.Value,
    source_exprs: Exprs,
    indices: ir.Value,
    index_exprs: Exprs,
    sizes: Sequence[Size],
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
    identity = ir.AffineMap.get(rank, 1, plain)
    mode = "fill_or_drop" if bounds.mode == "fill" else bounds.mode or "promise_in_bounds"
    return generic(
        [source],
        [indices],
        [empty(sizes, source.type.element_type)],
        indexing_maps=[ir.AffineMap.get(rank, 1, list(source_exprs)), identity],
        coordinate_maps=[[ir.AffineMap.get(rank, 1, list(index_exprs))]],
        body=lambda element, _current: element,
        modes=[mode],
        wrap_negative=[bounds.wrap_negative],
        fill_values=[bounds.fill_value],
        unique=unique,
        sorted=sorted,
    ).result


def empty(sizes: Sequence[Size], element: ir.Type) -> ir.Value:
    """`tensor.empty` of these sizes; what is known of them statically is static in its type."""
    return tensor.empty([known_or_value(size) for size in sizes], element)


def static_size(size: Size) -> int:
    """The number, or DYNAMIC."""
    if isinstance(size, int):
        return size
    return size[0].type.shape[size[1]] if isinstance(size, tuple) else DYNAMIC


def as_value(size: Size) -> ir.Value:
    """The size as a value of type index."""
    if isinstance(size, int):
        return index(size)
    return dim_of(*size) if isinstance(size, tuple) else size


def known_or_value(size: Size) -> int | ir.Value:
    static = static_size(size)
    return as_value(size) if static == DYNAMIC else static
