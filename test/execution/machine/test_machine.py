"""What is lowered differently for the cores that were measured, by what Linux says of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir
from mlir_gs.execution.aot import aot
from mlir_gs.execution.compilation import pipeline
from mlir_gs.execution.machine import cpu as this_cpu
from mlir_gs.execution.machine import host as machine
from mlir_gs.execution.machine import target_features
from sources import GATHER, scatter_add

CPUS = {
    "Emerald Rapids": "vendor_id : GenuineIntel\ncpu family : 6\nflags : avx2 avx512f avx512_fp16",
    "Granite Rapids": "vendor_id : GenuineIntel\ncpu family : 6\nflags : avx2 avx512f avx512_fp16",
    "Cascade Lake": "vendor_id : GenuineIntel\ncpu family : 6\nflags : sse2 avx2 avx512f",
    "Zen 5": "vendor_id : AuthenticAMD\ncpu family : 26\nflags : sse2 avx2 avx512f avx_vnni",
    "Zen 4": "vendor_id : AuthenticAMD\ncpu family : 25\nflags : sse2 avx2 avx512f",
    "Zen 3": "vendor_id : AuthenticAMD\ncpu family : 25\nflags : sse2 avx2",
    "Skylake": "vendor_id : GenuineIntel\ncpu family : 6\nflags : sse2 avx2",
    "Neoverse": "Features : fp asimd\nCPU implementer : 0x41",
    "unknown": None,
}
USUAL = {
    "copied-stream-bytes": "0",
    "stream-reads": "0",
    "stream-scattered": "true",
    "hardware-gather": "never",
    "gathered-bytes": "0",
    "gathered-fill-bytes": "0",
    "words": "true",
    "owned-bytes": "1048576",
    "records-bytes": "1048576",
    "bucket-bytes": "16384",
    "column-bytes": "256",
    "written-strip-bytes": "128",
    "write-ahead": "0",
    "element-write-ahead": "0",
    "read-ahead": "0",
    "sums-ahead": "0",
    "sparing-reads": "true",
    "prefetch-level": "1",
    "element-level": "1",
    "element-near-bytes": "0",
    "far-bytes": "4194304",
    "far-reduced-bytes": "4194304",
    "far-taken-bytes": "4194304",
    "far-set-bytes": "1048576",
    "elements-ahead": "32",
    "apart-ahead": "16",
    "row-ahead": "8192",
    "lines-ahead": "2048",
    "moved-ahead": "0",
    "memory-rows-bytes": "0",
    "memory-updates-bytes": "0",
    "beside-ahead": "0",
    "counts-ahead": "0",
    "copied-ahead": "0",
    "copied-least": "1048576",
}
INTEL = {
    "stream-scattered": "false",
    "write-ahead": "4096",
    "element-write-ahead": "4096",
    "read-ahead": "2048",
    "sparing-reads": "false",
}
EMERALD_RAPIDS = {
    **INTEL,
    "hardware-gather": "always",
    "records-bytes": "262144",
    "element-level": "2",
    "far-bytes": "8388608",
    "far-reduced-bytes": "33554432",
    "far-taken-bytes": "8388608",
}
OTHERWISE = {
    "Emerald Rapids": EMERALD_RAPIDS,
    "Granite Rapids": {
        **EMERALD_RAPIDS,
        "stream-scattered": "true",
        "copied-stream-bytes": str(machine.cache_bytes() * 4 // 3),
        "gathered-bytes": "98304",
        "gathered-fill-bytes": "4194304",
        "element-near-bytes": str(machine.cache_bytes()),
        "apart-ahead": "32",
        "far-bytes": "16777216",
        "far-taken-bytes": "16777216",
        "element-write-ahead": "0",
        "moved-ahead": "32768",
        "memory-rows-bytes": str(64 << 11),
        "memory-updates-bytes": str(2 * machine.cache_bytes()),
        "copied-ahead": "4096",
    },
    "Cascade Lake": {**INTEL, "stream-reads": "2"},
    "Zen 5": {
        "hardware-gather": "fill",
        "words": "false",
        "owned-bytes": "16777216",
        "records-bytes": "8388608",
        "bucket-bytes": "65536",
        "column-bytes": "128",
        "written-strip-bytes": "256",
        "read-ahead": "2048",
        "sums-ahead": "10240",
        "element-level": "2",
        "far-bytes": "16777216",
        "far-reduced-bytes": "16777216",
        "far-taken-bytes": str(1 << 60),
        "far-set-bytes": "16777216",
        "elements-ahead": "128",
        "row-ahead": "16384",
        "lines-ahead": "8192",
        "beside-ahead": "8192",
        "copied-ahead": "16384",
    },
    "Zen 4": {
        "records-bytes": "262144",
        "read-ahead": "2048",
        "prefetch-level": "2",
        "element-level": "2",
        "far-bytes": "1048576",
        "far-reduced-bytes": "1048576",
        "far-taken-bytes": "1048576",
        "row-ahead": "16384",
        "words": "false",
        "lines-ahead": "16384",
        "counts-ahead": "6144",
        "copied-ahead": "4096",
        "copied-least": str(machine.cache_bytes() // 2),
    },
    "Skylake": {"stream-scattered": "false"},
}


INSTRUCTIONS = {"Granite Rapids": 64, "Emerald Rapids": 32}
"""KiB of the cache that a core's instructions have."""


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """What was found out about this machine is found out again, before and after."""

    def forget() -> None:
        this_cpu.words.cache_clear()
        this_cpu.caches.cache_clear()

    forget()
    yield
    forget()


