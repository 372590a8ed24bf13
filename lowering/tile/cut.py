"""One window of the iteration space of a `gs.generic` on tensors, as an op on slices.

A point `d` of the window is the point `start + d` of the op. The maps stay as they are: what
`start` adds to a position moves the slice of the operand.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import NamedTuple

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import linear, plain_dim, symbols_of
from mlir_gs.dialect.generic_verify import masked_symbols
from mlir_gs.dialect.sizes import Origin, origin
from mlir_gs.dialect.structure import Access, Structure, dims_in, segments
from mlir_gs.lowering.checks.bounds import emit_checks
from mlir_gs.lowering.checks.sites import Sites
from mlir_gs.lowering.ir.builders import clone_block
from mlir_gs.lowering.ir.combiners import combine_of, may_be_grouped
from mlir_gs.lowering.ir.emit import Ix, add, floor_div, maximum, minimum, mul, size_of, sub
from mlir_gs.lowering.op.coordinates import Coordinates
from mlir_gs.lowering.op.extents import extents_of
from mlir_gs.lowering.tile.slices import Slice, slice_of

_MOST_INDICES = 8
_NOTHING: Mapping[ir.Value, ir.Value] = {}


class CannotCut(Exception):
    """An op cannot be cut so; the text is the reason, which names the dim and the operand."""


class Window(NamedTuple):
    """Of one iteration dim: `size` points from `start` on, which is a multiple of `step`.

    `within`: the origin of a size that the window does not exceed; None if that is the extent of
    the dim.
    """

    start: Ix
    size: Ix
    step: int = 1
    within: Origin | None = None


@dataclass(frozen=True)
class Cut:
    """The op on slices, and where the slices of its outputs lie; None for whole outputs."""

    op: ir.Operation
    outputs: Sequence[Slice | None]


def check(structure: Structure, steps: Mapping[int, int]) -> None:
    """That the dims of `steps` can be cut into windows that start at multiples of these numbers.

    Raises CannotCut.
    """
    for access in structure.accesses:
        for position, expr in enumerate(access.map.results):
            moving = sorted(dims_in(expr) & steps.keys())
            if moving:
                _check_place(structure, access, position, moving, steps)
    operands = list(dict.fromkeys(one.name for one in structure.coordinates))
    if sum(len(_parts(structure, steps, name)) for name in operands) > _MOST_INDICES:
        raise CannotCut(f"coordinates of several places need more than {_MOST_INDICES} operands")


def _check_place(
    structure: Structure, access: Access, position: int, moving: list[int], steps: Mapping[int, int]
) -> None:
    expr = access.map.results[position]
    where = f"dim d{moving[0]} in dimension {position} of '{access.name}', {expr}"
    moved = [_moved(expr, {dim: steps[dim]}) for dim in moving]
    if None in moved:
        raise CannotCut(f"{where}, divides by what tiles are no multiples of")
    if any(step is not None and step < 0 for step in moved):
        raise CannotCut(f"{where}, runs backwards")
    form = linear(expr)
    rises = form is not None and form.constant >= 0 and min(form.dims.values(), default=0) >= 0
    if masked_symbols(structure, access) and not rises:
        raise CannotCut(f"{where}, may be out of bounds where another coordinate is")
    for symbol in symbols_of(expr):
        # Under mode error all are checked before, the whole window of each.
        mode = structure.modes[symbol]
        if mode not in ("promise_in_bounds", "error") or structure.wraps[symbol]:
            raise CannotCut(f"{where}, is part of a window that s{symbol} checks as a whole")
        if structure.dims_of_symbol(symbol) & set(moving):
            raise CannotCut(f"{where}, is added to s{symbol}, which depends on the dim as well")


def ordered_dims(structure: Structure, body: ir.Block) -> list[int]:
    """The dims whose points combine, in their order, what one element of an output holds."""
    if len(structure.outputs) == 1:
        combine = combine_of(body, len(body.arguments) - 1)
        if combine is not None and may_be_grouped(combine):
            return []
    return [
        dim
        for dim, kind in enumerate(structure.iterators)
        if kind == "reduction" and not structure.plain_in_outputs(dim)
    ]


def check_order(structure: Structure, body: ir.Block, steps: Mapping[int, int]) -> None:
    """That tiles of these sizes, one after the other, reach each element of an output in the order
    of the op. Raises CannotCut."""
    before = None
    for dim in ordered_dims(structure, body):
        if dim in steps and before is not None:
            raise CannotCut(
                f"dim d{dim}: its elements are combined in order, and d{before} runs around it; "
                f"cut d{before} to tiles of 1 as well"
            )
        if steps.get(dim, structure.static_extent(dim)) != 1:
            before = dim


def check_disjoint(structure: Structure, dims: Iterable[int]) -> None:
    """That windows of these dims write different elements. Raises CannotCut."""
    for dim in dims:
        for output in structure.outputs:
            if not any(plain_dim(expr) == dim for expr in output.map.results):
                raise CannotCut(
                    f"dim d{dim} is no dimension of '{output.name}': tiles in parallel would "
                    "write the same elements"
                )


def raise_before(op: ir.Operation, dims: Collection[int], sites: Sites) -> None:
    """Check coordinates where `op` stands, since nothing may be written before an error.

    The op, of which these dims are cut, has none under mode error then.
    """
    structure = Structure.of(op.opview)
    if not {"error", "clip"} & set(structure.modes):
        return
    with op.location, ir.InsertionPoint(op):
        emit_checks(op, Coordinates(structure, extents_of(structure)), sites)
    if "error" in structure.modes:
        modes = [
            _unchecked(structure, symbol, dims) if mode == "error" else mode
            for symbol, mode in enumerate(structure.modes)
        ]
        context = op.context
        op.attributes["modes"] = ir.ArrayAttr.get(
            [ir.StringAttr.get(mode, context) for mode in modes], context
        )


def _unchecked(structure: Structure, symbol: int, dims: Collection[int]) -> str:
    """The mode of a coordinate that is known to be in bounds: clip, where it can be, since upstream
    may move reads to before the check."""
    for use in structure.uses(symbol):
        expr = use.access.map.results[use.position]
        if use.access.value.type.shape[use.position] == 0 or dims_in(expr) & set(dims):
            return "promise_in_bounds"
    return "clip"


def cut(
    op: ir.Operation,
    windows: Mapping[int, Window],
    outputs: Sequence[ir.Value] | None = None,
    made: Mapping[ir.Value, ir.Value] = _NOTHING,
) -> Cut:
    """`op` on the windows of its dims, at the insertion point. It passed `check`.

    `outputs` take the place of the op's, such as what a loop carries. `made`: the slices of
    operands that are there already.
    """
    structure = Structure.of(op.opview)
    steps = {dim: window.step for dim, window in windows.items()}
    slice_ = partial(_slice, structure, windows)
    inputs = [
        made[access.value] if access.value in made else slice_of(access.value, slice_(access))
        for access in structure.inputs
    ]
    indices, maps = [], []
    for number, given in enumerate(op.attributes["coordinate_maps"]):
        for part in _parts(structure, steps, f"indices #{number}"):
            indices.append(slice_of(part[0].value, slice_(*part)))
            maps.append(ir.ArrayAttr.get([ir.AffineMapAttr.get(one.map) for one in part]))
        if len(given) == 0:
            indices.append(op.operands[len(structure.inputs) + number])
            maps.append(given)
    given = [access.value for access in structure.outputs] if outputs is None else outputs
    places = [slice_(access) for access in structure.outputs]
    outs = [slice_of(value, place) for value, place in zip(given, places, strict=True)]
    attributes = {named: op.attributes[named] for named in op.attributes}
    attributes |= {
        "coordinate_maps": ir.ArrayAttr.get(maps),
        **segments(len(inputs), len(indices), len(outs), on_tensors=True),
    }
    new = ir.Operation.create(
        op.name,
        results=[out.type for out in outs],
        operands=[*inputs, *indices, *outs],
        attributes=attributes,
        regions=1,
        loc=op.location,
    )
    body = op.regions[0].blocks[0]
    types = [argument.type for argument in body.arguments]
    block = new.regions[0].blocks.append(*types, arg_locs=[op.location] * len(types))
    with ir.InsertionPoint(block):
        yielded = clone_block(body, block.arguments)
        ir.Operation.create("gs.yield", operands=yielded, loc=op.location)
    return Cut(new, places)


def _parts(structure: Structure, steps: Mapping[int, int], operand: str) -> list[list[Access]]:
    """The maps of an indices operand, in groups that one slice of it serves."""
    accesses = [one for one in structure.coordinates if one.name == operand]

    def signature(access: Access) -> list[object]:
        found: list[object] = []
        for expr in access.map.results:
            moved = [_moved(expr, {dim: step}) for dim, step in steps.items()]
            found.append((plain_dim(expr) if any(moved) else None, moved))
        return found

    return [list(part) for _, part in groupby(accesses, key=signature)]


def _moved(expr: ir.AffineExpr, steps: Mapping[int, int]) -> int | None:
    """By how much `expr` grows when each dim of `steps` does by its step, wherever it starts at a
    multiple of that; None where it depends on where."""
    if isinstance(expr, ir.AffineDimExpr):
        return steps.get(expr.position, 0)
    if not isinstance(expr, ir.AffineBinaryExpr):
        return 0
    form = linear(expr)
    if form is not None:
        return sum(factor * steps.get(dim, 0) for dim, factor in form.dims.items())
    lhs, rhs = _moved(expr.lhs, steps), _moved(expr.rhs, steps)
    if lhs is None or rhs is None:
        return None
    if isinstance(expr, ir.AffineAddExpr):
        return lhs + rhs
    if isinstance(expr, ir.AffineMulExpr):
        one, other = linear(expr.lhs), linear(expr.rhs)
        if other is not None and other.is_constant:
            return lhs * other.constant
        return rhs * one.constant if one is not None and one.is_constant else None
    divisor = linear(expr.rhs)
    if divisor is None or not divisor.is_constant or lhs % divisor.constant:
        return None
    return 0 if isinstance(expr, ir.AffineModExpr) else lhs // divisor.constant


def _slice(structure: Structure, windows: Mapping[int, Window], *accesses: Access) -> Slice | None:
    """The part of an operand that the windows address, through each of these maps."""
    access = accesses[0]
    offsets: list[Ix] = []
    sizes: list[Ix] = []
    is_cut = False
    for position, expr in enumerate(access.map.results):
        size = size_of(access.value, position)
        dims = sorted(dims_in(expr) & windows.keys())
        moved = {dim: _moved(expr, {dim: windows[dim].step}) or 0 for dim in dims}
        offset: Ix = 0
        if not any(moved.values()):
            dims = []
        for dim in dims:
            offset = add(offset, _distance(windows[dim], moved[dim]))
        if dims:
            is_cut = True
            dim = plain_dim(expr)
            if dim is not None and _lies_in(windows[dim], access, position):
                size = windows[dim].size
            else:
                offset = minimum(offset, size)
                size = sub(size, offset)
                if dim is not None:
                    size = maximum(minimum(size, windows[dim].size), 0)
        offsets.append(offset)
        sizes.append(size)
    return Slice(offsets, sizes) if is_cut else None


def _lies_in(window: Window, access: Access, position: int) -> bool:
    """Whether this dimension of the operand is known to hold the window."""
    return window.within is None or window.within == origin(access.value, position)


def _distance(window: Window, moved: int) -> Ix:
    """How far the start of the window moves what moves by `moved` from multiple to multiple."""
    if moved % window.step == 0:
        return mul(window.start, moved // window.step)
    return mul(floor_div(window.start, window.step), moved)
