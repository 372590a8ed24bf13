"""How far the CPUs are from each other: what it takes to hand a cache line from one to the next.

The CPUs of a virtual machine move. Two of an AMD EPYC are at one moment cores with one last-level
cache and one way to memory, where a line takes 25 to 35 ns, and at another on two dies, where it
takes 160, with twice the cache and twice the bandwidth. Times of one moment say nothing about those
of the other; this tells which is which.
"""

import os
import threading
import time
from functools import cache
from typing import Any

import numpy as np
from mlir_gs.execution import compile

HAND = """
func.func @hand(%line: memref<?xi64>, %me: i64, %parties: i64, %rounds: index, %tries: index)
    -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %left = scf.for %i = %c0 to %rounds step %c1 iter_args(%before = %tries) -> (index) {
    %round = arith.index_cast %i : index to i64
    %others = arith.muli %round, %parties : i64
    %turn = arith.addi %others, %me : i64
    %after = scf.while (%now_left = %before) : (index) -> index {
      %now = memref.atomic_rmw addi %zero, %line[%c0] : (i64, memref<?xi64>) -> i64
      %early = arith.cmpi ne, %now, %turn : i64
      %patient = arith.cmpi ugt, %now_left, %c0 : index
      %waits = arith.andi %early, %patient : i1
      scf.condition(%waits) %now_left : index
    } do {
    ^bb0(%now_left: index):
      %less = arith.subi %now_left, %c1 : index
      scf.yield %less : index
    }
    %counted = memref.atomic_rmw addi %one, %line[%c0] : (i64, memref<?xi64>) -> i64
    scf.yield %after : index
  }
  return %left : index
}
"""
"""Waits for its turn and passes it on, so many rounds; gives the tries that are left, 0 if it gave
up."""

ROUNDS = 2000
TRIES = 1 << 22
READINGS = 3


@cache
def _kernel() -> Any:
    return compile(HAND, threads=1)


def measure(threads: int) -> float | None:
    """Seconds that a line takes from one of the process's first `threads` CPUs to the next, around
    all of them, the least of a few readings of half a millisecond each; None for one thread, and
    where they did not run side by side.

    The threads are Python's own, which sleep afterwards: an OpenMP runtime's would spin.
    """
    if threads < 2:
        return None
    readings = [each for _ in range(READINGS) if (each := _reading(threads)) is not None]
    return min(readings, default=None)


def _reading(threads: int) -> float | None:
    hand, lines = _kernel(), np.zeros((2, 16), "i8")
    seconds, gave_up = [0.0] * threads, [False] * threads
    cpus = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_setaffinity") else []

    def party(number: int) -> None:
        if cpus:
            os.sched_setaffinity(0, {cpus[number % len(cpus)]})
        met = hand(lines[0], number, threads, 10, TRIES)
        start = time.perf_counter()
        left = hand(lines[1], number, threads, ROUNDS, met)
        seconds[number] = time.perf_counter() - start
        gave_up[number] = not left

    parties = [threading.Thread(target=party, args=(number,)) for number in range(threads)]
    for each in parties:
        each.start()
    for each in parties:
        each.join()
    return None if any(gave_up) else max(seconds) / (ROUNDS * threads)
