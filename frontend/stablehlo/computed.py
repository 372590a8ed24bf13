"""Tensors of StableHLO that are computed element by element, and tensors of one number."""

from collections.abc import Callable, Sequence

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.stablehlo.common import arith, stablehlo, tensor
from mlir_gs.lowering.ir.builders import cast
from mlir_gs.lowering.ir.emit import Ix, size_of, value

linalg = dialect("linalg")

_WORD = 64


def computed(empty: ir.Value, read: Callable[[Sequence[ir.Value]], ir.Value]) -> ir.Value:
    """A tensor like `empty`; `read` builds an element from its indices."""
    return computed_each([empty], lambda where: [read(where)])[0]


def computed_each(
    empties: Sequence[ir.Value], read: Callable[[Sequence[ir.Value]], Sequence[ir.Value]]
) -> list[ir.Value]:
    """Tensors like `empties`, of one shape; `read` builds an element of each from its indices."""
    rank = empties[0].type.rank
    identity = ir.AffineMapAttr.get(ir.AffineMap.get_identity(rank))
    parallel = ir.Attribute.parse("#linalg.iterator_type<parallel>")
    op = ir.Operation.create(
        "linalg.generic",
        results=[empty.type for empty in empties],
        operands=list(empties),
        attributes={
            "indexing_maps": ir.ArrayAttr.get([identity] * len(empties)),
            "iterator_types": ir.ArrayAttr.get([parallel] * rank),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, len(empties)]),
        },
        regions=1,
    )
    elements = [empty.type.element_type for empty in empties]
    block = op.regions[0].blocks.append(*elements, arg_locs=[op.location] * len(elements))
    with ir.InsertionPoint(block):
        linalg.yield_(list(read([_position(dim) for dim in range(rank)])))
    return list(op.results)


def _position(dim: int) -> ir.Value:
    """Where the linalg op around is, along `dim`."""
    number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), dim)
    return ir.Operation.create(
        "linalg.index", results=[ir.IndexType.get()], attributes={"dim": number}
    ).result


def number_of(element: ir.Type, number: int | float) -> ir.Attribute:
    """The number as an attribute of an integer or float type; integers wrap."""
    if isinstance(element, ir.IntegerType):
        wrapped = int(number) & ((1 << element.width) - 1)
        if element.width == 1:
            return ir.BoolAttr.get(bool(wrapped))
        if not element.is_unsigned and wrapped >> (element.width - 1):
            wrapped -= 1 << element.width
        # The bindings take no number that is not one of 64 signed bits.
        return ir.Attribute.parse(f"{wrapped} : {element}")
    return ir.FloatAttr.get(element, float(number))


def filled(like: ir.Value, element: ir.Type, number: int | float) -> ir.Value:
    """A tensor of the shape of `like`, every element of which is `number`."""
    type_ = like.type
    static = type_ if type_.has_static_shape else ir.RankedTensorType.get([], element)
    static = ir.RankedTensorType.get(static.shape, element)
    attribute = ir.DenseElementsAttr.get_splat(static, number_of(element, number))
    constant = stablehlo("constant", static, value=attribute)
    if type_.has_static_shape:
        return constant
    return spread(constant, type_.shape, [size_of(like, dim) for dim in range(type_.rank)])


def spread(scalar: ir.Value, shape: Sequence[int], sizes: Sequence[Ix]) -> ir.Value:
    """A tensor of the static or dynamic `shape`, every element of which is that of `scalar`, 0-d;
    `sizes` are its sizes when it runs."""
    if not shape:
        # Upstream dies on a broadcast of an unsigned scalar to one.
        return scalar
    type_ = ir.RankedTensorType.get(list(shape), scalar.type.element_type)
    if DYNAMIC not in shape:
        dims = ir.DenseI64ArrayAttr.get([])
        return stablehlo("broadcast_in_dim", type_, scalar, broadcast_dimensions=dims)
    numbers = ir.RankedTensorType.get([len(shape)], ir.IndexType.get())
    asked = tensor.from_elements(numbers, [value(each) for each in sizes])
    dims = ir.DenseI64ArrayAttr.get([])
    return stablehlo("dynamic_broadcast_in_dim", type_, scalar, asked, broadcast_dimensions=dims)


def signless(scalar: ir.Value) -> ir.Value:
    """An integer as arith takes it."""
    type_ = scalar.type
    if isinstance(type_, ir.IntegerType) and not type_.is_signless:
        return cast(scalar, ir.IntegerType.get_signless(type_.width))
    return scalar


def words_of(scalar: ir.Value) -> list[ir.Value]:
    """The bits of an element, in one word of up to 64 bits, or in two: the lower one first. Of a
    complex element, the real part is lower."""
    type_ = scalar.type
    if isinstance(type_, ir.ComplexType):
        complex_ = dialect("complex")
        parts = [words_of(part)[0] for part in (complex_.re(scalar), complex_.im(scalar))]
        return parts if width_of(type_) > _WORD else [joined_words(parts)]
    if isinstance(type_, ir.IntegerType):
        return [signless(scalar)]
    return [arith.bitcast(ir.IntegerType.get_signless(type_.width), scalar)]


def joined_words(words: Sequence[ir.Value]) -> ir.Value:
    """Words in one, the first one lowest."""
    width = words[0].type.width
    whole = ir.IntegerType.get_signless(width * len(words))
    if len(words) == 1:
        return words[0]
    result = arith.extui(whole, words[0])
    for number, word in enumerate(words[1:], 1):
        shift = arith.constant(whole, number * width)
        result = arith.ori(result, arith.shli(arith.extui(whole, word), shift))
    return result


def element_from(words: Sequence[ir.Value], type_: ir.Type) -> ir.Value:
    """The inverse of `words_of`."""
    if isinstance(type_, ir.ComplexType):
        parts = list(words)
        if len(parts) == 1:
            (word,) = parts
            half = ir.IntegerType.get_signless(word.type.width // 2)
            shift = arith.constant(word.type, half.width)
            parts = [arith.trunci(half, word), arith.trunci(half, arith.shrui(word, shift))]
        real, imaginary = (element_from([part], type_.element_type) for part in parts)
        return dialect("complex").create_(type_, real, imaginary)
    (word,) = words
    if isinstance(type_, ir.IntegerType):
        return cast(word, type_)
    return arith.bitcast(type_, word)


def width_of(element: ir.Type) -> int:
    """Bits of an element."""
    if isinstance(element, ir.ComplexType):
        return 2 * width_of(element.element_type)
    return element.width
