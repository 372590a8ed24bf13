"""`gs-emulate-small-floats`: arithmetic on bf16 and on floats of 8 bits and fewer, in f32.

Each result is rounded once from its f32 value, which for +, -, * and / is the correctly rounded
result: f32 has more than twice their digits.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import arith, number_in, walk, walk_named, with_elements
from mlir_gs.lowering.passes.conditions import Names
from mlir_gs.lowering.passes.registry import register_pass, run_pipeline

_DTYPES = {
    "f8E4M3FN": "float8_e4m3fn",
    "f8E5M2": "float8_e5m2",
    "f8E4M3": "float8_e4m3",
    "f8E3M4": "float8_e3m4",
    "f8E4M3FNUZ": "float8_e4m3fnuz",
    "f8E5M2FNUZ": "float8_e5m2fnuz",
    "f8E4M3B11FNUZ": "float8_e4m3b11fnuz",
    "f8E8M0FNU": "float8_e8m0fnu",
    "f6E2M3FN": "float6_e2m3fn",
    "f6E3M2FN": "float6_e3m2fn",
    "f4E2M1FN": "float4_e2m1fn",
}

_WIDENED = (*_DTYPES, "bf16", "f16")


@register_pass
@dataclass(frozen=True)
class GsEmulateSmallFloats:
    """Do arithmetic on bf16 and on floats of 8 bits and fewer in f32, rounding each result.

    Upstream's arith-emulate-unsupported-floats converts the operands of arithmetic to f32 and its
    result back; this pass does so for functions of `math`, on f16 too. It converts 8 bits and fewer
    to f32 and back, and f32 to bf16, by integer arithmetic, on elements and on vectors. Upstream
    marks conversions as `contract`, which permits leaving out a rounding: the mark is removed.
    """

    name: ClassVar[str] = "gs-emulate-small-floats"

    def has_work(self, module: ir.Operation, names: Names) -> bool:
        """Whether there are ops that compute with floats."""
        return any(map(_computes, names.of(module)))

    def run(self, module: ir.Operation) -> bool:
        found = {
            _element(value.type)
            for op in walk(module)
            if _computes(op.name)
            for value in (*op.operands, *op.results)
        }
        if not found.isdisjoint(_WIDENED):
            for op in walk(module):
                if op.name.startswith("math."):
                    _widen_function(op)
        if not found.isdisjoint(_DTYPES):
            _emulate(module, _DTYPES)
            for op in walk_named(module, *_CONVERSIONS):
                with op.location, ir.InsertionPoint(op):
                    new = _expanded(op)
                if new is not None:
                    op.results[0].replace_all_uses_with(new)
                    op.erase()
        if "bf16" in found:
            # The CPU's own rounding to bf16 flushes denormals.
            _emulate(module, ["bf16"])
            for op in walk_named(module, "arith.truncf"):
                if (_element(op.operands[0].type), _element(op.results[0].type)) == ("f32", "bf16"):
                    with op.location, ir.InsertionPoint(op):
                        new = _rounded_to_bf16(op.operands[0], op.results[0].type)
                    op.results[0].replace_all_uses_with(new)
                    op.erase()
        return not found.isdisjoint(_WIDENED)


def _computes(name: str) -> bool:
    # addf and the like, sitofp, fptosi.
    arithmetic = name.startswith("arith.") and name.endswith(("f", "fp", "fptosi", "fptoui"))
    return arithmetic or name.startswith("math.")


_CONVERSIONS = ("arith.extf", "arith.truncf")


def _emulate(module: ir.Operation, types: Iterable[str]) -> None:
    run_pipeline(
        module,
        f"arith-emulate-unsupported-floats{{source-types={','.join(types)} target-type=f32}}",
    )
    for op in walk_named(module, *_CONVERSIONS):
        if "fastmath" in op.attributes:
            del op.attributes["fastmath"]


def _scalar(type_: ir.Type) -> ir.Type:
    return type_.element_type if isinstance(type_, ir.VectorType) else type_


def _element(type_: ir.Type) -> str:
    return str(_scalar(type_))


def _expanded(op: ir.Operation) -> ir.Value | None:
    source, target = op.operands[0], op.results[0].type
    if _element(source.type) in _DTYPES:
        source = _widened(source)
    elif _element(target) not in _DTYPES:
        return None
    if _element(target) in _DTYPES:
        return _narrowed(_between(source, ir.F32Type.get()), target)
    return _between(source, _scalar(target))


def _widen_function(op: ir.Operation) -> None:
    """A function of floats of 16 bits and fewer, of which the C library has none, in f32."""

    def is_small(value: ir.Value) -> bool:
        return _element(value.type) in _WIDENED

    def wide(value: ir.Value) -> ir.Type:
        return with_elements(value.type, ir.F32Type.get()) if is_small(value) else value.type

    if not any(map(is_small, (*op.operands, *op.results))):
        return
    with op.location, ir.InsertionPoint(op):
        operands = [arith.extf(wide(v), v) if is_small(v) else v for v in op.operands]
        new = ir.Operation.create(op.name, results=list(map(wide, op.results)), operands=operands)
        for old, value in zip(op.results, new.results, strict=True):
            narrow = value if value.type == old.type else arith.truncf(old.type, value)
            old.replace_all_uses_with(narrow)
    op.erase()


def _between(value: ir.Value, target: ir.Type) -> ir.Value:
    """`value` in elements of `target`, no small float."""
    given = _scalar(value.type)
    if given == target:
        return value
    convert = arith.extf if target.width > given.width else arith.truncf
    return convert(with_elements(value.type, target), value)


def _is(predicate: str, a: ir.Value, b: ir.Value) -> ir.Value:
    return arith.cmpi(getattr(arith.CmpIPredicate, predicate), a, b)


@dataclass(frozen=True)
class _Format:
    """Digits of a small float kind; codes are without the sign bit."""

    width: int
    mantissa: int
    bias: int
    largest: int
    overflow: int
    nan: int | None
    has_negative_zero: bool


def _format(type_: ir.Type) -> _Format:
    import ml_dtypes  # Its import is slow.

    dtype = getattr(ml_dtypes, _DTYPES[str(type_)])
    info = ml_dtypes.finfo(dtype)

    def code(value: float) -> int:
        return int(np.array(value, dtype).view(np.uint8))

    signs = 1 << (type_.width - 1)
    unsigned_zero = str(type_).endswith("FNUZ")
    largest = code(float(info.max)) & (signs - 1)
    if str(type_) in ("f6E2M3FN", "f6E3M2FN", "f4E2M1FN"):
        return _Format(type_.width, info.nmant, 1 - info.minexp, largest, largest, None, True)
    nan = code(float("nan"))
    return _Format(
        type_.width,
        info.nmant,
        1 - info.minexp,
        largest,
        code(float("inf")),
        nan if unsigned_zero else nan & (signs - 1),
        not unsigned_zero,
    )


def _rounded_to_bf16(value: ir.Value, target: ir.Type) -> ir.Value:
    """`value`, f32, rounded to nearest even. LLVM cannot choose between vectors of bf16: NaN is
    chosen before the rounding, which upstream's arith-expand does after it."""
    i32 = with_elements(target, ir.IntegerType.get_signless(32))
    is_nan = arith.cmpf(arith.CmpFPredicate.UNO, value, value)
    bits = arith.bitcast(i32, arith.select(is_nan, number_in(value.type, float("nan")), value))
    odd = arith.andi(arith.shrui(bits, number_in(i32, 16)), number_in(i32, 1))
    rounded = arith.addi(bits, arith.addi(odd, number_in(i32, 0x7FFF)))
    i16 = with_elements(target, ir.IntegerType.get_signless(16))
    return arith.bitcast(target, arith.trunci(i16, arith.shrui(rounded, number_in(i32, 16))))


