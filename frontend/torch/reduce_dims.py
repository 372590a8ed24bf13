"""Torch's reductions over dims: sums, means, products, least and largest elements.

What is not converted, such as dims that are not constants yet, is left to torch-mlir.
"""

from collections.abc import Callable, Sequence
from typing import Any

from mlir_gs.dialect import generic
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.frontend.common.combiners import combiner
from mlir_gs.frontend.common.common import Left, Refused
from mlir_gs.frontend.common.elementwise import elementwise, filled, sizes_of
from mlir_gs.frontend.common.shapes import with_unit_dims
from mlir_gs.frontend.common.slices import Int
from mlir_gs.frontend.torch.op import TORCH, TorchOp, cast, number, signless
from mlir_gs.frontend.torch.reduce_into import accumulated, neutral_element
from mlir_gs.frontend.torch.vtensor import with_element
from mlir_gs.lowering.ir.emit import mul

arith = dialect("arith")

_COMBINERS = {"sum": "add", "mean": "add", "prod": "mul", "amax": "max", "amin": "min"}
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


@TORCH.converts("aten.sum.dim_IntList", _FORMS)
def convert_sum_of_dims(op: ir.OpView) -> Sequence[ir.Value]:
    """sum(self, dim, keepdim, dtype)."""
    return _over_dims(op, "sum")


@TORCH.converts("aten.mean", _TYPED)
def convert_mean(op: ir.OpView) -> Sequence[ir.Value]:
    """mean(self, dtype) of floats."""
    return _over_all(op, "mean")


@TORCH.converts("aten.mean.dim", _FORMS)
def convert_mean_of_dims(op: ir.OpView) -> Sequence[ir.Value]:
    """mean(self, dim, keepdim, dtype) of floats."""
    return _over_dims(op, "mean")


@TORCH.converts("aten.prod", _TYPED)
def convert_prod(op: ir.OpView) -> Sequence[ir.Value]:
    """prod(self, dtype): integers and bools multiply in int64."""
    return _over_all(op, "prod")


@TORCH.converts("aten.prod.dim_int", _FORMS)
def convert_prod_of_dim(op: ir.OpView) -> Sequence[ir.Value]:
    """prod(self, dim, keepdim, dtype)."""
    t = TorchOp(op)
    rank = _known(t.type, 0).rank
    return _reduced(t, "prod", [_known(t.dim, 1, rank)] if rank else [], _keepdim(t))


@TORCH.converts("aten.amax", _FORMS)
def convert_amax(op: ir.OpView) -> Sequence[ir.Value]:
    """amax(self, dim, keepdim): NaN where an element is NaN."""
    return _over_dims(op, "amax")


@TORCH.converts("aten.amin", _FORMS)
def convert_amin(op: ir.OpView) -> Sequence[ir.Value]:
    """amin(self, dim, keepdim): NaN where an element is NaN."""
    return _over_dims(op, "amin")


@TORCH.converts("aten.max", _WHOLE)
def convert_max(op: ir.OpView) -> Sequence[ir.Value]:
    """max(self) of all elements."""
    return _over_all(op, "amax")


@TORCH.converts("aten.min", _WHOLE)
def convert_min(op: ir.OpView) -> Sequence[ir.Value]:
    """min(self) of all elements."""
    return _over_all(op, "amin")


def _over_all(op: ir.OpView, reduction: str) -> Sequence[ir.Value]:
    t = TorchOp(op)
    return _reduced(t, reduction, range(_known(t.type, 0).rank), False)


def _over_dims(op: ir.OpView, reduction: str) -> Sequence[ir.Value]:
    t = TorchOp(op)
    return _reduced(t, reduction, _dims(t, 1), _keepdim(t))


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
    combine = combiner(_COMBINERS[reduction], wide)
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
        coordinate_maps=[],
        iterator_types=["reduction" if d in dims else "parallel" for d in range(rank)],
        body=body,
    ).result


def _divided(total: ir.Value, source: ir.Value, dims: Sequence[int]) -> ir.Value:
    """The sums by the number of elements that went into each."""
    element = total.type.element_type
    count: Int = 1
    for size in (sizes_of(source)[d] for d in dims):
        count = mul(count, size)
    if isinstance(count, int):
        divisor = number(count, element)
    else:
        i64 = ir.IntegerType.get_signless(64)
        divisor = arith.sitofp(element, arith.index_cast(i64, count))
    return elementwise([total], element, lambda each: arith.divf(each, divisor))
