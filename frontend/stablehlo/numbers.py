"""StableHLO's arithmetic that upstream's legalization takes in another sense, as other arithmetic.

All of it is on StableHLO's own ops, so that it holds in the computations of reductions, windows and
scatters as well.
"""

from math import prod

from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.stablehlo.common import Rewrites, bindings, converted, stablehlo
from mlir_gs.frontend.stablehlo.filled import filled, spread
from mlir_gs.lowering.ir.builders import with_elements
from mlir_gs.lowering.ir.emit import size_of

_LOGICAL = {"add": "or", "maximum": "or", "multiply": "and", "minimum": "and"}
_MANTISSA = {"f64": 52, "f32": 23, "f16": 10, "bf16": 7}


def logical_on_booleans(op: ir.Operation) -> ir.Value | None:
    """Sums and products of i1 are logical; upstream takes them for numbers of one bit.

    `stablehlo.add` on i1 --> `stablehlo.or`, and so on for multiply, minimum and maximum.
    """
    type_ = op.results[0].type
    if type_.element_type != ir.IntegerType.get_signless(1):
        return None
    return stablehlo(_LOGICAL[op.name.removeprefix("stablehlo.")], type_, *op.operands)


def complex_extreme(op: ir.Operation) -> ir.Value | None:
    """The larger or smaller of complex numbers by the real part, then by the imaginary one.

    Upstream decides by the imaginary parts in another way where the real ones are equal. NaN, which
    compares as unequal, gives the second operand, as in StableHLO's interpreter.
    """
    type_ = op.results[0].type
    if not isinstance(type_.element_type, ir.ComplexType):
        return None
    real, flag = type_.element_type.element_type, ir.IntegerType.get_signless(1)

    def compared(direction: str, part: str) -> ir.Value:
        parts = [stablehlo(part, with_elements(type_, real), value) for value in op.operands]
        return comparison(direction, "FLOAT", with_elements(type_, flag), *parts)

    direction = "GT" if op.name.endswith("maximum") else "LT"
    is_first = stablehlo(
        "select",
        with_elements(type_, flag),
        compared("EQ", "real"),
        compared(direction, "imag"),
        compared(direction, "real"),
    )
    return stablehlo("select", type_, is_first, *op.operands)


def comparison(direction: str, kind: str, type_: ir.Type, *operands: ir.Value) -> ir.Value:
    """`stablehlo.compare` with a result of `type_`, booleans."""
    return stablehlo(
        "compare",
        type_,
        *operands,
        comparison_direction=ir.Attribute.parse(f"#stablehlo<comparison_direction {direction}>"),
        compare_type=ir.Attribute.parse(f"#stablehlo<comparison_type {kind}>"),
    )


def complex_clamp(op: ir.Operation) -> ir.Value | None:
    """`stablehlo.clamp` on complex elements --> the smaller of the larger ones; NaN --> the lower
    bound, as in StableHLO's interpreter."""
    low, operand, high = op.operands
    type_ = op.results[0].type
    if not isinstance(type_.element_type, ir.ComplexType):
        return None
    sizes = [size_of(operand, dim) for dim in range(type_.rank)]
    low, high = (
        bound if bound.type == type_ else spread(bound, type_.shape, sizes) for bound in (low, high)
    )
    # NaN gives the second operand.
    larger = stablehlo("maximum", type_, operand, low)
    return stablehlo("minimum", type_, larger, high)


_SHORT = "gs.short"
"""On a power whose exponents have six bits, or are negative."""


def integer_power(op: ir.Operation) -> ir.Value | None:
    """Upstream takes six bits of exponents, and unsigned ones for signed ones: six at a time.

    x^(a + 64 b) --> x^a * (x^64)^b, in 64 bits; negative exponents stay as they are.
    """
    type_ = op.results[0].type
    element = type_.element_type
    if not isinstance(element, ir.IntegerType) or element.width == 1 or _SHORT in op.attributes:
        return None
    wide = ir.IntegerType.get_signless(64)
    base, exponent = (converted(value, wide) for value in op.operands)

    def power(base: ir.Value, exponent: ir.Value) -> ir.Value:
        made = stablehlo("power", base.type, base, exponent)
        made.owner.attributes[_SHORT] = ir.UnitAttr.get()
        return made

    squared, found = base, None
    for first in range(0, element.width, 6):
        places = filled(base, wide, first)
        bits = stablehlo("shift_right_logical", base.type, exponent, places)
        bits = stablehlo("and", base.type, bits, filled(base, wide, 63))
        part = power(squared, bits)
        found = part if found is None else stablehlo("multiply", base.type, found, part)
        for _ in range(6):
            squared = stablehlo("multiply", base.type, squared, squared)
    if not element.is_unsigned:
        flags = with_elements(type_, ir.IntegerType.get_signless(1))
        below = comparison("LT", "SIGNED", flags, exponent, filled(base, wide, 0))
        found = stablehlo("select", base.type, below, power(base, exponent), found)
    return converted(found, element)


