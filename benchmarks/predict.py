"""How long a workload takes by the facts of a machine, without running it.

Two things go on at once: memory moves, and a core goes from point to point. The longer one is
the time. Memory: what is read and written in order, at the bandwidth of the stores that the policy
chooses; lines at coordinates, at the latency over the lines that are on their way to the cache that
prefetches go to. What the last cache holds is taken to be free. Points: the time of one out of the
first cache, for each vector of its row. Threads share both, but not the bandwidth of memory.
"""

from functools import cache

import numpy as np
from bandwidth import best_time
from mlir_gs.execution import compile
from mlir_gs.execution.tuning.measure import kernel_text
from mlir_gs.lowering.scf.policy import Policy, policy
from mlir_gs.lowering.scf.target import Target
from workload import Case, Slices

_POINTS = 1 << 16


def seconds(case: Case, facts: Target, threads: int) -> float:
    """Of a call, by these facts."""
    chosen = policy(facts, threads)
    read = max(0, case.read - sum(each.read for each in case.slices))
    written = max(0, case.written - sum(each.written for each in case.slices))
    memory = points = 0.0
    if case.read + case.written > facts.llc_bytes:
        memory += _in_order(read, written, facts, chosen)
    for each in case.slices:
        memory += _at_coordinates(each, facts, chosen) / threads
        vectors = -(-each.bytes // facts.vector_bytes)
        points += each.positions.size * vectors * _point()
    moved = -(-(read + written) // facts.vector_bytes) * _point()
    fork = facts.fork_us * 1e-6 if threads > 1 else 0.0
    return max(memory, max(points, moved) / threads) + fork


def _in_order(read: int, written: int, facts: Target, chosen: Policy) -> float:
    """Copies are as many bytes as are read and written; what is left is read, or written."""
    streamed = 0 < chosen.stream_bytes <= read + written
    copy = (facts.stream_gbs if streamed else facts.write_gbs) * 1e9
    both = min(read, written)
    reading = facts.read_gbs * 1e9
    return both / copy + (read - both) / reading + (written - both) * (1 / copy - 1 / reading)


def _at_coordinates(slices: Slices, facts: Target, chosen: Policy) -> float:
    if slices.table.nbytes <= facts.llc_bytes:
        return 0.0
    lines = slices.lines / facts.line
    on_their_way = facts.lines_l2 if chosen.prefetch_level == 2 else facts.lines_l1
    return lines * facts.latency_ns * 1e-9 / on_their_way


@cache
def _point() -> float:
    """Seconds of an element at a coordinate, out of the first cache."""
    places = np.random.default_rng(0).integers(0, 1 << 10, (_POINTS, 1)).astype(np.int32)
    table, out = np.zeros(1 << 10, np.float32), np.empty(_POINTS, np.float32)
    kernel = compile(kernel_text("take"), threads=1)

    def run(repeats: int) -> None:
        for _ in range(repeats):
            kernel(table, places, out=out)

    return best_time(run, 0.02) / _POINTS
