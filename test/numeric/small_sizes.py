"""Every way in which loops are lowered, at any size: random programs are small.

Threads, buckets, strips, private copies, stores past the caches and prefetches wait for sizes at
which they pay. Here these are next to nothing, as if the machine had hardly a cache.
"""

import importlib
from collections.abc import Callable
from typing import Any

from mlir_gs.execution.machine import host

# By module of mlir_gs.lowering, names as they are used there.
SIZES: dict[str, dict[str, int]] = {
    "scf.strategies.buckets": {"FAR": 0, "POINTS_PER_ROW": 0, "ROW_BYTES": 0},
    "scf.strategies.work": {"SERIAL_BYTES": 0},
    "scf.strategies.sharing": {"SERIAL_BYTES": 0},
    "scf.strategies.halo": {"LINE": 16, "SERIAL_BYTES": 0, "WINDOWS": 0},
    "scf.loops.owned_points": {"BLOCK": 8},
    "scf.strategies.records": {"BLOCK": 16, "LINE": 16, "PIECE_BYTES": 32, "SERIAL_BYTES": 0},
    "scf.strategies.cuts": {"LINE": 16},
    "scf.strategies.owned": {"LINE": 16, "SERIAL_BYTES": 0},
    "scf.loops.point_strips": {"TOGETHER": 2},
    "scf.prefetch.policy": {"COORDINATES_PER_AHEAD": 0, "L2_BYTES": -1, "LONG_ROW": 64},
    "scf.strategies.private": {"POINTS_PER_ELEMENT": 0},
    "op.long_rows": {"LONG_BYTES": 0},
    "scf.strategies.block_sums": {"BUFFER_BYTES": 128, "MANY": 0, "SHORT": 1 << 30},
    "scf.strategies.strips": {
        "FAR": 0,
        "FAR_ROWS_PER_POINT": 1 << 20,
        "ROWS_PER_POINT": 1 << 20,
        "ROW_BYTES": 8,
    },
    "scf.threads": {"SERIAL_BYTES": 0},
    "scf.loops.word_packing": {"SHORTEST": 0},
}


def apply(assign: Callable[[Any, str, Any], None] = setattr) -> None:
    """Lower so from now on; `assign` sets an attribute. Kernels that were kept on the disk are not
    lowered again: MLIR_GS_CACHE=off is up to the caller."""
    for module, sizes in SIZES.items():
        found = importlib.import_module(f"mlir_gs.lowering.{module}")
        for name, size in sizes.items():
            if not isinstance(getattr(found, name), int):
                raise TypeError(f"{module}.{name} is no number")
            assign(found, name, size)
    assign(host, "target", lambda given=None: "tiny")
