"""The check of `sorted`: coordinate tuples ascend, each compared with the one before."""

from collections.abc import Sequence

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim, symbols_of
from mlir_gs.dialect.structure import Access
from mlir_gs.lowering.checks.sites import Numbers, Sites
from mlir_gs.lowering.ir.builders import arith, cast
from mlir_gs.lowering.ir.emit import (
    both,
    choose_all,
    compare,
    loop,
    loop_carrying,
    minimum,
    value,
    when,
)
from mlir_gs.lowering.op.coordinates import (
    Coordinates,
    Point,
    as_index,
    as_signless,
    never_negative,
)
from mlir_gs.lowering.passes.diagnostics import location_text


def check_sorted(op: ir.Operation, coordinates: Coordinates, access: Access, sites: Sites) -> None:
    """Loops that raise at the first tuple of coordinates of `access` below the one before it.

    Tuples at points that agree in the plain dims of `access` are compared, in row-major order of
    all other iteration dims. Where one of these is outside of those that the tuples change along,
    the tuples repeat with each of its points.
    """
    extents = coordinates.extents
    symbols = sorted({s for expr in access.map.results for s in symbols_of(expr)})
    hung = sorted({dim for symbol in symbols for dim in coordinates.depends(symbol)})
    plain = {plain_dim(expr) for expr in access.map.results}
    lines, changing = [d for d in hung if d in plain], [d for d in hung if d not in plain]
    if not changing:
        return
    walked = [d for d in sorted(extents) if d in changing or (d < changing[-1] and d not in plain)]
    # All repetitions are equal: two are enough.
    ends = {d: extents[d] if d in hung else minimum(extents[d], 2) for d in walked}
    site = sites.add(f"{location_text(op.location)}: '{op.name}' op")
    shown = hung

    def line(rest: Sequence[int], point: Point) -> None:
        if rest:
            loop(0, extents[rest[0]], 1, lambda i: line(rest[1:], point.at(rest[0], i)))
            return
        i1 = ir.IntegerType.get_signless(1)
        zeros = [arith.constant(type_, 0) for type_ in _types(coordinates, symbols)]
        start = [value(0)] * len(shown)
        walk(walked, point, [arith.constant(i1, 0), *zeros, *start])

    def walk(rest: Sequence[int], point: Point, before: list[ir.Value]) -> list[ir.Value]:
        if rest:
            return loop_carrying(
                0, ends[rest[0]], before, lambda i, c: walk(rest[1:], point.at(rest[0], i), c)
            )
        coordinates.load_ready(point)
        readable = None
        for symbol in symbols:
            map_ = coordinates.structure.coordinates[symbol].map
            readable = both(readable, point.valid_for(map_))
        types = [each.type for each in before]
        return choose_all(readable, types, lambda: compared(point, before), lambda: before)

    def compared(point: Point, before: list[ir.Value]) -> list[ir.Value]:
        given = [coordinates.element(symbol, point) for symbol in symbols]
        numbers = [as_signless(each) for each in given]
        kinds = [never_negative(each.type) for each in given]
        where = [value(point.dims[dim]) for dim in shown]
        seen, last, at = before[0], before[1 : 1 + len(given)], before[1 + len(given) :]
        falls = arith.andi(seen, _less(numbers, last, kinds))

        def raise_() -> None:
            unsigned = all(kinds)
            old = [as_index(cast(each, new.type)) for new, each in zip(given, last, strict=True)]
            groups = [
                Numbers([as_index(each) for each in given], True, unsigned),
                Numbers(where, True),
                Numbers(old, True, unsigned),
                Numbers(at, True),
            ]
            sites.raise_broken("sorted", site, groups)

        when(falls, raise_)
        return [arith.constant(ir.IntegerType.get_signless(1), 1), *numbers, *where]

    line(lines, Point())


def _signless_type(type_: ir.Type) -> ir.Type:
    if isinstance(type_, ir.IntegerType) and not type_.is_signless:
        return ir.IntegerType.get_signless(type_.width)
    return type_


def _types(coordinates: Coordinates, symbols: Sequence[int]) -> list[ir.Type]:
    values = [coordinates.structure.coordinates[symbol].value for symbol in symbols]
    return [_signless_type(each.type.element_type) for each in values]


def _less(a: Sequence[ir.Value], b: Sequence[ir.Value], unsigned: Sequence[bool]) -> ir.Value:
    """Tuple `a` is before `b` in lexicographic order."""
    result = arith.constant(ir.IntegerType.get_signless(1), 0)
    for x, y, kind in reversed(list(zip(a, b, unsigned, strict=True))):
        tie = arith.andi(compare("eq", x, y), result)
        result = arith.ori(compare("ult" if kind else "slt", x, y), tie)
    return result
