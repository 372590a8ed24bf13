"""`convert-stablehlo-to-upstream`: what upstream's own legalization of StableHLO leaves."""

from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend import (
    stablehlo_bits,
    stablehlo_control_flow,
    stablehlo_pads,
    stablehlo_sizes,
)
from mlir_gs.frontend.stablehlo_common import UPSTREAM, register_dialects
from mlir_gs.frontend.stablehlo_entry import inline_assuming
from mlir_gs.frontend.stablehlo_repairs import repair
from mlir_gs.lowering import register_pass


@register_pass
@dataclass(frozen=True)
class ConvertStablehloToUpstream:
    """Convert the StableHLO that upstream's legalization leaves to scf, tensor, linalg and cf.

    Loops and branches, sizes that are known at run time, shape assertions. 0-d tensors that a
    loop carries become scalars; barriers and notes on sharding go. Ops that upstream takes in
    another sense, such as sums of booleans, are spelled so that it does not.
    """

    name: ClassVar[str] = "convert-stablehlo-to-upstream"

    def run(self, module: ir.Operation) -> None:
        register_dialects(module.context)
        inline_assuming(module)
        repair(module)
        UPSTREAM.convert(module)


__all__ = [
    "ConvertStablehloToUpstream",
    "stablehlo_bits",
    "stablehlo_control_flow",
    "stablehlo_pads",
    "stablehlo_sizes",
]
