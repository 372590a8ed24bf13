"""Copies of memrefs that are not contiguous, as loops."""

from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.builders import walk_named

linalg = dialect("linalg")


def strided_copies_to_linalg(module: Any) -> None:
    """A copy that upstream's lowering does not take for one of contiguous memory becomes loops: it
    would call a runtime library that the bindings do not carry."""
    copies = walk_named(module, "memref.copy")
    strided = [op for op in copies if not all(_is_compact(v.type) for v in op.operands)]
    for op in strided:
        with ir.InsertionPoint(op), op.location:
            linalg.copy(op.operands[0], outs=[op.operands[1]])
        op.erase()


def _is_compact(memref_type: Any) -> bool:
    if memref_type.rank == 1 and memref_type.has_static_shape and memref_type.shape[0] > 0:
        return memref_type.get_strides_and_offset()[0] == [1]
    return ir.AffineMapAttr.get(ir.AffineMap.get_identity(memref_type.rank)) == memref_type.layout
