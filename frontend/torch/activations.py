"""Functions with factors and bounds that may be infinite or NaN, as Torch computes them."""

from collections.abc import Callable, Sequence

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.frontend.torch.numbers import Spelling, broadcast, rounded
from mlir_gs.frontend.torch.op import TorchOp, cast, number, scalar_of
from mlir_gs.frontend.torch.reduce_into import accumulated

arith = dialect("arith")
math = dialect("math")

Body = Callable[..., ir.Value]


def _is(predicate: str, left: ir.Value, right: ir.Value) -> ir.Value:
    return arith.cmpf(getattr(arith.CmpFPredicate, predicate), left, right)


def _of(tensors: Sequence[int], scalars: Sequence[int], body: Body) -> Spelling:
    """`body` of the elements of tensors and of numbers, which are operands of these numbers."""

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


def _threshold(x: ir.Value, bound: ir.Value, value: ir.Value) -> ir.Value:
    return arith.select(_is("OLE", x, bound), value, x)


def _threshold_backward(gradient: ir.Value, x: ir.Value, bound: ir.Value) -> ir.Value:
    return arith.select(_is("OLE", x, bound), arith.constant(x.type, 0.0), gradient)


def _hardshrink(x: ir.Value, bound: ir.Value) -> ir.Value:
    inside = arith.andi(_is("OGE", x, arith.negf(bound)), _is("OLE", x, bound))
    return arith.select(inside, arith.constant(x.type, 0.0), x)


def _softshrink(x: ir.Value, bound: ir.Value) -> ir.Value:
    # Zero times a number, which keeps NaN and the sign.
    found = arith.mulf(x, arith.constant(x.type, 0.0))
    found = arith.select(_is("OLT", x, arith.negf(bound)), arith.addf(x, bound), found)
    return arith.select(_is("OGT", x, bound), arith.subf(x, bound), found)


def _hardtanh(x: ir.Value, low: ir.Value, high: ir.Value) -> ir.Value:
    return arith.minimumf(arith.maximumf(x, low), high)


def _hardtanh_backward(gradient: ir.Value, x: ir.Value, low: ir.Value, high: ir.Value) -> ir.Value:
    outside = arith.ori(_is("OLE", x, low), _is("OGE", x, high))
    return arith.select(outside, arith.constant(x.type, 0.0), gradient)


def _reciprocal(x: ir.Value) -> ir.Value:
    return arith.divf(arith.constant(x.type, 1.0), x)


ACTIVATIONS: dict[str, Spelling] = {
    "elu": _of([0], [1, 2, 3], _elu),
    "celu": _of([0], [1], _celu),
    "threshold": _of([0], [1, 2], _threshold),
    "threshold_backward": _of([0, 1], [2], _threshold_backward),
    "hardshrink": _of([0], [1], _hardshrink),
    "softshrink": _of([0], [1], _softshrink),
    "hardtanh": _of([0], [1, 2], _hardtanh),
    "hardtanh_backward": _of([0, 1], [2, 3], _hardtanh_backward),
    "reciprocal": _of([0], [], _reciprocal),
}
