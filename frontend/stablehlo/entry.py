"""What is done with a StableHLO module before and after upstream's legalizations."""

from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.stablehlo.common import (
    NO_FLOATS,
    QUANTIZED,
    STABLEHLO,
    arith,
    converted,
    rewrite,
    stablehlo,
)
from mlir_gs.frontend.stablehlo.filled import number_of
from mlir_gs.lowering import register_pass
from mlir_gs.lowering.ir.builders import replace_op, walk, walk_named, with_elements
from mlir_gs.lowering.passes.registry import fail_at_each

_FLOATS_ONLY = tuple(
    f"chlo.{prefix}{name}" for prefix in ("", "broadcast_") for name in ("polygamma", "zeta")
)
_NO_COMPLEX = ("chlo.next_after", "chlo.broadcast_next_after")
"""Upstream's verifiers take other elements, and its expansion aborts on them."""


@register_pass
@dataclass(frozen=True)
class StablehloCheckForms:
    """Refuse quantized elements, and functions of chlo whose expansion crashes on their elements.

    A `dynamic_iota` of booleans becomes one of integers and a conversion, since `stablehlo.iota`
    has no booleans. `chlo.is_inf` of small floats is computed in f32: upstream compares with an
    infinity that most of them do not have.
    """

    name: ClassVar[str] = "stablehlo-check-forms"

    def run(self, module: ir.Operation) -> None:
        fail_at_each([(op, text) for op in walk(module) if (text := _refusal(op))])
        rewrite(module, _REWRITES)


def boolean_positions(op: ir.Operation) -> ir.Value | None:
    """`stablehlo.dynamic_iota` of i1 --> one of i64 and its conversion: all but 0 is true."""
    type_, flag = op.results[0].type, ir.IntegerType.get_signless(1)
    if type_.element_type != flag:
        return None
    wide = with_elements(type_, ir.IntegerType.get_signless(64))
    dim = op.attributes["iota_dimension"]
    return converted(stablehlo("dynamic_iota", wide, op.operands[0], iota_dimension=dim), flag)


def infinities(op: ir.Operation) -> None:
    """`chlo.is_inf` and its like on floats of 8 bits and fewer --> the same on f32."""
    element = op.operands[0].type.element_type
    if isinstance(element, ir.FloatType) and element.width <= 8:
        op.operands[0] = converted(op.operands[0], ir.F32Type.get())


_REWRITES = {
    "stablehlo.dynamic_iota": (boolean_positions,),
    **dict.fromkeys(("chlo.is_inf", "chlo.is_pos_inf", "chlo.is_neg_inf"), (infinities,)),
}


def _refusal(op: ir.Operation) -> str:
    # The conversions of our own say so themselves.
    if op.name.startswith(("stablehlo.", "chlo.")) and op.name not in STABLEHLO.conversions:
        for value in (*op.operands, *op.results):
            if "!quant." in str(value.type):
                return str(QUANTIZED(found=value.type))
    for value in op.operands if op.name in (*_FLOATS_ONLY, *_NO_COMPLEX) else ():
        element = value.type.element_type
        taken = not isinstance(element, ir.ComplexType) and op.name in _NO_COMPLEX
        if not taken and not isinstance(element, ir.FloatType):
            return str(NO_FLOATS(found=value.type))
    return ""


def inline_assuming(module: ir.Operation) -> None:
    """Take the ops out of `shape.assuming`, whose witnesses have become assertions."""
    # Inner ones first.
    for op in reversed(walk_named(module, "shape.assuming")):
        *inner, last = list(op.regions[0].blocks[0].operations)
        for view in inner:
            view.operation.move_before(op)
        replace_op(op, last.operands)
    for op in walk_named(module, "shape.const_witness"):
        if not list(op.results[0].uses):
            op.erase()


def saturated(op: ir.Operation) -> ir.Value | None:
    """Conversions of floats to integers give the nearest integer of the type, and 0 for NaN.

    So XLA converts. Upstream leaves it open what becomes of numbers that the type does not have.
    """
    (source,), target = op.operands, op.results[0].type
    if not isinstance(target, ir.IntegerType) or _SATURATED in op.attributes:
        return None
    again = op.clone()
    again.attributes[_SATURATED] = ir.UnitAttr.get()
    return _saturated(source, again.results[0], target, op.name == "arith.fptosi")


_SATURATED = "gs.saturated"
_MANY_DIGITS = {"f16": 16, "bf16": 128, "f32": 128, "f64": 1024}
"""Powers of two from which on a float has no number."""


def _saturated(
    source: ir.Value, converted: ir.Value, target: ir.IntegerType, is_signed: bool
) -> ir.Value:
    bits = target.width - 1 if is_signed else target.width
    most = (1 << bits) - 1
    least = -(1 << bits) if is_signed else 0
    # Of 8 bits and fewer, as f32: there are all their numbers.
    if str(source.type) not in _MANY_DIGITS:
        source = arith.extf(ir.F32Type.get(), source)
    kind = source.type
    fits = bits < _MANY_DIGITS[str(kind)]
    ends = (
        (float(1 << bits) if fits else float("inf"), "OGE", most),
        (float(least) if fits or least == 0 else float("-inf"), "OLE", least),
    )
    found = converted
    for bound, predicate, number in ends:
        limit = arith.constant(kind, bound)
        beyond = arith.cmpf(getattr(arith.CmpFPredicate, predicate), source, limit)
        found = arith.select(beyond, arith.constant(target, number_of(target, number)), found)
    is_nan = arith.cmpf(arith.CmpFPredicate.UNO, source, source)
    zero = arith.constant(target, ir.IntegerAttr.get(target, 0))
    return arith.select(is_nan, zero, found)
