"""What does not fit is refused with one line, before anything is written."""

import ml_dtypes
import numpy as np
import pytest
from mlir_gs.execution import compile
from sources import GATHER, identity, scatter_add

TABLE = np.ones((10, 64), np.float32)
IDS = np.arange(3)


@pytest.fixture(scope="module")
def rows():
    return compile(GATHER)


CASES = [
    ((TABLE.astype(np.float64), IDS), TypeError, "found float64[10, 64]"),
    ((TABLE.astype(">f4"), IDS), TypeError, "found >f4[10, 64]"),
    ((TABLE.astype(object), IDS), TypeError, "found object[10, 64]"),
    ((TABLE.view(np.uint32), IDS), TypeError, "found uint32[10, 64]"),
    ((TABLE.tolist(), IDS), TypeError, "found list"),
    ((None, IDS), TypeError, "found None"),
    ((3, IDS), TypeError, "found int 3"),
    ((2.5, IDS), TypeError, "found float 2.5"),
    (("table", IDS), TypeError, "found str"),
    ((TABLE[0], IDS), ValueError, "found float32[64]"),
    ((TABLE[:, :63].copy(), IDS), ValueError, "found float32[10, 63]"),
    ((TABLE[None], IDS), ValueError, "found float32[1, 10, 64]"),
]


def test_a_mask_is_not_lost(rows) -> None:
    for _ in range(9):
        rows(TABLE, IDS)
    masked = np.ma.array(TABLE, mask=TABLE > 0)
    with pytest.raises(TypeError, match=r"argument 0 \(table\): a masked array would lose"):
        rows(masked, IDS)
    with pytest.raises(TypeError, match="would lose its mask"):
        rows(TABLE, IDS, out=np.ma.zeros((3, 64), np.float32))


@pytest.mark.parametrize(("arguments", "kind", "found"), CASES)
def test_the_argument_is_named(rows, arguments: tuple, kind: type, found: str) -> None:
    with pytest.raises(kind) as error:
        rows(*arguments)
    assert str(error.value) == f"argument 0 (table): expected float32[?, 64], {found}"


def test_an_argument_without_a_name(rows) -> None:
    with pytest.raises(TypeError, match=r"^argument 1: expected int64\[\?\], found int32\[3\]$"):
        rows(TABLE, IDS.astype(np.int32))


@pytest.mark.parametrize("count", [0, 1, 3])
def test_the_number_of_arguments(rows, count: int) -> None:
    with pytest.raises(TypeError, match=f"^rows: expected 2 arguments, found {count}$"):
        rows(*[TABLE] * count)


def test_unaligned_memory(rows) -> None:
    table = np.zeros(64 * 4 + 1, np.uint8)[1:].view(np.float32).reshape(1, 64)
    with pytest.raises(ValueError, match="not aligned to the element size"):
        rows(table, IDS)


def test_strides_that_are_no_multiple_of_an_element() -> None:
    record = np.zeros(5, [("a", "f4"), ("b", "i1")])
    with pytest.raises(ValueError, match=r"argument 0: expected float32\[\?\], found float32\[5\]"):
        compile(identity("tensor<?xf32>"))(record["a"])


@pytest.mark.parametrize("result", ["", "%y : memref<?x2xf32>", "%e : f32"])
def test_strides_that_a_memref_lacks(result: str) -> None:
    arrow = f"-> {result.split(' : ')[1]}" if result else ""
    kernel = compile(f"""
    func.func @f(%x: memref<?x2xf32>, %y: memref<?x2xf32>) {arrow} {{
      %c0 = arith.constant 0 : index
      %e = memref.load %x[%c0, %c0] : memref<?x2xf32>
      memref.store %e, %y[%c0, %c0] : memref<?x2xf32>
      return {result}
    }}""")
    x, y = np.ones((8, 2), np.float32), np.zeros((8, 2), np.float32)
    message = r"argument 0: expected float32\[\?, 2\], found .* that is not C-contiguous"
    # A kernel is native after some calls.
    for _ in range(5):
        with pytest.raises(ValueError, match=message):
            kernel(x[::2], y)
        with pytest.raises(ValueError, match=r"argument 1: .* that is not C-contiguous"):
            kernel(x, y.T.reshape(8, 2, order="F"))
        assert (y == 0).all()
    kernel(x[::2][:1], y)
    assert y[0, 0] == 1


