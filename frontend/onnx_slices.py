"""ONNX's Slice, OneHot, Compress and TensorScatter as `gs` ops."""

from collections.abc import Sequence

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common import Refusal
from mlir_gs.frontend.elementwise import flat
from mlir_gs.frontend.masks import true_positions
from mlir_gs.frontend.onnx_node import ONNX, Node, constant_index, expect_sizes
from mlir_gs.frontend.onnx_ops import AXIS, COMMON, axis_of, result
from mlir_gs.frontend.slices import Int, Window, extent_of, take_windows, window
from mlir_gs.frontend.take import take
from mlir_gs.lowering.builders import dim_of

arith = dialect("arith")
linalg = dialect("linalg")
tensor = dialect("tensor")

COUNT = Refusal(
    "a number of sliced axes that is not known",
    "starts must have a static size, found {found}",
)
LENGTHS = Refusal(
    "starts, ends, axes and steps of different lengths",
    "starts, ends, axes and steps must have one length, found {found}",
)
STEP = Refusal("a step of 0", "steps must not be 0")


@ONNX.converts(
    "onnx.Slice",
    {
        "constants and a static shape": "`gs.strided_slice`",
        "starts, ends, axes or steps known at run time only, dynamic sizes": "`gs.generic`",
    },
    refuses=(*COMMON, AXIS, COUNT, LENGTHS, STEP),
)
def convert_slice(op: ir.OpView) -> Sequence[ir.Value]:
    """`data[start:end:step]` along axes: attributes in opset 1, inputs since 10."""
    node = Node(op)
    data = node.input(0)
    rank = data.type.rank
    starts, ends, axes, steps = _slice_parameters(node)
    lengths = {len(each) for each in (starts, ends, steps, axes)}
    if len(lengths) > 1:
        raise LENGTHS(found=", ".join(str(len(each)) for each in (starts, ends, axes, steps)))
    for step in steps:
        if step == 0:
            raise STEP()
    fixed: list[int] = []
    for axis in axes:
        if isinstance(axis, int):
            if not -rank <= axis < rank:
                raise AXIS(rank=rank, axis=axis)
            fixed.append(axis % rank)
    windows: dict[int, Window] = {}
    for d in range(rank):
        extent = extent_of(data, d)
        if len(fixed) < len(axes):
            start, end, step = _of_dim(d, rank, axes, starts, ends, steps)
        elif d in fixed:
            at = fixed.index(d)
            start, end, step = starts[at], ends[at], steps[at]
        else:
            continue
        windows[d] = window(extent, start, end, step)
    found = take_windows(data, windows)
    return result(node, expect_sizes(found, node.result_type(), "onnx.Slice"))


def _slice_parameters(node: Node) -> tuple[Sequence[Int], ...]:
    """starts, ends, axes, steps."""
    if not node.has(1):
        starts, ends = node.attribute("starts"), node.attribute("ends")
        axes = node.attribute("axes", list(range(len(starts))))
        return starts, ends, axes, [1] * len(starts)
    if DYNAMIC in node.type(1).shape:
        raise COUNT(found="a dynamic size")
    starts, ends = _numbers(node, 1), _numbers(node, 2)
    axes = _numbers(node, 3) if node.has(3) else list(range(len(starts)))
    steps = _numbers(node, 4) if node.has(4) else [1] * len(starts)
    return starts, ends, axes, steps


def _numbers(node: Node, number: int) -> Sequence[Int]:
    if DYNAMIC in node.type(number).shape:
        raise COUNT(found="a dynamic size")
    known = node.integers(number)
    return node.scalars(number) if known is None else known


def _of_dim(
    dim: int,
    rank: int,
    axes: Sequence[Int],
    starts: Sequence[Int],
    ends: Sequence[Int],
    steps: Sequence[Int],
) -> tuple[Int, Int, Int]:
    """start, end and step of `dim`, which some axis may be: only run time tells."""
    chosen = [constant_index(each) for each in (0, (1 << 63) - 1, 1)]
    for axis, *given in zip(axes, starts, ends, steps, strict=True):
        where = _value(axis)
        is_it = arith.ori(_equal(where, dim), _equal(where, dim - rank))
        chosen = [
            arith.select(is_it, _value(new), old) for new, old in zip(given, chosen, strict=True)
        ]
    return chosen[0], chosen[1], chosen[2]


def _value(value: Int) -> ir.Value:
    return constant_index(value) if isinstance(value, int) else value


def _equal(value: ir.Value, number: int) -> ir.Value:
    return arith.cmpi(arith.CmpIPredicate.eq, value, constant_index(number))


@ONNX.converts(
    "onnx.Compress",
    {"along an axis, or of the flattened input": "`gs.gather` or `gs.generic`"},
    refuses=(*COMMON, AXIS),
)
def convert_compress(op: ir.OpView) -> Sequence[ir.Value]:
    """The slices whose condition is true; since opset 9. A short condition drops the rest."""
    node = Node(op)
    data, condition = node.input(0), node.input(1)
    if node.attribute("axis") is None:
        axis, data = 0, flat(data)
    else:
        axis = axis_of(node, data.type.rank)
    positions = true_positions(condition, dim_of(data, axis))
    found = take(data, positions, axis, unique=True, sorted=True)
    return result(node, expect_sizes(found, node.result_type(), "onnx.Compress"))
