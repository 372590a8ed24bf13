"""Targets: profiles, what the system tells of this machine, and what the user names."""

import dataclasses
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from mlir_gs import dialect
from mlir_gs.execution import CompileError, compile
from mlir_gs.execution.aot import aot
from mlir_gs.execution.machine import cpu as this_cpu
from mlir_gs.execution.machine import host as machine
from mlir_gs.execution.machine import measured, target_features
from mlir_gs.frontend.parse import parse
from mlir_gs.lowering.scf import targets
from mlir_gs.lowering.scf.policy import policy
from mlir_gs.lowering.scf.target import Target
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


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """What was found out about this machine is found out again, before and after."""

    def forget() -> None:
        this_cpu.caches.cache_clear()
        machine._system.cache_clear()
        machine.cache_bytes.cache_clear()

    forget()
    yield
    forget()


def test_profiles() -> None:
    """What is in the files is what they are for: facts; `tiny` is no machine."""
    for name in targets.profiles():
        found = json.loads((targets.PROFILES / f"{name}.json").read_text(encoding="utf-8"))
        assert {"source", "facts"} <= found.keys(), name
        assert ("policy" in found) == (name == "tiny")
        assert targets.machine(name).policy(2).threads == 2
    assert targets.machine("generic") == targets.Machine(Target())


@pytest.mark.parametrize("fact", dataclasses.fields(Target), ids=lambda fact: fact.name)
def test_every_fact_is_for_something(fact: dataclasses.Field) -> None:
    usual = policy(Target())
    values = (0, 1, fact.default * 4) if fact.name not in ("line", "vector_bytes") else (16,)
    others = [policy(dataclasses.replace(Target(), **{fact.name: value})) for value in values]
    assert any(other != usual for other in others)


def test_no_cpu_is_named() -> None:
    """But in the one file that reads what a CPU can do, and where LLVM's names are checked."""
    names = re.compile(
        r"GenuineIntel|AuthenticAMD|\bzen ?\d|znver|cascade.?lake|emerald|granite|skylake"
        r"|avx|\bsse\d|amx_tile|f16c",
        re.IGNORECASE,
    )
    root = Path(targets.__file__).parents[2]
    allowed = {"execution/machine/cpu.py", "execution/aot/cpu.py"}
    rooms = ("dialect", "lowering", "frontend", "execution", "integrations", "tools", "python")
    found = {
        f"{path.relative_to(root)}: {line.strip()}"
        for room in rooms
        for path in (root / room).rglob("*.py")
        if str(path.relative_to(root)) not in allowed
        for line in path.read_text(encoding="utf-8").splitlines()
        if names.search(line)
    }
    assert not found


