"""Sums of what is placed in zeros: gradients of what a function gathers and slices."""

from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402  (after importorskip)
from mlir_gs import compile, context, parse, run_pipeline  # noqa: E402  (after importorskip)

# pyright: reportUnknownMemberType=false
RNG = np.random.default_rng(4)
X = RNG.normal(size=(9, 3)).astype(np.float32)
FIRST, SECOND = (RNG.integers(0, 9, 40).astype(np.int32) for _ in range(2))


def gathers(x: Any, i: Any, j: Any) -> Any:
    return (jnp.sin(x[i]) * x[j]).sum() + x[j[0]].sum()


def slices(x: Any, i: Any, j: Any) -> Any:
    window = jax.lax.dynamic_slice(x, (i[0], j[0]), (4, 2))
    return (window * x[1:5, :2]).sum() + (x * x).sum()


def in_a_loop(x: Any, i: Any, j: Any) -> Any:
    def step(total: Any, at: Any) -> Any:
        return total + (x[at] * x[(at + 1) % 9]).sum(), None

    return jax.lax.scan(step, jnp.float32(0), i)[0] * x[j].sum()


@pytest.mark.parametrize("f", [gathers, slices, in_a_loop])
def test_gradient(f: Any) -> None:
    gradient = jax.jit(jax.grad(f))
    kernel = compile(gradient.lower(X, FIRST, SECOND).as_text())
    np.testing.assert_allclose(kernel(X, FIRST, SECOND), gradient(X, FIRST, SECOND), 1e-4, 1e-4)


def sums(dtype: Any, then: Any) -> str:
    def f(x: Any, i: Any, u: Any) -> Any:
        return then(x, jnp.zeros_like(x).at[i].add(u))

    shapes = [
        jax.ShapeDtypeStruct(s, t) for s, t in (((9,), dtype), ((4,), "int32"), ((4,), dtype))
    ]
    with context():
        module = parse(jax.jit(f).lower(*shapes).as_text())
        run_pipeline(module, "gs-import")
        return str(module)


def test_no_zeros_are_made() -> None:
    for dtype in ("float32", "int32"):
        assert "linalg." not in sums(dtype, lambda x, s: x + s)
        assert "linalg." not in sums(dtype, lambda x, s: s + x)


def test_zeros_stay() -> None:
    """What else reads them, and what would be rounded at each step."""
    assert "linalg." in sums("bfloat16", lambda x, s: x + s)
    assert "linalg." in sums("float32", lambda x, s: (x + s) * s)


PLACED = """
func.func public @main(%x: tensor<{given}xf32>, %i: tensor<4x1xi32>, %u: tensor<4xf32>)
    -> tensor<{result}xf32> {{
  %z = stablehlo.constant dense<0.0> : tensor<9xf32>
  %s = "stablehlo.scatter"(%z, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %{kept} : tensor<f32>
  }}) : (tensor<9xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<9xf32>
  %r = stablehlo.add %x, %s : (tensor<{given}xf32>, tensor<9xf32>) -> tensor<{result}xf32>
  return %r : tensor<{result}xf32>
}}"""


@pytest.mark.parametrize(
    ("given", "result", "kept", "stays"),
    [("9", "9", "t", False), ("9", "9", "b", True), ("?", "?", "t", True), ("9", "?", "t", True)],
)
def test_types_and_what_is_kept(given: str, result: str, kept: str, stays: bool) -> None:
    """Zeros stay where the sum has another type, or where the scatter gives no sum."""
    text = PLACED.format(given=given, result=result, kept=kept)
    with context():
        module = parse(text)
        run_pipeline(module, "convert-stablehlo-to-gs")
        assert ("stablehlo.add" in str(module)) == stays
    i, u = np.array([[1], [5], [1], [8]], np.int32), np.arange(4, dtype=np.float32) + 1
    expected = np.ones(9, np.float32)
    for at, by in zip(i[:, 0], u, strict=True):
        expected[at] = expected[at] + by if kept == "t" else 1 + by
    np.testing.assert_array_equal(compile(text)(np.ones(9, np.float32), i, u), expected)
