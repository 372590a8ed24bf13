"""`kernel`: a function, as JAX traces it, becomes one kernel by way of StableHLO."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer, eval_jaxpr
from jax.extend.core import Literal
from jax.interpreters import ad, batching
from mlir_gs.execution import CompileError, compile
from mlir_gs.integrations.jax.primitives import (
    as_complex,
    as_reals,
    bind,
    carrier,
    carry,
    ffi,
    primitive,
    unchanging,
)
from mlir_gs.integrations.jax.targets import Target, target_of

Arrays = Sequence[Any]


@dataclass(frozen=True, eq=False)
class Program:
    """`run(*arrays)` gives a list of arrays of the types `results`, computed by one kernel.

    `donated`: arrays that the kernel may overwrite, by number. `linear`: in its last so many arrays
    the program is linear.
    """

    run: Callable[..., Arrays]
    results: Arrays
    threads: int | None
    donated: tuple[int, ...] = ()
    linear: int = 0

    def __call__(self, *arrays: Any) -> Any:
        return bind(kernel_p, *arrays, program=self)

    def then(self, run: Callable[..., Arrays], results: Arrays, linear: int = 0) -> "Program":
        """Another program that this one is differentiated to."""
        return Program(run, results, self.threads, (), linear)


def kernel(
    f: Callable[..., Any],
    *,
    threads: int | None = None,
    donate_argnums: int | Sequence[int] = (),
    **options: Any,
) -> Callable[..., Any]:
    """`f`, jitted, as one kernel instead of XLA's code: gathers, scatters and what is around them.

    `f`: any function that `jax.jit` takes; arguments and results are pytrees of arrays, and it may
    use arrays from outside. It is traced and compiled once for each set of shapes and dtypes.
    `threads`: as in `mlir_gs.compile`. `donate_argnums`: arguments that the kernel may overwrite,
    where nothing else uses them. Other options are those of `jax.jit`, such as `static_argnums`.

    Has the transforms of `f`: under `jax.grad`, `jax.jvp` and `jax.vmap` what becomes a kernel is
    the derivative, or the function of batches, that JAX traces. Forward and backward are a kernel
    each; the latter reads results of products, scatters, sorts and reductions of the former, and
    computes all else again. Under `jax.shard_map` each device runs the kernel on its part.

    Raises CompileError for an op that the import of StableHLO refuses, with its name and the line
    of `f` that it comes from (`jnp.linalg.cholesky`, which XLA leaves to LAPACK, goes between two
    kernels in one `jax.jit`); TypeError for element types that XLA hands to no kernel.
    """
    donated = (donate_argnums,) if isinstance(donate_argnums, int) else tuple(donate_argnums)

    @wraps(f)
    def traced(*args: Any, **named: Any) -> Any:
        leaves, tree = jax.tree.flatten((args, named))
        places = [
            n for n, leaf in enumerate(leaves) if isinstance(leaf, Tracer | jax.Array | np.ndarray)
        ]
        may = [
            n < len(args) and n in (d % len(args) for d in donated)
            for n, each in enumerate((*args, named))
            for _ in jax.tree.leaves(each)
        ]

        def on_leaves(*arrays: Any) -> Any:
            values = list(leaves)
            for n, array in zip(places, arrays, strict=True):
                values[n] = array
            positional, keywords = jax.tree.unflatten(tree, values)
            return f(*positional, **keywords)

        arrays = [leaves[n] for n in places]
        jaxpr, found = jax.make_jaxpr(on_leaves, return_shape=True)(*map(_type, arrays))
        # Arrays from outside are operands too: as constants they would be part of the text.
        count = len(jaxpr.consts)
        program = Program(
            lambda *values: eval_jaxpr(jaxpr.jaxpr, values[:count], *values[count:]),
            jaxpr.out_avals,
            threads,
            tuple(count + at for at, n in enumerate(places) if may[n]),
        )
        return jax.tree.unflatten(jax.tree.structure(found), program(*jaxpr.consts, *arrays))

    return jax.jit(traced, donate_argnums=donated, **options)


def _type(array: Any) -> Any:
    """Shape and dtype, without the axes of a mesh that it varies over."""
    return jax.ShapeDtypeStruct(
        jnp.shape(array), array.dtype, weak_type=getattr(array, "weak_type", False)
    )


def _run(*arrays: Any, program: Program) -> Arrays:
    """The results by a kernel that takes the arrays, or what carries them."""
    kinds = [_type(array) for array in arrays]

    def carried(*values: Any) -> Arrays:
        given = [_restored(value, kind.dtype) for value, kind in zip(values, kinds, strict=True)]
        return [_carried(value) for value in program.run(*given)]

    given = [_carried(array) for array in arrays]
    target = _target(carried, given, program)
    found = ffi(target, *given)[: len(program.results)]
    return [_restored(each, kind.dtype) for each, kind in zip(found, program.results, strict=True)]


def _carried(value: Any) -> Any:
    value = jnp.asarray(value)
    if jnp.issubdtype(value.dtype, jax.dtypes.prng_key):
        return jax.random.key_data(value)
    if jnp.issubdtype(value.dtype, jnp.complexfloating):
        return as_reals(value)
    return carry(value, carrier(value.dtype, moves=True))


def _restored(value: Any, dtype: Any) -> Any:
    if jnp.issubdtype(dtype, jax.dtypes.prng_key):
        return jax.random.wrap_key_data(value, impl=jax.random.key_impl(jnp.empty((), dtype)))
    return as_complex(value) if jnp.issubdtype(dtype, jnp.complexfloating) else carry(value, dtype)


def _target(run: Callable[..., Arrays], arrays: Arrays, program: Program) -> Target:
    lowered = jax.jit(run, keep_unused=True).lower(*map(_type, arrays))
    try:
        return _compiled(lowered.as_text(), program.threads, program.donated)
    except CompileError:
        # Once more with the places in Python, which would be part of the name of a kept kernel.
        text = lowered.as_text(debug_info=True)
        return target_of(compile(text, threads=program.threads, donate=program.donated))


@lru_cache(256)
def _compiled(text: str, threads: int | None, donated: tuple[int, ...]) -> Target:
    return target_of(compile(text, threads=threads, donate=donated))


_KEPT = (
    "dot_general", "conv_general_dilated", "scatter", "sort", "top_k", "cum", "reduce_", "scan",
    "while", "cond",
)  # fmt: skip
"""Primitives, by how their names begin, whose results are not computed again for a derivative."""


def _jvp(primals: Arrays, tangents: Arrays, *, program: Program) -> tuple[Arrays, Arrays]:
    moving = [n for n, tangent in enumerate(tangents) if type(tangent) is not ad.Zero]
    along = [tangents[n] for n in moving]
    fixed = len(primals) - program.linear
    if program.linear and moving[0] >= fixed:
        return program(*primals), program(
            *primals[:fixed], *map(ad.instantiate_zeros, tangents[fixed:])
        )

    def linearized(*values: Any) -> Any:
        def of_moving(*moved: Any) -> Arrays:
            given = list(values)
            for n, value in zip(moving, moved, strict=True):
                given[n] = value
            return program.run(*given)

        again = jax.checkpoint(
            of_moving, policy=lambda p, *_, **__: p.name.startswith(_KEPT), prevent_cse=False
        )
        return jax.linearize(again, *(values[n] for n in moving))

    jaxpr, found = jax.make_jaxpr(linearized, return_shape=True)(*map(_type, primals))
    tree, count = jax.tree.structure(found), len(program.results)
    # What the derivative reads of the operands is no result of the kernel, nor is any result twice.
    known = dict(zip(jaxpr.jaxpr.invars, primals, strict=True))
    known |= dict(zip(jaxpr.jaxpr.constvars, jaxpr.consts, strict=True))
    outs = jaxpr.jaxpr.outvars
    places = {var: n for n, var in reversed([*enumerate(outs)]) if not isinstance(var, Literal)}
    computed = [n for var, n in places.items() if n >= count and var not in known]
    picked = [*range(count), *computed]
    first = program.then(
        lambda *values: [eval_jaxpr(jaxpr.jaxpr, jaxpr.consts, *values)[n] for n in picked],
        [jaxpr.out_avals[n] for n in picked],
    )
    values = first(*primals)
    at = {n: value for n, value in zip(picked, values, strict=True)}
    kept = [
        var.val if isinstance(var, Literal) else known[var] if var in known else at[places[var]]
        for var in outs[count:]
    ]

    def derivative(*given: Any) -> Arrays:
        _, linear = jax.tree.unflatten(tree, [*values[:count], *given[: len(kept)]])
        changes = linear(*given[len(kept) :])
        return [each for each, is_real in zip(changes, real, strict=True) if is_real]

    real = [jnp.issubdtype(kind.dtype, jnp.inexact) for kind in program.results]
    results = [kind for kind, is_real in zip(program.results, real, strict=True) if is_real]
    changes = iter(program.then(derivative, results, len(along))(*kept, *along))
    out = values[:count]
    return out, [
        next(changes) if is_real else unchanging(value)
        for value, is_real in zip(out, real, strict=True)
    ]


def _transpose(cotangents: Arrays, *arrays: Any, program: Program) -> Arrays:
    fixed = len(arrays) - program.linear
    known, unknown = arrays[:fixed], [each.aval for each in arrays[fixed:]]
    if all(type(each) is ad.Zero for each in cotangents):
        return [None] * fixed + [ad.Zero(aval) for aval in unknown]

    def transposed(*values: Any) -> Arrays:
        def linear(*along: Any) -> Arrays:
            return program.run(*values[:fixed], *along)

        return jax.linear_transpose(linear, *map(_type, unknown))(list(values[fixed:]))

    given = [ad.instantiate_zeros(each) for each in cotangents]
    return [None] * fixed + list(program.then(transposed, unknown, len(given))(*known, *given))


def _batched(arrays: Arrays, axes: Sequence[Any], *, program: Program) -> tuple[Any, list[int]]:
    size = next(v.shape[a] for v, a in zip(arrays, axes, strict=True) if a is not None)
    results = [jax.ShapeDtypeStruct((size, *kind.shape), kind.dtype) for kind in program.results]
    run = jax.vmap(program.run, in_axes=tuple(axes))
    batched = Program(run, results, program.threads, program.donated, program.linear)
    return batched(*arrays), [0] * len(results)


kernel_p = primitive("gs_kernel", lambda *_, program: program.results, _run, several=True)


def register() -> None:
    """Tell JAX the rules."""
    ad.primitive_jvps[kernel_p] = _jvp
    ad.primitive_transposes[kernel_p] = _transpose
    batching.primitive_batchers[kernel_p] = _batched
