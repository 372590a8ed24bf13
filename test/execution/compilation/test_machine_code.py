"""Machine code of kernels whose loops are functions: results, and what is no object."""

import gc
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from mlir_gs.execution import compile
from mlir_gs.execution.compilation import engine
from mlir_gs.execution.disk.elf_library import link_library
from mlir_gs.execution.disk.elf_object import EXECUTE, ObjectError, read_object

SUMS = """
func.func @sums(%updates: tensor<?xf32>, %dest: tensor<?xf32>, %ids: tensor<?x1xi64>)
    -> tensor<?xf32> {
  %r = "gs.scatter"(%updates, %dest, %ids) ({
  ^bb0(%current: f32, %update: f32):
    %new = arith.addf %current, %update fastmath<reassoc> : f32
    "gs.yield"(%new) : (f32) -> ()
  }) {scatter_dims = array<i64: 0>}
      : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""
ALONG = """
func.func @along(%table: tensor<?x?xf32>, %ids: tensor<?x?xi64>) -> tensor<?x?xf32> {
  %r = "gs.gather_elements"(%table, %ids) {dim = 0 : i64}
      : (tensor<?x?xf32>, tensor<?x?xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""
HALVES = SUMS.replace("f32", "bf16")


def _sums(bins: int, points: int, dtype: Any = np.float32) -> list[np.ndarray]:
    rng = np.random.default_rng(bins)
    updates = rng.integers(-8, 9, points).astype(dtype)
    return [updates, np.zeros(bins, dtype), rng.integers(0, bins, (points, 1))]


def _added(updates: np.ndarray, dest: np.ndarray, ids: np.ndarray) -> np.ndarray:
    wanted = dest.copy()
    np.add.at(wanted, ids[:, 0], updates)
    return wanted


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("bins", [3, 20_000, 3_000_000])
def test_sums(threads: int, bins: int) -> None:
    kernel = compile(SUMS, threads=threads)
    arrays = _sums(bins, 400_000)
    np.testing.assert_array_equal(kernel(*arrays), _added(*arrays))


@pytest.mark.parametrize("threads", [1, 2])
def test_strips(threads: int) -> None:
    kernel = compile(ALONG, threads=threads, target="tiny")
    rng = np.random.default_rng(0)
    table = rng.normal(size=(2048, 515)).astype(np.float32)
    ids = rng.integers(0, 2048, (1024, 515))
    np.testing.assert_array_equal(kernel(table, ids), np.take_along_axis(table, ids, 0))


def test_what_rounds_calls_the_functions_that_all_kernels_share() -> None:
    kernel = compile(HALVES, threads=2)
    arrays = _sums(3, 500, ml_dtypes.bfloat16)
    wanted = _added(*(a.astype(np.float32) if a.dtype != np.int64 else a for a in arrays))
    found = np.asarray(kernel(*arrays)).astype(np.float32)
    np.testing.assert_allclose(found, wanted, atol=2)


def test_kernels_come_and_go() -> None:
    arrays = _sums(100, 100_000)
    wanted = _added(*arrays)
    for number in range(12):
        kernel = compile(SUMS.replace("@sums", f"@sums_{number}"), threads=2)
        np.testing.assert_array_equal(kernel(*arrays), wanted)
        del kernel
        gc.collect()


def test_what_is_no_object_is_refused() -> None:
    with pytest.raises(ObjectError):
        link_library(b"no object", "none.so", ["far"])


SET = """
func.func @f(%places: tensor<?xsi16>, %dest: tensor<5x?x?xcomplex<bf16>>)
    -> tensor<5x?x?xcomplex<bf16>> {
  %r = "gs.generic"(%places, %dest) ({
  ^bb0(%old: complex<bf16>):
    %one = complex.constant [1.0 : bf16, 2.0 : bf16] : complex<bf16>
    "gs.yield"(%one) : (complex<bf16>) -> ()
  }) {
    coordinate_maps = [[affine_map<(d)[s] -> (0)>]],
    indexing_maps = [affine_map<(d)[s] -> (d, s + d * 2, d)>],
    iterator_types = ["parallel"], modes = ["fill_or_drop"], unique,
    operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  } : (tensor<?xsi16>, tensor<5x?x?xcomplex<bf16>>) -> tensor<5x?x?xcomplex<bf16>>
  return %r : tensor<5x?x?xcomplex<bf16>>
}"""


def test_an_argument_of_16_bits_is_stored() -> None:
    """No operation of the function gives it: LLVM calls a function to round it all the same."""
    dest = np.zeros((5, 10, 5), ml_dtypes.bcomplex32)
    expected = dest.copy()
    for d in range(5):
        expected[d, 1 + 2 * d, d] = 1 + 2j
    found = compile(SET, threads=2)(np.array([1], np.int16), dest)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("threads", [1, 2])
def test_all_code_is_in_one_section(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the addresses that LLVM's loader registers for the unwinder span the code of others."""
    engines = []

    def keeping(module: Any, libraries: list[str], opt_level: int, keep: bool = False) -> Any:
        del keep
        engines.append(made(module, libraries, opt_level, keep=True))
        return engines[-1]

    made = engine._engine
    monkeypatch.setattr(engine, "_engine", keeping)
    monkeypatch.setenv("MLIR_GS_CACHE", "off")
    checked = ALONG.replace("dim =", 'mode = "error", dim =')
    kernels = [compile(text, threads=threads) for text in (SUMS, HALVES, checked)]
    with pytest.raises(IndexError):
        kernels[-1](np.zeros((2, 2), np.float32), np.full((2, 2), 5))
    assert len(engines) >= len(kernels)
    for one in engines:
        sections = read_object(engine._dumped(one)).sections
        assert sum(bool(s.flags & EXECUTE and s.size) for s in sections) == 1
