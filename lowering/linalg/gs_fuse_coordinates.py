"""`gs-fuse-coordinates`: coordinates are computed where an element is read through them."""

from dataclasses import dataclass
from math import prod
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim, symbols_of
from mlir_gs.dialect.structure import Access, Structure, dims_in
from mlir_gs.lowering.checks.sites import Sites
from mlir_gs.lowering.fuse.equal_sizes import Sizes, token
from mlir_gs.lowering.fuse.gs_fuse import free_dims
from mlir_gs.lowering.fuse.loops import build, of_linalg
from mlir_gs.lowering.fuse.views import VIEWS
from mlir_gs.lowering.ir.builders import has_named, producer, replace_op, walk_named
from mlir_gs.lowering.linalg.columns import Columns
from mlir_gs.lowering.linalg.convert_gs_to_linalg import lower
from mlir_gs.lowering.passes.explain import note
from mlir_gs.lowering.passes.registry import register_pass, run_pipeline
from mlir_gs.lowering.repair.accumulations import read_outputs_as_inputs

_CASTS = ("arith.extsi", "arith.extui", "arith.index_cast", "arith.trunci")


@register_pass
@dataclass(frozen=True)
class GsFuseCoordinates:
    """Compute coordinates where an element is read through them, instead of in a tensor.

    before: `%i = linalg.generic ins(%y) { floor, fptosi }`, `gs.generic [s = %i[d]] ins(%x[s])`
    after:  `gs.generic ins(%y[d]) { floor, fptosi, tensor.extract %x }`

    Applies to a gs.generic in which each point reads single elements at coordinates of its own, of
    mode promise_in_bounds or, in dimensions of known sizes, clip. A linalg.generic has to compute
    at least one of them, and only loops may read it. The reads go into a linalg.generic, which
    upstream's linalg-fuse-elementwise-ops merges with the one that computes. The result is a
    gs.generic without coordinates. Does not apply to maps such as `x[s + d]`. Of results of which
    only columns such as `%i[d, 0]` are read, each column is computed alone.
    """

    name: ClassVar[str] = "gs-fuse-coordinates"

    def run(self, module: ir.Operation) -> None:
        found = [op for op in walk_named(module, "gs.generic") if _reads_elements(op)]
        columns = Columns(module)
        while found:
            kept = [op for op in found if _is_computed_here(op, found, columns)]
            if len(kept) == len(found):
                break
            found = kept
        if not found:
            return
        for op in walk_named(module, "gs.generic", "linalg.generic"):
            free_dims(op)
        sizes, sites = dict[ir.Block, Sizes](), Sites(module)
        for op in found:
            if op.block not in sizes:
                sizes[op.block] = Sizes(op.block)
            known = sizes[op.block]
            structure = Structure.of(op.opview)
            if all(len(known.extent(structure, dim)) == 1 for dim in range(structure.rank)):
                note(op, "rewrote", "coordinates are computed where they are used")
                columns.split(prod(op.results[0].type.shape))
                with op.location, ir.InsertionPoint(op):
                    replace_op(op, lower(op, sites))
        read_outputs_as_inputs(module)
        run_pipeline(module, "canonicalize,linalg-fuse-elementwise-ops,canonicalize,cse")
        for op in walk_named(module, "linalg.generic"):
            if has_named(op, "tensor.extract"):
                _as_gs(op)


def _reads_elements(op: ir.Operation) -> bool:
    """Points of a space of parallel dims, each of which reads through coordinates of its own."""
    structure = Structure.of(op.opview)
    if len(op.results) == 0 or not structure.coordinates or len(op.regions[0].blocks) != 1:
        return False
    if not all(_needs_no_check(structure, n) for n in range(len(structure.modes))):
        return False
    for output in structure.outputs:
        dims = [plain_dim(expr) for expr in output.map.results]
        if len(dims) != structure.rank or set(dims) != set(range(structure.rank)):
            return False
    moving = {d for d in range(structure.rank) if structure.static_extent(d) != 1}
    return all(
        not any(map(dims_in, access.map.results))
        if _is_indirect(access)
        else _is_projection(access)
        for access in structure.inputs
    ) and all(
        _is_projection(access) and structure.dims_of_symbol(symbol) >= moving
        for symbol, access in enumerate(structure.coordinates)
    )


def _needs_no_check(structure: Structure, symbol: int) -> bool:
    """Any number is a place, or promised to be one."""
    if structure.modes[symbol] == "promise_in_bounds" and not structure.wraps[symbol]:
        return True
    uses = structure.uses(symbol)
    sizes = [use.access.value.type.shape[use.position] for use in uses]
    shifts = [0 if use.form is None else use.form.constant for use in uses]
    # There is a place that all uses have.
    ends = [size - shift for size, shift in zip(sizes, shifts, strict=True)]
    has_place = min(sizes, default=0) > 0 and -min(shifts) < min(ends)
    return structure.modes[symbol] in ("promise_in_bounds", "clip") and has_place


def _is_indirect(access: Access) -> bool:
    return any(symbols_of(expr) for expr in access.map.results)


def _is_projection(access: Access) -> bool:
    """Addressed by dims and zeros alone, as linalg takes it."""
    zero = ir.AffineConstantExpr.get(0)
    dims = [plain_dim(expr) for expr in access.map.results if expr != zero]
    return None not in dims and len(set(dims)) == len(dims)


def _is_computed_here(op: ir.Operation, found: list[ir.Operation], columns: Columns) -> bool:
    """Some coordinate of `op` is computed for nothing but loops and the ops in `found`."""
    values = [access.value for access in Structure.of(op.opview).coordinates]
    computed = [made for value in values if (made := _computing(value, columns))]
    return bool(computed) and all(
        _is_loops(use.owner.operation, found, columns)
        for made in computed
        for use in made.results[0].uses
    )


def _is_loops(user: ir.Operation, found: list[ir.Operation], columns: Columns) -> bool:
    if user.name in VIEWS or token(user) in columns.taken:
        users = (use.owner.operation for use in user.results[0].uses)
        return all(_is_loops(each, found, columns) for each in users)
    return user.name in ("linalg.generic", "tensor.dim") or user in found


def _computing(value: ir.Value, columns: Columns) -> ir.Operation | None:
    """The elementwise linalg.generic that computes `value`, if it does more than casts."""
    made = producer(value)
    while made is not None and (made.name in VIEWS or token(made) in columns.taken):
        made = producer(made.operands[0])
    if made is None or made.name != "linalg.generic" or len(made.results) != 1:
        return None
    loops = of_linalg(made, made.regions[0].blocks[0])
    if loops is None or "reduction" in loops.iterators:
        return None
    *ops, _ = made.regions[0].blocks[0].operations
    return made if any(op.operation.name not in _CASTS for op in ops) else None


def _as_gs(op: ir.Operation) -> None:
    """A linalg.generic on tensors as the gs.generic that it is, if it is one, of which
    convert-gs-to-scf makes loops of several threads."""
    loops = of_linalg(op, op.regions[0].blocks[0])
    if loops is not None:
        replace_op(op, build(loops).results)
