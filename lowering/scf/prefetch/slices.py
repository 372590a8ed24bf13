"""Slices of index arithmetic: what an index is computed from, back to a loop's induction variable,
and the same for a later iteration."""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.builders import arith, producer
from mlir_gs.lowering.ir.emit import Ix, add, memref, minimum, mul, size_of, sub, value
from mlir_gs.lowering.op.compact import in_a_row, lies_in_a_row
from mlir_gs.lowering.op.volume import elements_in
from mlir_gs.lowering.scf.prefetch.accesses import Place, place_of

vector = dialect("vector")

_MOST_DEEP = 48
"""Ops that an index is computed by one after the other, at most: a longer chain is a program."""

_DIVISIONS = {
    f"arith.{name}"
    for name in ("divsi", "divui", "remsi", "remui", "ceildivsi", "ceildivui", "floordivsi")
}
"""These may run at other values where the divisor is a positive constant."""

_SPECULATABLE = {
    *(
        f"arith.{name}"
        for name in (
            *("addi", "subi", "muli", "andi", "ori", "xori", "shli", "shrsi", "shrui", "minsi"),
            *("minui", "maxsi", "maxui", "select", "cmpi", "index_cast", "index_castui", "extsi"),
            *("extui", "trunci", "bitcast"),
        )
    ),
    *(f"index.{name}" for name in ("add", "sub", "mul", "casts", "castu", "maxs", "mins")),
    *(f"vector.{name}" for name in ("extract", "bitcast", "broadcast", "from_elements")),
    "affine.apply",
}
"""Ops that do no harm at any value."""

_PROMISES = ("isExact", "nonNeg")
"""Attributes that hold for the values that a loop sees, and for no others, as overflowFlags do."""


class Slice(NamedTuple):
    """What a value is computed from within a loop.

    `key` is equal where two slices compute the same but for a constant that is added to the
    induction variable, which is `shift`: None where the slice does not reach it. `coordinates` are
    the memrefs that it is read through at indices that move with the loop. `inner`: it reaches the
    induction variable of a loop inside. `block` is the innermost block with one of its ops, None
    where they are all outside of the loop.
    """

    key: Hashable
    shift: int | None = None
    coordinates: tuple[ir.Value, ...] = ()
    inner: bool = False
    block: ir.Block | None = None


class Nesting:
    """The ops around blocks, each looked up once."""

    def __init__(self) -> None:
        self._known: dict[ir.Block, tuple[ir.Operation, ...]] = {}

    def around(self, block: ir.Block) -> tuple[ir.Operation, ...]:
        """Outermost first."""
        found = self._known.get(block)
        if found is None:
            op = block.owner.operation
            is_top = op.parent is None or op.name == "func.func"
            found = (op,) if is_top else (*self.around(op.block), op)
            self._known[block] = found
        return found

    def block_of(self, given: ir.Value) -> ir.Block:
        """The block that a value is of."""
        owner = given.owner
        return owner if isinstance(owner, ir.Block) else owner.operation.block


