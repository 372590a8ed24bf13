"""Sums of slices that follow each other, as the rows of a matrix in CSR form: the bits of the
sequential loop, however they are spelled, wherever blocks and threads begin."""

import numpy as np
import pytest
from mlir_gs.execution import compile
from mlir_gs.lowering.scf.strategies import slice_sums

PROGRAM = """
func.func @f(%values: tensor<?x{kind}>, %x: tensor<?x{kind}>, %starts: tensor<?x{start}>,
    %columns: tensor<?xi32>, %old: tensor<?x{kind}>) -> tensor<?x{kind}> {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first_of_all = arith.constant {first} : {kind}
  %count = tensor.dim %starts, %c0 : tensor<?x{start}>
  %n = arith.subi %count, %c1 : index
  %y = {loop}
    %r1 = arith.addi %r, %c1 : index
    %a = tensor.extract %starts[%r] : tensor<?x{start}>
    %b = tensor.extract %starts[%r1] : tensor<?x{start}>
    {bounds}
    %v = tensor.extract_slice %values[%begin] [%size] [1] : tensor<?x{kind}> to tensor<?x{kind}>
    %c = tensor.extract_slice %columns[%begin] [%size] [1] : tensor<?xi32> to tensor<?xi32>
    %row = tensor.extract_slice %out[%r] [1] [1] : tensor<?x{kind}> to tensor<{kind}>
    {fill}
    %s = "gs.generic"(%v, %x, %c, {from_}) ({{
    ^bb0(%value: {kind}, %found: {kind}, %sum: {kind}):
      %product = arith.mul{f} %value, %found : {kind}
      %next = arith.{combiner} {operands} : {kind}
      "gs.yield"(%next) : ({kind}) -> ()
    }}) {{
      coordinate_maps = [[affine_map<(d)[s] -> (d)>]],
      indexing_maps = [affine_map<(d)[s] -> (d)>, affine_map<(d)[s] -> (s)>,
                       affine_map<(d)[s] -> ()>],
      iterator_types = ["reduction"], modes = ["{mode}"], {fills}
      operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>
    }} : (tensor<?x{kind}>, tensor<?x{kind}>, tensor<?xi32>, tensor<{kind}>) -> tensor<{kind}>
    {end}
  }}
  return %y : tensor<?x{kind}>
}}"""

FORALL = {
    "loop": "scf.forall (%r) in (%n) shared_outs(%out = %old) -> tensor<?x{kind}> {{",
    "end": """scf.forall.in_parallel {{
      tensor.parallel_insert_slice %s into %out[%r] [1] [1] : tensor<{kind}> into tensor<?x{kind}>
    }}""",
}
FOR = {
    "loop": "scf.for %r = %c0 to %n step %c1 iter_args(%out = %old) -> tensor<?x{kind}> {{",
    "end": """%next_out = tensor.insert_slice %s into %out[%r] [1] [1]
        : tensor<{kind}> into tensor<?x{kind}>
    scf.yield %next_out : tensor<?x{kind}>""",
}
FOR_ELEMENTS = {
    "loop": FOR["loop"],
    "end": """%total = tensor.extract %s[] : tensor<{kind}>
    %next_out = tensor.insert %total into %out[%r] : tensor<?x{kind}>
    scf.yield %next_out : tensor<?x{kind}>""",
}
CAST = """%begin = arith.index_cast %a : {start} to index
    %end = arith.index_cast %b : {start} to index
    %size = arith.subi %end, %begin : index"""
CAST_AFTER = """%begin = arith.index_cast %a : {start} to index
    %difference = arith.subi %b, %a : {start}
    %size = arith.index_cast %difference : {start} to index"""
PLAIN = """%begin = arith.addi %a, %c0 : index
    %size = arith.subi %b, %a : index"""
FILL = """%filled = linalg.fill ins(%first_of_all : {kind}) outs(%row : tensor<{kind}>)
        -> tensor<{kind}>"""

DTYPES = {"f32": "f4", "f64": "f8", "i8": "i1", "i32": "i4", "i64": "i8", "index": "i8"}


def program(
    kind: str,
    combiner: str = "",
    *,
    start: str = "i32",
    loop: dict[str, str] = FORALL,
    bounds: str = CAST,
    filled: bool = True,
    mode: str = "promise_in_bounds",
    operands: str = "%sum, %product",
) -> str:
    f = kind[0]
    parts = {"kind": kind, "start": start}
    return PROGRAM.format(
        **parts,
        f=f,
        combiner=combiner or f"add{f}",
        first="0.5" if f == "f" else "3",
        loop=loop["loop"].format(**parts),
        end=loop["end"].format(**parts),
        bounds=bounds.format(**parts),
        fill=FILL.format(**parts) if filled else "",
        from_="%filled" if filled else "%row",
        mode=mode,
        fills=f"fill_values = [unit, 2.0 : {kind}]," if mode == "fill_or_drop" else "",
        operands=operands,
    )


