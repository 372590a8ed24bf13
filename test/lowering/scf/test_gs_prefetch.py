"""Loops with prefetches: they do what they did, and read no coordinate beyond its memref."""

import ctypes
import mmap
from pathlib import Path

import numpy as np
import pytest
from mlir_gs import dialect, execution
from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.parse import ParseError, parse
from mlir_gs.lowering import PassFailure, run_pipeline
from mlir_gs.lowering.ir.builders import walk_named

INPUTS = sorted(Path(__file__).parent.rglob("*.mlir"))
ALL = (
    "generic:far-bytes=0:memory-bytes=0:coordinates-per-ahead=0:elements-ahead=3:read-ahead=256:"
    "write-ahead=256"
)


@pytest.fixture(autouse=True)
def _nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is taken from the disk."""
    monkeypatch.setenv("MLIR_GS_CACHE", "off")


def prefetched(text: str) -> str:
    with dialect.context() as context, ir.Location.unknown():
        context.allow_unregistered_dialects = True
        module = parse(text, context)
        run_pipeline(module, f"gs-prefetch{{target={{{ALL}}}}}")
        assert walk_named(module.operation, "memref.prefetch")
        return str(module)


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.stem)
def test_nothing_else_changes(path: Path) -> None:
    """Without the prefetches, and what only they use, loops are those that there were."""
    tidy = "canonicalize,cse,canonicalize,cse"
    for text in path.read_text(encoding="utf-8").split("// -----"):
        with dialect.context() as context, ir.Location.unknown():
            context.allow_unregistered_dialects = True
            try:
                module = parse(text, context)
                loops = "convert-gs-to-scf{threads=2 target=generic:disable=prefetch}"
                run_pipeline(module, loops)
            except (ParseError, PassFailure):
                continue
            # There are some in the input of another pass.
            before = without_prefetches(module, tidy)
            run_pipeline(module, f"gs-prefetch{{target={{{ALL}}}}}")
            assert without_prefetches(module, tidy) == before


def without_prefetches(module: ir.Module, tidy: str) -> str:
    for op in walk_named(module.operation, "memref.prefetch"):
        op.erase()
    run_pipeline(module, tidy)
    return str(module)


LOOP = """
func.func @f({arguments}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = memref.dim %ids, %c0 : memref<{ids}>
  scf.for %i = %c0 to %n step %c1 {{
    {body}
  }}
  return
}}"""

TAKE = """
    %id = memref.load %ids[%i] : memref<?x{index}>
    %at = arith.index_cast %id : {index} to index
    %x = memref.load %table[%at] : memref<?xf32>
    memref.store %x, %out[%i] : memref<?xf32>"""

TABLE = "%table: memref<?xf32>, %ids: memref<?x{index}>, %out: memref<?xf32>"


def at_the_end(values: np.ndarray) -> np.ndarray:
    """The same values in memory before a page that cannot be read."""
    page = mmap.PAGESIZE
    pages = -(-max(values.nbytes, 1) // page)
    memory = mmap.mmap(-1, (pages + 1) * page)
    view = np.frombuffer(memory, np.uint8)
    protect = ctypes.CDLL(None, use_errno=True).mprotect
    protect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    assert protect(view.ctypes.data + pages * page, page, 0) == 0
    begin = pages * page - values.nbytes
    same = view[begin : pages * page].view(values.dtype).reshape(values.shape)
    same[...] = values
    return same


@pytest.mark.parametrize("count", [0, 1, 2, 5, 70])
@pytest.mark.parametrize("index", ["i8", "i16", "i32", "i64"])
def test_takes(index: str, count: int) -> None:
    text = LOOP.format(
        arguments=TABLE.format(index=index), ids=f"?x{index}", body=TAKE.format(index=index)
    )
    rng = np.random.default_rng(count)
    table = rng.standard_normal(40).astype(np.float32)
    ids = at_the_end(rng.integers(0, 40, count).astype(f"int{index[1:]}"))
    out = np.zeros(count, np.float32)
    execution.compile(prefetched(text), threads=1)(table, ids, out)
    np.testing.assert_array_equal(out, table[ids])


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1), (4, 3), (50, 7)])
def test_rows_of_coordinates(shape: tuple[int, int]) -> None:
    """Bags of rows, of coordinates that lie side by side."""
    body = """
    %m = memref.dim %ids, %c1 : memref<?x?xi32>
    scf.for %j = %c0 to %m step %c1 {
      %id = memref.load %ids[%i, %j] : memref<?x?xi32>
      %at = arith.index_cast %id : i32 to index
      scf.for %k = %c0 to %c3 step %c1 {
        %x = memref.load %table[%at, %k] : memref<?x3xf32>
        %s = memref.load %out[%i, %k] : memref<?x3xf32>
        %t = arith.addf %s, %x : f32
        memref.store %t, %out[%i, %k] : memref<?x3xf32>
      }
    }"""
    arguments = "%table: memref<?x3xf32>, %ids: memref<?x?xi32>, %out: memref<?x3xf32>"
    text = LOOP.format(arguments=arguments, ids="?x?xi32", body=body)
    rng = np.random.default_rng(1)
    table = rng.integers(-9, 9, (20, 3)).astype(np.float32)
    ids = at_the_end(rng.integers(0, 20, shape).astype(np.int32))
    out = np.zeros((shape[0], 3), np.float32)
    execution.compile(prefetched(text), threads=1)(table, ids, out)
    np.testing.assert_array_equal(out, table[ids].sum(axis=1))


@pytest.mark.parametrize("step", [1, 2, -1])
def test_strided_coordinates_behind_a_mask(step: int) -> None:
    """Where nothing is written the coordinates may be empty; strides of any sign."""
    ids_type, values = "?xi64, strided<[?], offset: ?>", "?xf32, strided<[?], offset: ?>"
    body = f"""
    %m = memref.load %mask[%i] : memref<?xi1>
    scf.if %m {{
      %id = memref.load %where[%i] : memref<{ids_type}>
      %at = arith.index_cast %id : i64 to index
      %x = memref.load %table[%at] : memref<{values}>
      memref.store %x, %ids[%i] : memref<?xf32>
    }}"""
    arguments = (
        f"%table: memref<{values}>, %where: memref<{ids_type}>, %mask: memref<?xi1>, "
        "%ids: memref<?xf32>"
    )
    kernel = execution.compile(
        prefetched(LOOP.format(arguments=arguments, ids="?xf32", body=body)), threads=1
    )
    table = np.arange(30, dtype=np.float32)[::-1]
    for count in (0, 1, 9):
        where = at_the_end(np.arange(3 * count, dtype=np.int64))[::step][:count]
        mask = np.arange(count) % 3 != 1
        out = np.full(count, -1, np.float32)
        kernel(table, where, mask, out)
        np.testing.assert_array_equal(out, np.where(mask, table[where], -1))
    out = np.full(5, -1, np.float32)
    kernel(table, at_the_end(np.empty(0, np.int64)), np.zeros(5, bool), out)
    assert (out == -1).all()


def test_disabled() -> None:
    """A pass that is off leaves no prefetch, and no other op."""
    text = LOOP.format(arguments=TABLE.format(index="i32"), ids="?xi32",
                       body=TAKE.format(index="i32"))  # fmt: skip
    with dialect.context(), ir.Location.unknown():
        module = parse(text)
        before = str(module)
        run_pipeline(module, "gs-prefetch{target=generic:disable=prefetch}")
        assert str(module) == before