def reduced_precision(op: ir.Operation) -> ir.Value | None:
    """`stablehlo.reduce_precision` on the bits: mantissa rounded to nearest even, then what has no
    exponent in the format becomes zero or infinity, with its sign."""
    (operand,) = op.operands
    type_ = operand.type
    element = type_.element_type
    width = element.width
    source = _MANTISSA.get(str(element))
    if source is None:
        return None
    exponent, mantissa = (
        ir.IntegerAttr(op.attributes[name]).value for name in ("exponent_bits", "mantissa_bits")
    )
    word = ir.IntegerType.get_unsigned(width)
    words, flags = with_elements(type_, word), with_elements(type_, ir.IntegerType.get_signless(1))
    bits = stablehlo("bitcast_convert", words, operand)

    def number(value: int) -> ir.Value:
        return filled(operand, word, value)

    def apply(name: str, *values: ir.Value) -> ir.Value:
        return stablehlo(name, words, *values)

    everything = (1 << width) - 1
    if mantissa < source:
        dropped = source - mantissa
        last = apply("and", apply("shift_right_logical", bits, number(dropped)), number(1))
        bias = apply("add", last, number((1 << (dropped - 1)) - 1))
        mask = number(everything & ~((1 << dropped) - 1))
        bits = apply("and", apply("add", bits, bias), mask)
    source_exponent = width - 1 - source
    exponents = ((1 << source_exponent) - 1) << source
    if exponent < source_exponent:
        bias, reduced = (1 << (source_exponent - 1)) - 1, (1 << (exponent - 1)) - 1
        own = apply("and", bits, number(exponents))
        sign = apply("and", bits, number(1 << (width - 1)))
        above = comparison("GT", "UNSIGNED", flags, own, number((bias + reduced) << source))
        below = comparison("LE", "UNSIGNED", flags, own, number((bias - reduced) << source))
        infinite = apply("or", sign, number(exponents))
        bits = apply("select", above, infinite, bits)
        bits = apply("select", below, sign, bits)
    result = stablehlo("bitcast_convert", type_, bits)
    # NaN has bits that rounding might carry into the sign.
    is_nan = comparison("NE", "FLOAT", flags, operand, operand)
    nan = operand if mantissa > 0 else filled(operand, element, float("inf"))
    return stablehlo("select", type_, is_nan, nan, result)


def finite_in_f32(op: ir.Operation) -> ir.Value | None:
    """`stablehlo.is_finite` on floats of 8 bits and fewer --> on f32: most have no infinity to
    compare with, as upstream does."""
    (operand,) = op.operands
    element = operand.type.element_type
    if not isinstance(element, ir.FloatType) or element.width > 8:
        return None
    return stablehlo("is_finite", op.results[0].type, converted(operand, ir.F32Type.get()))


def same_shape(op: ir.Operation) -> ir.Value | None:
    """A reshape or broadcast to the same type is its operand: upstream's folders take unsigned
    scalars for signless ones, and abort."""
    return op.operands[0] if op.operands[0].type == op.results[0].type else None


def complex_products(op: ir.Operation) -> ir.Value | None:
    """`stablehlo.dot_general` of complex matrices --> four of their parts, which libraries know.

    Does not apply to vectors of the result's type: the parts of a matrix would be stored to be read
    once.
    """
    type_, numbers = op.results[0].type, op.attributes["dot_dimension_numbers"]
    dims = bindings().DotDimensionNumbers(numbers)
    batch, rank = len(dims.lhs_batching_dimensions), op.operands[0].type.rank
    sizes, rows = list(type_.shape), rank - len(dims.lhs_contracting_dimensions)
    given = {value.type.element_type for value in op.operands}
    is_complex = all(isinstance(element, ir.ComplexType) for element in given)
    is_of_vectors = 1 in (prod(sizes[batch:rows]), prod(sizes[rows:]))
    if not is_complex or (is_of_vectors and given == {type_.element_type}):
        return None
    real = with_elements(type_, type_.element_type.element_type)

    def product(*parts: str) -> ir.Value:
        given = [
            stablehlo(part, with_elements(value.type, value.type.element_type.element_type), value)
            for part, value in zip(parts, op.operands, strict=True)
        ]
        return stablehlo("dot_general", real, *given, dot_dimension_numbers=numbers)

    first = stablehlo("subtract", real, product("real", "real"), product("imag", "imag"))
    second = stablehlo("add", real, product("real", "imag"), product("imag", "real"))
    return stablehlo("complex", type_, first, second)


NUMBERS: Rewrites = {
    "stablehlo.dot_general": (complex_products,),
    "stablehlo.clamp": (complex_clamp,),
    "stablehlo.add": (logical_on_booleans,),
    "stablehlo.multiply": (logical_on_booleans,),
    "stablehlo.maximum": (logical_on_booleans, complex_extreme),
    "stablehlo.minimum": (logical_on_booleans, complex_extreme),
    "stablehlo.power": (integer_power,),
    "stablehlo.reduce_precision": (reduced_precision,),
    "stablehlo.is_finite": (finite_in_f32,),
    "stablehlo.reshape": (same_shape,),
    "stablehlo.broadcast_in_dim": (same_shape,),
}
