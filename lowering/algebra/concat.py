"""Patterns on gathers of concatenated tensors, and on concatenated gathers."""

from collections.abc import Sequence
from math import prod
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.named_maps import addressed_dims
from mlir_gs.dialect.shared import Bounds, batch_dims
from mlir_gs.lowering.algebra.patterns import pattern
from mlir_gs.lowering.facts.analysis import Analysis
from mlir_gs.lowering.facts.numbers import Facts
from mlir_gs.lowering.ir.builders import producer, tensor
from mlir_gs.lowering.ir.shifted import may_move, moved_down
from mlir_gs.lowering.passes.explain import note

_BOUNDS = ("mode", "wrap_negative", "fill_value")


@pattern("gs.gather")
@pattern("gs.gather_elements")
def gather_in_one_part(op: ir.OpView, rewriter: Any) -> bool:
    """Coordinates that all lie in one part of a concatenated tensor read that part.

    before: `gather(concat(a, b), i)` where each i is n, the size of a, or more
    after:  `gather(b, i - n)`

    Applies when the range of the coordinates shows it, as that of constants and of bounded
    arithmetic does. Does not apply when they would have to be computed and are more than the
    concatenated elements, of an unknown number, or when something else reads what is concatenated.
    """
    concat = producer(op.operands[0], "tensor.concat")
    if concat is None:
        return False
    dim, indices = concat.attributes["dim"].value, op.operands[1]
    dims = addressed_dims(op)
    if dim not in dims:
        return False
    found = _ranges(op, dims)
    if found is None:
        return False
    where = found[dims.index(dim)]
    part = _part_with(where, list(concat.operands), dim, Bounds.of(op).mode)
    if part is None:
        return False
    start, value = part
    if start:
        if not may_move(indices, concat):
            return False
        indices = moved_down(indices, [start if d == dim else 0 for d in dims])
    inside = all(_is_inside(f, op.operands[0], d) for f, d in zip(found, dims, strict=True))
    attributes = {
        name: op.attributes[name]
        for name in (
            "gather_dims",
            "dim",
            "batch_dims",
            "unique",
            "sorted",
            *(() if inside else _BOUNDS),
        )
        if name in op.attributes
    }
    note(op.operation, "rewrote", "gather from one part of what was concatenated")
    new = ir.Operation.create(
        op.operation.name,
        results=[op.results[0].type],
        operands=[_with_sizes_of(value, op.operands[0], dim), indices],
        attributes=attributes,
    )
    rewriter.replace_op(op, [new.result])
    return True


def _with_sizes_of(part: ir.Value, whole: ir.Value, dim: int) -> ir.Value:
    """`part` with the static sizes of the concatenated tensor."""
    sizes = zip(part.type.shape, whole.type.shape, strict=True)
    shape = [a if d == dim or a != DYNAMIC else b for d, (a, b) in enumerate(sizes)]
    type_ = ir.RankedTensorType.get(shape, part.type.element_type)
    return part if type_ == part.type else tensor.cast(type_, part)


def _ranges(op: ir.OpView, dims: Sequence[int]) -> list[Facts] | None:
    """What is known of the coordinates in each addressed dim."""
    analysis, indices = Analysis(), op.operands[1]
    known = analysis.known(indices)
    if known is not None and known.size:
        columns = known.reshape(-1, len(dims)).T if op.operation.name == "gs.gather" else [known]
        return [Facts(int(column.min()), int(column.max())) for column in columns]
    found = analysis(indices)
    return None if found is None else [found] * len(dims)


def _is_inside(where: Facts, value: ir.Value, dim: int) -> bool:
    size = value.type.shape[dim]
    return where.low >= 0 and size != DYNAMIC and where.high < size


def _part_with(
    where: Facts, parts: Sequence[ir.Value], dim: int, mode: str
) -> tuple[int, ir.Value] | None:
    """(where it starts, the part) that all coordinates address."""
    if where.low < 0:
        return None
    start = 0
    for number, part in enumerate(parts):
        size = part.type.shape[dim]
        last = number == len(parts) - 1 and mode == "promise_in_bounds"
        if where.low >= start and (last or (size != DYNAMIC and where.high < start + size)):
            return start, part
        if size == DYNAMIC:
            return None
        start += size
    return None


