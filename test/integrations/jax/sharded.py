"""A sharded embedding lookup on four host devices; run by test_jax_sharded.py in a process."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec
from mlir_gs.integrations import jax as gs

P = PartitionSpec
ROWS, WIDTH, TOKENS = 64, 8, 40
mesh = jax.make_mesh((4,), ("rows",))


@jax.shard_map(mesh=mesh, in_specs=(P("rows"), P()), out_specs=P())
def lookup(table: jax.Array, tokens: jax.Array) -> jax.Array:
    """Each device has some of the rows, gives zeros for those of the others, and all are added."""
    first = jax.lax.axis_index("rows") * table.shape[0]
    found = gs.gather(table, (tokens - first)[:, None], mode="fill", fill_value=0)
    return jax.lax.psum(found, "rows")


@jax.shard_map(mesh=mesh, in_specs=(P("rows"), P("rows"), P("rows")), out_specs=P("rows"))
def added(dest: jax.Array, rows: jax.Array, updates: jax.Array) -> jax.Array:
    return gs.scatter_add(dest, rows[:, None], updates, mode="error")


@jax.shard_map(mesh=mesh, in_specs=(P("rows"), P()), out_specs=P("rows"))
def attended(x: jax.Array, w: jax.Array) -> jax.Array:
    return gs.kernel(lambda x, w: jax.nn.softmax(x @ w) @ w.T)(x, w)


def main() -> None:
    assert jax.device_count() == 4
    rng = np.random.default_rng(20261120)
    host = jnp.asarray(rng.normal(size=(ROWS, WIDTH)), jnp.float32)
    by_rows = NamedSharding(mesh, P("rows"))
    table = jax.device_put(host, by_rows)
    tokens = jnp.asarray(rng.integers(0, ROWS, TOKENS), jnp.int32)
    weights = jnp.asarray(rng.normal(size=(TOKENS, WIDTH)), jnp.float32)
    np.testing.assert_array_equal(jax.jit(lookup)(table, tokens), host[tokens])

    def loss(table: jax.Array) -> jax.Array:
        return (jnp.sin(lookup(table, tokens)) * weights).sum()

    found = jax.jit(jax.grad(loss))(table)
    assert found.sharding.is_equivalent_to(table.sharding, 2)
    wanted = jax.grad(lambda t: (jnp.sin(t[tokens]) * weights).sum())(host)
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)
    tangent = jax.jvp(lambda t: lookup(t, tokens), (table,), (table,))[1]
    np.testing.assert_array_equal(tangent, host[tokens])

    found = jax.jit(jax.grad(lambda t: jnp.sin(attended(t, host[:WIDTH])).sum()))(table)
    assert found.sharding.is_equivalent_to(table.sharding, 2)
    wanted = jax.grad(lambda t: jnp.sin(jax.nn.softmax(t @ host[:WIDTH]) @ host[:WIDTH].T).sum())(
        host
    )
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)

    rows = jnp.asarray(rng.integers(0, ROWS // 4, TOKENS), jnp.int32)
    shifted = rows + jnp.repeat(jnp.arange(4), TOKENS // 4) * (ROWS // 4)
    rows, updates = jax.device_put(rows, by_rows), jax.device_put(weights, by_rows)
    sums = jax.jit(added)(table, rows, updates)
    np.testing.assert_allclose(sums, host.at[shifted].add(weights), rtol=1e-6)
    # The devices run the kernel at once, again and again.
    many = jax.jit(lambda t: jax.lax.fori_loop(0, 50, lambda _, x: added(x, rows, updates), t))
    total = host
    for _ in range(50):
        total = total.at[shifted].add(weights)
    np.testing.assert_allclose(many(table), total, rtol=1e-5)
    print("equal")


if __name__ == "__main__":
    main()
