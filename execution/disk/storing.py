"""Kernels to the disk: their machine code is linked, and kept with what they take and give."""

import contextlib
import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mlir_gs.execution.disk import cache, cached, link
from mlir_gs.execution.disk.elf_library import link_library, needed
from mlir_gs.execution.disk.elf_object import ObjectError
from mlir_gs.execution.generated import tvm
from mlir_gs.execution.signature.signature import Entry


def store_support(text: str, code: bytes, exported: Sequence[str]) -> None:
    """Keep the object `code` of the module `text`, which defines `exported`."""
    name = cached.support_key(text)
    if cached.are_edited():
        return
    with contextlib.suppress(ObjectError, link.LinkError):
        cache.store(name, _library(code, _soname(name), exported, [tvm.shared_library()]), {})


@dataclass(frozen=True)
class Code:
    """What a kernel consists of on the disk: its object, what it takes and gives, the text of the
    module that all kernels call, the folder of MLIR's libraries, and the OpenMP runtime if the
    code needs one."""

    code: bytes
    entry: Entry
    support: str
    provider: str
    openmp: str | None


def store(found_by: str, kernel: Code) -> None:
    """Keep a kernel under a key, if it can be linked."""
    if cached.are_edited():
        return
    shared = cached.support_key(kernel.support)
    libraries = [place(shared), tvm.shared_library(), *([kernel.openmp] if kernel.openmp else [])]
    name = f"gs-{found_by}.so"
    try:
        library = _library(kernel.code, name, [cached.symbol(kernel.entry)], libraries)
    except (ObjectError, link.LinkError):
        return
    about = {
        "entry": pickle.dumps(kernel.entry),
        "support": shared,
        "openmp": None if kernel.openmp is None else Path(kernel.openmp).name,
        "provider": cached.stamps(kernel.provider, "", "lib"),
        "sources": cached.digest_of_sources(),
    }
    cache.store(found_by, library, about)


def place(found_by: str) -> str:
    """How a library of shared code is named to the linker."""
    return _soname(found_by) if link.is_built_in() else str(cache.place_of(found_by))


def _soname(found_by: str) -> str:
    return f"gs-support-{found_by}.so"


def _library(code: bytes, name: str, exported: Sequence[str], libraries: Sequence[str]) -> bytes:
    """A library, which needs others by the names that this process has loaded."""
    if link.is_built_in():
        return link_library(code, name, exported, needed(libraries))
    return link.link(code, name, exported, libraries, None)
