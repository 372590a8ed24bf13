"""Workloads of sparse matrices and of grouping by key."""

from typing import Any

import numpy as np
from functions_timing import Work
from peers import missing

if not missing("numba"):
    import functions_loops as loops


def _matrix(rng: np.random.Generator, size: int) -> dict[str, Any]:
    import scipy.sparse

    rows = max(size // 10, 2)
    matrix = scipy.sparse.random_array(
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


_SPARSE = [
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
WORKS = [] if missing("scipy") else _SPARSE
