"""`call` and `jax_function`: any kernel inside jit, vmap and loops."""

from typing import Any

import mlir_gs
import numpy as np
import pytest

jax = pytest.importorskip("jax")
pytest.importorskip("jax_tvm_ffi")

import jax.numpy as jnp  # noqa: E402  (after importorskip)
from mlir_gs.integrations import jax as gs  # noqa: E402  (after importorskip)

ROWS = """
func.func @rows(%table: tensor<?x4xbf16>, %rows: tensor<?x1xi32>) -> tensor<?x4xbf16> {
  %0 = gs.gather %table[%rows] gather_dims([0]) mode(error)
      : (tensor<?x4xbf16>, tensor<?x1xi32>) -> tensor<?x4xbf16>
  return %0 : tensor<?x4xbf16>
}
"""

MIXED = """
func.func @mixed(%a: tensor<?xf32> {bufferization.writable = true}, %n: i64, %b: tensor<?xf32>,
    %x: f32) -> (tensor<?xf32>, tensor<?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %inserted = tensor.insert %x into %a[%c0] : tensor<?xf32>
  %size = arith.index_cast %n : i64 to index
  %empty = tensor.empty(%size) : tensor<?xf32>
  %filled = linalg.fill ins(%x : f32) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  %first = tensor.extract %b[%c0] : tensor<?xf32>
  return %filled, %inserted, %first : tensor<?xf32>, tensor<?xf32>, f32
}
"""

TWICE = """
func.func @twice(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %a[%c0] : memref<?xf32>
  %w = arith.addf %v, %v : f32
  memref.store %w, %a[%c0] : memref<?xf32>
  return
}
"""

BINS = """
func.func @bins(%u: tensor<?xf32>, %i: tensor<?x1xi32>) -> (tensor<?xf32>, tensor<?x1xi32>) {
  %sums, %found = gs.histogram %u at %i combine(add)
      : (tensor<?xf32>, tensor<?x1xi32>) -> (tensor<?xf32>, tensor<?x1xi32>)
  return %sums, %found : tensor<?xf32>, tensor<?x1xi32>
}
"""


def same(found: Any, wanted: Any) -> None:
    np.testing.assert_array_equal(np.asarray(found, np.float32), np.asarray(wanted, np.float32))


def test_a_module_as_a_function() -> None:
    table = jnp.arange(24, dtype=jnp.bfloat16).reshape(6, 4)
    rows = jnp.array([[5], [0]], jnp.int32)
    function = gs.jax_function(ROWS)
    assert function.__name__ == "rows"
    jitted = jax.jit(lambda t, r: function(t, r) * 2)
    same(jitted(table, rows), table[jnp.array([5, 0])] * 2)
    same(gs.call(ROWS, table, rows[:0]), np.zeros((0, 4)))
    batched = jax.vmap(function, (None, 0))(table, jnp.stack([rows, rows[::-1]]))
    same(batched, table[jnp.array([[5, 0], [0, 5]])])
    # From its fast path JAX raises ValueError.
    with pytest.raises((jax.errors.JaxRuntimeError, ValueError), match="out of bounds for size 6"):
        jitted(table, rows + 4).block_until_ready()


def test_arguments_of_all_kinds() -> None:
    """Written arguments, numbers, and results that are and are not arguments."""
    kernel = mlir_gs.compile(MIXED)

    def step(a: Any, b: Any) -> Any:
        return (*gs.call(kernel, a, 3, b, 2.5), a)

    filled, inserted, first, before = jax.jit(step)(jnp.zeros(4), jnp.full(2, 7.0))
    same(filled, [2.5] * 3)
    same(inserted, [2.5, 0, 0, 0])
    same(first, 7)
    same(before, np.zeros(4))
    many = jax.vmap(step, (0, None))(jnp.zeros((2, 4)), jnp.full(2, 7.0))
    assert [each.shape for each in many] == [(2, 3), (2, 4), (2,), (2, 4)]


def test_a_written_argument_is_a_result() -> None:
    kernel = mlir_gs.compile(TWICE)
    values = jnp.arange(1.0, 4.0)
    same(jax.jit(lambda x: gs.call(kernel, x))(values), [2, 2, 3])
    same(values, [1, 2, 3])
    looped = jax.jit(lambda x: jax.lax.fori_loop(0, 5, lambda _, y: gs.call(kernel, y), x))
    same(looped(values), [32, 2, 3])


def test_what_does_not_fit() -> None:
    table = jnp.zeros((6, 4), jnp.bfloat16)
    with pytest.raises(TypeError, match=r"argument 1.*: expected int32\[\?, 1\], found int32\[2\]"):
        gs.call(ROWS, table, jnp.zeros(2, jnp.int32))
    with pytest.raises(TypeError, match=r"expected bfloat16\[\?, 4\], found float32\[6, 4\]"):
        gs.call(ROWS, table.astype("float32"), jnp.zeros((2, 1), jnp.int32))
    with pytest.raises(TypeError, match="rows: expected 2 arguments, found 1"):
        gs.call(ROWS, table)
    with pytest.raises(TypeError, match="expected an int64 scalar, static under JAX"):
        jax.jit(lambda n: gs.call(MIXED, jnp.zeros(4), n, jnp.zeros(2), 1.0))(3)
    with pytest.raises(TypeError, match="result 0 has a size that depends on data"):
        gs.jax_function(BINS)
    with pytest.raises(TypeError, match="jax-tvm-ffi hands no complex64 arrays to XLA"):
        gs.jax_function("func.func @f(%a: tensor<3xcomplex<f32>>) { return }")
