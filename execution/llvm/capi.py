"""MLIR's C API, in the library that the bindings call."""

import ctypes
import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from mlir_gs.dialect._bindings import PROVIDER
from mlir_gs.dialect._bindings import module as provider_module

_KNOWN = ("module", "opt_level", "shared_libs", "enable_object_dump", "enable_pic")
"""What the bindings make an engine of. Where they take something else, so may the C API."""

_CAPSULE = f"{PROVIDER}.execution_engine.ExecutionEngine._CAPIPtr".encode()
"""The name of the capsule that the bindings take an engine from."""

# Not the attribute of ctypes.pythonapi, to which other packages give other types.
_new_capsule = ctypes.PYFUNCTYPE(
    ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p
)(("PyCapsule_New", ctypes.pythonapi))


def _bindings() -> Any:
    return provider_module("_mlir_libs._mlirExecutionEngine")


def is_known() -> bool:
    """Whether the bindings make an engine of `_KNOWN`."""
    described = (_bindings().ExecutionEngine.__init__.__doc__ or "").partition("->")[0]
    return tuple(re.findall(r"(\w+):", described)) == _KNOWN


@cache
def exports() -> Any | None:
    """What has its functions; None where they may be others than those that are known."""
    try:
        # What the extension is linked with is looked through as well.
        return ctypes.CDLL(_bindings().__file__) if is_known() else None
    except OSError:
        return None


def addresses(names: Iterable[str]) -> list[int] | None:
    """Of its functions, None where one is lacking."""
    found = exports()
    if found is None:
        return None
    try:
        return [ctypes.addressof(ctypes.c_char.in_dll(found, name)) for name in names]
    except ValueError:
        return None


def engine_at(address: int) -> Any:
    """The bindings' engine that has the one at an address from now on."""
    bindings: Any = provider_module("execution_engine")
    return bindings.ExecutionEngine._CAPICreate(_new_capsule(address, _CAPSULE, None))
