"""tvm-ffi: its library, and its package, which is imported when it is needed, without torch.

The import brings in torch where that is installed, which is slow, for conversions that this project
does not use: torch's tensors bring their own, which is found by their type. Where the process has
torch already, tvm-ffi sees it.
"""

import importlib
import importlib.util
import os
import sys
import threading
from functools import cache
from typing import Any

from mlir_gs._forks import lock


class _WithoutTorch:
    """A finder that hides torch from the thread that made it."""

    def __init__(self) -> None:
        self._thread = threading.get_ident()

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name == "torch" and threading.get_ident() == self._thread:
            raise ModuleNotFoundError("hidden while tvm-ffi is imported", name=name)


@cache
def ffi() -> Any:
    """The package."""
    with lock:
        finder: Any = _WithoutTorch()
        if "torch" not in sys.modules:
            sys.meta_path.insert(0, finder)
        try:
            return importlib.import_module("tvm_ffi")
        finally:
            if finder in sys.meta_path:
                sys.meta_path.remove(finder)


@cache
def shared_library() -> str:
    """The path of the library, which is found without the package."""
    spec = importlib.util.find_spec("tvm_ffi")
    names = {"darwin": "libtvm_ffi.dylib", "win32": "tvm_ffi.dll"}
    name = names.get(sys.platform, "libtvm_ffi.so")
    for place in (spec and spec.submodule_search_locations) or ():
        path = os.path.join(place, "lib", name)
        if os.path.exists(path):
            return path
    return str(ffi().libinfo.find_libtvm_ffi())
