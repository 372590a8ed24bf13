"""A picture in space, learned from points: `kernel` in the place of `jax.jit`.

A grid of voxels is read between its points: eight gathers, weights, a sum. As a kernel that is one
loop nest. Then the grid is made from what is seen of it: `jax.grad` of the loss, through `jax.vmap`
over the views, is a kernel too, which scatters and adds. `jax.jit` does all of it again for
comparison.
"""

import functools
import importlib.util
import sys
from itertools import product

import numpy as np
from mlir_gs.tools.common.console import until_closed

SIZE, POINTS, VIEWS = 8, 500, 6
STEPS, RATE = 60, 200
# Of the largest number: sums of floats run in another order than XLA's.
TOLERANCE = 1e-5


def main() -> int:
    if None in map(importlib.util.find_spec, ("jax", "jax_tvm_ffi")):
        print("left out: jax or jax-tvm-ffi is not installed")
        return 0
    import jax
    import jax.numpy as jnp
    from mlir_gs.integrations.jax import kernel

    def sample(grid: jax.Array, points: jax.Array) -> jax.Array:
        """[n] values of a grid [x, y, z] at points [n, 3], linear between its points."""
        low = jnp.floor(points)
        part, corner = points - low, low.astype(jnp.int32)
        total = jnp.zeros(len(points), grid.dtype)
        for step in product((0, 1), repeat=3):
            weights = jnp.where(jnp.array(step) == 1, part, 1 - part).prod(-1)
            at = jnp.clip(corner + jnp.array(step), 0, jnp.array(grid.shape) - 1)
            total += weights * grid[at[:, 0], at[:, 1], at[:, 2]]
        return total

    def loss(grid: jax.Array, views: jax.Array, seen: jax.Array) -> jax.Array:
        """How far the grid is from what is `seen` [v, n] at the points [v, n, 3]."""
        found = jax.vmap(sample, in_axes=(None, 0))(grid, views)
        return ((found - seen) ** 2).mean()

    rng = np.random.default_rng(5)
    grid = jnp.asarray(rng.standard_normal((SIZE,) * 3), jnp.float32)
    views = jnp.asarray(rng.random((VIEWS, POINTS, 3)) * (SIZE - 1), jnp.float32)
    same = True

    def report(what: str, found: jax.Array, expected: jax.Array) -> None:
        nonlocal same
        error = float(jnp.abs(found - expected).max() / jnp.abs(expected).max())
        same = same and error <= TOLERANCE
        print(f"{what:9} {'equal' if error <= TOLERANCE else 'DIFFERENT'}")

    by_kernel, by_xla = kernel(sample), jax.jit(sample)
    report("sample", by_kernel(grid, views[0]), by_xla(grid, views[0]))
    seen = jax.vmap(by_kernel, in_axes=(None, 0))(grid, views)
    report("vmap", seen, jax.vmap(by_xla, in_axes=(None, 0))(grid, views))
    empty = jnp.zeros_like(grid)
    step = kernel(jax.value_and_grad(loss))
    report("grad", step(empty, views, seen)[1], jax.jit(jax.grad(loss))(empty, views, seen))

    learned = functools.reduce(
        lambda at, _: at - RATE * step(at, views, seen)[1], range(STEPS), empty
    )
    losses = [float(step(each, views, seen)[0]) for each in (empty, learned)]
    print(f"loss      {losses[0]:.2f} -> {losses[1]:.2f} in {STEPS} steps")
    return 0 if same and losses[1] < losses[0] / 10 else 1


if __name__ == "__main__":
    sys.exit(until_closed(main))
