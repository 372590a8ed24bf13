"""Buffers that the compiled code cannot have."""

from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import walk
from mlir_gs.lowering.passes.diagnostics import location_text
from mlir_gs.lowering.passes.registry import PassFailure


def check_elements(module: Any) -> None:
    """Refuse buffers of elements that have no fixed place in memory, by PassFailure.

    tf32 is a format of registers. Integers between 64 and 128 bits are laid out by the target,
    which upstream's engine learns after it has computed how much to allocate.
    """
    for op in walk(module):
        for result in op.results:
            type_ = result.type
            if isinstance(type_, ir.MemRefType) and not _has_place(type_.element_type):
                raise PassFailure(
                    f"{location_text(op.location)}: error: '{op.name}' op no buffer can hold "
                    f"elements of {type_.element_type}"
                )


def _has_place(element: ir.Type) -> bool:
    if isinstance(element, ir.ComplexType):
        return _has_place(element.element_type)
    if isinstance(element, ir.IntegerType):
        return 0 < element.width <= 64 or (element.width > 0 and element.width % 128 == 0)
    return str(element) != "tf32"
