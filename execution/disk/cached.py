"""Kernels from the disk: what they are found by, and how they are loaded without MLIR, and without
what `storing` needs."""

import ctypes
import importlib.util
import os
import pickle
import platform
import sys
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from mlir_gs import __version__
from mlir_gs._forks import lock
from mlir_gs.execution.digests import digest
from mlir_gs.execution.disk import cache as disk
from mlir_gs.execution.environment import cache_folder
from mlir_gs.execution.generated import blocks, support, tvm
from mlir_gs.execution.generated.plan import ENGINE_PREFIX, KERNEL_PREFIX, Plan
from mlir_gs.execution.later import import_later
from mlir_gs.execution.machine import cpu, measured, openmp, system
from mlir_gs.execution.signature.signature import Entry
from mlir_gs.execution.switches import is_on

_ROOMS = ("dialect", "lowering", "frontend", "execution")
_COMPILERS = (
    *("disk/cached", "disk/elf_library", "disk/elf_object", "disk/elf_versions"),
    "disk/link",
    "disk/storing",
    "compilation/engine",
)
_BEGUN = time.time_ns()


def enabled() -> bool:
    """Whether kernels are kept on the disk, on this machine and with these settings."""
    return _is_supported() and cache_folder() is not None and is_on("disk")


@cache
def _is_supported() -> bool:
    # Where `elf_library` links, or a C compiler does.
    is_known = sys.platform == "linux" and platform.machine() == "x86_64"
    if not is_known and (sys.platform == "win32" or not import_later("disk.link").compiler()):
        return False
    return cpu.identity() is not None


def key(
    text: str,
    entry: str | None,
    strided: bool,
    threads: int,
    *options: str,
    target: str | None = None,
) -> str:
    """What a kernel is found by: its module, how it is compiled, with what and for which machine.
    Raises CompileError for a target that there is not."""
    layout = "strided" if strided else "contiguous"
    shared = threads > 1 and openmp.torch_runtime() is not None
    on = f"{threads} of torch" if shared else str(threads)
    return digest("kernel 2", text, repr(entry), layout, on, *options, _facts(target), _setting())


def _facts(target: str | None) -> str:
    """What the target stands for that the user names or that was measured, as files change; empty
    without one."""
    if target is None and not os.environ.get("MLIR_GS_TARGET"):
        return measured.text() or ""
    return import_later("machine.host").key(target)


@cache
def _setting() -> str:
    """A digest of what all kernels of a process depend on, but for our own files."""
    library = os.stat(tvm.shared_library())
    versions = (
        __version__,
        repr((library.st_size, library.st_mtime_ns)),
        sys.prefix,
        os.environ.get("MLIR_GS_BINDINGS", ""),
    )
    return digest("setting", *versions, str(cpu.identity()))


@cache
def _sources() -> list[list[Any]]:
    """Paths, sizes and times of our files: changes in an editable installation count. To look at
    all of them takes longer than to look for a kernel, so it is done where one is found."""
    found: list[list[Any]] = []
    for room in _ROOMS:
        spec = importlib.util.find_spec(f"mlir_gs.{room}")
        for place in spec.submodule_search_locations or () if spec is not None else ():
            found += stamps(place, (".py", ".mlir"))
    return found


def are_edited() -> bool:
    """Whether our files were changed since this process began to import them: what it compiles may
    be from before and is not kept."""
    now = time.time_ns()
    return any(_BEGUN < changed <= now for _, _, changed in _sources())


def digest_of_sources() -> str:
    return digest("sources", repr(_sources()))


def stamps(place: str, suffix: str | tuple[str, ...], prefix: str = "") -> list[list[Any]]:
    found: list[list[Any]] = []
    with os.scandir(place) as entries:
        for entry in entries:
            if entry.is_dir() and not prefix and entry.name != "__pycache__":
                found += stamps(entry.path, suffix)
            elif entry.name.endswith(suffix) and entry.name.startswith(prefix):
                about = entry.stat()
                found.append([entry.path, about.st_size, about.st_mtime_ns])
    return sorted(found)


