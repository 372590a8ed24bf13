"""What is asked of systems that this one may not be: macOS's names, answered by stand-ins."""

import ctypes
from types import SimpleNamespace
from typing import Any

import pytest
from mlir_gs.execution.machine import cpu, openmp, system

IMAGES = [b"/usr/lib/libSystem.B.dylib", b"/torch/lib/libomp.dylib"]
FACTS = {
    b"machdep.cpu.brand_string": b"Apple M1\0",
    b"hw.cachelinesize": (128).to_bytes(8, "little"),
    b"hw.l1dcachesize": (65536).to_bytes(8, "little"),
    b"hw.l2cachesize": (4 << 20).to_bytes(8, "little"),
}


class Loader:
    """dyld, as ctypes shows a function: with a type of its result."""

    def __init__(self) -> None:
        self.restype: Any = None

    def __call__(self, number: int) -> Any:
        assert self.restype is ctypes.c_char_p
        return IMAGES[number]


def _sysctl(name: bytes, value: Any, size: Any, _new: Any, _new_size: Any) -> int:
    found = FACTS.get(name)
    if found is None:
        return -1
    value[: len(found)] = found
    size._obj.value = len(found)
    return 0


@pytest.fixture
def mac(monkeypatch: pytest.MonkeyPatch) -> Any:
    names = {
        "_dyld_get_image_name": Loader(),
        "_dyld_image_count": lambda: len(IMAGES),
        "sysctlbyname": _sysctl,
    }
    monkeypatch.setattr(system.ctypes, "CDLL", lambda name: SimpleNamespace(**names))
    monkeypatch.setattr(system.sys, "platform", "darwin")
    monkeypatch.setattr(cpu, "_CACHES", "/no/such/folder")
    for each in (cpu.identity, cpu.name, cpu.caches):
        each.cache_clear()
    real = open

    def opened(path: Any, *rest: Any, **options: Any) -> Any:
        if path == "/proc/cpuinfo":
            raise FileNotFoundError(path)
        return real(path, *rest, **options)

    monkeypatch.setattr("builtins.open", opened)
    yield
    for each in (cpu.identity, cpu.name, cpu.caches):
        each.cache_clear()


@pytest.mark.usefixtures("mac")
def test_a_runtime_that_is_loaded_on_macos() -> None:
    assert openmp._loaded() == "/torch/lib/libomp.dylib"
    assert not system.keeps_names_apart()


@pytest.mark.usefixtures("mac")
def test_the_cpu_of_a_mac() -> None:
    assert cpu.name() == "Apple M1"
    assert "Apple M1" in (cpu.identity() or "")
    assert cpu.caches() == (cpu.Cache(1, 65536, 128), cpu.Cache(2, 4 << 20, 128))


def test_a_fact_that_there_is_not() -> None:
    assert system.fact("no.such.name") is None
