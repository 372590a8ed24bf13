"""What is checked before anything is written: all coordinates under mode error, and under mode clip
that there is a position to clip to."""

from collections.abc import Mapping, Sequence

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.structure import Structure, Use
from mlir_gs.lowering.builders import arith, index
from mlir_gs.lowering.coordinates import Coordinates, Point, as_index
from mlir_gs.lowering.emit import (
    Ix,
    affine,
    both,
    compare,
    element,
    loop,
    loop_carrying,
    minimum,
    size_of,
    sub,
    value,
    when,
)
from mlir_gs.lowering.sites import Sites

# On a gs.generic: the name of the op that it was made from.
ORIGIN = "gs.origin"


def emit_checks(
    op: ir.Operation,
    structure: Structure,
    coordinates: Coordinates,
    extents: Mapping[int, Ix],
    sites: Sites,
    clipped: bool = True,
) -> None:
    """Loops over the coordinates under mode error, and if `clipped` under mode clip where no
    position is in bounds, that raise at the first one out of bounds."""
    for symbol, mode in enumerate(structure.modes):
        if mode == "error":
            check_symbol(op, structure, coordinates, extents, sites, symbol)
        elif mode == "clip" and clipped:
            nowhere = _nowhere(coordinates, extents, symbol)
            if nowhere is not None:
                when(
                    nowhere,
                    lambda s=symbol: check_symbol(
                        op, structure, coordinates, extents, sites, s, surely=True
                    ),
                )


def somewhere(
    structure: Structure, coordinates: Coordinates, extents: Mapping[int, Ix]
) -> ir.Value | None:
    """When each coordinate under mode clip has a position to clip to; None for always."""
    condition = None
    for symbol, mode in enumerate(structure.modes):
        nowhere = _nowhere(coordinates, extents, symbol) if mode == "clip" else None
        if nowhere is not None:
            condition = both(condition, arith.xori(nowhere, _true()))
    return condition


def needs_checks(structure: Structure) -> bool:
    """Whether some coordinates may have to be checked."""
    return any(mode in ("error", "clip") for mode in structure.modes)


def _nowhere(coordinates: Coordinates, extents: Mapping[int, Ix], symbol: int) -> ir.Value | None:
    """When no position is in bounds though points of the op need one; None for never."""
    lower, upper = coordinates.bounds[symbol]
    if isinstance(lower, int) and isinstance(upper, int) and lower <= upper:
        return None
    condition = compare("slt", upper, lower)
    for dim, extent in extents.items():
        if dim not in coordinates.depends(symbol):
            condition = arith.andi(condition, compare("sgt", extent, 0))
    return condition


def check_symbol(
    op: ir.Operation,
    structure: Structure,
    coordinates: Coordinates,
    extents: Mapping[int, Ix],
    sites: Sites,
    symbol: int,
    surely: bool = False,
) -> None:
    """Loops over one coordinate, which `coordinates` checks: one without branches, which LLVM makes
    vectors of, then one that raises. `surely`: it is out of bounds, so that the first is left out,
    as it is for a coordinate that is found through others."""
    access = structure.coordinates[symbol]
    use = structure.uses(symbol)[0]
    site = sites.add(f"{place(op.location)}: {_subject(op, symbol, use)}")
    dims = sorted(coordinates.depends(symbol))

    def visit(rest: Sequence[int], point: Point) -> None:
        if rest:
            dim = rest[0]
            loop(0, extents[dim], 1, lambda i: visit(rest[1:], point.at(dim, i)))
            return
        for earlier in range(symbol):
            if coordinates.depends(earlier) <= set(point.dims):
                coordinates.load(earlier, point)
        # Where a coordinate that it hangs on is out of bounds, it is neither read nor checked.
        when(point.valid_for(access.map), lambda: check(point))

    def check(point: Point) -> None:
        where = [value(affine(e, point.dims, point.symbols)) for e in access.map.results]
        given = element(access.value, where)
        position = coordinates.as_position(symbol, given)
        outside = arith.xori(coordinates.in_bounds(symbol, position), _true())

        def raise_() -> None:
            size: Ix = size_of(use.access.value, use.position)
            for other in structure.uses(symbol)[1:]:
                size = minimum(size, size_of(other.access.value, other.position))
            unsigned = isinstance(given.type, ir.IntegerType) and given.type.is_unsigned
            sites.raise_index_error(site, [as_index(given), value(size), *where], unsigned)

        when(outside, raise_)

    found = None
    if not (surely or structure.is_chained(symbol)):
        found = _any_outside(structure, coordinates, extents, symbol)
    when(found, lambda: visit(dims, Point()))


def _any_outside(
    structure: Structure, coordinates: Coordinates, extents: Mapping[int, Ix], symbol: int
) -> ir.Value:
    """Whether some position is out of bounds: as an unsigned number its distance from the first one
    in bounds is more than that of the last one."""
    access = structure.coordinates[symbol]
    lower, upper = coordinates.bounds[symbol]

    def farthest(rest: Sequence[int], point: Point, found: list[ir.Value]) -> list[ir.Value]:
        if rest:
            dim = rest[0]
            return loop_carrying(
                0, extents[dim], found, lambda i, inner: farthest(rest[1:], point.at(dim, i), inner)
            )
        where = [value(affine(e, point.dims, {})) for e in access.map.results]
        position = coordinates.as_position(symbol, element(access.value, where))
        return [arith.maxui(found[0], value(sub(position, lower)))]

    (found,) = farthest(sorted(coordinates.depends(symbol)), Point(), [index(0)])
    far = compare("ugt", found, sub(upper, lower))
    return arith.ori(far, compare("slt", upper, lower))


def _subject(op: ir.Operation, symbol: int, use: Use) -> str:
    """The op and what its coordinate addresses, in the words of the op that was written."""
    origin = op.attributes[ORIGIN].value if ORIGIN in op.attributes else op.name
    if origin == "gs.generic":
        return f"'{op.name}' op, s{symbol} into dimension {use.position} of '{use.access.name}'"
    operand = "source" if use.access.name.startswith("inputs") else "dest"
    return f"'{origin}' op, into dimension {use.position} of '{operand}'"


def _true() -> ir.Value:
    return arith.constant(ir.IntegerType.get_signless(1), 1)


def place(location: ir.Location) -> str:
    """`file:line:col` where the location has it."""
    text = str(location)
    return text[4:-1].replace('"', "") if text.startswith("loc(") else text
