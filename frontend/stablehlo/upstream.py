"""`convert-stablehlo-to-upstream`: what upstream's own legalization of StableHLO leaves."""

from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.stablehlo import bits, concats, control_flow, pads, sizes
from mlir_gs.frontend.stablehlo.common import UPSTREAM, register_dialects
from mlir_gs.frontend.stablehlo.entry import inline_assuming
from mlir_gs.frontend.stablehlo.repairs import repair
from mlir_gs.lowering import register_pass

CONVERSIONS = (bits, concats, control_flow, pads, sizes)
"""Registered by their import."""


@register_pass
@dataclass(frozen=True)
class ConvertStablehloToUpstream:
    """Convert the StableHLO that upstream's legalization leaves to scf, tensor, linalg and cf.

    Converts loops and branches, sizes that are known at run time, and shape assertions. 0-d tensors
    that a loop carries become scalars. Barriers and annotations of sharding are removed. Ops to
    which upstream gives another meaning, such as sums of booleans, are rewritten first.
    """

    name: ClassVar[str] = "convert-stablehlo-to-upstream"

    def run(self, module: ir.Operation) -> None:
        register_dialects(module.context)
        inline_assuming(module)
        repair(module)
        UPSTREAM.convert(module)
