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


def _jnp() -> Any:
    import jax.numpy

    return jax.numpy


def _ops() -> Any:
    import jax

    return jax.ops


def _text(name: str, *given: Any, **options: Any) -> str:
    parts = [_shown(each) for each in given]
    parts += [f"{key}={_shown(value)}" for key, value in options.items()]
    return f"{name}({', '.join(parts)})"


def _shown(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.tolist()}:{value.dtype.name}{list(value.shape)}/{value.strides}"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(_shown, value)) + ")"
    return f"{value!r}:{type(value).__name__}" if isinstance(value, np.generic) else repr(value)


def _fill(rng: draw.Draws, dtype: np.dtype[Any], options: dict[str, Any]) -> Any:
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


def _array(rng: draw.Draws, sizes: tuple[int, ...], dtype: Any, odd: bool = True) -> Array:
    return draw.laid_out(rng, draw.values(rng, sizes, dtype, odd))


def take(rng: draw.Draws) -> Call:
    dtype, sizes = rng.fixed.choice(draw.DTYPES), draw.shape(rng)
    a = _array(rng, sizes, dtype)
    axis = None if rng.fixed.random() < 0.25 or not a.ndim else rng.fixed.randrange(a.ndim)
    axis = axis if axis is None or rng.random() < 0.5 else axis - a.ndim
    size = a.size if axis is None else a.shape[axis]
    options: dict[str, Any] = {"mode": rng.fixed.choice(("raise", "raise", "wrap", "clip", "fill"))}
    inside = options["mode"] == "raise" and rng.random() < 0.7 and size > 0
    ids, numbers = draw.index(rng, size, draw.shape(rng, 0, 2), inside, True)
    fill = _fill(rng, dtype, options)
    others = {}
    if options["mode"] != "fill" and not _is_wide(ids):
        others["numpy"] = lambda: np.take(a, ids, axis, mode=options["mode"])
    if options["mode"] != "raise" and size:
        others["jax"] = lambda: _jnp().take(_jax(a), _jax(ids), axis, **options)
    return Call(
        _text("take", a, ids, axis, **options),
        [a, *_arrays(ids)],
        lambda: gs.take(a, ids, axis, **options),
        lambda: oracle.take(a, numbers, axis, options["mode"], fill),
        True,
        others,
    )


def _is_wide(ids: Any) -> bool:
    """Whether NumPy does not take these numbers, or takes them for negative ones."""
    found = np.asarray(ids)
    return found.dtype.kind not in "i" and found.dtype != np.uint8


def _jax(value: Any) -> Any:
    found = np.asarray(value)
    if found.dtype.name.endswith("int1"):
        raise TypeError("JAX cannot run them")
    return _jnp().asarray(value)


