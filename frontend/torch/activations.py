"""Functions with factors and bounds that may be infinite or NaN, as Torch computes them."""

from collections.abc import Callable, Sequence
from math import pi

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.frontend.torch.numbers import Spelling, broadcast, rounded
from mlir_gs.frontend.torch.op import TorchOp, cast, number, scalar_of
from mlir_gs.frontend.torch.reduce_into import accumulated

arith = dialect("arith")
math = dialect("math")

Body = Callable[..., ir.Value]


def _is(predicate: str, left: ir.Value, right: ir.Value) -> ir.Value:
    return arith.cmpf(getattr(arith.CmpFPredicate, predicate), left, right)


def _of(
    tensors: Sequence[int], scalars: Sequence[int], body: Body, narrow: bool = False
) -> Spelling:
    """`body` of the elements of tensors and of numbers, which are operands of these numbers;
    `narrow`: the numbers are rounded to the element type."""

    def spell(t: TorchOp) -> ir.Value | None:
        element = t.of_result().element
        if not isinstance(element, ir.FloatType):
            return None
        types = [t.type(each).element for each in tensors]
        if not all(isinstance(each, ir.IntegerType | ir.FloatType) for each in types):
            return None
        wide = accumulated(element)
        values = [
            number(1.0, wide) if n >= len(t.op.operands) else scalar_of(t.op.operands[n], wide)
            for n in scalars
        ]
        if narrow:
            values = [rounded(rounded(each, element), wide) for each in values]

        def computed(*elements: ir.Value) -> ir.Value:
            given = [cast(each, kind, wide) for each, kind in zip(elements, types, strict=True)]
            return rounded(body(*given, *values), element)

        return broadcast(t, [t.tensor(each) for each in tensors], element, computed)

    return spell


def _elu(x: ir.Value, alpha: ir.Value, scale: ir.Value, inner: ir.Value) -> ir.Value:
    zero = arith.constant(x.type, 0.0)
    bent = arith.mulf(math.expm1(arith.mulf(x, inner)), arith.mulf(alpha, scale))
    return arith.select(_is("OLT", x, zero), bent, arith.mulf(x, scale))


def _celu(x: ir.Value, alpha: ir.Value) -> ir.Value:
    one = arith.constant(x.type, 1.0)
    return _elu(x, alpha, one, arith.divf(one, alpha))


def _threshold_backward(gradient: ir.Value, x: ir.Value, bound: ir.Value) -> ir.Value:
    return arith.select(_is("OLE", x, bound), arith.constant(x.type, 0.0), gradient)


def _shrink_backward(gradient: ir.Value, x: ir.Value, bound: ir.Value) -> ir.Value:
    inside = arith.andi(_is("OGE", x, arith.negf(bound)), _is("OLE", x, bound))
    return arith.select(inside, arith.constant(x.type, 0.0), gradient)


def _reciprocal(x: ir.Value) -> ir.Value:
    return arith.divf(arith.constant(x.type, 1.0), x)


def _bent(x: ir.Value) -> ir.Value:
    """x / 2 * (1 + tanh(beta * (x + kappa * x^3)))"""
    one, half, beta, kappa = (
        arith.constant(x.type, each) for each in (1.0, 0.5, (2 / pi) ** 0.5, 0.044715)
    )
    cube = arith.mulf(arith.mulf(x, x), x)
    bend = math.tanh(arith.mulf(beta, arith.addf(x, arith.mulf(kappa, cube))))
    return arith.mulf(arith.mulf(half, x), arith.addf(one, bend))


def _gelu(t: TorchOp) -> ir.Value | None:
    """The form of gelu by tanh, which torch-mlir takes with another factor."""
    return _of([0], [], _bent)(t) if t.constant(1) == "tanh" else None


def _close(t: TorchOp) -> ir.Value | None:
    """isclose(x, y, rtol, atol, equal_nan) of floats, each step rounded as Torch's."""
    element = t.type(0).element
    if not isinstance(element, ir.FloatType) or t.type(1).element != element:
        return None
    wide = accumulated(element)
    relative, absolute = (scalar_of(t.op.operands[n], wide) for n in (2, 3))
    with_nan = bool(t.constant(4))

    def step(value: ir.Value) -> ir.Value:
        return rounded(rounded(value, element), wide)

    def body(x: ir.Value, y: ir.Value) -> ir.Value:
        x, y = rounded(x, wide), rounded(y, wide)
        allowed = step(arith.addf(absolute, math.absf(step(arith.mulf(relative, y)))))
        distance = math.absf(step(arith.subf(x, y)))
        near = _is("OLE", distance, allowed)
        finite = _is("OLT", distance, arith.constant(wide, float("inf")))
        found = arith.ori(_is("OEQ", x, y), arith.andi(near, finite))
        if with_nan:
            both = arith.andi(_is("UNO", x, x), _is("UNO", y, y))
            found = arith.ori(found, both)
        return found

    boolean = ir.IntegerType.get_signless(1)
    return broadcast(t, [t.tensor(0), t.tensor(1)], boolean, body)


ACTIVATIONS: dict[str, Spelling] = {
    "elu": _of([0], [1, 2, 3], _elu),
    "celu": _of([0], [1], _celu),
    "threshold_backward": _of([0, 1], [2], _threshold_backward),
    "hardshrink_backward": _of([0, 1], [2], _shrink_backward, narrow=True),
    "softshrink_backward": _of([0, 1], [2], _shrink_backward, narrow=True),
    "gelu": _gelu,
    "isclose": _close,
    "reciprocal": _of([0], [], _reciprocal),
}
