"""Outputs that are filled with a constant right before an op: it starts from the constant instead.

What the op reaches is not filled, so it is neither written twice nor read; what segments leave
between them is filled by them. Other fills are shared by the threads, as the ops are.
"""

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.dialect.generic import generic
from mlir_gs.dialect.structure import Structure
from mlir_gs.lowering.ir.builders import VIEWS, memory_of, producer
from mlir_gs.lowering.ir.emit import any_of, compare, size_of, when
from mlir_gs.lowering.op.body import vector_element
from mlir_gs.lowering.op.extents import extents_of
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.lanes import vector_dim
from mlir_gs.lowering.op.segments import can_fill, find_segments

_HARMLESS = ("arith.", "memref.dim", *VIEWS)


def take_fill(op: ir.Operation, fill: ir.Operation | None) -> ir.Attribute | None:
    """The constant that the output of `op`, on memrefs, is filled with, if it may start from it.

    `fill` is the linalg.fill before it with nothing in between that touches memory, if there is
    one. It is then left for sizes at which `op` does not reach all of the output.
    """
    if fill is None:
        return None
    structure = Structure.of(op.opview)
    if len(structure.outputs) != 1 or structure.outputs[0].value != fill.operands[1]:
        return None
    (output,) = structure.outputs
    found = [plain_dim(expr) for expr in output.map.results]
    dims = [dim for dim in found if dim is not None]
    if len(set(dims)) != len(dims) or (len(dims) != len(found) and not _in_segments(op)):
        return None
    if not vector_element(output.value.type.element_type) or _sums_in_memory(op, structure, dims):
        return None
    # What else goes through the memory would see the fill.
    others = (*structure.inputs, *structure.coordinates)
    if any(memory_of(access.value) == memory_of(output.value) for access in others):
        return None
    constant = producer(fill.operands[0], "arith.constant")
    if constant is None or fill.operands[0].type != output.value.type.element_type:
        return None
    # Sizes may be known only here, and nothing since has touched memory.
    with ir.InsertionPoint(op), fill.location:
        extents = extents_of(structure)
        ends = [(size_of(output.value, d), extents[n]) for d, n in enumerate(found) if n in extents]
        missed = [compare("sgt", size, n) for size, n in ends if size != n]
        missed += [compare("eq", size, 0) for size in Job.of(op).sizes_inside()]
        if missed:
            when(any_of(missed), fill.clone)
    fill.erase()
    return constant.attributes["value"]


def _sums_in_memory(op: ir.Operation, structure: Structure, dims: list[int]) -> bool:
    if len(dims) == structure.rank:
        return False
    with op.location, ir.InsertionPoint(op):
        job = Job.of(op)
        return job.sums_in_memory(vector_dim(job), perhaps=True)


def _in_segments(op: ir.Operation) -> bool:
    with op.location, ir.InsertionPoint(op):
        job = Job.of(op)
        dim = vector_dim(job)
        return can_fill(job, find_segments(job, dim), dim)


def fills_before(module: ir.Operation) -> list[ir.Operation | None]:
    """For each gs.generic in program order the linalg.fill that `take_fill` takes."""
    found: list[ir.Operation | None] = []
    for region in module.regions:
        for block in region.blocks:
            fill = None
            for op in block.operations:
                op = op.operation
                if op.name == "gs.generic":
                    found.append(fill)
                found += fills_before(op)
                if op.name == "linalg.fill":
                    fill = op
                elif not op.name.startswith(_HARMLESS):
                    fill = None
    return found


def shared_fills(module: ir.Operation) -> list[ir.Operation]:
    """The linalg.fill on memrefs that each call of a function runs once."""
    functions = [op for op in module.regions[0].blocks[0] if op.operation.name == "func.func"]
    ops = [op.operation for one in functions for block in one.regions[0] for op in block.operations]
    return [
        fill
        for fill in ops
        if fill.name == "linalg.fill"
        and isinstance(fill.operands[1].type, ir.MemRefType)
        and fill.operands[1].type.rank > 0
        and fill.operands[0].type == fill.operands[1].type.element_type
    ]


def fill_by_elements(fill: ir.Operation) -> ir.Operation:
    """`fill` as a gs.generic in its place."""
    op = generic([], [], [fill.operands[1]], body=lambda _: fill.operands[0])
    fill.erase()
    return op
