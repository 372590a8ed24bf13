"""A table of vectors over four devices, trained: lookups and their gradients are `gs` kernels.

Each device has a quarter of the rows. It looks up the tokens that are its own, and the devices add
what they found. The gradient of the lookup is a scatter-add into each quarter, which JAX derives.
"""

import argparse
import os
import sys

DEVICES = 4
os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={DEVICES}"

try:
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax.sharding import NamedSharding, PartitionSpec
    from mlir_gs.integrations import jax as gs
except ImportError as error:
    print(f"left out: all of it, which needs jax and jax-tvm-ffi ({error})")
    sys.exit(0)

ROWS, WIDTH, RATE = 1024, 32, 0.3
SPLIT, WHOLE = PartitionSpec("rows"), PartitionSpec()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=60, help="of gradient descent")
    steps = parser.parse_args().steps
    mesh = jax.make_mesh((DEVICES,), ("rows",))

    @jax.shard_map(mesh=mesh, in_specs=(SPLIT, WHOLE), out_specs=WHOLE)
    def lookup(rows: jax.Array, tokens: jax.Array) -> jax.Array:
        first = jax.lax.axis_index("rows") * rows.shape[0]
        found = gs.gather(rows, (tokens - first)[:, None], mode="fill", fill_value=0)
        return jax.lax.psum(found, "rows")

    def loss(table: jax.Array, tokens: jax.Array, wanted: jax.Array) -> jax.Array:
        return jnp.square(lookup(table, tokens) - wanted).sum(1).mean()

    def plain_loss(table: jax.Array, tokens: jax.Array, wanted: jax.Array) -> jax.Array:
        return jnp.square(table[tokens] - wanted).sum(1).mean()

    step = jax.jit(jax.value_and_grad(loss))
    plain_step = jax.jit(jax.value_and_grad(plain_loss))

    rng = np.random.default_rng(20261121)
    hidden = rng.normal(size=(ROWS, WIDTH)).astype(np.float32)
    plain = jnp.zeros((ROWS, WIDTH))
    table = jax.device_put(plain, NamedSharding(mesh, SPLIT))
    print(f"table    {ROWS} x {WIDTH} float32 over {DEVICES} devices")
    print(f"rows     {[shard.data.shape[0] for shard in table.addressable_shards]}")
    first = last = 0.0
    for number in range(steps):
        tokens = jnp.asarray(rng.integers(0, ROWS, 4 * ROWS), jnp.int32)
        last, gradient = step(table, tokens, hidden[tokens])
        table = table - RATE * ROWS * gradient
        _, gradient = plain_step(plain, tokens, hidden[tokens])
        plain = plain - RATE * ROWS * gradient
        jax.block_until_ready((table, plain))  # far ahead of four devices, JAX on a CPU is stuck
        first = first if number else last
    print(f"loss     {float(first):.2f} -> {float(last):.2f} in {steps} steps")
    equal = bool(np.allclose(table, plain, rtol=1e-4, atol=1e-5))
    print(f"JAX      {'equal' if equal else 'DIFFERENT'}")
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