class Slices:
    """Those of one scf.for."""

    def __init__(self, loop: ir.Operation, nesting: Nesting) -> None:
        self.loop = loop
        self.body = loop.regions[0].blocks[0]
        self.position = self.body.arguments[0]
        self.nesting = nesting
        self._depth = len(nesting.around(self.body)) - 1
        self._known: dict[ir.Value, Slice | None] = {}
        self._rows: dict[ir.Value, _Row] = {}

    def is_outside(self, given: ir.Value) -> bool:
        """Whether it is the same in all iterations, and known before the first one."""
        around = self.nesting.around(self.nesting.block_of(given))
        return len(around) <= self._depth or around[self._depth] != self.loop

    def find(self, given: Ix, depth: int = 0) -> Slice | None:
        """The slice of a number; None where it cannot be computed for a later iteration."""
        if isinstance(given, int):
            return Slice(given)
        if given not in self._known:
            self._known[given] = self._find(given, depth)
        return self._known[given]

    def all_of(self, numbers: Sequence[Ix], depth: int = 0) -> list[Slice] | None:
        """The slices of some numbers; None where one has none."""
        found = [self.find(each, depth) for each in numbers]
        return None if None in found else [each for each in found if each is not None]

    def _find(self, given: ir.Value, depth: int) -> Slice | None:
        if given == self.position:
            return Slice("position", 0)
        if self.is_outside(given):
            made = producer(given, "arith.constant")
            return Slice(str(made.attributes["value"]) if made is not None else given)
        owner = given.owner
        if isinstance(owner, ir.Block):
            is_position = owner.owner.operation.name == "scf.for" and owner.arguments[0] == given
            return Slice(given, inner=True) if is_position else None
        if depth > _MOST_DEEP:
            return None
        op = owner.operation
        if op.name == "arith.constant":
            return Slice(str(op.attributes["value"]), block=op.block)
        place = place_of(op) if op.name in ("memref.load", "vector.load") else None
        if place is not None:
            return self._of_load(op, place, depth)
        if not _is_speculatable(op):
            return None
        parts = self.all_of(list(op.operands), depth + 1)
        if parts is None:
            return None
        if op.name == "arith.addi":
            folded = folded_sum(parts, list(map(constant_of, op.operands)))
            if len(folded) == 1:
                return folded[0]._replace(block=op.block)
        attributes = tuple((name, str(op.attributes[name])) for name in op.attributes)
        return self._joined(op, (op.name, str(op.results[0].type), attributes), parts)

    def _of_load(self, op: ir.Operation, place: Place, depth: int) -> Slice | None:
        type_ = op.results[0].type
        if not self.is_outside(place.memref) or not _has_length(type_):
            return None
        dims = [self.all_of(dim, depth + 1) for dim in place.indices]
        if None in dims:
            return None
        sums = [
            folded_sum(found or [], parts) for found, parts in zip(dims, place.indices, strict=True)
        ]
        key = (op.name, str(type_), place.memref, tuple(map(len, sums)))
        found = self._joined(op, key, [part for parts in sums for part in parts])
        if found.shift is None:
            return found
        return found._replace(coordinates=(*found.coordinates, place.memref))

    def _joined(self, op: ir.Operation, key: Hashable, parts: Sequence[Slice]) -> Slice:
        first, keys = shifts_apart(parts)
        blocks = [op.block, *(part.block for part in parts if part.block is not None)]
        return Slice(
            (key, keys),
            first,
            tuple(each for part in parts for each in part.coordinates),
            any(part.inner for part in parts),
            max(blocks, key=lambda block: len(self.nesting.around(block))),
        )

    def later(self, numbers: Sequence[Ix], position: ir.Value, last: ir.Value) -> list[Ix]:
        """The numbers, which have slices, at `position` of the loop instead: emitted at the
        insertion point. What they are read through is read at elements that it has; `last` is the
        last position that coordinates in memory of the function itself are read at."""
        made: dict[ir.Value, ir.Value] = {}
        return [self._at(each, position, last, made) for each in numbers]

    def _at(self, given: Ix, position: ir.Value, last: ir.Value, made: dict[ir.Value, Ix]) -> Ix:
        if isinstance(given, int):
            return given
        if given not in made:
            made[given] = self._made(given, position, last, made)
        return made[given]

    def _made(
        self, given: ir.Value, position: ir.Value, last: ir.Value, made: dict[ir.Value, Ix]
    ) -> Ix:
        if given == self.position:
            return position
        found = self.find(given)
        if found is None or found.shift is None:
            return given
        op = given.owner.operation
        place = place_of(op) if op.name in ("memref.load", "vector.load") else None
        if place is not None:
            if _is_scratch(place.memref):
                position, made = value(minimum(position, last)), {}
            where = [
                [self._at(part, position, last, made) for part in dim] for dim in place.indices
            ]
            return self._loaded(op, place, [_sum(parts) for parts in where])
        operands = [value(self._at(operand, position, last, made)) for operand in op.operands]
        clone = op.clone()
        for number, operand in enumerate(operands):
            clone.operands[number] = operand
        if "overflowFlags" in clone.attributes:
            clone.attributes["overflowFlags"] = ir.Attribute.parse("#arith.overflow<none>")
        for promise in _PROMISES:
            if promise in clone.attributes:
                del clone.attributes[promise]
        return clone.results[0]

    def _loaded(self, op: ir.Operation, place: Place, where: Sequence[Ix]) -> ir.Value:
        """What `op` loads, of elements at `where` or else of the last ones that there are.

        There are some: `op` has loaded from the same memref. Rows of coordinates that lie side by
        side go on with the next one.
        """
        row = self._rows.get(place.memref)
        if row is None:
            with ir.InsertionPoint(self.loop):
                row = self._rows[place.memref] = _Row.of(place.memref)
        if len(row.sizes) < len(where):
            total: Ix = 0
            for number, each in enumerate(where):
                total = add(mul(total, size_of(place.memref, number)), each)
            where = [total]
        more = [0] * (len(where) - 1) + [place.elements - 1]
        inside = [
            arith.minui(value(each), value(sub(size, 1 + width)))
            for each, size, width in zip(where, row.sizes, more, strict=True)
        ]
        if op.name == "memref.load":
            return memref.load(row.memref, inside)
        return vector.load(op.results[0].type, row.memref, inside)


