"""`gs-canonicalize`: the algebra of gathers and scatters."""

from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.algebra import casts as _casts
from mlir_gs.lowering.algebra import concat as _concat
from mlir_gs.lowering.algebra import constant as _constant
from mlir_gs.lowering.algebra import dims as _sizes
from mlir_gs.lowering.algebra import equal_values as _values
from mlir_gs.lowering.algebra import gathers as _gather
from mlir_gs.lowering.algebra import histograms as _histogram
from mlir_gs.lowering.algebra import inserts as _inserts
from mlir_gs.lowering.algebra import iota as _iota
from mlir_gs.lowering.algebra import masks as _masks
from mlir_gs.lowering.algebra import onehot as _onehot
from mlir_gs.lowering.algebra import pads as _pads
from mlir_gs.lowering.algebra import scatters as _scatter
from mlir_gs.lowering.algebra import slices as _slices
from mlir_gs.lowering.algebra.patterns import apply_greedily
from mlir_gs.lowering.passes.registry import register_pass
from mlir_gs.lowering.sizes.gs_check_sizes import check_named

PATTERN_MODULES = (
    _gather,
    _histogram,
    _scatter,
    _constant,
    _concat,
    _iota,
    _values,
    _casts,
    _masks,
    _onehot,
    _pads,
    _sizes,
    _slices,
    _inserts,
)


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
