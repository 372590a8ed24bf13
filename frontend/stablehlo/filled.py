"""Tensors of StableHLO that hold one number."""

from collections.abc import Sequence

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.stablehlo.common import stablehlo, tensor
from mlir_gs.lowering.ir.emit import Ix, size_of, value


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
