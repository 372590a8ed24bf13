"""How long a workload takes by the facts of a machine, without running it.

A call starts, starts threads if enough moves, checks coordinates, moves what lies in order and goes
from point to point. Facts are those of the target and the times of what kernels are made of, each
measured once on a machine (`Probes`): an element, a row of a line and one of 16 lines that is read,
set or added to, out of each level of cache and out of memory, on so many threads. Where coordinates
lead is read off them: to the line of the point before or the next one, or to one of the lines that
are touched most often, of which each level holds as many as fit.

    python benchmarks/predict.py --seeds 0-49 --threads 2

compares what seeds of random_workloads.py take as IR with what is predicted.
"""

import argparse
import os
import statistics
import sys
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import predict_probes
import random_ir
import random_workloads
from mlir_gs.execution.tuning.measure import tune
from mlir_gs.lowering.scf.policy import policy
from mlir_gs.lowering.scf.target import Target
from mlir_gs.lowering.scf.targets import facts_of_text
from predict_probes import WIDTHS
from random_parties import microseconds
from workload import LINE, Case, Slices


def seconds(case: Case, facts: Target, threads: int) -> float:
    """Of a call, by these facts."""
    probes = measured(facts, threads)
    touched = case.read + case.written
    moved = touched + sum(map(_rows, case.slices))
    if threads > 1 and moved < policy(facts).serial_bytes:
        probes, threads = measured(facts, 1), 1
    reads = [each for each in case.slices if each.access == "read"]
    writes = [each for each in case.slices if each.access != "read"]
    read = max(0, case.read - sum(each.read for each in case.slices))
    written = max(0, case.written - sum(each.written for each in writes))
    # A point of a gather writes its row in order and one of a scatter reads it, if none are fused.
    of_reads, of_writes = (sum(map(_rows, each)) for each in (reads, writes))
    found = probes.beside(min(read, of_writes), min(written, of_reads), touched)
    found += probes.in_order(max(0, read - of_writes), max(0, written - of_reads), touched)
    found += sum(probes.at_coordinates(each, touched) for each in case.slices)
    if getattr(case, "checked", False):
        found += sum(each.positions.size for each in case.slices) * probes.check
    if getattr(case, "ways", 1) > 1:
        found += case.slices[0].positions.size * (probes.pair + probes.check)
    if not case.in_place and not hasattr(case, "out"):
        found += probes.result
    return found + probes.start + (probes.fork if threads > 1 else 0.0)


def _rows(slices: Slices) -> int:
    """Bytes of the rows of all points."""
    return slices.positions.size * slices.bytes


