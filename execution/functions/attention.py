"""`paged_attention`: queries and keys in pages, for decoding and prefill."""

from dataclasses import dataclass
from functools import lru_cache
from operator import index
from typing import Any

import ml_dtypes
import numpy as np
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.call.memory import empty
from mlir_gs.execution.compilation.compile import compile_made
from mlir_gs.execution.functions import frameworks
from mlir_gs.execution.functions.elements import integers, wide_coordinates
from mlir_gs.execution.functions.ragged import falls
from mlir_gs.execution.later import import_later
from mlir_gs.execution.machine import openmp

Array = np.ndarray[Any, Any]

BLOCK = 32
"""Keys whose scores are computed before their values are added up."""

_ROWS = 8
"""Queries that share a key, at most."""

_ALL = 1 << 62
"""Keys that a query sees without a window."""

# Elements of the cache that are too few for several threads.
_SHARED = 1 << 16

_CACHES = {
    np.dtype(np.float32): "f32",
    np.dtype(np.float16): "f16",
    np.dtype(ml_dtypes.bfloat16): "bf16",
    np.dtype(np.int8): "i8",
    np.dtype(ml_dtypes.float8_e4m3fn): "f8E4M3FN",
    np.dtype(ml_dtypes.float8_e5m2): "f8E5M2",
}
_F32 = np.dtype(np.float32)


@dataclass(frozen=True)
class Form:
    """What a kernel is compiled for. `width`: of a head; `page`: keys in one; `heads` and `tokens`:
    of the queries that share a key; `causal`: a query sees no key behind its own; `decodes`: each
    sequence has one token. `window`, `cap`, `sinks`: whether there are any. `element`: MLIR's of
    the cache; `coordinate`: of page numbers. `parts`: of the heads of keys, side by side."""

    width: int
    page: int
    heads: int
    tokens: int
    causal: bool
    decodes: bool
    window: bool
    cap: bool
    sinks: bool
    element: str
    coordinate: str
    parts: int


