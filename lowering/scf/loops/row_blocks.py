"""Sums along rows, with a row in each lane: blocks of rows are turned around.

The sum of one row is a chain of additions that wait for each other. Here each lane adds up a row of
its own, in order. What the body does before it reads an output is done row by row, on vectors along
the rows; the results of as many rows as there are lanes are transposed in registers.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import arith
from mlir_gs.lowering.ir.emit import (
    Ix,
    add,
    choose,
    loop_carrying,
    modulo,
    sub,
)
from mlir_gs.lowering.op.body import Body, bytes_of, harmless, splat, vector
from mlir_gs.lowering.op.coordinates import Point
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.ranges import Range, Run
from mlir_gs.lowering.op.refs import Ref
from mlir_gs.lowering.scf.loops.points import Elements
from mlir_gs.lowering.scf.remarks import names, remark

# Bytes of an element of which x86 has loads that leave some out.
MASKED_BYTES = 4


@dataclass(frozen=True)
class RowBlocks:
    """`rows` are the inputs that lie along the reduction dim `dim`, `apart` those of them that
    differ from point to point of `vector_dim`. The ops `early` of the body, by number, are done
    row by row; the values `turned`, of them or of inputs, go on in lanes. The inputs `late` are
    read there."""

    vector_dim: int
    dim: int
    rows: tuple[int, ...]
    apart: tuple[int, ...]
    early: tuple[int, ...]
    turned: tuple[ir.Value, ...]
    late: tuple[int, ...]

    def reduce(
        self,
        elements: Elements,
        run: Run,
        point: Point,
        ranges: Mapping[int, Range],
        news: list[ir.Value],
    ) -> tuple[Ix, list[ir.Value]]:
        """All whole blocks of `run` in the part of the dim that `ranges` has, and what is left of a
        known length: where the rest begins, and the outputs."""
        job, part = elements.job, ranges[self.dim]
        lower = part.lower
        length = sub(part.upper, lower)
        whole = sub(length, modulo(length, run.width))
        end = add(lower, whole)
        lane = elements.lane_points(run, point)
        for number in range(run.width):
            lane(number)
        remark_row_blocks(job, self.dim, [job.inputs[n] for n in self.apart])

        def some(position: Ix, carried: list[ir.Value], count: int) -> list[ir.Value]:
            for offset, column in enumerate(self.columns(job, lane, position, run.width, count)):
                here = point.at(self.dim, add(position, offset))
                carried = elements.values_late(run, here, carried, self.early, self.late, column)
            return carried

        def block(position: Ix, carried: list[ir.Value]) -> list[ir.Value]:
            return some(position, carried, run.width)

        news = loop_carrying(lower, end, news, block, run.width)
        rest = sub(part.upper, end)
        if isinstance(rest, int) and self._may_be_turned(job, rest):
            return part.upper, some(end, news, rest)
        return end, news

    def _may_be_turned(self, job: Job, count: int) -> bool:
        """So few columns, of which a vector of a power of two has more: some are masked."""
        elements = [bytes_of(job.inputs[number].storage) for number in self.rows]
        return count > 1 and (count & (count - 1) == 0 or min(elements) >= MASKED_BYTES)

    def columns(
        self, job: Job, lane: Callable[[int], Point], position: Ix, width: int, count: int
    ) -> list[dict[ir.Value, ir.Value]]:
        """For each of `count` positions along `dim` the values `turned`, a row in each of `width`
        lanes. Where these are fewer than lanes, a vector has some of several rows."""
        arguments = job.body.block.arguments
        length = 1 << (count - 1).bit_length()
        together = width // length
        at_first = lane(0).at(self.dim, position)
        shared = {
            arguments[number]: _joined([_row(job, number, at_first, length, count)] * together)
            for number in self.rows
            if number not in self.apart
        }
        results = []
        for first in range(0, width, together):
            lanes = [lane(first + i).at(self.dim, position) for i in range(together)]
            known = dict(shared)
            for number in self.apart:
                pieces = [_row(job, number, here, length, count) for here in lanes]
                known[arguments[number]] = _joined(pieces)
            job.body.compute(self.early, known, width)
            results.append([known[value] for value in self.turned])
        vectors = [transposed(list(rows))[:count] for rows in zip(*results, strict=True)]
        return [
            dict(zip(self.turned, column, strict=True)) for column in zip(*vectors, strict=True)
        ]


def _row(job: Job, number: int, point: Point, width: int, count: int) -> ir.Value:
    """`width` elements of an input along the dim of its rows, of which `count` are there."""
    ref, fill = job.inputs[number], job.fills[number]
    type_ = ir.VectorType.get([width], ref.storage)

    def load() -> ir.Value:
        where = ref.indices(point)
        if count == width:
            return vector.load(type_, ref.memref, where)
        there = ", ".join(["true"] * count + ["false"] * (width - count))
        mask = ir.Attribute.parse(f"dense<[{there}]> : vector<{width}xi1>")
        nothing = splat(harmless(ref.storage), width)
        return vector.maskedload(type_, ref.memref, where, arith.constant(mask.type, mask), nothing)

    condition = point.valid_for(ref.map)
    if condition is None:
        return load()
    assert fill is not None
    return choose(condition, type_, load, lambda: splat(fill, width))


def _joined(vectors: Sequence[ir.Value]) -> ir.Value:
    """As many vectors as a power of two, one behind the other in one vector."""
    while len(vectors) > 1:
        width = vectors[0].type.shape[0]
        pairs = zip(vectors[::2], vectors[1::2], strict=True)
        vectors = [vector.shuffle(a, b, list(range(2 * width))) for a, b in pairs]
    return vectors[0]


def find_row_blocks(job: Job, vector_dim: int) -> RowBlocks | None:
    """Rows along the innermost dim that is reduced, if each lane reads one of its own."""
    # Dims of one point have no loop.
    inner = [dim for dim in job.loop_order(vector_dim)[1] if job.extents[dim] != 1]
    if not inner:
        return None
    return row_blocks_along(job, vector_dim, inner[-1])


def row_blocks_along(job: Job, vector_dim: int, dim: int) -> RowBlocks | None:
    """Those of inputs that lie along `dim` and differ along `vector_dim`, if there are any."""
    rows = [
        number
        for number, ref in enumerate(job.inputs)
        if ref.steps_with(dim, job.coordinates)
        and ref.last_stride == 1
        and not ref.steps_with(vector_dim, job.coordinates)
    ]
    apart = [n for n in rows if job.inputs[n].mentions(vector_dim, job.coordinates)]
    if not apart:
        return None
    early, turned, late = _divided(job.body, rows, apart)
    if not turned:
        # Nothing that differs from row to row is used: there is nothing to turn around.
        return None
    return RowBlocks(vector_dim, dim, tuple(rows), tuple(apart), early, turned, late)


def _divided(
    body: Body, rows: list[int], apart: list[int]
) -> tuple[tuple[int, ...], tuple[ir.Value, ...], tuple[int, ...]]:
    """(ops to do row by row, what they and the rows give to the rest, other inputs of the rest)."""
    arguments = list(body.block.arguments)
    # True for what differs from lane to lane.
    rowwise = {arguments[number]: number in apart for number in rows}
    constants = {
        op.results[0]: number
        for number, op in enumerate(body.operations)
        if op.name == "arith.constant"
    }
    early = []
    for number, op in enumerate(body.operations):
        operands = [operand for operand in op.operands if operand not in constants]
        if all(operand in rowwise for operand in operands) and any(
            rowwise[operand] for operand in operands
        ):
            early.append(number)
            rowwise.update({result: True for result in op.results})
    rest = [op for number, op in enumerate(body.operations) if number not in early]
    used = [operand for op in rest for operand in op.operands] + body.yields
    turned = [v for v, differs in rowwise.items() if differs and v in used]
    late = [n for n, v in enumerate(arguments[: body.n_inputs]) if v in used and v not in turned]
    needed = {constants[v] for n in early for v in body.operations[n].operands if v in constants}
    return tuple(sorted({*early, *needed})), tuple(turned), tuple(late)


def transposed(rows: list[ir.Value]) -> list[ir.Value]:
    """The columns of rows of as many elements as there are vectors, a power of two, of which a
    vector may have several, one behind the other."""
    width = rows[0].type.shape[0]
    if len(rows) < width:
        for _ in range(len(rows).bit_length() - 1):
            pairs = list(zip(rows[::2], rows[1::2], strict=True))
            rows = [
                vector.shuffle(a, b, list(range(odd, 2 * width, 2)))
                for odd in (0, 1)
                for a, b in pairs
            ]
        return rows
    low = [n // 2 + n % 2 * width for n in range(width)]
    high = [n + width // 2 for n in low]
    for _ in range(width.bit_length() - 1):
        pairs = zip(rows[: width // 2], rows[width // 2 :], strict=True)
        rows = [vector.shuffle(a, b, mask) for a, b in pairs for mask in (low, high)]
    return rows


def remark_row_blocks(job: Job, dim: int, apart: Sequence[Ref]) -> None:
    """That each lane has a row of its own, of which blocks are turned around."""
    which = names(job, apart)
    remark(job, f"rows of {which} along d{dim} in blocks, a row in each lane: sums in order")
