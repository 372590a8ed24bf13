"""Workloads through torch.compile and jax.jit, as models spell them: ours is the backend, or the
functions, in the place of theirs."""

import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np
from functions_work import Work
from peers import missing
from torch_programs import bilinear, messages, permuted, rotary


def _compiled(function: Callable[..., Any], backend: str) -> Callable[[Any, Any], Any]:
    """`function` of tensors, the arrays of a workload in their order, by torch.compile."""
    made: list[Any] = []

    def call(torch: Any, a: Any) -> Any:
        if not made:
            made.append(torch.compile(function, backend=backend))
        return made[0](*vars(a).values())

    return call


def _torch(name: str, make: Any, function: Callable[..., Any], **options: Any) -> Work:
    peers: dict[str, Any] = {"torch eager": lambda _, a: function(*vars(a).values())}
    if not missing("torch.compile"):
        peers["torch compile"] = _compiled(function, "inductor")
    return Work(
        f"torch {name}", make, _compiled(function, "mlir_gs"), peers, through="torch", **options
    )


def _jax(name: str, make: Any, ours: Any, theirs: Any, **options: Any) -> Work:
    def through(m: Any, a: Any) -> Any:
        return ours(importlib.import_module("mlir_gs.integrations.jax"), m, a)

    return Work(f"jax {name}", make, through, {"jax": theirs}, through="jax", **options)


def _embedding(rng: np.random.Generator, size: int) -> dict[str, Any]:
    return {
        "table": rng.random((20_000, 64), np.float32),
        "ids": rng.integers(0, 20_000, max(size // 64, 1)),
    }


def _bilinear(rng: np.random.Generator, size: int) -> dict[str, Any]:
    places = {name: rng.random(size, np.float32) * 511 for name in "yx"}
    return {"image": rng.random((512, 512), np.float32), **places}


def _rotary(rng: np.random.Generator, size: int) -> dict[str, Any]:
    long = max(size // 2048, 1)
    tables = {name: rng.random((4096, 64), np.float32) for name in ("cos", "sin")}
    place = rng.integers(0, 4096, (4, long))
    return {"q": rng.random((4, 8, long, 64), np.float32), **tables, "place": place}


def _permuted(rng: np.random.Generator, size: int) -> dict[str, Any]:
    rows = max(size // 64, 1)
    data = {"x": rng.random((rows, 64), np.float32), "weights": rng.random(64, np.float32)}
    return {**data, "order": rng.permutation(rows)}


def _edges(rng: np.random.Generator, size: int) -> dict[str, Any]:
    count, nodes = max(size // 16, 1), max(size // 160, 1)
    return {
        "table": rng.random((nodes, 16), np.float32),
        "senders": rng.integers(0, nodes, count),
        "receivers": (rng.random(count) ** 3 * nodes).astype(np.int64),
        "weights": rng.random(count, np.float32),
    }


def _scores(rng: np.random.Generator, size: int) -> dict[str, Any]:
    rows = max(size // 1000, 1)
    return {"x": rng.random((rows, 1000), np.float32), "ids": rng.integers(0, 1000, (rows, 8))}


def _updates(rng: np.random.Generator, size: int) -> dict[str, Any]:
    rows = max(size // 16, 2)
    ids = rng.permutation(rows)[: rows // 2]
    data = {"x": rng.random((rows, 16), np.float32), "ids": ids}
    return {**data, "values": rng.random((rows // 2, 16), np.float32)}


_TORCH = [
    _torch("embedding", _embedding, lambda table, ids: table[ids]),
    _torch("embedding scaled", _embedding, lambda table, ids: table[ids] * 8.0 + 1.0),
    _torch("bilinear", _bilinear, bilinear, size=300_000, tolerance=1e-5),
    _torch("rotary", _rotary, rotary, tolerance=1e-5),
    _torch("permute and back", _permuted, permuted),
    _torch("messages", _edges, messages, tolerance=1e-4),
    _torch("gather scores", _scores, lambda x, ids: x.gather(1, ids), size=10_000_000),
    _torch("index_copy", _updates, lambda x, ids, values: x.index_copy(0, ids, values)),
    _torch(
        "bag of rows", _embedding, lambda table, ids: table[ids].sum(0), tolerance=1e-3
    ),
]  # fmt: skip


_JAX = [
    _jax(
        "take rows", _embedding,
        lambda gs, m, a: gs.take(a.table, a.ids, axis=0, mode="clip"),
        lambda m, a: m.take(a.table, a.ids, axis=0, mode="clip"),
    ),
    _jax(
        "take rows, fill", _embedding,
        lambda gs, m, a: gs.take(a.table, a.ids, axis=0),
        lambda m, a: m.take(a.table, a.ids, axis=0),
    ),
    _jax(
        "take elements", _edges,
        lambda gs, m, a: gs.take(a.weights, a.senders, mode="clip"),
        lambda m, a: m.take(a.weights, a.senders, mode="clip"),
        size=16_000_000,
    ),
    _jax(
        "take along", _scores,
        lambda gs, m, a: gs.take_along_axis(a.x, a.ids, 1, mode="clip"),
        lambda m, a: m.take_along_axis(a.x, a.ids, 1, mode="clip"),
        size=10_000_000,
    ),
    _jax(
        "segment sum", _edges,
        lambda gs, m, a: gs.segment_sum(
            a.weights[:, None] * m.ones(16, "float32"), a.receivers, len(a.table)
        ),
        lambda m, a: m.zeros(a.table.shape, "float32").at[a.receivers].add(
            a.weights[:, None] * m.ones(16, "float32")
        ),
        tolerance=1e-4,
    ),
    _jax(
        "messages", _edges,
        lambda gs, m, a: gs.segment_sum(
            gs.take(a.table, a.senders, axis=0, mode="clip") * a.weights[:, None],
            a.receivers, len(a.table),
        ),
        lambda m, a: m.zeros(a.table.shape, "float32").at[a.receivers].add(
            m.take(a.table, a.senders, axis=0, mode="clip") * a.weights[:, None]
        ),
        tolerance=1e-4,
    ),
    _jax(
        "set rows", _updates,
        lambda gs, m, a: gs.scatter(a.x, a.ids[:, None], a.values, unique=True),
        lambda m, a: a.x.at[a.ids].set(a.values, unique_indices=True),
    ),
    _jax(
        "add rows", _updates,
        lambda gs, m, a: gs.scatter_add(a.x, a.ids[:, None], a.values),
        lambda m, a: a.x.at[a.ids].add(a.values),
        tolerance=1e-6,
    ),
]  # fmt: skip

WORKS = [
    *([] if missing("torch") else _TORCH),
    *([] if missing("jax") or importlib.util.find_spec("jax_tvm_ffi") is None else _JAX),
]