def paged_attention(
    q: Any,
    k_pages: Any,
    v_pages: Any,
    page_table: Any,
    lengths: Any,
    *,
    query_starts: Any = None,
    scale: float | None = None,
    k_scale: float = 1.0,
    v_scale: float = 1.0,
    causal: bool = True,
    window: int | None = None,
    soft_cap: float | None = None,
    sinks: Any = None,
) -> Any:
    """Attention of queries to keys and values in pages, with the softmax in one pass.

    `q`: [tokens, heads, width], of float32, float16 or bfloat16. `k_pages` and `v_pages`: [pages,
    page, kv_heads, width], of these or int8, float8_e4m3fn or float8_e5m2, whose numbers are
    multiplied by `k_scale` and `v_scale`; `heads / kv_heads` neighbours share a head of keys.
    `page_table`: [sequences, most pages], where key j of a sequence is place `j % page` of the page
    `page_table[sequence, j // page]`. `lengths`: keys of each sequence. Each sequence has one
    query, to all its keys; or, with `query_starts`, [sequences + 1], as many tokens as lie between
    its start and the next one, which are the last of the sequence: under `causal` each sees the
    keys up to its own. `scale` is by default `1 / sqrt(width)`.

    `window`: a query sees no more than that many keys, its own and those before it; pages that no
    query of a sequence sees are not read, and may have any number. `soft_cap`: a score s becomes
    `soft_cap * tanh(s / soft_cap)`. `sinks`: [heads], a score for each head that takes part in the
    softmax and adds nothing to the result.

    Arithmetic is in float32, sums are grouped by vectors. The result has the shape and dtype of
    `q`; a query that sees no key gives 0. Pages that are not C-contiguous are copied first.

    Raises ValueError for shapes, lengths, starts and options, IndexError for a page out of bounds,
    TypeError for elements.
    """
    queries, keys, values = (frameworks.array(each) for each in (q, k_pages, v_pages))
    table = wide_coordinates(integers(frameworks.plain(page_table), "page_table"))
    sizes = wide_coordinates(integers(frameworks.plain(lengths), "lengths")).astype(np.int64)
    _check(queries, keys, values, table, sizes)
    if query_starts is None:
        starts = np.arange(len(sizes) + 1)
    else:
        starts = wide_coordinates(integers(frameworks.plain(query_starts), "query_starts"))
        starts = starts.astype(np.int64)
    _check_starts(starts, sizes, len(queries))
    _check_options(window, soft_cap, causal)
    pages, page, kv_heads, width = keys.shape
    extra = np.empty(0, _F32)
    if sinks is not None:
        extra = frameworks.array(sinks).astype(_F32)
        if extra.shape != queries.shape[1:2]:
            raise ValueError(f"sinks must have shape [{queries.shape[1]}], found {extra.shape}")
    result = empty(queries.shape, _F32)
    if result.size:
        group = queries.shape[1] // kv_heads
        heads = next(n for n in range(min(group, _ROWS), 0, -1) if group % n == 0)
        tokens = 1 if query_starts is None else max(_ROWS // heads, 1)
        shared = int(sizes.sum()) * kv_heads * width >= _SHARED
        threads = openmp.wanted_threads(None) if shared else 1
        form = Form(
            width, page, heads, tokens, bool(causal), query_starts is None,
            window is not None, soft_cap is not None, sinks is not None,
            _CACHES[keys.dtype], f"i{8 * table.itemsize}",
            1 if len(sizes) % threads == 0 else threads,
        )  # fmt: skip
        by = float(width**-0.5 if scale is None else scale) * k_scale
        try:
            arrays = (queries.astype(_F32, copy=False), keys, values, table, sizes, starts)
            _kernel(form, threads)(
                *map(np.ascontiguousarray, arrays), np.array([by, v_scale, soft_cap or 0], _F32),
                _ALL if window is None else index(window), np.ascontiguousarray(extra),
                empty((*queries.shape[:2], 2), _F32), result,
            )  # fmt: skip
        except RuntimeError:
            hidden = np.maximum(sizes - np.diff(starts) + 1 - (window or _ALL), 0) // page
            _refuse_pages(table, sizes, hidden, page, pages)
            raise
    return frameworks.back(q, k_pages, v_pages)(result.astype(queries.dtype, copy=False))


def _check(queries: Array, keys: Array, values: Array, table: Array, sizes: Array) -> None:
    if queries.dtype not in _CACHES or queries.dtype.itemsize < 2:
        raise TypeError(f"q must have float32, float16 or bfloat16, found {queries.dtype}")
    if keys.dtype not in _CACHES or values.dtype != keys.dtype:
        names = ", ".join(dtype.name for dtype in _CACHES)
        raise TypeError(
            f"pages must both have one of {names}, found {keys.dtype} and {values.dtype}"
        )
    if queries.ndim != 3 or keys.ndim != 4 or keys.shape != values.shape:
        raise ValueError(
            "q must have shape [tokens, heads, width] and pages [pages, page, kv_heads, width],"
            f" found {list(queries.shape)}, {list(keys.shape)} and {list(values.shape)}"
        )
    _, page, kv_heads, width = keys.shape
    fits = page and kv_heads and width and queries.shape[1] % kv_heads == 0
    if not fits or queries.shape[2] != width:
        raise ValueError(
            f"heads of q must be a multiple of {kv_heads} kv_heads, of width {width}, with pages of"
            f" 1 key or more, found {list(queries.shape)} and pages of {page}"
        )
    if table.ndim != 2 or sizes.shape != table.shape[:1]:
        raise ValueError(
            "page_table must have shape [sequences, most pages] and lengths [sequences], found"
            f" {list(table.shape)} and {list(sizes.shape)}"
        )
    most = table.shape[1] * page
    if sizes.size and (sizes.min() < 0 or sizes.max() > most):
        raise ValueError(f"lengths must be from 0 to {most}, found {sizes.tolist()}")


def _check_starts(starts: Array, sizes: Array, tokens: int) -> None:
    if starts.shape != (len(sizes) + 1,):
        raise ValueError(
            f"query_starts must have shape [{len(sizes) + 1}], found {list(starts.shape)}"
        )
    if starts[0] != 0 or starts[-1] != tokens or falls(starts):
        raise ValueError(
            f"query_starts must ascend from 0 to {tokens}, the tokens of q, found {starts.tolist()}"
        )


def _check_options(window: int | None, soft_cap: float | None, causal: bool) -> None:
    if window is not None and (index(window) < 1 or not causal):
        raise ValueError(f"window must be 1 or more, with causal=True, found {window}")
    if soft_cap is not None and not (soft_cap > 0 and np.isfinite(soft_cap)):
        raise ValueError(f"soft_cap must be greater than 0 and finite, found {soft_cap}")


def _refuse_pages(table: Array, sizes: Array, hidden: Array, page: int, pages: int) -> None:
    """Raise IndexError for the first page out of bounds, behind the `hidden` ones."""
    for row, size, first in zip(table, sizes, hidden, strict=True):
        used = row[first : -(-size // page)]
        bad = used[(used < 0) | (used >= pages)]
        if bad.size:
            raise IndexError(f"page {bad[0]} is out of bounds for {pages} pages")


@lru_cache(None)
def _kernel(form: Form, threads: int) -> Kernel:
    return compile_made(
        repr(("attention", form, threads > 1)),
        lambda: import_later("functions.attention_kernels").module(form, threads),
        threads,
    )
