"""`gs-emulate-small-floats`: arithmetic on bf16 and on floats of 8 bits and fewer, in f32.

Each result is rounded once from its f32 value, which for +, -, * and / is the correctly rounded
result: f32 has more than twice their digits.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import arith, walk, walk_named
from mlir_gs.lowering.ir.emit import memref
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


@register_pass
@dataclass(frozen=True)
class GsEmulateSmallFloats:
    """Do arithmetic on bf16 and on floats of 8 bits and fewer in f32, rounding each result.

    Upstream's arith-emulate-unsupported-floats converts the operands of arithmetic to f32 and its
    result back; this pass does so for functions of `math` on 8 bits and fewer. It converts 8 bits
    and fewer to f32 by a table of the 2^width values, and back by integer arithmetic. Upstream
    marks conversions as `contract`, which permits leaving out a rounding: the mark is removed.
    """

    name: ClassVar[str] = "gs-emulate-small-floats"

    def run(self, module: ir.Operation) -> None:
        found = {
            _element(value.type)
            for op in walk(module)
            # addf and the like, sitofp, fptosi.
            if op.name.startswith("math.")
            or (op.name.startswith("arith.") and op.name.endswith(("f", "fp", "fptosi", "fptoui")))
            for value in (*op.operands, *op.results)
        }
        if not found.isdisjoint(_DTYPES):
            for op in walk(module):
                if op.name.startswith("math."):
                    _widen_function(op)
            _emulate(module, _DTYPES)
            for op in walk_named(module, *_CONVERSIONS):
                with op.location, ir.InsertionPoint(op):
                    new = _expanded(op, module)
                if new is not None:
                    op.results[0].replace_all_uses_with(new)
                    op.erase()
        if "bf16" in found:
            # The CPU's own rounding to bf16 flushes denormals.
            _emulate(module, ["bf16"])


_CONVERSIONS = ("arith.extf", "arith.truncf")


def _emulate(module: ir.Operation, types: Iterable[str]) -> None:
    run_pipeline(
        module,
        f"arith-emulate-unsupported-floats{{source-types={','.join(types)} target-type=f32}}",
    )
    for op in walk_named(module, *_CONVERSIONS):
        if "fastmath" in op.attributes:
            del op.attributes["fastmath"]


def _element(type_: ir.Type) -> str:
    return str(type_.element_type if isinstance(type_, ir.VectorType) else type_)


def _expanded(op: ir.Operation, module: ir.Operation) -> ir.Value | None:
    source, target = op.operands[0], op.results[0].type
    f32 = ir.F32Type.get()
    if op.name == "arith.extf" and str(source.type) in _DTYPES:
        wide = _widened(source, module)
        if str(target) in _DTYPES:
            return _narrowed(wide, target)
        return wide if target == f32 else _between(wide, target)
    if op.name == "arith.truncf" and str(target) in _DTYPES:
        if str(source.type) in _DTYPES:
            return _narrowed(_widened(source, module), target)
        return _narrowed(source if source.type == f32 else _between(source, f32), target)
    return None


def _widen_function(op: ir.Operation) -> None:
    """A function of the library of mathematics, which has none for small floats, in f32."""
    f32 = ir.F32Type.get()
    types = [value.type for value in (*op.operands, *op.results)]
    if not any(str(type_) in _DTYPES for type_ in types):
        return
    with op.location, ir.InsertionPoint(op):
        operands = [
            arith.extf(f32, value) if str(value.type) in _DTYPES else value for value in op.operands
        ]
        results = [f32 if str(r.type) in _DTYPES else r.type for r in op.results]
        new = ir.Operation.create(op.name, results=results, operands=operands)
        for old, value in zip(op.results, new.results, strict=True):
            narrow = value if value.type == old.type else arith.truncf(old.type, value)
            old.replace_all_uses_with(narrow)
    op.erase()


def _between(value: ir.Value, target: ir.Type) -> ir.Value:
    wider = target.width > value.type.width
    return (arith.extf if wider else arith.truncf)(target, value)


def _number_types() -> tuple[Any, Any]:
    """NumPy and ml_dtypes, imported when needed: its import is slow."""
    import ml_dtypes

    return np, ml_dtypes


def _widened(value: ir.Value, module: ir.Operation) -> ir.Value:
    """f32 of a small float, looked up."""
    width, name = value.type.width, f"__gs_{value.type}_to_f32"
    type_ = ir.MemRefType.get([1 << width], ir.F32Type.get())
    body = module.regions[0].blocks[0]
    if not any(
        "sym_name" in op.attributes and op.attributes["sym_name"].value == name
        for op in body.operations
    ):
        np, ml_dtypes = _number_types()
        codes = np.arange(1 << width, dtype=np.uint8)
        table = codes.view(getattr(ml_dtypes, _DTYPES[str(value.type)])).astype(np.float32)
        with ir.InsertionPoint.at_block_begin(body):
            memref.global_(
                name, type_, sym_visibility="private", constant=True,
                initial_value=ir.DenseElementsAttr.get(table, type=ir.F32Type.get()),
            )  # fmt: skip
    bits = arith.bitcast(ir.IntegerType.get_signless(width), value)
    place = arith.index_castui(ir.IndexType.get(), bits)
    return memref.load(memref.get_global(type_, name), [place])


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
    np, ml_dtypes = _number_types()
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


def _narrowed(value: ir.Value, target: ir.Type) -> ir.Value:
    """`value`, f32, rounded to nearest even in a small float kind."""
    if str(target) == "f8E8M0FNU":
        return _narrowed_to_power(value, target)
    form = _format(target)
    i32 = ir.IntegerType.get_signless(32)

    def number(n: int) -> ir.Value:
        return arith.constant(i32, n)

    def below(a: ir.Value, b: ir.Value) -> ir.Value:
        return arith.cmpi(arith.CmpIPredicate.ult, a, b)

    bits = arith.bitcast(i32, value)
    magnitude = arith.andi(bits, number(0x7FFFFFFF))
    dropped = 23 - form.mantissa
    odd = arith.andi(arith.shrui(magnitude, number(dropped)), number(1))
    rounded = arith.addi(arith.addi(magnitude, number((1 << (dropped - 1)) - 1)), odd)
    normal = arith.subi(
        arith.shrui(rounded, number(dropped)), number((127 - form.bias) << form.mantissa)
    )
    # Below the normal range the code counts multiples of the least value; adding 2^23 rounds.
    f32 = ir.F32Type.get()
    scaled = arith.mulf(
        arith.bitcast(f32, magnitude),
        arith.constant(f32, float(2.0 ** (form.bias - 1 + form.mantissa))),
    )
    shifted = arith.bitcast(i32, arith.addf(scaled, arith.constant(f32, float(1 << 23))))
    subnormal = arith.subi(shifted, number((127 + 23) << 23))
    is_subnormal = below(magnitude, number((128 - form.bias) << 23))
    code = arith.select(is_subnormal, subnormal, normal)
    code = arith.select(below(number(form.largest), code), number(form.overflow), code)
    sign = arith.shli(arith.shrui(bits, number(31)), number(form.width - 1))
    if not form.has_negative_zero:
        is_zero = arith.cmpi(arith.CmpIPredicate.eq, code, number(0))
        sign = arith.select(is_zero, number(0), sign)
    if form.nan is not None:
        is_nan = below(number(0x7F800000), magnitude)
        code = arith.select(is_nan, number(form.nan), code)
        if not form.has_negative_zero:
            sign = arith.select(is_nan, number(0), sign)
    narrow = ir.IntegerType.get_signless(form.width)
    return arith.bitcast(target, arith.trunci(narrow, arith.ori(code, sign)))


def _narrowed_to_power(value: ir.Value, target: ir.Type) -> ir.Value:
    """`value`, f32, as a power of two without a sign: an exponent of f32, or NaN.

    The least power, 2^-127, is a denormal of f32; zero and what is negative are NaN.
    """
    i32 = ir.IntegerType.get_signless(32)

    def number(n: int) -> ir.Value:
        return arith.constant(i32, n)

    bits = arith.bitcast(i32, value)
    # Between 1 and 2 times a power the even one is always 2.
    normal = arith.shrui(arith.addi(bits, number(1 << 22)), number(23))
    # A denormal above the least power is rounded up, as ml_dtypes does.
    above_least = arith.cmpi(arith.CmpIPredicate.ugt, bits, number(0x00400000))
    least = arith.select(above_least, number(1), number(0))
    is_denormal = arith.cmpi(arith.CmpIPredicate.ult, bits, number(0x00800000))
    code = arith.select(is_denormal, least, normal)
    # Zero, infinity, and all that has the sign bit.
    too_large = arith.cmpi(arith.CmpIPredicate.uge, bits, number(0x7F800000))
    is_zero = arith.cmpi(arith.CmpIPredicate.eq, bits, number(0))
    code = arith.select(arith.ori(too_large, is_zero), number(0xFF), code)
    return arith.bitcast(target, arith.trunci(ir.IntegerType.get_signless(8), code))
