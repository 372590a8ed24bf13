"""Arrays and numbers in and out."""

import ml_dtypes
import numpy as np
import pytest
import tvm_ffi
from mlir_gs.execution import compile
from sources import GATHER, identity

RNG = np.random.default_rng(0)
TABLE = RNG.standard_normal((100, 64)).astype(np.float32)
IDS = RNG.integers(0, 100, 30)


@pytest.fixture(scope="module")
def rows():
    return compile(GATHER)


def test_a_new_result(rows) -> None:
    result = rows(TABLE, IDS)
    assert result.dtype == np.float32
    np.testing.assert_array_equal(result, TABLE[IDS])


@pytest.mark.parametrize("count", [0, 1, 7, 1000])
def test_compiled_once_for_every_size(rows, count: int) -> None:
    ids = RNG.integers(0, 100, count)
    np.testing.assert_array_equal(rows(TABLE, ids), TABLE[ids])


def test_an_empty_table_with_nothing_to_gather(rows) -> None:
    assert rows(TABLE[:0], IDS[:0]).shape == (0, 64)


def test_kernels_that_differ_in_sizes_are_called_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLIR_GS_DISABLE", "native-calls")
    kernels = [compile(identity(f"tensor<{n}x3xf32>")) for n in (2, 5)]
    assert type(kernels[0]) is type(kernels[1])
    for kernel, n in zip(kernels, (2, 5), strict=True):
        for array in (TABLE[:n, :3].copy(), TABLE[:n, :3]):
            found = kernel(array)
            np.testing.assert_array_equal(found, array, strict=True)
            assert found is not array


def test_out_is_written_and_returned(rows) -> None:
    out = np.zeros((30, 64), np.float32)
    assert rows(TABLE, IDS, out=out) is out
    np.testing.assert_array_equal(out, TABLE[IDS])
    assert rows(TABLE, IDS, out=(out,)) is out


def test_a_strided_out(rows) -> None:
    out = np.zeros((64, 30), np.float32).T
    assert rows(TABLE, IDS, out=out) is out
    np.testing.assert_array_equal(out, TABLE[IDS])


@pytest.mark.parametrize(
    "table",
    [TABLE[::-1], TABLE[::2], np.asfortranarray(TABLE), np.repeat(TABLE, 2, 1)[:, ::2]],
    ids=["negative", "step", "fortran", "columns"],
)
def test_strided_arguments_are_not_copied(rows, table: np.ndarray) -> None:
    ids = np.stack([IDS, IDS], 1)[:, 0] % len(table)
    np.testing.assert_array_equal(rows(table, ids), table[ids])


def test_rows_that_are_the_same_memory(rows) -> None:
    table = np.broadcast_to(TABLE[:1], (100, 64))
    np.testing.assert_array_equal(rows(table, IDS), table[IDS])


def test_read_only_arguments(rows) -> None:
    table, ids = TABLE.copy(), IDS.copy()
    table.flags.writeable = ids.flags.writeable = False
    np.testing.assert_array_equal(rows(table, ids), TABLE[IDS])


def test_arrays_of_others(rows) -> None:
    table = tvm_ffi.from_dlpack(TABLE)
    out = np.zeros((30, 64), np.float32)
    rows(table, tvm_ffi.from_dlpack(IDS), out=tvm_ffi.from_dlpack(out))
    np.testing.assert_array_equal(out, TABLE[IDS])
    np.testing.assert_array_equal(rows(table, IDS), TABLE[IDS])


def test_torch_tensors(rows, needs) -> None:
    torch = needs("torch")
    table, ids = torch.from_numpy(TABLE), torch.from_numpy(IDS)
    np.testing.assert_array_equal(rows(table, ids), TABLE[IDS])
    np.testing.assert_array_equal(rows(table.t().contiguous().t(), ids), TABLE[IDS])


def test_jax_arrays(rows, needs) -> None:
    jax = needs("jax")
    np.testing.assert_array_equal(rows(jax.numpy.asarray(TABLE), IDS), TABLE[IDS])


def test_rank_0() -> None:
    result = compile(identity("tensor<f32>"))(np.array(3, np.float32))
    assert result.shape == ()
    assert result == 3


@pytest.mark.parametrize(
    ("scalar", "value"),
    [
        ("index", 2**62),
        ("i64", -5),
        ("i32", np.int32(-7)),
        ("i8", -128),
        ("i1", True),
        ("i1", np.bool_(False)),
        ("f64", 0.1),
        ("f32", 0.5),
        ("f32", np.float32(0.1)),
        ("f16", 1.5),
        ("bf16", 1.5),
        ("f8E5M2", 1.5),
        ("complex<f32>", 1.5 + 2j),
        ("complex<f64>", 0.1 - 2j),
    ],
)
def test_numbers_in_and_out(scalar: str, value: object) -> None:
    result = compile(identity(scalar))(value)
    assert result == value
    assert isinstance(result, bool | int | float | complex)


