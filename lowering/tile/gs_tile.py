"""`gs-tile`: a `gs.generic` on tensors becomes a loop over its tiles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, NamedTuple

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.base import NAMED
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.structure import Structure
from mlir_gs.lowering.checks.sites import Sites
from mlir_gs.lowering.ir.asserts import refuse_named
from mlir_gs.lowering.ir.builders import index, replace_op, walk_named
from mlir_gs.lowering.ir.emit import Ix, minimum, scf, sub, value
from mlir_gs.lowering.op.extents import extents_of
from mlir_gs.lowering.passes.registry import fail, register_pass
from mlir_gs.lowering.tile.cut import (
    CannotCut,
    Window,
    check,
    check_disjoint,
    check_order,
    cut,
    raise_before,
)
from mlir_gs.lowering.tile.slices import put_back, put_back_in_parallel

Loops = Literal["for", "forall"]

_MOST = 1 << 60


class Tiled(NamedTuple):
    """The op on tiles, the loops around it from the outermost, and what takes the place of the
    results of the op."""

    op: ir.Operation
    loops: Sequence[ir.Operation]
    results: Sequence[ir.Value]


@register_pass
@dataclass(frozen=True)
class GsTile:
    """Cut each `gs.generic` on tensors into tiles, in loops.

    Operands are sliced along the dims that are cut, coordinates too. Tiles at the end may be
    smaller. Results have the bits of the op: where elements are combined in order, a dim is cut
    only if the tiles keep that order. Under mode error, coordinates are checked before the loops.
    An op that cannot be cut so is an error, which names the dim and the operand. Sizes beyond the
    dims of an op are left out.
    """

    name: ClassVar[str] = "gs-tile"
    sizes: tuple[int, ...] = field(
        default=(), metadata={"help": "of tiles, one per iteration dim; 0 leaves a dim whole"}
    )
    loops: Loops = field(
        default="for", metadata={"help": "scf.for, or scf.forall with tiles in parallel"}
    )

    def __post_init__(self) -> None:
        check_sizes(self.sizes)

    def run(self, module: ir.Operation) -> None:
        sites = Sites(module)
        refuse_named(walk_named(module, *NAMED), "it is tiled")
        for op in walk_named(module, "gs.generic"):
            if len(op.results) == 0:
                fail(op, "'gs.generic' op is on memrefs: tiles are cut from tensors")
            try:
                tiled = tile(op, self.sizes, sites, self.loops)
            except CannotCut as reason:
                fail(op, f"'gs.generic' op cannot be tiled: {reason}")
            if tiled is not None:
                replace_op(op, tiled.results)
        sites.write()


def check_sizes(sizes: Sequence[int]) -> None:
    """ValueError for sizes that no tiles have."""
    for size in sizes:
        if not 0 <= size <= _MOST:
            raise ValueError(f"sizes must be from 0 to {_MOST}, found {size}")


def tile(
    op: ir.Operation, sizes: Sequence[int], sites: Sites, loops: Loops = "for"
) -> Tiled | None:
    """Loops over tiles of a `gs.generic` on tensors, before it; the op is left to the caller.

    None where no dim is cut: sizes are 0 or that of the whole dim. Raises CannotCut.
    """
    structure = Structure.of(op.opview)
    steps = _steps(structure, sizes)
    if not steps:
        return None
    check(structure, steps)
    if loops == "forall":
        check_disjoint(structure, steps)
    else:
        check_order(structure, op.regions[0].blocks[0], steps)
    raise_before(op, steps, sites)
    with op.location, ir.InsertionPoint(op):
        return (_in_parallel if loops == "forall" else _in_order)(op, steps)


def _steps(structure: Structure, sizes: Sequence[int]) -> dict[int, int]:
    steps = dict(enumerate(sizes[: structure.rank]))
    return {
        dim: size
        for dim, size in steps.items()
        if size and (size < structure.static_extent(dim) or structure.static_extent(dim) == DYNAMIC)
    }


def _windows(
    steps: Mapping[int, int], extents: Mapping[int, Ix], starts: Sequence[Ix]
) -> dict[int, Window]:
    windows = {}
    for (dim, step), start in zip(steps.items(), starts, strict=True):
        extent = extents[dim]
        is_even = step == 1 or (isinstance(extent, int) and extent % step == 0)
        size = step if is_even else minimum(step, sub(extent, start))
        windows[dim] = Window(start, size, step)
    return windows


def _in_order(op: ir.Operation, steps: Mapping[int, int]) -> Tiled:
    structure = Structure.of(op.opview)
    extents = extents_of(structure)
    bounds = {dim: value(extents[dim]) for dim in steps}
    zero, strides = index(0), {dim: index(step) for dim, step in steps.items()}
    loops: list[ir.Operation] = []
    tiles: list[ir.Operation] = []

    def visit(dims: Sequence[int], starts: list[Ix], carried: list[ir.Value]) -> list[ir.Value]:
        if not dims:
            made = cut(op, _windows(steps, extents, starts), carried)
            tiles.append(made.op)
            return list(map(put_back, made.op.results, carried, made.outputs))
        loop = scf.ForOp(zero, bounds[dims[0]], strides[dims[0]], carried)
        loops.append(loop.operation)
        with ir.InsertionPoint(loop.body):
            inner = list(loop.inner_iter_args)
            scf.yield_(visit(dims[1:], [*starts, loop.induction_variable], inner))
        return list(loop.results)

    results = visit(list(steps), [], [access.value for access in structure.outputs])
    return Tiled(tiles[0], loops, results)


def _in_parallel(op: ir.Operation, steps: Mapping[int, int]) -> Tiled:
    structure = Structure.of(op.opview)
    extents = extents_of(structure)
    outputs = [access.value for access in structure.outputs]
    bounds = [extents[dim] for dim in steps]
    loop = scf.ForallOp([0] * len(steps), bounds, list(steps.values()), outputs)
    carried = list(loop.inner_iter_args)
    with ir.InsertionPoint(loop.body):
        starts = list(loop.induction_variables)
        made = cut(op, _windows(steps, extents, starts), carried)
        end = scf.InParallelOp()
    with ir.InsertionPoint(end.block):
        for part, whole, place in zip(made.op.results, carried, made.outputs, strict=True):
            put_back_in_parallel(part, whole, place)
    return Tiled(made.op, [loop.operation], list(loop.results))
