"""Modules that are imported when they are first needed."""

import importlib
from types import ModuleType

from mlir_gs._forks import lock


def import_later(name: str) -> ModuleType:
    """The module of this name in this package."""
    with lock:
        return importlib.import_module(f"mlir_gs.execution.{name}")
