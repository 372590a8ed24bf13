"""Random functions as kernels, with their derivatives and batches, against `jax.jit`.

    python test/integrations/jax/random_jax_functions.py --count 100 --seed 0

A function is a list of steps drawn from a seed; each adds an array computed from those before.
"""

import argparse
import sys
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from mlir_gs.integrations import jax as gs

ROWS, WIDTH = 7, 5
FLOATS = ("float32", "float32", "bfloat16", "float16", "complex64")
ELEMENTS = (*FLOATS, "int8", "int32", "uint8", "bool")
TOLERANCES = {"bfloat16": 0.1, "float16": 0.02}


def _real(x: Any) -> Any:
    return jnp.real(x).astype(jnp.float32)


def _same(kind: Any, x: Any) -> Any:
    return (x != 0) if kind == jnp.bool_ else x.astype(kind)


def _numbers(x: Any) -> Any:
    return x.astype(jnp.int32) if x.dtype == jnp.bool_ else x


def _loop(x: Any, y: Any) -> Any:
    return jax.lax.fori_loop(0, 3, lambda k, c: c.at[k].add(y[k + 1] * x.dtype.type(1)), x)


STEPS: dict[str, Callable[..., Any]] = {
    "add": lambda x, y, i: _same(x.dtype, x + y),
    "multiply": lambda x, y, i: _same(x.dtype, x * y),
    "select": lambda x, y, i: jnp.where(_real(y) > 0.2, x, _same(x.dtype, y)),
    "tanh": lambda x, y, i: _same(x.dtype, jnp.tanh(_real(x))),
    "exp": lambda x, y, i: _same(x.dtype, jnp.exp(-jnp.abs(_real(x)))),
    "cast": lambda x, y, i: x.astype(y.dtype) if x.dtype.kind != "c" else x,
    "take": lambda x, y, i: x[i],
    "take_fill": lambda x, y, i: jnp.take(x, i * 2 - 3, axis=0, fill_value=1),
    "along": lambda x, y, i: jnp.take_along_axis(x, i[:, None] % WIDTH, axis=1) + x,
    "set": lambda x, y, i: x.at[:2].set(_same(x.dtype, y[3:5])),
    "add_at": lambda x, y, i: _numbers(x).at[i].add(_same(_numbers(x).dtype, y)),
    "max_at": lambda x, y, i: _real(x).at[i, i % WIDTH].max(_real(y)[:, 0]),
    "segment_sum": lambda x, y, i: jax.ops.segment_sum(x, i, ROWS),
    "segment_max": lambda x, y, i: jax.ops.segment_max(_real(x), i, ROWS),
    "softmax": lambda x, y, i: jax.nn.softmax(_real(x), axis=-1),
    "product": lambda x, y, i: _same(x.dtype, _real(x) @ _real(y).T @ _real(x)),
    "reduce": lambda x, y, i: _same(x.dtype, _numbers(x) - x.sum(0, keepdims=True)),
    "transpose": lambda x, y, i: jnp.reshape(jnp.transpose(x), x.shape),
    "pad": lambda x, y, i: jnp.pad(x, ((1, 0), (0, 2)))[:ROWS, 2:],
    "concatenate": lambda x, y, i: jnp.concatenate([x[4:], _same(x.dtype, y[:4])]),
    "reverse": lambda x, y, i: x[::-1, ::-1],
    "sort": lambda x, y, i: jnp.sort(_real(x), axis=0),
    "argsort": lambda x, y, i: x[jnp.argsort(_real(y)[:, 0])],
    "cumsum": lambda x, y, i: _same(x.dtype, jnp.cumsum(_real(x), axis=1)),
    "window": lambda x, y, i: jax.lax.dynamic_slice(jnp.pad(x, 2), (i[0], i[1]), x.shape),
    "cond": lambda x, y, i: jax.lax.cond(i[0] > 2, lambda: x, lambda: _same(x.dtype, x * x)),
    "loop": lambda x, y, i: _loop(_real(x), _real(y)),
}


def draw(seed: int) -> tuple[Callable[..., Any], list[Any], bool]:
    """A function, its arguments, and whether all that it computes is f32."""
    rng = np.random.default_rng(seed)
    is_real = bool(rng.random() < 0.5)
    kinds = ["float32"] * 3 if is_real else list(rng.choice(ELEMENTS, 3))
    arrays = [
        jnp.asarray(np.round(rng.normal(size=(ROWS, WIDTH)), 2)).astype(kind) for kind in kinds
    ]
    names = [str(name) for name in rng.choice(list(STEPS), rng.integers(2, 9))]
    reads = [(int(rng.integers(3 + n)), int(rng.integers(3 + n))) for n in range(len(names))]

    def function(given: list[Any], i: Any) -> Any:
        known = list(given)
        for name, (a, b) in zip(names, reads, strict=True):
            known.append(STEPS[name](known[a], known[b], i))
        return {"last": known[-1], "sums": (_real(known[-2]).sum(), known[3])}

    function.__name__ = "_".join(names)
    return function, [arrays, jnp.asarray(rng.integers(0, ROWS, ROWS), jnp.int32)], is_real


def assert_close(found: Any, wanted: Any, what: str) -> None:
    for a, b in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        assert (a.dtype, a.shape) == (b.dtype, b.shape), what
        tolerance = max(TOLERANCES.get(a.dtype.name, 0), 2e-4)
        as_type = np.complex64 if a.dtype.kind == "c" else np.float32
        left, right = np.asarray(a, as_type), np.asarray(b, as_type)
        most = float(np.abs(right[np.isfinite(right)]).max(initial=1.0))
        np.testing.assert_allclose(left, right, tolerance, tolerance * most, err_msg=what)


def check(seed: int) -> None:
    function, arguments, is_real = draw(seed)
    ours = gs.kernel(function)
    what = f"seed {seed}: {function.__name__}"
    assert_close(ours(*arguments), jax.jit(function)(*arguments), what)
    if not is_real:
        return

    def loss(f: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *a: sum(jnp.sin(leaf).sum() for leaf in jax.tree.leaves(f(*a)))

    arrays, i = arguments
    if seed % 2:
        assert_close(jax.grad(loss(ours))(*arguments), jax.grad(loss(function))(*arguments), what)
    else:
        batches = [jnp.stack([each, each * 0.5]) for each in arrays]
        axes = ([0, None, 0], None)
        found, wanted = (
            jax.vmap(f, axes)([batches[0], arrays[1], batches[2]], i) for f in (ours, function)
        )
        assert_close(found, wanted, what)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    for seed in range(asked.seed, asked.seed + asked.count):
        try:
            check(seed)
        except Exception as error:
            print(f"seed {seed}: {draw(seed)[0].__name__}: {type(error).__name__}: {error}"[:1500])
    return 0


if __name__ == "__main__":
    sys.exit(main())
