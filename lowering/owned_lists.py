"""Lists of what a thread owns: what belongs to the points whose coordinate lies in a range, made
without branches, for one on who owns a point would be taken at random."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.body import splat, vector
from mlir_gs.lowering.builders import arith, index
from mlir_gs.lowering.emit import Ix, both, compare, loop_carrying, memref, value

math = dialect("math")

LANES = 8
"""Coordinates that are compared at a time. A list is as much longer than what it may hold: a vector
is written whole, however few of its lanes are owned."""

Found = tuple[ir.Value, Sequence[tuple[ir.Value, ir.Value]]]
"""The coordinate of a point, or of LANES in a vector; what is listed of them, and the lists."""


class OwnedRange(NamedTuple):
    """The points whose coordinate lies in [lower, upper)."""

    lower: Ix
    upper: Ix

    def in_lanes(self, start: Ix, end: Ix, look: Callable[[Ix], Found]) -> ir.Value:
        """List those of [start, end), a multiple of LANES, of which `look(position)` finds LANES;
        how many there are."""
        wide = ir.IntegerType.get_signless(64)
        words = ir.VectorType.get([LANES], wide)
        low, high = (arith.index_cast(wide, value(x)) for x in self)
        first, span = splat(low, LANES), splat(arith.subi(high, low), LANES)

        def some(position: Ix, carried: list[ir.Value]) -> list[ir.Value]:
            (count,) = carried
            given, listed = look(position)
            element = given.type.element_type
            if isinstance(element, ir.IndexType):
                given = arith.index_cast(words, given)
            elif element.width < wide.width:
                given = arith.extsi(words, given)
            # Unsigned, those below the first are beyond the last.
            owned = arith.cmpi(arith.CmpIPredicate.ult, arith.subi(given, first), span)
            for one, there in listed:
                vector.store(_compress(one, owned), there, [count])
            bits = vector.bitcast(ir.VectorType.get([1], ir.IntegerType.get_signless(LANES)), owned)
            number = math.ctpop(vector.extract(bits, [], [0]))
            return [arith.addi(count, arith.index_castui(ir.IndexType.get(), number))]

        return loop_carrying(start, end, [index(0)], some, LANES)[0]

    def one_by_one(
        self, first: Ix, end: Ix, count: ir.Value, look: Callable[[Ix], Found]
    ) -> ir.Value:
        """List those of [first, end) behind `count` others; how many there are then."""

        def one(position: Ix, carried: list[ir.Value]) -> list[ir.Value]:
            (count,) = carried
            coordinate, listed = look(position)
            for each, there in listed:
                memref.store(each, there, [count])
            owned = both(
                compare("sge", coordinate, self.lower), compare("slt", coordinate, self.upper)
            )
            assert owned is not None
            return [arith.addi(count, arith.index_castui(ir.IndexType.get(), owned))]

        return loop_carrying(first, end, [count], one)[0]


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
