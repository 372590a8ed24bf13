"""The check of `unique`: a hash table of the elements that points address."""

from collections.abc import Callable, Sequence

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.affine import plain_dim, symbols_of
from mlir_gs.dialect.structure import Access, dims_in
from mlir_gs.lowering.checks.sites import Numbers, Sites
from mlir_gs.lowering.ir.builders import arith, index
from mlir_gs.lowering.ir.emit import (
    Ix,
    add,
    affine,
    any_of,
    compare,
    either,
    loop,
    loop_while,
    memref,
    mul,
    product,
    size_of,
    sub,
    value,
    when,
)
from mlir_gs.lowering.op.coordinates import Coordinates, Point, as_index, never_negative
from mlir_gs.lowering.passes.diagnostics import location_text

math = dialect("math")

# 2^64 divided by the golden ratio, as a signed number: products with it spread neighbours.
_SPREAD = 0x9E3779B97F4A7C15 - (1 << 64)


class Table:
    """An open-addressing hash table from keys to numbers of 0 or more, with room for `count`."""

    def __init__(self, count: Ix) -> None:
        self.capacity = _capacity(count)
        size = ir.ShapedType.get_dynamic_size()
        static = self.capacity if isinstance(self.capacity, int) else size
        type_ = ir.MemRefType.get([static, 2], ir.IndexType.get())
        sizes = [] if isinstance(self.capacity, int) else [self.capacity]
        self.memory = memref.AllocOp(type_, sizes, []).result
        # A slot is a key and its number + 1; 0 stands for an empty slot.
        loop(0, self.capacity, 1, lambda slot: self._store(value(slot), 1, index(0)))

    def free(self) -> None:
        memref.DeallocOp(self.memory)

    def insert(self, key: ir.Value, number: Ix, again: Callable[[ir.Value], None]) -> None:
        """Store `number` under `key`; if the key is taken, call `again` with its number instead."""
        slot = self._find(key)
        entry = self._load(slot, 1)

        def take() -> None:
            self._store(slot, 0, key)
            self._store(slot, 1, value(add(number, 1)))

        either(compare("eq", entry, 0), take, lambda: again(value(sub(entry, 1))))

    def look(self, key: ir.Value, found: Callable[[ir.Value], None]) -> None:
        """Call `found` with the number under `key`, where there is one."""
        entry = self._load(self._find(key), 1)
        when(compare("ne", entry, 0), lambda: found(value(sub(entry, 1))))

    def _find(self, key: ir.Value) -> ir.Value:
        """The slot that holds `key`, or the empty one where it belongs."""
        mask = value(sub(self.capacity, 1))
        mixed = arith.muli(key, index(_SPREAD))
        mixed = arith.xori(mixed, arith.shrui(mixed, index(32)))

        def another(slot: ir.Value) -> ir.Value:
            taken = compare("ne", self._load(slot, 1), 0)
            return arith.andi(taken, compare("ne", self._load(slot, 0), key))

        return loop_while(
            arith.andi(mixed, mask),
            another,
            lambda slot: arith.andi(arith.addi(slot, index(1)), mask),
        )

    def _load(self, slot: ir.Value, part: int) -> ir.Value:
        return memref.load(self.memory, [slot, index(part)])

    def _store(self, slot: ir.Value, part: int, number: ir.Value) -> None:
        memref.store(number, self.memory, [slot, index(part)])


def _capacity(count: Ix) -> Ix:
    """The power of 2 above 2 * count."""
    if isinstance(count, int):
        return 1 << (2 * count + 1).bit_length()
    i64 = ir.IntegerType.get_signless(64)
    twice = arith.index_cast(i64, value(add(mul(count, 2), 1)))
    bits = arith.subi(arith.constant(i64, 64), math.ctlz(twice))
    return arith.index_cast(ir.IndexType.get(), arith.shli(arith.constant(i64, 1), bits))


def check_unique(
    op: ir.Operation, coordinates: Coordinates, access: Access, sites: Sites, frees: bool
) -> None:
    """Loops that raise at the first point that addresses the element of an earlier one, from which
    it differs in a parallel dim."""
    extents = coordinates.extents
    symbols = sorted({s for expr in access.map.results for s in symbols_of(expr)})
    hung = {dim for symbol in symbols for dim in coordinates.depends(symbol)}
    results = list(access.map.results)
    mixed = {d for expr in results if plain_dim(expr) is None for d in dims_in(expr)}
    # Elements are different where these dims are.
    apart = {d for d in map(plain_dim, results) if d is not None} - hung - mixed
    iterators = coordinates.structure.iterators
    parallel = {dim for dim, kind in enumerate(iterators) if kind == "parallel"}
    plain = {d for d in map(plain_dim, results) if d is not None}
    walked = sorted((hung | mixed | plain | parallel) - apart)
    if not parallel & set(walked):
        return
    site = sites.add(f"{location_text(op.location)}: '{op.name}' op")
    table = Table(product(extents[dim] for dim in walked))

    def visit(rest: Sequence[int], point: Point, number: Ix) -> None:
        if rest:
            dim = rest[0]
            size = extents[dim]

            def body(i: Ix) -> None:
                visit(rest[1:], point.at(dim, i), add(mul(number, size), i))

            loop(0, size, 1, body)
            return
        coordinates.load_ready(point)
        when(point.valid_for(access.map), lambda: remember(point, number))

    def remember(point: Point, number: Ix) -> None:
        key: Ix = 0
        for position, expr in enumerate(results):
            if plain_dim(expr) not in apart:
                where = affine(expr, point.dims, point.symbols)
                key = add(mul(key, size_of(access.value, position)), where)
        table.insert(value(key), number, lambda earlier: compared(point, earlier))

    def compared(point: Point, earlier: ir.Value) -> None:
        here = [value(point.dims[dim]) for dim in walked]
        there = unravel(earlier, [extents[dim] for dim in walked])
        places = zip(walked, here, there, strict=True)
        differ = any_of([compare("ne", x, y) for dim, x, y in places if dim in parallel])

        def raise_() -> None:
            given = [coordinates.element(symbol, point) for symbol in symbols]
            unsigned = all(never_negative(each.type) for each in given)
            numbers = Numbers([as_index(each) for each in given], True, unsigned)
            groups = [numbers, Numbers(here, True), Numbers(there, True)]
            sites.raise_broken("unique", site, groups)

        when(differ, raise_)

    visit(walked, Point(), 0)
    if frees:
        table.free()


def unravel(number: ir.Value, sizes: Sequence[Ix]) -> list[ir.Value]:
    """The position with this number in row-major order."""
    found: list[ir.Value] = []
    for size in reversed(sizes):
        found.insert(0, arith.remui(number, value(size)))
        number = arith.divui(number, value(size))
    return found
