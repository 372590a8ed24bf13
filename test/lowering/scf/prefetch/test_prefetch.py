"""Loops that ask for elements ahead: for what comes after the last point they ask for nothing."""

import ctypes
import mmap
import sys

import numpy as np
import pytest
from mlir_gs import execution

SET = """
func.func @f(%updates: tensor<?x?xf32>, %dest: tensor<?x?xf32>, %i: tensor<?x?x{index}>)
    -> tensor<?x?xf32> {{
  %r = "gs.scatter_elements"(%updates, %dest, %i) ({{}}) {{dim = {dim} : i64{attributes}}}
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?x{index}>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}}"""

TAKE = """
func.func @f(%table: tensor<?x?xf32>, %i: tensor<?x?x{index}>) -> tensor<?x?xf32> {{
  %r = "gs.gather_elements"(%table, %i) {{dim = {dim} : i64{attributes}}}
      : (tensor<?x?xf32>, tensor<?x?x{index}>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}}"""

ADD = """
func.func @f(%updates: tensor<?xf64>, %dest: tensor<?xf64>, %i: tensor<?x1xi32>)
    -> tensor<?xf64> {
  %r = gs.scatter %updates into %dest[%i] scatter_dims([0]) mode(drop) combine(add)
      : (tensor<?xf64>, tensor<?xf64>, tensor<?x1xi32>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}"""


@pytest.fixture(autouse=True, params=[1, 2])
def all_is_far(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, on_target) -> None:
    """Every array is as if no cache held it, and is prefetched into the first or second one."""
    monkeypatch.setenv("MLIR_GS_CACHE", "off")
    on_target(
        write_ahead=4096,
        read_ahead=2048,
        prefetch_level=request.param,
        coordinates_per_ahead=0,
        far_bytes=0,
        elements_ahead=(32, 256)[request.param - 1],
    )


ROWS = """
func.func @f(%table: tensor<?x{width}x{type}>, %i: tensor<?x1xi32>) -> tensor<?x{width}x{type}> {{
  %r = gs.gather %table[%i] gather_dims([0]) mode(clip)
      : (tensor<?x{width}x{type}>, tensor<?x1xi32>) -> tensor<?x{width}x{type}>
  return %r : tensor<?x{width}x{type}>
}}"""

SHAPES = [(0, 7), (1, 1), (3, 16), (200, 47), (200, 48), (90, 333), (1, 5000), (5000, 1), (700, 64)]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("dim", [0, 1])
@pytest.mark.parametrize("mode", ["", ', mode = "clip"', ', mode = "fill"'])
def test_takes(mode: str, dim: int, threads: int) -> None:
    kernel = execution.compile(TAKE.format(dim=dim, index="i64", attributes=mode), threads=threads)
    rng = np.random.default_rng(1)
    for shape in SHAPES:
        size = max(shape[dim], 1) + 9
        rows = (size, shape[1]) if dim == 0 else (shape[0], size)
        table = rng.standard_normal(rows, dtype=np.float32)
        beyond = 0 if mode == "" else 3
        places = rng.integers(-beyond, size + beyond, shape)
        expected = np.take_along_axis(table, places.clip(0, size - 1), dim)
        if "fill" in mode:
            expected[(places < 0) | (places >= size)] = np.nan
        assert kernel(table, places).tobytes() == expected.tobytes()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("width", ["?", "3", "1500"])
@pytest.mark.parametrize("name", ["f32", "i1", "f64"])
def test_rows(name: str, width: str, threads: int) -> None:
    kernel = execution.compile(ROWS.format(type=name, width=width), threads=threads)
    rng = np.random.default_rng(6)
    columns = 77 if width == "?" else int(width)
    dtype = kernel.parameters[0].element.dtype
    for rows, count in ((1, 0), (1, 1), (40, 9), (40, 300)):
        table = rng.integers(0, 2, (rows, columns)).astype(dtype)
        places = rng.integers(-3, rows + 3, (count, 1)).astype(np.int32)
        result = kernel(table, places)
        np.testing.assert_array_equal(result, table[places[:, 0].clip(0, rows - 1)])