def test_what_the_system_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = (this_cpu.Cache(1, 48 << 10, 64), this_cpu.Cache(2, 2 << 20, 64))
    monkeypatch.setattr(this_cpu, "caches", lambda: (*sizes, this_cpu.Cache(3, 260 << 20, 64)))
    monkeypatch.setattr(machine.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(this_cpu.platform, "machine", lambda: "x86_64")
    found = machine.system()
    assert (found.l1_bytes, found.l2_bytes, found.llc_bytes) == (48 << 10, 2 << 20, 260 << 17)
    assert found.vector_bytes == 64
    # To a larger first cache more lines are in flight, so that prefetches go there.
    assert policy(found).prefetch_level == 1
    monkeypatch.setattr(this_cpu, "caches", lambda: (this_cpu.Cache(1, 32 << 10, 64),))
    assert policy(machine.system()).prefetch_level == 2
    monkeypatch.setattr(this_cpu.platform, "machine", lambda: "aarch64")
    assert machine.system().vector_bytes == 32


def test_the_user_names_another_target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(machine.VARIABLE, "zen5:stream-scattered=true")
    assert machine.target() == "zen5:stream-scattered=true"
    monkeypatch.setenv(machine.VARIABLE, "native:vector-bytes=16")
    assert machine.target().endswith(":vector-bytes=16")
    assert machine.known().vector_bytes == 16
    monkeypatch.setenv(machine.VARIABLE, "native:llc-bytes=4096")
    assert machine.known().cache_bytes == 4096
    assert machine.known().stream_bytes == 3072
    path = tmp_path / "mine.json"
    path.write_text('{"facts": {"vector_bytes": 32, "l2_bytes": 4096}}')
    monkeypatch.setenv(machine.VARIABLE, f"{path}:stream-scattered=false")
    expected = policy(Target(vector_bytes=32, l2_bytes=4096), given={"stream_scattered": False})
    assert machine.known() == expected


def test_a_pipe_in_the_place_of_a_kept_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLIR_GS_CACHE", str(tmp_path))
    place = measured.path()
    assert place is not None
    os.mkfifo(place)
    assert measured.text() is None


@pytest.mark.parametrize(
    ("spelled", "complaint"),
    [
        ("zen44", "no target 'zen44'; did you mean 'zen4'?"),
        ("fast", "no target 'fast' (there are: generic, "),
        ("none.json", "target 'none.json': [Errno 2] No such file or directory"),
        ("list.json", "target 'list.json': expected an object with facts"),
        ("odd.json", "target 'odd.json': Expecting value"),
        ("fact.json", "target 'fact.json': a profile has no 'fact'; did you mean 'facts'?"),
        ("pipe.json", "target 'pipe.json': not a regular file"),
        (
            "zen4:stream-scatter=true",
            "a target has no 'stream-scatter'; did you mean 'stream-scattered'?",
        ),
        ("zen4:stream-scattered", None),
        ("zen4:stream-scattered=maybe", "option 'stream-scattered': expected bool, found 'maybe'"),
        ("zen4:vector-bytes", "option 'vector-bytes' needs a value"),
        ("zen4:vector-bytes=12", "vector-bytes must be a power of 2 from 8 to 4096, found 12"),
        ("zen4:prefetch-level=3", "prefetch-level must be 1 or 2, found 3"),
        ("zen4:llc-bytes=-1", "llc-bytes must be from 0 to"),
        ("zen4:fork-us=nan", "fork-us must be from 0 to"),
        ("zen4:cache-bytes=-1", "cache-bytes must be from 0 to"),
        ("zen4:line=3", "line must be a power of 2 from 8 to 4096, found 3"),
        ("none.json:x=1", "target 'none.json': [Errno 2] No such file or directory"),
        (
            "zen4:far-bytes=1:far-bytes=2",
            "target 'zen4:far-bytes=1:far-bytes=2' has 'far-bytes' twice",
        ),
    ],
)
def test_targets_that_there_are_not(
    spelled: str, complaint: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "list.json").write_text("[]")
    (tmp_path / "odd.json").write_text("?")
    (tmp_path / "fact.json").write_text('{"facts": {}, "fact": {"l2_bytes": 1}}')
    os.mkfifo(tmp_path / "pipe.json")
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
        module = parse(scatter_add("drop") + GATHER, context)
    monkeypatch.setattr(this_cpu.platform, "machine", lambda: "x86_64")
    found = set()
    for cpu in ("Emerald Rapids", "Zen 5", "Zen 4", "Cascade Lake", "unknown"):
        monkeypatch.setattr(this_cpu, "identity", lambda cpu=cpu: CPUS[cpu])
        size = (1 << 18) + (len(cpu) << 20)
        monkeypatch.setattr(this_cpu, "caches", lambda size=size: (this_cpu.Cache(3, size, 64),))
        monkeypatch.setattr(machine.os, "cpu_count", lambda cpu=cpu: len(cpu))
        for kept in (
            machine._system,
            machine.cache_bytes,
            target_features.target_features,
        ):
            kept.cache_clear()
        made = aot.compile_ahead(module, ["add", "rows"], aot.Options(cpus, threads=2))
        found.add(str(made.module) + made.code.hex())
    machine.cache_bytes.cache_clear()
    target_features.target_features.cache_clear()
    assert len(found) == 1


@pytest.mark.parametrize(("target", "alone"), [("zen4", True), ("emerald-rapids", False)])
def test_what_gathers_is_not_taken_apart(
    target: str, alone: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LLVM makes loads of gathers that it is told not to prefer."""
    monkeypatch.setattr(this_cpu.platform, "machine", lambda: "x86_64")
    features = target_features.target_features.__wrapped__
    assert ("+prefer-no-gather" in features(target=target)) == alone
    assert "+prefer-no-gather" not in features(True, target)
    assert "+prefer-no-scatter" in features(True, target)


def test_the_last_level_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(this_cpu, "_CACHES", str(tmp_path))
    assert machine.cache_bytes.__wrapped__() == 32 << 20
    this_cpu.caches.cache_clear()
    for level, size in enumerate(("48K", "2M", "1536K", "?"), 1):
        write_cache(tmp_path / f"index{level}", size, level)
    write_cache(tmp_path / "index5", "64K", 1, "Instruction")
    (tmp_path / "index6").mkdir()
    (tmp_path / "uevent").touch()
    assert this_cpu.caches() == ((1, 48 << 10, 64), (2, 2 << 20, 64), (3, 1536 << 10, 64))
    assert machine.cache_bytes.__wrapped__() == 2 << 20


def write_cache(folder: Path, size: str, level: int = 3, kind: str = "Unified") -> None:
    folder.mkdir()
    about = {"size": size, "type": kind, "level": level, "coherency_line_size": 64}
    for name, value in about.items():
        (folder / name).write_text(f"{value}\n")


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
