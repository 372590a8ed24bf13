"""The parties of random_workloads.py: one process for each, which makes a workload's arrays from
its seed and runs its own way to do it.

Each line on stdin is a task, each line on stdout the microseconds of a call, or why there is none.
"""

import functools
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import random_ir
from random_draw import READS, Draw


def _numpy(draw: Draw, a: dict[str, Any]) -> Callable[[], Any]:
    arrays: Any = map(a.get, "xiju")
    x, i, j, u = arrays

    def added() -> Any:
        out = x.copy()
        np.add.at(out, i, u)
        return out

    def put() -> Any:
        out = x.copy()
        out[i] = u
        return out

    def segments() -> Any:
        out = np.zeros((draw.rows, *u.shape[1:]), u.dtype)
        np.add.at(out, i, u)
        return out

    def messages() -> Any:
        out = np.zeros_like(x)
        w = a["w"].reshape(-1, *[1] * (x.ndim - 1))
        np.add.at(out, j, x[i] * w)
        return out

    return {
        "take": lambda: np.take(x, i, axis=0),
        "along": lambda: np.take_along_axis(x, i, axis=1),
        "pairs": lambda: x[i, j],
        "set": put,
        "add": added,
        "segments": segments,
        "messages": messages,
        "bins": lambda: np.bincount(i, u, draw.rows),
    }[draw.access]


def _in_torch(draw: Draw, a: dict[str, Any]) -> Callable[[], Any]:
    import torch

    rows, t = draw.rows, {name: torch.from_numpy(array) for name, array in a.items()}

    def zeros(u: Any) -> Any:
        return u.new_zeros((rows, *u.shape[1:]))

    def messages(x: Any, i: Any, j: Any, w: Any) -> Any:
        return zeros(x).index_add(0, j, x[i] * w.reshape(-1, *[1] * (x.ndim - 1)))

    ways: dict[str, tuple[Callable[..., Any], str]] = {
        "take": (lambda x, i: x.index_select(0, i), "xi"),
        "along": (lambda x, i: torch.take_along_dim(x, i.to(torch.int64), 1), "xi"),
        "pairs": (lambda x, i, j: x[i, j], "xij"),
        "set": (lambda x, i, u: x.index_copy(0, i, u), "xiu"),
        "add": (lambda x, i, u: x.index_add(0, i, u), "xiu"),
        "segments": (lambda u, i: zeros(u).index_add(0, i, u), "ui"),
        "messages": (messages, "xijw"),
        "bins": (lambda i, u: torch.bincount(i, u, rows), "iu"),
    }
    way, names = ways[draw.access]
    if draw.access == "set":
        t["i"] = t["i"].to(torch.int64)
    if sys.argv[1] != "torch":
        # Dynamo ends a graph at bincount, the size of which depends on data.
        ways["bins"] = (lambda i, u: u.new_zeros(rows).index_add(0, i, u), "iu")
        way, _ = ways[draw.access]
        import mlir_gs.integrations.torch  # noqa: F401  (registers the backend)

        # Of one function it compiles but a few sizes.
        torch._dynamo.reset()
        backend: Any = "mlir_gs" if "ours" in sys.argv[1] else "inductor"
        if "idle" in sys.argv[1]:
            backend = _idle
        way = torch.compile(way, backend=backend, dynamic=False)
    arguments = [t[name] for name in names]
    return lambda: way(*arguments)


def _idle(graph: Any, _: Any) -> Callable[..., Any]:
    """A backend whose calls give what the first one gave, at once."""
    kept: list[Any] = []

    def call(*arguments: Any) -> Any:
        if not kept:
            kept.append(graph(*arguments))
        return kept[0]

    return call


def _in_jax(draw: Draw, a: dict[str, Any]) -> Callable[[], Any]:
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    rows, segment = draw.rows, jax.ops.segment_sum
    take = functools.partial(jnp.take, mode="clip")
    jit: Callable[..., Any] = jax.jit
    if "ours" in sys.argv[1]:
        from mlir_gs.integrations.jax import kernel as jit

    def messages(x: Any, i: Any, j: Any, w: Any) -> Any:
        return segment(take(x, i, axis=0) * w.reshape(-1, *[1] * (x.ndim - 1)), j, rows)

    ways: dict[str, tuple[Callable[..., Any], str]] = {
        "take": (lambda x, i: take(x, i, axis=0), "xi"),
        "along": (lambda x, i: jnp.take_along_axis(x, i, axis=1), "xi"),
        "pairs": (lambda x, i, j: x[i, j], "xij"),
        "set": (lambda x, i, u: x.at[i].set(u), "xiu"),
        "add": (lambda x, i, u: x.at[i].add(u), "xiu"),
        "segments": (lambda u, i: segment(u, i, rows), "ui"),
        "messages": (messages, "xijw"),
        "bins": (lambda i, u: jnp.bincount(i, u, length=rows), "iu"),
    }
    way, names = ways[draw.access]
    arguments = [jnp.asarray(a[name]) for name in names]
    function = jit((lambda *_: jnp.zeros(1)) if "idle" in sys.argv[1] else way)
    return lambda: function(*arguments).block_until_ready()


