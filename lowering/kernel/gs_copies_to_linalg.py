"""`gs-copies-to-linalg`: copies of memrefs that are not contiguous, as loops."""

from dataclasses import dataclass
from typing import Any, ClassVar

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.builders import walk_named
from mlir_gs.lowering.passes.registry import register_pass

linalg = dialect("linalg")


@register_pass
@dataclass(frozen=True)
class GsCopiesToLinalg:
    """Rewrite each memref.copy from or to memory that is not contiguous to linalg.copy.

    Upstream would lower it to a call of `memrefCopy`, of a runtime library that the bindings do not
    carry.
    """

    name: ClassVar[str] = "gs-copies-to-linalg"
    only_with: ClassVar[tuple[str, ...]] = ("memref.copy",)

    def run(self, module: ir.Operation) -> None:
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
