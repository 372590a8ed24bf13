"""Takes at constant offsets, through the caches and past them."""

import numpy as np
import pytest
from mlir_gs import execution

TEXT = """
func.func @f(%source: tensor<?x{type}>, %like: tensor<?x{count}xi8>) -> tensor<?x{count}x{type}> {{
  %offsets = arith.constant dense<{offsets}> : tensor<{count}xindex>
  %zero = arith.constant 0 : index
  %steps = tensor.dim %like, %zero : tensor<?x{count}xi8>
  %new = tensor.empty(%steps) : tensor<?x{count}x{type}>
  %r = gs.generic (i, j) [s = %offsets[j]]
      ins(%source[i * {delta} + s]) outs(%new[i, j]) iterators(i = parallel, j = parallel)
      : (tensor<?x{type}>, tensor<{count}xindex>, tensor<?x{count}x{type}>)
      -> tensor<?x{count}x{type}> {{
  ^bb0(%x: {type}, %old: {type}):
    gs.yield %x : {type}
  }}
  return %r : tensor<?x{count}x{type}>
}}"""

OFFSETS = {
    "stride 2": [2 * k for k in range(8)],
    "stride 4": [4 * k for k in range(16)],
    "turned": [4, 8, 12, 0, 20, 24, 28, 16],
    "neighbours": [0, 1, 2, 3, 9, 12, 15, 20],
    "twice": [0, 4, 8, 12, 0, 4, 8, 12],
    "odd": [0, 3, 9, 40, 44],
    "one": [5],
}
TYPES = {"f32": "f4", "f64": "f8", "i64": "i8", "f16": "f2", "i8": "i1", "complex<f32>": "c8"}


@pytest.mark.parametrize("past", [False, True], ids=["caches", "past"])
@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("name", OFFSETS)
def test_takes(
    name: str, type_: str, past: bool, monkeypatch: pytest.MonkeyPatch, on_target
) -> None:
    if past:
        on_target(stream_bytes=1)
        monkeypatch.setenv("MLIR_GS_CACHE", "off")
    offsets, dtype = OFFSETS[name], TYPES[type_]
    count = len(offsets)
    text = TEXT.format(type=type_, offsets=offsets, count=count, delta=max(offsets) // 2 + 1)
    kernel = execution.compile(text, threads=2)
    delta = max(offsets) // 2 + 1
    rng = np.random.default_rng(0)
    for steps in (0, 1, 7, 64, 5001):
        size = max(steps - 1, 0) * delta + max(offsets) + 1
        source = rng.integers(0, 100, size).astype(dtype)
        places = np.arange(steps)[:, None] * delta + offsets
        result = kernel(source, np.zeros((steps, count), np.int8))
        assert result.tobytes() == source[places].tobytes()
