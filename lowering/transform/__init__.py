"""The dialect `gs_transform`: transform ops on `gs` ops, for schedules with upstream's."""

import importlib
from typing import Any

from mlir_gs.dialect._bindings import ir


def load_transform_ops(context: ir.Context | None = None) -> None:
    """Load the dialect `gs_transform` into `context`, or into the current one; doing it again
    changes nothing.

    The tools and `mlir_gs.compile` do so for a text that names it: loading takes a while.
    """
    chosen: Any = context or ir.Context.current
    if not chosen.is_dialect_loaded("gs_transform"):
        ops = importlib.import_module("mlir_gs.lowering.transform.ops")
        chosen.enable_multithreading(False)
        with chosen, ir.Location.unknown(chosen):
            ops.GsTransform.load()
