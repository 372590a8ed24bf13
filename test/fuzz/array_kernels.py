"""The kernels that fuzz_arrays.py calls, each with its NumPy spelling."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np
from mlir_gs import execution

Arrays = list[Any]
Rng = np.random.Generator


@dataclass(frozen=True)
class Called:
    """A kernel: its module, arguments that fit, what NumPy makes of them, and which are written.

    `spell` raises IndexError where the kernel has to.
    """

    text: str
    make: Callable[[Rng], Arrays]
    spell: Callable[..., Any]
    dtypes: tuple[Any, ...]
    written: tuple[int, ...] = ()
    sanitize: bool = False


def _rows(kind: str, width: str, coordinate: str, attributes: str) -> str:
    row, rows = f"tensor<?x{width}x{kind}>", f"tensor<?x1x{coordinate}>"
    return f"""
func.func @f(%t: {row}, %i: {rows}) -> {row} {{
  %0 = gs.gather %t[%i] gather_dims([0]) {{{attributes}}} : ({row}, {rows}) -> {row}
  return %0 : {row}
}}"""


def _table(width: int, dtype: Any, coordinate: Any, spread: int = 0) -> Callable[[Rng], Arrays]:
    def make(rng: Rng) -> Arrays:
        size, count = int(rng.integers(1, 40)), int(rng.integers(0, 50))
        table = rng.integers(-100, 100, (size, width)).astype(dtype)
        low = 0 if np.dtype(coordinate).kind == "u" else -spread
        return [table, rng.integers(low, size + spread, (count, 1)).astype(coordinate)]

    return make


def _clip(table: np.ndarray, rows: np.ndarray) -> np.ndarray:
    if len(rows) and not len(table):
        raise IndexError("nothing to clip to")
    return table[np.clip(rows[:, 0], 0, max(len(table) - 1, 0))]


def _error(table: np.ndarray, rows: np.ndarray) -> np.ndarray:
    if ((rows < 0) | (rows >= len(table))).any():
        raise IndexError("out of bounds")
    return table[rows[:, 0]]


def _distinct(table: np.ndarray, rows: np.ndarray) -> np.ndarray:
    if len(np.unique(rows)) < len(rows):
        raise IndexError("twice")
    return _error(table, rows)


def _fill(fill: Any) -> Callable[..., np.ndarray]:
    def spell(table: np.ndarray, rows: np.ndarray) -> np.ndarray:
        out = np.full((len(rows), *table.shape[1:]), fill, table.dtype)
        inside = (rows[:, 0] >= 0) & (rows[:, 0] < len(table))
        out[inside] = table[rows[inside, 0]]
        return out

    return spell


def _scatter(combiner: str, donated: bool) -> str:
    mark = " {bufferization.writable = true}" if donated else ""
    return f"""
func.func @f(%u: tensor<?x3xf64>, %d: tensor<?x3xf64>{mark}, %i: tensor<?x1xi64>)
    -> tensor<?x3xf64> {{
  %0 = gs.scatter %u into %d[%i] scatter_dims([0]) mode(drop)
      : (tensor<?x3xf64>, tensor<?x3xf64>, tensor<?x1xi64>) -> tensor<?x3xf64> {{{combiner}}}
  return %0 : tensor<?x3xf64>
}}"""


_ADD = """
^bb0(%old: f64, %new: f64):
  %sum = arith.addf %old, %new : f64
  gs.yield %sum : f64
