"""ONNX's Slice as `gs` ops."""

from collections.abc import Mapping, Sequence

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.common import Refusal
from mlir_gs.frontend.common.shapes import as_type
from mlir_gs.frontend.common.slices import Int, Window, take_windows, window
from mlir_gs.frontend.onnx.gather_scatter import AXIS, COMMON, result
from mlir_gs.frontend.onnx.node import ONNX, Node, as_index, expect, expect_sizes
from mlir_gs.lowering.ir.builders import dim_of, index
from mlir_gs.lowering.ir.emit import add, any_of, compare, loop_carrying, size_of, value

arith = dialect("arith")
tensor = dialect("tensor")

LENGTHS = Refusal(
    "starts, ends, axes and steps of different lengths",
    "starts, ends, axes and steps must have one length, found {found}",
)
VECTORS = Refusal(
    "starts, ends, axes and steps that are not lists",
    "starts, ends, axes and steps must have rank 1, found rank {found}",
)
STEP = Refusal("a step of 0", "steps must not be 0")
TWICE = Refusal("an axis given twice", "axes must differ, found {found}")


@ONNX.converts(
    "onnx.Slice",
    {
        "constants and a static shape": "`gs.strided_slice`",
        "starts, ends, axes or steps known at run time only, in any number; dynamic sizes": (
            "`gs.generic`"
        ),
    },
    refuses=(*COMMON, AXIS, LENGTHS, VECTORS, STEP, TWICE),
    larger="windows",
)
def convert_slice(node: Node) -> Sequence[ir.Value]:
    """`data[start:end:step]` along axes: attributes in opset 1, inputs since 10."""
    data = node.input(0)
    found = take_windows(data, _windows(node, data))
    return result(node, expect_sizes(found, node.result_type(), "onnx.Slice"))


def _windows(node: Node, data: ir.Value) -> dict[int, Window]:
    """What is read of each dim of `data` that is sliced."""
    if not node.has(1):
        starts, ends = (node.attribute(name, "ints") for name in ("starts", "ends"))
        axes = node.attribute("axes", "ints", list(range(len(starts))))
        return _of_axes(data, axes, starts, ends, [1] * len(starts))
    lists = _lists(node)
    count = lists[1].type.shape[0]
    axes = node.integers(3) if 3 in lists else None if count == DYNAMIC else list(range(count))
    if axes is None:
        return _of_all(data, lists)
    steps = _numbers(node, lists, 4) if 4 in lists else [1] * len(axes)
    return _of_axes(data, axes, _numbers(node, lists, 1), _numbers(node, lists, 2), steps)


def _lists(node: Node) -> dict[int, ir.Value]:
    """starts, ends, axes and steps, those that are given, of one size, static if one's is."""
    lists = {number: node.input(number) for number in range(1, 5) if node.has(number)}
    for each in lists.values():
        if each.type.rank != 1:
            raise VECTORS(found=each.type.rank)
    counts = {each.type.shape[0] for each in lists.values()}
    known = counts - {DYNAMIC}
    if len(known) > 1 or 2 not in lists:
        given = ("?" if n == DYNAMIC else str(n) for n in (v.type.shape[0] for v in lists.values()))
        raise LENGTHS(found=", ".join(given))
    if counts == known:
        return lists
    size = known.pop() if known else dim_of(lists[1], 0)
    shape = [size if isinstance(size, int) else DYNAMIC]
    for number, each in lists.items():
        if each.type.shape[0] == DYNAMIC:
            same = compare("eq", dim_of(each, 0), size)
            expect(same, "'onnx.Slice' starts, ends, axes and steps must have one length")
            lists[number] = as_type(each, ir.RankedTensorType.get(shape, each.type.element_type))
    return lists


def _numbers(node: Node, lists: Mapping[int, ir.Value], number: int) -> Sequence[Int]:
    known = node.integers(number)
    if known is not None:
        return known
    held = lists[number]
    return [as_index(tensor.extract(held, [index(k)])) for k in range(held.type.shape[0])]


def _of_axes(
    data: ir.Value,
    axes: Sequence[int],
    starts: Sequence[Int],
    ends: Sequence[Int],
    steps: Sequence[Int],
) -> dict[int, Window]:
    """The windows of constant axes."""
    rank = data.type.rank
    given = (starts, ends, axes, steps)
    if len({len(each) for each in given}) > 1:
        raise LENGTHS(found=", ".join(str(len(each)) for each in given))
    for axis in axes:
        if not -rank <= axis < rank:
            raise AXIS(rank=rank, axis=axis)
    dims = [axis % rank for axis in axes]
    if len(set(dims)) < len(dims):
        raise TWICE(found=list(axes))
    if 0 in steps:
        raise STEP()
    return {
        d: window(size_of(data, d), *each)
        for d, *each in sorted(zip(dims, starts, ends, steps, strict=True), key=lambda x: x[0])
    }


def _of_all(data: ir.Value, lists: Mapping[int, ir.Value]) -> dict[int, Window]:
    """The windows of all dims, any of which an axis may be: only run time tells."""
    rank, count = data.type.rank, size_of(lists[1], 0)
    windows: dict[int, Window] = {}
    sliced: Int = 0
    for d in range(rank):

        def look(place: Int, carried: list[ir.Value], d: int = d) -> list[ir.Value]:
            axis = _at(lists, 3, place)
            is_it = any_of([compare("eq", axis, d), compare("eq", axis, d - rank)])
            new = [_at(lists, number, place) for number in (1, 2, 4)]
            found = [arith.select(is_it, one, old) for one, old in zip(new, carried, strict=False)]
            return [*found, arith.addi(carried[3], arith.index_castui(carried[3].type, is_it))]

        unsliced = [index(each) for each in (0, (1 << 63) - 1, 1, 0)]
        start, end, step, times = loop_carrying(0, count, unsliced, look)
        expect(compare("sle", times, 1), "'onnx.Slice' axes must differ")
        sliced = add(sliced, times)
        windows[d] = window(size_of(data, d), start, end, step)
    inside = compare("eq", sliced, count)
    expect(inside, f"'onnx.Slice' axis must be in [-{rank}, {rank})")
    return windows


def _at(lists: Mapping[int, ir.Value], number: int, place: Int) -> ir.Value:
    """An element of a list; axes left out are 0, 1 and so on, steps are 1."""
    if number in lists:
        return as_index(tensor.extract(lists[number], [value(place)]))
    return value(place) if number == 3 else index(1)
