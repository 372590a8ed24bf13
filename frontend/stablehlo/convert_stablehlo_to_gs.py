"""`convert-stablehlo-to-gs` and `gs-import-stablehlo`: modules as JAX and its kin export them."""

from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.stablehlo import (
    boundary,
    entry,
    gather,
    scalars,
    scans,
    scatter,
    select,
    slices,
    sort,
    upstream,
)
from mlir_gs.frontend.stablehlo.common import STABLEHLO, bindings, register_dialects, rewrite
from mlir_gs.frontend.stablehlo.numbers import NUMBERS
from mlir_gs.frontend.stablehlo.reductions import SUMS
from mlir_gs.frontend.stablehlo.repeated import share_calls
from mlir_gs.lowering import register_pass, register_pipeline

CONVERSIONS = (
    boundary, entry, gather, scalars, scans, scatter, select, slices, sort, upstream,
)  # fmt: skip
"""Registered by their import."""


@register_pass
@dataclass(frozen=True)
class ConvertStablehloToGs:
    """Convert StableHLO's gathers, scatters and slices to gs; other ops stay."""

    name: ClassVar[str] = "convert-stablehlo-to-gs"

    def run(self, module: ir.Operation) -> None:
        register_dialects(module.context)
        share_calls(module)
        rewrite(module, NUMBERS)
        rewrite(module, SUMS)
        sort.sort_all(module)
        sort.select_first(module)
        STABLEHLO.convert(module)


@register_pipeline(
    "gs-import-stablehlo", doc="Convert a StableHLO module to gs and upstream's dialects."
)
def gs_import_stablehlo() -> list[str]:
    """The result has gs, linalg, tensor, arith, math and scf, with signless integers."""
    bindings()
    return [
        "func.func(stablehlo-legalize-composite-to-call),inline,symbol-dce",
        "stablehlo-check-forms",
        "func.func(chlo-legalize-to-stablehlo,convert-shape-constraints,"
        "stablehlo-canonicalize-dynamism)",
        "gs-check-sizes,convert-stablehlo-to-gs,convert-stablehlo-to-upstream",
        "stablehlo-legalize-to-linalg,gs-repair,convert-shape-to-std",
        "stablehlo-check-converted,stablehlo-enter-signless",
        "stablehlo-convert-to-signless,reconcile-unrealized-casts",
        "stablehlo-group-sums,convert-products-to-gs{apart},linalg-fuse-elementwise-ops",
        "linalg-scalars-of-0d,canonicalize,cse",
    ]
