"""The merged workloads against SciPy and torch, and bit for bit against themselves unmerged."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fuzz_rewrites import by_compiler, optimized
from mlir_gs import execution

FOLDER = Path(__file__).parents[1] / "lowering" / "fuse"
TEXT = "".join((FOLDER / f"gs-fuse-{n}.mlir").read_text() for n in ("workloads", "csr"))
ALIASES = "".join(line + "\n" for line in TEXT.splitlines() if line.startswith("#"))
RNG = np.random.default_rng(5)


def source(name: str) -> str:
    found = re.search(rf"^func\.func @{name}\b(.*?\n}}\n)", TEXT, re.M | re.S)
    assert found is not None
    body = found[1].replace(" {bufferization.writable = true}", "")
    return f"{ALIASES}func.func @f{body}"


def check(name: str, arguments: list[Any], expected: np.ndarray) -> None:
    text = source(name)
    merged = optimized(text)
    (plain,) = by_compiler(text, arguments)
    (found,) = by_compiler(merged, arguments)
    assert found.tobytes() == plain.tobytes()
    with_threads = execution.compile(merged, "f", threads=2)(*arguments)
    assert with_threads.tobytes() == plain.tobytes()
    np.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-5)


def ids(high: int, *shape: int) -> np.ndarray:
    return RNG.integers(0, high, shape)


def floats(*shape: int, dtype: Any = np.float32) -> np.ndarray:
    return RNG.standard_normal(shape).astype(dtype)


def matrix(dtype: Any) -> Any:
    sparse = pytest.importorskip("scipy.sparse")
    return sparse.random(61, 47, 0.08, format="csr", dtype=dtype, random_state=3)


def test_sparse_times_vector() -> None:
    m, x = matrix(np.float64), floats(47, dtype=np.float64)
    entries = m.tocoo()
    row, column = (i.astype(np.int32)[:, None] for i in (entries.row, entries.col))
    check("spmv_coo", [entries.data, x, row, column, 61], m @ x)
    starts = m.indptr.astype(np.int32)
    check("spmv_csr", [m.data, x, starts, m.indices.astype(np.int32)[:, None]], m @ x)


def test_sparse_times_matrix() -> None:
    m, x = matrix(np.float32), floats(47, 64)
    entries = m.tocoo()
    row, column = (i.astype(np.int32)[:, None] for i in (entries.row, entries.col))
    check("spmm_coo", [entries.data, x, row, column, 61], m @ x)
    starts = m.indptr.astype(np.int32)
    check("spmm_csr", [m.data, x, starts, m.indices.astype(np.int32)[:, None]], m @ x)


def test_graph_convolution() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    x, sender, receiver, norm = floats(34, 16), ids(34, 156), ids(34, 156), floats(156)
    adjacency = sparse.coo_matrix((norm, (receiver, sender)), shape=(34, 34))
    check("graph_convolution", [x, sender, receiver, norm], np.maximum(adjacency @ x, 0))


BAGS: dict[str, Callable[[Any, Any, Any, Any], Any]] = {
    "bag_mean": lambda bag, i, table, _: bag(i, table, mode="mean"),
    "bag_max": lambda bag, i, table, _: bag(i, table, mode="max"),
    "bag_weighted": lambda bag, i, table, w: bag(i, table, mode="sum", per_sample_weights=w),
    "bag_sum": lambda bag, i, table, _: bag(i, table, mode="sum"),
}


@pytest.mark.parametrize("name", BAGS)
def test_embedding_bags(name: str) -> None:
    torch = pytest.importorskip("torch")
    table, bags, weights = floats(1000, 32), ids(1000, 50, 10), floats(50, 10)
    parts = (torch.from_numpy(a) for a in (bags, table, weights))
    expected = BAGS[name](torch.nn.functional.embedding_bag, *parts).numpy()
    arguments = [table, bags[..., None]]
    if name == "bag_sum":
        arguments = [table, bags, 50]
    elif name == "bag_weighted":
        arguments.append(weights)
    check(name, arguments, expected)


def test_experts_combine() -> None:
    torch = pytest.importorskip("torch")
    import ml_dtypes

    y, row = floats(4096, 64), RNG.permutation(4096)[:1024].reshape(512, 2).astype(np.int32)
    gate, rows = floats(512, 2), y.astype(ml_dtypes.bfloat16)
    wide = torch.from_numpy(rows.astype(np.float32))
    parts = (torch.from_numpy(row).long(), wide)
    expected = torch.nn.functional.embedding_bag(
        *parts, mode="sum", per_sample_weights=torch.from_numpy(gate)
    )
    check("experts_combine", [rows, row[..., None], gate], expected.numpy())


def test_paged_attention_scores() -> None:
    torch = pytest.importorskip("torch")
    keys, query = floats(128, 16, 4, 64), floats(3, 4, 64)
    pages = ids(128, 3, 8).astype(np.int32)
    gathered = torch.from_numpy(keys)[torch.from_numpy(pages).long()].reshape(3, 128, 4, 64)
    expected = torch.einsum("bhd,bthd->bht", torch.from_numpy(query), gathered)
    check("paged_attention_scores", [keys, pages, query], expected.numpy())


def test_gather_compute_scatter() -> None:
    torch = pytest.importorskip("torch")
    x, y, w = floats(40, 24), floats(30, 24), floats(70)
    i, k = ids(40, 70, 1).astype(np.int32), ids(30, 70, 1).astype(np.int32)
    rows = torch.tanh(torch.from_numpy(x[i[:, 0]]) * torch.from_numpy(w)[:, None])
    expected = torch.from_numpy(y).index_add(0, torch.from_numpy(k[:, 0]).long(), rows)
    check("gather_compute_scatter", [x, i, k, w, y], expected.numpy())


def test_rows_of_nothing() -> None:
    starts, nothing = np.zeros(4, np.int32), np.zeros((0, 1), np.int32)
    arguments = [np.zeros(0), np.ones(3), starts, nothing]
    (found,) = by_compiler(optimized(source("spmv_csr")), arguments)
    np.testing.assert_array_equal(found, np.zeros(3))