@pytest.mark.parametrize(
    ("scalar", "value", "kind", "message"),
    [
        ("i8", 256, ValueError, "argument 0: expected an int8 scalar, found int 256"),
        ("i8", -129, ValueError, "argument 0: expected an int8 scalar, found int -129"),
        ("i1", 2, ValueError, "argument 0: expected a bool scalar, found int 2"),
        ("i64", 2**63, TypeError, "argument 0: expected an int64 scalar, found large int"),
        ("index", 2.0, TypeError, "argument 0: expected an int64 scalar, found float 2"),
        ("f32", 1j, TypeError, "argument 0: expected a float32 scalar, found complex"),
        ("f32", "1", TypeError, "argument 0: expected a float32 scalar, found str"),
        ("bf16", 1j, TypeError, "argument 0: expected a bfloat16 scalar, found complex"),
    ],
)
def test_numbers(scalar: str, value: object, kind: type, message: str) -> None:
    with pytest.raises(kind) as error:
        compile(identity(scalar))(value)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("element", "array"),
    [
        ("bf16", np.zeros(3, np.uint16)),
        ("f16", np.zeros(3, ml_dtypes.bfloat16)),
        ("f8E5M2", np.zeros(3, ml_dtypes.float8_e4m3fn)),
        ("i1", np.zeros(3, np.uint8)),
        ("i8", np.zeros(3, np.bool_)),
        ("ui8", np.zeros(3, np.int8)),
        ("si8", np.zeros(3, np.uint8)),
        ("i4", np.zeros(3, np.int8)),
        ("index", np.zeros(3, np.uint64)),
        ("complex<f32>", np.zeros(3, np.complex128)),
    ],
)
def test_element_types_that_differ(element: str, array: np.ndarray) -> None:
    kernel = compile(identity(f"tensor<?x{element}>"))
    with pytest.raises(TypeError, match=r"^argument 0: expected \w+\[\?\], found \w+\[3\]$"):
        kernel(array)


@pytest.mark.parametrize(
    ("out", "kind", "message"),
    [
        (np.zeros((4, 64), np.float32), ValueError, "with these arguments it is float32[3, 64]"),
        (np.zeros((3, 64), np.float64), TypeError, "result 0: expected float32[?, 64], found"),
        (np.zeros((3, 64), np.float32)[None], ValueError, "found float32[1, 3, 64]"),
        ((), ValueError, "out: expected 1 arrays, found 0"),
        (3, TypeError, "result 0: expected float32[?, 64], found int 3"),
    ],
)
def test_an_out_that_does_not_fit(rows, out: object, kind: type, message: str) -> None:
    with pytest.raises(kind) as error:
        rows(TABLE, IDS, out=out)
    assert message in str(error.value)


def test_a_read_only_out(rows) -> None:
    out = np.zeros((3, 64), np.float32)
    out.flags.writeable = False
    with pytest.raises(ValueError, match=r"result 0: .* that can be written, found a read-only"):
        rows(TABLE, IDS, out=out)


def test_an_out_in_the_memory_of_an_argument(rows) -> None:
    table = TABLE.copy()
    with pytest.raises(ValueError, match=r"^result 0 and argument 0 \(table\) share memory$"):
        rows(table, IDS, out=table[4:7])
    np.testing.assert_array_equal(table, TABLE)


def test_an_out_of_a_function_on_memrefs_in_the_memory_of_an_argument() -> None:
    """Compiled code takes memory that it allocates to lie apart, and coordinates not to change."""
    kernel = compile("""
    func.func @f(%u: memref<?xi64>, %i: memref<?xi64>, %y: memref<?xi64>) -> memref<?xi64> {
      %c0 = arith.constant 0 : index
      %n = memref.dim %y, %c0 : memref<?xi64>
      %new = memref.alloc(%n) : memref<?xi64>
      memref.copy %y, %new : memref<?xi64> to memref<?xi64>
      gs.generic (e) [s = %i[e] mode(fill_or_drop)] ins(%u[e]) outs(%new[s])
          iterators(e = reduction) : (memref<?xi64>, memref<?xi64>, memref<?xi64>) -> () {
      ^bb0(%a: i64, %o: i64):
        gs.yield %a : i64
      }
      return %new : memref<?xi64>
    }""")
    ids, y = np.arange(3000) % 70, np.zeros(3000, np.int64)
    u = np.full(3000, 1 << 40)
    for out in (ids, ids[::-1]):
        with pytest.raises(ValueError, match=r"^result 0 and argument 1 share memory$"):
            kernel(u, ids, y, out=out)
    np.testing.assert_array_equal(ids, np.arange(3000) % 70)
    expected = np.where(np.arange(3000) < 70, 1 << 40, 0)
    np.testing.assert_array_equal(kernel(u, ids, y, out=np.ones_like(y)), expected)
    # What it is given and writes may be another argument.
    np.testing.assert_array_equal(kernel(u, ids, ids)[70:], ids[70:])


def test_nothing_is_written_when_a_later_argument_is_wrong() -> None:
    kernel = compile(scatter_add(donated=True))
    dest = np.zeros((4, 8), np.float32)
    with pytest.raises(ValueError, match="argument 1"):
        kernel(dest, np.zeros((3, 2), np.int64), np.ones((3, 8), np.float32))
    with pytest.raises(TypeError, match="argument 2"):
        kernel(dest, np.zeros((3, 1), np.int64), np.ones((3, 8)))
    assert not dest.any()
