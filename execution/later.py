"""Modules that are imported when they are first needed."""

import importlib
import sys
from types import ModuleType
from typing import Any

from mlir_gs._forks import lock


def import_later(name: str) -> ModuleType:
    """The module of this name in this package."""
    with lock:
        return importlib.import_module(f"mlir_gs.execution.{name}")


def loaded(module: str, name: str) -> Any:
    """What a module has under this name, if it is imported; None while a thread imports it."""
    return getattr(sys.modules.get(module), name, None)
