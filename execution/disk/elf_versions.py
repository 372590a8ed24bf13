"""Which version of a symbol of glibc a library is to be bound to.

The dynamic loader binds a name without a version to the oldest function of that name, which may be
slower: an old memcpy, an expf that sets errno. Linkers write down the version that is the default
where they run, and so does this.
"""

import ctypes
import os
import struct
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import NamedTuple

LIBRARIES = ("libc.so.6", "libm.so.6")
FIRST = (2, 2, 5)
"""glibc's first version for x86-64."""


class Version(NamedTuple):
    """A version's name, and the name of the file that has it."""

    file: str
    name: str


def versions(names: Iterable[str], needed: Sequence[str]) -> dict[str, Version]:
    """The default version of each symbol that glibc has, where its libraries are `needed`."""
    files = tuple(file for file in LIBRARIES if file in needed)
    found = {name: _default(name, files) for name in names}
    return {name: version for name, version in found.items() if version is not None}


@cache
def _default(name: str, files: tuple[str, ...]) -> Version | None:
    """The newest version in the first of `files` that has any: a kernel's names are looked for in
    all of them, and are mostly those of the kernel before."""
    for file in files if _known() else ():
        library = ctypes.CDLL(file)
        lookup = ctypes.CDLL(None).dlvsym
        lookup.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p]
        lookup.restype = ctypes.c_void_p
        for version in _known():
            if lookup(library._handle, name.encode(), version.encode()):
                return Version(file, version)
    return None


@cache
def _known() -> list[str]:
    """The names of glibc's versions, the newest first; none where the C library is another one."""
    try:
        text = os.confstr("CS_GNU_LIBC_VERSION") or ""
    except (AttributeError, ValueError):
        return []
    numbers = text.removeprefix("glibc ").split(".")
    if len(numbers) < 2 or numbers[0] != "2" or not numbers[1].isdigit():
        return []
    newer = [f"GLIBC_2.{minor}" for minor in range(int(numbers[1]), FIRST[1], -1)]
    return [*newer, "GLIBC_" + ".".join(map(str, FIRST))]


def hash_of(name: str) -> int:
    """ELF's hash of a name."""
    value = 0
    for byte in name.encode():
        value = (value << 4) + byte
        high = value & 0xF0000000
        value = (value ^ high >> 24) & ~high
    return value


class Table:
    """The versions of a library's imports as the loader reads them: for each of its symbols the
    number of one, and for each library that it needs them from a list."""

    def __init__(self, wanted: Sequence[Version | None], add: Callable[[str], int]) -> None:
        """`wanted`: of each dynamic symbol; `add` puts a string into the table of strings and says
        where it is."""
        chosen = list(dict.fromkeys(version for version in wanted if version is not None))
        # 0 is for local symbols, 1 for those without a version.
        numbers = {version: number for number, version in enumerate(chosen, 2)}
        of_symbols = [0, *(1 if v is None else numbers[v] for v in wanted)]
        self.of_symbols = struct.pack(f"<{len(of_symbols)}H", *of_symbols)
        by_file: dict[str, list[Version]] = {}
        for version in chosen:
            by_file.setdefault(version.file, []).append(version)
        self.count = len(by_file)
        needs = bytearray()
        for k, (file, own) in enumerate(by_file.items(), 1):
            following = 0 if k == len(by_file) else 16 + 16 * len(own)
            needs += struct.pack("<HHIII", 1, len(own), add(file), 16, following)
            for n, version in enumerate(own, 1):
                rest = 0 if n == len(own) else 16
                fields = (hash_of(version.name), 0, numbers[version], add(version.name), rest)
                needs += struct.pack("<IHHII", *fields)
        self.needs = bytes(needs)