COMBINERS = {
    "add": lambda a, b: a + b,
    "mul": lambda a, b: a * b,
    "min": np.minimum,
    "max": np.maximum,
}


class Matrix:
    """Rows of these lengths, and what a loop over them gives."""

    def __init__(self, lengths: np.ndarray, kind: str, seed: int = 7, beyond: int = 0) -> None:
        rng = np.random.default_rng(seed)
        dtype = np.dtype(DTYPES[kind])
        self.starts = np.concatenate([[0], np.cumsum(lengths)]).astype("i8")
        entries = int(self.starts[-1])
        numbers = (lambda n: rng.standard_normal(n) * 3) if kind[0] == "f" else (
            lambda n: rng.integers(-9, 9, n)
        )  # fmt: skip
        self.values, self.x, self.old = (
            numbers(n).astype(dtype) for n in (entries, 37, len(lengths))
        )
        self.columns = rng.integers(-beyond, 37 + beyond, entries).astype("i4")

    def expected(self, combiner: str, *, filled: bool, mode: str) -> np.ndarray:
        combine = COMBINERS[combiner[:3]]
        kind = self.values.dtype
        found = self.x[self.columns.clip(0, 36)]
        if mode == "fill_or_drop":
            found[(self.columns < 0) | (self.columns > 36)] = 2
        with np.errstate(over="ignore"):
            products = self.values * found
            result = self.old.copy()
            for row in range(len(result)):
                total = kind.type(0.5 if kind.kind == "f" else 3) if filled else result[row]
                for one in products[self.starts[row] : self.starts[row + 1]]:
                    total = combine(total, one)
                result[row] = total
        return result

    def given(self, start: str = "i32") -> tuple[np.ndarray, ...]:
        starts = self.starts.astype(DTYPES[start])
        return self.values, self.x, starts, self.columns, self.old

    def check(
        self,
        text: str,
        threads: int,
        combiner: str = "add",
        *,
        start: str = "i32",
        filled: bool = True,
        mode: str = "promise_in_bounds",
    ) -> None:
        result = compile(text, threads=threads)(*self.given(start))
        expected = self.expected(combiner, filled=filled, mode=mode)
        assert result.dtype == expected.dtype
        assert result.tobytes() == expected.tobytes()


@pytest.fixture
def lowered(monkeypatch: pytest.MonkeyPatch, on_target) -> list[str]:
    """The names of the functions that loops were lowered to; blocks are small, and always pay."""
    monkeypatch.setenv("MLIR_GS_CACHE", "off")
    on_target(sums_many=0, sums_short=1 << 30, sums_bytes=1 << 7)
    names: list[str] = []
    outline = slice_sums.outline

    def noted(op: object, name: str, *rest: object) -> object:
        names.append(name)
        return outline(op, name, *rest)

    monkeypatch.setattr(slice_sums, "outline", noted)
    return names


LENGTHS = {
    "mixed": np.random.default_rng(3).integers(0, 40, 61),
    "short": np.random.default_rng(4).integers(0, 5, 150),
    "empty at the ends": np.array([0, 0, 3, 0, 50, 1, 0, 0]),
    "all empty": np.zeros(9, int),
    "one row": np.array([200]),
    "blocks end with rows": np.full(12, 16),
    "no rows": np.zeros(0, int),
}


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("lengths", LENGTHS.values(), ids=LENGTHS)
def test_lengths(lowered: list[str], lengths: np.ndarray, threads: int) -> None:
    for kind in ("f32", "f64", "i8"):
        for filled in (True, False):
            text = program(kind, filled=filled)
            Matrix(lengths, kind).check(text, threads, filled=filled)
    assert lowered == ["gs_sums_0"] * 6


@pytest.mark.parametrize(
    ("kind", "combiner"),
    [
        ("f32", "mulf"), ("f64", "mulf"), ("f64", "minimumf"), ("f32", "maximumf"),
        ("i32", "addi"), ("i64", "addi"), ("i32", "muli"), ("i8", "minsi"), ("i64", "maxsi"),
    ],
)  # fmt: skip
def test_combiners(lowered: list[str], kind: str, combiner: str) -> None:
    for operands in ("%sum, %product", "%product, %sum"):
        text = program(kind, combiner, operands=operands)
        Matrix(LENGTHS["mixed"], kind).check(text, 2, combiner)
    assert lowered == ["gs_sums_0"] * 2


