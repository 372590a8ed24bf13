"""`gs-canonicalize`: the algebra of gathers and scatters."""

from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering import patterns_casts as _casts
from mlir_gs.lowering import patterns_concat as _concat
from mlir_gs.lowering import patterns_constant as _constant
from mlir_gs.lowering import patterns_gather as _gather
from mlir_gs.lowering import patterns_histogram as _histogram
from mlir_gs.lowering import patterns_inserts as _inserts
from mlir_gs.lowering import patterns_iota as _iota
from mlir_gs.lowering import patterns_masks as _masks
from mlir_gs.lowering import patterns_onehot as _onehot
from mlir_gs.lowering import patterns_pads as _pads
from mlir_gs.lowering import patterns_scatter as _scatter
from mlir_gs.lowering import patterns_sizes as _sizes
from mlir_gs.lowering import patterns_slices as _slices
from mlir_gs.lowering import patterns_values as _values
from mlir_gs.lowering.gs_check_sizes import check_named
from mlir_gs.lowering.patterns import apply_greedily
from mlir_gs.lowering.registry import register_pass

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

    What the ops ask of dynamic sizes is asserted before, as by gs-check-sizes.
    """

    name: ClassVar[str] = "gs-canonicalize"

    def run(self, module: ir.Operation) -> None:
        check_named(module)
        apply_greedily(module)