class _Row(NamedTuple):
    """A memref of coordinates, as one of rank 1 where its elements lie in a row."""

    memref: ir.Value
    sizes: list[Ix]

    @classmethod
    def of(cls, shaped: ir.Value) -> "_Row":
        if shaped.type.rank > 1 and lies_in_a_row(shaped.type):
            return cls(in_a_row(shaped), [elements_in(shaped)])
        return cls(shaped, [size_of(shaped, n) for n in range(shaped.type.rank)])


def shifts_apart(parts: Sequence[Slice]) -> tuple[int | None, Hashable]:
    """The first shift, and keys of all with their shifts from that."""
    first = next((part.shift for part in parts if part.shift is not None), None)
    keys = tuple(
        (None if part.shift is None or first is None else part.shift - first, part.key)
        for part in parts
    )
    return first, keys


def folded_sum(parts: Sequence[Slice], known: Sequence[Ix | None]) -> list[Slice]:
    """Summands, of which those that are `known` numbers are added to the shift of the one that is
    the position of the loop, if there is one."""
    place = next((n for n, part in enumerate(parts) if part.key == "position"), None)
    if place is None:
        return list(parts)
    numbers = {n: each for n, each in enumerate(known) if isinstance(each, int)}
    moved = parts[place]._replace(shift=(parts[place].shift or 0) + sum(numbers.values()))
    rest = [part for n, part in enumerate(parts) if n not in numbers and n != place]
    return [moved, *rest]


def constant_of(given: Ix) -> int | None:
    """The number that a value is known to be."""
    if isinstance(given, int):
        return given
    made = producer(given, "arith.constant")
    if made is None or not isinstance(made.attributes["value"], ir.IntegerAttr):
        return None
    return made.attributes["value"].value


def _is_speculatable(op: ir.Operation) -> bool:
    if op.name in _DIVISIONS:
        divisor = constant_of(op.operands[1])
        return divisor is not None and divisor > 0
    if op.name == "vector.extract":
        return len(op.operands) == 1
    if op.name == "llvm.inline_asm":
        return "has_side_effects" not in op.attributes and len(op.results) == 1
    return op.name in _SPECULATABLE


def _has_length(type_: ir.Type) -> bool:
    """An element, or a vector of a known number of elements side by side."""
    if not isinstance(type_, ir.VectorType):
        return True
    return type_.rank == 1 and not type_.scalable


def _is_scratch(shaped: ir.Value) -> bool:
    """Memory that the function fills itself: beyond what a loop reads of it there is nothing."""
    return producer(shaped, "memref.alloca", "memref.alloc") is not None


def _sum(parts: Sequence[Ix]) -> Ix:
    total: Ix = 0
    for part in parts:
        total = add(total, part)
    return total


def sums(dims: Sequence[Sequence[Ix]]) -> list[ir.Value]:
    """The index along each dimension."""
    return [value(_sum(parts)) for parts in dims]
