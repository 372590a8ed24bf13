"""Reductions in vector lanes: each lane combines its share of the points, then the lanes combine.

For outputs that stay where they are while an input steps by one element, as the sums of rows. Only
where any grouping gives the same bits, or the combiner says that grouping is free: it is a sum or
product of floats with the fast-math flag `reassoc`.
"""

from collections.abc import Sequence
from math import gcd

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.combiners import combined, identity, reduced
from mlir_gs.lowering.ir.emit import Ix, add, loop_carrying, modulo, sub
from mlir_gs.lowering.op.body import splat
from mlir_gs.lowering.op.coordinates import Point
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.lanes import combiner_of
from mlir_gs.lowering.op.ranges import Range, Run
from mlir_gs.lowering.scf.loops.points import Elements

# Vectors that combine side by side, so that none waits for the one before.
VECTORS = 4


class Across:
    """The lanes of one element of the output, along the vector dim of `elements`."""

    def __init__(self, job: Job, elements: Elements, lanes: int, part: Range) -> None:
        combine = combiner_of(job)
        assert combine is not None
        self.combine = combine
        self.elements = elements
        self.lanes = lanes
        self.part = part
        size = part.size
        self.count = max(1, min(VECTORS, size // lanes)) if isinstance(size, int) else VECTORS

    def start(self, current: ir.Value) -> list[ir.Value]:
        """Vectors that change nothing, and the element of the output."""
        nothing = splat(identity(self.combine.name, current.type), self.lanes)
        return [*[nothing] * self.count, current]

    def along(self, here: Point, carried: Sequence[ir.Value]) -> list[ir.Value]:
        """All points of the dim at `here`."""
        *vectors, element = carried
        lower, upper = self.part.lower, self.part.upper
        for count, width in ((self.count, self.lanes), (1, self.lanes), (1, 1)):
            step = count * width
            end = sub(upper, modulo(sub(upper, lower), step))
            if isinstance(lower, int) and lower == end:
                continue
            first = gcd(self.part.first, width)

            def body(
                position: Ix, news: list[ir.Value], width: int = width, first: int = first
            ) -> list[ir.Value]:
                return [
                    self.elements.values(
                        Run(add(position, width * n), width, multiple=first), here, [current], False
                    )[0]
                    for n, current in enumerate(news)
                ]

            if width == 1:
                (element,) = loop_carrying(lower, end, [element], body)
            else:
                vectors[:count] = loop_carrying(lower, end, vectors[:count], body, step)
            lower = end
        return [*vectors, element]

    def finish(self, carried: Sequence[ir.Value]) -> ir.Value:
        """The lanes and the element as one element."""
        total, *others, element = carried
        for other in others:
            total = combined(self.combine, total, other)
        return reduced(self.combine, total, element)
