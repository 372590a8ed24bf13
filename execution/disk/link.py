"""Shared libraries of an object: by the system's C compiler, or by `elf_library`."""

import importlib.util
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection, Sequence
from pathlib import Path

from mlir_gs.execution.disk.elf_library import link_library, needed
from mlir_gs.execution.disk.elf_object import ObjectError

BUILTIN = "builtin"
_HERE = f"{platform.machine()}-{sys.platform}"


def is_built_in(triple: str | None = None) -> bool:
    """Whether `elf_library` links for a triple, by default for this machine."""
    return re.fullmatch(r"x86_64-(\w+-)?linux\b.*", triple or _HERE) is not None


SUFFIX = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")


class LinkError(Exception):
    """No library could be made; the text is one line."""


def link(
    code: bytes,
    name: str,
    exported: Collection[str],
    libraries: Sequence[str],
    linker: str | None,
    triple: str | None = None,
) -> bytes:
    """A shared library of an object.

    `libraries` are paths of what it needs but libc and libm, or arguments that say so. `linker` is
    a command that links as `cc` does, `builtin`, or None: $CC, cc, the package ziglang, for another
    triple its gcc or clang, else the one built in, which knows x86-64 Linux. Raises LinkError.
    """
    if linker != BUILTIN:
        command = _words(linker) if linker else compiler() if triple is None else _cross(triple)
        if command is not None:
            return _by_command(command, code, name, libraries, triple or _HERE)
    if not is_built_in(triple):
        where = f" for {triple}: name one by --linker" if triple else ": install one, or set CC"
        raise LinkError(f"no C compiler was found to link with{where}")
    try:
        return link_library(code, name, exported, needed(libraries))
    except ObjectError as error:
        raise LinkError(str(error)) from error


def compiler() -> list[str] | None:
    """The command of a C compiler, None where there is none."""
    given = os.environ.get("CC")
    if given:
        return _words(given)
    for name in ("cc", "gcc", "clang"):
        if shutil.which(name):
            return [name]
    if importlib.util.find_spec("ziglang") is not None:
        return [sys.executable, "-m", "ziglang", "cc"]
    return None


def _cross(triple: str) -> list[str] | None:
    if shutil.which(f"{triple}-gcc"):
        return [f"{triple}-gcc"]
    return ["clang", f"--target={triple}"] if shutil.which("clang") else None


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise LinkError(f"{command:.100}: {error}") from error
    if not words or "\0" in command:
        raise LinkError(f"expected a command that links, found '{command:.100}'")
    return words


def _by_command(
    command: Sequence[str], code: bytes, name: str, libraries: Sequence[str], triple: str
) -> bytes:
    with tempfile.TemporaryDirectory() as place:
        source, target = Path(place) / "kernel.o", Path(place) / "kernel"
        source.write_bytes(code)
        call = [*command, "-shared", "-o", str(target), str(source), *libraries, "-lm"]
        # tvm-ffi's functions are there when the library is loaded, or not needed.
        call += (
            ["-undefined", "dynamic_lookup"]
            if "darwin" in triple or "apple" in triple
            else [f"-Wl,-soname,{name}"]
        )
        try:
            done = subprocess.run(call, capture_output=True, text=True, check=False)
        except OSError as error:
            raise LinkError(f"{command[0]}: {error.strerror}") from error
        if done.returncode:
            raise LinkError(f"{command[0]}: {' '.join(done.stderr.split()) or 'failed'}")
        return target.read_bytes()
