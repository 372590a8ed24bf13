"""`gs-inline-scopes`: memref.alloca_scope to the operations in it."""

from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.builders import has_named, replace_op, walk_named
from mlir_gs.lowering.passes.registry import register_pass

llvm = dialect("llvm")

_SCOPE = "memref.alloca_scope"


@register_pass
@dataclass(frozen=True)
class GsInlineScopes:
    """Inline each memref.alloca_scope, before structured loops in it become blocks.

    before: `memref.alloca_scope { ... memref.alloca ... }`
    after:  `%s = llvm.intr.stacksave; ... memref.alloca ...; llvm.intr.stackrestore %s`

    convert-scf-to-openmp puts one around each body, and the region of a scope has one block. What
    is on the stack is given back only if a memref.alloca is in it.
    """

    name: ClassVar[str] = "gs-inline-scopes"
    only_with: ClassVar[tuple[str, ...]] = (_SCOPE,)

    def run(self, module: ir.Operation) -> None:
        for op in reversed(walk_named(module, _SCOPE)):
            _inline(op)


def _inline(scope: ir.Operation) -> None:
    *operations, last = list(scope.regions[0].blocks[0].operations)
    allocates = has_named(scope, "memref.alloca")
    with scope.location, ir.InsertionPoint(scope):
        saved = llvm.StackSaveOp(ir.Type.parse("!llvm.ptr")).result if allocates else None
        for op in operations:
            op.operation.move_before(scope)
        if saved is not None:
            llvm.StackRestoreOp(saved)
    replace_op(scope, last.operands)
