"""Random lax.gather and lax.scatter* calls, imported and compiled, against JAX's results.

    python test/frontend/stablehlo/random_jax.py --count 500 --seed 0

draws that many of each: valid dimension numbers with batching dims, windows in and partly out of
bounds, all modes, element and index types.
"""

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np
from stablehlo_harness import assert_same, compiled, imported
from window_cases import Array, Draw, draw_indices, draw_numbers

ELEMENTS = (
    "float32", "float16", "bfloat16", "int8", "int16", "int32", "uint8", "uint16", "uint32",
    "bool", "complex64",
)  # fmt: skip
INDEX_TYPES = {"int8": "i8", "int16": "i16", "int32": "i32", "uint8": "ui8", "uint32": "ui32"}
GATHER_MODES = ("clip", "fill", "promise_in_bounds")
SCATTERS = ("scatter", "scatter_add", "scatter_mul", "scatter_min", "scatter_max", "scatter_apply")


def values(d: Draw, element: str, shape: tuple[int, ...], jnp: Any) -> Array:
    low = 0 if element.startswith(("u", "b")) and element != "bfloat16" else -4
    high = 2 if element == "bool" else 5
    drawn = d.rng.integers(low, high, shape)
    if element == "complex64":
        drawn = drawn + 1j * d.rng.integers(low, high, shape)
    return np.asarray(drawn).astype(jnp.dtype(element))


def draw_gather(jax: Any, seed: int) -> tuple[Callable[..., Any], list[Array]]:
    d = Draw(seed)
    n, element = draw_numbers(d, last_vector_dim=True), d.pick(ELEMENTS)
    indices = draw_indices(d, n, INDEX_TYPES[d.pick(list(INDEX_TYPES))], False)
    numbers = jax.lax.GatherDimensionNumbers(
        offset_dims=n.offset_dims,
        collapsed_slice_dims=n.collapsed,
        start_index_map=n.start_map,
        operand_batching_dims=n.operand_batching,
        start_indices_batching_dims=n.indices_batching,
    )
    mode = d.pick(GATHER_MODES)
    fill = d.pick(("default", "given")) if mode == "fill" else "default"

    def call(operand: Any, starts: Any) -> Any:
        return jax.lax.gather(
            operand, starts, numbers, n.slice_sizes, mode=mode,
            fill_value=1 if fill == "given" else None,
        )  # fmt: skip

    return call, [values(d, element, n.operand, jax.numpy), indices]


def draw_scatter(jax: Any, seed: int) -> tuple[Callable[..., Any], list[Array]]:
    d = Draw(seed)
    n, element = draw_numbers(d, last_vector_dim=True), d.pick(ELEMENTS)
    while not n.start_map:
        # XLA fails on scatters without coordinates, with errors of its own.
        n = draw_numbers(d, last_vector_dim=True)
    name = d.pick(SCATTERS)
    if element == "bool" and name != "scatter_apply":
        name = "scatter"
    if element == "complex64" and name in ("scatter_min", "scatter_max"):
        name = "scatter_mul"
    indices = draw_indices(d, n, INDEX_TYPES[d.pick(list(INDEX_TYPES))], False)
    numbers = jax.lax.ScatterDimensionNumbers(
        update_window_dims=n.offset_dims,
        inserted_window_dims=n.collapsed,
        scatter_dims_to_operand_dims=n.start_map,
        operand_batching_dims=n.operand_batching,
        scatter_indices_batching_dims=n.indices_batching,
    )
    mode = d.pick(("clip", "drop", "promise_in_bounds"))
    operand = values(d, element, n.operand, jax.numpy)
    if name == "scatter_apply":

        def apply(operand: Any, starts: Any) -> Any:
            return jax.lax.scatter_apply(
                operand, starts, lambda x: x + x, numbers, update_shape=n.moved, mode=mode
            )

        return apply, [operand, indices]

    def call(operand: Any, starts: Any, updates: Any) -> Any:
        return getattr(jax.lax, name)(operand, starts, updates, numbers, mode=mode)

    return call, [operand, indices, values(d, element, n.moved, jax.numpy)]


DRAWS = {"gather": draw_gather, "scatter": draw_scatter}


def check(jax: Any, kind: str, seed: int) -> None:
    """Draw the call and compare; an AssertionError names the seed and holds the program."""
    call, arguments = DRAWS[kind](jax, seed)
    jitted = jax.jit(call)
    text = jitted.lower(*arguments).as_text()
    what = f"{kind}, seed {seed}:\n{text}"
    expected = np.asarray(jitted(*arguments))
    try:
        found = compiled(imported(text), arguments)
    except Exception as error:
        raise AssertionError(what) from error
    assert_same(found, [expected], what)


def main() -> None:
    import jax

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="cases of each kind")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first case")
    options = parser.parse_args()
    for kind in DRAWS:
        for seed in range(options.seed, options.seed + options.count):
            check(jax, kind, seed)
        print(f"{kind}: {options.count} cases agree with JAX {jax.__version__}")


if __name__ == "__main__":
    main()