@pytest.mark.parametrize("cpu", CPUS)
def test_options_of_cpus(cpu: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        machine.platform, "machine", lambda: "aarch64" if cpu == "Neoverse" else "x86_64"
    )
    monkeypatch.setattr(this_cpu, "identity", lambda: CPUS[cpu])
    kinds = (("Data", 48 << 10), ("Instruction", INSTRUCTIONS.get(cpu, 64) << 10))
    monkeypatch.setattr(this_cpu, "caches", lambda: kinds)
    text = pipeline.to_scf(2)
    vector_bytes = 32 if cpu == "Neoverse" else 64
    assert text.startswith(f"convert-gs-to-scf{{vector-bytes={vector_bytes} threads=2 cache-bytes=")
    options = {**USUAL, **OTHERWISE.get(cpu, {})}
    assert text.endswith(" " + " ".join(f"{name}={value}" for name, value in options.items()) + "}")


@pytest.mark.parametrize("cpus", [("x86-64-v3",), ("znver4",), ("x86-64-v2", "x86-64-v4")])
def test_code_for_another_cpu(cpus: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """What is made for a CPU does not depend on the one that it is made on."""
    with dialect.context() as context:
        module = ir.Module.parse(scatter_add("drop") + GATHER, context)
    monkeypatch.setattr(machine.platform, "machine", lambda: "x86_64")
    found = set()
    for cpu in ("Emerald Rapids", "Zen 5", "Zen 4", "Cascade Lake", "unknown"):
        monkeypatch.setattr(this_cpu, "identity", lambda cpu=cpu: CPUS[cpu])
        size = (1 << 18) + (len(cpu) << 20)
        monkeypatch.setattr(this_cpu, "caches", lambda size=size: (("Unified", size),))
        monkeypatch.setattr(machine.os, "cpu_count", lambda cpu=cpu: len(cpu))
        for kept in (this_cpu.words, machine.cache_bytes, target_features.target_features):
            kept.cache_clear()
        made = aot.compile_ahead(module, ["add", "rows"], aot.Options(cpus, threads=2))
        found.add(str(made.module) + made.code.hex())
    machine.cache_bytes.cache_clear()
    target_features.target_features.cache_clear()
    assert len(found) == 1


@pytest.mark.parametrize(("cpu", "strip"), [("Zen 5", 512), ("Zen 4", 128)])
def test_strips_of_one_thread(cpu: str, strip: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine.platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(this_cpu, "identity", lambda: CPUS[cpu])
    assert f" written-strip-bytes={strip} " in pipeline.to_scf(1)


@pytest.mark.parametrize(
    ("cpu", "alone"), [("Zen 5", True), ("Zen 4", True), ("Emerald Rapids", False)]
)
def test_what_gathers_is_not_taken_apart(
    cpu: str, alone: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LLVM makes loads of gathers that it is told not to prefer."""
    monkeypatch.setattr(machine.platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(this_cpu, "identity", lambda: CPUS[cpu])
    features = target_features.target_features.__wrapped__
    assert ("+prefer-no-gather" in features()) == alone
    assert "+prefer-no-gather" not in features(True)
    assert "+prefer-no-scatter" in features(True)


def test_the_last_level_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(this_cpu, "_CACHES", str(tmp_path))
    assert machine.cache_bytes.__wrapped__() == 32 << 20
    this_cpu.caches.cache_clear()
    for name, size in {"index0": "48K", "index2": "2M", "index3": "1536K", "odd": "?"}.items():
        write_cache(tmp_path / name, size)
    (tmp_path / "index4").mkdir()
    (tmp_path / "uevent").touch()
    assert sorted(this_cpu.caches()) == [("Unified", n << 10) for n in (48, 1536, 2048)]
    assert machine.cache_bytes.__wrapped__() == 2 << 20


def write_cache(folder: Path, size: str) -> None:
    folder.mkdir()
    (folder / "size").write_text(f"{size}\n")
    (folder / "type").write_text("Unified\n")


@pytest.mark.parametrize(
    ("shown", "cpus", "mebibytes"),
    [(260, 1, 32.5), (260, 2, 32.5), (260, 8, 128), (260, 64, 260), (480, 2, 60), (200, 2, 32)],
)
def test_a_cache_that_others_share(
    shown: int, cpus: int, mebibytes: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A virtual machine sees all of a host's cache, and counts on a part that goes by its CPUs, or
    an eighth of it."""
    monkeypatch.setattr(this_cpu, "_CACHES", str(tmp_path))
    monkeypatch.setattr(machine.os, "cpu_count", lambda: cpus)
    write_cache(tmp_path / "index3", f"{shown << 10}K")
    assert machine.cache_bytes.__wrapped__() == int(mebibytes * (1 << 20))


@pytest.mark.parametrize(
    ("cpu", "one", "two", "four"),
    [("Zen 5", 18, 36, 36), ("Zen 4", 0, 30.9375, 30.9375), ("Cascade Lake", 0, 0, 0)],
)
def test_stores_past_the_caches(
    cpu: str, one: float, two: float, four: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From how many MiB of 30 on, 0 for what is usual: two threads hold more than one."""
    monkeypatch.setattr(this_cpu, "identity", lambda: CPUS[cpu])
    monkeypatch.setattr(machine, "cache_bytes", lambda: 30 << 20)
    found = [machine.stream_bytes(threads) / (1 << 20) for threads in (1, 2, 4)]
    assert found == [one, two, four]
