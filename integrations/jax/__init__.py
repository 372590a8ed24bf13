"""JAX: `gs` kernels inside `jax.jit`, `grad`, `vmap` and `shard_map`, on the CPU.

`kernel` makes one of a JAX function; `call` and `jax_function` run any. `gather`, `scatter`,
`take`, `take_along_axis`, `put_along_axis` and `segment_sum` are JAX functions with derivatives and
batching. All go through XLA's foreign function interface, without Python and without copies: arrays
are XLA's own buffers.
"""

from mlir_gs.integrations.jax import batching, derivatives, kernels
from mlir_gs.integrations.jax.along import put_along_axis, take_along_axis
from mlir_gs.integrations.jax.calls import call, jax_function
from mlir_gs.integrations.jax.functions import gather, scatter, scatter_add, segment_sum, take
from mlir_gs.integrations.jax.kernels import kernel

__all__ = [
    "call",
    "gather",
    "jax_function",
    "kernel",
    "put_along_axis",
    "scatter",
    "scatter_add",
    "segment_sum",
    "take",
    "take_along_axis",
]

batching.register()
derivatives.register()
kernels.register()
