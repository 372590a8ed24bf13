"""`math.fpowi` by exponents of other widths than LLVM's intrinsic takes, and on vectors."""

from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.builders import arith, constant_of, element_of, with_elements
from mlir_gs.lowering.repair.repairs import repairs

math = dialect("math")

_LEAST, _MOST = -(1 << 31), (1 << 31) - 1


@repairs("math.fpowi")
def power_by_wide_exponent(op: Any) -> ir.Value | None:
    """A power by an exponent of which upstream takes the low 32 bits, or by a vector of them.

    before: `math.fpowi x, n : f32, i64`
    after:  `math.fpowi x, m : f32, i32` where n is narrower, or a constant that fits; else
            `math.powf` in f64
    """
    base, exponent = op.operands
    if isinstance(exponent.type, ir.IntegerType):
        made = _narrow(exponent)
        if made is not None:
            op.operands[1] = made
            return None
    return _by_floats(base, exponent)


def _narrow(exponent: ir.Value) -> ir.Value | None:
    """The exponent in 32 bits; None if it may be wider."""
    i32 = ir.IntegerType.get_signless(32)
    if exponent.type.width <= i32.width:
        return exponent if exponent.type.width == i32.width else arith.extsi(i32, exponent)
    known = constant_of(exponent)
    return arith.constant(i32, known) if known is not None and _LEAST <= known <= _MOST else None


def _by_floats(base: ir.Value, exponent: ir.Value) -> ir.Value:
    width = element_of(base.type).width
    f64 = with_elements(base.type, ir.F64Type.get())
    wide = base if width == 64 else arith.extf(f64, base)
    found = math.powf(wide, arith.sitofp(f64, exponent))
    return found if width == 64 else arith.truncf(base.type, found)
