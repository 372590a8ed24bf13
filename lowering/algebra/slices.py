"""Pattern on slices of what was gathered."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.named_maps import addressed_dims
from mlir_gs.dialect.shared import Bounds, batch_dims
from mlir_gs.lowering.algebra.gathers import drops_dims
from mlir_gs.lowering.algebra.patterns import pattern
from mlir_gs.lowering.ir.builders import dim_of, producer, slice_numbers, tensor
from mlir_gs.lowering.ir.emit import dynamic_and_static
from mlir_gs.lowering.passes.explain import note


@dataclass(frozen=True)
class _Extent:
    """What a slice takes of one dim: numbers, or values of type index."""

    offset: int | ir.Value
    size: int | ir.Value
    stride: int | ir.Value


@pattern("tensor.extract_slice")
def slice_of_gather(op: ir.OpView, rewriter: Any) -> bool:
    """Only the slice that is read is gathered.

    before: `extract_slice(gather(x, i))[a, b] [n, m] [s, t]`
    after:  `gather(extract_slice x[0, b] [all, m] [1, t], extract_slice i[a, 0] [n, all] [s, 1])`

    and so for gather_elements, where x is cut in the other dims as i is. Applies when nothing else
    reads what is gathered. Does not apply where the slice drops dims, where gathered dims are kept
    as 1, nor under error, which looks at all coordinates; nor to gather_elements whose indices may
    be empty, for x may then be smaller than the slice.
    """
    made = producer(op.operands[0], "gs.gather", "gs.gather_elements")
    if made is None or len(list(made.results[0].uses)) != 1:
        return False
    if Bounds.of(made.opview).mode == "error":
        return False
    taken = _extents(op)
    if op.results[0].type.rank != len(taken):
        return False
    source, indices = made.operands
    dims = addressed_dims(made.opview)
    if made.name == "gs.gather_elements":
        if not _holds_slice(source, indices, taken, dims):
            return False
        of_indices = taken
        of_source = [None if d in dims else extent for d, extent in enumerate(taken)]
    else:
        if not drops_dims(made.opview):
            return False
        leading, batch = indices.type.rank - 1, batch_dims(made.opview)
        of_indices = [*taken[:leading], None]
        rest = iter(taken[leading:])
        of_source = [
            taken[d] if d < batch else None if d in dims else next(rest)
            for d in range(source.type.rank)
        ]
    new = ir.Operation.create(
        made.name,
        results=[op.results[0].type],
        operands=[_cut(source, of_source), _cut(indices, of_indices)],
        attributes=dict(made.attributes),
    )
    note(made, "rewrote", "only a slice of what is gathered is read")
    rewriter.replace_op(op, [new.result])
    return True


def _holds_slice(
    source: ir.Value, indices: ir.Value, taken: Sequence[_Extent], dims: Sequence[int]
) -> bool:
    """`source` has what the slice takes in dims that are not gathered: there are indices, or the
    sizes say so."""
    if not {0, DYNAMIC} & set(indices.type.shape):
        return True
    for d, extent in enumerate(taken):
        if d in dims:
            continue
        numbers = (extent.offset, extent.size, extent.stride)
        known = [n for n in (source.type.shape[d], *numbers) if isinstance(n, int) and n != DYNAMIC]
        if len(known) < 4 or known[1] + (known[2] - 1) * known[3] >= known[0]:
            return False
    return True


def _extents(op: ir.OpView) -> list[_Extent]:
    """The offsets, sizes and strides of a tensor.extract_slice, dim by dim."""
    return [_Extent(*numbers) for numbers in zip(*slice_numbers(op), strict=True)]


def _cut(value: ir.Value, extents: Sequence[_Extent | None]) -> ir.Value:
    """The slice of `value`; None is all of a dim."""
    if all(extent is None for extent in extents):
        return value
    shape = list(value.type.shape)
    given = [
        _Extent(0, dim_of(value, d) if shape[d] == DYNAMIC else shape[d], 1)
        if extent is None
        else extent
        for d, extent in enumerate(extents)
    ]
    columns = [[e.offset for e in given], [e.size for e in given], [e.stride for e in given]]
    dynamic, static = zip(*map(dynamic_and_static, columns), strict=True)
    type_ = ir.RankedTensorType.get(static[1], value.type.element_type)
    return tensor.extract_slice(type_, value, *dynamic, *static)