@pytest.mark.parametrize("mode", ["clip", "fill_or_drop"])
def test_modes(lowered: list[str], mode: str) -> None:
    for kind in ("f32", "f64"):
        matrix = Matrix(LENGTHS["mixed"], kind, beyond=9)
        matrix.check(program(kind, mode=mode), 2, mode=mode)
    assert lowered == ["gs_sums_0"] * 2


@pytest.mark.parametrize("loop", [FORALL, FOR, FOR_ELEMENTS], ids=["forall", "for", "elements"])
@pytest.mark.parametrize(
    ("start", "bounds"),
    [("i32", CAST), ("i64", CAST), ("i32", CAST_AFTER), ("i64", CAST_AFTER), ("index", PLAIN)],
)
def test_spellings(lowered: list[str], loop: dict[str, str], start: str, bounds: str) -> None:
    text = program("f64", start=start, bounds=bounds, loop=loop)
    Matrix(LENGTHS["mixed"], "f64").check(text, 2, start=start)
    assert lowered == ["gs_sums_0"]


def test_free_grouping(lowered: list[str]) -> None:
    text = program("f64").replace(
        "arith.addf %sum, %product", "arith.addf %sum, %product fastmath<reassoc>"
    )
    matrix = Matrix(LENGTHS["mixed"], "f64")
    result = compile(text, threads=2)(*matrix.given())
    expected = matrix.expected("addf", filled=True, mode="promise_in_bounds")
    np.testing.assert_allclose(result, expected, rtol=1e-12, atol=1e-12)
    assert lowered == ["gs_sums_0"]


def test_strides(lowered: list[str]) -> None:
    """What lies apart in memory, and what may not be written."""
    matrix = Matrix(LENGTHS["mixed"], "f32")
    given = []
    for one in matrix.given():
        apart = np.repeat(one, 3)[::3]
        apart.flags.writeable = False
        given.append(apart)
    result = compile(program("f32"), threads=2)(*given)
    expected = matrix.expected("addf", filled=True, mode="promise_in_bounds")
    assert result.tobytes() == expected.tobytes()
    assert set(lowered) == {"gs_sums_0"}


OTHERS = {
    "a difference that is no size": ("arith.subi %end, %begin", "arith.addi %end, %begin"),
    "every second row": ("arith.addi %r, %c1", "arith.addi %r, %r"),
    "slices of all": ("%values[%begin]", "%values[%c1]"),
    "a body that knows the row": (
        "%product = arith.mulf %value, %found",
        "%number = arith.index_cast %r : index to i64\n"
        "      %weight = arith.sitofp %number : i64 to f64\n"
        "      %product = arith.mulf %value, %weight",
    ),
    "a sum that is no sum": ("arith.addf %sum, %product", "arith.subf %sum, %product"),
    "a sum of sums": ("arith.addf %sum, %product", "arith.addf %sum, %sum"),
    "errors": ("promise_in_bounds", "error"),
}


@pytest.mark.parametrize("change", OTHERS.values(), ids=OTHERS)
def test_other_loops(lowered: list[str], change: tuple[str, str]) -> None:
    """They stay as they are."""
    text = program("f64")
    assert change[0] in text
    compile(text.replace(*change), threads=2)
    assert lowered == []


def test_output_that_is_read() -> None:
    """Rows see what earlier ones have written."""
    text = program("f64", loop=FOR).replace("(%v, %x, %c,", "(%v, %out, %c,")
    matrix = Matrix(LENGTHS["mixed"], "f64")
    matrix.x = np.zeros(0)
    matrix.columns %= len(matrix.old)
    expected = matrix.old.copy()
    for row in range(len(expected)):
        total = 0.5
        for entry in range(matrix.starts[row], matrix.starts[row + 1]):
            total = total + matrix.values[entry] * expected[matrix.columns[entry]]
        expected[row] = total
    assert compile(text, threads=2)(*matrix.given()).tobytes() == expected.tobytes()


def test_starts_that_do_not_ascend(lowered: list[str]) -> None:
    """Slices of less than nothing are undefined, but nothing outside of arrays is touched: what
    else is there stays as it was."""
    matrix = Matrix(LENGTHS["short"], "f32")
    matrix.starts[20:40] = matrix.starts[20:40][::-1]
    out = np.full(len(matrix.old) + 64, 7, "f4")
    inside = out[32:-32]
    kernel = compile(program("f32"), threads=1)
    kernel(*matrix.given(), out=inside)
    assert (out[:32] == 7).all()
    assert (out[-32:] == 7).all()
    assert lowered == ["gs_sums_0"]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("longest", [4, 24, 200])
def test_as_it_runs(longest: int, threads: int) -> None:
    """Many rows: in blocks where they are short, one by one where they are not."""
    lengths = np.random.default_rng(longest).integers(0, longest + 1, 20_000)
    Matrix(lengths, "f32").check(program("f32"), threads)
