"""Sums at sorted coordinates, as of a sparse matrix in COO form: the bits of the sequential loop,
wherever segments, blocks and threads begin."""

import numpy as np
import pytest
from mlir_gs.execution import compile
from mlir_gs.lowering.scf.strategies import segment_sums

PROGRAM = """
func.func @f(%values: tensor<?x{kind}>, %x: tensor<?x{kind}>, %rows: tensor<?x{index}>,
    %columns: tensor<?x1xi32>, %old: tensor<?x{kind}>) -> tensor<?x{kind}> {{
  {before}
  %r = "gs.generic"(%values, %x, %rows, %columns, {from_}) ({{
  ^bb0(%value: {kind}, %found: {kind}, %sum: {kind}):
    %product = arith.mul{f} %value, %found : {kind}
    %next = arith.{combiner} %sum, %product : {kind}
    gs.yield %next : {kind}
  }}) {{
    coordinate_maps = [[affine_map<(d)[r, c] -> (d)>], [affine_map<(d)[r, c] -> (d, 0)>]],
    indexing_maps = [affine_map<(d)[r, c] -> (d)>, affine_map<(d)[r, c] -> (c)>,
                     affine_map<(d)[r, c] -> (r)>],
    iterator_types = ["reduction"], sorted{attributes},
    operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  }} : (tensor<?x{kind}>, tensor<?x{kind}>, tensor<?x{index}>, tensor<?x1xi32>, tensor<?x{kind}>)
      -> tensor<?x{kind}>
  return %r : tensor<?x{kind}>
}}"""

FILLED = """%c0 = arith.constant 0 : index
  %half = arith.constant {half} : {kind}
  %count = tensor.dim %old, %c0 : tensor<?x{kind}>
  %new = tensor.empty(%count) : tensor<?x{kind}>
  %halves = linalg.fill ins(%half : {kind}) outs(%new : tensor<?x{kind}>) -> tensor<?x{kind}>"""

