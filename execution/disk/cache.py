"""Compiled code on the disk, kept between processes.

One file for each kernel: a shared library, what it takes and gives, pickled, and a footer with
a checksum of both. The dynamic loader reads the library and ignores what follows it. The folder is
`$XDG_CACHE_HOME/mlir-gs`; `MLIR_GS_CACHE` names another, or is `off`. `MLIR_GS_CACHE_SIZE` is its
size in MiB; what was used longest ago goes first.

Loading a file may run anything. So the folder and the file must belong to the user (or to root) and
be writable by no one else, and the checksum must fit. Whatever is wrong with the cache, kernels are
compiled instead.
"""

import contextlib
import os
import pickle
import stat
import struct
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from mlir_gs.execution.digests import checksum
from mlir_gs.execution.environment import CACHE, cache_folder, environment_number, write

VARIABLE = CACHE
SIZE_VARIABLE = "MLIR_GS_CACHE_SIZE"
SUFFIX = ".gs.so"
TUNED = ".tuned.json"
"""The end of the name of a file that says what `compile(tune=)` found."""

DEFAULT_SIZE = 256
"""MiB."""

_FOOTER = struct.Struct("<QQ32s8s")
_MAGIC = b"GSCACHE1"
_LARGEST = 1 << 30
_ABANDONED = 3600.0
"""Seconds after which an unfinished file belongs to no running process."""

_said: set[Path | None] = set()


@dataclass(frozen=True)
class Found:
    """A file that passed all checks: the library's place, and what was stored with it."""

    path: Path
    about: dict[str, Any]


def load(key: str) -> Found | None:
    """What is stored under `key`, None where there is nothing that may be loaded."""
    place = cache_folder()
    if place is None:
        return None
    path = place / (key + SUFFIX)
    try:
        data = _read(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        complain(place, error)
        return None
    about = _checked(key, data)
    if about is None:
        _warn("%s: damaged; it is not loaded", path)
        forget(key)
        return None
    with contextlib.suppress(OSError):
        os.utime(path)
    return Found(path, about)


def place_of(key: str) -> Path | None:
    """Where what is stored under `key` is, if there is such a folder."""
    place = cache_folder()
    return None if place is None else place / (key + SUFFIX)


def has(key: str) -> bool:
    """Whether there is a file for `key`, unchecked."""
    place = place_of(key)
    try:
        return place is not None and place.exists()
    except OSError:
        # A folder that may not be searched, a name that is too long.
        return False


def store(key: str, library: bytes, about: dict[str, Any]) -> None:
    """Keep `library` and `about`, which pickle can hold, for `load`; nothing if that fails."""
    place = cache_folder()
    if place is None:
        return
    described = pickle.dumps(about)
    check = checksum(key.encode(), library, described)
    data = library + described + _FOOTER.pack(len(library), len(described), check, _MAGIC)
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        _require_private(os.stat(place), str(place))
        write(place / (key + SUFFIX), data)
        if key.endswith("0"):
            # One of sixteen: to look at all files may take longer than to compile a kernel.
            _trim(place)
    except OSError as error:
        complain(place, error)


def complain(place: Path | None, error: Exception) -> None:
    """Log once what is wrong with a folder, which is no error of anyone's call."""
    if place not in _said:
        _said.add(place)
        why = getattr(error, "strerror", None) or error
        _warn("a kernel is not kept on the disk, or not found there: %s: %s", place, why)


def _warn(text: str, *about: object) -> None:
    # Not at the top: most calls have nothing to say.
    import logging

    logging.getLogger("mlir_gs.cache").warning(text, *about)


def forget(key: str) -> None:
    """Remove what is stored under `key`."""
    place = place_of(key)
    if place is not None:
        with contextlib.suppress(OSError):
            os.unlink(place)


def _read(path: Path) -> bytes:
    _require_private_folder(path.parent)
    # To open a pipe waits for who writes it, and a device may do anything.
    _require_file(os.lstat(path))
    flags = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    handle = os.open(path, os.O_RDONLY | flags)
    with open(handle, "rb") as file:
        about = os.fstat(handle)
        _require_file(about)
        _require_private(about, str(path))
        return file.read()


def _require_file(about: os.stat_result) -> None:
    if not stat.S_ISREG(about.st_mode):
        raise PermissionError(0, "not a regular file")
    if about.st_size > _LARGEST:
        raise PermissionError(0, "too large for a kernel")


@cache
def _require_private_folder(place: Path) -> None:
    _require_private(os.stat(place), str(place))


def _require_private(about: os.stat_result, name: str) -> None:
    if not hasattr(os, "geteuid"):
        return
    if about.st_uid not in (os.geteuid(), 0):
        raise PermissionError(0, "belongs to another user", name)
    if about.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise PermissionError(0, "can be written by other users", name)


def _checked(key: str, data: bytes) -> dict[str, Any] | None:
    if len(data) < _FOOTER.size:
        return None
    library, described, check, magic = _FOOTER.unpack_from(data, len(data) - _FOOTER.size)
    if magic != _MAGIC or library + described + _FOOTER.size != len(data):
        return None
    text = data[library : library + described]
    if checksum(key.encode(), data[:library], text) != check:
        return None
    return pickle.loads(text)


def _trim(place: Path) -> None:
    """Remove what was used longest ago until the folder is within its size."""
    found = []
    now = time.time()
    with os.scandir(place) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                about = entry.stat(follow_symlinks=False)
                if entry.name.endswith((SUFFIX, TUNED)):
                    found.append((about.st_mtime, about.st_size, entry.path))
                elif entry.name.startswith("new-") and now - about.st_mtime > _ABANDONED:
                    os.unlink(entry.path)
    size = sum(bytes_ for _, bytes_, _ in found)
    limit = environment_number(SIZE_VARIABLE, DEFAULT_SIZE) << 20
    for _, bytes_, path in sorted(found):
        if size <= limit:
            break
        with contextlib.suppress(OSError):
            os.unlink(path)
        size -= bytes_
