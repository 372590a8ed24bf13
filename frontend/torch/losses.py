"""Losses that torch-mlir decomposes to other numbers."""

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.frontend.common.common import Refusal
from mlir_gs.frontend.torch.numbers import Spelling, broadcast, rounded
from mlir_gs.frontend.torch.op import TorchOp, cast, number
from mlir_gs.frontend.torch.reduce_into import accumulated
from mlir_gs.frontend.torch.vtensor import from_builtin, to_builtin, with_element

arith = dialect("arith")
math = dialect("math")

WEIGHTS = Refusal(
    "a loss with weights of more elements than there are numbers",
    "is not supported: {name} has more dims or larger ones than the numbers",
)

_REDUCTIONS = {1: "torch.aten.mean", 2: "torch.aten.sum"}
_NAMES = ("the target", "weight", "pos_weight")


def _cross_entropy(t: TorchOp) -> ir.Value | None:
    """binary_cross_entropy_with_logits(x, target, weight, pos_weight, reduction) with a weight of
    what is true, which torch-mlir takes as a weight of all.

    (1 - y) * x + (1 + (p - 1) * y) * log(1 + exp(-x)), times the weight.
    """
    element = t.type(0).element
    if t.is_none(3) or not isinstance(element, ir.FloatType):
        return None
    given = [n for n in (0, 1, 2, 3) if not t.is_none(n)]
    of_numbers = t.type(0)
    for n in given[1:]:
        shape = t.type(n).shape
        ones = [1] * (of_numbers.rank - len(shape))
        pairs = zip(of_numbers.shape, [*ones, *shape], strict=False)
        if len(shape) > of_numbers.rank or any(a == 1 != b for a, b in pairs):
            raise WEIGHTS(name=_NAMES[n - 1])
    wide = accumulated(element)
    types = [t.type(n).element for n in given]

    def body(*elements: ir.Value) -> ir.Value:
        one, zero = number(1.0, wide), number(0.0, wide)
        x, y, *weights = (cast(e, kind, wide) for e, kind in zip(elements, types, strict=True))
        below = arith.maximumf(arith.negf(x), zero)
        tail = math.log1p(math.exp(arith.negf(math.absf(x))))
        factor = arith.addf(one, arith.mulf(arith.subf(weights[-1], one), y))
        found = arith.mulf(factor, arith.addf(tail, below))
        found = arith.addf(arith.mulf(arith.subf(one, y), x), found)
        for weight in weights[:-1]:
            found = arith.mulf(found, weight)
        return rounded(found, element)

    losses = broadcast(t, [t.tensor(n) for n in given], element, body, of_numbers.rank)
    reduction = _REDUCTIONS.get(t.constant(4))
    if reduction is None:
        return losses
    each = from_builtin(losses, with_element(t.op.operands[0].type, element))
    none = ir.Operation.create("torch.constant.none", [ir.Type.parse("!torch.none")]).result
    result = t.op.results[0].type
    return to_builtin(ir.Operation.create(reduction, [result], [each, none]).result)


LOSSES: dict[str, Spelling] = {"binary_cross_entropy_with_logits": _cross_entropy}
