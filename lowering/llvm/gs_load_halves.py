"""`gs-load-halves`: single f16 elements on an x86 that computes with f32 alone."""

from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.builders import opaque, walk_named
from mlir_gs.lowering.passes.registry import register_pass

llvm = dialect("llvm")

_COMPUTED = {f"llvm.{name}" for name in ("fadd", "fsub", "fmul", "fdiv", "fpext")}
"""Ops that turn an element into f32 first. Others, such as maxima, gain nothing."""


@register_pass
@dataclass(frozen=True)
class GsLoadHalves:
    """Load single f16 elements that are computed with as integers.

    before: `%x = llvm.load %p : !llvm.ptr -> f16`
    after:  the load, a bitcast to i16 that LLVM cannot look through, and a bitcast back

    LLVM loads an f16 into the lowest lane of a vector register and keeps the other lanes: the load
    then depends on what was last computed there, and a reduction of elements at coordinates becomes
    one chain. A load into an integer register has no such dependence. Pays on an x86 without
    arithmetic on f16.
    """

    name: ClassVar[str] = "gs-load-halves"
    only_with: ClassVar[tuple[str, ...]] = tuple(_COMPUTED)

    def run(self, module: ir.Operation) -> None:
        half, bits = ir.F16Type.get(), ir.IntegerType.get_signless(16)
        for op in walk_named(module, "llvm.load"):
            element = op.results[0]
            if element.type != half or _COMPUTED.isdisjoint(use.owner.name for use in element.uses):
                continue
            with ir.InsertionPoint.after(op), op.location:
                word = llvm.bitcast(bits, element)
                again = llvm.bitcast(half, opaque(word))
            element.replace_all_uses_except(again, word.owner.operation)
