"""Calls without Python between: what they take, and what they leave to the general way."""

import gc
import sys
import weakref

import ml_dtypes
import numpy as np
import pytest
from mlir_gs.execution import compile
from mlir_gs.execution.call import native
from mlir_gs.execution.call.kernel import Kernel
from sources import GATHER, identity, scatter_add

RNG = np.random.default_rng(7)
TABLE = RNG.standard_normal((50, 64)).astype(np.float32)
IDS = RNG.integers(0, 50, 12)

FILL = """
func.func @fill(%n: index, %x: f32) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""


@pytest.fixture(scope="module")
def rows():
    if native.prepare(Kernel, compile(GATHER)._compact) is None:
        pytest.skip("native calls are for CPython with its lock, on 64 bits")
    return compile(GATHER)


@pytest.fixture
def no_general(monkeypatch: pytest.MonkeyPatch) -> None:
    """The general way is not taken."""

    def refuse(self: Kernel, *arguments: object, **named: object) -> None:
        raise AssertionError("the general way was taken")

    monkeypatch.setattr(Kernel, "_call", refuse)


def test_arrays_of_numpy_stay_native(rows, no_general) -> None:
    np.testing.assert_array_equal(rows(TABLE, IDS), TABLE[IDS])
    out = np.zeros((12, 64), np.float32)
    assert rows(TABLE, IDS, out=out) is out
    np.testing.assert_array_equal(out, TABLE[IDS])
    np.testing.assert_array_equal(rows(TABLE, IDS, out=None), TABLE[IDS])
    read_only = TABLE.copy()
    read_only.flags.writeable = False
    np.testing.assert_array_equal(rows(read_only, IDS), TABLE[IDS])


JOIN = """
func.func @join(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %a = tensor.concat dim(0) %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %r = tensor.pad %a low[%c0] high[%n] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
"""
"""Sizes that are computed."""


@pytest.mark.parametrize("element", ["f32", "f64", "i1", "i8", "i64", "index", "bf16"])
def test_results_that_are_numbers_stay_native(rows, element: str, monkeypatch) -> None:
    first = compile(f"""
func.func @first(%x: tensor<?x{element}>) -> {element} {{
  %c0 = arith.constant 0 : index
  %r = tensor.extract %x[%c0] : tensor<?x{element}>
  return %r : {element}
}}""")
    x = np.array([1, 0], first.parameters[0].element.dtype)
    wanted = first._call((x,), None)
    given = np.zeros((), x.dtype)
    assert first(x, out=given) == given == 1
    monkeypatch.setattr(Kernel, "_call", None)
    for array in (x, x[::-1][::-1]):
        found = first(array)
        assert found == wanted == 1
        assert type(found) is type(wanted)
    counts = [sys.getrefcount(one) for one in (x, x.dtype)]
    for _ in range(100):
        first(x)
    assert [sys.getrefcount(one) for one in (x, x.dtype)] == counts


def test_computed_sizes_stay_native(rows, monkeypatch) -> None:
    join = compile(JOIN)
    x, y = TABLE[0], TABLE[1, :7].copy()
    with pytest.raises(ValueError, match=r"a result of shape \(-1,\): no size is negative"):
        join(x[:2].copy(), x[:1].copy(), -4)
    torch = pytest.importorskip("torch") if "torch" in sys.modules else None
    if torch is not None:
        found = join(torch.from_numpy(x), torch.from_numpy(y), 1)
        assert isinstance(found, torch.Tensor)
        assert found.shape == (72,)
    monkeypatch.setattr(Kernel, "_call", None)
    for n in (0, 3):
        found = join(x, y, n)
        np.testing.assert_array_equal(found, np.r_[x, y, np.zeros(n, np.float32)], strict=True)
    assert join(x[:0].copy(), y[:0].copy(), 0).shape == (0,)
    out = np.ones(71, np.float32)
    assert join(x, y, 0, out=out) is out
    counts = [sys.getrefcount(one) for one in (x, y, x.dtype)]
    for _ in range(100):
        gone = weakref.ref(join(x, y, 2))
        assert gone() is None
    assert [sys.getrefcount(one) for one in (x, y, x.dtype)] == counts


def test_strided_arrays_stay_native_after_the_first(rows, monkeypatch) -> None:
    rows(TABLE[::-1], IDS)
    monkeypatch.setattr(Kernel, "_call", None)
    np.testing.assert_array_equal(rows(TABLE[::-1], IDS), TABLE[::-1][IDS])
    out = np.zeros((64, 12), np.float32).T
    assert rows(TABLE, IDS, out=out) is out
    np.testing.assert_array_equal(out, TABLE[IDS])


@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, np.float16, ml_dtypes.float8_e4m3fn])
def test_narrow_floats_stay_native(dtype: type, rows, no_general) -> None:
    name = {2: "f16", 1: "f8E4M3FN"}[np.dtype(dtype).itemsize]
    name = "bf16" if dtype is ml_dtypes.bfloat16 else name
    kernel = compile(identity(f"tensor<?x{name}>"))
    values = np.arange(9).astype(dtype)
    found = kernel(values)
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, values)


def test_numbers_stay_native(rows, no_general) -> None:
    kernel = compile(FILL)
    np.testing.assert_array_equal(kernel(3, 2.5), np.full(3, 2.5, np.float32))
    assert kernel(0, 1.0).shape == (0,)


def test_numbers_of_other_kinds(rows) -> None:
    kernel = compile(FILL)
    np.testing.assert_array_equal(kernel(np.int64(3), 2), np.full(3, 2, np.float32))
    with pytest.raises(MemoryError, match=r"a result of shape \(\d+,\) and type float32"):
        kernel(1 << 70, 1.0)
    with pytest.raises(ValueError, match="negative"):
        kernel(-1, 1.0)
    np.testing.assert_array_equal(compile(identity("i64"))(-1), -1)


def test_a_written_argument_comes_back(rows, no_general) -> None:
    kernel = compile(scatter_add(), donate=[0])
    dest = np.zeros((50, 64), np.float32)
    assert kernel(dest, IDS[:, None], TABLE[:12]) is dest
    assert kernel(dest, IDS[:, None], TABLE[:12], out=dest) is dest
    assert kernel(dest, IDS[:, None], TABLE[:12], out=None) is dest
    expected = np.zeros_like(dest)
    for _ in range(3):
        np.add.at(expected, IDS, TABLE[:12])
    np.testing.assert_array_equal(dest, expected)


def test_references(rows) -> None:
    out = np.zeros((12, 64), np.float32)
    counts = [sys.getrefcount(one) for one in (TABLE, IDS, out, TABLE.dtype)]
    for _ in range(100):
        rows(TABLE, IDS, out=out)
        rows(TABLE, IDS)
        with pytest.raises(ValueError, match="found float32"):
            rows(TABLE[:, 1:], IDS)
        with pytest.raises(TypeError, match="unexpected keyword"):
            rows(TABLE, IDS, other=1)
    after = [sys.getrefcount(one) for one in (TABLE, IDS, out, TABLE.dtype)]
    assert all(abs(a - b) < 20 for a, b in zip(counts, after, strict=True))


def test_a_kernel_goes_when_nobody_has_it(rows) -> None:
    kernel = compile(identity("tensor<?xf32>"))
    kernel(np.zeros(3, np.float32))
    gone = weakref.ref(kernel)
    gc.disable()
    try:
        del kernel
        assert gone() is None
    finally:
        gc.enable()


def test_subclasses_of_arrays_take_the_general_way(rows) -> None:
    matrix = TABLE.view(np.memmap)
    np.testing.assert_array_equal(rows(matrix, IDS), TABLE[IDS])


def test_without_native_calls(rows, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "ready", lambda base: None)
    kernel = compile(GATHER)
    np.testing.assert_array_equal(kernel(TABLE, IDS), TABLE[IDS])
    out = np.zeros((12, 64), np.float32)
    assert kernel(TABLE, IDS, out=out) is out
    np.testing.assert_array_equal(kernel(TABLE[::-1], IDS), TABLE[::-1][IDS])
    with pytest.raises(ValueError, match="found float32"):
        kernel(TABLE[:, 1:], IDS)


def test_tensors_of_torch_stay_native_after_the_first(rows, needs, monkeypatch) -> None:
    torch = needs("torch")
    if not hasattr(torch.Tensor, "__dlpack_c_exchange_api__"):
        pytest.skip("this torch has no exchange table")
    table, ids = torch.from_numpy(TABLE), torch.from_numpy(IDS)
    rows(table, ids)
    rows(table.t().contiguous().t(), ids)
    call = Kernel._call
    monkeypatch.setattr(Kernel, "_call", None)
    found = rows(table, ids)
    assert isinstance(found, torch.Tensor)
    assert torch.equal(found, table[ids])
    assert torch.equal(rows(table.t().contiguous().t(), ids), table[ids])
    out = torch.zeros(12, 64)
    assert rows(table, IDS, out=out) is out
    assert torch.equal(out, table[ids])
    assert isinstance(rows(TABLE, ids), torch.Tensor)
    monkeypatch.setattr(Kernel, "_call", call)
    with pytest.raises(TypeError, match="no gradient flows"):
        rows(table.clone().requires_grad_(), ids)
    with pytest.raises(TypeError, match="expected float32"):
        rows(table.double(), ids)
    with pytest.raises(TypeError, match="a tensor of layout"):
        rows(table.to_sparse(), ids)
    counts = [sys.getrefcount(one) for one in (table, ids, out)]
    for _ in range(100):
        rows(table, ids, out=out)
        rows(table, ids)
    after = [sys.getrefcount(one) for one in (table, ids, out)]
    assert counts == after
