"""Lists of what threads own: what belongs to the points whose keys lie in a range, made without
branches, for one on who owns a point would be taken at random."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.builders import arith, index
from mlir_gs.lowering.ir.emit import Ix, loop_carrying, memref, sub, value
from mlir_gs.lowering.op.body import splat, vector

math = dialect("math")

LISTED_BYTES = 64
"""Bytes of the vectors that are listed at a time. A list is as many elements longer than what it
may hold as a vector has lanes: each is written whole, however few of its lanes are owned."""

Found = tuple[ir.Value, Sequence[ir.Value]]
"""The key of a point, an integer or an index, and what is listed of it; or vectors of both."""


class OwnedRange(NamedTuple):
    """The points whose key lies in [lower, upper)."""

    lower: Ix
    upper: Ix

    def owns(self, keys: ir.Value) -> ir.Value:
        """Whether a key lies there, for each lane where `keys` is a vector."""
        first, span = (like(x, keys.type) for x in (self.lower, sub(self.upper, self.lower)))
        # Unsigned, those below the first are beyond the last.
        return arith.cmpi(arith.CmpIPredicate.ult, arith.subi(keys, first), span)


class Lists(NamedTuple):
    """For what is in a range, a memref of rank 1 for each thing that is listed of a point."""

    range: OwnedRange
    memrefs: Sequence[ir.Value]

    def in_lanes(self, start: Ix, end: Ix, lanes: int, look: Callable[[Ix], Found]) -> ir.Value:
        """List those of [start, end), a multiple of `lanes`, of which `look(position)` finds so
        many; how many there are."""

        def some(position: Ix, carried: list[ir.Value]) -> list[ir.Value]:
            (count,) = carried
            keys, given = look(position)
            owned = self.range.owns(keys)
            for one, there in zip(given, self.memrefs, strict=True):
                vector.store(_compress(one, owned), there, [count])
            bits = vector.bitcast(ir.VectorType.get([1], ir.IntegerType.get_signless(lanes)), owned)
            number = math.ctpop(vector.extract(bits, [], [0]))
            return [arith.addi(count, arith.index_castui(ir.IndexType.get(), number))]

        return loop_carrying(start, end, [index(0)], some, lanes)[0]

    def one_by_one(
        self, first: Ix, end: Ix, count: ir.Value, look: Callable[[Ix], Found]
    ) -> ir.Value:
        """List those of [first, end) behind `count` others; how many there are then."""

        def one(position: Ix, carried: list[ir.Value]) -> list[ir.Value]:
            (count,) = carried
            key, given = look(position)
            for each, there in zip(given, self.memrefs, strict=True):
                memref.store(each, there, [count])
            number = arith.index_castui(ir.IndexType.get(), self.range.owns(key))
            return [arith.addi(count, number)]

        return loop_carrying(first, end, [count], one, unroll="never")[0]


def like(number: Ix, type_: ir.Type) -> ir.Value:
    """The number as an element of such keys, in all lanes."""
    if isinstance(type_, ir.VectorType):
        return splat(like(number, type_.element_type), type_.shape[0])
    if isinstance(type_, ir.IndexType):
        return value(number)
    if isinstance(number, int):
        return arith.constant(type_, number)
    return arith.index_cast(type_, number)


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
