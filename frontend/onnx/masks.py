"""ONNX's Compress and NonZero as `gs` ops and loops."""

from collections.abc import Sequence

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.common import Refusal
from mlir_gs.frontend.common.elementwise import elementwise, sizes_of
from mlir_gs.frontend.common.masks import coordinates_of, mask_of, true_positions
from mlir_gs.frontend.common.take import take
from mlir_gs.frontend.onnx.gather_scatter import AXIS, COMMON, axis_of, result
from mlir_gs.frontend.onnx.node import ONNX, Node, expect_sizes
from mlir_gs.lowering.ir.builders import dim_of
from mlir_gs.lowering.ir.emit import flat

arith = dialect("arith")
tensor = dialect("tensor")

CONDITION = Refusal(
    "a condition that is not 1-dimensional", "condition must be of rank 1, found {found}"
)


@ONNX.converts(
    "onnx.Compress",
    {"along an axis, or of the flattened input": "`gs.gather` or `gs.generic`"},
    refuses=(*COMMON, AXIS, CONDITION),
)
def convert_compress(node: Node) -> Sequence[ir.Value]:
    """The slices whose condition is true; since opset 9. A short condition drops the rest."""
    data, condition = node.input(0), node.input(1)
    if condition.type.rank != 1:
        raise CONDITION(found=condition.type.rank)
    if node.attribute("axis", "int", None) is None:
        axis, data = 0, flat(data)
    else:
        axis = axis_of(node, data.type.rank)
    positions = true_positions(condition, dim_of(data, axis))
    found = take(data, positions, axis, unique=True, sorted=True)
    return result(node, expect_sizes(found, node.result_type(), "onnx.Compress"))


@ONNX.converts("onnx.NonZero", {"every form": "loops, `tensor.insert_slice`"}, refuses=COMMON)
def convert_non_zero(node: Node) -> Sequence[ir.Value]:
    """The coordinates of the elements that are not 0, a column each; since opset 9.

    A scalar has no coordinates: the result has no rows, as ONNX defines it.
    """
    source = node.input(0)
    mask, i64 = mask_of(source), ir.IntegerType.get_signless(64)
    rows = coordinates_of(mask, sizes_of(source))
    count = dim_of(rows[0] if rows else true_positions(flat(mask)), 0)
    found = tensor.empty([len(rows), count], i64)
    for d, row in enumerate(rows):
        numbers = elementwise([row], i64, lambda each: arith.index_cast(i64, each))
        found = tensor.insert_slice(numbers, found, [], [count], [], [d, 0], [1, DYNAMIC], [1, 1])
    return result(node, expect_sizes(found, node.result_type(), "onnx.NonZero"))