WINDOWS = """
func.func @f(%source: tensor<?x{type}>, %i: tensor<{points}xi64>, %new: tensor<?x{points}x{type}>)
    -> tensor<?x{points}x{type}> {{
  %r = "gs.generic"(%source, %i, %new) ({{
  ^bb0(%x: {type}, %current: {type}):
    gs.yield %x : {type}
  }}) {{
    coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d1)>]],
    indexing_maps = [affine_map<(d0, d1)[s0] -> (d0 * {step} + s0)>,
                     affine_map<(d0, d1)[s0] -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"], modes = ["{mode}"],
    operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  }} : (tensor<?x{type}>, tensor<{points}xi64>, tensor<?x{points}x{type}>)
      -> tensor<?x{points}x{type}>
  return %r : tensor<?x{points}x{type}>
}}"""


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("mode", ["promise_in_bounds", "clip", "error"])
@pytest.mark.parametrize("name", ["f32", "complex<f64>"])
@pytest.mark.parametrize("points", [3, 16])
def test_windows(points: int, name: str, mode: str, threads: int) -> None:
    """Up to the last step, after which the source ends; in vectors, and of elements without."""
    step = 16 * points
    text = WINDOWS.format(type=name, points=points, step=step, mode=mode)
    kernel = execution.compile(text, threads=threads)
    dtype = kernel.parameters[0].element.dtype
    rng = np.random.default_rng(7)
    for steps in (0, 1, 2, 700):
        size = max(steps, 1) * step
        source = np.arange(size).astype(dtype)
        beyond = 9 if mode == "clip" else 0
        places = rng.integers(-beyond, step + beyond, points)
        places[0] = step - 1
        inside = places.clip(0, size - 1 - (steps - 1) * step if steps else None)
        result = kernel(source, places, np.zeros((steps, points), dtype))
        np.testing.assert_array_equal(result, source[np.arange(steps)[:, None] * step + inside])


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("dim", [0, 1])
@pytest.mark.parametrize("attributes", ["", ", unique", ', mode = "drop"'])
def test_sets(attributes: str, dim: int, threads: int) -> None:
    text = SET.format(dim=dim, index="i32", attributes=attributes)
    kernel = execution.compile(text, threads=threads)
    rng = np.random.default_rng(2)
    for shape in SHAPES:
        size = shape[dim] + 9
        rows = (size, shape[1]) if dim == 0 else (shape[0], size)
        dest, updates = (rng.standard_normal(s, dtype=np.float32) for s in (rows, shape))
        if attributes == ", unique":
            order = np.argsort(rng.random(rows), axis=dim)
            places = order[: shape[0], : shape[1]].astype(np.int32)
        else:
            beyond = 0 if attributes == "" else 3
            places = rng.integers(-beyond, size + beyond, shape).astype(np.int32)
        expected = dest.copy()
        for at in np.ndindex(shape):
            if 0 <= places[at] < size:
                expected[(places[at], at[1]) if dim == 0 else (at[0], places[at])] = updates[at]
        assert kernel(updates, dest, places).tobytes() == expected.tobytes()


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_ordered_sums(threads: int) -> None:
    """By one thread, and shared by owners of a large output."""
    kernel = execution.compile(ADD, threads=threads)
    rng = np.random.default_rng(3)
    for count, size in ((0, 5), (47, 9), (48, 9), (5001, 40), (90_001, 200_003)):
        dest, updates = rng.standard_normal(size), rng.standard_normal(count)
        places = rng.integers(-2, size + 2, (count, 1)).astype(np.int32)
        inside = (places[:, 0] >= 0) & (places[:, 0] < size)
        expected = dest.copy()
        np.add.at(expected, places[inside, 0], updates[inside])
        assert kernel(updates, dest, places).tobytes() == expected.tobytes()


