"""Which OpenMP runtime kernels run on, and how many threads they get."""

import ctypes
import importlib.util
import operator
import os
import re
import sys
import warnings
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from mlir_gs._forks import lock
from mlir_gs.execution.environment import number
from mlir_gs.execution.machine.cpu import cpu_count
from mlir_gs.execution.machine.system import libraries

_LIBRARIES = ("libomp.so", "libiomp5.so", "libomp.so.5", "libomp.dylib", "libiomp5md.dll")


@cache
def runtime() -> str | None:
    """The path or name of an OpenMP runtime with LLVM's interface, None if there is none.

    One that the process has loaded comes first, as two of them abort; then that of the package
    cmeel-libomp, one in Python's environment, where Conda puts its own, and the system's libomp.
    """
    return _loaded() or _packaged() or _in_environment() or _installed()


def _loaded() -> str | None:
    ends = tuple(f"/{name}" for name in _LIBRARIES)
    found = sorted(path for path in libraries() if path.endswith(ends))
    return os.path.abspath(found[0]) if found else None


_GNU = (
    *("GOMP_parallel", "GOMP_barrier"),
    *("omp_get_thread_num", "omp_get_num_threads", "omp_get_max_threads"),
)
"""What `__gs_openmp_begin` of generated/openmp.c takes, in its order."""


def torch_runtime() -> Any | None:
    """torch's OpenMP runtime if kernels run on its threads, None if on those of `runtime`.

    They do where it is GNU's and no other with LLVM's interface is loaded when this is first asked
    with torch imported: threads of two runtimes spin while those of the other compute."""
    # Half imported, torch may not have loaded it.
    return _gnu_runtime() if hasattr(sys.modules.get("torch"), "_C") else None


@cache
def _gnu_runtime() -> Any | None:
    if not sys.platform.startswith("linux") or _loaded() is not None:
        return None
    torch = (path for path in libraries() if path.endswith("/libtorch_cpu.so"))
    # In the order in which torch looked for it.
    for path in (None, *torch):
        found = ctypes.CDLL(path)
        if hasattr(found, _GNU[0]):
            is_gnu = not hasattr(found, "__kmpc_fork_call")
            return found if is_gnu and hasattr(found, "omp_pause_resource_all") else None
    return None


_begun: set[int] = set()


def begin_on_torch(functions: Mapping[str, int]) -> None:
    """Give torch's runtime to `functions` of generated/openmp.c, by their names."""
    begin, gnu = functions["__gs_openmp_begin"], torch_runtime()
    with lock:
        if begin in _begun or gnu is None:
            return
        taken = (ctypes.c_void_p * len(_GNU))(*(ctypes.cast(gnu[n], ctypes.c_void_p) for n in _GNU))
        if ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)(begin)(taken):
            raise OSError("no key of a thread's data is left")
        _begun.add(begin)
        # A child lacks the threads, and would wait for them.
        os.register_at_fork(before=lambda: gnu.omp_pause_resource_all(_HARD))


_HARD = 2
"""How OpenMP calls that its threads end."""


def _packaged() -> str | None:
    spec = importlib.util.find_spec("cmeel")
    folders = (spec and spec.submodule_search_locations) or ()
    return _first_in(os.path.join(folder, "..", "cmeel.prefix", "lib") for folder in folders)


def _in_environment() -> str | None:
    # Where Python is the system's, this may be the folder of 32-bit libraries.
    return None if sys.prefix == "/usr" else _first_in([os.path.join(sys.prefix, "lib")])


def _first_in(folders: Iterable[str]) -> str | None:
    paths = (os.path.join(folder, name) for folder in folders for name in _LIBRARIES)
    return next((os.path.realpath(path) for path in paths if os.path.exists(path)), None)


def _installed() -> str | None:
    # Not at the top: it brings in what starts processes, for which a first call would wait.
    import ctypes.util

    found = ctypes.util.find_library("omp") or ctypes.util.find_library("iomp5")
    if found is not None and not Path(found).is_absolute():
        folders = [Path("/usr/lib"), Path("/usr/local/lib"), *Path("/usr/lib").glob("llvm-*/lib")]
        folders += [Path("/usr/lib") / f"{sys.implementation._multiarch}"]
        paths = [folder / found for folder in folders if (folder / found).exists()]
        return str(paths[0]) if paths else found
    return found


