"""Torch's reductions over dims: sums, means, products, least and largest elements.

What is not converted, such as dims that are not constants yet, is left to torch-mlir.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from mlir_gs.dialect import generic
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.frontend.common.combiners import combiner
from mlir_gs.frontend.common.common import Left, Refused
from mlir_gs.frontend.common.elementwise import elementwise, filled, sizes_of
from mlir_gs.frontend.common.shapes import with_unit_dims
from mlir_gs.frontend.torch.op import TORCH, TorchOp, cast, number, signless
from mlir_gs.frontend.torch.reduce_into import COMBINERS, accumulated, neutral_element
from mlir_gs.frontend.torch.vtensor import with_element
from mlir_gs.lowering.ir.emit import product

arith = dialect("arith")

_FORMS = {"dims that are constant, all of them by default; keepdim, dtype": "`gs.generic`"}
_WHOLE = {"every form": "`gs.generic`"}
_TYPED = {"every form, dtype too": "`gs.generic`"}

# Torch fixes no order of sums and products.
_REASSOCIATED = "#arith.fastmath<reassoc>"


@TORCH.converts("aten.sum", _TYPED)
def convert_sum(op: ir.OpView) -> Sequence[ir.Value]:
    """sum(self, dtype): integers and bools add up in int64.

    torch-mlir says so of the floats, too, that it adds up for the mean of weighted losses.
    """
    t, result = TorchOp(op), op.results[0]
    given = _known(t.type, 0).element
    if isinstance(given, ir.FloatType) and t.is_none(1):
        result.set_type(with_element(result.type, given))
    return _over_all(op, "sum")


@TORCH.converts("aten.prod.dim_int", _FORMS)
def convert_prod_of_dim(op: ir.OpView) -> Sequence[ir.Value]:
    """prod(self, dim, keepdim, dtype)."""
    t = TorchOp(op)
    rank = _known(t.type, 0).rank
    return _reduced(t, "prod", [_known(t.dim, 1, rank)] if rank else [], _keepdim(t))


def _over_all(op: ir.OpView, reduction: str) -> Sequence[ir.Value]:
    t = TorchOp(op)
    return _reduced(t, reduction, range(_known(t.type, 0).rank), False)


def _over_dims(op: ir.OpView, reduction: str) -> Sequence[ir.Value]:
    t = TorchOp(op)
    return _reduced(t, reduction, _dims(t, 1), _keepdim(t))


# mean(self, dtype) and prod(self, dtype), max(self) and min(self): of all elements.
for _name, _reduction, _taken in (
    ("aten.mean", "mean", _TYPED),
    ("aten.prod", "prod", _TYPED),
    ("aten.max", "amax", _WHOLE),
    ("aten.min", "amin", _WHOLE),
):
    TORCH.converts(_name, _taken)(partial(_over_all, reduction=_reduction))

# sum(self, dim, keepdim, dtype) and its kin; amax and amin are NaN where an element is.
for _name, _reduction in (
    ("aten.sum.dim_IntList", "sum"),
    ("aten.mean.dim", "mean"),
    ("aten.amax", "amax"),
    ("aten.amin", "amin"),
):
    TORCH.converts(_name, _FORMS)(partial(_over_dims, reduction=_reduction))


def _known(read: Callable[..., Any], *arguments: int) -> Any:
    try:
        return read(*arguments)
    except Refused as refused:
        raise Left from refused


def _keepdim(t: TorchOp) -> bool:
    return _known(t.constant, 2)


def _dims(t: TorchOp, operand: int) -> Sequence[int]:
    """The dims of an operand, each once: none and an empty list are all of them."""
    rank = _known(t.type, 0).rank
    listed = [] if t.is_none(operand) else _known(t.dims, operand, rank)
    return sorted(set(listed)) if rank and listed else range(rank)


def _reduced(t: TorchOp, reduction: str, dims: Sequence[int], keepdim: bool) -> list[ir.Value]:
    """Elements are cast to the type of the result; half precision is reduced in single."""
    given, wanted = _known(t.type, 0).element, _known(t.of_result).element
    # The least and largest of halfs are exact.
    wide = wanted if reduction in ("amax", "amin") else accumulated(wanted)
    if isinstance(wide, ir.ComplexType) and (reduction == "mean" or given != wanted):
        raise Left
    combine = combiner(COMBINERS[reduction], wide)
    if combine is None or (reduction == "mean" and not isinstance(wide, ir.FloatType)):
        raise Left

    def body(element: ir.Value, current: ir.Value) -> ir.Value:
        new = combine(current, cast(element, given, wide))
        if isinstance(wide, ir.FloatType) and reduction not in ("amax", "amin"):
            new.owner.attributes["fastmath"] = ir.Attribute.parse(_REASSOCIATED)
        return new

    start = neutral_element(reduction, wide)
    source = t.tensor(0)
    found = loops(source, dims, start, body)
    if reduction == "mean":
        found = _divided(found, source, dims)
    if wide != wanted:
        found = elementwise([found], signless(wanted), lambda each: cast(each, wide, wanted))
    return [t.result(with_unit_dims(found, list(dims)) if keepdim else found)]


def loops(
    source: ir.Value, dims: Sequence[int], start: ir.Value, body: Callable[..., ir.Value]
) -> ir.Value:
    """`source` combined along `dims`, in row-major order, beginning with `start`."""
    rank = source.type.rank
    sizes = [size for d, size in enumerate(sizes_of(source)) if d not in dims]
    kept = [ir.AffineDimExpr.get(d) for d in range(rank) if d not in dims]
    return generic(
        [source],
        [],
        [filled(sizes, start)],
        indexing_maps=[ir.AffineMap.get_identity(rank), ir.AffineMap.get(rank, 0, kept)],
        iterator_types=["reduction" if d in dims else "parallel" for d in range(rank)],
        body=body,
    ).result


def _divided(total: ir.Value, source: ir.Value, dims: Sequence[int]) -> ir.Value:
    """The sums by the number of elements that went into each."""
    element = total.type.element_type
    count = product(sizes_of(source)[d] for d in dims)
    if isinstance(count, int):
        divisor = number(count, element)
    else:
        i64 = ir.IntegerType.get_signless(64)
        divisor = arith.sitofp(element, arith.index_cast(i64, count))
    return elementwise([total], element, lambda each: arith.divf(each, divisor))
