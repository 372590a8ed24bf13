"""Programs of the functions of JAX under jit, vmap and vjp, against those of jax.numpy.

    python test/fuzz/fuzz_jax_functions.py --cases 2000 --seed 0

Takes half an hour. A case is a program with drawn function, dtypes, shapes, mode, fill value and
transformation, compiled once and called with eight draws of arrays; its numbers are whole, so that
results are equal. The same seed gives the same programs.
"""

import random
import sys
import warnings
from typing import Any

import jax
import numpy as np
from campaign import campaign
from jax_function_programs import PROGRAMS, Program

CALLS = 8


def check(seed: int, number: int) -> str:
    """What is wrong with program `number`; empty if nothing is."""
    rng = random.Random(f"{seed}:{number}")
    program = PROGRAMS[number % len(PROGRAMS)](rng)
    how = rng.choice(("jit", "jit", "vmap", "vjp"))
    # What it has compiled would fill the memory of a process.
    jax.clear_caches()
    with warnings.catch_warnings(), jax.enable_x64(rng.random() < 0.3):
        # JAX's of narrow indices.
        warnings.simplefilter("ignore")
        wrong = _wrong(rng, program, how)
    return f"{how} {program.text}: {wrong}" if wrong else ""


def _wrong(rng: random.Random, program: Program, how: str) -> str:
    transformed = {"jit": _jit, "vmap": _vmap, "vjp": _vjp}[how]
    if how == "vjp" and program.dtype not in ("float32", "complex64", "bfloat16"):
        transformed = _jit
    if (
        (how == "vjp" and " mul " in program.text)
        or " min " in program.text
        or " max " in program.text
    ):
        transformed = _jit
    axes = tuple(rng.choice((0, 0, None)) for _ in program.draw())
    if all(axis is None for axis in axes):
        axes = (0, *axes[1:])
    ours, theirs = (transformed(each, axes) for each in (program.ours, program.theirs))
    for _ in range(CALLS):
        given = program.draw()
        if transformed is _vmap:
            draws = [given, program.draw(), program.draw()]
            given = tuple(
                jax.numpy.stack([each[n] for each in draws]) if axes[n] == 0 else given[n]
                for n in range(len(given))
            )
        found, wanted = ours(*given), theirs(*given)
        for a, b in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
            if not _same(a, b):
                shown = [np.asarray(each).tolist() for each in given]
                return f"{shown}: {np.asarray(a).tolist()}, JAX {np.asarray(b).tolist()}"
    return ""


def _jit(function: Any, axes: Any) -> Any:
    return jax.jit(function)


def _vmap(function: Any, axes: Any) -> Any:
    return jax.jit(jax.vmap(function, axes))


def _vjp(function: Any, axes: Any) -> Any:
    """The derivatives with weights that differ from place to place."""

    def derived(x: Any, i: Any, *updates: Any) -> Any:
        found, pull = jax.vjp(lambda x, *updates: function(x, i, *updates), x, *updates)
        weights = jax.numpy.arange(found.size).reshape(found.shape) % 5
        return pull(weights.astype(found.dtype))

    return jax.jit(derived)


def _same(found: Any, wanted: Any) -> bool:
    if (found.dtype, found.shape) != (wanted.dtype, wanted.shape):
        return False
    a, b = np.asarray(found), np.asarray(wanted)
    if a.dtype.kind == "V" or "float" in a.dtype.name:
        a, b = a.astype(np.float64), b.astype(np.float64)
    return np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")


if __name__ == "__main__":
    sys.exit(campaign(__doc__, check, f"programs, each called {CALLS} times", "wrong"))
