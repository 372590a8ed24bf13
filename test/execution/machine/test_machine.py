"""What is lowered differently for the cores that were measured, by what Linux says of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir
from mlir_gs.execution import CompileError, compile
from mlir_gs.execution.aot import aot
from mlir_gs.execution.compilation import pipeline
from mlir_gs.execution.machine import cpu as this_cpu
from mlir_gs.execution.machine import host as machine
from mlir_gs.execution.machine import target_features
from mlir_gs.lowering.scf import targets
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
PRESETS = {
    "Emerald Rapids": "emerald-rapids",
    "Granite Rapids": "granite-rapids",
    "Cascade Lake": "cascade-lake",
    "Zen 5": "zen5",
    "Zen 4": "zen4",
    "Zen 3": "generic",
    "Skylake": "intel",
    "Neoverse": "neon",
    "unknown": "generic",
}
INSTRUCTIONS = {"Granite Rapids": 64, "Emerald Rapids": 32}
"""KiB of the cache that a core's instructions have."""


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """What was found out about this machine is found out again, before and after."""

    def forget() -> None:
        this_cpu.words.cache_clear()
        this_cpu.caches.cache_clear()
        machine.preset.cache_clear()

    forget()
    yield
    forget()


@pytest.mark.parametrize("cpu", CPUS)
def test_presets_of_cpus(cpu: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        machine.platform, "machine", lambda: "aarch64" if cpu == "Neoverse" else "x86_64"
    )
    monkeypatch.setattr(this_cpu, "identity", lambda: CPUS[cpu])
    kinds = (("Data", 48 << 10), ("Instruction", INSTRUCTIONS.get(cpu, 64) << 10))
    monkeypatch.setattr(this_cpu, "caches", lambda: kinds)
    assert machine.preset() == PRESETS[cpu]
    assert pipeline.to_scf(2).startswith(
        f"convert-gs-to-scf{{threads=2 target={{{PRESETS[cpu]}:cache-bytes="
    )


def test_presets_are_facts() -> None:
    for name in targets.presets():
        assert isinstance(targets.facts(name), targets.Facts)


@pytest.mark.parametrize(("threads", "strip"), [(1, 512), (2, 256)])
def test_facts_by_threads(threads: int, strip: int) -> None:
    assert targets.facts("zen5").target(threads).written_strip_bytes == strip


def test_the_user_names_another_target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(machine.VARIABLE, "zen5:words=true")
    assert machine.target() == "zen5:words=true"
    monkeypatch.setenv(machine.VARIABLE, "native:vector-bytes=16")
    assert machine.target().endswith(":vector-bytes=16")
    assert machine.known().vector_bytes == 16
    monkeypatch.setenv(machine.VARIABLE, "native:cache-bytes=4096")
    assert machine.known().cache_bytes == 4096
    path = tmp_path / "mine.json"
    path.write_text('{"vector_bytes": 32, "stream_share": [0.5, 1]}')
    monkeypatch.setenv(machine.VARIABLE, f"{path}:words=false")
    assert machine.known() == targets.Facts(vector_bytes=32, stream_share=(0.5, 1), words=False)


@pytest.mark.parametrize(
    ("spelled", "complaint"),
    [
        ("zen44", "no target 'zen44'; did you mean 'zen4'?"),
        ("fast", "no target 'fast' (there are: generic, "),
        ("none.json", "target 'none.json': [Errno 2] No such file or directory"),
        ("list.json", "target 'list.json': expected an object with facts"),
        ("odd.json", "target 'odd.json': Expecting value"),
        ("zen4:word=true", "a target has no 'word'; did you mean 'words'?"),
        ("zen4:words", None),
        ("zen4:words=maybe", "option 'words': expected bool, found 'maybe'"),
        ("zen4:vector-bytes", "option 'vector-bytes' needs a value"),
        ("zen4:vector-bytes=12", "vector-bytes must be a power of 2 from 8 to 4096, found 12"),
        ("zen4:prefetch-level=3", "prefetch-level must be 1 or 2, found 3"),
        ("zen4:cache-bytes=-1", "cache-bytes must be from 0 to"),
        ("zen4:stream-share=1,2,3", "stream-share must be one or two numbers, found 3"),
        ("zen4:stream-share=-0.5", "stream-share must be from 0 to"),
        ("zen4:stream-share=nan", "stream-share must be from 0 to"),
        ("zen4:words=true:words=false", "target 'zen4:words=true:words=false' has 'words' twice"),
    ],
)
def test_targets_that_there_are_not(
    spelled: str, complaint: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "list.json").write_text("[]")
    (tmp_path / "odd.json").write_text("?")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(machine.VARIABLE, spelled)
    if complaint is None:
        compile(GATHER)
        return
    with pytest.raises(CompileError) as caught:
        compile(GATHER)
    assert str(caught.value).startswith(f"MLIR_GS_TARGET: {complaint}")


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
        for kept in (
            this_cpu.words,
            machine.preset,
            machine.cache_bytes,
            target_features.target_features,
        ):
            kept.cache_clear()
        made = aot.compile_ahead(module, ["add", "rows"], aot.Options(cpus, threads=2))
        found.add(str(made.module) + made.code.hex())
    machine.cache_bytes.cache_clear()
    target_features.target_features.cache_clear()
    assert len(found) == 1


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
    ("preset", "found"),
    [
        ("zen5", [18, 36, 36]),
        ("zen4", [22.5, 30.9375, 30.9375]),
        ("cascade-lake", [22.5, 22.5, 22.5]),
    ],
)
def test_stores_past_the_caches(preset: str, found: list[float]) -> None:
    """From how many MiB of 30 on: two threads hold more than one."""
    facts = targets.facts(f"{preset}:cache-bytes={30 << 20}")
    assert [facts.target(n).stream_bytes / (1 << 20) for n in (1, 2, 4)] == found
