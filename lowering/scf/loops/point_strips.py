"""Points that are worked on together, without vectors.

A few at a time have all that they read in order read before the first of them writes: a load of a
coordinate or an update does not stand between the loads and stores of what lies at coordinates, and
a core has more of those on their way.
"""

from collections.abc import Callable, Sequence

from mlir_gs.lowering.ir.emit import Ix, Unroll, add, loop, modulo, sub
from mlir_gs.lowering.op.job import Job, symbols_in

FEW_OPS = 8
"""Ops of a body, at most, that is there several times."""


def at_once(job: Job, dim: int, most: int) -> int:
    """How many points of `dim` are emitted together, `most` or one.

    Not where coordinates are worked on before they are addresses. Branches gain nothing, and LLVM
    does the arithmetic in vectors, for which the loads and stores at those addresses wait. Nor
    where places are known: LLVM knows more.
    """
    found = set().union(*map(symbols_in, job.refs))
    indirect = any(dim in job.coordinates.depends(symbol) for symbol in found)
    plain = all(map(job.coordinates.is_plain, range(len(job.structure.coordinates))))
    few = len(job.body.operations) <= FEW_OPS
    together = indirect and plain and few and not job.has_known_places
    return most if together else 1


def point_strips(
    lower: Ix, upper: Ix, points: Callable[[Sequence[Ix]], None], count: int, unroll: Unroll
) -> None:
    """`points(positions)` for all of [lower, upper), in order: `count` at a time, and one by one
    where there are not as many."""
    end = sub(upper, modulo(sub(upper, lower), count))
    loop(lower, end, count, lambda at: points([add(at, k) for k in range(count)]), unroll)
    loop(end, upper, 1, lambda position: points([position]), unroll)
