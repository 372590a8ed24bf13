"""Gathers of whole rows: embeddings, decoding, permutations, paged caches."""

from types import SimpleNamespace
from typing import Any

import loops_gather
import numpy as np
from peers import numpy_call, onnx_node, over_tensors, xla
from workload import DTYPES, Case, Slices, Workload, coordinates, empty, floats

ROWS = """
func.func @rows(%table: tensor<?x${width}x$type>, %ids: tensor<?x1xi64>)
    -> tensor<?x${width}x$type> {
  %rows = gs.gather %table[%ids] gather_dims([0])
      : (tensor<?x${width}x$type>, tensor<?x1xi64>) -> tensor<?x${width}x$type>
  return %rows : tensor<?x${width}x$type>
}
"""


def make_rows(rng: np.random.Generator, n: SimpleNamespace) -> Case:
    ids = n.ids(rng, n) if hasattr(n, "ids") else coordinates(rng, n.rows, (n.count,))
    table = floats(rng, (n.rows, n.width), n.type)
    out = empty((n.count, n.width), DTYPES[n.type])
    rows = Slices(table, ids)
    return Case(
        table=table,
        ids=ids,
        out=out,
        arguments=(table, ids[:, None]),
        expected=table[ids],
        read=rows.read,
        written=out.nbytes,
        slices=(rows,),
    )


def permuted(rng: np.random.Generator, n: SimpleNamespace) -> np.ndarray:
    """Each row twice, in the order of 64 experts that pick among them."""
    return np.argsort(rng.integers(0, 64, n.count), kind="stable") // (n.count // n.rows)


def blocks(rng: np.random.Generator, n: SimpleNamespace) -> np.ndarray:
    """Different ones, as sequences do not share the blocks that they write."""
    return rng.permutation(n.rows)[: n.count]


def _jax_rows(old: Any, table: Any, ids: Any) -> Any:
    return table.at[ids].get(mode="promise_in_bounds")


PEERS = {
    "numpy take": numpy_call(lambda d: np.take(d.table, d.ids, 0, out=d.out, mode="clip")),
    "torch index_select": over_tensors(
        lambda t: t.torch.index_select(t.table, 0, t.ids, out=t.out)
    ),
    **xla("get", _jax_rows, "table", "ids"),
    "onnxruntime Gather": onnx_node("Gather", "table", "ids", axis=0),
    "numba prange": lambda d: _numba_rows(d),
}


def _numba_rows(d: Case) -> Any:
    """numba knows neither f16 in loops nor bf16: it moves their bits."""
    bits = (lambda a: a.view(np.uint16)) if d.table.itemsize == 2 else (lambda a: a)
    table, out = bits(d.table), bits(d.out)

    def run() -> np.ndarray:
        loops_gather.rows(table, d.ids, out)
        return d.out

    return run


def rows(id: str, title: str, why: str = "", **sizes: Any) -> Workload:
    sizes = {"type": "f32", **sizes}
    tiny = {"rows": min(sizes["rows"], 200), "count": min(sizes["count"], 50)}
    tiny["width"] = min(sizes["width"], 64)
    if "ids" in sizes:
        tiny |= {"rows": 40, "count": 80 if sizes["count"] > sizes["rows"] else 20}
    return Workload(id, title, ROWS, make_rows, PEERS, sizes, tiny, why=why)


LONG = "scattered rows"

WORKLOADS = [
    rows(
        "G01",
        "embedding of a language model: 2,048 of 128k rows, 4096 f32",
        rows=128 * 1024,
        width=4096,
        count=2048,
    ),
    rows(
        "G02",
        "embedding of a language model: 2,048 of 128k rows, 4096 bf16",
        LONG,
        rows=128 * 1024,
        width=4096,
        count=2048,
        type="bf16",
    ),
    rows(
        "G03",
        "decoding: 8 of 128k rows, 4096 f16",
        "overhead of the call",
        rows=128 * 1024,
        width=4096,
        count=8,
        type="f16",
    ),
    rows(
        "G04",
        "recommendation: 200k of 1M rows, 64 f32",
        rows=1_000_000,
        width=64,
        count=200_000,
    ),
    rows(
        "G15",
        "experts: 4,096 tokens to 8,192 rows, 2048 f32",
        rows=4096,
        width=2048,
        count=8192,
        ids=permuted,
    ),
    rows(
        "G16",
        "paged cache: 1,024 of 4,096 blocks, 16 KB bf16",
        LONG,
        rows=4096,
        width=8192,
        count=1024,
        type="bf16",
        ids=blocks,
    ),
    rows(
        "G17",
        "tiny: 100 of 1,000 rows, 64 f32",
        "overhead of the call",
        rows=1000,
        width=64,
        count=100,
    ),
    rows(
        "G18",
        "narrow: 100k of 100k rows, 16 f32",
        "stores that read the line first",
        rows=100_000,
        width=16,
        count=100_000,
    ),
]
