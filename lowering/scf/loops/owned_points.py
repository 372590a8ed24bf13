"""Ownership: each thread runs the points that write to its own part of the output, in order.

All threads read all coordinates. A branch on who owns a point would be taken at random, so the
positions of a thread's points are first listed without branches, a block at a time: in vectors
where coordinates lie side by side and need no work, else one by one.
"""

from collections.abc import Callable
from dataclasses import dataclass

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.lowering.ir.builders import arith, index
from mlir_gs.lowering.ir.emit import (
    Ix,
    add,
    loop,
    loop_carrying,
    memref,
    minimum,
    modulo,
    sub,
    value,
)
from mlir_gs.lowering.op.body import splat, vector
from mlir_gs.lowering.op.coordinates import Point
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.refs import Ref

math = dialect("math")

LANES = 8
"""Coordinates that are compared at a time. The list of a block has as many places more: each vector
is written whole, however few of its lanes are owned."""


@dataclass(frozen=True)
class Owner:
    """Only points whose coordinate `symbol` lies in [lower, upper) are run.

    `found` holds the positions along `dim` of a block's points, from the block's start on.
    """

    symbol: int
    dim: int
    lower: Ix
    upper: Ix
    found: ir.Value

    @classmethod
    def of(cls, symbol: int, dim: int, lower: Ix, upper: Ix, block: int) -> "Owner":
        """A `block` of positions is looked at before the points among them run. Allocates on the
        stack: not for use within a loop."""
        i32 = ir.IntegerType.get_signless(32)
        found = memref.alloca(ir.MemRefType.get([block + LANES], i32), [], [])
        return cls(symbol, dim, lower, upper, found)

    def loop(
        self,
        job: Job,
        point: Point,
        lower: Ix,
        upper: Ix,
        body: Callable[[Ix], None],
    ) -> None:
        """`body(position)` for each of the thread's points in [lower, upper)."""
        coordinates = self._side_by_side(job)
        many = self.found.type.shape[0] - LANES

        def block(start: Ix) -> None:
            end = minimum(add(start, many), upper)
            count, first = index(0), start
            if coordinates is not None:
                whole = sub(end, modulo(sub(end, start), LANES))
                count = self._list_in_lanes(coordinates, point, start, whole)
                first = whole
            count = self._list(job, point, start, first, end, count)

            loop(0, count, 1, lambda number: body(self._position(start, number)))

        loop(lower, upper, many, block)

    def _position(self, start: Ix, number: Ix) -> Ix:
        offset = memref.load(self.found, [value(number)])
        return add(start, arith.index_castui(ir.IndexType.get(), offset))

    def _list(
        self, job: Job, point: Point, start: Ix, first: Ix, end: Ix, count: ir.Value
    ) -> ir.Value:
        """List the owned positions of [first, end) one by one behind `count` others; how many there
        are then."""

        def one(position: Ix, carried: list[ir.Value]) -> list[ir.Value]:
            (count,) = carried
            there = point.at(self.dim, position)
            job.coordinates.load(self.symbol, there)
            offset = arith.index_castui(self.found.type.element_type, value(sub(position, start)))
            memref.store(offset, self.found, [count])
            is_owned = self._owns(value(there.symbols[self.symbol]))
            return [arith.addi(count, arith.index_castui(ir.IndexType.get(), is_owned))]

        return loop_carrying(first, end, [count], one, unroll="never")[0]

    def _owns(self, coordinates: ir.Value) -> ir.Value:
        """Whether a coordinate is owned, for each lane of a vector."""
        ends = (value(self.lower), value(sub(self.upper, self.lower)))
        if isinstance(coordinates.type, ir.VectorType):
            words = coordinates.type.element_type
            ends = tuple(splat(arith.index_cast(words, end), LANES) for end in ends)
        # Unsigned, those below the first are beyond the last.
        return arith.cmpi(arith.CmpIPredicate.ult, arith.subi(coordinates, ends[0]), ends[1])

    def _side_by_side(self, job: Job) -> Ref | None:
        """The coordinates, if they can be loaded as vectors and compared as they are."""
        structure = job.structure
        access = structure.coordinates[self.symbol]
        type_ = access.value.type.element_type
        if structure.wraps[self.symbol] or structure.modes[self.symbol] == "clip":
            return None
        if not isinstance(type_, ir.IndexType) and (
            not type_.is_signless or type_.width not in (32, 64)
        ):
            return None
        ref = Ref.of(access, False).without_unit_tail()
        results = list(ref.map.results)
        if not results or plain_dim(results[-1]) != self.dim or ref.last_stride != 1:
            return None
        others = set(map(plain_dim, results[:-1]))
        return None if others & {None, self.dim} else ref

    def _list_in_lanes(self, coordinates: Ref, point: Point, start: Ix, whole: Ix) -> ir.Value:
        """List the owned positions of [start, whole), a multiple of LANES; how many there are."""
        i32 = ir.IntegerType.get_signless(32)
        positions = ir.VectorType.get([LANES], i32)
        numbers = ir.DenseElementsAttr.get([ir.IntegerAttr.get(i32, n) for n in range(LANES)],
                                           positions)  # fmt: skip
        steps = arith.constant(positions, numbers)

        def some(position: Ix, carried: list[ir.Value]) -> list[ir.Value]:
            (count,) = carried
            where = coordinates.indices(point.at(self.dim, position))
            type_ = ir.VectorType.get([LANES], coordinates.storage)
            owned = self._owns(_as_words(vector.load(type_, coordinates.memref, where)))
            offset = arith.index_castui(i32, value(sub(position, start)))
            listed = arith.addi(splat(offset, LANES), steps)
            vector.store(_compress(listed, owned), self.found, [count])
            bits = ir.VectorType.get([1], ir.IntegerType.get_signless(LANES))
            number = math.ctpop(vector.extract(vector.bitcast(bits, owned), [], [0]))
            return [arith.addi(count, arith.index_castui(ir.IndexType.get(), number))]

        return loop_carrying(start, whole, [index(0)], some, LANES)[0]


def _as_words(coordinates: ir.Value) -> ir.Value:
    """As i64, in which any size of an output is a number."""
    element, words = coordinates.type.element_type, ir.IntegerType.get_signless(64)
    type_ = ir.VectorType.get([LANES], words)
    if isinstance(element, ir.IndexType):
        return arith.index_cast(type_, coordinates)
    return coordinates if element == words else arith.extsi(type_, coordinates)


def _compress(lanes: ir.Value, wanted: ir.Value) -> ir.Value:
    """The lanes that are wanted, in their order, as the first ones."""
    rest = ir.Operation.create("ub.poison", results=[lanes.type]).result
    return ir.Operation.create(
        "llvm.call_intrinsic",
        results=[lanes.type],
        operands=[lanes, wanted, rest],
        attributes={
            "intrin": ir.StringAttr.get("llvm.experimental.vector.compress"),
            "op_bundle_sizes": ir.DenseI32ArrayAttr.get([]),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([3, 0]),
        },
    ).result
