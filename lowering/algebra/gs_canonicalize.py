"""`gs-canonicalize`: the algebra of gathers and scatters."""

from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.algebra import casts, dims, histograms
from mlir_gs.lowering.algebra.patterns import apply_greedily
from mlir_gs.lowering.passes.registry import register_pass
from mlir_gs.lowering.sizes.gs_check_sizes import check_named

# The import of these registers their patterns.
PATTERN_MODULES = (casts, dims, histograms)


@register_pass
@dataclass(frozen=True)
class GsCanonicalize:
    """Apply the canonical patterns of `gs` until none fires.

    Constraints on dynamic sizes are asserted first, as by gs-check-sizes.
    """

    name: ClassVar[str] = "gs-canonicalize"

    def run(self, module: ir.Operation) -> None:
        check_named(module)
        apply_greedily(module)
