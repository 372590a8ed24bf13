"""Results come out as what went in: torch's tensors, JAX's arrays, and NumPy's."""

import ml_dtypes
import numpy as np
import pytest
from mlir_gs.execution import compile
from sources import FIRST, GATHER, identity, scatter_add

RNG = np.random.default_rng(5)
TABLE = RNG.standard_normal((50, 64)).astype(np.float32)
IDS = RNG.integers(0, 50, 12)
EXPECTED = TABLE[IDS]


@pytest.fixture(scope="module")
def rows():
    return compile(GATHER)


def test_torch_in_torch_out(rows, needs) -> None:
    torch = needs("torch")
    result = rows(torch.from_numpy(TABLE), torch.from_numpy(IDS))
    assert isinstance(result, torch.Tensor)
    np.testing.assert_array_equal(result.numpy(), EXPECTED)


def test_one_tensor_of_torch_is_enough(rows, needs) -> None:
    torch = needs("torch")
    assert isinstance(rows(TABLE, torch.from_numpy(IDS)), torch.Tensor)
    assert isinstance(rows(TABLE, IDS), np.ndarray)


def test_out_comes_back_as_it_is(rows, needs) -> None:
    torch = needs("torch")
    out = torch.zeros(64, 12).t()
    assert rows(torch.from_numpy(TABLE), torch.from_numpy(IDS), out=out) is out
    np.testing.assert_array_equal(out.numpy(), EXPECTED)
    array = np.zeros((12, 64), np.float32)
    assert rows(torch.from_numpy(TABLE), torch.from_numpy(IDS), out=array) is array


def test_views_of_torch_that_negate(needs) -> None:
    torch = needs("torch")
    values = torch.arange(6.0).to(torch.complex64) * (1 + 2j)
    conjugate = values.conj()
    found = compile(identity("tensor<?xcomplex<f32>>"))(conjugate)
    assert torch.equal(found, conjugate)
    negative = conjugate.imag
    assert negative.is_neg()
    assert torch.equal(compile(identity("tensor<?xf32>"))(negative), negative)


def test_a_tensor_that_wants_a_gradient(rows, needs) -> None:
    torch = needs("torch")
    table = torch.from_numpy(TABLE).requires_grad_()
    with pytest.raises(
        TypeError, match=r"argument 0 \(table\): no gradient flows through a kernel"
    ):
        rows(table, torch.from_numpy(IDS))
    with torch.no_grad():
        np.testing.assert_array_equal(rows(table, torch.from_numpy(IDS)).numpy(), EXPECTED)


def test_a_sparse_tensor(rows, needs) -> None:
    torch = needs("torch")
    with pytest.raises(TypeError, match=r"argument 0.*: expected .*, found a tensor of layout"):
        rows(torch.zeros(50, 64).to_sparse(), IDS)


def test_jax_in_jax_out(rows, needs) -> None:
    jax = needs("jax")
    result = rows(jax.numpy.asarray(TABLE), IDS)
    assert isinstance(result, jax.Array)
    np.testing.assert_array_equal(result, EXPECTED)


def test_arrays_of_jax_are_not_written(rows, needs) -> None:
    jax = needs("jax")
    with pytest.raises(ValueError, match=r"result 0: .* can be written, found an array of JAX"):
        rows(TABLE, IDS, out=jax.numpy.zeros((12, 64)))
    kernel = compile(scatter_add(), donate=[0])
    with pytest.raises(ValueError, match=r"argument 0: .* can be written, found an array of JAX"):
        kernel(jax.numpy.zeros((50, 64)), IDS[:, None], EXPECTED)


@pytest.mark.parametrize("name", ["bf16", "f16", "f8E5M2", "i8", "i1", "ui16", "complex<f32>"])
def test_element_types_of_both(name: str, needs) -> None:
    torch, jax = needs("torch"), needs("jax")
    kernel = compile(identity(f"tensor<?x{name}>"))
    dtype = kernel.results[0].parameter.element.dtype
    values = np.array([1, 0, 1, 1]).astype(dtype)
    exported = not hasattr(ml_dtypes, dtype.name)
    given = torch.from_numpy(values if exported else values.view(f"u{dtype.itemsize}"))
    given = given.view(getattr(torch, dtype.name))
    found = kernel(given)
    assert found.dtype == given.dtype
    assert found.tolist() == given.tolist()
    other = kernel(jax.numpy.asarray(values))
    assert other.dtype == dtype
    assert other.tolist() == values.tolist()


def test_elements_that_torch_lacks(needs) -> None:
    torch = needs("torch")
    kernel = compile("""
    func.func @f(%a: tensor<?xf32>) -> tensor<?xi4> {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1 : i4
      %n = tensor.dim %a, %c0 : tensor<?xf32>
      %e = tensor.empty(%n) : tensor<?xi4>
      %r = linalg.fill ins(%one : i4) outs(%e : tensor<?xi4>) -> tensor<?xi4>
      return %r : tensor<?xi4>
    }""")
    found = kernel(torch.zeros(3))
    assert found.dtype == ml_dtypes.int4


def test_memory_of_the_compiled_code(needs) -> None:
    torch, jax = needs("torch"), needs("jax")
    kernel = compile(FIRST)
    assert kernel(torch.tensor([3.0, 1.0])).tolist() == [3, 3, 3]
    found = kernel(jax.numpy.array([3.0, 1.0]))
    assert isinstance(found, jax.Array)
    assert found.tolist() == [3, 3, 3]


def test_large_results(rows, needs) -> None:
    torch, jax = needs("torch"), needs("jax")
    ids = RNG.integers(0, 50, 40000)
    expected = TABLE[ids]
    found = rows(torch.from_numpy(TABLE), torch.from_numpy(ids))
    assert isinstance(found, torch.Tensor)
    np.testing.assert_array_equal(found.numpy(), expected)
    other = rows(jax.numpy.asarray(TABLE), ids)
    assert other.unsafe_buffer_pointer() % 64 == 0
    np.testing.assert_array_equal(found.numpy(), expected)
    np.testing.assert_array_equal(other, expected)
