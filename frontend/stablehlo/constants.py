"""Constants of StableHLO, and the value that fills as one."""

from collections.abc import Sequence

from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.stablehlo.common import stablehlo
from mlir_gs.lowering.op.fill import default_integer


def splat(value: ir.Attribute, shape: Sequence[int], element: ir.Type) -> ir.Value:
    """A constant with `value` in each place."""
    scalar, type_ = ir.RankedTensorType.get([], element), ir.RankedTensorType.get(shape, element)
    text = str(value)
    if isinstance(value, ir.ArrayAttr):
        text = f"({', '.join(str(part).partition(' : ')[0] for part in value)})"
    held = ir.Attribute.parse(f"dense<{text.partition(' : ')[0]}> : {scalar}")
    one = stablehlo("constant", scalar, value=held)
    none = ir.DenseI64ArrayAttr.get([])
    return stablehlo("broadcast_in_dim", type_, one, broadcast_dimensions=none)


def fill_attribute(element: ir.Type, given: ir.Attribute | None) -> ir.Attribute:
    """What fills elements of that type: the value `given`, or JAX's default."""
    if given is not None:
        return given
    if isinstance(element, ir.ComplexType):
        part = element.element_type
        return ir.ArrayAttr.get([fill_attribute(part, None), ir.FloatAttr.get(part, 0.0)])
    if isinstance(element, ir.FloatType):
        return ir.FloatAttr.get(element, float("nan"))
    number = default_integer(element)
    if element.width == 1:
        return ir.BoolAttr.get(bool(number))
    return ir.IntegerAttr.get(element, number)


def sliced(value: ir.Value, *numbers: Sequence[int]) -> ir.Value:
    """`stablehlo.slice` of static sizes; the numbers are starts, limits and strides."""
    names, get = ("start_indices", "limit_indices", "strides"), ir.DenseI64ArrayAttr.get
    type_ = ir.RankedTensorType.get([*map(len, map(range, *numbers))], value.type.element_type)
    arrays = dict(zip(names, (get(list(each)) for each in numbers), strict=True))
    return stablehlo("slice", type_, value, **arrays)
