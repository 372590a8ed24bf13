"""Ops and programs of JAX as kernels, over `jax.jit`: time of XLA's over ours, above 1 is faster.

    python benchmarks/jax_ops.py --threads 1 --only softmax gat

Both run in one process, in turns, on so many CPUs; the table has medians in microseconds. Each
result is compared before it is timed. `--apart`: each in a process of its own, one after the other,
with the seconds of its first call; nothing is compared. `--small`: whole programs at tiny sizes.
`--compile` times the first call instead, kernels on the disk left out, for chains of 1,000 ops and
more.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from jax_programs import whole

Case = tuple[str, Callable[..., Any], Sequence[Any]]


def ops(jax: Any, jnp: Any, rng: Any) -> list[Case]:
    """Single ops on about a million elements."""

    def real(*shape: int) -> Any:
        return jnp.asarray(rng.normal(size=shape), jnp.float32)

    x, y, wide = real(1024, 1024), real(1024, 1024), real(4096, 64)
    i = jnp.asarray(rng.integers(0, 1024, 4096), jnp.int32)
    volume, points = real(64, 64, 64), jnp.asarray(rng.random((50000, 3)) * 60, jnp.float32)
    return [
        ("chain of arithmetic", lambda x, y: (x * y + x) * 0.5 - y * y, (x, y)),
        ("exp", jnp.exp, (x,)),
        ("tanh", jnp.tanh, (x,)),
        ("gelu", jax.nn.gelu, (x,)),
        ("add a row", lambda x, v: x + v, (x, x[0])),
        ("sum of rows", lambda x: x.sum(-1), (x,)),
        ("sum of columns", lambda x: x.sum(0), (x,)),
        ("sum of all", lambda x: x.sum(), (x,)),
        ("max of rows", lambda x: x.max(-1), (x,)),
        ("argmax of rows", lambda x: x.argmax(-1), (x,)),
        ("softmax", lambda x: jax.nn.softmax(x, -1), (x,)),
        ("layer norm", _norm(jnp), (x,)),
        ("transpose", lambda x: x.T, (x,)),
        ("concatenate", lambda x, y: jnp.concatenate([x, y], 1), (x, y)),
        ("pad", lambda x: jnp.pad(x, 1), (x,)),
        ("reverse", lambda x: x[::-1, ::-1], (x,)),
        ("cumsum of rows", lambda x: jnp.cumsum(x, 1), (x,)),
        ("cumsum of columns", lambda x: jnp.cumsum(x, 0), (x,)),
        ("sort", lambda x: jnp.sort(x[:64].reshape(-1)), (x,)),
        ("argsort", lambda x: jnp.argsort(x[:64].reshape(-1)), (x,)),
        ("sort of rows", lambda x: jnp.sort(x[:256], 1), (x,)),
        ("top_k", lambda x: jax.lax.top_k(x[:64], 8), (x,)),
        ("searchsorted", lambda x, y: jnp.searchsorted(jnp.sort(x[0]), y[:64].ravel()), (x, y)),
        ("product 512", lambda x, y: x[:512, :512] @ y[:512, :512], (x, y)),
        ("product 4096 x 64 x 64", lambda x, y: x @ y[:64, :64], (wide, y)),
        ("product with transpose", lambda x: x @ x[:256].T, (wide,)),
        ("product of batches", lambda x: jnp.einsum("bqd,bkd->bqk", x, x), (real(16, 64, 64),)),
        ("take rows", lambda x, i: x[i], (x, i)),
        ("segment_sum", lambda x, i: jax.ops.segment_sum(x, i, 1024), (wide, i)),
        ("segment_max", lambda x, i: jax.ops.segment_max(x, i, 1024), (wide, i)),
        ("trilinear sample", _trilinear(jnp), (volume, points)),
    ]


def _norm(jnp: Any) -> Callable[..., Any]:
    def norm(x: Any) -> Any:
        centred = x - x.mean(-1, keepdims=True)
        return centred / jnp.sqrt((centred * centred).mean(-1, keepdims=True) + 1e-5)

    return norm


def _trilinear(jnp: Any) -> Callable[..., Any]:
    def sample(volume: Any, points: Any) -> Any:
        low = jnp.floor(points)
        part, low = points - low, low.astype(jnp.int32)
        sampled = 0.0
        for n in range(8):
            corner = [n >> 2 & 1, n >> 1 & 1, n & 1]
            at = tuple(jnp.clip(low[:, d] + c, 0, 63) for d, c in enumerate(corner))
            weights = [part[:, d] if c else 1 - part[:, d] for d, c in enumerate(corner)]
            sampled += volume[at] * weights[0] * weights[1] * weights[2]
        return sampled

    return sample


def programs(jax: Any, jnp: Any, rng: Any) -> list[Case]:
    """Networks on graphs, sets and sequences, and forces between particles."""

    def real(*shape: int) -> Any:
        return jnp.asarray(rng.normal(size=shape), jnp.float32)

    n, m = 2000, 20000
    nodes, edges = real(n, 32), real(m, 16)
    senders, receivers = (jnp.asarray(rng.integers(0, n, m), jnp.int32) for _ in range(2))
    w, a, mixed, both = real(32, 32) * 0.2, real(64) * 0.2, real(48, 32) * 0.2, real(64, 32) * 0.2
    segment_sum, segment_max = jax.ops.segment_sum, jax.ops.segment_max

    def gat(x: Any, w: Any, a: Any) -> Any:
        h = x @ w
        pairs = jnp.concatenate([h[senders], h[receivers]], 1)
        scores = jax.nn.leaky_relu(pairs @ a)
        scores = jnp.exp(scores - segment_max(scores, receivers, n)[receivers])
        share = scores / segment_sum(scores, receivers, n)[receivers]
        return jax.nn.elu(segment_sum(h[senders] * share[:, None], receivers, n))

    def gcn(w: Any, x: Any) -> Any:
        degree = segment_sum(jnp.ones(m), receivers, n) + 1
        for _ in range(2):
            h = (x @ w) / jnp.sqrt(degree)[:, None]
            x = jax.nn.relu(segment_sum(h[senders], receivers, n) / jnp.sqrt(degree)[:, None] + h)
        return (x * x).mean()

    def graph_network(x: Any, e: Any, w: Any, v: Any) -> Any:
        e = jax.nn.relu(jnp.concatenate([x[senders], e], 1) @ w)
        return jax.nn.relu(jnp.concatenate([x, segment_sum(e, receivers, n)], 1) @ v)

    def deep_sets(x: Any, w: Any) -> Any:
        hidden = jax.nn.relu(jax.nn.relu(x @ w) @ w)
        sets = segment_sum(hidden, jnp.arange(n) // 20, n // 20)
        return jax.nn.relu(sets @ w) @ w

    def attention(x: Any, w: Any) -> Any:
        q, k, v = (jnp.einsum("btd,de->bte", x, each) for each in w)
        scores = jnp.einsum("bqd,bkd->bqk", q, k) / 8
        mask = jnp.tril(jnp.ones(scores.shape[1:], bool))
        return jax.nn.softmax(jnp.where(mask, scores, -1e9)) @ v

    def attend(table: Any, tokens: Any) -> Any:
        return table[tokens] @ table.T

    def energy(r: Any) -> Any:
        d = r[senders] - r[receivers]
        d = d - jnp.round(d / 10) * 10
        squared = jnp.maximum((d * d).sum(-1), 0.5)
        inverse = jnp.where(squared < 9, 1 / squared, 0.0) ** 3
        return (4 * (inverse * inverse - inverse)).sum()

    def steps(r: Any) -> Any:
        return jax.lax.fori_loop(0, 5, lambda _, r: r - 1e-5 * jax.grad(energy)(r), r)

    def mlp(x: Any, w: Any) -> Any:
        return jax.nn.log_softmax(jax.nn.gelu(jax.nn.gelu(x @ w) @ w) @ w)

    tokens, particles = receivers[:256], jnp.asarray(rng.random((n, 3)) * 10, jnp.float32)
    return [
        ("GAT", gat, (nodes, w, a)),
        ("GCN, gradient", jax.grad(gcn), (w, nodes)),
        ("GraphNetwork", graph_network, (nodes, edges, mixed, both)),
        ("DeepSets", deep_sets, (nodes, w)),
        ("attention", attention, (real(8, 128, 64), real(3, 64, 64))),
        ("embed and attend", attend, (real(2000, 64), tokens)),
        ("MLP, gradient", jax.grad(lambda w, x: mlp(x, w)[:, 0].sum()), (w, nodes)),
        ("forces", jax.grad(energy), (particles,)),
        ("five steps", steps, (particles,)),
    ]


def chain(jnp: Any, count: int) -> Callable[..., Any]:
    """About `count` ops: layers of a gather, arithmetic, a sum of segments and a concatenation."""

    def run(x: Any, i: Any) -> Any:
        for _ in range(count // 10):
            rows = x[i] * 0.5 + 1.0
            sums = jnp.zeros_like(x).at[i].add(rows)
            x = jnp.concatenate([sums[:8], jnp.tanh(x[8:])]) - x.mean(0)
        return x

    return run


def microseconds(runs: Sequence[Callable[[], Any]], seconds: float) -> list[float]:
    """Medians of calls in turns, after one of each."""
    found: list[list[float]] = [[] for _ in runs]
    end = time.perf_counter() + seconds
    while len(found[0]) < 3 or time.perf_counter() < end:
        for run, times in zip(runs, found, strict=True):
            begin = time.perf_counter()
            run()
            times.append((time.perf_counter() - begin) * 1e6)
    return [statistics.median(times[1:]) for times in found]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0.4, help="for each row")
    parser.add_argument("--only", nargs="*", default=[], help="rows with one of these in the name")
    parser.add_argument("--compile", type=int, nargs="*", help="compile chains of so many ops")
    parser.add_argument("--apart", action="store_true", help="a process each")
    parser.add_argument("--small", action="store_true", help="whole programs at tiny sizes")
    parser.add_argument("--party", choices=("XLA", "ours"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.apart:
        return _apart(sys.argv[1:])
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: asked.threads])

    import jax
    import jax.numpy as jnp
    import numpy as np
    from mlir_gs.integrations import jax as gs

    rng = np.random.default_rng(3)
    if asked.compile is not None:
        for count in asked.compile or [1000, 2000, 4000]:
            print(f"{count:6} ops {_compile_times(jax, gs, chain(jnp, count))}", flush=True)
        return 0
    cases = [*ops(jax, jnp, rng), *programs(jax, jnp, rng), *whole(jax, jnp, rng, asked.small)]
    kept = [case for case in cases if not asked.only or any(part in case[0] for part in asked.only)]
    if asked.party is None:
        print(f"{'':30} {'XLA':>9} {'ours':>9}  XLA/ours")
    for name, f, arguments in kept:
        parties = {"XLA": jax.jit(f), "ours": gs.kernel(f, threads=asked.threads)}

        def call(party: str, arguments: Any = arguments, parties: Any = parties) -> Any:
            return jax.block_until_ready(parties[party](*arguments))

        if asked.party is not None:
            begin = time.perf_counter()
            call(asked.party)
            first = time.perf_counter() - begin
            (alone,) = microseconds([lambda c=call: c(asked.party)], asked.seconds)
            print(json.dumps([name, alone, first]), flush=True)
            continue
        for found, wanted in zip(
            jax.tree.leaves(call("ours")), jax.tree.leaves(call("XLA")), strict=True
        ):
            theirs = np.asarray(wanted)
            finite = theirs[np.isfinite(theirs)]
            most = 1.0 if theirs.dtype == bool else float(np.abs(finite).max(initial=1.0))
            np.testing.assert_allclose(found, wanted, 1e-3, 1e-4 * most, err_msg=name)
        xla, mine = microseconds(
            [lambda c=call, party=party: c(party) for party in parties], asked.seconds
        )
        print(f"{name:30} {xla:9.0f} {mine:9.0f} {xla / mine:7.2f}", flush=True)
    return 0


def _apart(arguments: Sequence[str]) -> int:
    """The table of both, each timed in a process of its own."""
    rows: dict[str, list[list[float]]] = {}
    for party in ("XLA", "ours"):
        flags = [each for each in arguments if each != "--apart"]
        run = subprocess.run(
            [sys.executable, __file__, *flags, "--party", party],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        for name, *numbers in map(json.loads, run.stdout.splitlines()):
            rows.setdefault(name, []).append(numbers)
    print(f"{'':30} {'XLA':>9} {'ours':>9}  XLA/ours, seconds of the first call")
    for name, ((xla, first), (ours, our_first)) in rows.items():
        ratio = f"{xla:9.0f} {ours:9.0f} {xla / ours:7.2f}"
        print(f"{name:30} {ratio}  {first:.2f} {our_first:.2f}")
    mean = statistics.geometric_mean([xla / ours for (xla, _), (ours, _) in rows.values()])
    print(f"{'geometric mean':30} {'':19} {mean:7.2f}")
    return 0


def _compile_times(jax: Any, gs: Any, f: Callable[..., Any]) -> str:
    os.environ["MLIR_GS_CACHE"] = "off"
    shapes = (jax.ShapeDtypeStruct((64, 8), "float32"), jax.ShapeDtypeStruct((32,), "int32"))
    text = []
    for name, function in (("XLA", jax.jit(f)), ("ours", gs.kernel(f, threads=1))):
        traced = function.trace(*shapes)
        begin = time.process_time()
        traced.lower().compile()
        text.append(f"{name} {time.process_time() - begin:.2f} s")
    return ", ".join(text)


if __name__ == "__main__":
    sys.exit(main())
