"""ONNX's MaxUnpool as a scatter."""

from collections.abc import Sequence
from math import prod

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.common import Refusal
from mlir_gs.frontend.common.elementwise import filled, sizes_of, unflat
from mlir_gs.frontend.common.put import put
from mlir_gs.frontend.common.slices import Int
from mlir_gs.frontend.onnx.gather_scatter import COMMON, result
from mlir_gs.frontend.onnx.node import MOST, ONNX, Node, as_index, expect, expect_sizes
from mlir_gs.lowering.ir.builders import dim_of, index
from mlir_gs.lowering.ir.emit import add, compare, flat, mul, product, slice_operands

arith = dialect("arith")
tensor = dialect("tensor")

RANK = Refusal("inputs of rank below 3", "X must have rank 3 or more, found {found}")
LISTS = Refusal(
    "attributes whose length is not the number of the picture's dims",
    "attribute '{name}' must have {wanted} numbers, found {found}",
)
SIZES = Refusal(
    "sizes of the result that are negative or too large",
    "the result would have shape {found}",
)
SHAPES = Refusal("indices of another shape", "I must have the shape of X, {wanted}, found {found}")
OUTPUT = Refusal(
    "an output_shape that does not hold the result",
    "output_shape must be {least} or more in each dim, found {found}",
)


@ONNX.converts(
    "onnx.MaxUnpool",
    {"every form, with strides, pads and output_shape": "`gs.scatter`"},
    refuses=(*COMMON, RANK, LISTS, SIZES, SHAPES, OUTPUT),
)
def convert_max_unpool(node: Node) -> Sequence[ir.Value]:
    """Each element at the place of the picture that its index counts to, 0 elsewhere.

    The picture has the sizes that a pooling of these attributes takes; output_shape adds 0 behind.
    """
    source, indices = node.input(0), node.input(1)
    if source.type.rank < 3:
        raise RANK(found=source.type.rank)
    _check_same(source, indices)
    sizes = _sizes(node, source)
    zero = arith.constant(source.type.element_type, 0.0)
    found = filled(sizes, zero)
    if 0 not in (*sizes, *source.type.shape):
        line = put(flat(source), filled([product(sizes)], zero), flat(indices), 0)
        found = unflat(line, found)
    if node.has(2):
        found = _within(node, found, sizes, zero)
    return result(node, expect_sizes(found, node.result_type(), "onnx.MaxUnpool"))


def _check_same(source: ir.Value, indices: ir.Value) -> None:
    wanted, found = source.type.shape, indices.type.shape
    if len(wanted) != len(found) or any(
        DYNAMIC not in pair and pair[0] != pair[1] for pair in zip(wanted, found, strict=True)
    ):
        raise SHAPES(wanted=wanted, found=found)
    for d in range(len(wanted)):
        same = compare("eq", dim_of(indices, d), dim_of(source, d))
        expect(same, "'onnx.MaxUnpool' I must have the shape of X")


def _sizes(node: Node, source: ir.Value) -> list[Int]:
    """The sizes of the picture, before output_shape."""
    count = source.type.rank - 2
    kernel = node.attribute("kernel_shape", "ints")
    strides = node.attribute("strides", "ints", [1] * count)
    pads = node.attribute("pads", "ints", [0] * (2 * count))
    for name, held, wanted in (
        ("kernel_shape", kernel, count), ("strides", strides, count), ("pads", pads, 2 * count)
    ):  # fmt: skip
        if len(held) != wanted:
            raise LISTS(name=name, wanted=wanted, found=len(held))
    given = sizes_of(source)
    sizes = given[:2]
    for d, size in enumerate(given[2:]):
        more = kernel[d] - strides[d] - pads[d] - pads[count + d]
        if not (abs(strides[d]) < MOST and abs(more) < MOST):
            raise SIZES(found=f"of strides {strides[d]} and more by {more} in dim {d + 2}")
        sizes.append(add(mul(size, strides[d]), more))
    known = [size for size in sizes if isinstance(size, int)]
    if min(known, default=0) < 0 or prod(max(size, 1) for size in known) >= MOST:
        raise SIZES(found=[size if isinstance(size, int) else "?" for size in sizes])
    for size in sizes:
        if not isinstance(size, int):
            fits = compare("ult", size, MOST)
            expect(fits, "'onnx.MaxUnpool' a size of the result is negative or too large")
    return sizes


def _within(node: Node, picture: ir.Value, sizes: Sequence[Int], zero: ir.Value) -> ir.Value:
    """`picture` at the start of a tensor of the sizes of output_shape."""
    held, rank = node.input(2), len(sizes)
    if held.type.shape not in ([rank], [DYNAMIC]):
        raise OUTPUT(least=f"{rank} numbers", found=held.type)
    expect(compare("eq", dim_of(held, 0), rank), "'onnx.MaxUnpool' output_shape has another rank")
    known = node.integers(2)
    outer: list[Int] = list(known) if known is not None else []
    if known is None:
        outer = [as_index(tensor.extract(held, [index(d)])) for d in range(rank)]
    for size, least in zip(outer, sizes, strict=True):
        if isinstance(size, int) and (size >= MOST or (isinstance(least, int) and size < least)):
            raise OUTPUT(least=[n if isinstance(n, int) else "?" for n in sizes], found=known)
        if not (isinstance(size, int) and isinstance(least, int)):
            fits = arith.andi(compare("sge", size, least), compare("slt", size, MOST))
            expect(fits, "'onnx.MaxUnpool' output_shape does not hold the result")
    given = slice_operands([0] * rank, sizes)
    return tensor.insert_slice(picture, filled(outer, zero), *given)