"""


def _updates(rng: Rng) -> Arrays:
    size, count = int(rng.integers(1, 30)), int(rng.integers(0, 40))
    rows = rng.integers(-2, size + 2, (count, 1))
    return [rng.random((count, 3)), rng.random((size, 3)), rows]


def _scattered(add: bool) -> Callable[..., np.ndarray]:
    def spell(updates: np.ndarray, dest: np.ndarray, rows: np.ndarray) -> np.ndarray:
        out = dest.copy()
        # A dim that two operands share is as long as the shorter.
        for update, (row,) in zip(updates, rows, strict=False):
            if 0 <= row < len(out):
                out[row] = out[row] + update if add else update
        return out

    return spell


_BUFFERS = """
func.func @f(%x: memref<?xf32, strided<[?], offset: ?>>, %i: memref<?xi32>,
             %y: memref<?xf32, strided<[?], offset: ?>>) {
  gs.generic (d0) [s0 = %i[d0] mode(fill_or_drop)]
      ins(%x[s0]) outs(%y[d0]) iterators(d0 = parallel)
      : (memref<?xf32, strided<[?], offset: ?>>, memref<?xi32>,
      memref<?xf32, strided<[?], offset: ?>>)
      -> () {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  return
}"""


def _buffers(rng: Rng) -> Arrays:
    size, count = int(rng.integers(1, 30)), int(rng.integers(0, 40))
    where = rng.integers(-1, size + 1, count).astype(np.int32)
    return [rng.random(size, np.float32), where, np.zeros(count, np.float32)]


def _written(x: np.ndarray, where: np.ndarray, y: np.ndarray) -> np.ndarray:
    out = y.copy()
    for n in range(min(len(where), len(out))):
        inside = 0 <= where[n] < len(x)
        out[n] = x[where[n]] if inside else np.nan
    return out


_SCALARS = """
func.func @f(%x: tensor<?xf32>, %i: index, %s: f32, %n: i8) -> (tensor<1xf32>, f32, i8) {
  %where = tensor.from_elements %i : tensor<1x1xindex>
  %0 = gs.gather %x[%where] gather_dims([0]) mode(error)
      : (tensor<?xf32>, tensor<1x1xindex>) -> tensor<1xf32>
  %t = arith.addf %s, %s : f32
  return %0, %t, %n : tensor<1xf32>, f32, i8
}"""


def _scalar_arguments(rng: Rng) -> Arrays:
    size = int(rng.integers(1, 9))
    # Numbers, which fit as 0-d arrays do not.
    where = int(rng.integers(-1, size + 1))
    return [rng.random(size, np.float32), where, 0.5, int(rng.integers(-5, 5))]


def _scalars(x: np.ndarray, i: Any, s: Any, n: Any) -> tuple[Any, ...]:
    i, s, n = (one.item() if isinstance(one, np.ndarray) and one.size == 1 else one
               for one in (i, s, n))  # fmt: skip
    if not 0 <= int(i) < len(x):
        raise IndexError("out of bounds")
    with np.errstate(all="ignore"):
        twice = np.float32(s) + np.float32(s)
    return x[[int(i)]], twice, np.int64(n).astype(np.int8)


_HISTOGRAM = """
func.func @f(%u: tensor<?xi32>, %i: tensor<?x1xi32>) -> (tensor<?xi32>, tensor<?x1xi32>) {
  %0:2 = gs.histogram %u at %i combine(add)
      : (tensor<?xi32>, tensor<?x1xi32>) -> (tensor<?xi32>, tensor<?x1xi32>)
  return %0#0, %0#1 : tensor<?xi32>, tensor<?x1xi32>
}"""


def _bins(rng: Rng) -> Arrays:
    count = int(rng.integers(0, 40))
    updates, bins = rng.integers(-9, 9, (2, count))
    return [updates.astype(np.int32), bins.astype(np.int32)[:, None]]


def _histogram(updates: np.ndarray, bins: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    count = min(len(updates), len(bins))
    updates, bins = updates[:count], bins[:count]
    found, where = np.unique(bins[:, 0], return_inverse=True)
    sums = np.zeros(len(found), np.int32)
    with np.errstate(all="ignore"):
        np.add.at(sums, where, updates)
    return sums, found[:, None].astype(np.int32)


_BF16 = ml_dtypes.bfloat16
KERNELS: dict[str, Called] = {
    "clip": Called(
        _rows("f32", "4", "i64", 'mode = "clip"'), _table(4, "f4", "i8", 3), _clip,
        ("f4", "i8"), sanitize=True,
    ),
    "error": Called(
        _rows("f32", "4", "i32", 'mode = "error"'), _table(4, "f4", "i4", 0), _error, ("f4", "i4")
    ),
    "fill": Called(
        _rows("i16", "?", "ui8", 'mode = "fill"'), _table(5, "i2", "u1", 3), _fill(-(2**15)),
        ("i2", "u1"),
    ),
    "complex": Called(
        _rows("complex<f32>", "2", "i16", 'mode = "fill"'), _table(2, "c8", "i2", 2),
        _fill(complex(np.nan, 0)), ("c8", "i2"),
    ),
    "bf16": Called(
        _rows("bf16", "3", "i64", 'mode = "error"'), _table(3, _BF16, "i8"), _error, (_BF16, "i8")
    ),
    "bool": Called(
        _rows("i1", "3", "i64", 'mode = "fill"'), _table(3, "?", "i8", 2), _fill(True), ("?", "i8")
    ),
    "checked": Called(
        _rows("f64", "1", "index", "unique"), _table(1, "f8", "i8", 1), _distinct, ("f8", "i8"),
        sanitize=True,
    ),
    "add": Called(_scatter(_ADD, False), _updates, _scattered(True), ("f8", "f8", "i8")),
    "put": Called(
        _scatter("\n", True), _updates, _scattered(False), ("f8", "f8", "i8"), written=(1,)
    ),
    "buffers": Called(_BUFFERS, _buffers, _written, ("f4", "i4", "f4"), written=(2,)),
    "scalars": Called(
        _SCALARS, _scalar_arguments, _scalars, ("f4", None, None, None)
    ),
    "histogram": Called(_HISTOGRAM, _bins, _histogram, ("i4", "i4")),
}  # fmt: skip


@cache
def kernel(name: str, threads: int) -> Any:
    called = KERNELS[name]
    return execution.compile(called.text, threads=threads, sanitize=called.sanitize)