@dataclass(frozen=True)
class Probes:
    """What this machine takes with so many threads, in seconds: to start a kernel, to share a loop,
    to check a coordinate; a byte in order, read, copied or filled; a point of each access, by the
    bytes of its row; and a point that waits for the sum of the one before. Times by level: L1, L2,
    the last cache, memory."""

    facts: Target
    threads: int
    start: float = 0.0
    result: float = 0.0
    fork: float = 0.0
    check: float = 0.0
    pair: float = 0.0
    order: dict[str, list[float]] = field(default_factory=dict)
    points: dict[tuple[str, int], list[float]] = field(default_factory=dict)
    waits: dict[int, float] = field(default_factory=dict)

    @property
    def sizes(self) -> list[int]:
        """Bytes of the caches: each thread has L1 and L2 of its own."""
        own = (self.facts.l1_bytes * self.threads, self.facts.l2_bytes * self.threads)
        return [*own, self.facts.llc_bytes]

    def level(self, touched: float) -> list[float]:
        """The part of so many bytes, one after the other again and again, that each level gives.
        Of more than it holds a level keeps what is not evicted before it comes again."""
        held = [min(1.0, max(0.0, 2 - touched / size)) for size in self.sizes] + [1.0]
        return [held[0], *(b - a for a, b in pairwise(np.maximum.accumulate(held)))]

    def in_order(self, read: int, written: int, touched: int) -> float:
        """Copies are as many bytes as are read and written; what is left is read, or written."""
        parts = self.level(touched)
        both = min(read, written)
        counts = {"read": read - both, "fill": written - both}
        found = sum(
            count * float(np.dot(parts, self.order[name])) for name, count in counts.items()
        )
        if 0 < policy(self.facts).stream_bytes <= touched:
            parts = [0.0, 0.0, 0.0, 1.0]
        return found + both * float(np.dot(parts, self.order["copy"]))

    def beside(self, read: int, written: int, touched: int) -> float:
        """What points read and write in order takes longer than out of L1."""
        parts = np.array(self.level(touched))
        counts = {"read": read, "fill": written}
        return sum(
            count * float(parts @ (np.array(self.order[name]) - self.order[name][0]))
            for name, count in counts.items()
        )

    def at_coordinates(self, slices: Slices, touched: int) -> float:
        """Points and their rows at coordinates."""
        positions = slices.positions.ravel().astype(np.int64)
        if not positions.size:
            return 0.0
        near, parts = self._places(positions, slices, touched)
        points = self._point(slices)
        order = np.array(self.order["fill" if slices.access == "read" else "read"])
        far = np.maximum(points - points[0] - slices.bytes * (order - order[0]), 0.0)
        next_ = np.array(self.order["read"]) - self.order["read"][0]
        found = points[0] + (1 - near) * float(parts @ far)
        found += near * slices.lines / max(positions.size, 1) * float(parts @ next_)
        if slices.access == "update":
            again = _again(positions)
            wait = float(np.interp(slices.bytes, list(self.waits), [*self.waits.values()]))
            found = max(found, (1 - again) * found + again * wait)
        return found * positions.size

    def _places(
        self, positions: np.ndarray, slices: Slices, touched: int
    ) -> tuple[float, np.ndarray]:
        """The part of points at the line of the point before or the next one; where lines are, by
        level."""
        size = max(slices.bytes, 1)
        first = positions * size // LINE
        last = (positions * size + size - 1) // LINE
        steps, again = first[1:] - last[:-1], positions[1:] == positions[:-1]
        near = float(np.mean(again | ((steps >= 0) & (steps <= 1)))) if steps.size else 0.0
        _, counts = np.unique(first, return_counts=True)
        often = np.cumsum(np.sort(counts)[::-1]) / positions.size
        held = max(LINE, size)
        table = counts.size * held
        parts = [1.0 if touched <= c else 0.0 for c in self.sizes]
        for k, capacity in enumerate(self.sizes):
            # What is in order goes through the cache as well.
            fit = int(min(capacity * table / max(touched, table), table) // held)
            parts[k] = max(parts[k], float(often[fit - 1]) if fit else 0.0)
        parts = [*np.maximum.accumulate(parts), 1.0]
        return near, np.array([parts[0], *(b - a for a, b in pairwise(parts))])

    def _point(self, slices: Slices) -> np.ndarray:
        """A point by level; rows between those that were measured are in proportion."""
        size, count = slices.bytes, slices.bytes // slices.table.itemsize
        if count == 1:
            return np.array(self.points[slices.access, 1])
        if size < LINE and count & (count - 1):
            return np.array(self.points[slices.access, 3]) * (count / 3)
        widths = [width for width in WIDTHS if width != 3]
        sizes = [width * 4 for width in widths]
        tables = np.array([self.points[slices.access, width] for width in widths])
        if size > sizes[-1]:
            return tables[-1] * (size / sizes[-1])
        return np.array([np.interp(size, sizes, column) for column in tables.T])


def _again(positions: np.ndarray) -> float:
    """The part of points at the place of one of the three before."""
    found = np.zeros(positions.size, bool)
    for back in (1, 2, 3):
        found[back:] |= positions[back:] == positions[:-back]
    return float(found.mean())


@cache
def measured(facts: Target, threads: int) -> Probes:
    """The times of this machine."""
    return Probes(facts, threads, **predict_probes.measured(facts, threads))


def case_of(drawn: Any, arrays: dict[str, Any]) -> Case:
    """A workload of random_workloads.py."""
    given: list[Any] = [arrays.get(name) for name in "xijuw"]
    x, i, j, u, w = given
    case: Any = Case(checked=True, arguments=tuple(arrays.values()), threads=1)
    at = i.ravel().astype(np.int64)
    if drawn.access in ("take", "along", "pairs"):
        if drawn.access == "along":
            batches, count, _ = i.shape
            at += np.repeat(np.arange(batches) * x.shape[1], count)
        if drawn.access == "pairs":
            at = at * 8 + j
        row = drawn.width * x.itemsize
        table = x.reshape(-1, drawn.width)
        slices = Slices(table, at.astype(i.dtype))
        case.slices = (slices,)
        case.read = slices.read + (j.nbytes if j is not None else 0)
        case.written = at.size * row
        case.ways = 2 if drawn.access == "pairs" else 1
        return case
    moved = x if drawn.access == "messages" else u
    made = drawn.rows * drawn.width * moved.itemsize
    table = np.empty((drawn.rows, drawn.width), moved.dtype)
    access = "set" if drawn.access == "set" else "update"
    target = j if drawn.access == "messages" else i
    case.slices = (Slices(table, target, access),)
    # The result is a copy, or filled.
    case.read = case.slices[0].read + (made if drawn.access in ("set", "add") else 0)
    case.written = case.slices[0].written + made
    if drawn.access == "messages":
        gathered = Slices(x.reshape(-1, drawn.width), i)
        case.slices += (gathered,)
        case.read += gathered.read + w.nbytes
    else:
        case.read += u.nbytes
    return case


def main() -> None:
    """Predictions of seeds beside what they take."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", default="0-9", help="as 3,5-8 (%(default)s)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0.1, help="of a seed (%(default)s)")
    parser.add_argument("--measured", type=Path, help="a file of gs-tune, instead of measuring now")
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: options.threads])
    facts = facts_of_text(options.measured.read_text()) if options.measured else tune(os.devnull)
    measured(facts, options.threads)
    groups: dict[str, list[float]] = {}
    for seed in random_workloads.numbers(options.seeds):
        drawn = random_workloads.draw(seed)
        arrays = drawn.arrays()
        case = case_of(drawn, arrays)
        predicted = seconds(case, facts, options.threads) * 1e6
        took = microseconds(random_ir.kernel(drawn, arrays), options.seconds)
        touched = case.read + case.written
        level = sum(touched > size for size in measured(facts, 1).sizes)
        print(f"{seed} {drawn.access}: {took:.1f} us, predicted {predicted / took:.2f} of it")
        names = (drawn.access, ("L1", "L2", "the last cache", "memory")[level], "all")
        for name in names:
            groups.setdefault(name, []).append(predicted / took)
    for name, ratios in groups.items():
        errors = sorted(abs(ratio - 1) for ratio in ratios)
        low, middle, high = (errors[len(errors) * k // 4] for k in (1, 2, 3))
        bias = statistics.median(ratios)
        print(f"{name} ({len(errors)}): error {middle:.0%} ({low:.0%}-{high:.0%}), {bias:.2f}")


if __name__ == "__main__":
    sys.exit(main())
