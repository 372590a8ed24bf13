"""The contexts that `compile` parses texts in: what is loaded from the start, what comes later."""

import re
from collections.abc import Iterator
from pathlib import Path

import mlir_gs
import numpy as np
import pytest
from mlir_gs import dialect
from mlir_gs.execution import compile

_ROOMS = ("dialect", "lowering", "frontend", "execution")
# What is built beside ops of a source language, which a text has brought then.
_SOURCES = {"dml", "stablehlo", "tcp", "torch", "torch_c"}


def _sources() -> Iterator[str]:
    for room in _ROOMS:
        spec = __import__(f"mlir_gs.{room}", fromlist=["x"])
        for path in Path(str(spec.__file__)).parent.rglob("*.py"):
            yield path.read_text()


def test_all_that_is_built_is_loaded() -> None:
    built = re.compile(r"""\bdialect\("(\w+)"\)|Operation\.create\(\s*"(\w+)\.""")
    names = {name for text in _sources() for found in built.findall(text) for name in found if name}
    assert {"arith", "vector", "llvm", "ub", "gs"} <= names
    context = dialect.context(sources=False, lean=True)
    missing = {name for name in names - _SOURCES if not context.is_dialect_loaded(name)}
    assert not missing
    assert not context.is_dialect_loaded("gpu")


TOSA = """
func.func @f(%table: tensor<2x5x3xf32>, %i: tensor<2x4xi32>) -> tensor<2x4x3xf32> {
  %r = tosa.gather %table, %i
      : (tensor<2x5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>
  return %r : tensor<2x4x3xf32>
}"""


def test_a_text_brings_other_dialects(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLIR_GS_CACHE", "off")
    table = np.arange(30, dtype=np.float32).reshape(2, 5, 3)
    i = np.array([[4, 0, 0, 2], [1, 1, 3, 0]], np.int32)
    expected = np.take_along_axis(table, i[..., None].astype(np.int64), axis=1)
    np.testing.assert_array_equal(compile(TOSA)(table, i), expected)


def test_others_have_every_dialect() -> None:
    assert mlir_gs.dialect.context().is_dialect_loaded("gpu")
