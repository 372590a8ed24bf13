"""Drawn calls of `at`."""

from collections.abc import Callable
from typing import Any

import function_arguments as draw
import function_oracle as oracle
import mlir_gs as gs
import numpy as np
from function_calls import Call, array, arrays, fill_into, jax_of, shown, text
from mlir_gs.execution.functions import few

# Kernels take few elements too, and not NumPy, which is what they are compared with.
few.MOST = few.VIEW = 0

_AT_MODES = ("promise_in_bounds", "clip", "fill", "drop", "error", "wrap", None)


def _at(rng: draw.Draws, reads: bool) -> tuple[dict[str, Any], str]:
    """Options of `at`, and the mode that they stand for."""
    options: dict[str, Any] = {"mode": rng.fixed.choice(_AT_MODES)}
    mode = options["mode"] or ("clip" if reads else "drop")
    if rng.fixed.random() < 0.2 and mode != "promise_in_bounds":
        options["wrap_negative_indices"] = False
    return options, mode


def get(rng: draw.Draws) -> Call:
    options, mode = _at(rng, True)
    dtype, sizes = rng.fixed.choice(draw.DTYPES), draw.shape(rng)
    x = array(rng, sizes, dtype)
    index, plain = draw.expression(rng, sizes, mode == "promise_in_bounds")
    fill = fill_into(rng, dtype, options)

    def wanted() -> Any:
        where = oracle.grid(sizes, plain, mode, options.get("wrap_negative_indices", True))
        padded = np.append(x.reshape(-1), np.asarray(fill, dtype).reshape(1))
        return padded[where]

    others = {}
    if mode in ("clip", "fill", "drop") and 0 not in sizes and not _is_not_for_jax(index, plain):
        others["jax"] = lambda: jax_of(x).at[index].get(**options)
    return Call(
        text(f"at({shown(x)})[{shown(index)}].get", **options),
        [x, *arrays(*index)],
        lambda: gs.at(x)[index].get(**options),
        wanted,
        True,
        others,
    )


def _is_not_for_jax(index: tuple[Any, ...], plain: list[Any]) -> bool:
    """JAX takes no lists, and narrows what it need not wrap to int32."""
    far = [isinstance(item, np.ndarray) and item.dtype == object
           and any(abs(n) >> 31 for n in item.flat) for item in plain]  # fmt: skip
    return any(far) or any(isinstance(item, list) for item in index)


def either(current: Any, value: Any) -> Any:
    return np.logical_or(current, value) if current.dtype == bool else np.add(current, value)


def both(current: Any, value: Any) -> Any:
    return np.logical_and(current, value) if current.dtype == bool else np.multiply(current, value)


UPDATES: dict[str, Callable[[Any, Any], Any]] = {
    "set": lambda current, value: value,
    "add": either,
    "subtract": np.subtract,
    "multiply": both,
    "mul": both,
    "min": np.minimum,
    "max": np.maximum,
}


def update(rng: draw.Draws) -> Call:
    name = rng.fixed.choice([*UPDATES, "set", "add", "divide", "power", "divide", "power"])
    options, mode = _at(rng, False)
    dtype, sizes = rng.fixed.choice(draw.DTYPES), draw.shape(rng)
    if dtype in draw.ONLY_MOVED or (name == "subtract" and dtype.kind == "b"):
        name = "set"
    odd = name in ("set", "min", "max") and not dtype.name.endswith("e8m0fnu")
    x = array(rng, sizes, dtype, odd)
    index, plain = draw.expression(rng, sizes, mode == "promise_in_bounds")
    wraps = options.get("wrap_negative_indices", True)
    try:
        where = oracle.grid(sizes, plain, mode, wraps)
    except (oracle.Refused, IndexError, ValueError):
        where = np.zeros(())
    own = [n if rng.random() < 0.8 else 1 for n in where.shape]
    new = array(rng, tuple(own[rng.fixed.choice((0, 0, len(own))) :]), dtype, odd)
    if name == "power":
        new = abs(new) if dtype.kind in "iufc" or dtype.kind == "V" else new
        new = new.astype(dtype)

    def wanted() -> Any:
        at = oracle.grid(sizes, plain, mode, wraps)
        if name not in ("divide", "power"):
            return oracle.update(x, at, new, UPDATES[name])
        return oracle.by_product(name, x, oracle.update(np.ones(sizes, dtype), at, new, both))

    others = {}
    once = len(set(where[where >= 0].tolist())) == (where >= 0).sum()
    known = (
        mode in ("clip", "fill", "drop") and 0 not in sizes and not _is_not_for_jax(index, plain)
    )
    ordered = name in ("min", "max") and draw.is_complex(dtype)
    # JAX divides integers of 2 bits as such, and no others.
    known = known and not (name == "divide" and dtype.name in ("int2", "uint2"))
    if known and (once or name == "add") and (name == "set" or dtype.kind != "b") and not ordered:
        others["jax"] = lambda: getattr(jax_of(x).at[index], name)(jax_of(new), **options)
    return Call(
        text(f"at({shown(x)})[{shown(index)}].{name}", new, **options),
        [x, new, *arrays(*index)],
        lambda: getattr(gs.at(x)[index], name)(new, **options),
        wanted,
        name == "set",
        others,
    )


def apply(rng: draw.Draws) -> Call:
    options, mode = _at(rng, False)
    dtype, sizes = rng.fixed.choice([d for d in draw.DTYPES if d.kind in "iuf"]), draw.shape(rng)
    x = array(rng, sizes, dtype, False)
    index, plain = draw.expression(rng, sizes, mode == "promise_in_bounds")
    wraps = options.get("wrap_negative_indices", True)

    def double(value: Any) -> Any:
        return (value * 2 + 1).astype(dtype)

    def wanted() -> Any:
        at = oracle.grid(sizes, plain, mode, wraps)
        return oracle.update(x, at, np.zeros((), dtype), lambda current, _: double(current))

    return Call(
        text(f"at({shown(x)})[{shown(index)}].apply", **options),
        [x, *arrays(*index)],
        lambda: gs.at(x)[index].apply(double, **options),
        wanted,
        False,
    )
