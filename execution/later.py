"""Modules that are imported when they are first needed, and what a fork waits for."""

import importlib
import os
import threading
from types import ModuleType

lock = threading.RLock()
"""Held while a kernel is built: contexts are single-threaded, and one that a caller gave may serve
several kernels. A fork waits for it, so that its child finds no context that another thread was
working in and no module that it was importing: the child has no such thread."""

if hasattr(os, "register_at_fork"):
    # Here, as what is registered while a fork waits would be released without being held.
    os.register_at_fork(
        before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release
    )


def import_later(name: str) -> ModuleType:
    """The module of this name in this package."""
    with lock:
        return importlib.import_module(f"mlir_gs.execution.{name}")