_LOOPS = {
    "take": ("x, i", "np.empty((len(i), *x.shape[1:]), x.dtype)", "out[{k}] = x[i[k]{d}]"),
    "pairs": (
        "x, i, j",
        "np.empty((len(i), *x.shape[2:]), x.dtype)",
        "out[{k}] = x[i[k], j[k]{d}]",
    ),
    "set": ("x, i, u", "x.copy()", "out[i[k]{d}] = u[{k}]"),
    "add": ("x, i, u", "x.copy()", "out[i[k]{d}] += u[{k}]"),
    "segments": ("u, i", "np.zeros((ROWS, *u.shape[1:]), u.dtype)", "out[i[k]{d}] += u[{k}]"),
    "bins": ("i, u", "np.zeros(ROWS)", "out[i[k]] += u[k]"),
    "messages": ("x, i, j, w", "np.zeros_like(x)", "out[j[k]{d}] += x[i[k]{d}] * w[k]"),
}
_ALONG = """
def loop(x, i):
    out = np.empty((i.shape[0], i.shape[1], x.shape[2]), x.dtype)
    for b in range_(i.shape[0]):
        for k in range(i.shape[1]):
            for d in range(x.shape[2]):
                out[b, k, d] = x[b, i[b, k, 0], d]
    return out
"""


def _in_numba(draw: Draw, a: dict[str, Any]) -> Callable[[], Any]:
    """The loop that the access is; a read shares it among threads."""
    import numba

    if draw.access == "along":
        text, names = _ALONG, "xi"
    else:
        parameters, made, body = _LOOPS[draw.access]
        names = parameters.replace(", ", "")
        deep = draw.width > 1
        line = body.format(k="k, d" if deep else "k", d=", d" if deep else "")
        inner = f"        for d in range({draw.width}):\n            {line}\n"
        text = (
            f"def loop({parameters}):\n    out = {made}\n    for k in range_(len(i)):\n"
            + (inner if deep else f"        {line}\n")
            + "    return out\n"
        )
    shared = len(os.sched_getaffinity(0)) > 1 and draw.access in READS
    known = {"np": np, "ROWS": draw.rows, "range_": numba.prange if shared else range}
    exec(text, known)
    loop = numba.njit(parallel=shared)(known["loop"])
    arguments = [a[name] for name in names]
    return lambda: loop(*arguments)


def _functions(draw: Draw, a: dict[str, Any]) -> Callable[[], Any]:
    import mlir_gs as gs

    arrays: Any = map(a.get, "xijuw")
    x, i, j, u, w = arrays
    return {
        "take": lambda: gs.take(x, i, axis=0),
        "along": lambda: gs.take_along_axis(x, i, axis=1),
        "pairs": lambda: gs.at(x)[i, j].get(),
        "set": lambda: gs.at(x)[i].set(u),
        "add": lambda: gs.at(x)[i].add(u),
        "segments": lambda: gs.segment_sum(u, i, draw.rows),
        "messages": lambda: gs.gather_segment_sum(x, i, j, draw.rows, w),
        "bins": lambda: gs.bincount(i, u, draw.rows),
    }[draw.access]


PARTIES: dict[str, Callable[[Draw, dict[str, Any]], Callable[[], Any]]] = {
    "numpy": _numpy,
    "torch": _in_torch,
    "inductor": _in_torch,
    "jax": _in_jax,
    "numba": _in_numba,
    "ours functions": _functions,
    "ours IR": random_ir.kernel,
    "ours torch": _in_torch,
    "ours jax": _in_jax,
    "idle torch": _in_torch,
    "idle jax": _in_jax,
}


def microseconds(run: Callable[[], Any], seconds: float) -> float:
    """The median of the calls that fit into `seconds`, in batches of 0.2 ms at least."""
    begin = time.perf_counter()
    run()
    batch = max(1, int(2e-4 / max(time.perf_counter() - begin, 1e-7)))
    found, end = [], time.perf_counter() + seconds
    while not found or time.perf_counter() < end:
        begin = time.perf_counter()
        for _ in range(batch):
            run()
        found.append((time.perf_counter() - begin) / batch * 1e6)
    return statistics.median(found)


def main() -> int:
    party, threads = sys.argv[1], int(sys.argv[2])
    pipe = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    if "torch" in party or party == "inductor":
        import torch

        torch.set_num_threads(threads)
    made: tuple[Draw | None, Callable[[], Any]] = (None, lambda: None)
    for line in sys.stdin:
        task = json.loads(line)
        draw = Draw(**task["draw"])
        try:
            if made[0] != draw:
                made = draw, PARTIES[party](draw, draw.arrays())
                np.save(task["result"], np.asarray(made[1]()))
            answer = {"us": microseconds(made[1], task["seconds"])}
        except Exception as error:
            answer = {"why": f"{type(error).__name__}: {error}".splitlines()[0]}
        print(json.dumps(answer), file=pipe, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
