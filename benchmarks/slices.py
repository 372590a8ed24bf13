"""What slices at coordinates take alone: read, written or both, and nothing else done.

Slices that lie apart come line by line, and a core has so many lines on their way at a time: bytes
over bandwidth do not show that. So a loop touches the same slices in the same order, in a few ways,
and the fastest counts. What it reads it adds up; what it updates, it adds one to.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from string import Template
from typing import Any

import numpy as np
from bandwidth import best_time
from mlir_gs.execution import compile
from workload import LINE, Slices, aligned

TOUCH = Template("""
func.func @touch(%table: memref<?x$word>, %at: memref<?x$type>, %sums: memref<?x$word>,
    %repeats: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %step = arith.constant $step : index
  %words = arith.constant $words : index
  %lanes = arith.constant $lanes : index
  %threads = arith.constant $threads : index
  %one = arith.constant $one : $value
  %count = memref.dim %at, %c0 : memref<?x$type>
  %last = arith.subi %count, %c1 : index
  %part = arith.divui %count, %threads : index
  scf.parallel (%t) = (%c0) to (%threads) step (%c1) {
    %lo = arith.muli %t, %part : index
    %hi = arith.addi %lo, %part : index
    %all = scf.for %k = %c0 to %repeats step %c1 iter_args(%before = %one) -> ($value) {
      %round = scf.for %i = %lo to %hi step %step iter_args(%s0 = %before) -> ($value) {
$body
        scf.yield %s$step : $value
      }
      scf.yield %round : $value
    }
    %place = arith.muli %t, %lanes : index
    $store
  }
  return
}
""")

UNROLLED = 8
"""Slices of one load that a turn of the loop touches."""

AT_ONCE = 16
"""Loads of one slice that are unrolled at most, and lines of it that are asked for ahead."""


@dataclass(frozen=True)
class Way:
    """How many slices ahead their lines are asked for, 0 for not at all, and into which cache."""

    ahead: int = 0
    locality: int = 3


@dataclass(frozen=True)
class _Shape:
    """Words of one slice, and of one load."""

    bits: int
    words: int
    lanes: int

    @property
    def word(self) -> str:
        return f"i{self.bits}"

    @property
    def value(self) -> str:
        return self.word if self.lanes == 1 else f"vector<{self.lanes}x{self.word}>"

    @property
    def loads(self) -> int:
        return self.words // self.lanes

    @property
    def at_once(self) -> int:
        """The loads that are unrolled."""
        return next(n for n in range(AT_ONCE, 0, -1) if self.loads % n == 0)

    def load(self, memory: str, place: str) -> str:
        table = f"memref<?x{self.word}>"
        if self.lanes == 1:
            return f"memref.load {memory}[{place}] : {table}"
        return f"vector.load {memory}[{place}] : {table}, {self.value}"

    def store(self, value: str, memory: str, place: str) -> str:
        table = f"memref<?x{self.word}>"
        if self.lanes == 1:
            return f"memref.store {value}, {memory}[{place}] : {table}"
        return f"vector.store {value}, {memory}[{place}] : {table}, {self.value}"


def _shape(slice_bytes: int) -> _Shape:
    word = next(size for size in (4, 2, 1) if slice_bytes % size == 0)
    words = slice_bytes // word
    lanes = next(n for n in (16, 8, 4, 2, 1) if words % n == 0)
    return _Shape(8 * word, words, lanes)


def _source(shape: _Shape, access: str, type: str, threads: int, way: Way) -> str:
    """The loop's text."""
    step = UNROLLED if shape.loads == 1 else 1
    body = [line for k in range(step) for line in _slice(shape, access, type, way, k)]
    return TOUCH.substitute(
        word=shape.word,
        value=shape.value,
        type=type,
        step=step,
        words=shape.words,
        lanes=shape.lanes,
        threads=threads,
        store=shape.store("%all", "%sums", "%place"),
        one="1" if shape.lanes == 1 else "dense<1>",
        body="\n".join(f"        {line}" for line in body),
    )


