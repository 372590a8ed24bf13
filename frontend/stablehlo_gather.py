"""StableHLO's gather and dynamic_gather."""

from collections.abc import Sequence

from mlir_gs.dialect import gather, gather_elements, generic
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common import PLAIN, check_plain
from mlir_gs.frontend.shapes import with_trailing_unit, without_unit_dims
from mlir_gs.frontend.stablehlo_common import (
    STABLEHLO,
    coordinates,
    element,
    flag,
    is_size,
    size,
    tensor,
)
from mlir_gs.frontend.stablehlo_windows import Windows
from mlir_gs.lowering.emit import Ix

_FORMS = {
    "whole slices of the operand, in the order of the result": "`gs.gather`, clip",
    "one coordinate for each element, all other dims batching": "`gs.gather_elements`, clip",
    "any other dimension numbers: windows, transposed results, permuted coordinates": (
        "`gs.generic`, clip of the start so that the whole window fits"
    ),
}


@STABLEHLO.converts("stablehlo.gather", _FORMS, refuses=PLAIN)
def convert_gather(op: ir.OpView) -> Sequence[ir.Value]:
    """`stablehlo.gather` --> the named op that fits exactly, else `gs.generic`."""
    operand, indices = op.operands
    return [_gather(op, operand, indices, list(op.attributes["slice_sizes"]))]


@STABLEHLO.converts("stablehlo.dynamic_gather", _FORMS, refuses=PLAIN)
def convert_dynamic_gather(op: ir.OpView) -> Sequence[ir.Value]:
    """`stablehlo.dynamic_gather`: sizes of slices that are not constant are read at run time."""
    operand, indices, slice_sizes = op.operands
    windows = _windows(op)
    shape = op.results[0].type.shape
    sizes: list[Ix] = [1] * operand.type.rank
    for dim, window in windows.window_of.items():
        known = shape[window]
        sizes[dim] = element(slice_sizes, dim) if known == DYNAMIC else known
    return [_gather(op, operand, indices, sizes)]


def _windows(op: ir.OpView) -> Windows:
    operand, indices = op.operands[0], op.operands[1]
    numbers = op.attributes["dimension_numbers"]
    return Windows.of_gather(numbers, operand.type, indices.type, op.results[0].type)


def _gather(op: ir.OpView, operand: ir.Value, indices: ir.Value, sizes: Sequence[Ix]) -> ir.Value:
    """`sizes` are those of the slices, by operand dim."""
    check_plain(operand=operand, start_indices=indices)
    windows = _windows(op)
    indices = coordinates(indices)
    addressed = _addressed_dims(windows, operand, sizes)
    operand = _window_at_start(windows, operand, sizes, addressed)
    extents = _result_sizes(windows, op.results[0].type, indices, sizes)
    is_sorted = flag(op, "indices_are_sorted") and windows.is_sorted_alike
    if addressed == set(windows.start_map):
        along = windows.along()
        if along is not None:
            if windows.vector_dim < indices.type.rank:
                indices = without_unit_dims(indices, [windows.vector_dim])
            return gather_elements(operand, indices, along, mode="clip")
        unit = {dim for dim in addressed if sizes[dim] == 1}
        form = windows.slices(unit, windows.window_of.keys() - addressed)
        if form is not None:
            if windows.vector_dim == indices.type.rank:
                indices = with_trailing_unit(indices)
            return gather(
                operand,
                indices,
                form.dims,
                batch_dims=form.batch_dims,
                keep_unit_dims=form.keeps,
                sorted=is_sorted,
                mode="clip",
            )
    symbols = {dim: number for number, dim in enumerate(sorted(addressed))}
    op_ = generic(
        [operand],
        [indices] if symbols else [],
        [tensor.empty(extents, operand.type.element_type)],
        indexing_maps=[windows.addressed_map(symbols), windows.moved_map(len(symbols))],
        coordinate_maps=[windows.coordinate_maps(symbols)] if symbols else [],
        iterator_types=["parallel"] * windows.moved_rank,
        body=lambda element, _current: element,
        modes=["clip"] * len(symbols),
        sorted=is_sorted and bool(symbols),
    )
    return op_.results[0]


def _addressed_dims(windows: Windows, operand: ir.Value, sizes: Sequence[Ix]) -> set[int]:
    """The operand dims whose coordinate counts: that of a window over the whole dim is always 0."""
    return {
        dim
        for dim in windows.start_map
        if dim not in windows.window_of or not is_size(sizes[dim], operand, dim)
    }


def _window_at_start(
    windows: Windows, operand: ir.Value, sizes: Sequence[Ix], addressed: set[int]
) -> ir.Value:
    """`operand` cut to the window in the dims that have one but no coordinate.

    The dims of the operand say how far such a window reaches.
    """
    cut = {
        dim: sizes[dim]
        for dim in windows.window_of
        if dim not in addressed and not is_size(sizes[dim], operand, dim)
    }
    if not cut:
        return operand
    extents = [cut.get(dim, size(operand, dim)) for dim in range(windows.operand_rank)]
    static = [extent if isinstance(extent, int) else DYNAMIC for extent in extents]
    rank = windows.operand_rank
    return tensor.extract_slice(
        ir.RankedTensorType.get(static, operand.type.element_type),
        operand,
        [],
        [extent for extent in extents if not isinstance(extent, int)],
        [],
        [0] * rank,
        static,
        [1] * rank,
    )


def _result_sizes(
    windows: Windows, result: ir.Type, indices: ir.Value, sizes: Sequence[Ix]
) -> list[Ix]:
    """The sizes of the result, static where anything says so."""
    extents: list[Ix] = list(result.shape)
    for dim, window in windows.window_of.items():
        if extents[window] == DYNAMIC:
            extents[window] = sizes[dim]
    for dim, leading in zip(windows.index_dims, windows.leading_dims, strict=True):
        if extents[leading] == DYNAMIC:
            extents[leading] = size(indices, dim)
    return extents
