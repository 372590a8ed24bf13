"""The functions on arrays with drawn arguments, against plain loops, NumPy and jax.numpy.

    python test/fuzz/fuzz_functions.py --cases 1000 --seed 0

Takes half an hour; a case is 25 calls. Drawn are the function, the dtypes of the array and of the
index (int4 to uint64, Python's integers of any size, lists, scalars), modes, axes, fill values,
shapes of rank 0 to 4 with sizes of 0 and 1, and strides (reversed, spread, repeated, read-only). A
result that differs, by a bit where elements only move, an exception of another type than NumPy's,
and an array that a call has changed are findings. Every fourth case has the kernels of large calls.
The same seed gives the same calls.
"""

import sys
import warnings
from typing import Any

import function_oracle as oracle
import numpy as np
from campaign import campaign
from function_arguments import Draws
from function_calls import Call, put_along_axis, take, take_along_axis
from function_reductions import bincount, nd, segments
from function_updates import apply, get, update
from mlir_gs.execution.functions import widths

CALLS = (
    *(take, take, take_along_axis, put_along_axis, get, get, update, update, update, apply, nd),
    *(segments, bincount),
)

TURNS = 25
"""Calls of a case. They differ in sizes, numbers, strides and values, and share kernels."""

_LARGE = widths.LEAST

_CLEAN = (TypeError, ValueError, IndexError)


def check(seed: int, number: int) -> str:
    """What is wrong with the calls of case `number`; empty if nothing is."""
    widths.LEAST = 0 if number % 4 == 3 else _LARGE
    for turn in range(TURNS):
        rng = Draws(f"{seed}:{number}:{turn}", f"{seed}:{number}")
        call = CALLS[number % len(CALLS)](rng)
        with warnings.catch_warnings():
            # NumPy's of divisions by zero, and JAX's of narrow indices.
            warnings.simplefilter("ignore")
            wrong = _wrong(call, turn == 0)
        if wrong:
            return f"turn {turn}: {call.text}: {wrong}"
    return ""


def _wrong(call: Call, ask_others: bool) -> str:
    before = [each.tobytes() for each in call.arrays]
    try:
        wanted = call.wanted()
    except oracle.Refused:
        wanted = IndexError
    except (ValueError, IndexError) as error:
        wanted = type(error)
    try:
        found = call.found()
    except _CLEAN as error:
        if not isinstance(wanted, type):
            return f"{type(error).__name__}: {error}"
        if not isinstance(error, wanted) or not str(error).strip():
            return f"{type(error).__name__}: {error}, expected {wanted.__name__}"
        found = wanted
    if before != [each.tobytes() for each in call.arrays]:
        return "an argument was written"
    if found is wanted:
        return ""
    if isinstance(wanted, type):
        return f"{found!r}, expected {wanted.__name__}"
    if text := different(found, wanted, call.moves):
        return text
    return _others(call, np.asarray(found)) if ask_others else ""


def different(found: Any, wanted: Any, moves: bool) -> str:
    """How a result differs from another; `moves`: in a bit."""
    found, wanted = np.asarray(found), np.asarray(wanted)
    if (found.dtype, found.shape) != (wanted.dtype, wanted.shape):
        return f"{found.dtype}{found.shape}, expected {wanted.dtype}{wanted.shape}"
    same = found.tobytes() == wanted.tobytes() if moves else _equal(found, wanted, 0)
    return "" if same else f"{found.tolist()}, expected {wanted.tolist()}"


def _equal(found: Any, wanted: Any, tolerance: float) -> bool:
    if found.dtype.kind not in "biu":
        wide = np.complex128 if "complex" in found.dtype.name else np.float64
        found, wanted = found.astype(wide), wanted.astype(wide)
        return bool(np.allclose(found, wanted, rtol=tolerance, atol=0, equal_nan=True))
    return np.array_equal(found, wanted)


def _others(call: Call, found: Any) -> str:
    """What NumPy or JAX has of its own that differs; they may refuse."""
    if not call.others:
        return ""
    import jax

    # What it has compiled would fill the memory of a process.
    jax.clear_caches()
    with jax.enable_x64(True):
        for name, run in call.others.items():
            try:
                theirs = np.asarray(run())
            except Exception:
                continue
            if found.shape != theirs.shape or found.dtype != theirs.dtype:
                return f"{found.dtype}{found.shape}, {name}: {theirs.dtype}{theirs.shape}"
            # Powers differ in their last bits.
            if not _equal(found, theirs, 1e-3 if "power" in call.text else 0):
                return f"{found.tolist()}, {name}: {theirs.tolist()}"
    return ""


if __name__ == "__main__":
    sys.exit(campaign(__doc__, check, f"cases of {TURNS} calls", "wrong"))