def _widened(value: ir.Value) -> ir.Value:
    """f32 of a small float."""
    small = _scalar(value.type)
    i32, f32 = (
        with_elements(value.type, t) for t in (ir.IntegerType.get_signless(32), ir.F32Type.get())
    )
    bits = arith.bitcast(with_elements(value.type, ir.IntegerType.get_signless(small.width)), value)
    code = arith.extui(i32, bits)
    number = partial(number_in, i32)
    if str(small) == "f8E8M0FNU":
        # An exponent of f32, whose least power is a denormal of it.
        power = arith.shli(code, number(23))
        power = arith.select(_is("eq", code, number(0)), number(0x00400000), power)
        power = arith.select(_is("eq", code, number(0xFF)), number(0x7FC00000), power)
        return arith.bitcast(f32, power)
    form, digits = _format(small), 23
    magnitude = arith.andi(code, number((1 << (form.width - 1)) - 1))
    place = arith.shli(magnitude, number(digits - form.mantissa))
    normal = arith.addi(place, number((127 - form.bias) << digits))
    # Below the normal range the code counts multiples of the least value.
    least = number_in(f32, 2.0 ** (1 - form.bias - form.mantissa))
    subnormal = arith.bitcast(i32, arith.mulf(arith.sitofp(f32, magnitude), least))
    is_subnormal = _is("ult", magnitude, number(1 << form.mantissa))
    found = arith.select(is_subnormal, subnormal, normal)
    if form.nan is not None:
        largest = form.largest
        if form.overflow != form.nan:
            largest = form.overflow
            infinite = _is("eq", magnitude, number(largest))
            found = arith.select(infinite, number(0x7F800000), found)
        is_nan = _is("ugt", magnitude, number(largest))
        if not form.has_negative_zero:
            is_nan = _is("eq", code, number(form.nan))
        found = arith.select(is_nan, number(0x7FC00000), found)
    sign = arith.shli(arith.shrui(code, number(form.width - 1)), number(31))
    return arith.bitcast(f32, arith.ori(found, sign))