DTYPES = {"f32": "f4", "f64": "f8", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8"}
COMBINERS = {"add": np.add, "mul": np.multiply, "max": np.maximum}


def program(
    kind: str, combiner: str = "", index: str = "i32", filled: bool = True, attributes: str = ""
) -> str:
    half = "0.5" if kind[0] == "f" else "3"
    return PROGRAM.format(
        kind=kind,
        f=kind[0],
        combiner=combiner or f"add{kind[0]}",
        index=index,
        attributes=attributes,
        before=FILLED.format(kind=kind, half=half) if filled else "",
        from_="%halves" if filled else "%old",
    )


class Matrix:
    """Points of these rows, sorted, of `size`, and what a loop over them gives."""

    def __init__(self, rows: np.ndarray, size: int, kind: str, index: str = "i32") -> None:
        rng = np.random.default_rng(len(rows))
        dtype = np.dtype(DTYPES[kind])
        self.rows = np.sort(rows).astype(DTYPES.get(index, "i8"))
        self.columns = rng.integers(0, 37, (len(rows), 1)).astype("i4")
        self.values, self.x, self.old = (
            (rng.standard_normal(n) * 3 if kind[0] == "f" else rng.integers(-9, 9, n)).astype(dtype)
            for n in (len(rows), 37, size)
        )

    @property
    def given(self) -> tuple[np.ndarray, ...]:
        return self.values, self.x, self.rows, self.columns, self.old

    def expected(self, combiner: str = "add", filled: bool = True) -> np.ndarray:
        start = 0.5 if self.old.dtype.kind == "f" else 3
        result = np.full_like(self.old, start) if filled else self.old.copy()
        with np.errstate(over="ignore"):
            products = self.values * self.x[self.columns[:, 0]]
            COMBINERS[combiner].at(result, self.rows, products)
        return result


@pytest.fixture
def blocks(monkeypatch: pytest.MonkeyPatch, on_target) -> list[object]:
    """Those that were emitted; they are small, and always pay."""
    monkeypatch.setenv("MLIR_GS_CACHE", "off")
    on_target(sums_many=0, sums_short=1 << 30, sums_bytes=1 << 10)
    emitted: list[object] = []
    emit = segment_sums.SegmentSums.emit

    def noted(self: object, *arguments: object) -> None:
        emitted.append(self)
        emit(self, *arguments)

    monkeypatch.setattr(segment_sums.SegmentSums, "emit", noted)
    return emitted


def rows_of(lengths: np.ndarray) -> np.ndarray:
    return np.repeat(np.arange(len(lengths)), lengths)


RNG = np.random.default_rng(3)
ROWS = {
    "mixed": (rows_of(RNG.integers(0, 40, 61)), 61),
    "short": (rows_of(RNG.integers(0, 4, 900)), 900),
    "each its own": (np.arange(700), 700),
    "all one": (np.full(1000, 4), 9),
    "far apart": (RNG.integers(0, 5000, 300), 5000),
    "ends left out": (RNG.integers(20, 30, 500), 64),
    "whole words": (rows_of(np.full(40, 64)), 40),
    "one point": (np.array([2]), 5),
    "no points": (np.zeros(0, int), 5),
    "no rows": (np.zeros(0, int), 0),
}


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
def test_segments(blocks: list[object], rows: tuple[np.ndarray, int], threads: int) -> None:
    for kind in ("f32", "f64", "i8"):
        for filled in (True, False):
            matrix = Matrix(*rows, kind)
            result = compile(program(kind, filled=filled), threads=threads)(*matrix.given)
            assert result.tobytes() == matrix.expected(filled=filled).tobytes(), (kind, filled)
    assert len(blocks) == 6


@pytest.mark.parametrize(
    ("kind", "combiner"),
    [("f32", "mulf"), ("f64", "maximumf"), ("i32", "addi"), ("i64", "muli"), ("i8", "maxsi")],
)
@pytest.mark.parametrize("index", ["i8", "i16", "i64", "index"])
def test_elements(blocks: list[object], kind: str, combiner: str, index: str) -> None:
    matrix = Matrix(*ROWS["mixed"], kind, index)
    result = compile(program(kind, combiner, index), threads=2)(*matrix.given)
    assert result.tobytes() == matrix.expected(combiner[:3]).tobytes()
    assert len(blocks) == 1


def test_free_grouping(blocks: list[object]) -> None:
    matrix = Matrix(*ROWS["mixed"], "f64")
    text = program("f64").replace("%sum, %product", "%sum, %product fastmath<reassoc>")
    result = compile(text, threads=2)(*matrix.given)
    np.testing.assert_allclose(result, matrix.expected(), rtol=1e-12, atol=1e-12)
    assert len(blocks) == 1


def test_strides(blocks: list[object]) -> None:
    """Coordinates of rows that lie apart in memory are read one by one."""
    matrix = Matrix(*ROWS["mixed"], "f32")
    kernel = compile(program("f32"), threads=2)
    given = [np.repeat(one, 3, axis=0)[::3] for one in matrix.given]
    for one in given:
        one.flags.writeable = False
    assert kernel(*given).tobytes() == matrix.expected().tobytes()
    given[2] = matrix.rows
    assert kernel(*given).tobytes() == matrix.expected().tobytes()


OTHERS = {
    "clipped": ("sorted", 'sorted, modes = ["clip", "promise_in_bounds"]'),
    "dropped": ("sorted", 'sorted, modes = ["fill_or_drop", "promise_in_bounds"]'),
    "not sorted": (", sorted", ""),
    "another body": ("arith.addf %sum, %product", "arith.subf %sum, %product"),
}


@pytest.mark.parametrize("change", OTHERS.values(), ids=OTHERS)
def test_other_ops(blocks: list[object], change: tuple[str, str]) -> None:
    text = program("f64")
    assert change[0] in text
    compile(text.replace(*change), threads=2)
    assert blocks == []


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("longest", [3, 24, 200])
def test_as_it_runs(longest: int, threads: int) -> None:
    """Many segments: in blocks where they are short, one point after the other where not."""
    lengths = np.random.default_rng(longest).integers(0, longest + 1, 20_000)
    matrix = Matrix(rows_of(lengths), len(lengths), "f32")
    result = compile(program("f32"), threads=threads)(*matrix.given)
    assert result.tobytes() == matrix.expected().tobytes()


ADD = """%next = gs.generic (d) [r = %rows[d]]
    ins(%values[d]) outs(%sums[r]) iterators(d = reduction) sorted
    : (tensor<?xf32>, tensor<?xi32>, {sums}) -> {sums} {{
      ^bb0(%value: f32, %sum: f32):
        %both = arith.addf %sum, %value : f32
        gs.yield %both : f32
      }}
      scf.yield %next : {sums}"""
REPEATED = f"""
func.func @f(%values: tensor<?xf32>, %rows: tensor<?xi32>, %old: tensor<?xf32>, %times: index)
    -> tensor<?xf32> {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %t = %c0 to %times step %c1 iter_args(%sums = %old) -> tensor<?xf32> {{
      {ADD.format(sums="tensor<?xf32>")}
  }}
  return %r : tensor<?xf32>
}}"""
IN_PARALLEL = f"""
func.func @f(%values: tensor<?xf32>, %rows: tensor<?xi32>, %old: tensor<?x3xf32>, %times: index)
    -> tensor<?x3xf32> {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %old, %c0 : tensor<?x3xf32>
  %r = scf.forall (%i) in (%n) shared_outs(%out = %old) -> tensor<?x3xf32> {{
    %mine = tensor.extract_slice %out[%i, 0] [1, 3] [1, 1] : tensor<?x3xf32> to tensor<3xf32>
    %all = scf.for %t = %c0 to %times step %c1 iter_args(%sums = %mine) -> tensor<3xf32> {{
      {ADD.format(sums="tensor<3xf32>")}
    }}
    scf.forall.in_parallel {{
      tensor.parallel_insert_slice %all into %out[%i, 0] [1, 3] [1, 1]
          : tensor<3xf32> into tensor<?x3xf32>
    }}
  }}
  return %r : tensor<?x3xf32>
}}"""


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("rows", [0, 4], ids=["in a loop", "in parallel"])
def test_many_times(on_target, blocks: list[object], rows: int, threads: int) -> None:
    """The stack has room for each of them: the buffers are made once, of their real size."""
    on_target(sums_many=0, sums_short=1 << 30, sums_bytes=1 << 14)
    times = 5_000
    values, places = np.ones(7, "f4"), np.array([0, 0, 1, 1, 1, 2, 2], "i4")
    text = IN_PARALLEL if rows else REPEATED
    old = np.zeros((rows, 3) if rows else 3, "f4")
    result = compile(text, threads=threads)(values, places, old, times)
    expected = np.broadcast_to(np.array([2, 3, 2], "f4") * times, old.shape)
    assert result.tobytes() == expected.tobytes()
    assert len(blocks) == 1