SORTED = """
func.func @f(%rows: tensor<?x{width}xf32>, %sums: tensor<?x{width}xf32>, %i: tensor<?x1xi64>)
    -> tensor<?x{width}xf32> {{
  %r = "gs.scatter"(%rows, %sums, %i) ({{
  ^bb0(%sum: f32, %row: f32):
    %next = arith.addf %sum, %row : f32
    gs.yield %next : f32
  }}) {{scatter_dims = array<i64: 0>{sorted}}}
      : (tensor<?x{width}xf32>, tensor<?x{width}xf32>, tensor<?x1xi64>) -> tensor<?x{width}xf32>
  return %r : tensor<?x{width}xf32>
}}"""


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("width", [1, 24, 64, 200])
@pytest.mark.parametrize("order", ["", ", sorted"])
def test_sums_of_rows(order: str, width: int, threads: int) -> None:
    """Rows and coordinates that are read in order, to their very ends."""
    kernel = execution.compile(SORTED.format(width=width, sorted=order), threads=threads)
    rng = np.random.default_rng(4)
    for count, size in ((0, 3), (1, 1), (17, 4), (3000, 900)):
        rows, sums = (rng.standard_normal((n, width), dtype=np.float32) for n in (count, size))
        places = rng.integers(0, size, (count, 1))
        places = np.sort(places, axis=0) if order else places
        expected = sums.copy()
        np.add.at(expected, places[:, 0], rows)
        assert kernel(rows, sums, places).tobytes() == expected.tobytes()


COO = """
func.func @f(%values: tensor<?xf32>, %rows: tensor<?x1xi32>, %columns: tensor<?x1xi32>,
    %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %found = gs.gather %x[%columns] gather_dims([0])
      : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  %products = arith.mulf %values, %found : tensor<?xf32>
  %r = gs.scatter %products into %y[%rows] scatter_dims([0]) sorted combine(add)
      : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}"""

CSR = """
func.func @f(%values: memref<?xf32>, %starts: memref<?xi32>, %columns: memref<?xi32>,
    %x: memref<?{width}xf32>, %y: memref<?{width}xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = memref.dim %y, %c0 : memref<?{width}xf32>
  scf.parallel (%r) = (%c0) to (%count) step (%c1) {{
    %next = arith.addi %r, %c1 : index
    %a = memref.load %starts[%r] : memref<?xi32>
    %b = memref.load %starts[%next] : memref<?xi32>
    %first = arith.index_cast %a : i32 to index
    %end = arith.index_cast %b : i32 to index
    %size = arith.subi %end, %first : index
    %v = memref.subview %values[%first] [%size] [1]
        : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
    %c = memref.subview %columns[%first] [%size] [1]
        : memref<?xi32> to memref<?xi32, strided<[1], offset: ?>>
    %row = memref.subview %y[%r{zero}] [1{size}] [1{one}]
        : memref<?{width}xf32> to memref<{row}f32, strided<[{one_step}], offset: ?>>
    "gs.generic"(%v, %x, %c, %row) ({{
    ^bb0(%value: f32, %element: f32, %sum: f32):
      %product = arith.mulf %value, %element : f32
      %new = arith.addf %sum, %product : f32
      gs.yield %new : f32
    }}) {{
      coordinate_maps = [[affine_map<({dims})[s0] -> (d0)>]],
      indexing_maps = [affine_map<({dims})[s0] -> (d0)>, affine_map<({dims})[s0] -> (s0{d1})>,
                       affine_map<({dims})[s0] -> ({last})>],
      iterator_types = ["reduction"{parallel}],
      operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>
    }} : (memref<?xf32, strided<[1], offset: ?>>, memref<?{width}xf32>,
          memref<?xi32, strided<[1], offset: ?>>,
          memref<{row}f32, strided<[{one_step}], offset: ?>>) -> ()
    scf.reduce
  }}
  return
}}"""
VECTOR = {
    "width": "", "zero": "", "size": "", "one": "", "row": "", "one_step": "", "dims": "d0",
    "d1": "", "last": "", "parallel": "",
}  # fmt: skip
MATRIX = {
    "width": "x40", "zero": ", 0", "size": ", 40", "one": ", 1", "row": "40x", "one_step": "1",
    "dims": "d0, d1", "d1": ", d1", "last": "d1", "parallel": ', "parallel"',
}  # fmt: skip


def _sparse(rng: np.random.Generator, entries: int, rows: int) -> tuple[np.ndarray, ...]:
    to = np.sort(rng.integers(0, rows, entries)).astype(np.int32)
    columns = rng.integers(0, rows, entries).astype(np.int32)
    return rng.standard_normal(entries, dtype=np.float32), to, columns


