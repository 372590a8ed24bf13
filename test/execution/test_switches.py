"""Each switch of `MLIR_GS_DISABLE` alone, and all of them: results are those of NumPy and of a run
without it."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mlir_gs.execution import CompileError, compile
from mlir_gs.execution.switches import SWITCHES, VARIABLE
from mlir_gs.tools.gs_run import main
from sources import GATHER, scatter_add

RNG = np.random.default_rng(3)
TABLE = RNG.standard_normal((300, 64)).astype(np.float32)
IDS = RNG.integers(0, 300, 70_000)
ROWS = RNG.standard_normal((500, 64)).astype(np.float32)

FIRST = """
func.func @first(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %r = tensor.extract %x[%c0] : tensor<?xf64>
  return %r : f64
}
"""
JOINED = """
func.func @join(%x: tensor<?x4xi8>, %y: tensor<?x4xi8>) -> tensor<?x4xi8> {
  %r = tensor.concat dim(0) %x, %y : (tensor<?x4xi8>, tensor<?x4xi8>) -> tensor<?x4xi8>
  return %r : tensor<?x4xi8>
}
"""
SUM_OF_HALVES = """
func.func @sum(%x: tensor<?xf16>, %ids: tensor<?x1xi32>, %sums: tensor<8xf32>,
    %at: tensor<?x1xi32>) -> tensor<8xf32> {
  %taken = gs.gather %x[%ids] gather_dims([0]) mode(error)
      : (tensor<?xf16>, tensor<?x1xi32>) -> tensor<?xf16>
  %wide = arith.extf %taken : tensor<?xf16> to tensor<?xf32>
  %r = gs.scatter %wide into %sums[%at] scatter_dims([0]) combine(add)
      : (tensor<?xf32>, tensor<8xf32>, tensor<?x1xi32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
"""
COUNTED = """
func.func @twice(%x: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%e : tensor<?xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %v = tensor.extract %x[%i] : tensor<?xf32>
    linalg.yield %v : f32
  } -> tensor<?xf32>
  return %r, %x : tensor<?xf32>, tensor<?xf32>
}
"""


def gather() -> list[Any]:
    kernel = compile(GATHER, threads=2)
    # Large enough for threads, and for memory that is used again.
    found = [kernel(TABLE, IDS) for _ in range(5)]
    strided = kernel(TABLE[::-1], IDS[:9])
    np.testing.assert_array_equal(found[-1], TABLE[IDS])
    np.testing.assert_array_equal(strided, TABLE[::-1][IDS[:9]])
    return [*found, strided]


def scatter() -> list[Any]:
    kernel = compile(scatter_add(donated=True), threads=2)
    wanted = TABLE.copy()
    np.add.at(wanted, IDS[:500], ROWS)
    found = []
    for _ in range(4):
        found.append(TABLE.copy())
        assert kernel(found[-1], IDS[:500, None], ROWS) is found[-1]
        np.testing.assert_allclose(found[-1], wanted, rtol=1e-5)
    with pytest.raises(ValueError, match="share memory"):
        kernel(found[0], IDS[:300, None], found[0])
    return found


def scalar() -> list[Any]:
    kernel = compile(FIRST)
    found = [kernel(np.array([2.5, 1.0])) for _ in range(5)]
    assert found == [2.5] * 5
    return found


def computed_sizes() -> list[Any]:
    kernel = compile(JOINED)
    x, y = np.ones((3, 4), np.int8), np.zeros((0, 4), np.int8)
    found = [kernel(x, y) for _ in range(5)] + [kernel(y, y)]
    np.testing.assert_array_equal(found[-2], x)
    assert found[-1].shape == (0, 4)
    return found


def halves() -> list[Any]:
    kernel = compile(SUM_OF_HALVES, threads=1)
    x = np.arange(50, dtype=np.float16)
    ids = np.arange(99, dtype=np.int32)[:, None] * 7 % 50
    at = np.zeros((99, 1), np.int32)
    found = [kernel(x, ids, np.zeros(8, np.float32), at) for _ in range(4)]
    assert found[-1][0] == x[ids].astype(np.float64).sum()
    with pytest.raises(IndexError):
        kernel(x, ids + 50, np.zeros(8, np.float32), at)
    return found


def two_results() -> list[Any]:
    kernel = compile(COUNTED)
    x = np.arange(6, dtype=np.float32)
    found = [one for _ in range(4) for one in kernel(x, 4)]
    np.testing.assert_array_equal(found[-2], x[:4])
    return found


WORK: list[Callable[[], list[Any]]] = [
    gather,
    scatter,
    scalar,
    computed_sizes,
    halves,
    two_results,
]
CHOICES = [*SWITCHES, ",".join(SWITCHES)]


@pytest.fixture(scope="module")
def wanted() -> dict[str, list[Any]]:
    return {work.__name__: work() for work in WORK}


@pytest.mark.parametrize("work", WORK, ids=lambda work: work.__name__)
@pytest.mark.parametrize("disabled", CHOICES, ids=[*SWITCHES, "all"])
def test_results(
    disabled: str,
    work: Callable[[], list[Any]],
    wanted: dict[str, list[Any]],
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = wanted[work.__name__]
    monkeypatch.setenv(VARIABLE, disabled)
    for found, other in zip(work(), expected, strict=True):
        np.testing.assert_array_equal(found, other, strict=True)


def test_a_process_without_any(tmp_path: Path) -> None:
    """What is done once in a process is left out too."""
    program = "import test_switches as t\nfor work in t.WORK: work()\nprint('done')"
    folders = [str(Path(__file__).parent), str(Path(__file__).parent / "support")]
    environment = {
        **os.environ,
        VARIABLE: " , ".join(SWITCHES),
        "MLIR_GS_CACHE": str(tmp_path),
        "PYTHONPATH": os.pathsep.join(folders),
    }
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True
    )
    assert (done.stdout, done.returncode) == ("done\n", 0), done.stderr
    assert list(tmp_path.iterdir()) == []


def test_one_that_there_is_not(monkeypatch: pytest.MonkeyPatch, capfd: Any, tmp_path: Path) -> None:
    monkeypatch.setenv(VARIABLE, "disk,native")
    with pytest.raises(CompileError) as caught:
        compile(FIRST)
    assert str(caught.value).startswith("MLIR_GS_DISABLE: no 'native' (there are: native-calls, ")
    path = tmp_path / "first.mlir"
    path.write_text(FIRST)
    assert main([str(path)]) == 1
    assert capfd.readouterr().err == f"gs-run: {caught.value}\n"


def test_the_table_in_the_manual() -> None:
    manual = Path(__file__).parents[2] / "docs" / "calls.md"
    rows = "".join(f"| `{name}` | {meaning} |\n" for name, meaning in SWITCHES.items())
    assert f"| --- | --- |\n{rows}\n" in manual.read_text(encoding="utf-8")
