"""ONNX's OneHot and TensorScatter as `gs` ops."""

from collections.abc import Sequence

from mlir_gs.dialect import generic
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.common import Refusal
from mlir_gs.frontend.common.elementwise import coordinates, elementwise, filled
from mlir_gs.frontend.common.slices import Int
from mlir_gs.frontend.onnx.gather_scatter import AXIS, COMMON, axis_of, result
from mlir_gs.frontend.onnx.node import MOST, ONNX, Node, as_i64, as_index, expect, expect_sizes
from mlir_gs.lowering.ir.builders import dim_of, index
from mlir_gs.lowering.ir.emit import compare, product, size_of, value

arith = dialect("arith")
tensor = dialect("tensor")

DEPTH = Refusal(
    "a depth that is negative or too large",
    "depth must be one number in [0, {most}), found {found}",
)
VALUES = Refusal("a number of values other than two", "values must be two numbers, found {found}")
MODE = Refusal("an unknown mode", "mode must be linear or circular, found '{found}'")


@ONNX.converts(
    "onnx.OneHot", {"every form": "`gs.generic`"}, refuses=(*COMMON, AXIS, DEPTH, VALUES)
)
def convert_one_hot(node: Node) -> Sequence[ir.Value]:
    """on_value at each index along a new axis, off_value elsewhere; since opset 9.

    An index out of bounds has no on_value; negative ones count from the end since opset 11.
    """
    indices = _coordinates(node)
    rank = indices.type.rank
    axis = axis_of(node, rank + 1, -1)
    values = node.input(2)
    if values.type.shape not in ([2], [DYNAMIC]):
        raise VALUES(found=values.type)
    expect(compare("eq", dim_of(values, 0), 2), "'onnx.OneHot' values must be two numbers")
    element = values.type.element_type
    off, on = (tensor.extract(values, [index(k)]) for k in range(2))
    sizes: list[Int] = [size_of(indices, d) for d in range(rank)]
    sizes.insert(axis, _depth(node, sizes))
    dest = filled(sizes, off)
    dims = [ir.AffineDimExpr.get(d) for d in range(rank)]
    where = [*dims[:axis], ir.AffineSymbolExpr.get(0), *dims[axis:]]
    scalar = tensor.from_elements(ir.RankedTensorType.get([], element), [on])
    found = generic(
        [scalar],
        [indices],
        [dest],
        indexing_maps=[ir.AffineMap.get(rank, 1, each) for each in ([], where)],
        coordinate_maps=[[ir.AffineMap.get(rank, 1, dims)]],
        body=lambda new, _current: new,
        modes=["fill_or_drop"],
        wrap_negative=[node.opset >= 11],
    ).results[0]
    return result(node, expect_sizes(found, node.result_type(), "onnx.OneHot"))


def _coordinates(node: Node) -> ir.Value:
    """The indices of OneHot, which may be floats or unsigned, as signed integers."""
    indices, given = node.input(0), node.type(0).element
    if isinstance(given, ir.IntegerType) and given.is_signed:
        return indices
    i64 = ir.IntegerType.get_signless(64)
    return elementwise([indices], i64, lambda element: as_i64(element, given))


def _depth(node: Node, sizes: Sequence[Int]) -> Int:
    """The size of the new dim, next to `sizes`."""
    held = node.input(1)
    if any(size not in (1, DYNAMIC) for size in held.type.shape):
        raise DEPTH(most=MOST, found=f"a tensor of shape {list(held.type.shape)}")
    known = node.integers(1)
    if known is not None:
        if not 0 <= known[0] < MOST:
            raise DEPTH(most=MOST, found=known[0])
        return known[0]
    for d in range(held.type.rank):
        expect(compare("eq", dim_of(held, d), 1), "'onnx.OneHot' depth must be one number")
    depth = as_index(tensor.extract(held, [index(0)] * held.type.rank), node.type(1).element)
    most = arith.divui(index(MOST), arith.maxsi(value(product(sizes)), index(1)))
    expect(compare("ult", depth, most), "'onnx.OneHot' depth is negative or too large")
    return depth


@ONNX.converts(
    "onnx.TensorScatter",
    {"modes linear and circular": "`gs.generic`"},
    refuses=(*COMMON, AXIS, MODE),
)
def convert_tensor_scatter(node: Node) -> Sequence[ir.Value]:
    """Updates of a cache from a write index on, per batch; since opset 24."""
    cache, update = node.input(0), node.input(1)
    rank = cache.type.rank
    axis = axis_of(node, rank, -2)
    mode = node.attribute("mode", "string", "linear")
    if mode not in ("linear", "circular"):
        raise MODE(found=mode)
    batch = size_of(update, 0)
    if node.has(2):
        starts = node.input(2)
    else:
        i64 = ir.IntegerType.get_signless(64)
        starts = filled([batch], arith.constant(i64, 0))
    dims = [ir.AffineDimExpr.get(d) for d in range(rank)]
    symbol = ir.AffineSymbolExpr.get(0)
    if mode == "circular":
        starts, at, where = _circular(cache, update, starts, axis), [dims[0], dims[axis]], symbol
    else:
        at, where = [dims[0]], symbol + dims[axis]
    addressed = [*dims[:axis], where, *dims[axis + 1 :]]
    found = generic(
        [update],
        [starts],
        [cache],
        indexing_maps=[ir.AffineMap.get(rank, 1, each) for each in (dims, addressed)],
        coordinate_maps=[[ir.AffineMap.get(rank, 1, at)]],
        iterator_types=["reduction" if d == axis else "parallel" for d in range(rank)],
        body=lambda new, _current: new,
        modes=["error"],
    ).results[0]
    return result(node, found)


def _circular(cache: ir.Value, update: ir.Value, starts: ir.Value, axis: int) -> ir.Value:
    """The coordinates `(starts[b] + i) mod size`."""

    def place(batch: ir.Value, i: ir.Value) -> ir.Value:
        walked = arith.addi(as_index(tensor.extract(starts, [batch])), i)
        return arith.remsi(walked, dim_of(cache, axis))

    return coordinates([size_of(update, d) for d in (0, axis)], place)
