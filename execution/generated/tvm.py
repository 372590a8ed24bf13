"""tvm-ffi, imported without torch.

Its import brings in torch where that is installed, which is slow, for conversions that this
project does not use: torch's tensors bring their own, which is found by their type. Where the
process has torch already, tvm-ffi sees it.
"""

import sys
import threading
from typing import Any


class _WithoutTorch:
    """A finder that hides torch from the thread that made it."""

    def __init__(self) -> None:
        self._thread = threading.get_ident()

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name == "torch" and threading.get_ident() == self._thread:
            raise ModuleNotFoundError("hidden while tvm-ffi is imported", name=name)


_finder: Any = _WithoutTorch()
if "torch" not in sys.modules:
    sys.meta_path.insert(0, _finder)
try:
    import tvm_ffi
finally:
    if _finder in sys.meta_path:
        sys.meta_path.remove(_finder)

__all__ = ["tvm_ffi"]
