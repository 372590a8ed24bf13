"""`gs.generic` of any number of operands: those it has no place for are packed into one.

Inputs and outputs are packed element by element, as the bits of one wide integer; indices along a
last dim.
"""

from collections.abc import Callable, Sequence
from typing import Any

from mlir_gs.dialect import generic
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.dialect.structure import SLOTS
from mlir_gs.frontend.common.elementwise import elementwise, looped
from mlir_gs.frontend.common.slices import Int
from mlir_gs.lowering.ir.builders import cast
from mlir_gs.lowering.ir.emit import size_of, slice_operands

arith = dialect("arith")
complex_ = dialect("complex")
tensor = dialect("tensor")

_INPUTS, _INDICES, _OUTPUTS = (most for _, most in SLOTS)

Maps = Sequence[ir.AffineMap]


def wide_generic(
    inputs: Sequence[ir.Value],
    indices: Sequence[ir.Value],
    outputs: Sequence[ir.Value],
    *,
    indexing_maps: Maps,
    coordinate_maps: Sequence[Maps],
    body: Callable[..., Sequence[ir.Value]],
    **attributes: Any,
) -> list[ir.Value]:
    """The results of `dialect.generic`, whose parameters these are, without its limits.

    Inputs have one map and outputs have one map where there are more than it has places for, or
    outputs of more than two types; no such input is filled. Indices beyond its places are read at
    dims and constants, and have signless or index elements.
    """
    count = len(inputs)
    into, out_of = list(indexing_maps[:count]), list(indexing_maps[count:])
    given, written = list(inputs), list(outputs)
    packed_in = count > _INPUTS
    packed_out = len(outputs) > _OUTPUTS or len({o.type.element_type for o in outputs[1:]}) > 1
    if packed_in:
        given, into = [packed(inputs)], _the_one(into)
    if packed_out:
        written, out_of = [packed(outputs)], _the_one(out_of)
    if len(indices) > _INDICES:
        rest = indices[_INDICES - 1 :]
        stacked, maps = _stacked(rest, coordinate_maps[_INDICES - 1 :])
        indices = [*indices[: _INDICES - 1], stacked]
        coordinate_maps = [*coordinate_maps[: _INDICES - 1], maps]

    def packed_body(*elements: ir.Value) -> Sequence[ir.Value]:
        read, current = list(elements[: len(given)]), list(elements[len(given) :])
        read = _unpacked(read[0], _elements(inputs)) if packed_in else read
        current = _unpacked(current[0], _elements(outputs)) if packed_out else current
        found = body(*read, *current)
        return [joined(found)] if packed_out else found

    op = generic(
        given,
        indices,
        written,
        indexing_maps=[*into, *out_of],
        coordinate_maps=coordinate_maps,
        body=packed_body,
        **attributes,
    )
    if not packed_out:
        return list(op.results)
    elements = _elements(outputs)

    def one(number: int) -> ir.Value:
        return elementwise(
            [op.results[0]], elements[number], lambda bits: _unpacked(bits, elements)[number]
        )

    return [one(number) for number in range(len(outputs))]


def packed(values: Sequence[ir.Value]) -> ir.Value:
    """Tensors of one shape as one, whose elements hold the bits of theirs."""
    wide = ir.IntegerType.get_signless(_width(_elements(values)))
    return elementwise(values, wide, lambda *elements: joined(elements))


def _elements(values: Sequence[ir.Value]) -> list[ir.Type]:
    return [value.type.element_type for value in values]


def _the_one(maps: Maps) -> list[ir.AffineMap]:
    if any(each != maps[0] for each in maps):
        raise ValueError("operands that are packed have one map")
    return [maps[0]]


def bits_of(element: ir.Type) -> int:
    """How many bits an element takes."""
    if isinstance(element, ir.ComplexType):
        return 2 * element.element_type.width
    return 64 if isinstance(element, ir.IndexType) else element.width


def _width(elements: Sequence[ir.Type]) -> int:
    """The width of the integer for all: a power of two, of a byte at least."""
    return max(8, 1 << (sum(map(bits_of, elements)) - 1).bit_length())


