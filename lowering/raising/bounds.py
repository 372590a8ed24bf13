"""What shows that the places of loops are in the bounds of what they address."""

from collections.abc import Sequence
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import Linear, linear, plain_dim
from mlir_gs.lowering.ir.builders import number_of, producer
from mlir_gs.lowering.ir.emit import Ix, maximum
from mlir_gs.lowering.raising.modes import Reader
from mlir_gs.lowering.raising.nest import same_block
from mlir_gs.lowering.raising.places import ANY, Left
from mlir_gs.lowering.sizes.size_forms import Form, index_form, size_form


class Bounds:
    """The bounds of loops with these extents. What raises Left is not shown."""

    def __init__(self, reader: Reader, extents: Sequence[Ix]) -> None:
        self.reader, self.extents = reader, extents
        # Where coordinates that are in bounds under a condition are used.
        self._guarded: dict[int, list[tuple[Any, int, Form]]] = {}

    def check_size(
        self, symbol: int, ref: ir.Value, position: int, expr: ir.AffineExpr, guard: Any
    ) -> Ix | None:
        """A coordinate is wrapped by the size of the dim that it addresses, and tested with the
        number of places that a window has there. Where a memref may have another size: the one that
        its view gets, so many being in bounds as the source says."""
        c = self.reader.coordinates[symbol]
        form = linear(expr)
        size = size_form(ref, position)
        if c.size == ANY:
            if c.mode == "fill_or_drop":
                self._check_guard(symbol, form, size, guard)
            return None
        if form is None or any(factor < 0 for factor in form.dims.values()) or form.constant:
            raise Left("a coordinate in bounds is moved on")
        cut = not form.dims and isinstance(ref.type, ir.MemRefType) and c.is_tested
        if c.wrap and not cut and size.minus(natural_form(c.size)).constant != 0:
            raise Left("a coordinate is not wrapped by the size of what it addresses")
        if c.mode == "promise_in_bounds":
            return None
        for dim, factor in form.dims.items():
            extent = self.extents[dim]
            if not isinstance(extent, int):
                raise Left("a coordinate in bounds is moved on")
            size = size.plus(Form({(): factor * (extent - 1)} if factor * (extent - 1) else {}), -1)
        fits = size.minus(natural_form(c.size)).constant == 0
        if not fits and not cut:
            raise Left("a coordinate is not kept in the bounds of what it addresses")
        if c.mode == "clip" and guard and not size_form(ref, position).constant:
            raise Left("a coordinate under a condition is clamped to a size that may be 0")
        if fits:
            return None
        least = int(c.mode == "clip")
        return self.reader.compute(("at least", least, c.size), lambda: maximum(c.size, least))

    def _check_guard(self, symbol: int, form: Linear | None, size: Form, guard: Any) -> None:
        """Mode fill_or_drop stands for a condition that keeps a coordinate in bounds: one for
        all that it addresses, or all are of the same size."""
        if form is None or form.dims:
            raise Left("a window is under a condition")
        for other in self._guarded.setdefault(symbol, []):
            alike = form.constant == other[1] and size.minus(other[2]).constant == 0
            if not same_block(guard, other[0]) and not alike:
                raise Left("a coordinate is in bounds under several conditions")
        self._guarded[symbol].append((guard, form.constant, size))

    def is_outside(self, expr: ir.AffineExpr, size: Form) -> bool:
        """Some point is past a size, if there are points; both are known."""
        form = linear(expr)
        if form is None or form.symbols or size.constant is None:
            return False
        last = form.constant
        for dim, factor in form.dims.items():
            extent = self.extents[dim]
            if not isinstance(extent, int):
                return False
            last += max(factor, 0) * (extent - 1)
        return last >= size.constant

    def is_inside(self, expr: ir.AffineExpr, size: Form) -> bool:
        """All points are in bounds of a size, also those where nothing is read."""
        form = linear(expr)
        if form is not None and min([form.constant, *form.dims.values()]) >= 0:
            last = Form({(): form.constant} if form.constant else {})
            for dim, factor in form.dims.items():
                last = last.plus(index_form(self.extents[dim]).plus(Form({(): 1}), -1), factor)
            room = size.minus(last).plus(Form({(): 1}), -1)
            if room.constant is not None and room.constant >= 0:
                return True
            dim = plain_dim(expr)
            return dim is not None and _at_most(self.extents[dim], size)
        return False


def _at_most(extent: Ix, size: Form) -> bool:
    """`extent` is `size`, or the least of numbers of which one is no more."""
    known = number_of(extent) if isinstance(extent, ir.Value) else extent
    if isinstance(known, int):
        return size.is_natural if known <= 0 else (size.constant or 0) >= known
    if index_form(extent).minus(size).constant == 0:
        return True
    made = producer(known, "arith.minsi", "arith.maxsi")
    among = (_at_most(each, size) for each in made.operands) if made is not None else ()
    return any(among) if made is None or made.name == "arith.minsi" else all(among)


def natural_form(number: Ix) -> Form:
    """The form of a number, without a test that it is no less than 0 where it cannot be."""
    greatest = None if isinstance(number, int) else producer(number, "arith.maxsi")
    if greatest is not None and 0 in map(number_of, greatest.operands):
        for each in greatest.operands:
            if index_form(each).is_natural and number_of(each) != 0:
                return index_form(each)
    return index_form(number)
