"""Passes and pipelines on `gs`. Importing this package registers those of its files `gs_*.py` and
`convert_*.py`; the class of each pass is a name of the package, as `GsFuse`."""

from importlib import import_module
from pkgutil import walk_packages
from typing import Any

from mlir_gs.lowering.passes.add_passes import add_passes
from mlir_gs.lowering.passes.pipeline_text import PipelineError
from mlir_gs.lowering.passes.python_passes import PassFailure
from mlir_gs.lowering.passes.registry import (
    build_pass_manager,
    fail,
    register_pass,
    register_pipeline,
    registered_passes,
    registered_pipelines,
    run_pipeline,
)

__all__ = [
    "PassFailure", "PipelineError", "add_passes", "build_pass_manager", "fail", "register_pass",
    "register_pipeline", "registered_passes", "registered_pipelines", "run_pipeline",
]  # fmt: skip

for _file in walk_packages(__path__, f"{__name__}."):
    if _file.name.rpartition(".")[2].startswith(("gs_", "convert_")):
        import_module(_file.name)


def __getattr__(name: str) -> Any:
    """The class of a pass."""
    for found in registered_passes().values():
        if found.__name__ == name and found.__module__.startswith(f"{__name__}."):
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
