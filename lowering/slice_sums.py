"""Sums of adjacent slices in two steps, see `adjacent_slices`.

What the elements of a block of slices add goes to a buffer that the first-level cache holds, in
vectors, wherever rows end; from there each row is summed up in its order, by a vector at a time of
which a mask leaves out what is another row's. So neither what is read at coordinates nor a branch
waits for where a row ends. A row that a block does not end goes on in the next one.
"""

import dataclasses
import functools

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.generic import generic
from mlir_gs.dialect.structure import Structure
from mlir_gs.lowering.adjacent_slices import AdjacentSlices, find_adjacent_slices
from mlir_gs.lowering.body import bytes_of, splat, vector
from mlir_gs.lowering.builders import arith, clone_block, index, remap
from mlir_gs.lowering.combiners import combine_of, combined, identity, may_be_grouped, reduced
from mlir_gs.lowering.emit import (
    Ix,
    add,
    choose,
    choose_all,
    compare,
    either,
    loop,
    loop_carrying,
    loop_while_carrying,
    maximum,
    memref,
    minimum,
    mul,
    sub,
    value,
    when,
)
from mlir_gs.lowering.initial import take_fill
from mlir_gs.lowering.job import Job
from mlir_gs.lowering.plan import Target
from mlir_gs.lowering.strategy import parts_of_a_strategy, tell_slice_sums
from mlir_gs.lowering.threads import call_in_parts, func, is_in_parallel, outline
from mlir_gs.lowering.variants import emit_part
from mlir_gs.lowering.volume import LINE, bytes_in

BUFFER_BYTES = 1 << 15
"""Bytes of a block of what elements add: the first-level cache holds them."""

HALF = 3 / 8
"""Of a vector's lanes, what rows have on average where they begin with half a vector."""

MANY_ROWS = 1 << 13
"""Rows of which the core does not remember where each ends, when it sees them again."""

SHORT, MEDIUM = 12, 64
"""Elements that rows have on average, at most, so that blocks pay where what is read at coordinates
lies in the second-level cache, and where it does not."""

SECOND_LEVEL = 1 << 20
"""Bytes of that cache."""


def emit_slice_sums(around: ir.Operation, target: Target, name: str) -> bool:
    """Lower `around` as functions called `name`, if its rows sum up adjacent slices."""
    found = find_adjacent_slices(around)
    if found is None:
        return False

    def emit(clone: ir.Operation, bounds: list[ir.Value]) -> None:
        part = find_adjacent_slices(clone)
        assert part is not None
        lower, upper = (add(part.lower, bound) for bound in bounds)

        def some() -> None:
            either(
                _blocks_pay(part, lower, upper),
                lambda: _Sums(part, target, lower, upper).emit(),
                lambda: _one_by_one(part, target, lower, upper),
            )

        when(compare("slt", *bounds), some)

    with around.location, ir.InsertionPoint(around):
        rows = maximum(sub(found.upper, found.lower), 0)
        alone = target.threads == 1 or is_in_parallel(around)
        tell_slice_sums(found.op, 1 if alone else target.threads)
        name, arguments = outline(around, name, 1, emit)
        if alone:
            func.call([], name, [*arguments, value(0), value(rows)])
        else:
            grain = LINE // bytes_of(found.element)
            call_in_parts(name, arguments, [rows], [grain], _work(found, rows), target.threads)
    around.erase()
    return True


def _work(found: AdjacentSlices, rows: Ix) -> ir.Value:
    """About how many bytes all slices have."""
    each = sum(bytes_of(one.type.element_type) for one, slice_ in found.given if slice_ is not None)

    def elements() -> ir.Value:
        first, last = (found.starts.at(row) for row in (found.lower, found.upper))
        return value(sub(last, first))

    some = compare("sgt", rows, 0)
    return value(mul(choose(some, ir.IndexType.get(), elements, lambda: value(0)), each))


def _blocks_pay(found: AdjacentSlices, lower: Ix, upper: Ix) -> ir.Value:
    """Whether it takes longer to see late where each row ends than to go through a buffer."""
    rows = sub(upper, lower)
    elements = sub(found.starts.at(upper), found.starts.at(lower))
    elsewhere = [operand for operand, slice_ in found.given if slice_ is None]
    far = compare("sge", functools.reduce(add, map(bytes_in, elsewhere), 0), SECOND_LEVEL)
    longest = arith.select(far, index(MEDIUM), index(SHORT))
    are_short = compare("sle", elements, arith.muli(value(rows), longest))
    return arith.andi(compare("sge", rows, MANY_ROWS), are_short)


def _one_by_one(found: AdjacentSlices, target: Target, lower: Ix, upper: Ix) -> None:
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
                    emit_part(Job.of(op, take_fill(op, fill)), target, None, [])
                op.erase()

    loop(lower, upper, 1, body, unroll=False)


