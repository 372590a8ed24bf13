"""Sums of adjacent slices in blocks, see `adjacent_slices` and `block_sums`.

A row that a block does not end goes on in the next one. Where rows are few or long, they run one by
one, as the loop around them says.
"""

from dataclasses import dataclass

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import arith, remap
from mlir_gs.lowering.ir.combiners import may_be_grouped
from mlir_gs.lowering.ir.emit import (
    Ix,
    add,
    choose,
    choose_all,
    compare,
    either,
    loop,
    loop_while_carrying,
    maximum,
    memref,
    minimum,
    mul,
    sub,
    value,
    when,
)
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.volume import LINE
from mlir_gs.lowering.scf.policy import Policy
from mlir_gs.lowering.scf.remarks import parts_of_a_strategy
from mlir_gs.lowering.scf.strategies.adjacent_slices import AdjacentSlices, find_adjacent_slices
from mlir_gs.lowering.scf.strategies.block_sums import BlockSums, blocks_pay
from mlir_gs.lowering.scf.strategies.initial import take_fill
from mlir_gs.lowering.scf.strategies.parts import emit_part
from mlir_gs.lowering.scf.strategy import Later, Strategy
from mlir_gs.lowering.scf.threads import call_in_parts, is_in_parallel, outline

HALF = 3 / 8
"""Of a vector's lanes, what rows have on average where they begin with half a vector."""


@dataclass(frozen=True)
class Rows:
    """A loop `around` ops that each row runs. `slices` are what its rows sum up, if they do nothing
    else; `name` is that of the functions that it becomes."""

    around: ir.Operation
    slices: AdjacentSlices | None
    policy: Policy
    name: str = ""

    @classmethod
    def of(cls, around: ir.Operation, policy: Policy) -> "Rows":
        """Looks at what the loop does."""
        return cls(around, find_adjacent_slices(around), policy)

    @property
    def op(self) -> ir.Operation:
        """The op that sums."""
        return self.around if self.slices is None else self.slices.op

    @property
    def is_in_parallel(self) -> bool:
        """Threads share a loop around it already."""
        return is_in_parallel(self.around)


class SliceSums(Strategy[Rows, AdjacentSlices]):
    """A function runs a part of the rows, by blocks where there are many and they are short."""

    name = "slice-sums"
    meaning = "rows of adjacent slices are reduced from a buffer"
    numbers = ("near_bytes", "sums_bytes", "sums_many", "sums_short")
    makes_ops = True

    def applies(self, work: Rows) -> AdjacentSlices | None:
        return work.slices

    def emit(
        self, work: Rows, match: AdjacentSlices, pays: ir.Value | bool, later: Later[Rows]
    ) -> None:
        policy = work.policy

        def emit(clone: ir.Operation, bounds: list[ir.Value]) -> None:
            part = find_adjacent_slices(clone)
            assert part is not None
            lower, upper = (add(part.lower, bound) for bound in bounds)

            def some() -> None:
                either(
                    _blocks_pay(part, lower, upper, policy),
                    lambda: _Sums(part, policy, lower, upper).emit(),
                    lambda: _one_by_one(part, policy, lower, upper),
                )

            when(compare("slt", lower, upper), some)

        with work.around.location, ir.InsertionPoint(work.around):
            rows = maximum(sub(match.upper, match.lower), 0)
            kernel = outline(work.around, work.name, 1, emit)
            if _is_alone(work):
                kernel.call([0, rows])
            else:
                grain = LINE // bytes_of(match.element)
                call_in_parts(kernel, [rows], [grain], _work(match, rows), policy)
        work.around.erase()

    def describe(self, work: Rows, match: AdjacentSlices, pays: ir.Value | bool) -> str:
        threads = work.policy.threads
        on = "on one thread" if _is_alone(work) else f"on {threads} threads, where enough moves"
        return (
            f"{on}: each slice ends where the next one begins; where there are many and they are "
            "short, what a block of them adds goes to a buffer in vectors, and is summed up from "
            "there"
        )


def _is_alone(work: Rows) -> bool:
    return work.policy.threads == 1 or work.is_in_parallel


def _work(found: AdjacentSlices, rows: Ix) -> ir.Value:
    """About how many bytes all slices have."""
    each = sum(bytes_of(one.type.element_type) for one, slice_ in found.given if slice_ is not None)

    def elements() -> ir.Value:
        first, last = (found.starts.at(row) for row in (found.lower, found.upper))
        return value(sub(last, first))

    some = compare("sgt", rows, 0)
    return value(mul(choose(some, ir.IndexType.get(), elements, lambda: value(0)), each))


