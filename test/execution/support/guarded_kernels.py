"""Run as a process: kernels on arrays between two pages that cannot be read or written.

`python guarded_kernels.py <part>` ends with SIGSEGV at the first access out of bounds, and with an
AssertionError at a wrong result.
"""

import ctypes
import mmap
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress

import numpy as np
from mlir_gs.execution import compile

PAGE = mmap.PAGESIZE
_libc = ctypes.CDLL(None, use_errno=True)
_libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
_kept: list[mmap.mmap] = []


def guarded(array: np.ndarray, at_end: bool) -> np.ndarray:
    """A copy of `array` that ends at an unreadable page, or starts after one."""
    size = max(-(-array.nbytes // PAGE), 1) * PAGE
    memory = mmap.mmap(-1, size + 2 * PAGE)
    _kept.append(memory)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    for page in (start, start + PAGE + size):
        if _libc.mprotect(page, PAGE, 0) != 0:
            raise OSError(ctypes.get_errno(), "mprotect")
    offset = PAGE + (size - array.nbytes if at_end else 0)
    copy = np.frombuffer(memory, array.dtype, array.size, offset).reshape(array.shape)
    copy[...] = array
    return copy


def release() -> None:
    """Give back the memory of all guarded arrays, which must no longer be used."""
    while _kept:
        memory = _kept.pop()
        start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        _libc.mprotect(start, len(memory), mmap.PROT_READ | mmap.PROT_WRITE)
        with suppress(BufferError):
            memory.close()


def gather(kind: str, width: str, attributes: str = "") -> str:
    row, rows = f"tensor<?x{width}x{kind}>", "tensor<?x1xi32>"
    return f"""func.func @f(%t: {row}, %i: {rows}) -> {row} {{
  %0 = "gs.gather"(%t, %i) {{gather_dims = array<i64: 0>{attributes}}} : ({row}, {rows}) -> {row}
  return %0 : {row}
}}"""


def scatter(width: str, body: str, attributes: str = "") -> str:
    row, rows = f"tensor<?x{width}xf32>", "tensor<?x1xi32>"
    return f"""func.func @f(%u: {row}, %d: {row} {{bufferization.writable = true}}, %i: {rows})
    -> {row} {{
  %0 = "gs.scatter"(%u, %d, %i) ({{{body}}}) {{scatter_dims = array<i64: 0>{attributes}}}
      : ({row}, {row}, {rows}) -> {row}
  return %0 : {row}
}}"""


ADD = """
^bb0(%old: f32, %new: f32):
  %sum = arith.addf %old, %new : f32
  gs.yield %sum : f32
"""
BAG = """func.func @f(%t: tensor<?x{w}xf32>, %i: tensor<?x?xi32>, %z: tensor<?x{w}xf32>)
    -> tensor<?x{w}xf32> {{
  %0 = gs.generic (d0, d1, d2) [s0 = %i[d0, d1]]
      ins(%t[s0, d2]) outs(%z[d0, d2]) iterators(d0 = parallel, d1 = reduction, d2 = parallel)
      : (tensor<?x{w}xf32>, tensor<?x?xi32>, tensor<?x{w}xf32>) -> tensor<?x{w}xf32> {{
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    gs.yield %s : f32
  }}
  return %0 : tensor<?x{w}xf32>
}}"""
DOTS = """func.func @f(%t: tensor<?x{w}xf32>, %q: tensor<{w}xf32>, %i: tensor<?xi32>,
    %z: tensor<?xf32>) -> tensor<?xf32> {{
  %0 = gs.generic (d0, d1) [s0 = %i[d0]]
      ins(%t[s0, d1], %q[d1]) outs(%z[d0]) iterators(d0 = parallel, d1 = reduction)
      : (tensor<?x{w}xf32>, tensor<{w}xf32>, tensor<?xi32>, tensor<?xf32>) -> tensor<?xf32> {{
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    gs.yield %s : f32
  }}
  return %0 : tensor<?xf32>
}}"""
INTO_FILL = """func.func @f(%u: tensor<?x19xf32>, %like: tensor<?xi8>, %i: tensor<?x1xi32>)
    -> tensor<?x19xf32> {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f32
  %size = tensor.dim %like, %c0 : tensor<?xi8>
  %new = tensor.empty(%size) : tensor<?x19xf32>
  %d = linalg.fill ins(%half : f32) outs(%new : tensor<?x19xf32>) -> tensor<?x19xf32>
  %0 = gs.scatter %u into %d[%i] scatter_dims([0]) sorted combine(add)
      : (tensor<?x19xf32>, tensor<?x19xf32>, tensor<?x1xi32>) -> tensor<?x19xf32>
  return %0 : tensor<?x19xf32>
}"""
ELEMENTS = """func.func @f(%x: tensor<?x?xf32>, %i: tensor<?x?xi32>) -> tensor<?x?xf32> {
  %0 = gs.gather_elements %x[%i] dim(1) : (tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}"""
SLICE = """func.func @f(%x: tensor<?x{w}xf32>) -> tensor<5x{w}xf32> {{
  %0 = gs.strided_slice %x[0, 0] [9, {w}] [-2, 1] : (tensor<?x{w}xf32>) -> tensor<5x{w}xf32>
  return %0 : tensor<5x{w}xf32>
}}"""
Case = tuple[str, list[np.ndarray], np.ndarray]


def rows(rng: np.random.Generator, size: int, count: int, unique: bool = False) -> np.ndarray:
    found = rng.permutation(size)[:count] if unique else rng.integers(0, size, count)
    found[-1], found[0] = size - 1, 0 if count > 1 else size - 1
    return found.astype(np.int32)[:, None]


def moving(rng: np.random.Generator) -> Iterator[Case]:
    """Rows and elements of every tail length, of sizes known and unknown to the compiler."""
    for width in (*range(1, 20), 31, 32, 33, 63, 64, 65, 127, 128, 130):
        for kind, dtype in (("f32", "f4"), ("i8", "i1"), ("f64", "f8")):
            if kind != "f32" and width % 7 not in (0, 1):
                continue
            table = rng.integers(0, 100, (23, width)).astype(dtype)
            where = rows(rng, 23, 19)
            yield gather(kind, "?"), [table, where], table[where[:, 0]]
            if width in (1, 3, 7, 15, 16, 17, 33, 64, 65):
                yield gather(kind, str(width)), [table, where], table[where[:, 0]]
    for count in (*range(1, 36), 63, 64, 65):
        x = rng.random((3, count), np.float32)
        where = rng.integers(0, count, (3, count)).astype(np.int32)
        yield ELEMENTS, [x, where], np.take_along_axis(x, where, 1)
    for width in (1, 5, 16, 17):
        x = rng.random((9, width), np.float32)
        yield SLICE.format(w=width), [x], x[8::-2]


def combining(rng: np.random.Generator) -> Iterator[Case]:
    """Scatters and bags, with a table that is prefetched: larger than the cache would hold."""
    for width in (1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 64, 65):
        update, dest = rng.random((13, width), np.float32), rng.random((29, width), np.float32)
        where = rows(rng, 29, 13)
        expected = dest.copy()
        np.add.at(expected, where[:, 0], update)
        yield scatter("?", ADD), [update, dest, where], expected
        yield scatter(str(width), ADD), [update, dest, where], expected
        where = rows(rng, 29, 13, unique=True)
        where = np.unique(where)[:, None]
        expected = dest.copy()
        expected[where[:, 0]] = update[: len(where)]
        yield scatter("?", "", ", unique"), [update[: len(where)], dest, where], expected
        table = rng.integers(0, 9, (1500, width)).astype(np.float32)
        where = rng.integers(0, 1500, (9, 21)).astype(np.int32)
        where[-1, -1], where[0, 0] = 1499, 0
        zero = np.zeros((9, width), np.float32)
        for text in (BAG.format(w="?"), BAG.format(w=width)):
            yield text, [table, where, zero], table[where].sum(1)
        yield gather("f32", "?"), [table, where.reshape(-1, 1)], table[where.reshape(-1)]
        query, flat = rng.integers(0, 9, width).astype(np.float32), where.reshape(-1)
        for count in (1, 16, 19, 33):
            given = [table, query, flat[-count:], np.zeros(count, np.float32)]
            for text in (DOTS.format(w="?"), DOTS.format(w=width)):
                yield text, given, table[flat[-count:]] @ query


def filling(rng: np.random.Generator) -> Iterator[Case]:
    """Sorted segments of a filled result, with places between them and at both ends."""
    for count, size in ((40, 30), (3, 50), (1, 1), (64, 4)):
        updates = rng.random((count, 19), np.float32)
        places = np.sort(rng.integers(0, size, count)).astype(np.int32)
        expected = np.full((size, 19), 0.5, np.float32)
        np.add.at(expected, places, updates)
        yield INTO_FILL, [updates, np.zeros(size, np.int8), places[:, None]], expected


PARTS: dict[str, Callable[[np.random.Generator], Iterator[Case]]] = {
    "moving": moving,
    "combining": combining,
    "filling": filling,
}


def run(part: str) -> int:
    """The number of calls."""
    calls = 0
    kernels = {}
    for text, arguments, expected in PARTS[part](np.random.default_rng(0)):
        for threads in (1, 2):
            if (text, threads) not in kernels:
                kernels[text, threads] = compile(text, threads=threads)
            for at_end in (True, False):
                given = [guarded(array, at_end) for array in arguments]
                result = kernels[text, threads](*given)
                np.testing.assert_array_equal(result, expected, text)
                if "writable" not in text:
                    out = guarded(np.zeros_like(expected), at_end)
                    kernels[text, threads](*given, out=out)
                    np.testing.assert_array_equal(out, expected, text)
                calls += 1
                _kept.clear()
    return calls


if __name__ == "__main__":
    print(run(sys.argv[1]), "calls between guard pages")
