"""torch-mlir's own conversions of what `gs` has no part in, and the check that none is left."""

from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering import PassFailure, register_pass
from mlir_gs.lowering.builders import walk, walk_named

_TORCH = ("torch.", "torch_c.", "tm_tensor.")

TO_LINALG = [
    "convert-torch-to-gs",
    "func.func(torch-restructure-non-constant-axes,torch-fuse-quantized-ops,"
    "convert-torch-to-tmtensor)",
    "convert-torch-to-gs",
    "func.func(canonicalize,convert-torch-to-linalg,canonicalize,"
    "convert-torch-to-scf,convert-torch-to-arith,convert-torch-to-tensor)",
    "convert-torch-conversion-to-mlprogram",
    "func.func(memref-expand,canonicalize,resolve-shaped-type-result-dims,cse)",
    "torch-func-backend-type-conversion",
    "func.func(canonicalize,torch-finalizing-backend-type-conversion,tm-tensor-bufferize)",
    "mark-fresh-buffers",
    "func.func(tm-tensor-to-loops)",
    "verify-no-torch",
]
"""The steps of `torch-backend-to-linalg-on-tensors-backend-pipeline`, whose last one is a check
that knows no `gs`, and loops for what it leaves in tm_tensor: sorts and scans."""


@register_pass
@dataclass(frozen=True)
class MarkFreshBuffers:
    """Tell One-Shot Bufferize that a buffer allocated in the function is read as one tensor only.

    `tm-tensor-bufferize` leaves `memref.alloc` and `bufferization.to_tensor` without saying so.
    """

    name: ClassVar[str] = "mark-fresh-buffers"

    def run(self, module: ir.Operation) -> None:
        for op in walk_named(module, "bufferization.to_tensor"):
            owner = op.operands[0].owner
            if not isinstance(owner, ir.Block) and owner.operation.name == "memref.alloc":
                op.attributes["restrict"] = ir.UnitAttr.get()


@register_pass
@dataclass(frozen=True)
class VerifyNoTorch:
    """Refuse ops of torch's dialects that no conversion took."""

    name: ClassVar[str] = "verify-no-torch"

    def run(self, module: ir.Operation) -> None:
        left = [op for op in walk(module) if op.name.startswith(_TORCH)]
        for op in left:
            op.location.emit_error(f"'{op.name}' op is not supported: no conversion took it")
        if left:
            raise PassFailure
