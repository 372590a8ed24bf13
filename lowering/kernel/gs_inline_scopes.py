"""`gs-inline-scopes`: memref.alloca_scope to the operations in it."""

from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.builders import enclosing, replace_op, walk_named
from mlir_gs.lowering.passes.registry import register_pass

llvm = dialect("llvm")

_SCOPE = "memref.alloca_scope"
_LOOPS = ("scf.for", "scf.parallel", "affine.for", "affine.parallel")


@register_pass
@dataclass(frozen=True)
class GsInlineScopes:
    """Inline each memref.alloca_scope, before structured loops in it become blocks.

    before: `memref.alloca_scope { ... memref.alloca ... }`
    after:  `%s = llvm.intr.stacksave; ... memref.alloca ...; llvm.intr.stackrestore %s`

    convert-scf-to-openmp puts one around each body, and the region of a scope has one block. What
    is on the stack is given back only if a memref.alloca is in it. Each step of a loop gives back
    what it takes, too.
    """

    name: ClassVar[str] = "gs-inline-scopes"
    only_with: ClassVar[tuple[str, ...]] = (_SCOPE, "memref.alloca")

    def run(self, module: ir.Operation) -> None:
        around = (enclosing(op, _SCOPE, *_LOOPS) for op in walk_named(module, "memref.alloca"))
        holders = {op for op in around if op is not None}
        for op in reversed(walk_named(module, _SCOPE, *_LOOPS)):
            *operations, last = list(op.regions[0].blocks[0].operations)
            if op in holders:
                with op.location, ir.InsertionPoint(operations[0]):
                    saved = llvm.StackSaveOp(ir.Type.parse("!llvm.ptr"))
                with op.location, ir.InsertionPoint(last):
                    operations = [saved, *operations, llvm.StackRestoreOp(saved.result)]
            if op.name == _SCOPE:
                for each in operations:
                    each.operation.move_before(op)
                replace_op(op, last.operands)
