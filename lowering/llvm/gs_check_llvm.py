"""`gs-check-llvm`: refuses what has no lowering to the LLVM dialect."""

from dataclasses import dataclass
from typing import Any, ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import walk
from mlir_gs.lowering.passes.conditions import Names
from mlir_gs.lowering.passes.registry import fail, register_pass

_LOWERED = ("llvm.", "omp.", "builtin.")


@register_pass
@dataclass(frozen=True)
class GsCheckLlvm:
    """Refuse ops that are not of the LLVM dialect or OpenMP, which LLVM would say less clearly."""

    name: ClassVar[str] = "gs-check-llvm"

    def has_work(self, module: Any, names: Names) -> bool:
        """Whether there are such ops."""
        return any(not name.startswith(_LOWERED) for name in names.of(module))

    def run(self, module: ir.Operation) -> None:
        for op in walk(module):
            if not op.name.startswith(_LOWERED):
                fail(op, f"'{op.name}' has no lowering to LLVM")
