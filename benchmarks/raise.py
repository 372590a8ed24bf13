"""Loops as they are and raised, in turns in the same run: medians of calls, results compared.

    python benchmarks/raise.py --threads 2 --repeat 15

Prints milliseconds as written (`raised-loops` disabled), raised, and their quotient; for products
of sparse matrices those of SciPy and of numba in the same run.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import geometric_mean, median
from typing import Any

import mlir_gs
import numpy as np
from mlir_gs.execution import switches

sys.path.insert(0, str(Path(__file__).parents[1] / "test/lowering/raising"))
from corpus import LOOPS
from python_loops import module

POINTS = 1 << 20


def arguments(name: str, points: int) -> list[Any]:
    """Large arguments of a nest of the corpus: coordinates all over tables of 4 million bytes."""
    loops, rng = LOOPS[name], np.random.default_rng(0)
    rows = points // 16
    given: list[Any] = []
    segments = "[i + 1]" in loops.body or "[j + 1]" in loops.body
    wide = any(f"x{width}]" in loops.arguments for width in (3, 4, 8)) or "x2x" in loops.arguments
    count = rows if segments or wide else points
    for each in loops.arguments.split(","):
        label, type_ = each.split()
        if type_ == "index":
            given.append({"n": count, "m": 16, "a": 1}[label])
            continue
        element, shape = type_.rstrip("]").split("[")
        sizes = [int(s) if s != "?" else 0 for s in shape.split("x")]
        free = points + 8 if (segments and label in "cvrxs") or len(sizes) == 1 else count + 8
        sizes = [(free if n == 0 else 16) if s == 0 else s for n, s in enumerate(sizes)]
        if element.startswith("f"):
            made = rng.integers(-9, 10, sizes) / 3
        elif label == "p" and segments:
            made = np.minimum(np.arange(sizes[0]) * 16, points)
        elif label == "p":
            made = rng.permutation(sizes[0] - 8)
            made = np.concatenate([made, np.arange(8)])
        else:
            made = rng.integers(0, 100 if element == "i8" else count - 4, sizes)
        dtype = {"f32": "f4", "f64": "f8", "i8": "i1", "i32": "i4"}.get(element, "i8")
        given.append(made.astype(dtype))
    return given


def compiled(source: str, raised: bool, threads: int) -> Any:
    """The kernel, with or without raising."""
    os.environ[switches.VARIABLE] = "disk" if raised else "disk,raised-loops"
    return mlir_gs.compile(source, threads=threads)


def timed(calls: list[Callable[[], Any]], options: Any) -> list[float]:
    """The median milliseconds of each, called in turns; on one thread those of the CPU, which other
    work on the machine does not make more."""
    clock = time.process_time if options.threads == 1 else time.perf_counter
    found: list[list[float]] = [[] for _ in calls]
    for _ in range(options.repeat):
        for times, call in zip(found, calls, strict=True):
            start = clock()
            call()
            times.append(1e3 * (clock() - start))
    return [median(times) for times in found]


def measure(name: str, options: Any) -> float:
    """Print a row; how many times faster the loops are when they are raised."""
    source = module(LOOPS[name].arguments, LOOPS[name].body,
                    "f64" if "f64" in LOOPS[name].arguments else "f32")  # fmt: skip
    kernels = [compiled(source, raised, options.threads) for raised in (False, True)]
    given = [arguments(name, options.points) for _ in kernels]
    ends = [kernel(*arrays) for kernel, arrays in zip(kernels, given, strict=True)]
    arrays = [[*one, *([] if end is None else [end])] for one, end in zip(given, ends, strict=True)]
    for a, b in zip(*arrays, strict=True):
        assert np.asarray(a).tobytes() == np.asarray(b).tobytes(), name
    # Both in the same memory: where arrays lie, and on pages of which size, changes the times.
    calls = [lambda k=k: k(*given[1]) for k in kernels]
    peers = PEERS.get(name)
    made = peers(given[1]) if peers else []
    plain, raised, *others = timed([*calls, *made], options)
    more = "".join(f" {ms:8.2f}" for ms in others)
    print(f"{name:26} {plain:8.2f} {raised:8.2f} {plain / raised:6.2f}{more}", flush=True)
    return plain / raised


def csr_peers(given: list[Any]) -> list[Callable[[], Any]]:
    """SciPy's and numba's product of the same matrix."""
    import numba
    import scipy.sparse

    p, c, v, x, y, n = given
    matrix = scipy.sparse.csr_array((v[: p[n]], c[: p[n]], p[: n + 1]), shape=(n, len(x)))

    @numba.njit(parallel=True)
    def product(p: Any, c: Any, v: Any, x: Any, y: Any, n: int) -> None:
        for i in numba.prange(n):
            s = np.float32(0)
            for k in range(p[i], p[i + 1]):
                s += v[k] * x[c[k]]
            y[i] = s

    product(p, c, v, x, y, n)
    return [lambda: matrix @ x, lambda: product(p, c, v, x, y, n)]


PEERS = {"spmv_csr": csr_peers}
CHOSEN = (
    *("gather", "gather_64", "gather_rows", "gather_rows_of_any_width", "gather_of_gather"),
    *("gather_scaled", "clamped", "table_lookup", "permutation", "scatter_add", "scatter_add_rows"),
    *("histogram", "spmv_coo", "spmm_coo", "spmv_csr", "spmm_csr", "spmv_csc", "spmv_ell"),
    *("sddmm_coo", "segment_sum", "embedding_bag", "sum", "message_passing", "page_rank_pull"),
    *("stencil_of_a_mesh", "join_probe", "dictionary_decode"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description="Loops as they are and raised.")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=15)
    parser.add_argument("--points", type=int, default=POINTS)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    print(f"{'':26} {'as is':>8} {'raised':>8} {'times':>6} {'SciPy':>8} {'numba':>8}   ms")
    found = [measure(name, options) for name in options.names or CHOSEN]
    print(f"geometric mean {geometric_mean(found):.2f}, least {min(found):.2f}")


if __name__ == "__main__":
    main()