def _narrowed(value: ir.Value, target: ir.Type) -> ir.Value:
    """`value`, f32, rounded to nearest even in a small float kind."""
    if _element(target) == "f8E8M0FNU":
        return _narrowed_to_power(value, target)
    form = _format(_scalar(target))
    i32 = with_elements(target, ir.IntegerType.get_signless(32))
    number = partial(number_in, i32)
    below = partial(_is, "ult")
    bits = arith.bitcast(i32, value)
    magnitude = arith.andi(bits, number(0x7FFFFFFF))
    dropped = 23 - form.mantissa
    odd = arith.andi(arith.shrui(magnitude, number(dropped)), number(1))
    rounded = arith.addi(arith.addi(magnitude, number((1 << (dropped - 1)) - 1)), odd)
    normal = arith.subi(
        arith.shrui(rounded, number(dropped)), number((127 - form.bias) << form.mantissa)
    )
    # Below the normal range the code counts multiples of the least value; adding 2^23 rounds.
    f32 = with_elements(target, ir.F32Type.get())
    scaled = arith.mulf(
        arith.bitcast(f32, magnitude), number_in(f32, 2.0 ** (form.bias - 1 + form.mantissa))
    )
    shifted = arith.bitcast(i32, arith.addf(scaled, number_in(f32, 1 << 23)))
    subnormal = arith.subi(shifted, number((127 + 23) << 23))
    is_subnormal = below(magnitude, number((128 - form.bias) << 23))
    code = arith.select(is_subnormal, subnormal, normal)
    code = arith.select(below(number(form.largest), code), number(form.overflow), code)
    sign = arith.shli(arith.shrui(bits, number(31)), number(form.width - 1))
    if not form.has_negative_zero:
        is_zero = _is("eq", code, number(0))
        sign = arith.select(is_zero, number(0), sign)
    if form.nan is not None:
        is_nan = below(number(0x7F800000), magnitude)
        code = arith.select(is_nan, number(form.nan), code)
        if not form.has_negative_zero:
            sign = arith.select(is_nan, number(0), sign)
    narrow = with_elements(target, ir.IntegerType.get_signless(form.width))
    return arith.bitcast(target, arith.trunci(narrow, arith.ori(code, sign)))


def _narrowed_to_power(value: ir.Value, target: ir.Type) -> ir.Value:
    """`value`, f32, as a power of two without a sign: an exponent of f32, or NaN.

    The least power, 2^-127, is a denormal of f32; zero and what is negative are NaN.
    """
    i32 = with_elements(target, ir.IntegerType.get_signless(32))
    number = partial(number_in, i32)
    bits = arith.bitcast(i32, value)
    # Between 1 and 2 times a power the even one is always 2.
    normal = arith.shrui(arith.addi(bits, number(1 << 22)), number(23))
    # A denormal above the least power is rounded up, as ml_dtypes does.
    above_least = _is("ugt", bits, number(0x00400000))
    least = arith.select(above_least, number(1), number(0))
    is_denormal = _is("ult", bits, number(0x00800000))
    code = arith.select(is_denormal, least, normal)
    # Zero, infinity, and all that has the sign bit.
    too_large = _is("uge", bits, number(0x7F800000))
    is_zero = _is("eq", bits, number(0))
    code = arith.select(arith.ori(too_large, is_zero), number(0xFF), code)
    narrow = with_elements(target, ir.IntegerType.get_signless(8))
    return arith.bitcast(target, arith.trunci(narrow, code))
