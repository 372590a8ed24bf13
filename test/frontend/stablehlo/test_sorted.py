"""What JAX sorts: its order is known of coordinates that come of it, and results equal JAX's."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering import run_pipeline
from stablehlo_harness import assert_same, compiled, imported

ROWS = np.random.default_rng(3).integers(-9, 9, (40, 4)).astype(np.float32)
KEYS = np.random.default_rng(5).integers(-2, 12, 40).astype(np.int32)
# The programs, and the promise that gs-infer makes of each scatter or gather of rows.
PROGRAMS: dict[str, tuple[Callable[[Any], Callable[..., Any]], str]] = {
    "sums of sorted segments": (
        lambda jax: (
            lambda x, k: jax.ops.segment_sum(*reversed(jax.lax.sort((k, x[:, 0]), num_keys=1)), 10)
        ),
        "sorted",
    ),
    "rows in the order of a key": (
        lambda jax: lambda x, k: x[jax.numpy.argsort(k)],
        "unique",
    ),
    "additions in the order of a key": (
        lambda jax: lambda x, k: x.at[jax.numpy.argsort(k)].add(x),
        "unique",
    ),
    "rows of the largest": (
        lambda jax: lambda x, k: x[jax.lax.top_k(k, 3)[1]],
        "unique",
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_order_is_known(name: str, needs: Callable[..., Any]) -> None:
    jax = needs("jax")
    make, promise = PROGRAMS[name]
    jitted = jax.jit(make(jax))
    expected = [np.asarray(jitted(jax.numpy.asarray(ROWS), jax.numpy.asarray(KEYS)))]
    text = jitted.lower(ROWS, KEYS).as_text()
    module = imported(text)
    assert_same(compiled(module, (ROWS, KEYS)), expected, text)
    with module.context, ir.Location.unknown():
        run_pipeline(module, "builtin.module(gs-infer)")
    ops = [line for line in str(module).splitlines() if "r_dims = " in line]
    assert any(
        promise in line and ("gather_dims" in line or "scatter_dims" in line) for line in ops
    )


def test_descending_order_is_no_promise(needs: Callable[..., Any]) -> None:
    jax = needs("jax")

    def sums(x: Any, k: Any) -> Any:
        keys, values = jax.lax.sort((-k, x[:, 0]), num_keys=1)
        return jax.ops.segment_sum(values, -keys, 10)

    jitted = jax.jit(sums)
    text = jitted.lower(ROWS, KEYS).as_text()
    module = imported(text)
    expected = [np.asarray(jitted(ROWS, KEYS))]
    assert_same(compiled(module, (ROWS, KEYS)), expected, text)
    with module.context, ir.Location.unknown():
        run_pipeline(module, "builtin.module(gs-infer)")
    assert "sorted" not in str(module)
