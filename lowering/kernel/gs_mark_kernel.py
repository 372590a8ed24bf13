"""`gs-mark-kernel`: which part of `gs-to-llvm` is done."""

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.kernel.attributes import kernel_of
from mlir_gs.lowering.passes.registry import register_pass


@register_pass
@dataclass(frozen=True)
class GsMarkKernel:
    """Write on the kernel that it is on buffers, `gs.buffers`, or in loops, `gs.loops`.

    `gs-to-llvm` then leaves out the passes that lead there.
    """

    name: ClassVar[str] = "gs-mark-kernel"
    level: Literal["buffers", "loops"] = field(
        default="buffers", metadata={"help": "what the kernel consists of by now"}
    )

    def run(self, module: ir.Operation) -> bool:
        function = kernel_of(module)
        if function is not None:
            function.attributes[f"gs.{self.level}"] = ir.UnitAttr.get()
        return False
