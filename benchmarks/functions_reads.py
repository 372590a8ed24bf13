"""Workloads that read: lookups, rows, pixels, slices."""

import importlib
from typing import Any

import numpy as np
from functions_work import Work
from peers import missing

loops: Any = None if missing("numba") else importlib.import_module("functions_loops")


def _lookup(entries: int, dtype: Any, ids: Any) -> Any:
    def make(rng: np.random.Generator, size: int) -> dict[str, Any]:
        return {
            "table": (rng.random(entries) * 100).astype(dtype),
            "ids": rng.integers(0, min(entries, np.iinfo(ids).max + 1), size).astype(ids),
        }

    return make


def _rows(count: int, width: int, dtype: Any, ids: Any, part: int = 1) -> Any:
    def make(rng: np.random.Generator, size: int) -> dict[str, Any]:
        return {
            "table": (rng.random((count, width)) * 100).astype(dtype),
            "ids": rng.integers(0, count, max(size // part, 1)).astype(ids),
        }

    return make


def _taking(name: str, make: Any, loop: str, **options: Any) -> Work:
    """`take` along axis 0."""
    return Work(
        name,
        make,
        lambda m, a: m.take(a.table, a.ids, axis=0),
        {
            "numpy take": lambda m, a: m.take(a.table, a.ids, axis=0),
            "numpy index": lambda m, a: a.table[a.ids],
            "torch": lambda m, a: (
                a.table.index_select(0, a.ids)
                if a.ids.dtype in (m.int32, m.int64)
                else a.table[a.ids.to(m.int32)]
            ),
            "jax": lambda m, a: m.take(a.table, a.ids, axis=0, mode="clip"),
            "numba": lambda _, a: getattr(loops, loop)(a.table, a.ids),
            "numba parallel": lambda _, a: getattr(loops, f"{loop}_parallel")(a.table, a.ids),
        },
        **options,
    )


def _bags(rng: np.random.Generator, size: int) -> dict[str, Any]:
    lengths = rng.integers(0, 40, max(size // 400, 1))
    starts = np.append(0, np.cumsum(lengths))
    return {
        "table": rng.random((20_000, 64), np.float32),
        "starts": starts,
        "ids": rng.integers(0, 20_000, starts[-1]),
    }


def _along(width: int, taken: int) -> Any:
    def make(rng: np.random.Generator, size: int) -> dict[str, Any]:
        rows = max(size // width, 1)
        return {
            "x": rng.random((rows, width), np.float32),
            "ids": rng.integers(0, width, (rows, taken)),
        }

    return make


def _image(rng: np.random.Generator, size: int) -> dict[str, Any]:
    side = max(int(size**0.5), 2)
    return {
        "image": rng.integers(0, 256, (side, side, 3)).astype(np.uint8),
        "y": rng.integers(0, side, size).astype(np.int32),
        "x": rng.integers(0, side, size).astype(np.int32),
    }


def _square(dtype: Any, *rest: int) -> Any:
    def make(rng: np.random.Generator, size: int) -> dict[str, Any]:
        side = max(int(size**0.5), 2)
        return {"x": (rng.random((side, side, *rest)) * 100).astype(dtype)}

    return make


def _mask(width: int, share: float) -> Any:
    def make(rng: np.random.Generator, size: int) -> dict[str, Any]:
        shape = (size,) if width == 1 else (max(size // width, 1), width)
        return {"x": rng.random(shape, np.float32), "mask": rng.random(shape[0]) < share}

    return make


def _masked(name: str, width: int, share: float) -> Work:
    loop = "masked" if width == 1 else "masked_rows"
    return Work(
        name,
        _mask(width, share),
        lambda m, a: m.at(a.x)[a.mask].get(),
        {
            "numpy": lambda m, a: a.x[a.mask],
            "numpy compress": lambda m, a: m.compress(a.mask, a.x, axis=0),
            "torch": lambda m, a: a.x[a.mask],
            "numba": lambda _, a: getattr(loops, loop)(a.x, a.mask),
        },
    )


def _pages(rng: np.random.Generator, size: int) -> dict[str, Any]:
    return {
        "table": rng.random((1024, 16, 8, 16), np.float32),
        "ids": rng.integers(0, 1024, (16, max(size // 40_000, 1))).astype(np.int32),
    }


WORKS = [
    _taking("take lut of 16 bits", _lookup(65536, np.float32, np.uint16), "lookup"),
    _taking("take lut of bytes", _lookup(256, np.float32, np.uint8), "lookup"),
    _taking("take dictionary i16", _lookup(5000, np.float64, np.int16), "lookup"),
    _taking("take elements i64", _lookup(1_000_000, np.float32, np.int64), "lookup"),
    _taking("take 100k elements", _lookup(200_000, np.float32, np.int64), "lookup", size=100_000),
    _taking("take palette", _rows(256, 3, np.uint8, np.uint8), "rows"),
    _taking("take rows of 3", _rows(1_000_000, 3, np.float64, np.int64, 4), "rows"),
    _taking("take rows of 8", _rows(100_000, 8, np.float32, np.int64, 4), "rows"),
    _taking("take rows of 20 f64", _rows(100_000, 20, np.float64, np.int32, 10), "rows"),
    _taking("take embedding f32", _rows(50_000, 128, np.float32, np.int64, 64), "rows"),
    Work(
        "take embedding f16",
        _rows(50_000, 64, np.float16, np.int64, 32),
        lambda m, a: m.take(a.table, a.ids, axis=0),
        {
            "numpy": lambda m, a: m.take(a.table, a.ids, axis=0),
            "torch": lambda m, a: a.table.index_select(0, a.ids),
            "jax": lambda m, a: m.take(a.table, a.ids, axis=0, mode="clip"),
        },
    ),
    Work(
        "take pages",
        _pages,
        lambda m, a: m.take(a.table, a.ids, axis=0),
        {
            "numpy": lambda m, a: m.take(a.table, a.ids, axis=0),
            "torch": lambda m, a: a.table[a.ids],
            "jax": lambda m, a: m.take(a.table, a.ids, axis=0, mode="clip"),
        },
    ),
    Work(
        "take columns",
        lambda rng, size: {
            "x": rng.random((max(size // 256, 1), 256), np.float32),
            "ids": rng.integers(0, 256, 64),
        },
        lambda m, a: m.take(a.x, a.ids, axis=1),
        {
            "numpy": lambda m, a: m.take(a.x, a.ids, axis=1),
            "torch": lambda m, a: a.x.index_select(1, a.ids),
            "jax": lambda m, a: m.take(a.x, a.ids, axis=1, mode="clip"),
        },
    ),
    Work(
        "take three columns",
        lambda rng, size: {
            **{name: rng.random(size) for name in "xyz"},
            "ids": rng.permutation(size),
        },
        lambda m, a: [m.take(each, a.ids) for each in (a.x, a.y, a.z)],
        {
            "numpy": lambda m, a: [m.take(each, a.ids) for each in (a.x, a.y, a.z)],
            "torch": lambda m, a: [each.index_select(0, a.ids) for each in (a.x, a.y, a.z)],
            "jax": lambda m, a: [m.take(each, a.ids, mode="clip") for each in (a.x, a.y, a.z)],
            "numba": lambda _, a: [loops.lookup(each, a.ids) for each in (a.x, a.y, a.z)],
        },
    ),
    Work(
        "along top 8",
        _along(64, 8),
        lambda m, a: m.take_along_axis(a.x, a.ids, 1),
        {
            "numpy": lambda m, a: m.take_along_axis(a.x, a.ids, 1),
            "torch": lambda m, a: a.x.gather(1, a.ids),
            "jax": lambda m, a: m.take_along_axis(a.x, a.ids, 1, mode="clip"),
            "numba": lambda _, a: loops.along(a.x, a.ids),
        },
    ),
    Work(
        "along nll",
        _along(1000, 1),
        lambda m, a: m.take_along_axis(a.x, a.ids, 1),
        {
            "numpy": lambda m, a: m.take_along_axis(a.x, a.ids, 1),
            "torch": lambda m, a: a.x.gather(1, a.ids),
            "jax": lambda m, a: m.take_along_axis(a.x, a.ids, 1, mode="clip"),
            "numba": lambda _, a: loops.along(a.x, a.ids),
        },
        size=10_000_000,
    ),
    Work(
        "bags sum",
        _bags,
        lambda m, a: m.embedding_bag(a.ids, a.table, a.starts, "sum", include_last_offset=True),
        {
            "torch": lambda m, a: m.nn.functional.embedding_bag(
                a.ids, a.table, a.starts, mode="sum", include_last_offset=True
            ),
            "numba": lambda _, a: loops.bags(a.table, a.ids, a.starts),
            "numba parallel": lambda _, a: loops.bags_parallel(a.table, a.ids, a.starts),
        },
        tolerance=1e-6,
    ),
    Work(
        "image remap",
        _image,
        lambda m, a: m.at(a.image)[a.y, a.x].get(),
        {
            "numpy": lambda m, a: a.image[a.y, a.x],
            "torch": lambda m, a: a.image[a.y, a.x],
            "jax": lambda m, a: a.image.at[a.y, a.x].get(mode="clip"),
            "numba": lambda _, a: loops.pixels(a.image, a.y, a.x),
            "numba parallel": lambda _, a: loops.pixels_parallel(a.image, a.y, a.x),
        },
    ),
    Work(
        "flip",
        _square(np.float32),
        lambda m, a: m.at(a.x)[::-1, ::-1].get(),
        {
            "numpy": lambda m, a: a.x[::-1, ::-1].copy(),
            "torch": lambda m, a: a.x.flip(0, 1),
            "jax": lambda m, a: a.x[::-1, ::-1],
            "numba": lambda _, a: loops.flip(a.x),
            "numba parallel": lambda _, a: loops.flip_parallel(a.x),
        },
    ),
    Work(
        "flip channels",
        _square(np.uint8, 3),
        lambda m, a: m.at(a.x)[..., ::-1].get(),
        {
            "numpy": lambda m, a: a.x[..., ::-1].copy(),
            "torch": lambda m, a: a.x.flip(2),
            "jax": lambda m, a: a.x[..., ::-1],
            "numba": lambda _, a: loops.channels(a.x),
            "numba parallel": lambda _, a: loops.channels_parallel(a.x),
        },
    ),
    Work(
        "slice every other",
        _square(np.float32),
        lambda m, a: m.at(a.x)[::2, ::2].get(),
        {
            "numpy": lambda m, a: a.x[::2, ::2].copy(),
            "torch": lambda m, a: a.x[::2, ::2].contiguous(),
            "jax": lambda m, a: a.x[::2, ::2],
        },
        size=4_000_000,
    ),
    _masked("mask elements half", 1, 0.5),
    _masked("mask elements few", 1, 0.02),
    _masked("mask rows of 16", 16, 0.5),
]
