"""`tune()`: what is measured is kept, and used; what is damaged is not."""

import json
import warnings
from pathlib import Path

import mlir_gs
import numpy as np
import pytest
from mlir_gs.execution import compile
from mlir_gs.execution.disk import cached
from mlir_gs.execution.machine import host, measured
from mlir_gs.execution.tuning import measure
from mlir_gs.lowering.scf import targets
from mlir_gs.lowering.scf.target import Target
from sources import GATHER


@pytest.fixture(autouse=True)
def quick(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of its own; arrays are small and measured once, which finds out nothing."""
    monkeypatch.setattr(measure, "_ELEMENTS", 1 << 16)
    monkeypatch.setattr(measure, "_ROUNDS", 1)
    monkeypatch.setattr(measure, "_LEAST", 0)
    monkeypatch.setattr(measure, "_LARGEST", 1 << 22)
    monkeypatch.delenv(host.VARIABLE, raising=False)


def test_it_is_kept_and_used(place: Path) -> None:
    before = cached.key(GATHER, None, False, 1)
    steps: list[float] = []
    found = mlir_gs.tune(progress=lambda done, _what: steps.append(done))
    assert steps[0] == 0
    assert steps[-1] == 1
    assert steps == sorted(steps)
    assert isinstance(found, Target)
    assert targets.machine(host.target()).target == found
    assert targets.machine(host.target("native:l2-bytes=4096")).target.l2_bytes == 4096
    assert targets.machine(str(measured.path())).target == found
    assert cached.key(GATHER, None, False, 1) != before
    assert [path.suffix for path in place.iterdir() if path.name.startswith("target")] == [".json"]


def test_another_file(tmp_path: Path) -> None:
    found = mlir_gs.tune(tmp_path / "mine.json")
    assert measured.text() is None
    assert host.known(str(tmp_path / "mine.json")) == targets.Machine(found).policy(1)
    with pytest.raises(OSError, match="No such file"):
        mlir_gs.tune(tmp_path / "none" / "mine.json")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"facts": 3}',
        '{"facts": {"l3": 1}}',
        '{"facts": {"line": 3}}',
        "[" * 10**5,
    ],
    ids=str,
)
def test_what_is_damaged_is_ignored(text: str) -> None:
    measured.warn_once.cache_clear()
    measured.store(text)
    with pytest.warns(UserWarning, match="gs-tune's file is ignored: .*target-"):
        assert host.native() == host._system()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compile(GATHER)


@pytest.mark.parametrize("value", ["off", "/proc/none"])
def test_a_cache_that_is_of_no_use(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLIR_GS_CACHE", value)
    assert isinstance(mlir_gs.tune(), Target)
    assert measured.text() is None
    compile(GATHER)


def test_a_profile_of_this_machine(tmp_path: Path) -> None:
    mlir_gs.tune(tmp_path / "mine.json")
    found = json.loads((tmp_path / "mine.json").read_text())
    assert found["source"].startswith("measured by gs-tune")
    assert {name.replace("_", "-") for name in found["facts"]} == set(targets._facts())


ADD = """
func.func @add(%updates: tensor<?x16xf32>,
    %dest: tensor<?x16xf32> {bufferization.writable = true}, %i: tensor<?x1xi64>)
    -> tensor<?x16xf32> {
  %r = gs.scatter %updates into %dest[%i] scatter_dims([0]) combine(add)
      : (tensor<?x16xf32>, tensor<?x16xf32>, tensor<?x1xi64>) -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}"""


def test_a_kernel_of_its_own(place: Path, builds, monkeypatch: pytest.MonkeyPatch) -> None:
    """The arrays stay, the bits stay, and the next time nothing is measured."""
    rng = np.random.default_rng(0)
    updates = rng.standard_normal((500, 16), dtype=np.float32)
    dest = rng.standard_normal((100, 16), dtype=np.float32)
    ids = rng.integers(0, 100, (500, 1))
    kept = [one.copy() for one in (updates, dest, ids)]
    kernel = compile(ADD, threads=1, tune=[updates, dest, ids])
    assert all(np.array_equal(a, b) for a, b in zip(kept, (updates, dest, ids), strict=True))
    count = builds()
    assert count > 3
    again = compile(ADD, threads=1, tune=[updates, dest, ids])
    assert builds() == count
    expected = compile(ADD, threads=1)(updates, dest.copy(), ids)
    for each in (kernel, again):
        assert each(updates, dest.copy(), ids).tobytes() == expected.tobytes()
    for path in place.glob("*.tuned.json"):
        path.write_text("[[")
    compile(ADD, threads=1, tune=[updates, dest, ids])
    with pytest.raises(TypeError):
        compile(GATHER, threads=1, tune=[updates])
