"""Drawn calls of functions at tuples of coordinates, of segments and of bins."""

from typing import Any

import function_arguments as draw
import function_oracle as oracle
import mlir_gs as gs
import numpy as np
from function_calls import Call, array, arrays, jax_of, ops, text
from function_updates import UPDATES, both, either
from mlir_gs.execution.functions import few

# NumPy would be compared with itself.
few.MOST = 0


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
    a = array(rng, sizes, dtype, True)
    if batch or rng.fixed.random() < 0.5:
        return Call(
            text("gather_nd", a, ids, batch),
            [a, ids],
            lambda: gs.gather_nd(a, ids, batch),
            lambda: a.reshape(-1)[oracle.grid(sizes, plain, "error", True)],
            True,
        )
    name = rng.fixed.choice(("none", "add", "mul", "min", "max"))
    if dtype in draw.ONLY_MOVED:
        name = "none"
    a = array(rng, sizes, dtype, name == "none")
    new = array(rng, (*tuples, *sizes[length:]), dtype, name == "none")
    operation = UPDATES["set" if name == "none" else name]
    return Call(
        text("scatter_nd", a, ids, new, name),
        [a, ids, new],
        lambda: gs.scatter_nd(a, ids, new, name),
        lambda: oracle.update(a, oracle.grid(sizes, plain, "error", True), new, operation),
        name == "none",
    )


_SEGMENTS = {"sum": either, "prod": both, "min": np.minimum, "max": np.maximum}


def segments(rng: draw.Draws) -> Call:
    dtype = rng.fixed.choice([d for d in draw.DTYPES if d not in draw.ONLY_MOVED])
    name = rng.fixed.choice([*_SEGMENTS, "argmin", "argmax"])
    mode = rng.fixed.choice((None, "drop", "clip", "wrap", "error"))
    rows, count = rng.choice((0, 1, 4, 6)), rng.choice((0, 1, 3, 4))
    ids, numbers = draw.index(rng, count, (rows,), mode == "error" and rng.random() < 0.6)
    data = array(rng, (rows, *draw.shape(rng, 0, 2)), dtype, name not in ("sum", "prod"))
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
        others["jax"] = lambda: getattr(ops(), f"segment_{name}")(
            jax_of(data), jax_of(ids), **options
        )
    return Call(
        text(f"segment_{name}", data, ids, **options),
        [data, *arrays(ids)],
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
        None if rng.fixed.random() < 0.5 else array(rng, (count,), np.dtype(np.float64), False)
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
    # NumPy counts what is empty, with weights too.
    if length is None and dtype != np.uint64 and count:
        others["numpy"] = lambda: np.bincount(x, weights, least)
    return Call(
        text("bincount", x, weights, least, length=length),
        [x, *arrays(weights)],
        lambda: gs.bincount(x, weights, least, length=length),
        wanted,
        False,
        others,
    )
