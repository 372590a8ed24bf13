"""What a block of points adds to sums, in a buffer, and sums of parts of it.

Where points combine into one element after the other, a loop over them waits at the end of each
element: what comes next is known late, and so is what it reads at coordinates. Here what a block of
points adds goes to a buffer that the first-level cache holds, in vectors, wherever elements end.
From there each element is combined in its order, by a vector at a time of which a mask leaves out
what is another element's.
"""

import functools
from collections.abc import Callable, Sequence

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.generic import generic
from mlir_gs.dialect.structure import Access, Structure, dims_in
from mlir_gs.lowering.ir.builders import arith, clone_block
from mlir_gs.lowering.ir.combiners import combine_of, combined, identity, may_be_grouped, reduced
from mlir_gs.lowering.ir.emit import Ix, add, compare, loop_carrying, memref, mul, sub, value
from mlir_gs.lowering.op.body import bytes_of, splat, vector
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.volume import bytes_in
from mlir_gs.lowering.scf.policy import Policy
from mlir_gs.lowering.scf.remarks import parts_of_a_strategy
from mlir_gs.lowering.scf.threads import on_stack

EmitPart = Callable[[Job, Policy, None, list[ir.Value]], None]
Operands = Callable[[ir.Value, ir.Value], list[ir.Value]]


def can_be_summed(op: ir.Operation, structure: Structure) -> bool:
    """`op` combines what it computes of its inputs into elements that vectors can combine."""
    if len(structure.outputs) != 1 or "error" in structure.modes:
        return False
    element = structure.outputs[0].value.type.element_type
    is_number = isinstance(element, (ir.F32Type, ir.F64Type)) or (
        isinstance(element, ir.IntegerType) and element.width in (8, 16, 32, 64)
    )
    return is_number and combine_of(op.regions[0].blocks[0], len(structure.inputs)) is not None


def steps_only_at(access: Access, position: int | None) -> bool:
    """The one dim alone says where in dimension `position` points read, and nothing else."""
    return all(
        plain_dim(expr) == 0 if n == position else 0 not in dims_in(expr)
        for n, expr in enumerate(access.map.results)
    )


def blocks_pay(elements: Ix, points: Ix, read: Sequence[ir.Value], policy: Policy) -> ir.Value:
    """Whether seeing late where each of so many elements ends takes longer than the buffer does.
    `read` are the memrefs of which points may read anything."""
    far = compare("sge", functools.reduce(add, map(bytes_in, read), 0), policy.far_bytes)
    are_short = compare("sle", points, mul(elements, policy.sums_short))
    return arith.ori(far, arith.andi(compare("sge", elements, policy.sums_many), are_short))


class BlockSums:
    """The buffer, and how it is filled and summed up, of `op` with one dim.

    `operands(first, size)` gives the inputs and coordinates of `op` for the `size` points from
    `first` on; `emit` emits the loops of an op on one thread.
    """

    def __init__(
        self, op: ir.Operation, operands: Operands, policy: Policy, emit: EmitPart
    ) -> None:
        self.op = op
        self.operands = operands
        self.emit = emit
        self.near = policy.near()
        structure = Structure.of(op.opview)
        block, n_inputs = op.regions[0].blocks[0], len(structure.inputs)
        combine = combine_of(block, n_inputs)
        assert combine is not None
        self.combine = combine
        self.added = next(
            number
            for number, operand in enumerate(combine.operands)
            if operand != block.arguments[n_inputs]
        )
        self.element = structure.outputs[0].value.type.element_type
        size = bytes_of(self.element)
        self.lanes = max(policy.vector_bytes // size, 2)
        self.length = max(policy.sums_bytes // size, 1)
        # The last vector may reach beyond the last element.
        type_ = ir.MemRefType.get([self.length + self.lanes], self.element)
        self.buffer = on_stack(type_, policy.threads)

    def fill(self, first: ir.Value, size: Ix) -> None:
        """Put what the `size` points from `first` on add into the buffer."""
        op = self.op
        structure = Structure.of(op.opview)
        operands = self.operands(first, value(size))
        inputs, indices = operands[: len(structure.inputs)], operands[len(structure.inputs) :]
        layout = ir.StridedLayoutAttr.get(0, [1])
        shown = ir.MemRefType.get([DYNAMIC], self.element, layout)
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
            self.emit(Job.of(products), self.near, None, [])
        products.erase()

    def sum(self, current: ir.Value, lower: Ix, upper: Ix, first: ir.Value) -> ir.Value:
        """`current` combined with what the points from `lower` to `upper` add; the buffer has those
        from `first` on."""
        combine = self.combine

        def mine(position: Ix) -> ir.Value:
            nothing = splat(identity(combine.name, current.type), self.lanes)
            found = vector.load(nothing.type, self.buffer, [value(sub(position, first))])
            bits = ir.VectorType.get([self.lanes], ir.IntegerType.get_signless(1))
            mask = vector.create_mask(bits, [value(sub(upper, position))])
            return arith.select(mask, found, nothing)

        def in_order(position: Ix, carried: list[ir.Value]) -> list[ir.Value]:
            return [reduced(combine, mine(position), carried[0])]

        def in_lanes(position: Ix, carried: list[ir.Value]) -> list[ir.Value]:
            return [combined(combine, carried[0], mine(position))]

        if may_be_grouped(combine):
            nothing = splat(identity(combine.name, current.type), self.lanes)
            (total,) = loop_carrying(lower, upper, [nothing], in_lanes, self.lanes, unroll="never")
            return reduced(combine, total, current)
        (total,) = loop_carrying(lower, upper, [current], in_order, self.lanes, unroll="never")
        return total
