"""Workloads of sparse matrices and of grouping by key."""

import importlib
from typing import Any

import numpy as np
from functions_work import Work
from peers import missing

loops: Any = None if missing("numba") else importlib.import_module("functions_loops")


def _matrix(rng: np.random.Generator, size: int) -> dict[str, Any]:
    import scipy.sparse

    rows = max(size // 10, 2)
    matrix: Any = scipy.sparse.random_array(
        (rows, rows), density=min(10 / rows, 1.0), format="csr", rng=rng, dtype=np.float64
    )
    return {
        "matrix": matrix,
        "coo": matrix.tocoo(),
        "data": matrix.data,
        "indices": matrix.indices,
        "indptr": matrix.indptr,
        "x": rng.random(rows),
        "dense": rng.random((rows, 16)),
    }


def _keys(count: int) -> Any:
    def make(rng: np.random.Generator, size: int) -> dict[str, Any]:
        return {"keys": rng.integers(0, min(count, size), size), "count": min(count, size)}

    return make


def _grouping(name: str, count: int) -> Work:
    return Work(
        name,
        _keys(count),
        lambda m, a: m.group(a.keys, a.count)[0],
        {
            "numpy argsort": lambda m, a: m.argsort(a.keys, kind="stable"),
            "torch": lambda m, a: m.argsort(a.keys, stable=True),
            "jax": lambda m, a: m.argsort(a.keys, stable=True),
            "numba": lambda _, a: loops.group(a.keys, a.count)[0],
        },
    )


def _graph(rng: np.random.Generator, size: int) -> dict[str, Any]:
    edges, nodes = max(size // 16, 1), max(size // 160, 1)
    return {
        "table": rng.random((nodes, 16), np.float32),
        "senders": rng.integers(0, nodes, edges),
        "receivers": (rng.random(edges) ** 3 * nodes).astype(np.int64),
        "weights": rng.random(edges, np.float32),
        "count": nodes,
    }


def _csr(m: Any, a: Any) -> Any:
    columns, data, indptr = m.group_values(
        a.coo.row, a.coo.col, a.coo.data, num_groups=a.coo.shape[0]
    )
    return indptr, columns, data


def _tocsr(a: Any) -> Any:
    found = a.coo.tocsr()
    return found.indptr, found.indices, found.data


_GROUPS = [
    _grouping("group 1000 keys", 1000),
    _grouping("group 100k keys", 100_000),
    Work(
        "messages sum",
        _graph,
        lambda m, a: m.gather_segment_sum(a.table, a.senders, a.receivers, a.count),
        {
            "numba": lambda _, a: loops.gather_add(a.table, a.senders, a.receivers, a.count),
            "torch": lambda m, a: m.zeros(a.count, 16).index_add_(
                0, a.receivers, a.table.index_select(0, a.senders)
            ),
            "jax": lambda m, a: (
                m.zeros((a.count, 16), a.table.dtype).at[a.receivers].add(a.table[a.senders])
            ),
        },
        size=4_000_000,
        tolerance=1e-5,
    ),
    Work(
        "messages weighted mean",
        _graph,
        lambda m, a: m.gather_segment_mean(a.table, a.senders, a.receivers, a.count, a.weights),
        {
            "jax": lambda m, a: (
                m.zeros((a.count, 16), a.table.dtype)
                .at[a.receivers]
                .add(a.table[a.senders] * a.weights[:, None])
                / m.maximum(m.bincount(a.receivers, length=a.count), 1)[:, None].astype(
                    a.table.dtype
                )
            ),
            "torch": lambda m, a: (
                m.zeros(a.count, 16).index_add_(
                    0, a.receivers, a.table.index_select(0, a.senders) * a.weights[:, None]
                )
                / m.bincount(a.receivers, minlength=a.count).clamp(min=1)[:, None]
            ),
        },
        size=4_000_000,
        tolerance=1e-5,
    ),
]

_SPARSE = [
    Work(
        "coo to csr",
        _matrix,
        _csr,
        {"scipy": lambda _, a: _tocsr(a)},
    ),
    Work(
        "spmv",
        _matrix,
        lambda m, a: m.spmv(a.matrix, a.x),
        {
            "scipy": lambda _, a: a.matrix @ a.x,
            "numba": lambda _, a: loops.spmv(a.data, a.indices, a.indptr, a.x),
        },
        tolerance=1e-12,
    ),
    Work(
        "spmm 16",
        _matrix,
        lambda m, a: m.spmm(a.matrix, a.dense),
        {"scipy": lambda _, a: a.matrix @ a.dense},
        tolerance=1e-12,
    ),
]
WORKS = [*_GROUPS, *([] if missing("scipy") else _SPARSE)]
