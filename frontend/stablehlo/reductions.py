"""`stablehlo-group-sums`: StableHLO leaves the order of reductions open, and so do their loops."""

from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering import register_pass
from mlir_gs.lowering.ir.builders import walk_named


@register_pass
@dataclass(frozen=True)
class StablehloGroupSums:
    """Mark sums and products of floats over the elements of one tensor with `reassoc`.

    Applies to the linalg.generic that upstream makes of `stablehlo.reduce`. Products of matrices
    stay: their sums run in the order of the dims.
    """

    name: ClassVar[str] = "stablehlo-group-sums"

    def run(self, module: ir.Operation) -> None:
        flag = ir.Attribute.parse("#arith.fastmath<reassoc>", module.context)
        for op in walk_named(module, "linalg.generic"):
            if len(op.operands) != 2 or not any(
                "reduction" in str(kind) for kind in op.attributes["iterator_types"]
            ):
                continue
            ops = [each.operation for each in op.regions[0].blocks[0].operations]
            combine, *rest = [each for each in ops if not each.name.startswith("tensor.")]
            if combine.name in ("arith.addf", "arith.mulf") and len(rest) == 1:
                combine.attributes["fastmath"] = flag