@pytest.mark.parametrize(
    ("element", "value"),
    [("f32", np.float32(0.1)), ("f32", 2), ("f64", 0.1), ("i64", 7), ("i8", np.int8(-3)),
     ("f8E5M2", ml_dtypes.float8_e5m2(1.5)), ("i1", True), ("complex<f64>", 1 - 2j)],
)  # fmt: skip
def test_numbers_for_tensors_of_rank_0(element: str, value: object) -> None:
    type_ = f"tensor<{element}>"
    kernel = compile(f"func.func @f(%a: {type_}) -> {type_} {{ return %a : {type_} }}")
    # The later calls are native.
    assert all(kernel(value) == value for _ in range(12))


@pytest.mark.parametrize("value", [np.float64(2), 2j, "2"])
def test_others_for_tensors_of_rank_0(value: object) -> None:
    kernel = compile("func.func @f(%a: tensor<f32>) -> tensor<f32> { return %a : tensor<f32> }")
    with pytest.raises(TypeError, match="argument 0"):
        kernel(value)


def test_a_number_that_a_tensor_of_rank_0_cannot_hold() -> None:
    kernel = compile("func.func @f(%a: tensor<i8>) -> tensor<i8> { return %a : tensor<i8> }")
    with pytest.raises(ValueError, match=r"expected int8\[\], found 300"):
        kernel(300)


@pytest.mark.parametrize("element", ["f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "bf16", "i4"])
def test_read_only_memrefs(element: str) -> None:
    """What is only read may be read-only, through casts to bits as well."""
    dtypes = {"bf16": "bfloat16", "i4": "int4"}
    dtype = getattr(ml_dtypes, dtypes.get(element, element.replace("f8E", "float8_e").lower()))
    row = f"memref<?x{element}>"
    kernel = compile(f"""func.func @f(%x: {row}, %i: memref<?xindex>, %y: {row}) {{
      gs.generic (n) [s = %i[n]] ins(%x[s]) outs(%y[n])
          : ({row}, memref<?xindex>, {row}) -> () {{
      ^bb0(%a: {element}, %b: {element}):
        gs.yield %a : {element}
      }}
      return
    }}""")
    x, y = np.arange(5).astype(np.int8).astype(dtype), np.zeros(2, dtype)
    x.flags.writeable = False
    kernel(x, np.array([3, 1]), y)
    assert y.tolist() == x[[3, 1]].tolist()
    y.flags.writeable = False
    with pytest.raises(ValueError, match=r"argument 2.*can be written"):
        kernel(x, np.array([3, 1]), y)


def test_an_int_where_a_float_is_wanted() -> None:
    assert compile(identity("f32"))(3) == 3.0


def test_several_results() -> None:
    kernel = compile("""
    func.func @pair(%a: tensor<?xf32>, %k: index) -> (tensor<?xf32>, index, tensor<?xf32>) {
      return %a, %k, %a : tensor<?xf32>, index, tensor<?xf32>
    }""")
    a = np.arange(3, dtype=np.float32)
    first, number, second = kernel(a, 7)
    np.testing.assert_array_equal(first, a)
    np.testing.assert_array_equal(second, a)
    assert number == 7
    assert not np.shares_memory(first, second)
    assert not np.shares_memory(first, a)
    given = np.zeros(3, np.float32)
    found = kernel(a, 7, out=(None, None, given))
    assert found[2] is given
    np.testing.assert_array_equal(given, a)


def test_no_results_and_no_arguments() -> None:
    assert compile("func.func @nothing() { return }")() is None


def test_sizes_from_arithmetic_on_arguments() -> None:
    kernel = compile("""
    func.func @f(%a: tensor<?x?xf32>, %k: index) -> tensor<?x?xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %one = arith.constant 1.0 : f32
      %n = tensor.dim %a, %c0 : tensor<?x?xf32>
      %m = tensor.dim %a, %c1 : tensor<?x?xf32>
      %p = arith.muli %n, %m : index
      %q = arith.ceildivsi %p, %c3 : index
      %less = arith.cmpi slt, %k, %n : index
      %s = arith.select %less, %k, %m : index
      %t = affine.apply affine_map<(d0)[s0] -> ((d0 + s0) floordiv 2)>(%s)[%n]
      %e = tensor.empty(%q, %t) : tensor<?x?xf32>
      %r = linalg.fill ins(%one : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
      return %r : tensor<?x?xf32>
    }""")
    for n, m, k in [(4, 5, 2), (4, 5, 9), (1, 1, 0), (0, 3, 1)]:
        a = np.zeros((n, m), np.float32)
        shape = (-(-n * m // 3), ((k if k < n else m) + n) // 2)
        assert kernel(a, k).shape == shape
        assert kernel(a, k, out=np.zeros(shape, np.float32)).sum() == np.prod(shape)
