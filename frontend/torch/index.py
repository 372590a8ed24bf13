"""Torch's advanced indexing: index.Tensor and index_put."""

from collections.abc import Sequence

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.frontend.common.elementwise import sizes_of
from mlir_gs.frontend.common.masks import mask_of
from mlir_gs.frontend.common.put import put
from mlir_gs.frontend.common.take import take
from mlir_gs.frontend.common.wide import wide_generic
from mlir_gs.frontend.torch.index_dims import NOTHING, Indexing, expect_equal
from mlir_gs.frontend.torch.op import COMMON, ELEMENTS, LIST, MIXED, TORCH, TorchOp
from mlir_gs.frontend.torch.reduce_into import combiner_of

tensor = dialect("tensor")

REFUSES = (*COMMON, LIST, NOTHING)
PUTS = (*REFUSES, ELEMENTS, MIXED)
_GATHERS = {
    "one index along dim 0": "`gs.gather`",
    "several indices, neighbours or not, broadcast; masks": "`gs.generic`",
}
_SCATTERS = {
    "one index along dim 0": "`gs.scatter`",
    "several indices, broadcast values, masks; with and without accumulate": "`gs.generic`",
}


@TORCH.converts("aten.index.Tensor_hacked_twin", _GATHERS, refuses=REFUSES)
@TORCH.converts("aten.index.Tensor", _GATHERS, refuses=REFUSES)
def convert_index(op: ir.OpView) -> Sequence[ir.Value]:
    """index(self, indices): None keeps a dim, a bool tensor stands for its true places. The
    twin has a list without None."""
    t = TorchOp(op)
    i = Indexing(t, t.tensor(0), t.list(1))
    if len(i.indices) == 1:
        (only,) = i.indices
        return [t.result(take(i.indexed, only.coordinates, only.dim, only.bounds))]
    count, exprs = i.exprs(drop_units=False)
    symbols = len(i.indices)
    (found,) = wide_generic(
        [i.indexed],
        [each.coordinates for each in i.indices],
        [tensor.empty(i.sizes, i.indexed.type.element_type)],
        indexing_maps=[ir.AffineMap.get(count, symbols, e) for e in (i.addressed(exprs), exprs)],
        coordinate_maps=_coordinate_maps(i, count, exprs),
        iterator_types=["parallel"] * count,
        body=lambda element, _current: [element],
        modes=[each.bounds.mode or "" for each in i.indices],
        wrap_negative=[each.bounds.wrap_negative for each in i.indices],
    )
    return [t.result(found)]


def _coordinate_maps(
    i: Indexing, count: int, exprs: Sequence[ir.AffineExpr]
) -> list[list[ir.AffineMap]]:
    symbols = len(i.indices)
    return [[ir.AffineMap.get(count, symbols, i.coordinates(exprs, e))] for e in i.indices]


@TORCH.converts("aten._unsafe_index_put.hacked_twin", _SCATTERS, refuses=PUTS)
@TORCH.converts("aten._index_put_impl", _SCATTERS, refuses=PUTS)
@TORCH.converts("aten.index_put.hacked_twin", _SCATTERS, refuses=PUTS)
@TORCH.converts("aten.index_put", _SCATTERS, refuses=PUTS)
def convert_index_put(op: ir.OpView) -> Sequence[ir.Value]:
    """index_put(self, indices, values, accumulate).

    Of repeated coordinates the last one stays, or all add up in order.
    """
    t = TorchOp(op)
    i = Indexing(t, t.tensor(0), t.list(1))
    values = _values(t, i.indexed.type.element_type)
    combiner = combiner_of("add", t.type(0).element, ("add",)) if t.constant(3) else None
    sizes = i.sizes
    offset = len(sizes) - values.type.rank
    for size, wanted in zip(sizes_of(values), sizes[offset:], strict=True):
        if size != 1:
            expect_equal(size, wanted, "'aten.index_put' values have other sizes than the places")
    if len(i.indices) == 1 and offset == 0 and 1 not in values.type.shape:
        (only,) = i.indices
        found = put(values, i.indexed, only.coordinates, only.dim, combiner, only.bounds)
        return [t.result(found)]
    count, exprs = i.exprs(drop_units=True)
    zero = ir.AffineConstantExpr.get(0)
    read = [
        zero if size == 1 else expr
        for size, expr in zip(values.type.shape, exprs[offset:], strict=True)
    ]
    kinds = [""] * count
    for position, expr in enumerate(exprs):
        if isinstance(expr, ir.AffineDimExpr):
            kinds[expr.position] = "reduction" if i.is_broadcast(position) else "parallel"
    (found,) = wide_generic(
        [values],
        [each.coordinates for each in i.indices],
        [i.indexed],
        indexing_maps=[
            ir.AffineMap.get(count, len(i.indices), e) for e in (read, i.addressed(exprs))
        ],
        coordinate_maps=_coordinate_maps(i, count, exprs),
        iterator_types=kinds,
        body=lambda value, current: [combiner(current, value) if combiner else value],
        modes=[each.bounds.mode or "" for each in i.indices],
        wrap_negative=[each.bounds.wrap_negative for each in i.indices],
    )
    return [t.result(found)]


def _values(t: TorchOp, element: ir.Type) -> ir.Value:
    """The values of index_put. Torch's own decompositions leave integers for bools."""
    values = t.tensor(2)
    if element == ir.IntegerType.get_signless(1):
        return mask_of(values)
    if values.type.element_type != element:
        raise MIXED(wanted=t.type(0).element, found=t.type(2).element)
    return values
