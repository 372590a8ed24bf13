"""Windows that move along an output and overlap: the bits of the sequential loop on any threads."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from mlir_gs import execution

ADD = '%new = arith.addf %old, %x : f32\n    "gs.yield"(%new) : (f32) -> ()'
SET = "gs.yield %x : f32"


@dataclass(frozen=True)
class Case:
    """Updates of `steps` windows of `width` elements, and rows of `columns` elements if that is not
    0, into `size` elements or rows at `place`, which `address` computes from the step, the position
    in the window and its coordinate."""

    name: str
    steps: int
    width: int
    size: int
    place: str
    address: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
    offsets: tuple[int, int] = (0, 1)
    """The least coordinate, and the one after the greatest."""
    body: str = ADD
    columns: int = 0
    mode: str = "promise_in_bounds"

    @property
    def text(self) -> str:
        type_ = f"tensor<?x?x{self.columns}xf32>" if self.columns else "tensor<?x?xf32>"
        output = f"tensor<?x{self.columns}xf32>" if self.columns else "tensor<?xf32>"
        row = ", c" if self.columns else ""
        last = ', "parallel"' if self.columns else ""
        return f"""
#space = affine_map<(i, j{row})[s] -> (j)>
func.func @f(%updates: {type_}, %offsets: tensor<?xi64>, %output: {output}) -> {output} {{
  %r = "gs.generic"(%updates, %offsets, %output) ({{
  ^bb0(%x: f32, %old: f32):
    {self.body}
  }}) {{
    coordinate_maps = [[#space]],
    indexing_maps = [affine_map<(i, j{row})[s] -> (i, j{row})>,
                     affine_map<(i, j{row})[s] -> ({self.place}{row})>],
    iterator_types = ["reduction", "reduction"{last}],
    modes = ["{self.mode}"],
    operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  }} : ({type_}, tensor<?xi64>, {output}) -> {output}
  return %r : {output}
}}"""

    def arrays(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        rows = (self.columns,) if self.columns else ()
        updates = rng.standard_normal((self.steps, self.width, *rows), dtype=np.float32)
        output = rng.standard_normal((self.size, *rows), dtype=np.float32)
        return updates, rng.integers(*self.offsets, self.width), output

    def expected(self, updates: np.ndarray, offsets: np.ndarray, output: np.ndarray) -> np.ndarray:
        i, j = np.indices((self.steps, self.width), sparse=True)
        places = np.broadcast_to(self.address(i, j, offsets), (self.steps, self.width)).ravel()
        inside = (places >= 0) & (places < self.size)
        places, flat = places[inside], updates.reshape(-1, *output.shape[1:])[inside]
        result = output.copy()
        if self.body == ADD:
            np.add.at(result, places, flat)
        else:
            # The last one stands.
            result[places] = flat
        return result


CASES = (
    Case("set", 20011, 16, 160600, "i * 8 + s", lambda i, _, s: 8 * i + s, (0, 500), SET),
    Case("add", 20011, 16, 160600, "i * 8 + s", lambda i, _, s: 8 * i + s, (0, 500)),
    Case("no coordinate", 30011, 7, 90099, "i * 3 + j", lambda i, j, _: 3 * i + j),
    Case("backwards", 30011, 7, 60099, "i * 2 - j + 9", lambda i, j, _: 2 * i - j + 9),
    Case("both", 9001, 9, 9900, "i + s - j", lambda i, j, s: i + s - j, (9, 99), mode="error"),
    Case(
        "clip", 30011, 7, 30100, "i + s", lambda i, _, s: i + s.clip(0, 89), (-30, 200), mode="clip"
    ),
    Case(
        "drop",
        30011,
        7,
        30100,
        "i + s",
        lambda i, _, s: np.where((s < 0) | (s > 89), -1, i + s),
        (-9, 110),
        mode="fill_or_drop",
    ),
    Case("rows", 4001, 3, 9000, "i * 2 + s", lambda i, _, s: 2 * i + s, (0, 99), columns=33),
    Case("narrow rows", 9001, 5, 9100, "i + s", lambda i, _, s: i + s, (0, 99), columns=3),
    Case("apart", 20011, 4, 500300, "i * 25 + s", lambda i, _, s: 25 * i + s, (0, 4), SET),
    Case("wide", 2001, 50, 9000, "i + s", lambda i, _, s: i + s, (0, 6999)),
    Case("few steps", 9, 40001, 90, "i * 8 + s", lambda i, _, s: 8 * i + s, (0, 9)),
)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_bits_of_the_sequential_loop(
    case: Case, threads: int, monkeypatch: pytest.MonkeyPatch, on_target
) -> None:
    """With prefetches of stores."""
    monkeypatch.setenv("MLIR_GS_CACHE", "off")
    on_target(write_ahead=4096)
    arrays = case.arrays(np.random.default_rng(0))
    kept = [array.copy() for array in arrays]
    expected = case.expected(*arrays)
    result = execution.compile(case.text, threads=threads)(*arrays)
    assert result.tobytes() == expected.tobytes()
    for array, before in zip(arrays, kept, strict=True):
        assert array.tobytes() == before.tobytes()


CONSTANT = """
func.func @f(%updates: tensor<?x3xf64>, %dest: tensor<?xf64>) -> tensor<?xf64> {{
  %offsets = arith.constant dense<{offsets}> : tensor<3x{index}>
  %r = gs.generic (i, j) [s = %offsets[j]]
      ins(%updates[i, j]) outs(%dest[i * 2 + s + 1]) iterators(i = reduction, j = reduction)
      : (tensor<?x3xf64>, tensor<3x{index}>, tensor<?xf64>) -> tensor<?xf64> {{
  ^bb0(%x: f64, %old: f64):
    %new = arith.addf %old, %x : f64
    gs.yield %new : f64
  }}
  return %r : tensor<?xf64>
}}"""


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("index", ["index", "i64", "i8"])
@pytest.mark.parametrize("offsets", [[-1, 0, 1], [0, 3, -1], [-1, -1, -1]])
def test_constant_offsets(offsets: list[int], index: str, threads: int) -> None:
    """Their ends are known, and may be negative where the address is not."""
    kernel = execution.compile(CONSTANT.format(offsets=offsets, index=index), threads=threads)
    rng = np.random.default_rng(threads)
    for steps in (0, 1, 7, 50_003):
        updates = rng.standard_normal((steps, 3))
        dest = rng.standard_normal(2 * steps + 8)
        places = 2 * np.arange(steps)[:, None] + 1 + np.array(offsets)
        expected = dest.copy()
        np.add.at(expected, places.ravel(), updates.ravel())
        assert kernel(updates, dest).tobytes() == expected.tobytes()
