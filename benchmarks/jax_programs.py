"""Programs of JAX as users write them: loops that carry, searches, models, their gradients."""

from collections.abc import Callable, Sequence
from typing import Any

Case = tuple[str, Callable[..., Any], Sequence[Any]]


class Draw:
    """Random arrays; `small` cuts the sizes of programs down."""

    def __init__(self, jnp: Any, rng: Any, small: bool) -> None:
        self.jnp, self.rng, self.small = jnp, rng, small

    def of(self, size: int, least: int = 12) -> int:
        return max(least, size // 50) if self.small else size

    def real(self, *shape: int) -> Any:
        return self.jnp.asarray(self.rng.normal(size=shape), self.jnp.float32)

    def ints(self, most: int, *shape: int) -> Any:
        return self.jnp.asarray(self.rng.integers(0, most, shape), self.jnp.int32)


def searches(jax: Any, jnp: Any, draw: Draw) -> list[Case]:
    """The best of many: paths, beams, neighbours, ranks, boxes."""
    lax, real, ints = jax.lax, draw.real, draw.ints

    def viterbi(emitted: Any, moves: Any) -> Any:
        def forward(score: Any, e: Any) -> Any:
            paths = score[:, None] + moves
            return paths.max(0) + e, paths.argmax(0)

        score, back = lax.scan(forward, emitted[0], emitted[1:])
        _, path = lax.scan(lambda at, row: (row[at], at), score.argmax(), back, reverse=True)
        return path, score.max()

    def k_means(x: Any, centres: Any) -> Any:
        def step(_: Any, c: Any) -> Any:
            nearest = ((x * x).sum(1)[:, None] - 2 * x @ c.T + (c * c).sum(1)).argmin(1)
            sums = jax.ops.segment_sum(x, nearest, c.shape[0])
            count = jax.ops.segment_sum(jnp.ones(x.shape[0]), nearest, c.shape[0])
            return jnp.where(count[:, None] > 0, sums / jnp.maximum(count, 1)[:, None], c)

        return lax.fori_loop(0, 10, step, centres)

    def beam(logits: Any, scores: Any, tokens: Any) -> Any:
        all_scores = jax.nn.log_softmax(logits) + scores[..., None]
        batch, width, words = all_scores.shape
        best, at = lax.top_k(all_scores.reshape(batch, width * words), width)
        tokens = jnp.take_along_axis(tokens, (at // words)[..., None], 1)
        return best, jnp.concatenate([tokens[..., 1:], (at % words)[..., None]], -1)

    def ranks(scores: Any, labels: Any) -> Any:
        order = jnp.argsort(-scores, axis=1)
        gains = 2.0 ** jnp.take_along_axis(labels, order, 1) - 1
        return (gains / jnp.log2(jnp.arange(gains.shape[1]) + 2.0)).sum(1), jnp.argsort(order, 1)

    def boxes(corners: Any, scores: Any) -> Any:
        order = jnp.argsort(-scores)
        b = corners[order]
        area = (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1])
        low = jnp.maximum(b[:, None, :2], b[None, :, :2])
        sides = jnp.maximum(jnp.minimum(b[:, None, 2:], b[None, :, 2:]) - low, 0)
        both = sides[..., 0] * sides[..., 1]
        overlap = both / (area[:, None] + area[None] - both)

        def step(i: Any, kept: Any) -> Any:
            later = jnp.arange(kept.shape[0]) > i
            return kept & ~((overlap[i] > 0.5) & kept[i] & later)

        return order, lax.fori_loop(0, b.shape[0], step, jnp.ones(b.shape[0], bool))

    def shortest_paths(lengths: Any) -> Any:
        def step(k: Any, d: Any) -> Any:
            return jnp.minimum(d, d[:, k][:, None] + d[k][None])

        return lax.fori_loop(0, lengths.shape[0], step, lengths)

    def breadth_first(sources: Any, targets: Any) -> Any:
        def step(state: Any) -> Any:
            level, front, k = state
            reached = jnp.zeros_like(front).at[targets].max(front[sources]) & (level < 0)
            return jnp.where(reached, k + 1, level), reached, k + 1

        level = jnp.full(draw.of(2000), -1).at[0].set(0)
        return lax.while_loop(lambda s: s[1].any(), step, (level, level == 0, 0))[0]

    def map_of_itself(w: Any, xs: Any) -> Any:
        def step(w: Any, x: Any) -> Any:
            at = ((w - x) ** 2).sum(-1).argmin()
            near = jnp.exp(-0.1 * (jnp.arange(w.shape[0]) - at) ** 2.0)
            return w + 0.1 * near[:, None] * (x - w), at

        return lax.scan(step, w, xs)

    n, m, corners = draw.of(200), draw.of(5000), abs(real(draw.of(400), 2)) * 20
    corners = jnp.concatenate([corners, corners + abs(real(*corners.shape)) * 10], 1)
    nodes, edges = draw.of(2000), draw.of(8000)
    return [
        ("Viterbi", viterbi, (real(n, 48), real(48, 48))),
        ("k-means", k_means, (real(m, 16), real(32, 16))),
        ("beam search, a step", beam, (real(4, 5, m), real(4, 5), ints(m, 4, 5, 20))),
        ("ranks", ranks, (real(64, n), ints(5, 64, n).astype(jnp.float32))),
        ("boxes that overlap", boxes, (corners, real(len(corners)))),
        ("shortest paths", shortest_paths, (abs(real(80, 80)),)),
        ("breadth-first search", breadth_first, (ints(nodes, edges), ints(nodes, edges))),
        ("self-organizing map", map_of_itself, (real(100, 8), real(n, 8))),
    ]


def simulations(jax: Any, jnp: Any, draw: Draw) -> list[Case]:
    """Stencils, solvers and particles, step by step."""
    lax, real, ints = jax.lax, draw.real, draw.ints

    def heat(u: Any) -> Any:
        def step(_: Any, u: Any) -> Any:
            p = jnp.pad(u, 1, mode="edge")
            around = p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2]
            return u + 0.1 * (around - 4 * u)

        return lax.fori_loop(0, 20, step, u)

    def wave(u: Any, v: Any) -> Any:
        def step(state: Any, _: Any) -> Any:
            u, v = state
            around = sum(jnp.roll(u, by, axis) for by in (1, -1) for axis in (0, 1))
            v = v + 0.1 * (around - 4 * u)
            u = u + 0.1 * v
            return (u, v), jnp.abs(u).max()

        return lax.scan(step, (u, v), None, length=20)

    def conjugate_gradient(data: Any, places: Any, b: Any) -> Any:
        from jax.experimental import sparse

        a = sparse.BCOO((data, places), shape=(b.shape[0],) * 2)
        return jax.scipy.sparse.linalg.cg(lambda x: a @ x + a.T @ x + 40 * x, b, maxiter=20)[0]

    def elimination(a: Any, b: Any) -> Any:
        def step(k: Any, state: Any) -> Any:
            a, b = state
            f = jnp.where(jnp.arange(a.shape[0]) > k, a[:, k] / a[k, k], 0.0)
            return a - f[:, None] * a[k][None], b - f * b[k]

        return lax.fori_loop(0, a.shape[0], step, (a, b))

    def particles(r: Any, v: Any, near: Any) -> Any:
        def step(state: Any, _: Any) -> Any:
            r, v = state
            d = r[:, None] - r[near]
            d = d - 6 * jnp.round(d / 6)
            inverse = 1 / ((d * d).sum(-1) + 0.1)
            v = v - 1e-4 * ((inverse**4 - 0.5 * inverse**7)[..., None] * d).sum(1)
            return (r + 1e-3 * v, v), (v * v).sum()

        return lax.scan(step, (r, v), None, length=10)

    def runge_kutta(w: Any, v: Any, y: Any) -> Any:
        def step(y: Any, _: Any) -> Any:
            k1 = jnp.tanh(y @ w) @ v
            k2 = jnp.tanh((y + 0.05 * k1) @ w) @ v
            return y + 0.1 * k2, None

        return lax.scan(step, y, None, length=20)[0]

    def page_rank(sources: Any, targets: Any) -> Any:
        n = draw.of(3000)
        degree = jnp.maximum(jax.ops.segment_sum(jnp.ones(sources.shape[0]), sources, n), 1)

        def step(_: Any, rank: Any) -> Any:
            return 0.15 / n + 0.85 * jax.ops.segment_sum((rank / degree)[sources], targets, n)

        return lax.fori_loop(0, 20, step, jnp.full(n, 1 / n))

    n, m, nodes = draw.of(256), draw.of(10000), draw.of(3000)
    system, places = draw.of(2000), draw.of(10000)
    return [
        ("heat", heat, (real(n, n),)),
        ("wave", wave, (real(n, n), jnp.zeros((n, n)))),
        (
            "conjugate gradient, BCOO",
            conjugate_gradient,
            (real(places), ints(system, places, 2), real(system)),
        ),
        ("elimination", elimination, (real(64, 64) + 20 * jnp.eye(64), real(64))),
        ("particles", particles, (real(nodes, 3), jnp.zeros((nodes, 3)), ints(nodes, nodes, 20))),
        ("Runge-Kutta", runge_kutta, (real(16, 32) * 0.2, real(32, 16) * 0.2, real(64, 16))),
        ("PageRank", page_rank, (ints(nodes, m), ints(nodes, m))),
    ]


def models(jax: Any, jnp: Any, draw: Draw) -> list[Case]:
    """Layers, recurrences and mixtures, forward and backward."""
    lax, real, ints = jax.lax, draw.real, draw.ints

    def normed(w: Any, v: Any, x: Any) -> Any:
        h = (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5)
        return ((jax.nn.gelu(h @ w) @ v + x) ** 2).mean()

    def gru(p: Any, xs: Any) -> Any:
        def cell(h: Any, x: Any) -> Any:
            i, g = jnp.split(x @ p[0], 3, -1), jnp.split(h @ p[1], 3, -1)
            reset, keep = jax.nn.sigmoid(i[0] + g[0]), jax.nn.sigmoid(i[1] + g[1])
            h = (1 - keep) * jnp.tanh(i[2] + reset * g[2]) + keep * h
            return h, h

        return lax.scan(cell, jnp.zeros((xs.shape[1], p[1].shape[0])), xs)[1]

    def mixture(x: Any, mean: Any) -> Any:
        def step(state: Any, _: Any) -> Any:
            mean, scale, weight = state
            d = x[:, None] - mean
            scores = -0.5 * (d * d * jnp.exp(-2 * scale)).sum(-1) - scale.sum(-1) + weight
            share = jax.nn.softmax(scores, 1)
            count = share.sum(0)
            mean = share.T @ x / count[:, None]
            spread = share.T @ (x * x) / count[:, None] - mean * mean
            scale, weight = 0.5 * jnp.log(spread + 1e-3), jnp.log(count / x.shape[0])
            return (mean, scale, weight), jax.nn.logsumexp(scores, 1).mean()

        start = (mean, jnp.zeros(mean.shape), jnp.zeros(mean.shape[0]))
        return lax.scan(step, start, None, length=10)

    def forward_algorithm(moves: Any, emits: Any, seen: Any) -> Any:
        def step(a: Any, o: Any) -> Any:
            a = jax.nn.logsumexp(a[:, None] + moves, 0) + emits[:, o]
            return a, a

        a, every = lax.scan(step, emits[:, seen[0]], seen[1:])
        return jax.nn.logsumexp(a), every

    def decode(q: Any, keys: Any, values: Any, new: Any, at: Any, mask: Any) -> Any:
        def put(cache: Any, k: Any, p: Any) -> Any:
            return lax.dynamic_update_slice(cache, k[None], (p, 0, 0))

        keys, values = (jax.vmap(put)(each, new, at) for each in (keys, values))
        scores = jnp.einsum("bhd,bthd->bht", q, keys) / 8
        share = jax.nn.softmax(jnp.where(mask[:, None], scores, -1e9))
        return jnp.einsum("bht,bthd->bhd", share, values), keys, values

    def pooled(kernels: Any, x: Any) -> Any:
        for k in kernels:
            layout = ("NHWC", "HWIO", "NHWC")
            x = lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=layout)
            windows = ((1, 2, 2, 1), (1, 2, 2, 1), "VALID")
            x = lax.reduce_window(jax.nn.relu(x), 0.0, lax.add, *windows) / 4
        return (x * x).mean()

    n, t, steps = draw.of(2000), draw.of(256), draw.of(150)
    weights = (real(32, 192) * 0.2, real(64, 192) * 0.2)
    kernels = (real(3, 3, 3, 16) * 0.2, real(3, 3, 16, 32) * 0.1)
    images = real(8, 32, 32, 3)
    norm = (real(128, 256) * 0.1, real(256, 128) * 0.1, real(t, 128))
    cached = (real(4, 8, 64), real(4, t, 8, 64), real(4, t, 8, 64), real(4, 8, 64))
    square = jax.grad(lambda p, x: (gru(p, x) ** 2).mean())
    return [
        ("layer norm and GELU, gradient", jax.grad(normed, argnums=(0, 1)), norm),
        ("GRU", gru, (weights, real(40, 16, 32))),
        ("GRU, gradient", square, (weights, real(40, 16, 32))),
        ("mixture of Gaussians", mixture, (real(n, 8), real(16, 8))),
        (
            "forward algorithm",
            forward_algorithm,
            (*(jax.nn.log_softmax(real(32, k)) for k in (32, 50)), ints(50, steps)),
        ),
        ("decoding with a cache", decode, (*cached, ints(t, 4), real(4, t) < 1)),
        ("pooled convolutions", pooled, (kernels, images)),
        ("pooled convolutions, gradient", jax.grad(pooled), (kernels, images)),
    ]


def whole(jax: Any, jnp: Any, rng: Any, small: bool = False) -> list[Case]:
    """All of them."""
    draw = Draw(jnp, rng, small)
    groups = (searches, simulations, models)
    return [case for group in groups for case in group(jax, jnp, draw)]