def joined(elements: Sequence[ir.Value]) -> ir.Value:
    """Their bits one above the other, the first one's lowest."""
    wide = ir.IntegerType.get_signless(_width([element.type for element in elements]))
    found, place = arith.constant(wide, 0), 0
    for element in elements:
        bits = resized(as_bits(element), wide)
        found = arith.ori(found, arith.shli(bits, arith.constant(wide, place)))
        place += bits_of(element.type)
    return found


def _unpacked(bits: ir.Value, elements: Sequence[ir.Type]) -> list[ir.Value]:
    """The inverse of `joined`."""
    found, place = [], 0
    for element in elements:
        own = ir.IntegerType.get_signless(bits_of(element))
        moved = arith.shrui(bits, arith.constant(bits.type, place))
        found.append(from_bits(resized(moved, own), element))
        place += bits_of(element)
    return found


def resized(bits: ir.Value, type_: ir.Type) -> ir.Value:
    if bits.type == type_:
        return bits
    return (arith.extui if bits.type.width < type_.width else arith.trunci)(type_, bits)


def as_bits(element: ir.Value) -> ir.Value:
    type_ = element.type
    own = ir.IntegerType.get_signless(bits_of(type_))
    if isinstance(type_, ir.ComplexType):
        real, imaginary = complex_.re(element), complex_.im(element)
        return joined([real, imaginary])
    if isinstance(type_, ir.IndexType):
        return arith.index_cast(own, element)
    if isinstance(type_, ir.FloatType):
        return arith.bitcast(own, element)
    return cast(element, own)


def from_bits(bits: ir.Value, type_: ir.Type) -> ir.Value:
    if isinstance(type_, ir.ComplexType):
        return complex_.create_(type_, *_unpacked(bits, [type_.element_type] * 2))
    if isinstance(type_, ir.IndexType):
        return arith.index_cast(type_, bits)
    if isinstance(type_, ir.FloatType):
        return arith.bitcast(type_, bits)
    return cast(bits, type_)


def _stacked(
    indices: Sequence[ir.Value], maps: Sequence[Maps]
) -> tuple[ir.Value, list[ir.AffineMap]]:
    """Index tensors as one, with a last dim that numbers them, and its coordinate maps."""
    sizes: dict[int, Int] = {}
    for value, (one,) in zip(indices, maps, strict=True):
        for position, expr in enumerate(one.results):
            dim = plain_dim(expr)
            if dim is not None:
                sizes.setdefault(dim, size_of(value, position))
    dims = sorted(sizes)
    place = {dim: ir.AffineDimExpr.get(number) for number, dim in enumerate(dims)}
    shape = [sizes[dim] for dim in dims]
    i64 = ir.IntegerType.get_signless(64)
    found = tensor.empty([*shape, len(indices)], i64)
    for number, (value, (one,)) in enumerate(zip(indices, maps, strict=True)):
        exprs = [e if (d := plain_dim(e)) is None else place[d] for e in one.results]
        column = _signed(value, i64, ir.AffineMap.get(len(dims), 0, exprs), shape)
        given = slice_operands([0] * len(dims) + [number], [*shape, 1])
        found = tensor.insert_slice(column, found, *given)
    first = maps[0][0]
    whole = [ir.AffineDimExpr.get(dim) for dim in dims]
    return found, [
        ir.AffineMap.get(first.n_dims, first.n_symbols, [*whole, ir.AffineConstantExpr.get(k)])
        for k in range(len(indices))
    ]


def _signed(
    value: ir.Value, element: ir.Type, read: ir.AffineMap, sizes: Sequence[Int]
) -> ir.Value:
    """Coordinates over `sizes`, read where the map says, as elements of 64 bits."""
    given = value.type.element_type

    def signed(number: ir.Value) -> ir.Value:
        if isinstance(given, ir.IndexType):
            return arith.index_cast(element, number)
        return number if given == element else arith.extsi(element, number)

    maps = [read, ir.AffineMap.get_identity(len(sizes))]
    return looped([value], tensor.empty(list(sizes), element), maps, signed)
