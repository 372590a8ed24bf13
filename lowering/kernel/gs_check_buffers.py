"""`gs-check-buffers`: refuses buffers and vectors that compiled code cannot have."""

from dataclasses import dataclass
from math import prod
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import walk
from mlir_gs.lowering.passes.registry import fail, register_pass


@register_pass
@dataclass(frozen=True)
class GsCheckBuffers:
    """Refuse buffers of elements without a fixed place in memory, and scalable vectors.

    tf32 is a format of registers. Integers between 64 and 128 bits are laid out by the target,
    which upstream's engine learns after it has computed how much to allocate. LLVM ends the process
    at a scalable vector where the CPU has none.
    """

    name: ClassVar[str] = "gs-check-buffers"

    def run(self, module: ir.Operation) -> bool:
        for op in walk(module):
            if op.name == "vector.vscale":
                fail(op, f"'{op.name}' op gives the size of scalable vectors, {_UNSUPPORTED}")
            for result in op.results:
                type_ = result.type
                if op.name == "memref.get_global" and prod(type_.shape) > _MOST:
                    fail(op, f"'{op.name}' op {type_} is larger than the data of a program")
                if isinstance(type_, ir.MemRefType) and not _has_place(type_.element_type):
                    element = type_.element_type
                    fail(op, f"'{op.name}' op no buffer can hold elements of {element}")
                if isinstance(type_, ir.VectorType) and type_.scalable:
                    fail(op, f"'{op.name}' op has scalable vectors, {_UNSUPPORTED}: {type_}")
        return False


_MOST = (1 << 31) - 1  # Elements that an instruction addresses in a program's data.
_UNSUPPORTED = "which are not supported"


def _has_place(element: ir.Type) -> bool:
    if isinstance(element, ir.ComplexType):
        return _has_place(element.element_type)
    if isinstance(element, ir.IntegerType):
        return 0 < element.width <= 64 or (element.width > 0 and element.width % 128 == 0)
    return str(element) != "tf32"