@pytest.mark.parametrize("threads", [1, 2])
def test_sorted_sums(threads: int) -> None:
    kernel = execution.compile(COO, threads=threads)
    rng = np.random.default_rng(4)
    for entries, rows in ((0, 3), (1, 1), (63, 9), (65, 9), (5000, 600), (70_001, 600)):
        values, to, columns = _sparse(rng, entries, rows)
        x, y = (rng.standard_normal(rows, dtype=np.float32) for _ in range(2))
        expected = y.copy()
        np.add.at(expected, to, values * x[columns])
        result = kernel(values, to[:, None], columns[:, None], x, y)
        assert result.tobytes() == expected.tobytes()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("parts", [VECTOR, MATRIX], ids=["vector", "matrix"])
def test_slices_of_a_list(parts: dict[str, str], threads: int) -> None:
    """The rows of a sparse matrix; after the last one nothing is read."""
    kernel = execution.compile(CSR.format(**parts), threads=threads)
    rng = np.random.default_rng(5)
    for entries, rows in ((0, 3), (1, 1), (65, 9), (5000, 600), (70_001, 600)):
        values, to, columns = _sparse(rng, entries, rows)
        starts = np.searchsorted(to, np.arange(rows + 1)).astype(np.int32)
        shape = (rows, 40) if parts is MATRIX else (rows,)
        x, y = (rng.standard_normal(shape, dtype=np.float32) for _ in range(2))
        expected = y.copy()
        scaled = values[:, None] if parts is MATRIX else values
        np.add.at(expected, to, scaled * x[columns])
        kernel(values, starts, columns, x, y)
        assert y.tobytes() == expected.tobytes()


# The last iteration leaves out a load, or is not reached: what it would load is in another page.
LAST = """
func.func @f(%t: memref<?xf32>, %p: memref<?xindex>, %ids: memref<?xindex>, %out: memref<?xf32>,
    %n: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = memref.dim %ids, %c0 : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {{
    %within = arith.cmpi slt, %i, %size : index
    {check}
    %a = memref.load %ids[%i] : memref<?xindex>
    %j = arith.addi %i, %c1 : index
    %has = arith.cmpi slt, %j, %size : index
    scf.if %has {{
      %q = memref.load %p[%a] : memref<?xindex>
      %x = memref.load %t[%q] : memref<?xf32>
      %b = memref.load %ids[%j] : memref<?xindex>
      %r = memref.load %p[%b] : memref<?xindex>
      %y = memref.load %t[%r] : memref<?xf32>
      %s = arith.addf %x, %y : f32
      memref.store %s, %out[%i] : memref<?xf32>
    }}
  }}
  return
}}"""


def _at_end_of_page(array: np.ndarray) -> np.ndarray:
    """`array` in front of a page that may not be read."""
    size = mmap.PAGESIZE * -(-array.nbytes // mmap.PAGESIZE)
    memory = mmap.mmap(-1, size + mmap.PAGESIZE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(address + size), mmap.PAGESIZE, 0) == 0
    found = np.frombuffer(memory, array.dtype, array.size, size - array.nbytes)
    found[:] = array
    return found


@pytest.mark.skipif(sys.platform == "win32", reason="has no mprotect")
@pytest.mark.parametrize("check", ["", 'cf.assert %within, "beyond"'])
def test_last_iteration_that_leaves_out_a_load(check: str) -> None:
    target = "generic:far-bytes=0:memory-bytes=0:coordinates-per-ahead=0"
    kernel = execution.compile(LAST.format(check=check), threads=1, target=target)
    rng = np.random.default_rng(6)
    t, p = rng.random(5000, dtype=np.float32), rng.integers(0, 5000, 5000)
    ids, out = _at_end_of_page(rng.integers(0, 5000, 512)), np.zeros(512, np.float32)
    kernel(t, p, ids, out, 512)
    x = t[p[ids]]
    np.testing.assert_array_equal(out[:-1], x[:-1] + x[1:])
    if check:
        with pytest.raises(RuntimeError, match="beyond"):
            kernel(t, p, ids, np.zeros(2000, np.float32), 2000)
