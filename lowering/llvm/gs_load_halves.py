"""Single f16 elements on an x86 that computes with f32 alone.

LLVM loads one into the lowest lane of a vector register (`vpinsrw`) and keeps the other lanes, so
the load depends on what was last computed there, and a reduction of elements at coordinates becomes
one chain. A load into an integer register has no such dependence.
"""

from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.builders import opaque, walk_named

llvm = dialect("llvm")

_COMPUTED = {f"llvm.{name}" for name in ("fadd", "fsub", "fmul", "fdiv", "fpext")}
"""Ops that turn an element into f32 first. Others, such as maxima, gain nothing."""


def load_halves_as_integers(module: Any) -> None:
    """Rewrite the loads of f16 of a module in the LLVM dialect whose element is computed with."""
    half, bits = ir.F16Type.get(), ir.IntegerType.get_signless(16)
    for op in walk_named(module, "llvm.load"):
        element = op.results[0]
        if element.type != half or _COMPUTED.isdisjoint(use.owner.name for use in element.uses):
            continue
        with ir.InsertionPoint.after(op), op.location:
            word = llvm.bitcast(bits, element)
            again = llvm.bitcast(half, opaque(word))
        element.replace_all_uses_except(again, word.owner.operation)
