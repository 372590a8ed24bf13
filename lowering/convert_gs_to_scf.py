"""`convert-gs-to-scf`: `gs.generic` on memrefs to loops."""

from dataclasses import dataclass, field
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.generic_verify import masked_symbols
from mlir_gs.dialect.structure import Structure
from mlir_gs.lowering.body import Body, bytes_of, vector_element
from mlir_gs.lowering.bounds_check import Sites, emit_checks
from mlir_gs.lowering.builders import walk_named
from mlir_gs.lowering.coordinates import Coordinates
from mlir_gs.lowering.emit import Ix, both, compare, scf
from mlir_gs.lowering.extents import extents_of
from mlir_gs.lowering.fill import fill_constant
from mlir_gs.lowering.nest import Nest, Operands
from mlir_gs.lowering.refs import Ref
from mlir_gs.lowering.registry import fail, register_pass


@register_pass
@dataclass(frozen=True)
class ConvertGsToScf:
    """Lower `gs.generic` on memrefs to scf loops over vectors and elements."""

    name: ClassVar[str] = "convert-gs-to-scf"
    vector_bytes: int = field(default=64, metadata={"help": "bytes of a vector register"})

    def run(self, module: ir.Operation) -> None:
        sites = Sites(module)
        for op in walk_named(module, "gs.generic"):
            if len(op.results) > 0:
                fail(op, "'gs.generic' op is on tensors: run gs-bufferize first")
            with op.location, ir.InsertionPoint(op):
                lower_generic(op, sites, self.vector_bytes)
            op.erase()
        sites.write()


def lower_generic(op: ir.Operation, sites: Sites, vector_bytes: int) -> None:
    """Emit the loops of `op` at the insertion point."""
    structure = Structure.of(op.opview)
    body = Body(op.regions[0].blocks[0], len(structure.inputs))
    extents = extents_of(structure)
    coordinates = Coordinates(structure, extents)
    emit_checks(op, structure, coordinates, extents, sites)
    moves = body.moves_only
    inputs = [Ref.of(access, moves).without_unit_tail() for access in structure.inputs]
    outputs = [Ref.of(access, moves).without_unit_tail() for access in structure.outputs]
    fills = [
        fill_constant(access.value.type.element_type, fill, ref.storage)
        if masked_symbols(structure, access)
        else None
        for access, fill, ref in zip(structure.inputs, structure.fills, inputs, strict=True)
    ]
    operands = Operands(inputs, outputs, fills)
    order = list(range(structure.rank))
    nest = (structure, coordinates, extents, operands, body, order)
    dim = _vector_dim(structure, operands, coordinates, extents, body)
    if dim is None:
        Nest(*nest).emit()
        return
    lanes = _lane_count(operands, extents[dim], vector_bytes)
    stepping = [ref for ref in (*inputs, *outputs) if ref.steps_with(dim, coordinates)]
    condition = None
    for ref in stepping:
        if ref.last_stride == DYNAMIC:
            condition = both(condition, compare("eq", ref.runtime_last_stride(), 1))
    if condition is None:
        Nest(*nest, vector_dim=dim, lanes=lanes).emit()
        return
    branch = scf.IfOp(condition, has_else=True)
    with ir.InsertionPoint(branch.then_block):
        unit = Operands(
            [ref.with_unit_stride() if ref in stepping else ref for ref in inputs],
            [ref.with_unit_stride() if ref in stepping else ref for ref in outputs],
            fills,
        )
        Nest(structure, coordinates, extents, unit, body, order, vector_dim=dim, lanes=lanes).emit()
        scf.yield_([])
    with ir.InsertionPoint(branch.else_block):
        Nest(*nest).emit()
        scf.yield_([])


def _vector_dim(
    structure: Structure,
    operands: Operands,
    coordinates: Coordinates,
    extents: dict[int, Ix],
    body: Body,
) -> int | None:
    """The dim along which all outputs step by one element, when the body runs on vectors."""
    if not body.vectorizable:
        return None
    if not all(vector_element(ref.storage) for ref in (*operands.inputs, *operands.outputs)):
        return None
    for dim in reversed(range(structure.rank)):
        extent = extents[dim]
        if isinstance(extent, int) and extent < 2:
            continue
        if all(_is_plain_last(ref, dim) for ref in operands.outputs) and all(
            ref.steps_with(dim, coordinates) and ref.last_stride in (1, DYNAMIC)
            for ref in operands.outputs
        ):
            usable = all(
                not ref.steps_with(dim, coordinates) or ref.last_stride in (1, DYNAMIC)
                for ref in operands.inputs
            )
            return dim if usable else None
    return None


def _is_plain_last(ref: Ref, dim: int) -> bool:
    results = list(ref.map.results)
    return bool(results) and plain_dim(results[-1]) == dim


def _lane_count(operands: Operands, extent: Ix, vector_bytes: int) -> int:
    widest = max(bytes_of(ref.storage) for ref in (*operands.inputs, *operands.outputs))
    lanes = max(vector_bytes // widest, 2)
    while isinstance(extent, int) and lanes > extent:
        lanes //= 2
    return lanes
