"""Torch's gathers along one dim, and tables of embeddings."""

from collections.abc import Sequence
from math import isinf

from mlir_gs.dialect import gather_elements
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.frontend.common.elementwise import elementwise, sizes_of
from mlir_gs.frontend.common.masks import (
    coordinate_at,
    coordinates_of,
    is_set,
    mask_of,
    true_positions,
)
from mlir_gs.frontend.common.put import CHECKED, WRAPPED, put
from mlir_gs.frontend.common.shapes import with_trailing_unit, with_unit_dims, without_unit_dims
from mlir_gs.frontend.common.slices import Int
from mlir_gs.frontend.common.take import OutOfBounds, gather_by_maps, take
from mlir_gs.frontend.torch.op import COMMON, MASK, TORCH, TorchOp, cast, key, number
from mlir_gs.frontend.torch.reduce_dims import loops
from mlir_gs.frontend.torch.reduce_into import accumulated
from mlir_gs.frontend.torch.vtensor import to_builtin
from mlir_gs.lowering.ir.builders import dim_of
from mlir_gs.lowering.ir.emit import flat, generated

arith = dialect("arith")
math = dialect("math")
tensor = dialect("tensor")


def lifted(value: ir.Value) -> ir.Value:
    """A scalar as a vector of one: Torch indexes the first as the second."""
    return with_unit_dims(value, [0]) if value.type.rank == 0 else value


def lowered(value: ir.Value, rank: int) -> ir.Value:
    """The inverse of `lifted` where a tensor of rank 0 is wanted."""
    return without_unit_dims(value, [0]) if rank == 0 and value.type.rank == 1 else value


@TORCH.converts("aten.gather", {"every form": "`gs.gather_elements`"}, refuses=COMMON)
def convert_gather(op: ir.OpView) -> Sequence[ir.Value]:
    """gather(self, dim, index, sparse_grad): the flag is about gradients only."""
    t = TorchOp(op)
    if 0 in t.type(2).shape:
        # Torch does not compare ranks where nothing is read.
        return [t.result(tensor.empty(sizes_of(t.tensor(2)), t.tensor(0).type.element_type))]
    source, indices = lifted(t.tensor(0)), lifted(t.indices(2))
    dim = t.dim(1, t.type(0).rank)
    once = _before_expansion(op.operation.operands[2])
    if once is not None and once.type.has_static_shape and once.type.rank == source.type.rank:
        return [t.result(_along(source, once, dim, sizes_of(indices), CHECKED))]
    found = gather_elements(source, indices, dim, mode="error")
    return [t.result(lowered(found, t.type(2).rank))]


def _before_expansion(indices: ir.Value) -> ir.Value | None:
    """One index for each slice, if `indices` are those of `take_along_dim`: remainders of what is
    expanded to all elements."""
    rest = indices.owner
    if isinstance(rest, ir.Block) or key(rest) != "aten.remainder.Scalar":
        return None
    wide = rest.operands[0].owner
    if isinstance(wide, ir.Block) or key(wide) != "aten.expand":
        return None
    given = wide.operands[0]
    made = ir.Operation.create(rest.name, [given.type], [given, rest.operands[1]])
    return to_builtin(made.result)


@TORCH.converts("aten.take_along_dim", {"a dim": "`gs.generic`"}, refuses=COMMON)
def convert_take_along_dim(op: ir.OpView) -> Sequence[ir.Value]:
    """take_along_dim(self, indices, dim): other dims of size 1 are broadcast; no dim flattens."""
    t = TorchOp(op)
    source, indices = t.tensor(0), t.indices(1)
    if t.is_none(2):
        found = gather_elements(flat(source), flat(indices), 0, mode="error", wrap_negative=True)
        return [t.result(found)]
    dim = t.dim(2, source.type.rank)
    pairs = zip(sizes_of(source), sizes_of(indices), strict=True)
    sizes = [b if a == 1 or d == dim else a for d, (a, b) in enumerate(pairs)]
    return [t.result(_along(source, indices, dim, sizes, WRAPPED))]


def _along(
    source: ir.Value, indices: ir.Value, dim: int, sizes: Sequence[Int], bounds: OutOfBounds
) -> ir.Value:
    """`source` at `indices` along `dim`, both repeated along other dims of size 1 up to `sizes`."""

    def places(value: ir.Value) -> list[ir.AffineExpr]:
        zero = ir.AffineConstantExpr.get(0)
        return [zero if n == 1 else ir.AffineDimExpr.get(d) for d, n in enumerate(value.type.shape)]

    where = places(source)
    where[dim] = ir.AffineSymbolExpr.get(0)
    return gather_by_maps(source, where, indices, places(indices), sizes, bounds)


def expanded(value: ir.Value, sizes: Sequence[Int]) -> ir.Value:
    """`value` broadcast to `sizes`; itself where no static size of 1 grows."""
    shape = list(value.type.shape)
    grows = len(shape) != len(sizes) or any(
        known == 1 and size != 1 for known, size in zip(shape, sizes, strict=True)
    )
    if not grows:
        return value
    return elementwise([value], value.type.element_type, lambda element: element, sizes)