def _slice(shape: _Shape, access: str, type: str, way: Way, k: int) -> Iterator[str]:
    """The slice at coordinate number %i + k; %s{k + 1} is the sum with it."""
    yield f"%k{k} = arith.constant {k} : index"
    yield f"%i{k} = arith.addi %i, %k{k} : index"
    yield from _position(type, f"%i{k}", f"%p{k}")
    if way.ahead:
        yield f"%d{k} = arith.constant {way.ahead} : index"
        yield f"%far{k} = arith.addi %i{k}, %d{k} : index"
        yield f"%j{k} = arith.minui %far{k}, %last : index"
        yield from _position(type, f"%j{k}", f"%q{k}")
        line = max(1, 8 * LINE // shape.bits)
        for n, word in enumerate(range(0, min(shape.words, AT_ONCE * line), line)):
            yield f"%w{k}_{n} = arith.constant {word} : index"
            yield f"%l{k}_{n} = arith.addi %q{k}, %w{k}_{n} : index"
            yield (
                f"memref.prefetch %table[%l{k}_{n}], {'read' if access == 'read' else 'write'}, "
                f"locality<{way.locality}>, data : memref<?x{shape.word}>"
            )
    if shape.loads <= AT_ONCE:
        yield from _loads(shape, access, shape.loads, f"%p{k}", f"%s{k}", f"%s{k + 1}", k)
        return
    yield f"%chunk = arith.constant {shape.at_once * shape.lanes} : index"
    yield f"%end = arith.addi %p{k}, %words : index"
    yield (
        f"%s{k + 1} = scf.for %p = %p{k} to %end step %chunk iter_args(%a = %s{k}) "
        f"-> ({shape.value}) {{"
    )
    yield from _loads(shape, access, shape.at_once, "%p", "%a", "%b", k)
    yield f"scf.yield %b : {shape.value}"
    yield "}"


def _position(type: str, number: str, name: str) -> Iterator[str]:
    yield f"{name}_c = memref.load %at[{number}] : memref<?x{type}>"
    yield f"{name}_x = arith.index_cast {name}_c : {type} to index"
    yield f"{name} = arith.muli {name}_x, %words : index"


def _loads(
    shape: _Shape, access: str, count: int, start: str, before: str, after: str, k: int
) -> Iterator[str]:
    """So many loads from `start` on, or what else is done there; `after`: the sum with them."""
    value = before
    for n in range(count):
        place, read = f"%x{k}_{n}", f"%v{k}_{n}"
        yield f"%o{k}_{n} = arith.constant {n * shape.lanes} : index"
        yield f"{place} = arith.addi {start}, %o{k}_{n} : index"
        if access != "set":
            yield f"{read} = {shape.load('%table', place)}"
        if access == "read":
            sum = after if n == count - 1 else f"%t{k}_{n}"
            yield f"{sum} = arith.addi {value}, {read} : {shape.value}"
            value = sum
            continue
        if access == "update":
            yield f"%n{k}_{n} = arith.addi {read}, %one : {shape.value}"
        new = f"%n{k}_{n}" if access == "update" else "%one"
        yield shape.store(new, "%table", place)
    if access != "read":
        zero = "0" if shape.lanes == 1 else "dense<0>"
        yield f"%z{k} = arith.constant {zero} : {shape.value}"
        yield f"{after} = arith.addi {before}, %z{k} : {shape.value}"


@cache
def _kernel(*parts: Any) -> Any:
    return compile(_source(*parts), threads=parts[3])


def ways(slice_bytes: int) -> list[Way]:
    """Not ahead at all, and ahead by some KiB into the first cache or the second."""
    distances = sorted({max(1, min(64, size // slice_bytes)) for size in (1024, 8192)})
    return [Way(), *(Way(ahead, locality) for ahead in distances for locality in (3, 2))]


def measure(slices: Slices, threads: int, seconds: float = 0.02) -> float | None:
    """Seconds that touching these slices takes, the best of a few runs of the best way; None for
    fewer than the loop has in a turn.

    What is written is a copy of the table; what is updated, each thread has a part of to itself.
    """
    if slices.positions.size < UNROLLED * threads:
        return None
    table = slices.table if slices.access == "read" else aligned(slices.table)
    runs = [touch(slices, table, threads, way) for way in ways(slices.bytes)]
    return min(best_time(run, seconds) for run in runs)


def touch(slices: Slices, table: np.ndarray, threads: int, way: Way) -> Callable[[int], np.ndarray]:
    """What touches the slices of `table` so many times, and returns the sums of each thread.

    Slices that do not fill the threads' last turns are left out.
    """
    shape = _shape(slices.bytes)
    at = slices.positions.ravel()
    if slices.access == "update" and threads > 1:
        at = aligned(at[np.argsort(at.astype(np.int64) * threads // len(table), kind="stable")])
    at = at[: len(at) // (UNROLLED * threads) * UNROLLED * threads]
    words = table.reshape(-1).view(f"i{shape.bits // 8}")
    sums = np.zeros(threads * shape.lanes, words.dtype)
    kernel = _kernel(shape, slices.access, f"i{8 * at.dtype.itemsize}", threads, way)

    def run(repeats: int) -> np.ndarray:
        kernel(words, at, sums, repeats)
        return sums

    return run