class _Sums:
    """The sums of the rows of `found` from `lower` to `upper`, of which there are some."""

    def __init__(self, found: AdjacentSlices, target: Target, lower: Ix, upper: Ix) -> None:
        self.found = found
        # What is read comes from memory, what is written stays in the first-level cache.
        asking = target.asking._replace(write_ahead=0)
        self.near = dataclasses.replace(target.near(), asking=asking)
        self.lower = lower
        self.upper = upper
        block, n_inputs = found.op.regions[0].blocks[0], len(Structure.of(found.op.opview).inputs)
        combine = combine_of(block, n_inputs)
        assert combine is not None
        self.combine = combine
        self.added = next(
            number
            for number, operand in enumerate(combine.operands)
            if operand != block.arguments[n_inputs]
        )
        size = bytes_of(found.element)
        self.lanes = max(target.vector_bytes // size, 2)
        self.length = BUFFER_BYTES // size
        # The last vector may reach beyond the last element.
        type_ = ir.MemRefType.get([self.length + self.lanes], found.element)
        alignment = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), LINE)
        self.buffer = memref.alloca(type_, [], [], alignment=alignment)

    def emit(self) -> None:
        starts = self.found.starts
        begin, end = starts.at(self.lower), starts.at(self.upper)
        few = mul(sub(self.upper, self.lower), max(int(self.lanes * HALF), 1))
        are_short = compare("sle", sub(end, begin), few)

        def block(carried: list[ir.Value]) -> tuple[ir.Value, list[ir.Value]]:
            first, row, current = carried
            last = value(minimum(add(first, self.length), end))
            self._add_up(first, sub(last, first))

            def rows(half: bool) -> list[ir.Value]:
                return self._rows([row, first, current], first, last, half)

            if may_be_grouped(self.combine) or self.lanes < 4:
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
            total = self._sum(current, position, until, first, half)
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

    def _add_up(self, start: ir.Value, size: Ix) -> None:
        """Compute what the `size` elements from `start` on add, into the buffer."""
        op = self.found.op
        structure = Structure.of(op.opview)
        operands = self.found.operands(start, value(size))
        inputs, indices = operands[: len(structure.inputs)], operands[len(structure.inputs) :]
        layout = ir.StridedLayoutAttr.get(0, [1])
        shown = ir.MemRefType.get([DYNAMIC], self.found.element, layout)
        into = memref.subview(self.buffer, [0], [size], [1], result_type=shown)
        names = [f"indices #{number}" for number in range(len(indices))]
        coordinates = structure.coordinates
        maps = [[a.map for a in coordinates if a.name == name] for name in names]

        def body(*elements: ir.Value) -> list[ir.Value]:
            clone_block(op.regions[0].blocks[0], elements)
            *_, last = ir.InsertionPoint.current.block.operations
            added = last.operands[self.added]
            last.operation.erase()
            return [added]

        products = generic(
            inputs,
            indices,
            [into],
            indexing_maps=[
                *(access.map for access in structure.inputs),
                ir.AffineMap.get(1, len(coordinates), [ir.AffineDimExpr.get(0)]),
            ],
            coordinate_maps=maps,
            iterator_types=["parallel"],
            body=body,
            modes=structure.modes,
            wrap_negative=structure.wraps,
            fill_values=structure.fills,
        )
        with op.location, parts_of_a_strategy(), ir.InsertionPoint(products):
            emit_part(Job.of(products), self.near, None, [])
        products.erase()

    def _sum(
        self, current: ir.Value, lower: Ix, upper: Ix, first: ir.Value, half: bool = False
    ) -> ir.Value:
        """`current` combined with the elements from `lower` to `upper`; the buffer has those from
        `first` on. `half`: the first vector has half of the lanes."""
        combine = self.combine

        def mine(position: Ix, lanes: int) -> ir.Value:
            nothing = splat(identity(combine.name, current.type), lanes)
            found = vector.load(nothing.type, self.buffer, [value(sub(position, first))])
            bits = ir.VectorType.get([lanes], ir.IntegerType.get_signless(1))
            mask = vector.create_mask(bits, [value(sub(upper, position))])
            return arith.select(mask, found, nothing)

        def in_order(position: Ix, carried: list[ir.Value]) -> list[ir.Value]:
            return [reduced(combine, mine(position, self.lanes), carried[0])]

        def in_lanes(position: Ix, carried: list[ir.Value]) -> list[ir.Value]:
            return [combined(combine, carried[0], mine(position, self.lanes))]

        if may_be_grouped(combine):
            nothing = splat(identity(combine.name, current.type), self.lanes)
            (total,) = loop_carrying(lower, upper, [nothing], in_lanes, self.lanes, unroll=False)
            return reduced(combine, total, current)
        if half:
            current = reduced(combine, mine(lower, self.lanes // 2), current)
            lower = add(lower, self.lanes // 2)
        (total,) = loop_carrying(lower, upper, [current], in_order, self.lanes, unroll=False)
        return total
