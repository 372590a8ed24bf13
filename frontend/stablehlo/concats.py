"""StableHLO's concatenation, of which upstream chooses a part for each element."""

from collections.abc import Sequence
from math import prod

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.common import Left
from mlir_gs.frontend.common.shapes import as_type
from mlir_gs.frontend.common.wide import bits_of
from mlir_gs.frontend.stablehlo.common import UPSTREAM, tensor
from mlir_gs.lowering.ir.emit import Ix, size_of, slice_operands

_LINE = 512
"""Bits of a cache line: rows of less are put together element by element."""


@UPSTREAM.converts(
    "stablehlo.concatenate",
    {
        "rows that may be of less than a cache line, no elements": "left to upstream",
        "others": "`tensor.insert_slice` of each part",
    },
)
def convert_concatenate(op: ir.OpView) -> Sequence[ir.Value]:
    """`stablehlo.concatenate` --> each part is copied, or computed, where it lies in the result."""
    along, result = op.attributes["dimension"].value, op.results[0].type
    parts = [part for part in op.operands if part.type.shape[along] != 0]
    rows = [list(part.type.shape)[along:] for part in parts]
    bits = sum(map(prod, rows)) * bits_of(result.element_type)
    if any(DYNAMIC in row for row in rows) or bits < _LINE or 0 in result.shape:
        raise Left
    # Each size of a part that knows it, if one does: an unknown size is a negative number.
    surest = [max(op.operands, key=lambda part: part.type.shape[d]) for d in range(result.rank)]
    sizes: list[Ix] = [size_of(part, d) for d, part in enumerate(surest)]
    sizes[along] = sum(row[0] for row in rows)
    made, start = tensor.empty(sizes, result.element_type), 0
    for part, row in zip(parts, rows, strict=True):
        offsets = [start if d == along else 0 for d in range(result.rank)]
        given = slice_operands(offsets, [*sizes[:along], *row])
        part = as_type(part, ir.RankedTensorType.get(given[4], result.element_type))
        made = tensor.insert_slice(part, made, *given)
        start += row[0]
    return [made]
