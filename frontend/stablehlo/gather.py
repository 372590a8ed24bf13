"""StableHLO's gather and dynamic_gather."""

from collections.abc import Sequence
from typing import NamedTuple

from mlir_gs.dialect import gather, gather_elements, generic
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.common import PLAIN, check_plain
from mlir_gs.frontend.common.elementwise import cut_to
from mlir_gs.frontend.common.shapes import as_type
from mlir_gs.frontend.stablehlo.common import STABLEHLO, element, flag, is_size, is_unsigned, tensor
from mlir_gs.frontend.stablehlo.modes import Fill, fill_of
from mlir_gs.frontend.stablehlo.starts import Addressing, Starts
from mlir_gs.frontend.stablehlo.windows import Windows
from mlir_gs.lowering.ir.emit import Ix, size_of

_FORMS = {
    "whole slices of the operand, in the order of the result": "`gs.gather`, clip",
    "one coordinate for each element, all other dims batching": "`gs.gather_elements`, clip",
    "any other dimension numbers: windows, transposed results, permuted coordinates": (
        "`gs.generic`, clip of the start so that the whole window fits"
    ),
    "a result without elements": "`tensor.empty`",
    "negative indices as JAX wraps them, and its mode fill": (
        "the same ops with `wrap_negative`, and mode fill instead of clip"
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
    extents = _result_sizes(windows, op.results[0].type, indices, sizes)
    if 0 in extents:
        return tensor.empty(extents, operand.type.element_type)
    is_sorted = flag(op, "indices_are_sorted") and windows.is_sorted_alike
    fill = _fill(op, indices, windows, sizes)
    # The promise is about the indices that are wrapped already.
    starts = Starts.of(indices, windows, operand, plain=is_sorted)
    addressed = set(windows.start_map) if fill else _addressed_dims(windows, operand, sizes)
    source = _window_at_start(windows, operand, sizes, addressed)
    unit = {dim for dim in windows.start_map if sizes[dim] == 1}
    mode = _Mode(is_sorted, fill.value if fill else None)
    result = None
    if addressed == set(windows.start_map):
        result = _named(windows, source, starts, unit, mode)
    if result is None:
        extents = _result_sizes(windows, op.results[0].type, indices, sizes)
        result = _generic(
            windows, source, starts.addressing(windows, sorted(addressed)), extents, mode
        )
    if fill is not None:
        filled = fill.select.results[0]
        filled.replace_all_uses_with(as_type(result, filled.type))
        fill.select.erase()
    return result


class _Mode(NamedTuple):
    """Mode clip, or fill where there is a value for it; and the promise."""

    sorted: bool
    fill: ir.Attribute | None


def _named(
    windows: Windows, source: ir.Value, starts: Starts, unit: set[int], mode: _Mode
) -> ir.Value | None:
    """The named op that fits exactly; `unit`: the addressed dims of which one element is read."""
    wrapped = starts.wrapped
    if wrapped is None:
        return None
    name = "clip" if mode.fill is None else "fill"
    positions = len(windows.leading_dims)
    along = windows.along()
    if along is not None:
        indices = starts.single(positions)
        if indices is not None:
            return gather_elements(
                source, indices, along, mode=name, fill_value=mode.fill, wrap_negative=wrapped
            )
    form = windows.slices(unit, windows.window_of.keys() - set(windows.start_map))
    indices = None if form is None else starts.joined(positions)
    if form is None or indices is None:
        return None
    return gather(
        source,
        indices,
        form.dims,
        batch_dims=form.batch_dims,
        keep_unit_dims=form.keeps,
        sorted=mode.sorted,
        mode=name,
        fill_value=mode.fill,
        wrap_negative=wrapped,
    )


def _generic(
    windows: Windows, source: ir.Value, address: Addressing, extents: Sequence[Ix], mode: _Mode
) -> ir.Value:
    """`gs.generic` to a result of sizes `extents`."""
    count = len(address.symbols)
    op = generic(
        [source],
        address.indices,
        [tensor.empty(extents, source.type.element_type)],
        indexing_maps=[windows.addressed_map(address.symbols), windows.moved_map(count)],
        coordinate_maps=address.coordinate_maps,
        body=lambda element, _current: element,
        modes=["clip" if mode.fill is None else "fill_or_drop"] * count,
        fill_values=[mode.fill],
        wrap_negative=address.wrap_negative,
        sorted=mode.sorted and count > 0 and _slices_are_inside(windows, address, extents),
    )
    return op.results[0]


def _slices_are_inside(windows: Windows, address: Addressing, extents: Sequence[Ix]) -> bool:
    """No dim of a window comes before those of the indices, which would come again with each of its
    positions."""
    moving = [windows.window_of[dim] for dim in address.symbols if dim in windows.window_of]
    outside = [d for d in moving if extents[d] != 1]
    return all(d > leading for d in outside for leading in windows.leading_dims)


def _fill(op: ir.OpView, indices: ir.Value, windows: Windows, sizes: Sequence[Ix]) -> Fill | None:
    """JAX's mode fill, where it stands behind `op`.

    Not for unsigned elements: they become signless later on, and the value would not.
    """
    type_ = op.operands[0].type
    limits = []
    for dim in windows.start_map:
        extent = sizes[dim]
        if type_.shape[dim] == DYNAMIC or not isinstance(extent, int):
            return None
        limits.append(type_.shape[dim] - extent)
    if not limits or any(is_unsigned(t) for t in (type_, indices.type)):
        return None
    return fill_of(op.results[0], indices, windows, limits)


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
    extents = [cut.get(dim, size_of(operand, dim)) for dim in range(windows.operand_rank)]
    return cut_to(operand, extents)


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
            extents[leading] = size_of(indices, dim)
    return extents