MOST_THREADS = 1024
"""A runtime that cannot start its threads ends the process."""


def thread_count(wanted: int | None) -> int:
    """Threads for a kernel: `wanted`, OMP_NUM_THREADS, or the CPUs of this process; 1 without
    OpenMP, MOST_THREADS at most. Raises TypeError for what is no integer, ValueError for fewer
    than 1."""
    wanted = wanted_threads(wanted)
    if wanted == 1:
        return 1
    if runtime() is None:
        _warn_once()
        return 1
    return wanted


def wanted_threads(wanted: int | None) -> int:
    """`thread_count` where there is OpenMP."""
    if wanted is None:
        return min(_from_environment() or cpu_count(), MOST_THREADS)
    try:
        # A truth value is no number of threads.
        if isinstance(wanted, bool):
            raise TypeError
        count = operator.index(wanted)
    except TypeError:
        is_plain = isinstance(wanted, bool | float | str)
        found = repr(wanted)[:100] if is_plain else type(wanted).__name__
        raise TypeError(f"threads: expected an integer, found {found}") from None
    if count < 1:
        found = str(count) if count > -(1 << 63) else "a negative one"
        raise ValueError(f"threads: expected 1 or more, found {found}")
    return min(count, MOST_THREADS)


_WAITS = ("KMP_BLOCKTIME", "OMP_WAIT_POLICY")
# What a stack may take; the offset is taken once for each thread before.
_STACKS = {
    **dict.fromkeys(("OMP_STACKSIZE", "GOMP_STACKSIZE", "KMP_STACKSIZE"), 1 << 30),
    "KMP_STACKOFFSET": (1 << 30) // MOST_THREADS,
}
_SIZE = re.compile(r"\s*(\d+)\s*([KMGTPEZ]?)B?\s*", re.ASCII | re.IGNORECASE)
_UNITS = " KMGTPEZ"


@cache
def load(library: str) -> Any:
    """The runtime, started: what it reads in the environment meanwhile is what it can work with. It
    ends the process over 2^31 threads, and over stacks for which there is no room."""
    loaded = ctypes.CDLL(library, os.RTLD_NOW | os.RTLD_LOCAL)
    changed = {**_bounded(), **_waiting()}
    if changed:
        before = {name: os.environ[name] for name in changed if name in os.environ}
        os.environ.update(changed)
        try:
            loaded.omp_get_max_threads()
        finally:
            for name in changed.keys() - before.keys():
                del os.environ[name]
            os.environ.update(before)
    return loaded


def _waiting() -> dict[str, str]:
    """How long threads without work spin, where that is not given, in ms: many times as long as it
    takes to wake them, and not so long that they are in the way of torch's threads."""
    return {} if any(name in os.environ for name in _WAITS) else {"KMP_BLOCKTIME": "1"}


def _bounded() -> dict[str, str]:
    """The variables whose values are out of bounds or no numbers, with values within them: of a
    list that it cannot read, the runtime uses memory that it has not written."""
    found = {}
    wanted = os.environ.get("OMP_NUM_THREADS")
    if wanted:
        counts = [min(number(one) or 1, MOST_THREADS) for one in wanted.split(",")]
        found["OMP_NUM_THREADS"] = ",".join(map(str, counts))
    for name, most in _STACKS.items():
        size = _SIZE.fullmatch(os.environ.get(name, ""))
        # Without a unit it is in KiB.
        unit = 10 * _UNITS.index(size[2].upper() or "K") if size else 0
        if size and (number(size[1]) or 0) << unit > most:
            found[name] = f"{most}B"
    return found


def _from_environment() -> int | None:
    """The first of the numbers that OMP_NUM_THREADS lists; what is no number does not count."""
    return number(os.environ.get("OMP_NUM_THREADS", "").partition(",")[0]) or None


@cache
def _warn_once() -> None:
    warnings.warn(
        "no OpenMP runtime was found (pip install cmeel-libomp, or install libomp):"
        " kernels run on one thread",
        stacklevel=6,
    )
