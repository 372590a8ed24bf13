"""What a small call costs: 100 of 1,000 rows of 64 f32, results included, in turns with the peers.

`python benchmarks/call_overhead.py` prints the median and the quartiles of a call.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import timing
from mlir_gs.execution import compile
from peers import missing, tensor
from timing import Contestant
from workload import aligned, empty

SOURCE = """
func.func @rows(%table: tensor<?x64xf32>, %ids: tensor<?x1xi64>) -> tensor<?x64xf32> {
  %rows = gs.gather %table[%ids] gather_dims([0])
      : (tensor<?x64xf32>, tensor<?x1xi64>) -> tensor<?x64xf32>
  return %rows : tensor<?x64xf32>
}
"""
ROUNDS = 9


def calls() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Each way to call, by name."""
    rng = np.random.default_rng(0)
    table, ids = aligned(rng.random((1000, 64), np.float32)), aligned(rng.integers(0, 1000, 100))
    out, column = empty((100, 64), "f4"), ids[:, None]
    kernel = compile(SOURCE)
    yield "ours, out=", lambda: kernel(table, column, out=out)
    yield "ours, new result", lambda: kernel(table, column)
    yield "ours, no rows", lambda: kernel(table, column[:0], out=out[:0])
    yield "np.take, out=, clip", lambda: np.take(table, ids, 0, out=out, mode="clip")
    yield "np.take, new result", lambda: np.take(table, ids, 0)
    yield "table[ids]", lambda: table[ids]
    yield from _torch_calls(table, ids, out)
    yield from _jax_calls(table, ids)


def _torch_calls(
    table: np.ndarray, ids: np.ndarray, out: np.ndarray
) -> Iterator[tuple[str, Callable[[], Any]]]:
    if missing("torch"):
        return
    import torch

    t, i, o = tensor(table), tensor(ids), tensor(out)
    kernel = compile(SOURCE)
    column = i[:, None]
    yield "torch.index_select, out=", lambda: torch.index_select(t, 0, i, out=o)
    yield "torch.index_select, new result", lambda: torch.index_select(t, 0, i)
    yield "ours on torch's tensors, out=", lambda: kernel(t, column, out=o)


def _jax_calls(table: np.ndarray, ids: np.ndarray) -> Iterator[tuple[str, Callable[[], Any]]]:
    if missing("jax"):
        return
    import jax

    jax.config.update("jax_enable_x64", True)
    take = jax.jit(lambda table, ids: table.at[ids].get(mode="promise_in_bounds"))
    arrays = jax.numpy.array(table), jax.numpy.array(ids)
    yield "jax.jit", lambda: take(*arrays).block_until_ready()


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=ROUNDS, help="rounds (%(default)s)")
    rounds = parser.parse_args().repeats
    for kind in ("torch", "jax"):
        if why := missing(kind):
            print(f"left out: {kind}, {why}")
    parties = [Contestant(name, name.split()[0], call) for name, call in calls()]
    for _ in timing.compete(parties, rounds, pause=0.0):
        pass
    base = timing.statistics(parties[0].samples)["median"]
    print("| call | us | quartiles | x ours, out= |\n|---|---|---|---|")
    for party in parties:
        figures = timing.statistics(party.samples)
        low, median, high = (figures[key] * 1e6 for key in ("q1", "median", "q3"))
        ratio = median / base / 1e6
        print(f"| {party.name} | {median:.2f} | {low:.2f}-{high:.2f} | {ratio:.2f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