@pattern("gs.gather")
def gather_of_each_part(op: ir.OpView, rewriter: Any) -> bool:
    """Slices of a tensor that is concatenated along another dim are concatenated themselves.

    before: `gather(concat(a, b) along c, i)` of fewer elements than a and b have
    after:  `concat(gather(a, i), gather(b, i))`

    Applies when all sizes are static, nothing else reads the concatenated tensor, and dim c is
    neither gathered nor a batch dim. Does not apply when as many elements or more are gathered:
    concatenating them would be no less work; nor under error, which names one op.
    """
    concat = producer(op.operands[0], "tensor.concat")
    if concat is None or len(list(concat.results[0].uses)) != 1:
        return False
    dim, dims, batch = concat.attributes["dim"].value, addressed_dims(op), batch_dims(op)
    source, indices = op.operands
    moved = op.results[0].type
    types = [source.type, moved, *(part.type for part in concat.operands)]
    if not all(type_.has_static_shape for type_ in types):
        return False
    if dim in dims or dim < batch or Bounds.of(op).mode == "error":
        return False
    if prod(moved.shape) >= prod(source.type.shape):
        return False
    leading = indices.type.rank - 1
    rest = [d for d in range(batch, source.type.rank) if d not in dims]
    if moved.rank != leading + len(rest):
        rest = list(range(batch, source.type.rank))
    place = leading + rest.index(dim)
    attributes = dict(op.attributes)
    results = []
    for part in concat.operands:
        shape = list(moved.shape)
        shape[place] = part.type.shape[dim]
        type_ = ir.RankedTensorType.get(shape, moved.element_type)
        new = ir.Operation.create(
            "gs.gather", results=[type_], operands=[part, indices], attributes=attributes
        )
        results.append(new.result)
    note(op.operation, "rewrote", "gather of what was concatenated in another dim")
    rewriter.replace_op(op, [tensor.concat(moved, place, results)])
    return True


@pattern("tensor.concat")
def concat_of_gathers(op: ir.OpView, rewriter: Any) -> bool:
    """Slices of one tensor that are gathered and concatenated are gathered at once.

    before: `concat(gather(x, i), gather(x, k))` along an index dim
    after:  `gather(x, concat(i, k))`

    Applies when the gathers have the same attributes and nothing else reads them. Does not apply
    along batch dims and dims of the slices, to slices of fewer bytes than their coordinates, nor
    under error, which names one op.
    """
    gathers = [producer(value, "gs.gather") for value in op.operands]
    first = gathers[0] if gathers else None
    if first is None or len(gathers) < 2 or Bounds.of(first.opview).mode == "error":
        return False
    dim, indices = op.attributes["dim"].value, first.operands[1].type
    if not batch_dims(first.opview) <= dim < indices.rank - 1:
        return False
    names = sorted(set(first.attributes) - {"unique", "sorted"})
    for made in gathers:
        if made is None or len(list(made.results[0].uses)) != 1:
            return False
        if made.operands[0] != first.operands[0]:
            return False
        if made.operands[1].type.element_type != indices.element_type:
            return False
        if sorted(set(made.attributes) - {"unique", "sorted"}) != names:
            return False
        if any(made.attributes[name] != first.attributes[name] for name in names):
            return False
    moved = op.results[0].type
    slices = list(moved.shape)[indices.rank - 1 :]
    if DYNAMIC not in slices and prod(slices) * _bits(moved) < _bits(indices) * indices.shape[-1]:
        return False
    tuples = [made.operands[1] for made in gathers if made is not None]
    where = tensor.concat(_concatenated([value.type for value in tuples], dim), dim, tuples)
    rest = list(first.results[0].type.shape)[indices.rank - 1 :]
    shape = [*list(where.type.shape)[:-1], *rest]
    type_ = ir.RankedTensorType.get(shape, moved.element_type)
    result = ir.Operation.create(
        "gs.gather",
        results=[type_],
        operands=[first.operands[0], where],
        attributes={name: first.attributes[name] for name in names},
    ).result
    note(op.operation, "rewrote", "concatenated gathers: their coordinates are concatenated")
    rewriter.replace_op(op, [result if type_ == moved else tensor.cast(moved, result)])
    return True


def _concatenated(types: Sequence[ir.RankedTensorType], dim: int) -> ir.RankedTensorType:
    shape = []
    for position, sizes in enumerate(zip(*(type_.shape for type_ in types), strict=True)):
        if position == dim:
            shape.append(DYNAMIC if DYNAMIC in sizes else sum(sizes))
        else:
            shape.append(next((size for size in sizes if size != DYNAMIC), DYNAMIC))
    return ir.RankedTensorType.get(shape, types[0].element_type)


def _bits(type_: ir.RankedTensorType) -> int:
    """Of an element; index is as wide as an address."""
    element = type_.element_type
    if isinstance(element, ir.ComplexType):
        element = element.element_type
        return 2 * element.width
    return 64 if isinstance(element, ir.IndexType) else element.width