@TORCH.converts(
    "aten.index_select", {"dim 0": "`gs.gather`", "another dim": "`gs.generic`"}, refuses=COMMON
)
def convert_index_select(op: ir.OpView) -> Sequence[ir.Value]:
    """index_select(self, dim, index)."""
    t = TorchOp(op)
    source, indices = lifted(t.tensor(0)), lifted(t.indices(2))
    found = take(source, indices, t.dim(1, t.type(0).rank), CHECKED)
    return [t.result(lowered(found, t.type(0).rank))]


@TORCH.converts("aten.take", {"every form": "`gs.gather` of the flattened tensor"}, refuses=COMMON)
def convert_take(op: ir.OpView) -> Sequence[ir.Value]:
    """take(self, index): coordinates into the flattened tensor."""
    t = TorchOp(op)
    return [t.result(take(flat(t.tensor(0)), t.indices(1), 0, WRAPPED))]


@TORCH.converts("aten.embedding", {"every form": "`gs.gather`"}, refuses=COMMON)
def convert_embedding(op: ir.OpView) -> Sequence[ir.Value]:
    """embedding(weight, indices, padding_idx, scale_grad_by_freq, sparse).

    padding_idx and the flags are about gradients only.
    """
    t = TorchOp(op)
    return [t.result(take(t.tensor(0), t.indices(1), 0, CHECKED))]


@TORCH.converts(
    "aten.embedding_renorm", {"every form": "`gs.gather`, `gs.scatter`"}, refuses=COMMON
)
def convert_embedding_renorm(op: ir.OpView) -> Sequence[ir.Value]:
    """embedding_renorm(self, indices, max_norm, norm_type): the rows at `indices` whose norm is
    larger are scaled to it.
    """
    t = TorchOp(op)
    table, indices = t.tensor(0), flat(t.indices(1))
    element, most, power = table.type.element_type, t.constant(2), float(t.constant(3))
    wide, f64 = accumulated(element), ir.F64Type.get()
    rows = take(table, indices, 0, CHECKED)

    def add(each: ir.Value, current: ir.Value) -> ir.Value:
        value = math.absf(cast(each, element, wide))
        if isinf(power):
            return arith.maximumf(current, value)
        if power == 0:
            value = arith.uitofp(wide, is_set(value))
        elif power != 1:
            value = (
                arith.mulf(value, value) if power == 2 else math.powf(value, number(power, wide))
            )
        return arith.addf(current, value)

    def factor(total: ir.Value) -> ir.Value:
        norm = total
        if power == 2:
            norm = math.sqrt(total)
        elif power not in (0, 1) and not isinf(power):
            norm = math.powf(total, number(1 / power, wide))
        norm = cast(cast(norm, wide, element), element, f64)
        is_larger = arith.cmpf(arith.CmpFPredicate.OGT, norm, number(most, f64))
        scale = arith.divf(number(most, f64), arith.addf(norm, number(1e-7, f64)))
        return cast(arith.select(is_larger, scale, number(1, f64)), f64, wide)

    def scale(each: ir.Value, by: ir.Value) -> ir.Value:
        return cast(arith.mulf(cast(each, element, wide), by), wide, element)

    factors = elementwise([loops(rows, [1], number(0, wide), add)], wide, factor)
    # Repeated rows are written as often, each time the same.
    scaled = elementwise([rows, with_trailing_unit(factors)], element, scale)
    return [t.result(put(scaled, table, indices, 0))]


@TORCH.converts("aten.nonzero", {"every form": "loops, `tensor.generate`"}, refuses=COMMON)
def convert_nonzero(op: ir.OpView) -> Sequence[ir.Value]:
    """nonzero(self): the coordinates of the elements that are not 0, a row each."""
    t = TorchOp(op)
    source = t.tensor(0)
    columns = coordinates_of(mask_of(source), sizes_of(source))
    i64 = ir.IntegerType.get_signless(64)
    if not columns:
        count = dim_of(true_positions(flat(mask_of(source))), 0)
        return [t.result(tensor.empty([count, 0], i64))]

    def body(row: ir.Value, column: ir.Value) -> ir.Value:
        return arith.index_cast(i64, coordinate_at(columns, row, column))

    return [t.result(generated([dim_of(columns[0], 0), len(columns)], i64, body))]


@TORCH.converts("aten.masked_select", {"every form": "`gs.gather`"}, refuses=(*COMMON, MASK))
def convert_masked_select(op: ir.OpView) -> Sequence[ir.Value]:
    """masked_select(self, mask): the elements where the mask is true, in order."""
    t = TorchOp(op)
    source, mask = t.tensor(0), t.mask(1)
    sizes = broadcast_sizes(source, mask)
    positions = true_positions(flat(expanded(mask, sizes)))
    found = take(flat(expanded(source, sizes)), positions, 0, unique=True, sorted=True)
    return [t.result(found)]


def broadcast_sizes(*values: ir.Value) -> list[Int]:
    """The sizes to which all of them are broadcast."""
    rank = max(value.type.rank for value in values)
    sizes: list[Int] = [1] * rank
    for value in values:
        own: list[Int] = [1] * (rank - value.type.rank) + sizes_of(value)
        sizes = [b if a == 1 else a for a, b in zip(sizes, own, strict=True)]
    return sizes
