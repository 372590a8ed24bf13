"""`gs.histogram` as other ops: a stable sort of positions, two gathers and a scatter.

positions sorted by coordinates --> the bin of each position and the first position of each bin;
unique_indices and the start of combined are gathered from the first positions; the other
positions are scattered into combined with the combiner, in row-major order.
"""

from collections.abc import Sequence

from mlir_gs.dialect import gather, scatter
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.ir.builders import arith, clone_block, dim_of, index, tensor
from mlir_gs.lowering.ir.emit import Ix, choose_all, flat, loop_carrying, sliced, value
from mlir_gs.lowering.named.sort import order_of_tuples, starts_new_bin


def decompose_histogram(op: ir.OpView) -> Sequence[ir.Value]:
    """`gs.histogram` --> scf loops that sort, gs.gather, gs.scatter; returns its two results."""
    updates, indices = op.operands
    leading = indices.type.rank - 1
    updates, indices = flat(updates, leading), flat(indices, leading)
    order = order_of_tuples(indices, already="sorted" in op.attributes)
    bins, firsts, count = _number_bins(indices, order)
    firsts = _column(sliced(firsts, [0], [count]))
    unique_indices = gather(indices, firsts, [0])
    start = gather(updates, firsts, [0])
    block = op.regions[0].blocks[0]
    combined = scatter(
        updates,
        start,
        _column(bins),
        [0],
        lambda current, update: clone_block(block, [current, update])[0],
        mode="drop",
    )
    return combined, unique_indices


def _number_bins(indices: ir.Value, order: ir.Value) -> tuple[ir.Value, ir.Value, ir.Value]:
    """(the bin of each position but the first of a bin, which has -1; firsts; number of bins)."""
    total = dim_of(indices, 0)
    size = order.type.shape[0]
    sizes = [total if size == DYNAMIC else size]
    bins = tensor.empty(sizes, ir.IndexType.get())
    # A slice of a tensor that is known to be empty does not verify: there is room for one.
    room = [1] if sizes == [0] else sizes
    firsts = tensor.empty(room, ir.IndexType.get())

    def visit(place: Ix, carried: list[ir.Value]) -> list[ir.Value]:
        bins, firsts, count = carried
        position = tensor.extract(order, [place])

        def first() -> list[ir.Value]:
            marked = tensor.insert(index(-1), bins, [position])
            listed = tensor.insert(position, firsts, [count])
            return [marked, listed, arith.addi(count, index(1))]

        def other() -> list[ir.Value]:
            bin_ = arith.subi(count, index(1))
            return [tensor.insert(bin_, bins, [position]), firsts, count]

        is_new = starts_new_bin(indices, order, value(place))
        return choose_all(is_new, [each.type for each in carried], first, other)

    return tuple(loop_carrying(0, total, [bins, firsts, index(0)], visit, unroll="any"))


def _column(value: ir.Value) -> ir.Value:
    """[n] as [n, 1]."""
    size = value.type.shape[0]
    type_ = ir.RankedTensorType.get([size, 1], value.type.element_type)
    sizes = [dim_of(value, 0)] if size == DYNAMIC else []
    return tensor.expand_shape(type_, value, [[0, 1]], sizes, [size, 1])
