"""Points whose element a later point sets again, as windows that overlap have them.

Where an address is such as `8 * i + offsets[j]`, and the offsets are constants, it is known which
of them a later window, or a later point of the same one, reaches as well. What they write is seen
by nobody, and they do not run; but the last windows, which no others follow, run whole behind the
rest. What is left writes each element once.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import linear, plain_dim, symbols_of
from mlir_gs.dialect.generic import generic
from mlir_gs.dialect.structure import SLOTS, Access, Structure, dims_in, groups
from mlir_gs.lowering.ir import affine_rewrites
from mlir_gs.lowering.ir.builders import clone_block, memory_of, module_of, producer
from mlir_gs.lowering.ir.emit import maximum, memref, sub, value
from mlir_gs.lowering.op.constants import constants_of
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.moving_window import moving_window
from mlir_gs.lowering.scf.remarks import parts_of_a_strategy
from mlir_gs.lowering.scf.strategies.parts import emit_part
from mlir_gs.lowering.scf.strategies.split import Cut, Split
from mlir_gs.lowering.scf.strategies.work import Work
from mlir_gs.lowering.scf.strategy import Later, Strategy

MOST_INDICES = dict(SLOTS)["index"]

MOST_POINTS = 1 << 10
"""Points of the last windows, at most: they run on one thread."""


class Overwritten(NamedTuple):
    """Of the points along the iteration dim `dim`, which `symbol` distinguishes, only
    `stay` are not overwritten within the next `windows` positions of the dim `moved`."""

    moved: int
    dim: int
    symbol: int
    stay: tuple[int, ...]
    windows: int


class OverwrittenPoints(Strategy[Work, Overwritten]):
    """Leaves out what no reader sees; runs the last windows whole, on one thread."""

    name = "overwritten"
    meaning = "a point does not run if a later point overwrites its element"
    makes_ops = True

    def applies(self, work: Work) -> Overwritten | None:
        return find_overwritten(work.job)

    def emit(
        self, work: Work, match: Overwritten, pays: ir.Value | bool, later: Later[Work]
    ) -> None:
        job = work.job
        rest = without(work.op, match)
        later(Work.of(rest, work.policy, work.name))
        rest.erase()
        if match.windows:
            end = job.extents[match.moved]
            first = maximum(sub(end, match.windows), 0)
            with parts_of_a_strategy():
                last = Split((Cut(match.moved),))
                emit_part(job, work.policy.near(), last, [value(first), value(end)])

    def describe(self, work: Work, match: Overwritten, pays: ir.Value | bool) -> str:
        last = f"; of the last {match.windows} of d{match.moved} all do" if match.windows else ""
        points = "the point" if len(match.stay) == 1 else f"the {len(match.stay)} points"
        return f"only {points} of d{match.dim} that no later one overwrites run{last}"


def find_overwritten(job: Job) -> Overwritten | None:
    """The points of `job` that may be left out, if there are some."""
    structure = job.structure
    if len(job.outputs) != 1 or job.body.uses(len(job.inputs)) or job.initial is not None:
        return None
    (output,) = structure.outputs
    if len(groups(job.op.opview)[1]) == MOST_INDICES:
        return None
    # Of an output that is read as well, points may see what others write.
    if any(memory_of(read.value) == memory_of(output.value) for read in structure.inputs):
        return None
    for expr in output.map.results:
        for symbol in symbols_of(expr):
            found = _offsets(job, symbol)
            if found is None or not _is_apart(structure, symbol, found[0]):
                continue
            if not all(_may_be_found(read, found[0]) for read in structure.inputs):
                continue
            dim, offsets = found
            for moved in sorted(dims_in(expr)):
                window = moving_window(job, expr, moved)
                # Of points in order, those of the next window come later.
                if window is None or window.rest.symbols != {symbol: 1} or moved > dim:
                    continue
                if window.rest.dims or not _others_are_plain(structure, expr, (moved, dim)):
                    continue
                stay, windows = _staying(offsets, window.step)
                if len(stay) < offsets.size and windows * offsets.size <= MOST_POINTS:
                    return Overwritten(moved, dim, symbol, stay, windows)
    return None


def _offsets(job: Job, symbol: int) -> tuple[int, np.ndarray] | None:
    """The dim along which the constants of `symbol` lie, and these, if no coordinate is changed."""
    access = job.structure.coordinates[symbol]
    places = [plain_dim(expr) for expr in access.map.results]
    dims = [dim for dim in places if dim is not None]
    others = [n for n, dim in zip(access.value.type.shape, places, strict=True) if dim is None]
    if len(dims) != 1 or any(n != 1 for n in others) or not job.coordinates.is_plain(symbol):
        return None
    if producer(access.value, "memref.get_global") is None:
        return None
    count = job.structure.static_extent(dims[0])
    constants = constants_of(access.value) if 0 < count <= MOST_POINTS else None
    if constants is None or constants.size != count:
        return None
    return dims[0], constants.ravel().astype(np.int64)


def _is_apart(structure: Structure, symbol: int, dim: int) -> bool:
    """Of coordinates and outputs only `symbol` depends on `dim`, which has a tensor of its own."""
    own = structure.coordinates[symbol].name
    others = [access for n, access in enumerate(structure.coordinates) if n != symbol]
    return all(access.name != own for access in others) and not any(
        dim in dims_in(expr)
        for access in (*others, *structure.outputs)
        for expr in access.map.results
    )


def _may_be_found(read: Access, dim: int) -> bool:
    """A coordinate may stand for `dim` where the input is read: alone, and once."""
    forms = [linear(expr) for expr in read.map.results if dim in dims_in(expr)]
    return all(form is not None and form.dims[dim] == 1 and not form.symbols for form in forms)


def _others_are_plain(structure: Structure, expr: ir.AffineExpr, dims: Sequence[int]) -> bool:
    """All other dims address dimensions of the output by themselves, so that only points that
    differ in `dims` reach one element."""
    others = {plain_dim(one) for one in structure.outputs[0].map.results if one != expr}
    return None not in others and others == set(range(structure.rank)) - set(dims)


def _staying(offsets: np.ndarray, step: int) -> tuple[tuple[int, ...], int]:
    """The numbers of the offsets that no later point reaches, and after how many windows at most
    each of the others is reached."""
    last = {int(offset): number for number, offset in enumerate(offsets)}
    reached: dict[int, list[int]] = {}
    for offset in sorted(last):
        reached.setdefault(offset % step, []).append(offset)
    gaps = [after - before for few in reached.values() for before, after in pairwise(few)]
    return tuple(sorted(last[few[0]] for few in reached.values())), max(gaps, default=0) // step


def without(op: ir.Operation, found: Overwritten) -> ir.Operation:
    """A copy of `op` with the points that stay."""
    structure = Structure.of(op.opview)
    rank, count = structure.rank, len(structure.coordinates)
    inputs, indices, outputs = groups(op.opview)
    offsets = structure.coordinates[found.symbol]
    constants = constants_of(offsets.value)
    assert constants is not None
    stay = np.array(found.stay)
    names = [f"indices #{number}" for number in range(len(indices))]
    fewer = _constant(op, constants.ravel()[stay], offsets.value.type.element_type)
    kept = [
        fewer if name == offsets.name else operand
        for name, operand in zip(names, indices, strict=True)
    ]
    # Inputs are read where these points were.
    kept.append(_constant(op, stay, ir.IndexType.get()))
    place = affine_rewrites.symbol(count)
    plain = [affine_rewrites.dim(d) for d in range(rank)]
    symbols = [affine_rewrites.symbol(s) for s in range(count)]
    moved = [place if d == found.dim else plain[d] for d in range(rank)]

    def map_of(exprs: Sequence[ir.AffineExpr], dims: Sequence[ir.AffineExpr]) -> ir.AffineMap:
        replaced = [affine_rewrites.replace(expr, dims, symbols) for expr in exprs]
        return ir.AffineMap.get(rank, count + 1, replaced)

    along = map_of([plain[found.dim]], plain)

    def coordinate_map(access: Access) -> ir.AffineMap:
        return along if access.name == offsets.name else map_of(access.map.results, plain)

    maps = [[coordinate_map(a) for a in structure.coordinates if a.name == n] for n in names]
    return generic(
        inputs,
        kept,
        outputs,
        indexing_maps=[
            *(map_of(access.map.results, moved) for access in structure.inputs),
            *(map_of(access.map.results, plain) for access in structure.outputs),
        ],
        coordinate_maps=[*maps, [along]],
        iterator_types=structure.iterators,
        body=lambda *elements: clone_block(op.regions[0].blocks[0], elements),
        modes=[*structure.modes, "promise_in_bounds"],
        wrap_negative=[*structure.wraps, False],
        fill_values=structure.fills,
        unique=True,
        sorted=structure.sorted,
    )


def _constant(op: ir.Operation, numbers: np.ndarray, element: ir.Type) -> ir.Value:
    """A constant memref of rank 1."""
    module = module_of(op)
    tensor_type = ir.RankedTensorType.get([len(numbers)], element)
    values = [ir.IntegerAttr.get(element, int(number)) for number in numbers]
    type_ = ir.MemRefType.get([len(numbers)], element)
    symbols = ir.SymbolTable(module)
    with ir.InsertionPoint.at_block_begin(module.regions[0].blocks[0]):
        made = memref.global_(
            "__gs_stay", type_, sym_visibility="private", constant=True,
            initial_value=ir.DenseElementsAttr.get(values, tensor_type),
        )  # fmt: skip
    # Gives it a name that nothing else has.
    symbols.insert(made)
    return memref.get_global(type_, made.attributes["sym_name"].value)
