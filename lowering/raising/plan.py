"""The `gs.generic` of a loop nest: its operands, what shows that they fit, and their sizes."""

from collections.abc import Sequence
from itertools import product

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import Linear, linear, plain_dim, symbols_of
from mlir_gs.dialect.structure import dims_in
from mlir_gs.lowering.fuse.loops import Loops, Symbol, build, fits, renumbered
from mlir_gs.lowering.fuse.loops import Read as Input
from mlir_gs.lowering.fuse.loops import Write as Output
from mlir_gs.lowering.ir import affine_rewrites
from mlir_gs.lowering.ir.builders import is_within, number_of, producer
from mlir_gs.lowering.ir.emit import (
    Ix,
    add,
    both,
    ceil_div,
    compare,
    dynamic_and_static,
    maximum,
    memref,
    mul,
    size_of,
    slice_operands,
    sub,
    tensor,
)
from mlir_gs.lowering.raising.accesses import PARALLEL
from mlir_gs.lowering.raising.bounds import Bounds
from mlir_gs.lowering.raising.nest import Nest
from mlir_gs.lowering.raising.parts import ALL, DROPPED, WHOLE, Part
from mlir_gs.lowering.raising.places import ANY, MOST_DIMS, Left, Place
from mlir_gs.lowering.sizes.size_forms import index_form, size_form

_OUTSIDE = "what is read or written under a condition may be out of bounds elsewhere"

_ELEMENTS = (ir.IntegerType, ir.IndexType, ir.FloatType, ir.ComplexType)


