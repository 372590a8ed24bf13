"""Elements that are written at constant coordinates, a line's at a time.

Where offsets are known, LLVM makes vectors of the stores that lie in one line, with masks for what
lies between them. Masked stores to memory are slower than single ones. So what only moves goes
through registers for integers, which LLVM does not look into. Where there is one store for each
line, or neighbours need no mask, it stays as it is.
"""

from collections.abc import Iterable

import numpy as np
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import symbols_of
from mlir_gs.dialect.structure import dims_in
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.constants import constants_of
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.refs import Ref
from mlir_gs.lowering.op.volume import LINE

SIZES = (4, 8)
"""Bytes of what fills a register for integers."""


def are_in_lines(job: Job, ref: Ref) -> bool:
    """Whether the output `ref` has elements that only move, at constant offsets from where loops
    are, of which some are less than a line apart."""
    if not job.body.moves_only or isinstance(ref.storage, ir.ComplexType):
        return False
    size = bytes_of(ref.storage)
    found = [expr for expr in list(ref.map.results)[-1:] if symbols_of(expr) and dims_in(expr)]
    if size not in SIZES or not found or ref.last_stride != 1:
        return False
    gaps = _gaps(job, symbols_of(found[0]))
    # Places that are written twice are one. Of runs of neighbours with a line and more between
    # them LLVM makes vectors without masks.
    return bool(((gaps > 1) & (gaps * size < LINE)).any())


def _gaps(job: Job, symbols: Iterable[int]) -> np.ndarray:
    """What lies between the coordinates of the first of `symbols` whose are constant, in order."""
    for symbol in symbols:
        offsets = constants_of(job.structure.coordinates[symbol].value)
        if offsets is not None:
            return np.diff(np.sort(offsets, axis=None))
    return np.empty(0, np.int64)
