"""What the operating system tells of this process and of its machine, where systems differ."""

import contextlib
import ctypes
import os
import sys
from typing import Any


class _Object(ctypes.Structure):
    """How `dl_phdr_info` begins, what the loader says of a library."""

    _fields_ = (("address", ctypes.c_void_p), ("path", ctypes.c_char_p))


_VISIT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Object), ctypes.c_size_t, ctypes.c_void_p)


def libraries() -> list[str]:
    """The paths of the libraries that the process has loaded, as far as the loader says."""
    with contextlib.suppress(AttributeError, OSError, TypeError):
        everything = ctypes.CDLL(None)
        found = _images(everything) if sys.platform == "darwin" else _objects(everything)
        return [os.fsdecode(path or b"") for path in found]
    return []


def _images(system: Any) -> list[bytes]:
    """By macOS's loader."""
    system._dyld_get_image_name.restype = ctypes.c_char_p
    return [system._dyld_get_image_name(k) for k in range(system._dyld_image_count())]


def _objects(system: Any) -> list[bytes]:
    """By the loader of ELF. Not /proc/self/maps, which has a line for each part of each library."""
    paths: list[bytes] = []

    def visit(library: Any, _size: int, _data: int) -> int:
        paths.append(library.contents.path)
        return 0

    system.dl_iterate_phdr(_VISIT(visit), None)
    return paths


def fact(name: str) -> bytes | None:
    """What macOS and the BSDs say by sysctl: a text, or a little-endian number. None elsewhere."""
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ask = ctypes.CDLL(None).sysctlbyname
        value = ctypes.create_string_buffer(256)
        size = ctypes.c_size_t(len(value))
        if not ask(name.encode(), value, ctypes.byref(size), None, ctypes.c_size_t(0)):
            return value.raw[: size.value]
    return None


def keeps_names_apart() -> bool:
    """Whether a library finds the names of those that it was linked to, which others do not see.
    What is linked with `dynamic_lookup`, as on macOS, finds those that all see."""
    return sys.platform != "darwin"
