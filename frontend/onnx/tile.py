"""ONNX's Tile: each dim of the input follows a dim of its copies."""

from collections.abc import Sequence
from math import prod

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.common import Left, Refusal
from mlir_gs.frontend.common.elementwise import looped, sizes_of
from mlir_gs.frontend.common.slices import Int
from mlir_gs.frontend.onnx.gather_scatter import COMMON, result
from mlir_gs.frontend.onnx.node import MOST, ONNX, Node, as_index, expect, expect_sizes
from mlir_gs.lowering.ir.builders import dim_of, index
from mlir_gs.lowering.ir.emit import compare, dynamic_and_static, mul, value

arith = dialect("arith")
tensor = dialect("tensor")

COUNT = Refusal(
    "repeats whose length is not the rank", "repeats must have shape [{rank}], found {found}"
)
REPEATS = Refusal(
    "repeats that are negative or too large",
    "repeats must be 0 or more and their result below {most} elements, found {found}",
)


@ONNX.converts(
    "onnx.Tile", {"since opset 6": "`linalg.generic`"}, refuses=(*COMMON, COUNT, REPEATS)
)
def convert_tile(node: Node) -> Sequence[ir.Value]:
    """`result[i..] = input[i mod size..]`; opset 1, of one axis, is torch-mlir's."""
    if node.opset < 6:
        raise Left
    source, repeats = node.input(0), _repeats(node)
    sizes = [mul(size, count) for size, count in zip(sizes_of(source), repeats, strict=True)]
    if 0 in sizes or not sizes:
        found = source if not sizes else tensor.empty(sizes, source.type.element_type)
    else:
        found = _tiled(source, repeats, sizes)
    return result(node, expect_sizes(found, node.result_type(), "onnx.Tile"))


def _repeats(node: Node) -> list[Int]:
    """How often each dim is repeated, checked against what memory can hold."""
    source, held = node.input(0), node.input(1)
    rank = source.type.rank
    if held.type.shape not in ([rank], [DYNAMIC]):
        raise COUNT(rank=rank, found=held.type.shape)
    expect(compare("eq", dim_of(held, 0), rank), f"'onnx.Tile' repeats must have shape [{rank}]")
    known = node.integers(1)
    if known is not None:
        least = prod(max(1, size) for size in source.type.shape if size != DYNAMIC)
        if min(known, default=0) < 0 or prod(max(each, 1) for each in known) * least >= MOST:
            raise REPEATS(most=MOST, found=known)
        return list(known)
    repeats = [as_index(tensor.extract(held, [index(d)])) for d in range(rank)]
    # What one more dim may at most be, so that no product of sizes is more than a number holds.
    left: Int = MOST
    for size, count in zip(sizes_of(source), repeats, strict=True):
        whole = arith.maxsi(value(size), index(1))
        most = arith.divui(value(left), whole)
        expect(
            compare("ult", count, arith.maxsi(most, index(1))),
            "'onnx.Tile' repeats are negative or too large",
        )
        left = arith.divui(most, arith.maxsi(count, index(1)))
    return list(repeats)


def _tiled(source: ir.Value, repeats: Sequence[Int], sizes: Sequence[Int]) -> ir.Value:
    """Each dim as copies by elements, and these two in one."""
    rank = source.type.rank
    apart = [each for pair in zip(repeats, sizes_of(source), strict=True) for each in pair]
    out = tensor.empty(apart, source.type.element_type)
    inner = ir.AffineMap.get(2 * rank, 0, [ir.AffineDimExpr.get(2 * d + 1) for d in range(rank)])
    maps = [inner, ir.AffineMap.get_identity(2 * rank)]
    copied = looped([source], out, maps, lambda element: element)
    type_ = ir.RankedTensorType.get(dynamic_and_static(sizes)[1], out.type.element_type)
    pairs = [[2 * d, 2 * d + 1] for d in range(rank)]
    return tensor.collapse_shape(type_, copied, pairs)