def load(found_by: str) -> tuple[Entry, Any] | None:
    """What the kernel stored under a key takes and gives, and its function; None if there is none
    that can be loaded."""
    try:
        return _loaded(found_by)
    except Exception as error:
        # No error of the cache is one of a call: the kernel is compiled.
        disk.complain(cache_folder(), error)
        return None


def _loaded(found_by: str) -> tuple[Entry, Any] | None:
    found = disk.load(found_by)
    if found is None or not _is_current(found.about["provider"]):
        return None
    if found.about["sources"] != digest_of_sources():
        return None
    try:
        if not _load_support(found.about["support"]) or not _load_openmp(found.about["openmp"]):
            return None
        entry = pickle.loads(found.about["entry"])
        library = _Library(found.path)
        shared = _addresses(_supports[found.about["support"]], support.NAMES)
        kernel = library.address(symbol(entry))
        return entry, blocks.Function(shared, kernel, Plan(entry), library)
    except (OSError, AttributeError):
        # A folder that code cannot be run from, or a library that is not there any more.
        return None


def _is_current(stamps: Sequence[Sequence[Any]]) -> bool:
    """Whether files are as they were: MLIR's libraries, which are not loaded."""
    try:
        found = [(os.stat(path), size, time) for path, size, time in stamps]
    except OSError:
        return False
    return all(a.st_size == size and a.st_mtime_ns == time for a, size, time in found)


def symbol(entry: Entry) -> str:
    """The kernel's name, as for MLIR's execution engine."""
    return ENGINE_PREFIX + KERNEL_PREFIX + entry.name


def _addresses(library: Any, names: Sequence[str]) -> dict[str, int]:
    return {name: ctypes.cast(library[name], ctypes.c_void_p).value or 0 for name in names}


class _Library:
    """A loaded library, closed with the last function of it."""

    def __init__(self, path: Path) -> None:
        self._library = ctypes.CDLL(str(path), os.RTLD_NOW | os.RTLD_LOCAL)
        self._close = importlib.import_module("_ctypes").dlclose

    def address(self, symbol: str) -> int:
        """Of the function of that name."""
        return _addresses(self._library, [symbol])[symbol]

    def __del__(self) -> None:
        library = getattr(self, "_library", None)
        if library is not None:
            self._close(library._handle)


_supports: dict[str, Any] = {}
"""Libraries of shared code by their keys, never closed: results may outlive every kernel."""


def _load_support(found_by: str) -> bool:
    if found_by in _supports:
        return True
    with lock:
        if found_by not in _supports:
            found = disk.load(found_by)
            if found is None:
                return False
            # What the library needs is found by its name where it is loaded.
            ctypes.CDLL(tvm.shared_library())
            seen = os.RTLD_LOCAL if system.keeps_names_apart() else os.RTLD_GLOBAL
            _supports[found_by] = ctypes.CDLL(str(found.path), os.RTLD_NOW | seen)
    return True


def _load_openmp(name: str | None) -> bool:
    if name is None:
        return True
    if openmp.torch_runtime() is not None and support_key(support.text("openmp")) in name:
        found = load_shared(support.text("openmp"), support.OPENMP)
        if found is not None:
            openmp.begin_on_torch(found)
        return found is not None
    library = openmp.runtime()
    if library is None or Path(library).name != name:
        return False
    openmp.load(library)
    return True


def support_key(text: str) -> str:
    return digest("support", text, _setting(), _compilers())


@cache
def _compilers() -> str:
    """The sizes and times of the files that make a library of a text."""
    room = Path(__file__).parents[1]
    found = [(room / f"{name}.py").stat() for name in _COMPILERS]
    return repr([(one.st_size, one.st_mtime_ns) for one in found])


def has_support(text: str) -> bool:
    """Whether the object of the module `text`, which all kernels call, is kept."""
    return disk.has(support_key(text))


def load_shared(text: str, names: Sequence[str]) -> dict[str, int] | None:
    """The addresses of functions of the module `text`, if its object is kept and can be loaded."""
    try:
        found_by = support_key(text)
        if not _load_support(found_by):
            return None
        return _addresses(_supports[found_by], names)
    except Exception as error:
        disk.complain(cache_folder(), error)
        return None
