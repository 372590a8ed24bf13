"""One drawn call of each function on arrays, and what it has to give."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import function_arguments as draw
import function_oracle as oracle
import mlir_gs as gs
import numpy as np

Array = np.ndarray[Any, Any]
Run = Callable[[], Any]


@dataclass
class Call:
    """A call: what it says, the arrays that it must not write, itself, what has to come, and what
    others give for it, which are asked now and then. `moves`: the bits are the same."""

    text: str
    arrays: list[Array]
    found: Run
    wanted: Run
    moves: bool
    others: dict[str, Run] = field(default_factory=dict)


def jnp() -> Any:
    import jax.numpy

    return jax.numpy


def ops() -> Any:
    import jax

    return jax.ops


def text(name: str, *given: Any, **options: Any) -> str:
    parts = [shown(each) for each in given]
    parts += [f"{key}={shown(value)}" for key, value in options.items()]
    return f"{name}({', '.join(parts)})"


def shown(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.tolist()}:{value.dtype.name}{list(value.shape)}/{value.strides}"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(shown, value)) + ")"
    return f"{value!r}:{type(value).__name__}" if isinstance(value, np.generic) else repr(value)


def fill_into(rng: draw.Draws, dtype: np.dtype[Any], options: dict[str, Any]) -> Any:
    """Draw `fill_value` into the options; what it is in `dtype`."""
    if options.get("mode") != "fill" or rng.random() < 0.4:
        return oracle.fill_of(dtype)
    choices: list[Any] = [0, 2, True, np.float32(1), np.int8(-1)]
    if draw.is_float(dtype) or draw.is_complex(dtype):
        choices += [np.nan, -1.5]
    if draw.is_complex(dtype):
        choices += [1 - 2j, 1j]
    options["fill_value"] = value = rng.choice(choices)
    with np.errstate(all="ignore"):
        return np.asarray(value).astype(dtype)


def array(rng: draw.Draws, sizes: tuple[int, ...], dtype: Any, odd: bool = True) -> Array:
    return draw.laid_out(rng, draw.values(rng, sizes, dtype, odd))


def take(rng: draw.Draws) -> Call:
    dtype, sizes = rng.fixed.choice(draw.DTYPES), draw.shape(rng)
    a = array(rng, sizes, dtype)
    axis = None if rng.fixed.random() < 0.25 or not a.ndim else rng.fixed.randrange(a.ndim)
    axis = axis if axis is None or rng.random() < 0.5 else axis - a.ndim
    size = a.size if axis is None else a.shape[axis]
    options: dict[str, Any] = {"mode": rng.fixed.choice(("raise", "raise", "wrap", "clip", "fill"))}
    inside = options["mode"] == "raise" and rng.random() < 0.7 and size > 0
    ids, numbers = draw.index(rng, size, draw.shape(rng, 0, 2), inside, True)
    fill = fill_into(rng, dtype, options)
    others = {}
    # NumPy's loop that wraps modulo 0 never ends.
    ends = options["mode"] != "wrap" or size > 0
    if options["mode"] != "fill" and ends and not is_wide(ids):
        others["numpy"] = lambda: np.take(a, ids, axis, mode=options["mode"])
    # JAX makes a truth value of the size, too, and wraps 1 to 0.
    wraps_bools = options["mode"] == "wrap" and np.asarray(ids).dtype == bool
    if options["mode"] != "raise" and size and not wraps_bools:
        others["jax"] = lambda: jnp().take(jax_of(a), jax_of(ids), axis, **options)
    return Call(
        text("take", a, ids, axis, **options),
        [a, *arrays(ids)],
        lambda: gs.take(a, ids, axis, **options),
        lambda: oracle.take(a, numbers, axis, options["mode"], fill),
        True,
        others,
    )


def is_wide(ids: Any) -> bool:
    """Whether NumPy does not take these numbers, or takes them for negative ones."""
    found = np.asarray(ids)
    return found.dtype.kind not in "i" and found.dtype != np.uint8


def jax_of(value: Any) -> Any:
    found = np.asarray(value)
    if found.dtype.name.endswith("int1"):
        raise TypeError("JAX cannot run them")
    return jnp().asarray(value)


def arrays(*values: Any) -> list[Array]:
    return [value for value in values if isinstance(value, np.ndarray)]


def _along_sizes(rng: draw.Draws, sizes: tuple[int, ...], axis: int | None) -> tuple[int, ...]:
    if axis is None:
        return (rng.choice((0, 1, 4)),)
    found = [n if rng.random() < 0.7 or n != 1 else 3 for n in sizes]
    found = [n if rng.random() < 0.8 else 1 for n in found]
    found[axis] = rng.choice((0, 1, 2, 4))
    return tuple(found)


def _along(rng: draw.Draws) -> tuple[Any, int | None, tuple[int, ...]]:
    dtype, sizes = rng.fixed.choice(draw.DTYPES), draw.shape(rng, 1)
    axis = None if rng.fixed.random() < 0.2 else rng.fixed.randrange(-len(sizes), len(sizes))
    return dtype, axis, sizes


def take_along_axis(rng: draw.Draws) -> Call:
    dtype, axis, sizes = _along(rng)
    a = array(rng, sizes, dtype)
    size = a.size if axis is None else a.shape[axis]
    options: dict[str, Any] = {"mode": rng.fixed.choice(("raise", "raise", "wrap", "clip", "fill"))}
    inside = options["mode"] == "raise" and rng.random() < 0.7 and size > 0
    ids, numbers = draw.index(rng, size, _along_sizes(rng, sizes, axis), inside)
    ids = ids if isinstance(ids, np.ndarray) else numbers
    fill = fill_into(rng, dtype, options)
    others = {}
    if options["mode"] == "raise" and not is_wide(ids):
        others["numpy"] = lambda: np.take_along_axis(a, ids, axis)
    if options["mode"] in ("fill", "clip") and size:
        others["jax"] = lambda: jnp().take_along_axis(jax_of(a), jax_of(ids), axis, **options)
    return Call(
        text("take_along_axis", a, ids, axis, **options),
        [a, *arrays(ids)],
        lambda: gs.take_along_axis(a, ids, axis, **options),
        lambda: oracle.take_along_axis(a, numbers, axis, options["mode"], fill),
        True,
        others,
    )


def put_along_axis(rng: draw.Draws) -> Call:
    dtype, axis, sizes = _along(rng)
    a = draw.values(rng, sizes, dtype, True)
    size = a.size if axis is None else a.shape[axis]
    mode = rng.fixed.choice(("raise", "raise", "wrap", "clip", "drop"))
    inside = mode == "raise" and rng.random() < 0.7 and size > 0
    ids, numbers = draw.index(rng, size, _along_sizes(rng, sizes, axis), inside)
    ids = ids if isinstance(ids, np.ndarray) else numbers
    new = array(rng, rng.choice((numbers.shape, (1,) * numbers.ndim, ())), dtype)

    def found() -> Any:
        written = draw.laid_out(rng, a.copy())
        if not written.flags.writeable or 0 in written.strides:
            return gs.put_along_axis(a, ids, new, axis, mode=mode, inplace=False)
        before = written.tobytes()
        try:
            assert gs.put_along_axis(written, ids, new, axis, mode=mode) is None
        except IndexError:
            assert written.tobytes() == before
            raise
        return written

    return Call(
        text("put_along_axis", a, ids, new, axis, mode=mode),
        [a, new, *arrays(ids)],
        found,
        lambda: oracle.put_along_axis(a, numbers, new, axis, mode),
        True,
    )
