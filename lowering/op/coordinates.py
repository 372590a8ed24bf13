"""Coordinates in loops: load, wrap, clip, and compare with bounds."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import symbols_of
from mlir_gs.dialect.structure import Structure, Use, dims_in
from mlir_gs.lowering.ir.builders import arith, cast, opaque
from mlir_gs.lowering.ir.emit import (
    Ix,
    add,
    affine,
    both,
    choose,
    compare,
    element,
    maximum,
    minimum,
    size_of,
    sub,
    value,
)
from mlir_gs.lowering.ir.reach import NEAR, is_near, reach

_NOTHING: Mapping[int, ir.Value] = {}


@dataclass
class Point:
    """A point of the iteration space, as far as the loops around it have bound it.

    `valid[s]` is the condition under which the fill_or_drop symbol s is in bounds; None where it
    always is. `read` are elements of inputs, by number, that are already loaded.
    """

    dims: dict[int, Ix] = field(default_factory=dict)
    symbols: dict[int, Ix] = field(default_factory=dict)
    valid: dict[int, ir.Value | None] = field(default_factory=dict)
    read: dict[int, ir.Value] = field(default_factory=dict)

    def at(self, dim: int, position: Ix) -> "Point":
        return Point({**self.dims, dim: position}, dict(self.symbols), dict(self.valid))

    def bind(self, positions: Mapping[int, Ix]) -> None:
        """Bind symbols to positions that are in bounds."""
        self.symbols.update(positions)
        self.valid.update(dict.fromkeys(positions))

    def valid_for(self, map_: ir.AffineMap) -> ir.Value | None:
        """The condition under which all symbols of `map_` are in bounds."""
        condition = None
        for symbol in sorted({s for expr in map_.results for s in symbols_of(expr)}):
            condition = both(condition, self.valid.get(symbol))
        return condition


class Coordinates:
    """Reads the coordinates of one op. `extents` are the sizes of the iteration space."""

    def __init__(self, structure: Structure, extents: Mapping[int, Ix]) -> None:
        self.structure = structure
        self.extents = extents
        self._depends = [
            structure.dims_of_symbol(symbol) for symbol in range(len(structure.coordinates))
        ]
        self._uses = [
            structure.uses(symbol) if self._checked(symbol) else []
            for symbol in range(len(structure.coordinates))
        ]
        # Computed once, outside of the loops.
        self.bounds = [self._bounds(symbol) for symbol in range(len(structure.coordinates))]
        self._rooms = [
            None if mode in ("promise_in_bounds", "clip") else self._room(symbol)
            for symbol, mode in enumerate(structure.modes)
        ]
        self.wrap_sizes = [self._wrap_size(symbol) for symbol in range(len(structure.coordinates))]

    def _checked(self, symbol: int) -> bool:
        structure = self.structure
        return structure.wraps[symbol] or structure.modes[symbol] != "promise_in_bounds"

    def is_plain(self, symbol: int) -> bool:
        """Its elements are positions as stored: neither wrapped, nor clipped, nor masked."""
        clips = self.structure.modes[symbol] == "clip"
        return not (self.structure.wraps[symbol] or clips or self.may_skip(symbol))

    def may_skip(self, symbol: int) -> bool:
        """Mode fill_or_drop: points where it is out of bounds are masked."""
        return self.structure.modes[symbol] == "fill_or_drop"

    def depends(self, symbol: int) -> set[int]:
        """The iteration dims on which `symbol` depends."""
        return self._depends[symbol]

    def load_ready(
        self,
        point: Point,
        at_hand: Mapping[int, ir.Value] = _NOTHING,
        choosing: Collection[int] = (),
    ) -> None:
        """Bind each unbound symbol whose dims are bound at `point`.

        `at_hand`: elements of coordinate tensors, by symbol, that need no load. `choosing`: symbols
        whose comparison with bounds only selects an address.
        """
        for symbol in range(len(self.structure.coordinates)):
            if symbol not in point.symbols and self.depends(symbol) <= set(point.dims):
                self.load(symbol, point, at_hand, choosing)

    def load(
        self,
        symbol: int,
        point: Point,
        at_hand: Mapping[int, ir.Value] = _NOTHING,
        choosing: Collection[int] = (),
    ) -> None:
        """Bind `symbol` at `point`: load it, wrap and clip it, or set its `valid` condition."""
        access = self.structure.coordinates[symbol]
        known = point.valid_for(access.map)

        def read() -> ir.Value:
            found = at_hand[symbol] if symbol in at_hand else self.element(symbol, point)
            position = as_index(found, saturate=self._checked(symbol))
            if symbol in choosing:
                # Else LLVM compares in the narrower type, whose flags take x86 two instructions for
                # each select.
                position = opaque(position)
            return self.wrapped(symbol, position)

        if known is None:
            position: Ix = read()
        else:
            position = choose(known, ir.IndexType.get(), read, lambda: value(0))
        mode = self.structure.modes[symbol]
        if mode == "clip":
            position = self.clipped(symbol, position)
        elif mode == "fill_or_drop":
            known = both(known, self.in_bounds(symbol, position))
        point.symbols[symbol] = position
        point.valid[symbol] = known

    def element(self, symbol: int, point: Point) -> ir.Value:
        """The element of a coordinate tensor that `symbol` is read from at `point`, as stored."""
        access = self.structure.coordinates[symbol]
        where = [value(affine(e, point.dims, point.symbols)) for e in access.map.results]
        return element(access.value, where)

    def hide(self, point: Point, dim: int) -> None:
        """Hide from LLVM how the positions at `point` that change along `dim` are computed."""
        for symbol, position in point.symbols.items():
            if dim in self.depends(symbol):
                point.symbols[symbol] = opaque(value(position))

    def as_position(self, symbol: int, coordinate: ir.Value) -> ir.Value:
        """An element of a coordinate tensor as a wrapped index, before clip and comparison."""
        return self.wrapped(symbol, as_index(coordinate, saturate=self._checked(symbol)))

    def wrapped(
        self, symbol: int, position: ir.Value, spread: Callable[[Ix], ir.Value] = value
    ) -> ir.Value:
        """Under wrap_negative, `position + size` where it is negative. `spread` broadcasts a number
        to the lanes of a vector of positions."""
        if not self.structure.wraps[symbol]:
            return position
        negative = arith.cmpi(arith.CmpIPredicate.slt, position, spread(0))
        moved = arith.addi(position, spread(self.wrap_sizes[symbol]))
        return arith.select(negative, moved, position)

    def clipped(
        self, symbol: int, position: Ix, spread: Callable[[Ix], ir.Value] = value
    ) -> ir.Value:
        """The nearest position in bounds, under mode clip."""
        lower, upper = map(spread, self.bounds[symbol])
        if isinstance(position, int):
            position = value(position)
        return arith.maxsi(arith.minsi(position, upper), lower)

    def in_bounds(
        self, symbol: int, position: Ix, spread: Callable[[Ix], ir.Value] | None = None
    ) -> ir.Value:
        """Whether `position` is in bounds, by one unsigned comparison. `spread` broadcasts a number
        to the lanes of a vector of positions."""
        lower, _ = self.bounds[symbol]
        room = self._rooms[symbol]
        if room is None:
            room = self._room(symbol)
        if spread is None:
            return compare("ult", sub(position, lower), room)
        above = value(position) if lower == 0 else arith.subi(value(position), spread(lower))
        return arith.cmpi(arith.CmpIPredicate.ult, above, spread(room))

    def _bounds(self, symbol: int) -> tuple[Ix, Ix]:
        """The interval in which every use of `symbol` lies within its operand."""
        lower: Ix | None = None
        upper: Ix | None = None
        for use in self._uses[symbol]:
            low, high = reach(use.access.map.results[use.position], self.extents)
            first: Ix = sub(0, low)
            last = sub(sub(size_of(use.access.value, use.position), 1), high)
            reaches = self._reaches(symbol, use)
            if reaches is False:
                continue
            if not isinstance(reaches, bool):
                first = arith.select(reaches, value(first), value(-(1 << 63)))
                last = arith.select(reaches, value(last), value((1 << 63) - 1))
            lower = first if lower is None else maximum(lower, first)
            upper = last if upper is None else minimum(upper, last)
        return (0 if lower is None else lower, 0 if upper is None else upper)

    def is_bounded(self, symbol: int) -> ir.Value | bool:
        """Whether some use of a symbol under mode error has points, so that there are bounds."""
        found: ir.Value | bool = False
        for use in self._uses[symbol]:
            reaches = self._reaches(symbol, use)
            if reaches is True:
                return True
            if reaches is not False:
                found = reaches if found is False else arith.ori(found, reaches)
        return found

    def _reaches(self, symbol: int, use: Use) -> ir.Value | bool:
        """Whether the window of `use` has points: coordinates under mode error are checked even
        where the op has none."""
        condition: ir.Value | None = None
        if self.structure.modes[symbol] != "error":
            return True
        moving = dims_in(use.access.map.results[use.position])
        for extent in (self.extents[dim] for dim in sorted(moving - self.depends(symbol))):
            if not isinstance(extent, int):
                condition = both(condition, compare("sgt", extent, 0))
            elif extent == 0:
                return False
        return True if condition is None else condition

    def _room(self, symbol: int) -> Ix:
        """The number of positions in bounds."""
        lower, upper = self.bounds[symbol]
        room = add(sub(upper, lower), 1)
        if all(self._is_near(use) for use in self._uses[symbol]):
            return maximum(room, 0)
        if isinstance(room, int):
            return max(room, 0)
        # The difference of bounds of uses that are far apart may overflow.
        return arith.select(compare("slt", upper, lower), value(0), value(room))

    def _is_near(self, use: Use) -> bool:
        form = use.form
        return form is not None and abs(form.constant) < NEAR and is_near(form, self.extents)

    def _wrap_size(self, symbol: int) -> Ix:
        sizes = [self._size(use) for use in self._uses[symbol]]
        least: Ix = sizes[0] if sizes else 0
        for size in sizes[1:]:
            least = minimum(least, size)
        return least

    def _size(self, use: Use) -> Ix:
        return size_of(use.access.value, use.position)


def as_index(position: ir.Value, saturate: bool = False) -> ir.Value:
    """A coordinate as an index.

    A number that no index can hold becomes the one nearest to it if `saturate`, as it has to
    before it is compared with bounds.
    """
    type_ = position.type
    if isinstance(type_, ir.IndexType):
        return position
    unsigned = never_negative(type_)
    position = as_signless(position)
    if saturate and (type_.width > 64 or (unsigned and type_.width == 64)):
        position = _saturated(position, unsigned)
    extend = arith.index_castui if unsigned else arith.index_cast
    return extend(ir.IndexType.get(), position)


def never_negative(type_: ir.Type) -> bool:
    """Coordinates of this type are zero-extended: of unsigned types and the signless i1."""
    if not isinstance(type_, ir.IntegerType):
        return False
    return type_.is_unsigned or (type_.is_signless and type_.width == 1)


def as_signless(coordinate: ir.Value) -> ir.Value:
    """A coordinate in a type that arith computes on, with the same bits."""
    type_ = coordinate.type
    if isinstance(type_, ir.IndexType):
        return coordinate
    return cast(coordinate, ir.IntegerType.get_signless(type_.width))


def _saturated(position: ir.Value, unsigned: bool) -> ir.Value:
    most = arith.constant(position.type, (1 << 63) - 1)
    if unsigned:
        return arith.minui(position, most)
    return arith.maxsi(arith.minsi(position, most), arith.constant(position.type, -(1 << 63)))