def _blocks_pay(found: AdjacentSlices, lower: Ix, upper: Ix, policy: Policy) -> ir.Value:
    whole = [operand for operand, slice_ in found.given if slice_ is None]
    points = sub(found.starts.at(upper), found.starts.at(lower))
    return blocks_pay(sub(upper, lower), points, whole, policy)


def _one_by_one(found: AdjacentSlices, policy: Policy, lower: Ix, upper: Ix) -> None:
    """The rows from `lower` to `upper`, as the loop around them says."""
    *operations, _ = found.row.owner.operations

    def body(row: Ix) -> None:
        known, fill = {found.row: value(row)}, None
        for old in operations:
            op = old.operation.clone()
            remap(op, known)
            known.update(zip(old.operation.results, op.results, strict=True))
            if op.name == "linalg.fill":
                fill = op
            if op.name == "gs.generic":
                with ir.InsertionPoint(op), parts_of_a_strategy():
                    emit_part(Job.of(op, take_fill(op, fill)), policy, None, [])
                op.erase()

    loop(lower, upper, 1, body, unroll="never")


class _Sums:
    """The sums of the rows of `found` from `lower` to `upper`, of which there are some."""

    def __init__(self, found: AdjacentSlices, policy: Policy, lower: Ix, upper: Ix) -> None:
        self.found = found
        self.lower = lower
        self.upper = upper
        self.sums = BlockSums(found.op, found.operands, policy, emit_part)

    def emit(self) -> None:
        starts = self.found.starts
        begin, end = starts.at(self.lower), starts.at(self.upper)
        few = mul(sub(self.upper, self.lower), max(int(self.sums.lanes * HALF), 1))
        are_short = compare("sle", sub(end, begin), few)

        def block(carried: list[ir.Value]) -> tuple[ir.Value, list[ir.Value]]:
            first, row, current = carried
            last = value(minimum(add(first, self.sums.length), end))
            self.sums.fill(first, sub(last, first))

            def rows(half: bool) -> list[ir.Value]:
                return self._rows([row, first, current], first, last, half)

            if may_be_grouped(self.sums.combine) or self.sums.lanes < 4:
                row, _, current = rows(False)
            else:
                types = [row.type, first.type, current.type]
                found = choose_all(are_short, types, lambda: rows(True), lambda: rows(False))
                row, _, current = found
            return compare("slt", last, end), [last, row, current]

        start = [begin, value(self.lower), self._start(self.lower)]
        loop_while_carrying(start, block, lambda carried: carried)

    def _rows(
        self, carried: list[ir.Value], first: ir.Value, last: ir.Value, half: bool
    ) -> list[ir.Value]:
        """The rows in the block from `first` to `last`: `carried` are the first one, where its
        elements in the block begin, and what was summed up of it before. The same is returned of
        the row that the block does not end."""
        index_type = ir.IndexType.get()
        beyond = ir.IntegerAttr.get(index_type, (1 << 63) - 1)

        def one(carried: list[ir.Value]) -> tuple[ir.Value, list[ir.Value]]:
            row, position, current = carried
            end = choose(
                compare("slt", row, self.upper),
                index_type,
                lambda: self.found.starts.at(add(row, 1)),
                lambda: arith.constant(index_type, beyond),
            )
            until = value(minimum(end, last))
            total = self.sums.sum(current, position, until, first, half)
            return compare("sle", end, last), [row, until, total]

        def following(found: list[ir.Value]) -> list[ir.Value]:
            row, until, total = found
            memref.store(total, *self._place(row))
            after = value(add(row, 1))
            # Starts that do not ascend leave the block for nothing.
            return [after, value(maximum(until, first)), self._start(after)]

        return loop_while_carrying(carried, one, following)

    def _place(self, row: Ix) -> tuple[ir.Value, list[ir.Value]]:
        return self.found.output.operands[0], self.found.place(row)

    def _start(self, row: Ix) -> ir.Value:
        """What the sum of `row` starts from, or that of the last row where there is none."""
        if self.found.initial is not None:
            return self.found.initial
        return memref.load(*self._place(minimum(row, sub(self.upper, 1))))
