"""Which memref arguments a function may write."""

from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import VIEWS

_READS = (
    "memref.load",
    "memref.dim",
    "memref.rank",
    "memref.prefetch",
    "memref.extract_strided_metadata",
    "memref.extract_aligned_pointer_as_index",
    "vector.load",
    "vector.maskedload",
    "vector.gather",
    "vector.transfer_read",
    "affine.load",
    "affine.vector_load",
)


def is_written(value: Any) -> bool:
    """Whether the memory of `value`, a memref, may be written through it; True when in doubt."""
    return any(_writes(use) for use in value.uses)


def _writes(use: Any) -> bool:
    operation = use.owner.operation
    name = operation.name
    if name in _READS:
        return False
    if name in VIEWS:
        return any(is_written(result) for result in operation.results)
    if name == "builtin.unrealized_conversion_cast":
        # To the bits of elements that LLVM lacks.
        refs = [one for one in operation.results if isinstance(one.type, ir.MemRefType)]
        return len(refs) < len(operation.results) or any(map(is_written, refs))
    if name in ("memref.copy", "linalg.copy"):
        return use.operand_number == 1
    if name == "memref.store":
        return use.operand_number == 1
    if "operandSegmentSizes" in operation.attributes and name.startswith(("linalg.", "gs.")):
        sizes = list(operation.attributes["operandSegmentSizes"])
        return use.operand_number >= sum(sizes[:-1])
    return True
