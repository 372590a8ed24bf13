"""The placement of a machine's CPUs at a moment: the time to hand a cache line from one to the
next, and how much longer they compute together than one alone.

The CPUs of a virtual machine migrate. Two of them may be cores that share a last-level cache, cores
on two dies with twice the cache and bandwidth, or two threads of one core. Only times of the same
placement can be compared.
"""

import os
import threading
import time
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

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

COMPUTE = """
func.func @compute(%rounds: index, %factor: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %three = arith.constant 3 : i64
  %last:4 = scf.for %i = %c0 to %rounds step %c1
      iter_args(%a = %factor, %b = %three, %c = %factor, %d = %three) -> (i64, i64, i64, i64) {
    %e = arith.muli %a, %factor : i64
    %f = arith.muli %b, %factor : i64
    %g = arith.muli %c, %factor : i64
    %h = arith.muli %d, %factor : i64
    %i0 = arith.xori %e, %b : i64
    %i1 = arith.xori %g, %d : i64
    scf.yield %i0, %f, %i1, %h : i64, i64, i64, i64
  }
  %0 = arith.addi %last#0, %last#1 : i64
  %1 = arith.addi %last#2, %last#3 : i64
  %2 = arith.addi %0, %1 : i64
  return %2 : i64
}
"""
"""Multiplies as fast as a core can: it has one multiplier, or as many as it can feed."""

ROUNDS = 2000
PRODUCTS = 250_000
TRIES = 1 << 22
READINGS = 3

WITHIN = (2.0, 1.4)
"""The largest ratio of hops, and of times to compute together, of one placement."""


class Moment(NamedTuple):
    """`hop`: the seconds that a line takes from one CPU to the next, around all of them; `beside`:
    the time that they compute together over that of the first one alone."""

    hop: float
    beside: float


def measure(threads: int) -> Moment | None:
    """The placement of the process's first `threads` CPUs: of each number the least of a few
    readings of half a millisecond. None for one thread, and where they did not run together.

    The threads are Python's own, which sleep afterwards: an OpenMP runtime's would spin.
    """
    if threads < 2:
        return None
    hops = [each for _ in range(READINGS) if (each := _hop(threads)) is not None]
    alone, beside = (min(_compute(n) for _ in range(READINGS)) for n in (1, threads))
    return Moment(min(hops), beside / alone) if hops else None


@cache
def _kernel(text: str) -> Any:
    return compile(text, threads=1)


def _hop(threads: int) -> float | None:
    hand, lines = _kernel(HAND), np.zeros((2, 16), "i8")
    seconds, gave_up = [0.0] * threads, [False] * threads

    def party(number: int) -> None:
        met = hand(lines[0], number, threads, 10, TRIES)
        start = time.perf_counter()
        left = hand(lines[1], number, threads, ROUNDS, met)
        seconds[number] = time.perf_counter() - start
        gave_up[number] = not left

    _side_by_side(threads, party)
    return None if any(gave_up) else max(seconds) / (ROUNDS * threads)


def _compute(threads: int) -> float:
    """Seconds that the slowest takes."""
    hand, compute, line = _kernel(HAND), _kernel(COMPUTE), np.zeros(16, "i8")
    seconds = [0.0] * threads

    def party(number: int) -> None:
        hand(line, number, threads, 10, TRIES)
        start = time.perf_counter()
        compute(PRODUCTS, 7)
        seconds[number] = time.perf_counter() - start

    _side_by_side(threads, party)
    return max(seconds)


def _side_by_side(threads: int, party: Callable[[int], None]) -> None:
    """`party(n)` for each n below `threads`, on a CPU of its own."""
    cpus = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_setaffinity") else []

    def on_cpu(number: int) -> None:
        if cpus:
            os.sched_setaffinity(0, {cpus[number % len(cpus)]})
        party(number)

    parties = [threading.Thread(target=on_cpu, args=(number,)) for number in range(threads)]
    for each in parties:
        each.start()
    for each in parties:
        each.join()
