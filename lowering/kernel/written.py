"""Which memref arguments a function may write."""

from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import VIEWS, module_of, symbol

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


def is_written(value: Any, callers: tuple[str, ...] = ()) -> bool:
    """Whether the memory of `value`, a memref, may be written through it; True when in doubt.

    `callers`: the functions that are being looked into.
    """
    return any(_writes(use, callers) for use in value.uses)


def _writes(use: Any, callers: tuple[str, ...]) -> bool:
    operation = use.owner.operation
    name = operation.name
    if name in _READS:
        return False
    if name in VIEWS:
        return any(is_written(result, callers) for result in operation.results)
    if name == "builtin.unrealized_conversion_cast":
        # To the bits of elements that LLVM lacks.
        refs = [one for one in operation.results if isinstance(one.type, ir.MemRefType)]
        return len(refs) < len(operation.results) or any(is_written(r, callers) for r in refs)
    if name == "func.call":
        return _callee_writes(operation, use.operand_number, callers)
    if name in ("memref.copy", "linalg.copy"):
        return use.operand_number == 1
    if name == "memref.store":
        return use.operand_number == 1
    if "operandSegmentSizes" in operation.attributes and name.startswith(("linalg.", "gs.")):
        sizes = list(operation.attributes["operandSegmentSizes"])
        return use.operand_number >= sum(sizes[:-1])
    return True


def _callee_writes(call: Any, number: int, callers: tuple[str, ...]) -> bool:
    """Whether the function may write its argument `number`; one that calls itself may."""
    name = call.attributes["callee"].value
    for op in module_of(call).regions[0].blocks[0].operations:
        function = op.operation
        if function.name == "func.func" and symbol(function) == name and name not in callers:
            blocks = function.regions[0].blocks
            return len(blocks) == 0 or is_written(blocks[0].arguments[number], (*callers, name))
    return True
