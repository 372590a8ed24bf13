"""Sizes that are known at run time, as jax.export gives them for symbolic shapes."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from mlir_gs import execution
from stablehlo_harness import assert_same, imported

Function = Callable[..., Any]


def _programs(jax: Any) -> dict[str, Function]:
    jnp = jax.numpy
    return {
        "rows": lambda x, i: x[i],
        "columns": lambda x, i: x[:, i],
        "elements": lambda x, i: x[i, i],
        "take": lambda x, i: jnp.take(x, i, axis=0, mode="clip"),
        "take_along_axis": lambda x, i: jnp.take_along_axis(x, i[:, None], axis=0),
        "add rows": lambda x, i: x.at[i].add(1),
        "set columns": lambda x, i: x.at[:, i].set(0, mode="drop"),
        "max of rows": lambda x, i: x.at[i].max(x[: i.shape[0]] * 2, mode="clip"),
        "segments": lambda x, i: jax.ops.segment_sum(x[i], i, 5),
        "slices": lambda x, i: (x[1:], x[:, ::2], jax.lax.dynamic_slice(x, (i[0], 0), (2, 1))),
        "sizes": lambda x, i: x[i].sum(axis=1) * jnp.arange(i.shape[0]) + x.shape[1],
        "greatest": lambda x, i: (jnp.argmax(x[i], axis=1), x.max(axis=0)),
        "reversed": lambda x, i: x[::-1, ::-1][i],
        "padded": lambda x, i: jnp.pad(x, ((1, 2), (0, 3)))[i],
        "product": lambda x, i: x[i] @ x.T,
        "reshape": lambda x, i: (x.reshape(-1)[i], x[None, :, :, None], x.T.reshape(x.shape)),
        "concatenate": lambda x, i: jnp.concatenate([x, x[i]], axis=0),
        "chosen": lambda x, i: (
            jax.lax.approx_max_k(x[i], 1, 0)[0],
            jax.lax.approx_min_k(x, 4, 0)[0],
        ),
        "batch": lambda x, i: jax.vmap(lambda row, k: row[k], in_axes=(0, None))(x, i),
    }


NAMES = (
    "rows", "columns", "elements", "take", "take_along_axis", "add rows", "set columns",
    "max of rows", "segments", "slices", "sizes", "greatest", "reversed", "padded", "product",
    "reshape", "concatenate", "chosen", "batch",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_equals_jax(name: str, needs: Callable[..., Any]) -> None:
    jax = needs("jax")
    rows, columns, count = jax.export.symbolic_shape("r, c, n", constraints=["r >= 4", "n <= r"])
    function = jax.jit(_programs(jax)[name])
    exported = jax.export.export(function)(
        jax.ShapeDtypeStruct((rows, columns), np.float32),
        jax.ShapeDtypeStruct((count,), np.int32),
    )
    kernel = execution.compile(imported(exported.mlir_module_serialized), "main")
    rng = np.random.default_rng(7)
    for shape, length in (((6, 5), 4), ((4, 1), 1), ((9, 3), 9)):
        x = rng.integers(-4, 5, shape).astype(np.float32)
        i = rng.integers(-3, 5, length).astype(np.int32)
        expected = [np.asarray(leaf) for leaf in jax.tree.leaves(function(x, i))]
        found = kernel(x, i)
        found = found if isinstance(found, (tuple, list)) else (found,)
        assert_same([np.asarray(array) for array in found], expected, name)


def test_shape_assertion(needs: Callable[..., Any]) -> None:
    jax = needs("jax")
    (count,) = jax.export.symbolic_shape("n", constraints=["n >= 4"])
    function = jax.jit(lambda x: x[::-1])
    exported = jax.export.export(function)(jax.ShapeDtypeStruct((count,), np.float32))
    kernel = execution.compile(imported(exported.mlir_module()), "main")
    assert np.asarray(kernel(np.arange(5, dtype=np.float32)))[0] == 4
    with pytest.raises(Exception, match="Input shapes do not match"):
        kernel(np.arange(3, dtype=np.float32))


@pytest.mark.parametrize("first", ["3x64", "?x64"])
@pytest.mark.parametrize("second", ["3x64", "?x64"])
def test_concatenation_of_known_and_unknown_sizes(first: str, second: str) -> None:
    result = "3x128" if "3x64" in (first, second) else "?x128"
    kernel = execution.compile(f"""
        func.func @main(%a: tensor<{first}xf32>, %b: tensor<{second}xf32>)
            -> tensor<{result}xf32> {{
          %r = stablehlo.concatenate %a, %b, dim = 1
              : (tensor<{first}xf32>, tensor<{second}xf32>) -> tensor<{result}xf32>
          return %r : tensor<{result}xf32>
        }}""")
    a, b = np.ones((3, 64), np.float32), np.zeros((3, 64), np.float32)
    np.testing.assert_array_equal(kernel(a, b), np.concatenate([a, b], axis=1))
    for one, other in ((a, b[:2]), (a[:2], b)):
        with pytest.raises(ValueError, match=r"concatenate|argument"):
            kernel(one, other)
