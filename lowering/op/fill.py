"""The value that a read out of bounds gives under mode fill."""

from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.builders import arith
from mlir_gs.lowering.op.body import bytes_of

complex_ = dialect("complex")

# Bit patterns of the quiet NaN of 8-bit floats.
_NAN_BITS = {
    "f8E4M3FN": 0x7F,
    "f8E5M2": 0x7E,
    "f8E4M3": 0x7C,
    "f8E3M4": 0x78,
    "f8E8M0FNU": 0xFF,
    "f8E4M3FNUZ": 0x80,
    "f8E5M2FNUZ": 0x80,
    "f8E4M3B11FNUZ": 0x80,
}


def fill_constant(element: ir.Type, given: ir.Attribute | None, storage: ir.Type) -> ir.Value:
    """The constant to fill with, of type `storage`. `given` is None for the default, that of JAX:

    NaN for floats, NaN + 0i for complex, the most negative signed (and signless and index), the
    largest unsigned integer, true for i1.
    """
    if isinstance(element, ir.ComplexType):
        zero = ir.FloatAttr.get(element.element_type, 0.0)
        parts = list(given) if given is not None else [None, zero]
        return _complex_constant(element, parts, storage)
    if isinstance(element, ir.FloatType):
        return _float_constant(element, given, storage)
    number = given.value if given is not None else default_integer(element)
    return _integer(storage, int(number))


def default_integer(element: ir.Type) -> int:
    """JAX's fill for a type of integers."""
    if isinstance(element, ir.IndexType):
        return -(1 << 63)
    if element.width == 1:
        return 1
    if element.is_unsigned:
        return (1 << element.width) - 1
    return -(1 << (element.width - 1))


def _integer(type_: ir.Type, number: int) -> ir.Value:
    if isinstance(type_, ir.IntegerType):
        number &= (1 << type_.width) - 1
        if type_.width > 1 and number >= 1 << (type_.width - 1):
            number -= 1 << type_.width
    return arith.constant(type_, ir.IntegerAttr.get(type_, number))


def _float_constant(element: Any, given: ir.Attribute | None, storage: ir.Type) -> ir.Value:
    if given is None and str(element) in _NAN_BITS:
        return _integer(storage, _NAN_BITS[str(element)])
    attribute = given if given is not None else ir.FloatAttr.get(element, float("nan"))
    constant = arith.constant(element, attribute)
    if storage == element:
        return constant
    narrow = ir.IntegerType.get_signless(element.width)
    bits = arith.bitcast(narrow, constant)
    return bits if storage == narrow else arith.extui(storage, bits)


def _complex_constant(element: Any, parts: list[Any], storage: ir.Type) -> ir.Value:
    part = element.element_type
    values = [fill_constant(part, given, part) for given in parts]
    if storage == element:
        return complex_.create_(element, *values)
    width = 8 * bytes_of(part)
    bits = ir.IntegerType.get_signless(width)
    low, high = (arith.extui(storage, arith.bitcast(bits, v)) for v in values)
    return arith.ori(low, arith.shli(high, _integer(storage, width)))
