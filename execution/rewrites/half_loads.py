"""Single f16 elements on an x86 that computes with f32 alone.

LLVM reads one into the lowest lane of a register (`vpinsrw`) and leaves the others as they are, so
the load waits for what was last computed there, and sums of elements at coordinates wait for each
other: 2.7 times as long on a Zen 4. Through a register for integers an element waits for nothing.
"""

from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.execution.switches import is_on
from mlir_gs.lowering.ir.builders import opaque, walk_named

llvm = dialect("llvm")

_COMPUTED = {f"llvm.{name}" for name in ("fadd", "fsub", "fmul", "fdiv", "fpext")}
"""Ops that turn an element into f32 first. Others, such as maxima, gain nothing."""


def read_halves_apart(module: Any) -> None:
    """Rewrite the loads of f16 of a module in the LLVM dialect whose element is computed with."""
    if not is_on("integer-halves"):
        return
    half, bits = ir.F16Type.get(), ir.IntegerType.get_signless(16)
    for op in walk_named(module, "llvm.load"):
        element = op.results[0]
        if element.type != half or _COMPUTED.isdisjoint(use.owner.name for use in element.uses):
            continue
        with ir.InsertionPoint.after(op), op.location:
            word = llvm.bitcast(bits, element)
            again = llvm.bitcast(half, opaque(word))
        element.replace_all_uses_except(again, word.owner.operation)
