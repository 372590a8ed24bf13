"""StableHLO's slice, dynamic_slice and dynamic_update_slice."""

from collections.abc import Sequence

from mlir_gs.dialect import generic, strided_slice
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.structure import SLOTS
from mlir_gs.frontend.common.common import PLAIN, check_plain
from mlir_gs.frontend.stablehlo.common import (
    STABLEHLO,
    coordinates,
    tensor,
)
from mlir_gs.frontend.stablehlo.modes import number_in, without_wrap
from mlir_gs.lowering.ir.emit import slice_operands

_MOST_INDICES = dict(SLOTS)["index"]


@STABLEHLO.converts(
    "stablehlo.slice",
    {"a window of one element or more": "`gs.strided_slice`", "an empty one": "`tensor.empty`"},
    refuses=PLAIN,
)
def convert_slice(op: ir.OpView) -> Sequence[ir.Value]:
    """`stablehlo.slice` --> `gs.strided_slice`."""
    operand = op.operands[0]
    check_plain(operand=operand)
    starts, limits, strides = (
        list(op.attributes[name]) for name in ("start_indices", "limit_indices", "strides")
    )
    sizes = [limit - start for start, limit in zip(starts, limits, strict=True)]
    if not sizes:
        return [operand]
    if 0 in sizes:
        counts = [-(-n // stride) for n, stride in zip(sizes, strides, strict=True)]
        return [tensor.empty(counts, operand.type.element_type)]
    return [strided_slice(operand, starts, sizes, strides)]


@STABLEHLO.converts(
    "stablehlo.dynamic_slice",
    {
        "starts that are constants": "`gs.strided_slice`",
        "others": "`gs.generic`, clip of the start so that the whole window fits",
    },
    refuses=PLAIN,
)
def convert_dynamic_slice(op: ir.OpView) -> Sequence[ir.Value]:
    """`stablehlo.dynamic_slice` --> `gs.generic` that reads at `start + d`, or a slice."""
    operand, *starts = op.operands
    check_plain(operand=operand)
    sizes = list(op.attributes["slice_sizes"])
    known = _known_starts(operand, starts, sizes)
    if known is not None:
        return [strided_slice(operand, known, sizes, [1] * len(sizes))]
    moved = _Moved(operand, starts, sizes)
    if not moved.symbols:
        return [operand]
    empty = tensor.empty(sizes, operand.type.element_type)
    return moved.generic(operand, empty, [moved.window, moved.identity])


@STABLEHLO.converts(
    "stablehlo.dynamic_update_slice",
    {
        "starts that are constants": "`tensor.insert_slice`",
        "others": "`gs.generic`, `unique`, clip of the start so that the whole window fits",
    },
    refuses=PLAIN,
)
def convert_dynamic_update_slice(op: ir.OpView) -> Sequence[ir.Value]:
    """`stablehlo.dynamic_update_slice` --> `gs.generic` that writes at `start + d`, or a slice."""
    operand, update, *starts = op.operands
    check_plain(operand=operand, update=update)
    known = _known_starts(operand, starts, update.type.shape)
    if known is not None:
        return [tensor.insert_slice(update, operand, *slice_operands(known, update.type.shape))]
    moved = _Moved(operand, starts, update.type.shape)
    if not moved.symbols:
        return [update]
    return moved.generic(update, operand, [moved.identity, moved.window], unique=True)


def _known_starts(
    operand: ir.Value, starts: Sequence[ir.Value], sizes: Sequence[int]
) -> list[int] | None:
    """Where a window of `sizes` that is neither empty nor all of `operand` is known to lie."""
    shape = list(operand.type.shape)
    if DYNAMIC in (*shape, *sizes) or 0 in sizes or shape == list(sizes):
        return None
    found = []
    for start, size, window in zip(starts, shape, sizes, strict=True):
        plain = without_wrap(start, size)
        number = 0 if size == window else number_in(start if plain is None else plain)
        if number is None:
            return None
        wrapped = number + size if plain is not None and number < 0 else number
        found.append(min(max(wrapped, 0), size - window))
    return found


class _Moved:
    """One window of `operand`, with its start in 0-d tensors, one for each dim."""

    def __init__(self, operand: ir.Value, starts: Sequence[ir.Value], sizes: Sequence[int]) -> None:
        # The start of a window over the whole dim is always 0.
        self.symbols = [
            dim
            for dim, (known, window) in enumerate(zip(operand.type.shape, sizes, strict=True))
            if known != window or DYNAMIC in (known, window)
        ]
        self.rank, count = len(sizes), len(self.symbols)
        dims = [ir.AffineDimExpr.get(dim) for dim in range(self.rank)]
        symbol = {dim: ir.AffineSymbolExpr.get(k) for k, dim in enumerate(self.symbols)}
        self.identity = ir.AffineMap.get(self.rank, count, dims)
        moved = [symbol[d] + dim if d in symbol else dim for d, dim in enumerate(dims)]
        self.window = ir.AffineMap.get(self.rank, count, moved)
        plain = [without_wrap(starts[dim], operand.type.shape[dim]) for dim in self.symbols]
        self.wraps = [start is not None for start in plain]
        chosen = [
            coordinates(starts[dim] if start is None else start)
            for dim, start in zip(self.symbols, plain, strict=True)
        ]
        if count <= _MOST_INDICES:
            self.indices = chosen
            self.maps = [[ir.AffineMap.get(self.rank, count, [])] for _ in chosen]
            return
        elements = [tensor.extract(value, []) for value in chosen]
        packed = ir.RankedTensorType.get([count], chosen[0].type.element_type)
        self.indices = [tensor.from_elements(packed, elements)]
        self.maps = [
            [
                ir.AffineMap.get(self.rank, count, [ir.AffineConstantExpr.get(k)])
                for k in range(count)
            ]
        ]

    def generic(
        self,
        source: ir.Value,
        into: ir.Value,
        maps: Sequence[ir.AffineMap],
        unique: bool = False,
    ) -> Sequence[ir.Value]:
        """Moves elements of `source` to `into`."""
        return generic(
            [source],
            self.indices,
            [into],
            indexing_maps=maps,
            coordinate_maps=self.maps,
            body=lambda element, _current: element,
            modes=["clip"] * len(self.symbols),
            wrap_negative=self.wraps,
            unique=unique,
        ).results
