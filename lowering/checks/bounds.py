"""Checks before anything is written: all coordinates under mode error, and that mode clip has a
position to clip to."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.dialect.structure import Access, Structure, Use
from mlir_gs.lowering.checks.sites import Sites
from mlir_gs.lowering.ir.builders import arith, index
from mlir_gs.lowering.ir.emit import (
    Ix,
    affine,
    both,
    choose,
    compare,
    element,
    loop,
    loop_carrying,
    minimum,
    negated,
    size_of,
    sub,
    value,
    when,
)
from mlir_gs.lowering.op.compact import in_a_row, lies_in_a_row
from mlir_gs.lowering.op.coordinates import (
    Coordinates,
    Point,
    as_index,
    as_signless,
    never_negative,
)
from mlir_gs.lowering.passes.diagnostics import location_text

# On a gs.generic: the name of the op that it was made from.
ORIGIN = "gs.origin"


def emit_checks(
    op: ir.Operation, coordinates: Coordinates, sites: Sites, clipped: bool = True
) -> None:
    """Loops over the coordinates under mode error, and if `clipped` under mode clip where no
    position is in bounds, that raise at the first one out of bounds."""
    structure, seen = coordinates.structure, set()
    for symbol, mode in enumerate(structure.modes):
        if mode == "error":
            check_symbol(op, coordinates, sites, symbol)
        elif mode == "clip" and clipped:
            # Where the same positions are asked for again, the first check has raised.
            uses = {
                (use.access.value, use.position, str(use.form)) for use in structure.uses(symbol)
            }
            same = frozenset(uses), frozenset(coordinates.depends(symbol))
            nowhere = None if same in seen else _nowhere(coordinates, symbol)
            if "fill_or_drop" not in structure.modes:
                seen.add(same)
            if nowhere is not None:
                when(nowhere, lambda s=symbol: check_symbol(op, coordinates, sites, s, surely=True))


def somewhere(coordinates: Coordinates) -> ir.Value | None:
    """When each coordinate under mode clip has a position to clip to; None for always."""
    condition = None
    for symbol, mode in enumerate(coordinates.structure.modes):
        nowhere = _nowhere(coordinates, symbol) if mode == "clip" else None
        if nowhere is not None:
            condition = both(condition, negated(nowhere))
    return condition


def needs_checks(structure: Structure) -> bool:
    """Whether some coordinates may have to be checked."""
    return any(mode in ("error", "clip") for mode in structure.modes)


def _nowhere(coordinates: Coordinates, symbol: int) -> ir.Value | None:
    """When no position is in bounds though points of the op need one; None for never."""
    lower, upper = coordinates.bounds[symbol]
    if isinstance(lower, int) and isinstance(upper, int) and lower <= upper:
        return None
    condition = compare("slt", upper, lower)
    for dim, extent in coordinates.extents.items():
        if dim not in coordinates.depends(symbol):
            condition = arith.andi(condition, compare("sgt", extent, 0))
    return condition


def check_symbol(
    op: ir.Operation, coordinates: Coordinates, sites: Sites, symbol: int, surely: bool = False
) -> None:
    """Emit loops over the coordinates of `symbol`, which check them.

    The first has no branches, so that LLVM vectorizes it, and says whether any is out of bounds;
    the second raises. The first is left out where one is known to be (`surely`), and for a
    coordinate that is read through others.
    """
    structure, extents = coordinates.structure, coordinates.extents
    is_bounded = coordinates.is_bounded(symbol)
    if is_bounded is False:
        return
    access = structure.coordinates[symbol]
    use = structure.uses(symbol)[0]
    site = sites.add(f"{location_text(op.location)}: {_subject(op, symbol, use)}")
    dims = sorted(coordinates.depends(symbol))

    def visit(rest: Sequence[int], point: Point) -> None:
        if rest:
            dim = rest[0]
            loop(0, extents[dim], 1, lambda i: visit(rest[1:], point.at(dim, i)))
            return
        for earlier in range(symbol):
            if coordinates.depends(earlier) <= set(point.dims):
                coordinates.load(earlier, point)
        # Neither read nor checked where a coordinate that it is read through is out of bounds.
        when(point.valid_for(access.map), lambda: check(point))

    def check(point: Point) -> None:
        where = [value(affine(e, point.dims, point.symbols)) for e in access.map.results]
        given = coordinates.element(symbol, point)
        position = coordinates.as_position(symbol, given)
        outside = negated(coordinates.in_bounds(symbol, position))

        def raise_() -> None:
            size: Ix = size_of(use.access.value, use.position)
            for other in structure.uses(symbol)[1:]:
                size = minimum(size, size_of(other.access.value, other.position))
            unsigned = isinstance(given.type, ir.IntegerType) and given.type.is_unsigned
            sites.raise_index_error(site, [as_index(given), value(size), *where], unsigned)

        when(outside, raise_)

    def search() -> None:
        found = None
        if not (surely or structure.is_chained(symbol)):
            found = any_outside(coordinates, symbol)
        when(found, lambda: visit(dims, Point()))

    when(None if is_bounded is True else is_bounded, search)


def any_outside(
    coordinates: Coordinates, symbol: int, part: Mapping[int, tuple[Ix, Ix]] = MappingProxyType({})
) -> ir.Value:
    """Whether some position is out of bounds: as an unsigned number its distance from the first one
    in bounds is more than that of the last one. `part` gives the ends along some dims: only those
    points are looked at, and their stored coordinates are not wrapped.

    Positions that are what is stored, and begin with 0, are compared in the type of that: a vector
    has more of them.
    """
    access, extents = coordinates.structure.coordinates[symbol], coordinates.extents
    lower, upper = coordinates.bounds[symbol]
    stored = access.value.type.element_type
    # An index holds all coordinates of such a type, which has bits to spare.
    narrow = isinstance(stored, ir.IntegerType) and stored.width < 64
    is_stored = bool(part) or not coordinates.structure.wraps[symbol]
    narrow = narrow and lower == 0 and is_stored

    def farther(found: ir.Value, shaped: ir.Value, where: Sequence[Ix]) -> ir.Value:
        given = element(shaped, [value(x) for x in where])
        if narrow:
            return arith.maxui(found, as_signless(given))
        position = as_index(given, saturate=True)
        position = position if is_stored else coordinates.wrapped(symbol, position)
        return arith.maxui(found, value(sub(position, lower)))

    # A negative number is the greatest without a sign, before and after it is widened.
    first = arith.constant(ir.IntegerType.get_signless(stored.width), 0) if narrow else index(0)

    def dim_by_dim(rest: Sequence[int], point: Point, found: ir.Value) -> ir.Value:
        if not rest:
            where = [affine(e, point.dims, {}) for e in access.map.results]
            return farther(found, access.value, where)
        dim = rest[0]

        def at(position: Ix, inner: list[ir.Value]) -> list[ir.Value]:
            return [dim_by_dim(rest[1:], point.at(dim, position), inner[0])]

        ends = part.get(dim, (0, extents[dim]))
        return loop_carrying(*ends, [found], at, unroll="any")[0]

    def in_one_loop() -> ir.Value:
        row = in_a_row(access.value)

        def at(position: Ix, found: list[ir.Value]) -> list[ir.Value]:
            return [farther(found[0], row, [position])]

        return loop_carrying(0, size_of(row, 0), [first], at, unroll="any")[0]

    def in_loops() -> ir.Value:
        return dim_by_dim(sorted(coordinates.depends(symbol)), Point(), first)

    whole = not part and _is_whole_row(access, extents)
    if isinstance(whole, bool):
        found = in_one_loop() if whole else in_loops()
    else:
        found = choose(whole, first.type, in_one_loop, in_loops)
    if narrow:
        cast = arith.index_castui if never_negative(stored) else arith.index_cast
        found = cast(ir.IndexType.get(), found)
    far = compare("ugt", found, sub(upper, lower))
    return arith.ori(far, compare("slt", upper, lower))


def _is_whole_row(access: Access, extents: Mapping[int, Ix]) -> ir.Value | bool:
    """Whether the op reads each element of contiguous coordinates once: LLVM vectorizes one loop
    over them, but not a nest over short rows."""
    type_ = access.value.type
    if not isinstance(type_, ir.MemRefType) or not lies_in_a_row(type_):
        return False
    dims = [plain_dim(expr) for expr in access.map.results]
    sizes = [size_of(access.value, number) for number in range(len(dims))]
    wide = [dim for dim, size in zip(dims, sizes, strict=True) if size != 1]
    if None in wide or len(set(wide)) < len(wide) or len(wide) < 2:
        return False
    condition = None
    for dim, size in zip(dims, sizes, strict=True):
        extent = size if dim is None else extents[dim]
        if isinstance(extent, int) and isinstance(size, int):
            if extent != size:
                return False
        else:
            condition = both(condition, compare("eq", extent, size))
    return True if condition is None else condition


def _subject(op: ir.Operation, symbol: int, use: Use) -> str:
    """The op and what its coordinate addresses, in the words of the op that was written."""
    if op.name == "gs.generic" and ORIGIN not in op.attributes:
        return f"'{op.name}' op, s{symbol} into dimension {use.position} of '{use.access.name}'"
    name, operand = op.name, use.access.name
    if ORIGIN in op.attributes:
        name, operand = (text.value for text in op.attributes[ORIGIN])
    return f"'{name}' op, into dimension {use.position} of '{operand}'"
