"""Strips of points that are worked on one after the other, without vectors.

What is to come is asked for once in a strip. Of its points a few at a time have all that they read
in order read before the first of them writes: a load of a coordinate or an update does not stand
between the loads and stores of what lies at coordinates, and a core has more of those on their way.
"""

from collections.abc import Callable, Sequence

from mlir_gs.lowering.ir.emit import Ix, Unroll, add, loop, modulo, sub
from mlir_gs.lowering.op.job import Job

STRIP = 16
"""Points that are worked on after what is to come is asked for."""

TOGETHER = 4
"""Points of which all is read that is read in order before one of them writes. On a Zen 4, sums of
f32 into 256 bins from the caches take 0.9 times as long as one by one, with 8 points the same, with
2 points 1.0."""

FEW_OPS = 8
"""Ops of a body, at most, that is there several times."""


def at_once(job: Job) -> int:
    """How many points of a strip are emitted side by side: not where coordinates are worked on
    before they are addresses. Branches gain nothing, and LLVM does the arithmetic in vectors, for
    which the loads and stores at those addresses wait: up to 6 times as long."""
    plain = all(map(job.coordinates.is_plain, range(len(job.structure.coordinates))))
    return TOGETHER if plain and len(job.body.operations) <= FEW_OPS else 1


def point_strips(
    lower: Ix,
    upper: Ix,
    ask: Callable[[Ix], None],
    points: Callable[[Sequence[Ix]], None],
    count: int,
    unroll: Unroll,
) -> None:
    """`points(positions)` for all of [lower, upper), in order: `count` at a time in strips, each of
    which begins with `ask(start)`, and one by one where no strip is full."""

    def strip(start: Ix) -> None:
        ask(start)

        def some(number: Ix) -> None:
            first = add(start, number)
            points([add(first, k) for k in range(count)])

        # A known number: unrolled where that is little code. So short a loop is slow where its
        # branch falls on a boundary of 32 bytes (Intel's JCC erratum).
        loop(0, STRIP, count, some, unroll)

    end = sub(upper, modulo(sub(upper, lower), STRIP))
    loop(lower, end, STRIP, strip, unroll)
    loop(end, upper, 1, lambda position: points([position]))