class Plan:
    """What becomes of a nest. Raises Left where something that `gs.generic` needs is not shown."""

    def __init__(self, nest: Nest) -> None:
        self.nest, self.reader, self.extents = nest, nest.reader, nest.extents
        self.bounds = Bounds(nest.reader, nest.extents)
        # Places of memrefs that are asked for when the loops are reached, with their dimensions.
        self.reached: list[tuple[Linear, ir.Value, int]] = []
        self.reads = [self._part(r.ref, r.places, r.guard, r.fits) for r in nest.reads]
        self.writes = [self._part(w.ref, w.places, w.guard, w.fits) for w in nest.writes]
        if len(self.extents) > MOST_DIMS:
            raise Left("there are more loops than are looked at")
        shared = is_within(nest.op, *PARALLEL)
        if shared and any(write.conditions for write in nest.writes):
            raise Left("a step in parallel would write what its condition leaves")
        if 0 in self.extents:
            raise Left("a loop has no steps")
        used = self._used()
        if not used:
            raise Left("nothing is read or written through coordinates")
        if any(c.mode == "error" and n not in used for n, c in enumerate(self.reader.coordinates)):
            raise Left("an assertion is about a number that addresses nothing")
        written = [write.ref for write in nest.writes if write.result is None or not write.fits]
        if any(c.ref in written for n, c in enumerate(self.reader.coordinates) if n in used):
            raise Left("the loops read coordinates from what they write")
        for number in used:
            chained = self.reader.coordinates[number]
            if chained.guarded and any(symbols_of(place.expr) for place in chained.places):
                raise Left("a coordinate of a coordinate is read under a condition")
        self.symbols = [
            self._part(c.ref, c.places, c.guarded, c.fits, c.unsigned)
            for c in self.reader.coordinates
        ]
        self.used = used
        self.missing = [dim for dim in range(len(self.extents)) if not self._bound(dim)]
        if self.missing and self._on_memrefs and not self._others:
            raise Left("no operand has the size of a loop")
        loops = self._loops([p.ref for p in self.parts], [])
        if not fits(loops):
            raise Left("there are more operands than a 'gs.generic' holds")
        for read, write in product(nest.reads, nest.writes):
            dims = {plain_dim(place.expr) for place in write.places}
            in_place = read.places == write.places and dims == set(range(len(self.extents)))
            if read.ref == write.ref and read.ref in written and not in_place:
                raise Left("the loops read what they write, at another place or later")
        if len({type(part.ref.type) for part in self.parts}) > 1:
            raise Left("some operands are tensors, others memrefs")
        for part in (p for p in self.parts if isinstance(p.ref.type, ir.MemRefType)):
            try:
                part.ref.type.get_strides_and_offset()
            except RuntimeError:
                raise Left(f"a memref has no strides: {part.ref.type}") from None

    @property
    def parts(self) -> list[Part]:
        chosen = [part for n, part in enumerate(self.symbols) if n in self.used]
        return [*self.reads, *chosen, *self.writes]

    @property
    def _others(self) -> list[Part]:
        """What is read only."""
        return self.parts[: len(self.parts) - len(self.writes)]

    @property
    def _on_memrefs(self) -> bool:
        return isinstance(self.writes[0].ref.type, ir.MemRefType)

    def _used(self) -> set[int]:
        """The symbols that address something, directly or not."""
        found: set[int] = set()
        todo = [expr for part in (*self.reads, *self.writes) for expr in part.exprs]
        while todo:
            for symbol in symbols_of(todo.pop()):
                if symbol not in found:
                    found.add(symbol)
                    places = self.reader.coordinates[symbol].places
                    todo += [expr for place in places for expr in place.exprs]
        return found

    def _part(
        self,
        ref: ir.Value,
        places: Sequence[Place],
        guard: ir.Block | bool | None,
        fits: bool,
        unsigned: bool = False,
    ) -> Part:
        ref = self.nest.aliases.get(ref, ref)
        if self.reader.inside(ref):
            raise Left("the loops read or write what they make")
        if not isinstance(ref.type.element_type, _ELEMENTS):
            raise Left(f"elements are of type {ref.type.element_type}")
        if len(places) == 1 and not guard and _is_flat(ref.type):
            places = [self._split(places[0])]
        if any(place.rows is not None for place in places):
            return self._part_in_rows(ref, places, guard, unsigned)
        part = Part(ref, [ALL] * len(places), [], fits, unsigned)
        for position, place in enumerate(places):
            if guard and place.is_inner:
                place = self.reader.masked(place)
            if unsigned and isinstance(ref.type, ir.RankedTensorType):
                raise Left("a tensor is read without signs")
            expr = place.expr
            if not affine_rewrites.is_map_result(expr):
                raise Left(f"a place is no sum of counters and one coordinate: {expr}")
            for symbol in symbols_of(expr):
                size = self.bounds.check_size(symbol, ref, position, expr, guard)
                if size is not None:
                    part.parts[position] = (0, size, 1)
            if place.is_inner:
                if self.bounds.is_outside(expr, size_form(ref, position)):
                    raise Left("the loops go past the end of what they read or write")
                known = not guard or fits or symbols_of(expr)
                if not known and not self.bounds.is_inside(expr, size_form(ref, position)):
                    form = linear(expr)
                    if form is None or min([form.constant, *form.dims.values()]) < 0:
                        raise Left(_OUTSIDE)
                    if not isinstance(ref.type, ir.MemRefType):
                        raise Left(_OUTSIDE)
                    self.reached.append((form, ref, position))
            else:
                if guard:
                    raise Left(_OUTSIDE)
                dims = _sole(expr)
                if dims is None:
                    raise Left("a place is more than a counter and a number from outside")
                dim, factor, constant = dims
                offset = self.reader.sum(place.offset, constant)
                size = DROPPED if dim is None else self.extents[dim]
                part.parts[position] = (offset, size, factor)
                expr = affine_rewrites.constant(0) if dim is None else affine_rewrites.dim(dim)
            part.exprs.append(expr)
        return part

    def runs(self) -> ir.Value | None:
        """Whether all loops have steps, at the insertion point; None where an op without points
        touches nothing. What lacks the dim of an empty loop may be out of bounds, and offsets."""
        used = [self._dims(part.exprs) for part in self.parts if part.exprs and not part.fits]
        used += [set() for part in self.parts if any(offset != 0 for offset in part.offsets())]
        found: ir.Value | None = None
        for dim, extent in enumerate(self.extents):
            if isinstance(extent, ir.Value) and any(dim not in dims for dims in used):
                found = both(found, compare("sgt", extent, 0))
        return found

    def _dims(self, exprs: Sequence[ir.AffineExpr]) -> set[int]:
        """The dims that address something, by themselves or in coordinates."""
        chained = [self.reader.coordinates[n] for expr in exprs for n in symbols_of(expr)]
        found = [self._dims(place.exprs) for each in chained for place in each.places]
        return set().union(*map(dims_in, exprs), *found)

    def is_in_bounds(self) -> ir.Value | None:
        """Whether the places that are asked for are in bounds, at the insertion point."""
        found: ir.Value | None = None
        for form, ref, position in self.reached:
            last: Ix = form.constant
            for dim, factor in form.dims.items():
                last = add(last, mul(sub(self.extents[dim], 1), factor))
            found = both(found, compare("slt", last, size_of(ref, position)))
        return found

    def _split(self, place: Place) -> Place:
        """`w * i + j` with j < w as row i of rows of width w."""
        form = linear(place.expr) if place.rows is None else None
        width = max(form.dims.values(), default=1) if form is not None else 1
        if form is None or form.symbols or width < 2 or len(form.dims) < 2:
            return place
        row, inner = affine_rewrites.constant(0), affine_rewrites.constant(form.constant)
        for dim, n in form.dims.items():
            if n % width:
                inner = affine_rewrites.add(inner, affine_rewrites.mul(affine_rewrites.dim(dim), n))
            else:
                term = affine_rewrites.mul(affine_rewrites.dim(dim), n // width)
                row = affine_rewrites.add(row, term)
        fits = self.bounds.is_inside(inner, index_form(width))
        return Place(inner, place.offset, (row, width)) if fits else place

    def _part_in_rows(
        self, ref: ir.Value, places: Sequence[Place], guard: ir.Block | bool | None, unsigned: bool
    ) -> Part:
        """A flat memref as rows that start a width apart.

        A read may take more than a row. What is written is there once only in a row.
        """
        place = places[0]
        if place.rows is None or len(places) > 1 or not _is_flat(ref.type):
            raise Left("rows are of something else than a memref of one dimension")
        if guard:
            raise Left(_OUTSIDE)
        (row, width), inner = place.rows, place.expr
        if isinstance(width, int) and width < 1:
            raise Left("rows have no width")
        exprs = [row, inner]
        if not all(map(affine_rewrites.is_map_result, exprs)):
            raise Left(f"a place is no sum of counters and one coordinate: {exprs}")
        for symbol in {**symbols_of(row), **symbols_of(inner)}:
            if self.reader.coordinates[symbol].size != ANY:
                raise Left("a coordinate is not kept in the bounds of what it addresses")
        if any(write.ref == ref for write in self.nest.writes):
            if symbols_of(row) and place.offset != 0:
                raise Left("rows that are written may start before the first one")
            dim = plain_dim(inner)
            fills = dim is not None and _is_or_zero(self.extents[dim], width)
            if not fills and not self.bounds.is_inside(inner, index_form(width)):
                raise Left("rows that are written may overlap")
        size = self.reader.compute(
            ("rows", ref, width), lambda: ceil_div(size_of(ref, 0), maximum(width, 1))
        )
        sizes = [self._extent_of(row, size), self._extent_of(inner, width)]
        return Part(ref, [(0, each, 1) for each in sizes], exprs, False, unsigned,
                    (place.offset, width))  # fmt: skip

    def _extent_of(self, expr: ir.AffineExpr, otherwise: Ix) -> Ix:
        dim = plain_dim(expr)
        return otherwise if dim is None else self.extents[dim]

    def _bound(self, dim: int) -> bool:
        """Some operand has the size of the dim, or a part of one gets it."""
        candidates, extent = [], index_form(self.extents[dim])
        for part in self.parts:
            for position, expr in enumerate(part.exprs):
                if plain_dim(expr) == dim:
                    size = part.parts[position][1]
                    if part.fits or size != WHOLE:
                        return True
                    if size_form(part.ref, position).minus(extent).constant == 0:
                        return True
                if part.parts[position] == ALL and part not in self.writes:
                    candidates.append((part, position, expr))
        for part, position, expr in candidates:
            found = _sole(expr)
            if found is not None and found[0] == dim and found[2] >= 0:
                part.parts[position] = (found[2], self.extents[dim], found[1])
                part.exprs[position] = affine_rewrites.dim(dim)
                return True
        return False

    def _loops(self, values: Sequence[ir.Value], extra: Sequence[ir.Value]) -> Loops:
        given = iter(values)
        rank = len(self.extents)
        reads = tuple(
            Input(next(given), part.kept, read.fill, ())
            for part, read in zip(self.reads, self.nest.reads, strict=True)
        )
        extents = zip(extra, self.missing, strict=False)
        reads += tuple(Input(value, (affine_rewrites.dim(dim),)) for value, dim in extents)
        symbols = []
        for number, (part, c) in enumerate(zip(self.symbols, self.reader.coordinates, strict=True)):
            value = next(given) if number in self.used else part.ref
            symbols.append(Symbol(value, part.kept, c.mode, c.wrap))
        writes = tuple(Output(next(given), part.kept, None) for part in self.writes)
        plain = [
            all(any(plain_dim(e) == dim for e in part.kept) for part in self.writes)
            for dim in range(rank)
        ]
        kinds = tuple("parallel" if each else "reduction" for each in plain)
        loops = Loops(self.nest.op, reads, tuple(symbols), writes, kinds)
        order = sorted(self.used)
        numbers = {old: affine_rewrites.symbol(n) for n, old in enumerate(order)}
        nothing = affine_rewrites.constant(0)
        found = [numbers.get(k, nothing) for k in range(len(symbols))]
        return renumbered(loops, found, [symbols[k] for k in order])

    def build(self) -> list[ir.Value]:
        """The `gs.generic`, at the insertion point; its results, of the outputs on tensors."""
        parts = self.parts
        views = [part.view() for part in parts]
        extra = [self._of_size(self.extents[dim]) for dim in self.missing]
        loops = self._loops(views, extra)
        more = len(self.missing)
        count = len(self.reads)

        def body(*elements: ir.Value) -> list[ir.Value]:
            return self.nest.body(*elements[:count], *elements[count + more :])

        op = build(loops, body, at=ir.InsertionPoint.current)
        return [
            result if part.is_whole else self._put_back(result, part)
            for result, part in zip(op.results, self.writes, strict=False)
        ]

    def _put_back(self, result: ir.Value, part: Part) -> ir.Value:
        given = slice_operands(part.offsets(), part.sizes(), [p[2] for p in part.parts])
        return tensor.insert_slice(result, part.ref, *given)

    def _of_size(self, size: Ix) -> ir.Value:
        """An operand of this size, of which no element is read."""
        if not self._on_memrefs:
            return tensor.empty([size], ir.IntegerType.get_signless(8))
        ref = self._others[0].ref
        dynamic, static = dynamic_and_static([size])
        layout = ir.StridedLayoutAttr.get(0, [0])
        type_ = ir.MemRefType.get(static, ref.type.element_type, layout, ref.type.memory_space)
        return memref.reinterpret_cast(type_, ref, [], dynamic, [], [0], static, [0])


def _is_flat(type_: ir.Type) -> bool:
    """A memref of one dimension whose elements follow each other from its start."""
    if not isinstance(type_, ir.MemRefType) or type_.rank != 1:
        return False
    try:
        return type_.get_strides_and_offset() == ([1], 0)
    except RuntimeError:
        return False


def _sole(expr: ir.AffineExpr) -> tuple[int | None, int, int] | None:
    """(dim, factor, constant) of a multiple of one dim, or of none, and a constant."""
    form = linear(expr)
    if form is None or form.symbols or len(form.dims) > 1:
        return None
    for dim, factor in form.dims.items():
        return (dim, factor, form.constant) if factor > 0 else None
    return None, 1, form.constant


def _is_or_zero(extent: Ix, width: Ix) -> bool:
    """`extent` is `width`, or 0 where that is less."""
    if isinstance(width, int) or isinstance(extent, int):
        return extent == width
    made = producer(extent, "arith.maxsi")
    if made is None:
        return index_form(extent).minus(index_form(width)).constant == 0
    return width in made.operands and 0 in map(number_of, made.operands)
