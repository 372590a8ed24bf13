"""The loads and stores of upstream: what they address, and what their places are computed from."""

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import producer, walk

LOADS = ("tensor.extract", "memref.load", "affine.load")
STORES = ("memref.store", "affine.store", "tensor.insert")
PURE = ("arith.", "math.", "complex.", "index.", "affine.apply", "memref.dim", "tensor.dim")
PARALLEL = ("scf.parallel", "scf.forall", "affine.parallel", "omp.parallel")
STAYS = "gs.stays"
"""On loops that are there for memrefs that share memory."""


def access(op: ir.Operation) -> tuple[ir.Value, list[ir.Value], ir.AffineMap | None]:
    """What a load or store addresses, the numbers that say where, and the map over them."""
    values = list(op.operands)[1 if op.name in STORES else 0 :]
    given = op.attributes["map"].value if op.name.startswith("affine.") else None
    return values[0], values[1:], given


def indirect(op: ir.Operation) -> list[ir.Operation]:
    """The loads and stores in `op` whose place is computed from what another load has read."""
    found = []
    arguments = list(op.regions[0].blocks[0].arguments) if op.name == "linalg.generic" else []
    for each in walk(op):
        if each.name not in (*LOADS, *STORES):
            continue
        todo = list(access(each)[1])
        seen: set[ir.Value] = set()
        while todo:
            number = todo.pop()
            made = producer(number)
            if number in arguments or (made is not None and made.name in LOADS):
                found.append(each)
                break
            if made is not None and number not in seen and not len(made.regions):
                seen.add(number)
                todo += made.operands
    return found
