"""Every way in which loops are lowered, at any size: random programs are small.

Threads, strips, private copies, non-temporal stores and prefetches wait for sizes at
which they pay. On the target `tiny` these are next to nothing, as if the machine had no cache.
"""

from collections.abc import Callable
from typing import Any

from mlir_gs.execution.machine import host

SHARED = "native:serial-bytes=0:column-bytes=64"
"""This machine, whose threads share little work, too: rows, or columns of 64 bytes each."""


def apply(assign: Callable[[Any, str, Any], None] = setattr) -> None:
    """Lower so from now on; `assign` sets an attribute. Kernels that were kept on the disk are not
    lowered again: MLIR_GS_CACHE=off is up to the caller."""
    assign(host, "target", lambda given=None: "tiny")
