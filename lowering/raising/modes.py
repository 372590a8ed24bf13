"""Clamps, wrapped negative numbers and tests of bounds, as the modes of coordinates."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import linear, symbols_of
from mlir_gs.lowering.ir import affine_rewrites
from mlir_gs.lowering.ir.builders import constant_of, producer
from mlir_gs.lowering.ir.emit import Ix
from mlir_gs.lowering.raising.places import ANY, CLAMPS, MOST_DIMS, Left, Numbers, Place

_MIN = CLAMPS[::2]
# Predicates of arith.cmpi.
_SLT, _SLE, _SGT, _SGE, _ULT, _ULE = range(2, 8)


class Reader(Numbers):
    """Reads the numbers in loops, and what becomes of coordinates out of bounds."""

    def mode(self, op: ir.Operation) -> Place:
        return self._wrapped(op) if op.name == "arith.select" else self._clamped(op)

    def masked(self, place: Place, bounds: Mapping[int, Ix] | None = None) -> Place:
        """`place` with its symbols under mode fill_or_drop: for the `bounds`, that were tested, or
        for those of what they address."""
        for symbol in symbols_of(place.expr):
            given = self.coordinates[symbol]
            if given.mode != "promise_in_bounds":
                continue
            size = given.size if bounds is None else bounds.get(symbol, ANY)
            if given.size != ANY and given.size != size:
                raise Left("a coordinate is compared with another size than it is wrapped by")
            made = self.coordinate(replace(given, mode="fill_or_drop", size=size))
            symbols = [affine_rewrites.symbol(n) for n in range(len(self.coordinates))]
            symbols[symbol] = made.expr
            dims = affine_rewrites.identity(MOST_DIMS)
            place = replace(place, expr=affine_rewrites.replace(place.expr, dims, symbols))
        return place

    def assert_bounds(self, asserts: Sequence[ir.Operation], extents: Sequence[Ix]) -> None:
        """Put the coordinates that all points assert to be in bounds under mode error. Raises Left.

        Mode error looks at all coordinates, also where another loop has no steps.
        """
        bounds = self.tested(*(each.operands[0] for each in asserts))
        if bounds is None:
            raise Left("an assertion is about more than bounds", asserts[0])
        for symbol, size in bounds.items():
            given = self.coordinates[symbol]
            if given.mode != "promise_in_bounds" or given.size not in (ANY, size):
                raise Left("a coordinate is asserted to have another size than it is wrapped by")
            forms = [linear(place.expr) for place in given.places]
            for dim, extent in enumerate(extents):
                is_read_at = any(form is not None and dim in form.dims for form in forms)
                if not is_read_at and (not isinstance(extent, int) or extent < 1):
                    raise Left("a coordinate is asserted in a loop that may have no steps")
            made = self.asserted[given] = replace(given, mode="error", size=size)
            self.coordinates[symbol] = made

    def tested(self, *tests: ir.Value) -> dict[int, Ix] | None:
        """The symbols and sizes for which the tests say that each is in bounds, and nothing
        else."""
        lows: set[int] = set()
        highs: dict[int, Ix] = {}
        todo = list(tests)
        while todo:
            made = producer(todo.pop(), "arith.cmpi", "arith.andi")
            if made is None:
                return None
            if made.name == "arith.andi":
                todo += made.operands
                continue
            x, bound = made.operands
            try:
                symbol = self.place(x).symbol
            except Left:
                return None
            if symbol is None:
                return None
            predicate, size = made.attributes["predicate"].value, self.outside(bound)
            if _tests_negative(made) is False:
                lows.add(symbol)
            elif size is not None and predicate in (_SLT, _SLE, _ULT, _ULE):
                size = self.sum(size, int(predicate in (_SLE, _ULE)))
                if highs.setdefault(symbol, size) != size:
                    return None
                if predicate in (_ULT, _ULE) or self.coordinates[symbol].unsigned:
                    lows.add(symbol)
            else:
                return None
        return highs if lows == set(highs) else None

    def _clamped(self, op: ir.Operation) -> Place:
        """max(min(s, n - 1), 0), or the other way round, under mode clip."""
        outer_is_min = op.name in _MIN
        for x, bound in (list(op.operands), list(op.operands)[::-1]):
            inner = producer(x, *CLAMPS)
            if inner is None or (inner.name in _MIN) == outer_is_min:
                continue
            for y, other in (list(inner.operands), list(inner.operands)[::-1]):
                low, high = (other, bound) if outer_is_min else (bound, other)
                if constant_of(low) != 0:
                    continue
                symbol = self.place(y).symbol
                if symbol is None or self.coordinates[symbol].mode != "promise_in_bounds":
                    continue
                size = self.outside(high)
                return self._clip(symbol, None if size is None else self.sum(size, 1), op)
        raise Left(f"'{op.name}' is no clamp of a coordinate to its dimension", op)

    def _clip(self, symbol: int, size: Ix | None, op: ir.Operation) -> Place:
        given = self.coordinates[symbol]
        if size is None or (given.wrap and given.size != size):
            raise Left(f"'{op.name}' is no clamp of a coordinate to its dimension", op)
        return self.coordinate(replace(given, mode="clip", size=size))

    def _wrapped(self, op: ir.Operation) -> Place:
        """select(s < 0, s + n, s)."""
        test, *arms = op.operands
        made = producer(test, "arith.cmpi")
        negative = None if made is None else _tests_negative(made)
        if made is not None and negative is not None:
            added, plain = arms if negative else arms[::-1]
            total = producer(added, "arith.addi", "index.add")
            symbols = [self.place(each).symbol for each in (made.operands[0], plain)]
            if total is not None and symbols[0] is not None and symbols[0] == symbols[1]:
                sizes = [self.outside(each) for each in total.operands]
                given = [self.place(total.operands[n]).symbol for n in (0, 1) if sizes[n] is None]
                size = next((each for each in sizes if each is not None), None)
                known = self.coordinates[symbols[0]]
                free = not known.wrap and not known.is_tested and not known.unsigned
                if size is not None and given == symbols[:1] and free:
                    return self.coordinate(replace(known, wrap=True, size=size))
        raise Left("a place is one of two, and not a coordinate that counts from the end", op)


def _tests_negative(op: ir.Operation) -> bool | None:
    """Whether a comparison holds for negative numbers (True) or for all others (False), alone."""
    if op.name != "arith.cmpi":
        return None
    test = op.attributes["predicate"].value, constant_of(op.operands[1])
    if test in ((_SLT, 0), (_SLE, -1)):
        return True
    return False if test in ((_SGE, 0), (_SGT, -1)) else None
