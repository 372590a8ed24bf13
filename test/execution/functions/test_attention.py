"""Queries and keys in pages, beside torch's attention on keys that are put together."""

from typing import Any

import mlir_gs
import numpy as np
import pytest


def _case(torch: Any, seqs: int, heads: int, kv: int, width: int, page: int, most: int) -> Any:
    torch.manual_seed(width)
    pages = -(-most // page)
    k, v = (torch.randn(seqs * pages + 1, page, kv, width) for _ in range(2))
    table = torch.randperm(seqs * pages + 1)[: seqs * pages].reshape(seqs, pages)
    lengths = torch.randint(1, most + 1, (seqs,))
    return torch.randn(seqs, heads, width), k, v, table, lengths


def _wanted(torch: Any, q: Any, k: Any, v: Any, table: Any, lengths: Any, starts: Any = None,
            causal: bool = True) -> Any:  # fmt: skip
    result, group = torch.zeros_like(q, dtype=torch.float32), q.shape[1] // k.shape[2]
    starts = range(len(lengths) + 1) if starts is None else starts
    for s, length in enumerate(lengths.tolist()):
        first, end = int(starts[s]), int(starts[s + 1])
        count = end - first
        if count == 0 or length == 0:
            continue
        keys, values = (
            each[table[s]]
            .flatten(0, 1)[:length]
            .float()
            .repeat_interleave(group, 1)
            .transpose(0, 1)
            for each in (k, v)
        )
        mask = torch.ones(count, length, dtype=torch.bool)
        mask = mask.tril(length - count) if causal else mask
        found = torch.nn.functional.scaled_dot_product_attention(
            q[first:end].float().transpose(0, 1), keys, values, attn_mask=mask
        )
        result[first:end] = found.transpose(0, 1)
    return result


@pytest.mark.parametrize(
    ("heads", "kv", "width", "page", "most"),
    [(8, 2, 64, 16, 100), (4, 4, 20, 5, 33), (16, 1, 24, 32, 40)],
)
def test_decoding(needs: Any, heads: int, kv: int, width: int, page: int, most: int) -> None:
    torch = needs("torch")
    case = _case(torch, 5, heads, kv, width, page, most)
    found = mlir_gs.paged_attention(*case)
    assert isinstance(found, torch.Tensor)
    torch.testing.assert_close(found, _wanted(torch, *case), rtol=1e-5, atol=1e-5)
    q, k, v, table, lengths = case
    lengths[2] = 0
    # Of pages that no key lies in, nothing is read.
    table[2] = -7
    found = mlir_gs.paged_attention(q, k, v, table.int(), lengths.int())
    torch.testing.assert_close(found[[0, 1, 3, 4]], _wanted(torch, *case)[[0, 1, 3, 4]], rtol=1e-5,
                               atol=1e-5)  # fmt: skip
    assert not found[2].any()


@pytest.mark.parametrize("kind", ["float16", "bfloat16", "int8", "float8_e4m3fn"])
def test_small_caches(needs: Any, kind: str) -> None:
    """Their numbers are widened exactly; a scale goes with all of them."""
    torch = needs("torch")
    q, k, v, table, lengths = _case(torch, 3, 6, 3, 72, 16, 50)
    dtype = getattr(torch, kind)
    scales = (0.02, 0.03) if kind == "int8" else (1.0, 1.0)
    k, v = ((each / s).clamp(-127, 127).to(dtype) for each, s in zip((k, v), scales, strict=True))
    found = mlir_gs.paged_attention(q, k, v, table, lengths, k_scale=scales[0], v_scale=scales[1])
    wide = [each.float() * s for each, s in zip((k, v), scales, strict=True)]
    torch.testing.assert_close(
        found, _wanted(torch, q, *wide, table, lengths), rtol=1e-5, atol=1e-5
    )
    if kind == "bfloat16":
        half = q.to(dtype)
        found = mlir_gs.paged_attention(half, k, v, table, lengths)
        assert found.dtype == dtype
        wanted = _wanted(torch, half, *wide, table, lengths)
        torch.testing.assert_close(found.float(), wanted, rtol=1e-2, atol=1e-2)


@pytest.mark.parametrize(("causal", "heads"), [(True, 4), (False, 4), (True, 16)])
def test_prefill(needs: Any, causal: bool, heads: int) -> None:
    """Sequences of several tokens, of one and of none, which are the last of their keys."""
    torch = needs("torch")
    _, k, v, table, lengths = _case(torch, 4, heads, 2, 32, 8, 70)
    counts = torch.tensor([int(lengths[0]), 1, 0, min(5, int(lengths[3]))])
    starts = torch.cat([torch.zeros(1, dtype=torch.int64), counts.cumsum(0)])
    q = torch.randn(int(starts[-1]), heads, 32)
    found = mlir_gs.paged_attention(q, k, v, table, lengths, query_starts=starts, causal=causal)
    wanted = _wanted(torch, q, k, v, table, lengths, starts, causal)
    torch.testing.assert_close(found, wanted, rtol=1e-5, atol=1e-5)


def test_large_scores() -> None:
    """Far from each other, they neither overflow nor vanish."""
    q = np.full((1, 1, 4), 100, np.float32)
    k = np.zeros((3, 20, 1, 4), np.float32)
    k[2, 19] = 50
    v = np.arange(60, dtype=np.float32).reshape(3, 20, 1, 1) * np.ones(4, np.float32)
    found = mlir_gs.paged_attention(q, k, v, [[0, 1, 2]], [60])
    np.testing.assert_array_equal(found, np.full((1, 1, 4), 59, np.float32))


def test_strides() -> None:
    rng = np.random.default_rng(0)
    q, k, v = (rng.normal(size=s).astype("f4") for s in ((2, 4, 8), (6, 16, 2, 8), (6, 16, 2, 8)))
    table, lengths = np.array([[0, 3], [5, 1]]), np.array([20, 7])
    wanted = mlir_gs.paged_attention(q, k, v, table, lengths)
    apart = np.repeat(k, 2, axis=2)[:, :, ::2]
    found = mlir_gs.paged_attention(
        np.asfortranarray(q), apart, np.asfortranarray(v), np.asfortranarray(table),
        np.repeat(lengths, 2)[::2],
    )  # fmt: skip
    np.testing.assert_array_equal(found, wanted)


def test_refused() -> None:
    q, k = np.zeros((2, 4, 8), np.float32), np.zeros((3, 16, 2, 8), np.float32)
    table, lengths = np.zeros((2, 2), int), np.array([3, 20])
    mlir_gs.paged_attention(q, k, k, table, lengths)
    call = mlir_gs.paged_attention
    for message, wrong in {
        "q must have shape": lambda: call(q[0], k, k, table, lengths),
        "multiple of 2 kv_heads": lambda: call(q[:, :3], k, k, table, lengths),
        "page_table must have": lambda: call(q, k, k, table[0], lengths),
        "from 0 to 32, found": lambda: call(q, k, k, table, [3, 33]),
        "shape \\[3\\]": lambda: call(q, k, k, table, lengths, query_starts=[0, 2]),
        "ascend from 0 to 2": lambda: call(q, k, k, table, lengths, query_starts=[0, 3, 2]),
    }.items():
        with pytest.raises(ValueError, match=message):
            wrong()
    with pytest.raises(IndexError, match="page 3 is out of bounds for 3 pages"):
        call(q, k, k, [[0, 0], [0, 3]], lengths)
    with pytest.raises(TypeError, match="pages must both have"):
        call(q, k, k.astype(np.float64), table, lengths)


def _plain(case: tuple[Any, ...], starts: Any, window: int | None, cap: float | None,
           sinks: Any) -> Any:  # fmt: skip
    """Attention as it is written down, in float64, one query after the other."""
    q, k, v, table, lengths = (np.asarray(each) for each in case)
    result, group = np.zeros(q.shape), q.shape[1] // k.shape[2]
    for s, length in enumerate(lengths):
        count = starts[s + 1] - starts[s]
        for token, head in np.ndindex(count, q.shape[1]):
            end = length - count + token + 1
            first = 0 if window is None else max(end - window, 0)
            used = range(first, max(end, first))
            places = [(table[s, j // k.shape[1]], j % k.shape[1], head // group) for j in used]
            query = q[starts[s] + token, head].astype(np.float64)
            scores = np.array([query @ k[place] for place in places]) / np.sqrt(q.shape[2])
            scores = scores if cap is None else cap * np.tanh(scores / cap)
            every = scores if sinks is None else np.append(scores, sinks[head])
            if len(places) == 0:
                continue
            weights = np.exp(scores - every.max()) / np.exp(every - every.max()).sum()
            result[starts[s] + token, head] = weights @ np.array([v[place] for place in places])
    return result


@pytest.mark.parametrize(
    ("decodes", "window", "cap", "sinks"),
    [(True, 9, None, False), (True, 33, 0.5, True), (False, 9, None, False),
     (False, 33, 30.0, True), (False, None, 2.0, False), (True, None, None, True)],
)  # fmt: skip
def test_windows_caps_and_sinks(
    decodes: bool, window: int | None, cap: float | None, sinks: bool
) -> None:
    rng = np.random.default_rng(7)
    heads, lengths = 4, np.array([70, 3, 0, 41])
    counts = np.ones(4, int) if decodes else np.array([11, 3, 0, 20])
    starts = np.append(0, counts.cumsum())
    q = rng.normal(size=(starts[-1], heads, 20)).astype("f4") * 3
    k, v = (rng.normal(size=(40, 8, 2, 20)).astype("f4") for _ in range(2))
    table = rng.permutation(40)[:36].reshape(4, 9)
    extra = np.array([0.3, -np.inf, 4.0, -2.0], "f4") if sinks else None
    wanted = _plain((q, k, v, table, lengths), starts, window, cap, extra)
    if window is not None:
        # What no query sees is not read.
        for s, hidden in enumerate(np.maximum(lengths - counts + 1 - window, 0) // 8):
            table[s, :hidden] = -5
    options = {} if decodes else {"query_starts": starts}
    found = mlir_gs.paged_attention(
        q, k, v, table, lengths, window=window, soft_cap=cap, sinks=extra, **options
    )
    np.testing.assert_allclose(found, wanted, rtol=2e-5, atol=2e-5)


def test_a_page_in_the_window_is_checked() -> None:
    q, k = np.zeros((1, 2, 8), np.float32), np.zeros((3, 4, 2, 8), np.float32)
    assert mlir_gs.paged_attention(q, k, k, [[9, 9, 1]], [12], window=4).shape == q.shape
    with pytest.raises(IndexError, match="page 9 is out of bounds for 3 pages"):
        mlir_gs.paged_attention(q, k, k, [[9, 9, 1]], [12], window=5)
    for message, options in {
        "window must be 1 or more": {"window": 0},
        "causal=True": {"window": 4, "causal": False},
        "soft_cap must be greater": {"soft_cap": -1.0},
        r"sinks must have shape \[2\]": {"sinks": [1.0]},
    }.items():
        with pytest.raises(ValueError, match=message):
            mlir_gs.paged_attention(q, k, k, [[0, 0, 1]], [12], **options)
