"""`gs.histogram` taken apart."""

from collections.abc import Sequence

from mlir_gs.dialect._bindings import ir


def decompose_histogram(op: ir.OpView) -> Sequence[ir.Value]:
    raise NotImplementedError
