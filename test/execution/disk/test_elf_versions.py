"""Libraries that the built-in linker makes are bound to the functions that others are."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest
from aot_support import x86_linux
from mlir_gs.dialect._bindings import ir
from mlir_gs.execution.compilation.engine import travelling_code
from mlir_gs.execution.disk import elf_versions
from mlir_gs.execution.disk.elf_library import link_library, needed

glibc = pytest.mark.skipif(
    "CS_GNU_LIBC_VERSION" not in getattr(os, "confstr_names", {}),
    reason="for the libraries of glibc: the C library of this Python is another one",
)

ADDRESSES = """
llvm.func @memcpy(!llvm.ptr, !llvm.ptr, i64) -> !llvm.ptr
llvm.func @expf(f32) -> f32
llvm.func @free(!llvm.ptr)
llvm.func @address(%which: i64) -> !llvm.ptr {
  %0 = llvm.mlir.addressof @memcpy : !llvm.ptr
  %1 = llvm.mlir.addressof @expf : !llvm.ptr
  %2 = llvm.mlir.addressof @free : !llvm.ptr
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %first = llvm.icmp "eq" %which, %c0 : i64
  %second = llvm.icmp "eq" %which, %c1 : i64
  %later = llvm.select %second, %1, %2 : i1, !llvm.ptr
  %r = llvm.select %first, %0, %later : i1, !llvm.ptr
  llvm.return %r : !llvm.ptr
}
"""


def library(place: Path, libraries: list[str]) -> Path:
    with ir.Context(), ir.Location.unknown():
        code = travelling_code(ir.Module.parse(ADDRESSES), "address", parallel=False)
    target = place / "addresses.so"
    target.write_bytes(link_library(code, "addresses.so", ["address"], libraries))
    return target


@x86_linux
@glibc
def test_names_are_bound_to_the_default_versions(tmp_path: Path) -> None:
    """As by dlsym and by other linkers, not to the oldest."""
    address = ctypes.CDLL(str(library(tmp_path, needed([])))).address
    address.argtypes, address.restype = [ctypes.c_int64], ctypes.c_void_p
    math, everything = ctypes.CDLL("libm.so.6"), ctypes.CDLL(None)
    for which, function in enumerate((everything.memcpy, math.expf, everything.free)):
        assert address(which) == ctypes.cast(function, ctypes.c_void_p).value


@x86_linux
@glibc
def test_versions() -> None:
    found = elf_versions.versions(["memcpy", "expf", "gs_is_not_there"], needed([]))
    assert {name: version.file for name, version in found.items()} == {
        "memcpy": "libc.so.6",
        "expf": "libm.so.6",
    }
    assert found["memcpy"].name == "GLIBC_2.14"
    # Nothing is known of what is not loaded before it.
    assert set(elf_versions.versions(["memcpy", "expf"], ["libc.so.6"])) == {"memcpy"}


@x86_linux
def test_a_process_with_nothing_else(tmp_path: Path) -> None:
    """A process loads it that has nothing else."""
    target = library(tmp_path, needed([]))
    code = "import ctypes, sys; ctypes.CDLL(sys.argv[1])"
    subprocess.run([sys.executable, "-I", "-c", code, str(target)], check=True, timeout=60)


def test_hash() -> None:
    """The figures are those of binutils for these names."""
    assert elf_versions.hash_of("GLIBC_2.2.5") == 0x09691A75
    assert elf_versions.hash_of("GLIBC_2.14") == 0x06969194


def test_without_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    """With another C library there are none, and nothing is asked for by one."""
    monkeypatch.setattr(elf_versions, "_known", list)
    elf_versions._default.cache_clear()
    assert elf_versions.versions(["memcpy"], ["libc.so.6"]) == {}
    elf_versions._default.cache_clear()
