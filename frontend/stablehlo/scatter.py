"""StableHLO's scatter, of one operand or of several."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mlir_gs.dialect import scatter, scatter_elements
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.shared import ScatterMode
from mlir_gs.frontend.common.common import PLAIN, check_plain
from mlir_gs.frontend.common.elementwise import elementwise
from mlir_gs.frontend.common.wide import wide_generic
from mlir_gs.frontend.stablehlo.body import BODY, ScalarBody, scalar_bodies
from mlir_gs.frontend.stablehlo.common import (
    STABLEHLO,
    converted,
    flag,
    tensor,
)
from mlir_gs.frontend.stablehlo.modes import numbers_along, without_clamp
from mlir_gs.frontend.stablehlo.starts import Starts
from mlir_gs.frontend.stablehlo.windows import Windows
from mlir_gs.lowering.ir.emit import slice_operands, sliced


@dataclass(frozen=True)
class _Scatter:
    """The operands of one op, and how it addresses."""

    windows: Windows
    dests: Sequence[ir.Value]
    starts: Starts
    updates: Sequence[ir.Value]
    unique: bool
    sorted: bool
    mode: ScatterMode


@STABLEHLO.converts(
    "stablehlo.scatter",
    {
        "one window of all dims at a known place": "`tensor.insert_slice`",
        "updates that are whole slices, in the order of the operand": "`gs.scatter`, drop",
        "one coordinate for each element, all other dims batching": "`gs.scatter_elements`, drop",
        "any other dimension numbers": (
            "`gs.generic`, fill_or_drop: a window that leaves the operand is skipped whole, "
            "as XLA does"
        ),
        "indices as JAX wraps and clamps them": (
            "the same ops with `wrap_negative`, and mode clip instead of drop"
        ),
        "several operands, each combined by itself": "one op for each operand",
        "several operands whose computations depend on each other": (
            "one `gs.generic` with as many outputs; those of more than two element types, or more "
            "than 4, packed as the bits of one integer"
        ),
    },
    refuses=(*PLAIN, *BODY),
    larger="windows",
)
def convert_scatter(op: ir.OpView) -> Sequence[ir.Value]:
    """`stablehlo.scatter` --> an op for each group of operands that depend on each other."""
    count = len(op.results)
    operands = list(op.operands)
    for value in operands:
        check_plain(operand=value)
    elements = [result.type.element_type for result in op.results]
    dests = [converted(v, e) for v, e in zip(operands[:count], elements, strict=True)]
    updates = [converted(v, e) for v, e in zip(operands[count + 1 :], elements, strict=True)]
    windows = Windows.of_scatter(
        op.attributes["scatter_dimension_numbers"],
        dests[0].type,
        operands[count].type,
        updates[0].type,
    )
    bodies = scalar_bodies(op.regions[0])
    is_sorted = flag(op, "indices_are_sorted") and windows.is_sorted_alike
    # The promise is about the indices that are wrapped and clamped already.
    indices = operands[count]
    clamped = None if is_sorted else without_clamp(indices, windows, dests[0], updates[0])
    starts = Starts.of(clamped or indices, windows, dests[0], plain=is_sorted)
    whole = _Scatter(
        windows,
        dests,
        starts,
        updates,
        flag(op, "unique_indices"),
        is_sorted,
        "drop" if clamped is None else "clip",
    )
    if count == 1 and (placed := _placed(whole, indices, bodies[0])) is not None:
        return [placed]
    results: dict[int, ir.Value] = {}
    for group in _groups(bodies, count):
        one = _named(whole, group[0], bodies[group[0]]) if len(group) == 1 else None
        new = [one] if one is not None else _generic(whole, group, bodies)
        results.update(zip(group, new, strict=True))
    return [results[number] for number in range(count)]


def _groups(bodies: Sequence[ScalarBody], count: int) -> list[list[int]]:
    """The operands, grouped by which current elements each result is computed from."""
    group_of = list(range(count))
    for number, body in enumerate(bodies):
        for other in (argument for argument in body.arguments if argument < count):
            old, new = group_of[other], group_of[number]
            group_of = [new if group == old else group for group in group_of]
    return [
        [number for number in range(count) if group_of[number] == group]
        for group in dict.fromkeys(group_of)
    ]


def _placed(s: _Scatter, indices: ir.Value, body: ScalarBody) -> ir.Value | None:
    """The one window of a scatter combined and put back, where its place is known."""
    dest, updates, dims = s.dests[0], s.updates[0], s.windows.start_map
    shape, sizes = list(dest.type.shape), list(updates.type.shape)
    if s.windows.indices_rank != 1 or s.windows.vector_dim != 0 or len(sizes) != len(shape):
        return None
    found = numbers_along(indices, 0, len(dims))
    if found is None:
        return None
    starts = [dict(zip(dims, found, strict=True)).get(dim, 0) for dim in range(len(shape))]
    places = zip(starts, sizes, shape, strict=True)
    if not all(n > 0 and 0 <= start <= size - n for start, n, size in places):
        return None
    if body.block is not None or body.arguments != (1,):
        updates = elementwise(
            [sliced(dest, starts, sizes), updates],
            dest.type.element_type,
            lambda *elements: body.build([elements[k] for k in body.arguments]),
        )
    return tensor.insert_slice(updates, dest, *slice_operands(starts, sizes))


def _named(s: _Scatter, number: int, body: ScalarBody) -> ir.Value | None:
    """`gs.scatter` or `gs.scatter_elements` for operand `number`, if one fits exactly."""
    count, dest = len(s.dests), s.dests[number]
    used = [argument - count for argument in body.arguments if argument >= count] or [number]
    updates = s.updates[used[0]]
    if len(used) > 1 or updates.type.element_type != dest.type.element_type:
        return None

    def combine(current: ir.Value, update: ir.Value) -> ir.Value:
        return body.build([current if argument < count else update for argument in body.arguments])

    is_overwrite = body.block is None and body.arguments == (count + used[0],)
    combiner = None if is_overwrite else combine
    windows, wrapped = s.windows, s.starts.wrapped
    if wrapped is None:
        return None
    positions = len(windows.leading_dims)
    along = windows.along()
    if along is not None:
        indices = s.starts.single(positions)
        if indices is not None:
            return scatter_elements(
                updates,
                dest,
                indices,
                along,
                combiner,
                unique=s.unique,
                mode=s.mode,
                wrap_negative=wrapped,
            )
    sizes = {dim: updates.type.shape[window] for dim, window in windows.window_of.items()}
    unit = {dim for dim, known in sizes.items() if known == 1}
    whole = {dim for dim, known in sizes.items() if known == dest.type.shape[dim] != DYNAMIC}
    form = windows.slices(unit, whole)
    indices = None if form is None else s.starts.joined(positions)
    if form is None or indices is None:
        return None
    return scatter(
        updates,
        dest,
        indices,
        form.dims,
        combiner,
        batch_dims=form.batch_dims,
        unique=s.unique,
        sorted=s.sorted,
        mode=s.mode,
        wrap_negative=wrapped,
    )


def _generic(s: _Scatter, group: Sequence[int], bodies: Sequence[ScalarBody]) -> list[ir.Value]:
    """One `gs.generic` for the operands `group`; its results in the order of `group`.

    Windows that may overlap are written one after the other, as XLA does.
    """
    count = len(s.dests)
    sizes = {dim: s.updates[0].type.shape[window] for dim, window in s.windows.window_of.items()}
    overlap = any(sizes.get(dim, 1) != 1 for dim in s.windows.start_map)
    windows = replace(s.windows, window_last=overlap)
    order = _output_order(s, group)
    used = {
        argument - count for n in order for argument in bodies[n].arguments if argument >= count
    }
    inputs = sorted(used) or [order[0]]
    address = s.starts.addressing(windows, windows.start_map)
    symbols = len(address.symbols)
    into = windows.addressed_map(address.symbols)
    plain = {plain_dim(expr) for expr in into.results}
    kinds = [
        "parallel" if s.unique or dim in plain else "reduction" for dim in range(windows.moved_rank)
    ]

    def body(*elements: ir.Value) -> list[ir.Value]:
        known = {count + number: elements[k] for k, number in enumerate(inputs)}
        known |= {number: elements[len(inputs) + k] for k, number in enumerate(order)}
        return [
            bodies[number].build([known[argument] for argument in bodies[number].arguments])
            for number in order
        ]

    found = wide_generic(
        [s.updates[number] for number in inputs],
        address.indices,
        [s.dests[number] for number in order],
        indexing_maps=[windows.moved_map(symbols)] * len(inputs) + [into] * len(order),
        coordinate_maps=address.coordinate_maps,
        iterator_types=kinds,
        body=body,
        modes=["clip" if s.mode == "clip" else "fill_or_drop"] * symbols,
        wrap_negative=address.wrap_negative,
        unique=s.unique,
        sorted=s.sorted and symbols > 0,
    )
    results = dict(zip(order, found, strict=True))
    return [results[number] for number in group]


def _output_order(s: _Scatter, group: Sequence[int]) -> list[int]:
    """`group` with the operand whose type differs from the rest in front, if there is just one."""
    elements = {number: s.dests[number].type.element_type for number in group}
    for first in group:
        rest = [number for number in group if number != first]
        if len({str(elements[number]) for number in rest}) <= 1:
            return [first, *rest]
    return list(group)
