"""Where loops read and write: index arithmetic as affine expressions, symbols and coordinates."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import linear, symbols_of
from mlir_gs.lowering.ir import affine_rewrites
from mlir_gs.lowering.ir.builders import (
    arith,
    constant_of,
    enclosing,
    index,
    is_inside,
    made_in,
    number_of,
    producer,
    walk,
)
from mlir_gs.lowering.ir.emit import Ix, add, mul, size_of, value
from mlir_gs.lowering.raising.accesses import LOADS, access
from mlir_gs.lowering.raising.ranges import CASTS, Ranges, uncast, width


class Left(Exception):
    """The loops stay as they are; the text says why, `op` is where."""

    def __init__(self, reason: str, op: ir.Operation | None = None) -> None:
        super().__init__(reason)
        self.op = op


@dataclass(frozen=True)
class Place:
    """`expr`, over the dims of the loops and their symbols, plus `offset`, a value from outside or
    0, plus, in memory that has rows, a row times their width."""

    expr: ir.AffineExpr
    offset: Ix = 0
    rows: tuple[ir.AffineExpr, Ix] | None = None

    @property
    def is_inner(self) -> bool:
        """It is `expr` alone."""
        return isinstance(self.offset, int) and self.rows is None

    @property
    def exprs(self) -> list[ir.AffineExpr]:
        """All that it is computed from."""
        return [self.expr] if self.rows is None else [self.rows[0], self.expr]

    @property
    def symbol(self) -> int | None:
        """The symbol that it is, and nothing else."""
        if not self.is_inner:
            return None
        return self.expr.position if isinstance(self.expr, ir.AffineSymbolExpr) else None

    @property
    def is_natural(self) -> bool:
        """It has no negative values: sums of multiples of dims."""
        form = linear(self.expr) if self.is_inner else None
        natural = form is not None and min([form.constant, *form.dims.values()]) >= 0
        return natural and form is not None and not form.symbols


ANY = -1
"""The size of a coordinate that nothing is known of."""


@dataclass(frozen=True)
class Coordinate:
    """A symbol: an element of `ref` at `places`.

    `size`: what a negative one is wrapped by, or the number of places that it is clamped to; the
    dimension that it addresses must have that size. `unsigned`: it is read as such. `guarded`: only
    where a condition of the loops holds.
    """

    ref: ir.Value
    places: tuple[Place, ...]
    mode: str = "promise_in_bounds"
    wrap: bool = False
    size: Ix = ANY
    unsigned: bool = False
    guarded: bool = False
    # Its places are in bounds, and have the sizes of the loops.
    fits: bool = False

    @property
    def is_tested(self) -> bool:
        return self.mode != "promise_in_bounds"


MOST_DIMS = 16
"""The most loops around one another that are raised."""

_SUMS = {"arith.addi": 1, "index.add": 1, "arith.subi": -1, "index.sub": -1}
CLAMPS = ("arith.minsi", "arith.maxsi", "index.mins", "index.maxs")
_PRODUCTS = ("arith.muli", "index.mul")
_DIVISIONS = {
    **dict.fromkeys(("arith.divsi", "arith.divui", "arith.floordivsi"), ir.AffineFloorDivExpr),
    **dict.fromkeys(("index.divs", "index.divu", "index.floordivs"), ir.AffineFloorDivExpr),
    **dict.fromkeys(("arith.remsi", "arith.remui", "index.rems", "index.remu"), ir.AffineModExpr),
}


class Numbers:
    """Reads the index arithmetic in `op`; `known` are the places of its counters.

    What it needs from outside of `op` it computes in front of it.
    """

    def __init__(self, op: ir.Operation) -> None:
        self.op = op
        self.known: dict[ir.Value, Place] = {}
        self.coordinates: list[Coordinate] = []
        # Those that are asserted to be in bounds, by what they are elsewhere.
        self.asserted: dict[Coordinate, Coordinate] = {}
        # Block arguments that are elements of an operand.
        self.elements: dict[ir.Value, tuple[ir.Value, tuple[Place, ...]]] = {}
        self.ranges = Ranges(op)
        self._built: dict[tuple, Ix] = {}
        # Before and behind what is computed in front of the loops.
        self._ends: list[ir.Operation] = []
        self._kept: list[ir.Operation] = []

    def know_loads(self) -> None:
        """Look at what the loops read in all steps, before what they read in some."""
        for op in walk(self.op):
            integers = op.name in LOADS and not isinstance(op.results[0].type, ir.FloatType)
            if integers and not self.guarded(op) and not self.inside(op.operands[0]):
                with suppress(Left):
                    self.place(op.results[0])

    def inside(self, value_: ir.Value) -> bool:
        """It is made in `op`, or an argument of a block in it."""
        return made_in(value_, self.op)

    def guarded(self, op: ir.Operation) -> bool:
        """A condition in the loops decides whether `op` runs."""
        around = enclosing(op, "scf.if")
        return around is not None and is_inside(around, self.op)

    def places(self, op: ir.Operation) -> tuple[ir.Value, tuple[Place, ...]]:
        """What a load or store addresses, and where."""
        ref, numbers, map_ = access(op)
        find = self.place if map_ is not None else self._addressed
        found = [find(number) for number in numbers]
        return ref, tuple(found if map_ is None else self.applied(map_, found))

    def applied(self, map_: ir.AffineMap, operands: Sequence[Place]) -> list[Place]:
        """The results of a map, whose symbols come behind its dims."""
        return [self._composed(expr, map_.n_dims, operands) for expr in map_.results]

    def _composed(self, expr: ir.AffineExpr, dims: int, operands: Sequence[Place]) -> Place:
        if isinstance(expr, ir.AffineConstantExpr):
            return Place(expr)
        if isinstance(expr, ir.AffineDimExpr):
            return operands[expr.position]
        if isinstance(expr, ir.AffineSymbolExpr):
            return operands[dims + expr.position]
        lhs, rhs = (self._composed(e, dims, operands) for e in (expr.lhs, expr.rhs))
        if isinstance(expr, ir.AffineAddExpr):
            return self.plus(lhs, rhs)
        if isinstance(expr, ir.AffineMulExpr):
            return self.times(lhs, rhs)
        return self._divided(type(expr), lhs, rhs)

    def _addressed(self, number: ir.Value) -> Place:
        """A number that addresses memory. A sum of which one part is not negative and that wraps
        around is negative, and out of bounds."""
        total = uncast(number)
        made = producer(total, "arith.addi")
        if number not in self.known and made is not None and self.inside(total):
            parts = [self.ranges.of(each) for each in made.operands]
            if not self.ranges.keep(made) and any(each and each.low >= 0 for each in parts):
                return self.plus(*(self.place(each) for each in made.operands))
        return self.place(number)

    def place(self, number: ir.Value) -> Place:
        """A number as a place. Raises Left."""
        found = self.known.get(number)
        if found is None:
            found = self.known[number] = self._place(number)
        return found

    def _place(self, number: ir.Value) -> Place:
        constant = constant_of(number)
        if constant is not None:
            return Place(affine_rewrites.constant(constant))
        if not self.inside(number):
            return Place(affine_rewrites.constant(0), self.as_index(number))
        if number in self.elements:
            return self.coordinate(Coordinate(*self.elements[number], fits=True))
        op = producer(number)
        if op is None:
            raise Left("a place is a number that the loops carry")
        if op.name in LOADS:
            return self.coordinate(Coordinate(*self.places(op), guarded=self.guarded(op)))
        if op.name in CASTS:
            return self._cast(op)
        if op.name in ("memref.dim", "tensor.dim"):
            return Place(affine_rewrites.constant(0), self._hoisted(op))
        if op.name == "affine.apply":
            map_ = op.attributes["map"].value
            return self.applied(map_, [self.place(each) for each in op.operands])[0]
        if op.name in (*CLAMPS, "arith.select"):
            return self.mode(op)
        if len(op.operands) != 2 or not op.name.startswith(("arith.", "index.")):
            raise Left(f"a place is computed by '{op.name}'", op)
        if not self.ranges.keep(op):
            raise Left(f"'{op.name}' on {op.results[0].type} may wrap around", op)
        a, b = (self.place(each) for each in op.operands)
        if op.name in _SUMS:
            return self.plus(a, b if _SUMS[op.name] > 0 else self.scale(b, -1))
        if op.name in _PRODUCTS:
            return self.times(a, b)
        if op.name in ("arith.shli", "index.shl") and _number(b) in range(63):
            return self.scale(a, 1 << (_number(b) or 0))
        if op.name in _DIVISIONS:
            return self._divided(_DIVISIONS[op.name], a, b)
        raise Left(f"a place is computed by '{op.name}'", op)

    def _cast(self, op: ir.Operation) -> Place:
        inner, result = op.operands[0], op.results[0]
        if width(inner.type) > width(result.type):
            raise Left(f"'{op.name}' to {result.type} may lose bits", op)
        place = self.place(inner)
        if op.name not in CASTS[3:] and width(inner.type) == 1:
            raise Left(f"'{op.name}' of a bit is -1 where it is set", op)
        if op.name not in CASTS[3:] or width(inner.type) == 64 or place.is_natural:
            return place
        given = None if place.symbol is None else self.coordinates[place.symbol]
        if given is None or given.size != ANY or given.ref.type.element_type != inner.type:
            raise Left(f"'{op.name}' of a number that may be negative", op)
        return self.coordinate(replace(given, unsigned=True))

    def coordinate(self, made: Coordinate) -> Place:
        """The symbol for a coordinate. What is also read without a condition is in bounds."""
        free = replace(made, guarded=False)
        free = self.asserted.get(free, free)
        made = free if free in self.coordinates else made
        if made not in self.coordinates:
            self.coordinates.append(made)
        return Place(affine_rewrites.symbol(self.coordinates.index(made)))

    def mode(self, op: ir.Operation) -> Place:
        """What a clamp or a choice makes of a coordinate. Raises Left."""
        raise NotImplementedError

    def plus(self, a: Place, b: Place) -> Place:
        rows = a.rows or b.rows
        if a.rows is not None and b.rows is not None:
            if a.rows[1] != b.rows[1]:
                raise Left("a place is a sum of rows of several widths")
            rows = affine_rewrites.add(a.rows[0], b.rows[0]), a.rows[1]
        return Place(affine_rewrites.add(a.expr, b.expr), self.sum(a.offset, b.offset), rows)

    def scale(self, a: Place, factor: int) -> Place:
        if factor > 1 and a.rows is None and symbols_of(a.expr):
            return self._in_rows(a, factor)
        rows = None if a.rows is None else (a.rows[0], self._product(a.rows[1], factor))
        return Place(affine_rewrites.mul(a.expr, factor), self._product(a.offset, factor), rows)

    def _in_rows(self, a: Place, width: Ix) -> Place:
        """`a`, that has no rows, times a width."""
        return Place(affine_rewrites.constant(0), self._product(a.offset, width), (a.expr, width))

    def times(self, a: Place, b: Place) -> Place:
        for one, other in ((a, b), (b, a)):
            factor = _number(one)
            if factor is not None:
                return self.scale(other, factor)
        one, other = self.number(a), self.number(b)
        if one is not None and other is not None:
            return Place(affine_rewrites.constant(0), self._product(one, other))
        for place, by in ((b, one), (a, other)):
            if by is not None and place.rows is None:
                return self._in_rows(place, by)
        raise Left("a place is a product of numbers that are not known")

    def _divided(self, kind: Any, a: Place, b: Place) -> Place:
        by = _number(b)
        if by is None or by < 1 or not a.is_natural:
            raise Left("a place is a quotient of something else than counters and a number")
        build = {
            ir.AffineFloorDivExpr: ir.AffineExpr.get_floor_div,
            ir.AffineModExpr: ir.AffineExpr.get_mod,
            ir.AffineCeilDivExpr: ir.AffineExpr.get_ceil_div,
        }[kind]
        return Place(build(a.expr, by).maybe_downcast())

    def outside(self, number: ir.Value) -> Ix | None:
        """A number from outside as an index; None of others."""
        try:
            return self.number(self.place(number))
        except Left:
            return None

    def number(self, place: Place) -> Ix | None:
        """A place that is the same for all points; None of others."""
        known = _constant(place.expr) if place.rows is None else None
        return None if known is None else self.sum(place.offset, known)

    def as_index(self, number: ir.Value) -> ir.Value:
        base = uncast(number)
        if isinstance(base.type, ir.IndexType):
            return base
        # One value for all casts of a number.
        is_index = isinstance(number.type, ir.IndexType)
        return self._memo(
            ("index", base),
            lambda: number if is_index else arith.index_cast(ir.IndexType.get(), base),
        )

    def _hoisted(self, op: ir.Operation) -> ir.Value:
        if any(self.inside(each) and constant_of(each) is None for each in op.operands):
            raise Left(f"'{op.name}' is of something that the loops make", op)
        return self._memo(
            (op.name, *(number_of(x) for x in op.operands)),
            lambda: value(size_of(op.operands[0], constant_of(op.operands[1]) or 0)),
        )

    def sum(self, a: Ix, b: Ix) -> Ix:
        """The sum of two numbers, in front of the loops."""
        return self._folded("add", add, a, b)

    def _product(self, a: Ix, b: Ix) -> Ix:
        return self._folded("mul", mul, a, b)

    def _folded(self, name: str, build: Callable[[Ix, Ix], Ix], a: Ix, b: Ix) -> Ix:
        """`build`, in front of the loops where it is no number that is known."""
        if isinstance(b, int) and (isinstance(a, int) or b == (name == "mul")):
            return build(a, b)
        return self._memo((name, a, b), lambda: build(a, b))

    def _memo(self, key: tuple, build: Callable[[], Ix]) -> Any:
        if key not in self._built:
            with self.op.location:
                if not self._ends:
                    with ir.InsertionPoint(self.op):
                        self._ends = [index(0).owner.operation for _ in range(2)]
                with ir.InsertionPoint(self._ends[1]):
                    self._built[key] = build()
        return self._built[key]

    def compute(self, key: tuple, build: Callable[[], Ix]) -> Ix:
        """What `build` builds in front of the loops, once for equal keys."""
        return self._memo(key, build)

    def keep(self, made: ir.Value) -> ir.Value:
        """`made` is taken away as well where it is not used."""
        self._kept.append(made.owner.operation)
        return made

    def discard(self) -> None:
        """Take away what was computed in front of the loops and is not used."""
        built: list[ir.Operation] = []
        if self._ends:
            around = [each.operation for each in self._ends[0].block.operations]
            first, last = (around.index(end) for end in self._ends)
            built = around[first : last + 1]
        for op in reversed([*self._kept, *built]):
            if not any(list(result.uses) for result in op.results):
                op.erase()


def _constant(expr: ir.AffineExpr) -> int | None:
    form = linear(expr)
    return form.constant if form is not None and form.is_constant else None


def _number(place: Place) -> int | None:
    """The number that a place is, if it is known."""
    return _constant(place.expr) if place.is_inner else None
