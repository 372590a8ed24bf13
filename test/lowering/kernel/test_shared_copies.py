"""Threads share copies of what lies in order."""

from typing import Any

import numpy as np
import pytest
from mlir_gs import compile
from mlir_gs.lowering import GsShareCopies

RNG = np.random.default_rng(5)
TYPES = {
    "i1": "?", "i8": "i1", "i64": "i8", "index": "i8", "f16": "f2", "f32": "f4", "f64": "f8",
    "complex<f32>": "c8", "complex<f64>": "c16",
}  # fmt: skip
SHAPES = ["?", "?x?", "3x?x7", "1x1", "0x4", "5x0", "130x131", "?x1x?x2"]
SHARED = "generic:serial-bytes=0"


def copying(type_: str) -> str:
    return f"func.func @f(%x: {type_}) -> {type_} {{ return %x : {type_} }}"


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many copies of each function were looked at, and became parallel loops."""
    found: list[int] = []
    original = GsShareCopies.run

    def count(instance: GsShareCopies, module: Any) -> None:
        before = str(module).count("scf.parallel")
        original(instance, module)
        found.append(str(module).count("scf.parallel") - before)

    monkeypatch.setattr(GsShareCopies, "run", count)
    monkeypatch.setenv("MLIR_GS_DISABLE", "disk")
    return found


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("element", TYPES)
def test_elements(element: str, threads: int, shared: list[int]) -> None:
    kernel = compile(copying(f"tensor<?x?x{element}>"), threads=threads, target=SHARED)
    assert shared == [1]
    for size in (0, 1, 2, 63, 64, 65, 1000):
        x = RNG.integers(0, 2, (size, 3)).astype(TYPES[element])
        x.flags.writeable = False
        np.testing.assert_array_equal(kernel(x), x, strict=True)


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes(shape: str, shared: list[int]) -> None:
    kernel = compile(copying(f"tensor<{shape}xf32>"), threads=2, target=SHARED)
    assert shared == ([] if "0" in shape.split("x") else [1])
    x = RNG.random([int(n) if n != "?" else 11 for n in shape.split("x")]).astype(np.float32)
    np.testing.assert_array_equal(kernel(x), x, strict=True)


def test_what_is_little_is_not_shared(shared: list[int]) -> None:
    compile(copying("tensor<9xf32>"), threads=2)
    assert shared == [0]


def test_strides(shared: list[int]) -> None:
    kernel = compile(
        """
        func.func @f(%x: memref<?x?xf32, strided<[?, ?]>>, %y: memref<?x?xf32>) {
          memref.copy %x, %y : memref<?x?xf32, strided<[?, ?]>> to memref<?x?xf32>
          return
        }
        """,
        threads=2,
        target=SHARED,
    )
    assert shared == [0]
    x, y = RNG.random((7, 9), np.float32).T, np.zeros((9, 7), np.float32)
    kernel(x, y)
    np.testing.assert_array_equal(x, y)
