"""Ops of Torch on elements that torch-mlir gives other numbers, computed in `arith`."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.common import Refusal
from mlir_gs.frontend.common.elementwise import elementwise
from mlir_gs.frontend.common.slices import Int
from mlir_gs.frontend.torch.op import TorchOp, cast, is_one, number, scalar_of, signless
from mlir_gs.frontend.torch.reduce_into import accumulated
from mlir_gs.lowering.ir.asserts import require
from mlir_gs.lowering.ir.emit import compare, size_of

arith = dialect("arith")
math = dialect("math")

Spelling = Callable[[TorchOp], ir.Value | None]
"""Gives what replaces the only result of an op, a builtin tensor; None where the op stays."""


NEGATIVE = Refusal(
    "negative powers of integers", "is not supported: integers to the negative power {found}"
)


def static(size: Int) -> int:
    """A size as the shape of a type has it."""
    return size if isinstance(size, int) else DYNAMIC


def rounded(value: ir.Value, wanted: ir.Type) -> ir.Value:
    """A float as one of another type."""
    return cast(value, value.type, wanted)


def _leaky(t: TorchOp) -> ir.Value | None:
    """leaky_relu(x, slope): x, or x times slope where it is not positive."""
    return _sloped(t, [0], t.op.operands[1])


def _sloped(t: TorchOp, numbers: Sequence[int], slope: ir.Value) -> ir.Value | None:
    element = t.of_result().element
    if not isinstance(element, ir.FloatType):
        return None
    wide = accumulated(element)
    factor = scalar_of(slope, wide)

    def body(*elements: ir.Value) -> ir.Value:
        value, chooser = (rounded(each, wide) for each in (elements[0], elements[-1]))
        zero = arith.constant(wide, 0.0)
        positive = arith.cmpf(arith.CmpFPredicate.OGT, chooser, zero)
        return rounded(arith.select(positive, value, arith.mulf(value, factor)), element)

    return broadcast(t, [t.tensor(number) for number in numbers], element, body)


def _divide(t: TorchOp) -> ir.Value | None:
    """div(x, y, rounding_mode="floor") and floor_divide."""
    if ".div." in t.op.name and (t.is_none(2) or t.constant(2) != "floor"):
        return None
    return of_two(t, _floor_of_integers, _floor_of_floats)


def _fmod(t: TorchOp) -> ir.Value | None:
    """fmod(x, y): what is left has the sign of x."""

    def integers(left: ir.Value, right: ir.Value, is_unsigned: bool) -> ir.Value:
        return (arith.remui if is_unsigned else arith.remsi)(left, right)

    return of_two(t, integers, arith.remf)


def of_two(
    t: TorchOp,
    integers: Callable[[ir.Value, ir.Value, bool], ir.Value],
    floats: Callable[[ir.Value, ir.Value], ir.Value],
) -> ir.Value | None:
    """An op of a tensor and a tensor or number, in the type of the result."""
    element = t.of_result().element
    if not isinstance(element, ir.IntegerType | ir.FloatType):
        return None
    wide = accumulated(element)
    types = [t.type(0).element]
    tensors = [t.tensor(0)]
    scalar = None
    if "vtensor" in str(t.op.operands[1].type):
        types.append(t.type(1).element)
        tensors.append(t.tensor(1))
    else:
        scalar = scalar_of(t.op.operands[1], wide)

    def body(*elements: ir.Value) -> ir.Value:
        given = [cast(each, type_, wide) for each, type_ in zip(elements, types, strict=True)]
        left, right = given if scalar is None else (given[0], scalar)
        if isinstance(element, ir.FloatType):
            return rounded(floats(left, right), element)
        return integers(left, right, element.is_unsigned or element.width == 1)

    return broadcast(t, tensors, element, body)


def _floor_of_integers(left: ir.Value, right: ir.Value, is_unsigned: bool) -> ir.Value:
    return (arith.divui if is_unsigned else arith.floordivsi)(left, right)


def _floor_of_floats(left: ir.Value, right: ir.Value) -> ir.Value:
    """As Python divides: what is left has the sign of the divisor."""
    constant = partial(arith.constant, left.type)
    less = partial(arith.cmpf, arith.CmpFPredicate.OLT)

    def differs(one: ir.Value) -> ir.Value:
        return arith.cmpf(arith.CmpFPredicate.UNE, one, constant(0.0))

    quotient = arith.divf(left, right)
    rest = arith.remf(left, right)
    found = arith.divf(arith.subf(left, rest), right)
    crosses = arith.xori(less(rest, constant(0.0)), less(right, constant(0.0)))
    crosses = arith.andi(crosses, differs(rest))
    found = arith.select(crosses, arith.subf(found, constant(1.0)), found)
    down = math.floor(found)
    is_near = less(constant(0.5), arith.subf(found, down))
    down = arith.select(is_near, arith.addf(down, constant(1.0)), down)
    down = arith.select(differs(found), down, math.copysign(constant(0.0), quotient))
    return arith.select(differs(right), down, quotient)


def broadcast(
    t: TorchOp,
    tensors: Sequence[ir.Value],
    element: ir.Type,
    body: Callable[..., ir.Value],
    rank: int | None = None,
) -> ir.Value:
    """`body` of the elements of tensors, of which static sizes of 1 are broadcast; that the others
    are equal is an error of the call. `rank`: of the result of `t`, unless it is given."""
    rank = t.of_result().rank if rank is None else rank
    sizes: list[Int] = [1] * rank
    for value in tensors:
        for dim in range(value.type.rank):
            size, at = size_of(value, dim), rank - value.type.rank + dim
            if size == 1:
                continue
            if DYNAMIC in (value.type.shape[dim], static(sizes[at])) and sizes[at] != 1:
                text = "sizes differ: mismatched size for broadcast"
                require(t.op, compare("eq", sizes[at], size), text)
            if sizes[at] == 1 or isinstance(size, int):
                sizes[at] = size
    return elementwise(tensors, signless(element), body, sizes)


def _power(t: TorchOp) -> ir.Value | None:
    """pow(x, n) of integers: in integers where n is one, else of floats."""
    given, wanted = t.type(0).element, t.of_result().element
    if not isinstance(given, ir.IntegerType):
        return None
    exponent: Any = t.constant(1)
    if isinstance(wanted, ir.FloatType):
        wide = accumulated(wanted)

        def floats(element: ir.Value) -> ir.Value:
            base = cast(element, given, wide)
            return rounded(math.powf(base, number(exponent, wide)), wanted)

        return elementwise([t.tensor(0)], wanted, floats)
    if not isinstance(wanted, ir.IntegerType) or not isinstance(exponent, int):
        return None
    if exponent < 0:
        raise NEGATIVE(found=exponent)

    def integers(element: ir.Value) -> ir.Value:
        base = cast(element, given, wanted)
        return _raised(base, exponent)

    return elementwise([t.tensor(0)], signless(wanted), integers)


def _raised(base: ir.Value, exponent: int) -> ir.Value:
    """By squaring; of what does not fit the low bits stay."""
    found = arith.constant(base.type, 1)
    for digit in bin(exponent)[2:]:
        found = arith.muli(found, found)
        found = arith.muli(found, base) if digit == "1" else found
    return found


def _of_halves(t: TorchOp) -> ir.Value | None:
    """Of halves: mul and div by a number or a tensor of rank 0, which is in single precision; add
    and sub of a multiple of another tensor of halves, whose factor is a half. What they give is
    rounded once."""
    element, name = t.of_result().element, t.op.name
    if t.type(0).element != element or accumulated(element) == element:
        return None
    if ".mul." in name or ".div." in name:
        is_tensor = "vtensor" in str(t.op.operands[1].type) and t.type(1).rank
        combine = arith.mulf if ".mul." in name else arith.divf
        return None if is_tensor else of_two(t, _floor_of_integers, combine)

    def add(left: ir.Value, right: ir.Value) -> ir.Value:
        factor = rounded(t.scalar(2, element), left.type)
        return (arith.addf if ".add." in name else arith.subf)(left, arith.mulf(right, factor))

    is_plain = t.type(0).rank and t.type(1).rank and t.type(1).element == element
    is_multiple = is_plain and not is_one(t.op.operands[2])
    return of_two(t, _floor_of_integers, add) if is_multiple else None


_HALVED = ("mul.Scalar", "mul.Tensor", "div.Scalar", "div.Tensor", "add.Tensor", "sub.Tensor")

NUMBERS: dict[str, Spelling] = {
    **dict.fromkeys(_HALVED, _of_halves),
    "leaky_relu": _leaky,
    "div.Tensor_mode": _divide,
    "div.Scalar_mode": _divide,
    "fmod.Tensor": _fmod,
    "fmod.Scalar": _fmod,
    "pow.Tensor_Scalar": _power,
}
