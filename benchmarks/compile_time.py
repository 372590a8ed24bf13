"""From text to the first result: our kernel, jax.jit and torch.compile for the same op, in turns.

`python benchmarks/compile_time.py` starts a fresh process for each reading of the first kernel, and
reads later kernels in it, each of a shape that was not seen before; parties take turns, in another
order each time. Imports are not in the figures;
what a party sets up when it first compiles is, its contexts and backends. Ratios are to the first
party, ours, as it is used: on a disk that has what all kernels share, as others ship it compiled,
and none of these kernels. A thread writes them there afterwards. In `mlir-gs-no-disk` each
process compiles what all kernels share. Figures are medians, with quartiles.
"""

import argparse
import importlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import timing
from peers import missing

GATHER = """
func.func @rows(%table: tensor<{rows}x64xf32>, %ids: tensor<100x1xi64>) -> tensor<100x64xf32> {{
  %rows = gs.gather %table[%ids] gather_dims([0])
      : (tensor<{rows}x64xf32>, tensor<100x1xi64>) -> tensor<100x64xf32>
  return %rows : tensor<100x64xf32>
}}
"""

ADD = """
func.func @add(%updates: tensor<100x64xf32>, %dest: tensor<{rows}x64xf32>,
    %ids: tensor<100x1xi64>) -> tensor<{rows}x64xf32> {{
  %sums = gs.scatter %updates into %dest[%ids] scatter_dims([0]) combine(add)
      : (tensor<100x64xf32>, tensor<{rows}x64xf32>, tensor<100x1xi64>) -> tensor<{rows}x64xf32>
  return %sums : tensor<{rows}x64xf32>
}}
"""

ANOTHER_KERNEL = """
from mlir_gs import compile
compile("func.func @f(%x: tensor<4xi8>) -> tensor<4xi8> { return %x : tensor<4xi8> }")
"""
"""With its code, what all kernels share comes to the disk."""

KERNELS = 4
OURS, NO_DISK = "mlir-gs", "mlir-gs-no-disk"
PARTIES = {OURS: None, NO_DISK: None, "jax.jit": "jax", "torch.compile": "torch.compile"}
OPS = ("gather", "scatter-add")


def ours() -> Callable[[str, Any, Any, Any], Any]:
    from mlir_gs.execution import compile

    # What `compile` imports when it is first called.
    importlib.import_module("mlir_gs.execution.compilation.build")

    kept = []

    def run(op: str, table: Any, ids: Any, rows: Any) -> Any:
        text = (GATHER if op == "gather" else ADD).format(rows=len(table))
        kernel = compile(text)
        # As JAX keeps what it has compiled: freeing it is not in the figures.
        kept.append(kernel)
        arguments = (table, ids[:, None]) if op == "gather" else (rows, table, ids[:, None])
        return kernel(*arguments)

    return run


def jax_jit() -> Callable[[str, Any, Any, Any], Any]:
    import jax

    jax.config.update("jax_enable_x64", True)

    def run(op: str, table: Any, ids: Any, rows: Any) -> Any:
        def gather(table: Any, ids: Any, rows: Any) -> Any:
            return table.at[ids].get(mode="promise_in_bounds")

        def add(table: Any, ids: Any, rows: Any) -> Any:
            return table.at[ids].add(rows, mode="promise_in_bounds")

        function = jax.jit(gather if op == "gather" else add)
        return function(table, ids, rows).block_until_ready()

    return run


def torch_compile() -> Callable[[str, Any, Any, Any], Any]:
    import torch

    def run(op: str, table: Any, ids: Any, rows: Any) -> Any:
        torch._dynamo.reset()

        def gather(table: Any, ids: Any, rows: Any) -> Any:
            return table[ids]

        def add(table: Any, ids: Any, rows: Any) -> Any:
            return table.index_add(0, ids, rows)

        function = torch.compile(gather if op == "gather" else add, dynamic=False)
        tensors = (torch.from_numpy(array) for array in (table, ids, rows))
        return function(*tensors).numpy()

    return run


MAKERS = {OURS: ours, NO_DISK: ours, "jax.jit": jax_jit, "torch.compile": torch_compile}


def readings(party: str, op: str) -> list[float]:
    """Seconds of each kernel in this process, the first one first; checks the results."""
    run, rng, seconds = MAKERS[party](), np.random.default_rng(0), []
    for number in range(KERNELS):
        table = rng.random((1000 + number, 64), np.float32)
        ids, rows = rng.integers(0, 1000, 100), rng.random((100, 64), np.float32)
        expected = table[ids] if op == "gather" else table.copy()
        if op != "gather":
            np.add.at(expected, ids, rows)
        start = time.perf_counter()
        found = run(op, table, ids, rows)
        seconds.append(time.perf_counter() - start)
        np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-6)
    return seconds


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, default=3, help="for each party (%(default)s)")
    parser.add_argument(
        "--parties", default=",".join(PARTIES), help="from %(default)s; ratios are to the first"
    )
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(readings(*options.one)))
        return 0
    parties = []
    for party in options.parties.split(","):
        if party not in PARTIES:
            parser.error(f"no party {party}; there are {', '.join(PARTIES)}")
        kind = PARTIES[party]
        why = missing(kind) if kind else None
        if why:
            print(f"left out: {party}, {why}")
        else:
            parties.append(party)
    print("| op | | first kernel, ms | ratio | next kernels, ms | ratio |")
    print("|---" * 6 + "|")
    order = random.Random(0)
    for op in OPS:
        found: dict[str, list[list[float]]] = {party: [] for party in parties}
        for _ in range(options.processes):
            # None always after the same one: what torch.compile leaves behind slows down the next.
            for party in order.sample(parties, len(parties)):
                time.sleep(timing.PAUSE)
                with tempfile.TemporaryDirectory() as place:
                    found[party].append(_process(party, op, place))
        first = {p: timing.statistics([run[0] for run in found[p]]) for p in parties}
        later = {p: timing.statistics([t for run in found[p] for t in run[1:]]) for p in parties}
        for party in parties:
            cells = [
                f"{_spread(figures[party])} | "
                f"{figures[party]['median'] / figures[parties[0]]['median']:.1f}"
                for figures in (first, later)
            ]
            print(f"| {op} | {party} | {' | '.join(cells)} |")
    return 0


def _spread(figures: dict[str, float]) -> str:
    """The median and the quartiles, in ms."""
    low, median, high = (figures[key] * 1e3 for key in ("q1", "median", "q3"))
    return f"{median:.1f} ({low:.1f}-{high:.1f})"


def _process(party: str, op: str, place: str) -> list[float]:
    """Readings of a fresh process; `place` is an empty folder."""
    variables = {**os.environ, "TORCHINDUCTOR_FORCE_DISABLE_CACHES": "1", "MLIR_GS_CACHE": "off"}
    if party == OURS:
        variables["MLIR_GS_CACHE"] = place
        subprocess.run([sys.executable, "-c", ANOTHER_KERNEL], check=True, env=variables)
    command = [sys.executable, __file__, "--one", party, op]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=variables)
    return json.loads(run.stdout.splitlines()[-1])


if __name__ == "__main__":
    sys.exit(main())
