"""Rows with non-temporal stores, wherever they begin in a line: their bytes, and no others.

What is expected is NumPy's.
"""

import numpy as np
import pytest
from mlir_gs import execution

ELEMENTS = {
    "int8": "i8",
    "float16": "f16",
    "float32": "f32",
    "float64": "f64",
    "complex128": "complex<f64>",
}

TAKE = """
func.func @take(%table: tensor<?x{row}x{element}>, %i: tensor<?x1xi64>)
    -> tensor<?x{row}x{element}> {{
  %r = gs.gather %table[%i] gather_dims([0])
      : (tensor<?x{row}x{element}>, tensor<?x1xi64>) -> tensor<?x{row}x{element}>
  return %r : tensor<?x{row}x{element}>
}}"""

SET = """
func.func @set(%updates: tensor<?x{row}x{element}>,
    %dest: tensor<?x{row}x{element}> {{bufferization.writable = true}}, %i: tensor<?x1xi64>)
    -> tensor<?x{row}x{element}> {{
  %r = gs.scatter %updates into %dest[%i] scatter_dims([0])
      : (tensor<?x{row}x{element}>, tensor<?x{row}x{element}>, tensor<?x1xi64>)
      -> tensor<?x{row}x{element}>
  return %r : tensor<?x{row}x{element}>
}}"""

NEGATED = """
func.func @negated(%table: tensor<?x{row}xf32>, %i: tensor<?x1xi64>) -> tensor<?x{row}xf32> {{
  %taken = gs.gather %table[%i] gather_dims([0])
      : (tensor<?x{row}xf32>, tensor<?x1xi64>) -> tensor<?x{row}xf32>
  %r = linalg.negf ins(%taken : tensor<?x{row}xf32>) outs(%taken : tensor<?x{row}xf32>)
      -> tensor<?x{row}xf32>
  return %r : tensor<?x{row}xf32>
}}"""


@pytest.fixture(autouse=True)
def _everything_past_the_caches(monkeypatch: pytest.MonkeyPatch, on_target) -> None:
    on_target(stream_bytes=1, stream_scattered=True)
    monkeypatch.setenv("MLIR_GS_CACHE", "off")


class Memory:
    """`count` rows of `width` elements, `pitch` apart, `first` elements after the begin of a line,
    and more around them."""

    def __init__(self, count: int, width: int, pitch: int, first: int, dtype: str) -> None:
        line = 64 // np.dtype(dtype).itemsize
        self.all = np.full((count + 1) * pitch + 2 * line, 77, dtype)
        start = -self.all.ctypes.data % 64 // self.all.itemsize + first
        whole = self.all[start : start + count * pitch].reshape(count, pitch)
        self.rows = whole[:, :width]
        self.around = (self.all[:start], whole[:, width:], self.all[start + count * pitch :])

    def keeps_what_is_around(self) -> bool:
        return all(bool((part == 77).all()) for part in self.around)


@pytest.mark.parametrize("dtype", ELEMENTS)
@pytest.mark.parametrize("count", [2, 50])
def test_every_begin(dtype: str, count: int) -> None:
    """Whichever element of a row is the first of a line; few of the rows are cut."""
    size = np.dtype(dtype).itemsize
    text = TAKE.format(row="?", element=ELEMENTS[dtype])
    kernel = execution.compile(text, threads=3)
    rng = np.random.default_rng(3)
    for width in (256 // size, 2047 // size, 6144 // size + 1, 100_000 // size):
        table = rng.integers(0, 100, (60, width)).astype(dtype)
        coordinates = rng.integers(0, 60, (count, 1))
        expected = table[coordinates[:, 0]]
        # Rows of whole lines, so that all begin alike.
        pitch = -(-width * size // 64) * 64 // size
        for first in range(64 // size):
            out = Memory(count, width, pitch, first, dtype)
            kernel(table, coordinates, out=out.rows)
            assert out.rows.tobytes() == expected.tobytes()
            assert out.keeps_what_is_around()


@pytest.mark.parametrize("static", [True, False], ids=["static", "dynamic"])
@pytest.mark.parametrize("width", [64, 100, 256, 257, 300])
@pytest.mark.parametrize("first", [0, 1, 4, 15])
def test_every_row_elsewhere(width: int, static: bool, first: int) -> None:
    """Rows that begin at other elements of a line than those before, taken and set; some are set
    again."""
    rng = np.random.default_rng(4)
    row = width if static else "?"
    table = rng.random((300, width), np.float32)
    coordinates = rng.integers(0, 300, (401, 1))
    take = execution.compile(TAKE.format(row=row, element="f32"), threads=2)
    put = execution.compile(SET.format(row=row, element="f32"), threads=2)
    negated = execution.compile(NEGATED.format(row=row), threads=2)
    taken = table[coordinates[:, 0]]
    expected = np.full((300, width), 77, np.float32)
    expected[coordinates[:, 0]] = taken
    for pitch in (width, width + 4, width + 3):
        out = Memory(401, width, pitch, first, "float32")
        take(table, coordinates, out=out.rows)
        assert out.rows.tobytes() == taken.tobytes()
        assert out.keeps_what_is_around()
        negated(table, coordinates, out=out.rows)
        assert out.rows.tobytes() == (-taken).tobytes()
        assert out.keeps_what_is_around()
        dest = Memory(300, width, pitch, first, "float32")
        put(taken, dest.rows, coordinates)
        assert dest.rows.tobytes() == expected.tobytes()
        assert dest.keeps_what_is_around()


TURNED = """
func.func @turned(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %new = tensor.empty(%m, %n) : tensor<?x?xf32>
  %r = linalg.transpose ins(%x : tensor<?x?xf32>) outs(%new : tensor<?x?xf32>) permutation = [1, 0]
  return %r : tensor<?x?xf32>
}"""


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("shape", [(32, 48), (48, 40), (16, 17), (20, 16), (3, 64), (33, 65)])
@pytest.mark.parametrize("begin", [0, 4])
def test_transposed_tiles(shape: tuple[int, int], begin: int, threads: int) -> None:
    kernel = execution.compile(TURNED, threads=threads, target="tiny:vector-bytes=64:line=64")
    x = np.random.default_rng(3).random(shape).astype(np.float32)
    room = np.zeros(x.size + 64, np.float32)
    first = (-room.ctypes.data % 64) // 4 + begin
    out = room[first : first + x.size].reshape(shape[::-1])
    kernel(x, out=out)
    assert np.array_equal(out, x.T)
    assert not room[:first].any()
    assert not room[first + x.size :].any()
