"""A table of vectors over four devices, trained: lookups and their gradients are `gs` kernels.

Each device has a quarter of the rows. It looks up the tokens that are its own, and the devices add
what they found. The gradient of the lookup is a scatter-add into each quarter, which JAX derives.

The devices are of one process or of several, which may run on as many machines: each holds its part
of the table, and they meet in the sum, through gloo.
"""

import argparse
import os
import socket
import subprocess
import sys

DEVICES = 4
OPTIONS = argparse.ArgumentParser(description=__doc__)
OPTIONS.add_argument("--steps", type=int, default=60, help="of gradient descent")
OPTIONS.add_argument("--processes", type=int, default=1, help="1, 2 or 4: start so many here")
OPTIONS.add_argument("--process", type=int, help="be this one of them, from 0")
OPTIONS.add_argument("--address", help="host:port of process 0")
ARGUMENTS = OPTIONS.parse_args()
HERE = DEVICES // ARGUMENTS.processes
os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={HERE}"

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


def start_processes(count: int) -> int:
    """Run this script `count` times, as on as many machines; what process 0 prints is shown."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        address = f"localhost:{free.getsockname()[1]}"
    command = [sys.executable, *sys.argv, "--address", address, "--process"]
    running = [subprocess.Popen([*command, str(number)]) for number in range(count)]
    return max(each.wait() for each in running)


def main() -> int:
    steps, number = ARGUMENTS.steps, ARGUMENTS.process or 0
    if ARGUMENTS.processes > 1 and ARGUMENTS.process is None:
        return start_processes(ARGUMENTS.processes)
    if ARGUMENTS.process is not None:
        jax.config.update("jax_cpu_collectives_implementation", "gloo")
        jax.distributed.initialize(ARGUMENTS.address, ARGUMENTS.processes, number)
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
    table = jax.device_put(np.zeros((ROWS, WIDTH), np.float32), NamedSharding(mesh, SPLIT))
    rows = [shard.data.shape[0] for shard in table.addressable_shards]
    say = print if number == 0 else lambda text: None
    say(f"table    {ROWS} x {WIDTH} float32 over {DEVICES} devices")
    say(f"rows     {rows} in process {number} of {ARGUMENTS.processes}")
    first = last = 0.0
    for turn in range(steps):
        tokens = rng.integers(0, ROWS, 4 * ROWS).astype(np.int32)
        last, gradient = step(table, tokens, hidden[tokens])
        table = table - RATE * ROWS * gradient
        _, gradient = plain_step(plain, tokens, hidden[tokens])
        plain = plain - RATE * ROWS * gradient
        jax.block_until_ready((table, plain))  # far ahead of four devices, JAX on a CPU is stuck
        first = first if turn else float(last)
    say(f"loss     {first:.2f} -> {float(last):.2f} in {steps} steps")
    whole = np.asarray(plain)
    equal = all(
        np.allclose(shard.data, whole[shard.index], rtol=1e-4, atol=1e-5)
        for shard in table.addressable_shards
    )
    (say if equal else print)(f"JAX      {'equal' if equal else 'DIFFERENT'}")
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