def _arrays(*values: Any) -> list[Array]:
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
    a = _array(rng, sizes, dtype)
    size = a.size if axis is None else a.shape[axis]
    options: dict[str, Any] = {"mode": rng.fixed.choice(("raise", "raise", "wrap", "clip", "fill"))}
    inside = options["mode"] == "raise" and rng.random() < 0.7 and size > 0
    ids, numbers = draw.index(rng, size, _along_sizes(rng, sizes, axis), inside)
    ids = ids if isinstance(ids, np.ndarray) else numbers
    fill = _fill(rng, dtype, options)
    others = {}
    if options["mode"] == "raise" and not _is_wide(ids):
        others["numpy"] = lambda: np.take_along_axis(a, ids, axis)
    if options["mode"] in ("fill", "clip") and size:
        others["jax"] = lambda: _jnp().take_along_axis(_jax(a), _jax(ids), axis, **options)
    return Call(
        _text("take_along_axis", a, ids, axis, **options),
        [a, *_arrays(ids)],
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
    new = _array(rng, rng.choice((numbers.shape, (1,) * numbers.ndim, ())), dtype)

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
        _text("put_along_axis", a, ids, new, axis, mode=mode),
        [a, new, *_arrays(ids)],
        found,
        lambda: oracle.put_along_axis(a, numbers, new, axis, mode),
        True,
    )


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
    x = _array(rng, sizes, dtype)
    index, plain = draw.expression(rng, sizes, mode == "promise_in_bounds")
    fill = _fill(rng, dtype, options)

    def wanted() -> Any:
        where = oracle.grid(sizes, plain, mode, options.get("wrap_negative_indices", True))
        padded = np.append(x.reshape(-1), np.asarray(fill, dtype).reshape(1))
        return padded[where]

    others = {}
    if mode in ("clip", "fill", "drop") and 0 not in sizes and not _is_not_for_jax(index, plain):
        others["jax"] = lambda: _jax(x).at[index].get(**options)
    return Call(
        _text(f"at({_shown(x)})[{_shown(index)}].get", **options),
        [x, *_arrays(*index)],
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


def _or(current: Any, value: Any) -> Any:
    return np.logical_or(current, value) if current.dtype == bool else np.add(current, value)


def _and(current: Any, value: Any) -> Any:
    return np.logical_and(current, value) if current.dtype == bool else np.multiply(current, value)


_UPDATES: dict[str, Callable[[Any, Any], Any]] = {
    "set": lambda current, value: value,
    "add": _or,
    "subtract": np.subtract,
    "multiply": _and,
    "mul": _and,
    "min": np.minimum,
    "max": np.maximum,
}


def update(rng: draw.Draws) -> Call:
    name = rng.fixed.choice([*_UPDATES, "set", "add", "divide", "power", "divide", "power"])
    options, mode = _at(rng, False)
    dtype, sizes = rng.fixed.choice(draw.DTYPES), draw.shape(rng)
    if dtype in draw.ONLY_MOVED or (name == "subtract" and dtype.kind == "b"):
        name = "set"
    odd = name in ("set", "min", "max") and not dtype.name.endswith("e8m0fnu")
    x = _array(rng, sizes, dtype, odd)
    index, plain = draw.expression(rng, sizes, mode == "promise_in_bounds")
    wraps = options.get("wrap_negative_indices", True)
    try:
        where = oracle.grid(sizes, plain, mode, wraps)
    except (oracle.Refused, IndexError, ValueError):
        where = np.zeros(())
    own = [n if rng.random() < 0.8 else 1 for n in where.shape]
    new = _array(rng, tuple(own[rng.fixed.choice((0, 0, len(own))) :]), dtype, odd)
    if name == "power":
        new = abs(new) if dtype.kind in "iufc" or dtype.kind == "V" else new
        new = new.astype(dtype)

    def wanted() -> Any:
        at = oracle.grid(sizes, plain, mode, wraps)
        if name not in ("divide", "power"):
            return oracle.update(x, at, new, _UPDATES[name])
        return oracle.by_product(name, x, oracle.update(np.ones(sizes, dtype), at, new, _and))

    others = {}
    once = len(set(where[where >= 0].tolist())) == (where >= 0).sum()
    known = (
        mode in ("clip", "fill", "drop") and 0 not in sizes and not _is_not_for_jax(index, plain)
    )
    ordered = name in ("min", "max") and draw.is_complex(dtype)
    if known and (once or name == "add") and (name == "set" or dtype.kind != "b") and not ordered:
        others["jax"] = lambda: getattr(_jax(x).at[index], name)(_jax(new), **options)
    return Call(
        _text(f"at({_shown(x)})[{_shown(index)}].{name}", new, **options),
        [x, new, *_arrays(*index)],
        lambda: getattr(gs.at(x)[index], name)(new, **options),
        wanted,
        name == "set",
        others,
    )


def apply(rng: draw.Draws) -> Call:
    options, mode = _at(rng, False)
    dtype, sizes = rng.fixed.choice([d for d in draw.DTYPES if d.kind in "iuf"]), draw.shape(rng)
    x = _array(rng, sizes, dtype, False)
    index, plain = draw.expression(rng, sizes, mode == "promise_in_bounds")
    wraps = options.get("wrap_negative_indices", True)

    def double(value: Any) -> Any:
        return (value * 2 + 1).astype(dtype)

    def wanted() -> Any:
        at = oracle.grid(sizes, plain, mode, wraps)
        return oracle.update(x, at, np.zeros((), dtype), lambda current, _: double(current))

    return Call(
        _text(f"at({_shown(x)})[{_shown(index)}].apply", **options),
        [x, *_arrays(*index)],
        lambda: gs.at(x)[index].apply(double, **options),
        wanted,
        False,
    )


def nd(rng: draw.Draws) -> Call:
    dtype, sizes = rng.fixed.choice(draw.DTYPES), draw.shape(rng, 1)
    batch = rng.fixed.randint(0, len(sizes) - 1) if rng.fixed.random() < 0.4 else 0
    length = rng.fixed.randint(1, len(sizes) - batch)
    middle = draw.shape(rng, 0, 1)
    addressed = sizes[batch : batch + length]
    inside = rng.random() < 0.7 and 0 not in addressed
    kind = rng.choice([k for k in draw.INDEX_DTYPES if k is not None])
    tuples = (*sizes[:batch], *middle)
    columns = [
        np.array(draw.numbers(rng, n, int(np.prod(tuples)), kind, inside), np.object_)
        for n in addressed
    ]
    numbers = np.stack(columns, -1).reshape(*tuples, length)
    ids = draw.laid_out(rng, numbers.astype(kind))
    numbers = np.array([int(n) for n in ids.reshape(-1)], np.object_).reshape(ids.shape)
    before = [np.arange(n).astype(object).reshape(*[1] * d, -1, *[1] * (len(tuples) - d - 1))
              for d, n in enumerate(sizes[:batch])]  # fmt: skip
    plain = [*before, *(numbers[..., n] for n in range(length))]
    a = _array(rng, sizes, dtype, True)
    if batch or rng.fixed.random() < 0.5:
        return Call(
            _text("gather_nd", a, ids, batch),
            [a, ids],
            lambda: gs.gather_nd(a, ids, batch),
            lambda: a.reshape(-1)[oracle.grid(sizes, plain, "error", True)],
            True,
        )
    name = rng.fixed.choice(("none", "add", "mul", "min", "max"))
    if dtype in draw.ONLY_MOVED:
        name = "none"
    a = _array(rng, sizes, dtype, name == "none")
    new = _array(rng, (*tuples, *sizes[length:]), dtype, name == "none")
    operation = _UPDATES["set" if name == "none" else name]
    return Call(
        _text("scatter_nd", a, ids, new, name),
        [a, ids, new],
        lambda: gs.scatter_nd(a, ids, new, name),
        lambda: oracle.update(a, oracle.grid(sizes, plain, "error", True), new, operation),
        name == "none",
    )


_SEGMENTS = {"sum": _or, "prod": _and, "min": np.minimum, "max": np.maximum}


def segments(rng: draw.Draws) -> Call:
    dtype = rng.fixed.choice([d for d in draw.DTYPES if d not in draw.ONLY_MOVED])
    name = rng.fixed.choice([*_SEGMENTS, "argmin", "argmax"])
    mode = rng.fixed.choice((None, "drop", "clip", "wrap", "error"))
    rows, count = rng.choice((0, 1, 4, 6)), rng.choice((0, 1, 3, 4))
    ids, numbers = draw.index(rng, count, (rows,), mode == "error" and rng.random() < 0.6)
    data = _array(rng, (rows, *draw.shape(rng, 0, 2)), dtype, name not in ("sum", "prod"))
    if name in ("min", "max", "argmin", "argmax") and dtype.name.endswith("e8m0fnu"):
        data = np.ones_like(data)
    options = {"num_segments": count, "mode": mode}

    def wanted() -> Any:
        places = [oracle.place(n, count, mode or "drop", False) for n in numbers]
        if name.startswith("arg"):
            return oracle.segment_rows(data, places, count, getattr(np, name))
        first = oracle.identity(name, dtype)
        found = np.full((count, *data.shape[1:]), first, dtype)
        with np.errstate(all="ignore"):
            for at, row in zip(places, data, strict=True):
                if at is not None:
                    found[at] = _SEGMENTS[name](found[at : at + 1], row[None])[0]
        return found

    others = {}
    plain = isinstance(ids, np.ndarray) and dtype.kind != "b" and count and rows
    if plain and name in ("sum", "prod") and mode in (None, "drop", "clip"):
        import jax

        others["jax"] = lambda: getattr(jax.ops, f"segment_{name}")(
            _jax(data), _jax(ids), **options
        )
    return Call(
        _text(f"segment_{name}", data, ids, **options),
        [data, *_arrays(ids)],
        lambda: getattr(gs, f"segment_{name}")(data, ids, **options),
        wanted,
        False,
        others,
    )


def bincount(rng: draw.Draws) -> Call:
    dtype = rng.choice([d for d in draw.INDEX_DTYPES if d is not None and d.kind in "iu"])
    count = rng.choice((0, 1, 5, 9))
    numbers = [abs(n) for n in draw.numbers(rng, 6, count, dtype, rng.random() < 0.6)]
    info = np.iinfo(dtype)
    x = draw.laid_out(rng, np.array([min(n, info.max) for n in numbers], dtype))
    weights = (
        None if rng.fixed.random() < 0.5 else _array(rng, (count,), np.dtype(np.float64), False)
    )
    length = rng.choice((None, 0, 3, 12))
    if length is None and any(int(n) > 1000 for n in x):
        length = 7
    least = rng.choice((0, 0, 9))

    def wanted() -> Any:
        size = length if length is not None else max([least, *(int(n) + 1 for n in x)])
        found = np.zeros(size, np.int64 if weights is None else np.float64)
        for place, n in enumerate(x):
            if int(n) < size:
                found[int(n)] += 1 if weights is None else weights[place]
        return found

    others = {}
    if length is None and dtype != np.uint64:
        others["numpy"] = lambda: np.bincount(x, weights, least)
    return Call(
        _text("bincount", x, weights, least, length=length),
        [x, *_arrays(weights)],
        lambda: gs.bincount(x, weights, least, length=length),
        wanted,
        False,
        others,
    )


CALLS: list[Callable[[draw.Draws], Call]] = [
    *(take, take, take_along_axis, put_along_axis, get, get, update, update, update, apply, nd),
    *(segments, bincount),
]
