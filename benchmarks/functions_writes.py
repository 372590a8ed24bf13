"""Workloads that write and add: updates, bins, segments."""

import importlib
from typing import Any

import numpy as np
from functions_work import Work
from peers import missing

loops: Any = None if missing("numba") else importlib.import_module("functions_loops")

BINS = 1000


def _numbers(dtype: Any, count: int = BINS) -> Any:
    def make(rng: np.random.Generator, size: int) -> dict[str, Any]:
        return {
            "ids": rng.integers(0, count, size).astype(dtype),
            "weights": rng.random(size, np.float32),
        }

    return make


def _counting(name: str, dtype: Any, count: int = BINS) -> Work:
    return Work(
        name,
        _numbers(dtype, count),
        lambda m, a: m.bincount(a.ids, minlength=count),
        {
            "numpy": lambda m, a: m.bincount(a.ids, minlength=count),
            "torch": lambda m, a: m.bincount(a.ids, minlength=count),
            "jax": lambda m, a: m.bincount(a.ids, length=count),
            "numba": lambda _, a: loops.counts(a.ids, count),
        },
    )


def _values(rng: np.random.Generator, size: int) -> dict[str, Any]:
    return {name: rng.random(size) for name in ("x", "y", "weights")}


def _segments(width: int, power: bool = False) -> Any:
    def make(rng: np.random.Generator, size: int) -> dict[str, Any]:
        edges, nodes = max(size // width, 1), max(size // width // 10, 1)
        share = rng.random(edges)
        receivers = ((share**3 if power else share) * nodes).astype(np.int64)
        return {
            "table": rng.random((nodes, width), np.float32),
            "data": rng.random((edges, width), np.float32),
            "ids": receivers if power else np.sort(receivers),
            "senders": rng.integers(0, nodes, edges),
            "count": nodes,
        }

    return make


def _sum_peers(sort: bool) -> dict[str, Any]:
    return {
        "numba": lambda _, a: loops.add_rows(a.data, a.ids, a.count),
        "torch": lambda m, a: m.zeros(a.count, a.data.shape[1]).index_add_(0, a.ids, a.data),
        "jax": lambda m, a: (
            m.zeros((a.count, a.data.shape[1]), a.data.dtype)
            .at[a.ids]
            .add(a.data, indices_are_sorted=sort)
        ),
    }


def _grid(rng: np.random.Generator, size: int) -> dict[str, Any]:
    return {
        "grid": np.zeros((512, 512), np.float32),
        "y": rng.integers(0, 512, size),
        "x": rng.integers(0, 512, size),
        "values": rng.random(size, np.float32),
    }


def _updates(rng: np.random.Generator, size: int) -> dict[str, Any]:
    return {
        "x": rng.random((max(size // 16, 1), 16), np.float32),
        "ids": rng.integers(0, max(size // 16, 1), max(size // 32, 1)),
        "values": rng.random((max(size // 32, 1), 16), np.float32),
    }


def _cache(rng: np.random.Generator, size: int) -> dict[str, Any]:
    return {
        "cache": rng.random((8, max(size // 4096, 1), 8, 64), np.float32),
        "batch": np.arange(8),
        "place": rng.integers(0, max(size // 4096, 1), 8),
        "values": rng.random((8, 8, 64), np.float32),
    }


def _assigned(a: Any) -> Any:
    result = a.x.copy()
    result[a.mask] = 0
    return result


def _assign_rows(a: Any) -> Any:
    result = a.x.copy()
    result[a.ids] = a.values
    return result


def _assign_cache(a: Any) -> Any:
    result = a.cache.copy()
    result[a.batch, a.place] = a.values
    return result


def _added(m: Any, a: Any) -> Any:
    result = a.grid.copy()
    m.add.at(result, (a.y, a.x), a.values)
    return result


WORKS = [
    _counting("bincount i64", np.int64),
    _counting("bincount i32", np.int32),
    _counting("bincount bytes", np.uint8, 256),
    _counting("bincount many bins", np.int64, 1_000_000),
    Work(
        "bincount weights f32",
        _numbers(np.int64),
        lambda m, a: m.bincount(a.ids, a.weights, minlength=BINS),
        {
            "numpy": lambda m, a: m.bincount(a.ids, a.weights, minlength=BINS),
            "torch": lambda m, a: m.bincount(a.ids, a.weights.double(), minlength=BINS),
            "numba": lambda _, a: loops.sums(a.ids, a.weights, BINS),
        },
    ),
    Work(
        "histogram",
        _values,
        lambda m, a: m.histogram(a.x, 100, (0.0, 1.0))[0],
        {
            "numpy": lambda m, a: m.histogram(a.x, 100, (0.0, 1.0))[0],
            "torch": lambda m, a: m.histc(a.x, 100, 0.0, 1.0).long(),
            "jax": lambda m, a: m.histogram(a.x, 100, (0.0, 1.0))[0].astype(int),
            "numba": lambda _, a: loops.histogram(a.x, 0.0, 1.0, 100),
        },
        tolerance=1e-4,
    ),
    Work(
        "histogram weights",
        _values,
        lambda m, a: m.histogram(a.x, 100, (0.0, 1.0), weights=a.weights)[0],
        {
            "numpy": lambda m, a: m.histogram(a.x, 100, (0.0, 1.0), weights=a.weights)[0],
            "numba": lambda _, a: loops.histogram_sums(a.x, a.weights, 0.0, 1.0, 100),
        },
        tolerance=1e-5,
    ),
    Work(
        "histogram 2d",
        _values,
        lambda m, a: m.histogram2d(a.x, a.y, 64, ((0.0, 1.0), (0.0, 1.0)))[0],
        {
            "numpy": lambda m, a: m.histogram2d(a.x, a.y, 64, ((0.0, 1.0), (0.0, 1.0)))[0],
            "numba": lambda _, a: loops.histogram_2d(a.x, a.y, 64),
        },
        tolerance=1e-4,
    ),
    Work(
        "segment sum sorted 32",
        _segments(32),
        lambda m, a: m.segment_sum(a.data, a.ids, a.count, indices_are_sorted=True),
        _sum_peers(True),
        tolerance=1e-5,
    ),
    Work(
        "segment sum power law 16",
        _segments(16, power=True),
        lambda m, a: m.segment_sum(a.data, a.ids, a.count),
        _sum_peers(False),
        tolerance=1e-5,
    ),
    Work(
        "segment max power law 16",
        _segments(16, power=True),
        lambda m, a: m.segment_max(a.data, a.ids, a.count),
        {
            "jax": lambda m, a: m.full((a.count, 16), -m.inf, a.data.dtype).at[a.ids].max(a.data),
            "torch": lambda m, a: m.full((a.count, 16), -m.inf).scatter_reduce_(
                0, a.ids[:, None].expand(-1, 16), a.data, "amax"
            ),
        },
    ),
    Work(
        "at add deposit",
        _grid,
        lambda m, a: m.at(a.grid)[a.y, a.x].add(a.values),
        {
            "numba": lambda _, a: loops.deposit(a.grid, a.y, a.x, a.values),
            "numpy": lambda m, a: _added(m, a),
            "torch": lambda m, a: a.grid.clone().index_put_((a.y, a.x), a.values, True),
            "jax": lambda m, a: a.grid.at[a.y, a.x].add(a.values),
        },
        tolerance=1e-5,
    ),
    Work(
        "at set rows, last wins",
        _updates,
        lambda m, a: m.at(a.x)[a.ids].set(a.values),
        {
            "numpy": lambda m, a: _assign_rows(a),
            "numba": lambda _, a: loops.set_rows(a.x, a.ids, a.values),
            "torch": lambda m, a: a.x.clone().index_put_((a.ids,), a.values),
            "jax": lambda m, a: a.x.at[a.ids].set(a.values),
        },
    ),
    Work(
        "at set cache",
        _cache,
        lambda m, a: m.at(a.cache)[a.batch, a.place].set(a.values),
        {
            "numpy": lambda m, a: _assign_cache(a),
            "torch": lambda m, a: a.cache.clone().index_put_((a.batch, a.place), a.values),
            "jax": lambda m, a: a.cache.at[a.batch, a.place].set(a.values),
        },
    ),
    Work(
        "at set mask",
        lambda rng, size: {"x": rng.random(size, np.float32), "mask": rng.random(size) < 0.3},
        lambda m, a: m.at(a.x)[a.mask].set(0),
        {
            "numpy": lambda m, a: _assigned(a),
            "numpy where": lambda m, a: m.where(a.mask, m.float32(0), a.x),
            "torch": lambda m, a: a.x.masked_fill(a.mask, 0),
            "jax": lambda m, a: m.where(a.mask, 0, a.x),
            "numba": lambda _, a: loops.mask_set(a.x, a.mask, 0.0),
        },
    ),
]
