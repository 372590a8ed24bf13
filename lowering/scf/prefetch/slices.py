"""Slices of index arithmetic: what an index is computed from, back to a loop's induction variable,
and the same for a later iteration."""

from collections.abc import Hashable, Iterable, Sequence
from functools import reduce
from typing import NamedTuple, TypeVar

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.builders import ancestors, arith, constant_of, has_named, producer
from mlir_gs.lowering.ir.emit import Ix, add, memref, minimum, mul, size_of, sub, value
from mlir_gs.lowering.op.compact import in_a_row, lies_in_a_row
from mlir_gs.lowering.op.volume import elements_in
from mlir_gs.lowering.scf.prefetch.accesses import Indices, Place, place_of

vector = dialect("vector")

_T = TypeVar("_T")

_MOST_DEEP = 48
"""Ops that an index is computed by one after the other, at most: a longer chain is a program."""

_DIVISIONS = {
    *("arith.divsi", "arith.divui", "arith.remsi", "arith.remui"),
    *("arith.ceildivsi", "arith.ceildivui", "arith.floordivsi"),
}
"""These may run at other values where the divisor is a positive constant."""

_SPECULATABLE = {
    *("arith.addi", "arith.subi", "arith.muli", "arith.andi", "arith.ori", "arith.xori"),
    *("arith.shli", "arith.shrsi", "arith.shrui", "arith.minsi", "arith.minui", "arith.maxsi"),
    *("arith.maxui", "arith.select", "arith.cmpi", "arith.index_cast", "arith.index_castui"),
    *("arith.extsi", "arith.extui", "arith.trunci", "arith.bitcast", "affine.apply"),
    *("vector.bitcast", "vector.broadcast", "vector.from_elements"),
}
"""Ops that do no harm at any value."""

_CLAMPS = ("arith.minsi", "arith.minui", "arith.maxsi", "arith.maxui")

_LOADS = ("memref.load", "vector.load")

_LOOPS = ("scf.for", "scf.forall", "scf.parallel", "scf.while")

_LEAVES = ("cf.assert", "func.call", "llvm.call")
"""Ops that may leave a loop before its last iteration."""


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
    """The ops around blocks, the loops among them, and what ops read and write: each is looked up
    once."""

    def __init__(self) -> None:
        self._known: dict[ir.Block, tuple[ir.Operation, ...]] = {}
        self._loops: dict[ir.Block, list[ir.Operation]] = {}
        self._places: dict[ir.Operation, Place | None] = {}

    def loops(self, block: ir.Block) -> list[ir.Operation]:
        """Outermost first."""
        if block not in self._loops:
            self._loops[block] = [op for op in self.around(block) if op.name == "scf.for"]
        return self._loops[block]

    def place(self, op: ir.Operation) -> Place | None:
        """See `place_of`."""
        if op not in self._places:
            self._places[op] = place_of(op)
        return self._places[op]

    def around(self, block: ir.Block) -> tuple[ir.Operation, ...]:
        """Outermost first."""
        found = self._known.get(block)
        if found is None:
            op = block.owner.operation
            is_top = op.parent is None or op.name == "func.func"
            found = (op,) if is_top else (*self.around(op.block), op)
            self._known[block] = found
        return found


class Slices:
    """Those of one scf.for. Of memrefs that are `written` in it nothing is known ahead."""

    def __init__(self, loop: ir.Operation, nesting: Nesting) -> None:
        self.loop = loop
        self.body = loop.regions[0].blocks[0]
        self.position = self.body.arguments[0]
        self.nesting = nesting
        self.written: set[ir.Value] = set()
        self._depth = len(nesting.around(self.body)) - 1
        self._known: dict[ir.Value, Slice | None] = {}
        self._rows: dict[ir.Value, _Row] = {}

    @property
    def step(self) -> ir.Value:
        return self.loop.operands[2]

    def is_outside(self, given: ir.Value) -> bool:
        """Whether it is the same in all iterations, and known before the first one."""
        owner = given.owner
        block = owner if isinstance(owner, ir.Block) else owner.operation.block
        around = self.nesting.around(block)
        return len(around) <= self._depth or around[self._depth] != self.loop

    def end_of(self, inner: ir.Operation) -> Ix | None:
        """Where a loop inside ends, if that is known before this one."""
        end = inner.operands[1]
        whole = producer(end, "arith.subi")
        if whole is not None and not self.is_outside(end):
            # But those that are less than a vector.
            end = whole.operands[0]
        count = constant_of(end)
        return end if count is None and self.is_outside(end) else count

    def factor(self, given: Ix) -> int | None:
        """What the position is multiplied by, if that is all that gives the number."""
        if isinstance(given, int):
            return None
        if given == self.position:
            return 1
        made = producer(given, "arith.muli")
        if made is None or self.position not in list(made.operands):
            return None
        return next((n for n in map(constant_of, made.operands) if n is not None), None)

    def all_of(self, numbers: Sequence[Ix], depth: int = 0) -> list[Slice] | None:
        """The slices of some numbers; None where one cannot be computed for a later iteration."""
        return _whole(self._find(each, depth) for each in numbers)

    def all_dims(self, indices: Indices, depth: int = 0) -> list[list[Slice]] | None:
        """The slices of what each dimension is indexed by; None where one has none."""
        return _whole(self.all_of(dim, depth) for dim in indices)

    def known_in(self, numbers: Sequence[Ix], outermost: ir.Block) -> ir.Block:
        """The innermost block, from `outermost` on, of the ops that the numbers, which have slices,
        are computed by: where they are known."""
        found = [part.block for part in self.all_of(numbers) or ()]
        blocks = [outermost, *(block for block in found if block is not None)]
        return max(blocks, key=lambda block: len(self.nesting.around(block)))

    def _find(self, given: Ix, depth: int = 0) -> Slice | None:
        if isinstance(given, int):
            return Slice(given)
        if given not in self._known:
            self._known[given] = self._found(given, depth)
        return self._known[given]

    def _found(self, given: ir.Value, depth: int) -> Slice | None:
        if given == self.position:
            return Slice("position", 0)
        constant = producer(given, "arith.constant")
        if self.is_outside(given):
            return Slice(given if constant is None else str(constant.attributes["value"]))
        owner = given.owner
        if isinstance(owner, ir.Block):
            is_position = owner.owner.operation.name == "scf.for" and owner.arguments[0] == given
            return Slice(given, inner=True) if is_position else None
        op = owner.operation
        if constant is not None:
            return Slice(str(op.attributes["value"]), block=op.block)
        if depth > _MOST_DEEP:
            return None
        if op.name in _LOADS:
            return self._of_load(op, depth)
        parts = self.all_of(list(op.operands), depth + 1) if _is_speculatable(op) else None
        if parts is None:
            return None
        if op.name == "arith.addi":
            folded = folded_sum(parts, list(map(constant_of, op.operands)))
            if len(folded) == 1:
                return folded[0]._replace(block=op.block)
        attributes = tuple((name, str(op.attributes[name])) for name in op.attributes)
        return self._joined(op, (op.name, str(op.results[0].type), attributes), parts)

    def _of_load(self, op: ir.Operation, depth: int) -> Slice | None:
        place, type_ = self.nesting.place(op), op.results[0].type
        if isinstance(type_, ir.VectorType) and (type_.rank != 1 or type_.scalable):
            # Not so many elements side by side.
            return None
        if place is None or place.memref in self.written or not self.is_outside(place.memref):
            return None
        dims = self.all_dims(place.indices, depth + 1)
        if dims is None:
            return None
        sums = [folded_sum(*both) for both in zip(dims, place.indices, strict=True)]
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

    @property
    def last(self) -> Ix | None:
        """The position of the last iteration, emitted in front of the loop; None where there may be
        none, and where a loop around goes on, so that what follows the last one is of use."""
        first, end, step, *_ = self.loop.operands
        by = constant_of(step)
        if by is None or any(op.name in _LOOPS for op in self.nesting.around(self.loop.block)):
            return None
        if has_named(self.loop, *_LEAVES):
            return None
        with ir.InsertionPoint(self.loop):
            rest = sub(sub(end, 1), first)
            return sub(sub(end, 1), arith.remsi(rest, step) if by > 1 else 0)

    def later(self, numbers: Sequence[Ix], position: ir.Value, within: bool = False) -> list[Ix]:
        """The numbers, which have slices, at `position` of the loop instead: emitted at the
        insertion point. What they are read through is read at elements that it has; `within`: what
        each iteration reads is, at this position."""
        there = _There(position, within, {})
        return [self._at(each, there) for each in numbers]

    def _at(self, given: Ix, there: "_There") -> Ix:
        if isinstance(given, int):
            return given
        made = there.made
        if given not in made:
            found = self._find(given)
            if given == self.position:
                made[given] = there.position
            elif found is None or found.shift is None:
                made[given] = given
            else:
                op = given.owner.operation
                clamped = self._clamped(op)
                made[given] = (
                    self._cloned(op, there) if clamped is None else self._at(clamped, there)
                )
        return made[given]

    def _clamped(self, op: ir.Operation) -> ir.Value | None:
        """The coordinate that `op` keeps within bounds. A prefetch may be anywhere, and what is
        loaded on the way to one is clamped by itself."""
        if op.name not in _CLAMPS:
            return None
        parts = [(each, self._find(each)) for each in op.operands]
        moving = [each for each, part in parts if part is not None and part.coordinates]
        return moving[0] if len(moving) == 1 else None

    def _cloned(self, op: ir.Operation, there: "_There") -> ir.Value:
        place = self.nesting.place(op) if op.name in _LOADS else None
        if place is not None and not (there.within and self._is_in_each(op, place)):
            if producer(place.memref, "memref.alloca", "memref.alloc"):
                # Beyond what the loop reads of memory that the function fills there is nothing.
                end = sub(self.loop.operands[1], 1)
                there = _There(value(minimum(there.position, end)), False, {})
            dims = [[self._at(part, there) for part in dim] for dim in place.indices]
            return self._loaded(op, place, [sum_of(parts) for parts in dims])
        operands = [value(self._at(operand, there)) for operand in op.operands]
        clone = op.clone()
        for number, operand in enumerate(operands):
            clone.operands[number] = operand
        # What is promised holds for the values that the loop sees, and for no others.
        if "overflowFlags" in clone.attributes:
            clone.attributes["overflowFlags"] = ir.Attribute.parse("#arith.overflow<none>")
        if "isExact" in clone.attributes:
            del clone.attributes["isExact"]
        return clone.results[0]

    def _is_in_each(self, op: ir.Operation, place: Place) -> bool:
        """Each iteration loads this, at no coordinates: those would be clamped."""
        parts = [part for dim in self.all_dims(place.indices) or () for part in dim]
        return op.block == self.body and not any(part.coordinates for part in parts)

    def _loaded(self, op: ir.Operation, place: Place, where: Sequence[Ix]) -> ir.Value:
        """What `op` loads, of elements at `where` or else of the last ones that there are.

        There are some: `op` has loaded from the same memref. Rows of coordinates that lie side by
        side go on with the next one.
        """
        if place.memref not in self._rows:
            with ir.InsertionPoint(self.loop):
                self._rows[place.memref] = _Row.of(place.memref)
        row = self._rows[place.memref]
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


class _There(NamedTuple):
    """A position of the loop, whether it is `within` it, and what was emitted there."""

    position: ir.Value
    within: bool
    made: dict[ir.Value, Ix]


class _Row(NamedTuple):
    """A memref of coordinates, as one of rank 1 where its elements lie in a row."""

    memref: ir.Value
    sizes: list[Ix]

    @classmethod
    def of(cls, shaped: ir.Value) -> "_Row":
        if shaped.type.rank > 1 and lies_in_a_row(shaped.type):
            return cls(in_a_row(shaped), [elements_in(shaped)])
        return cls(shaped, [size_of(shaped, n) for n in range(shaped.type.rank)])


def ancestor_in(block: ir.Block, op: ir.Operation) -> ir.Operation:
    """The op of `block` that `op` is, or is in."""
    return next(around for around in ancestors(op) if around.block == block)


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


def _whole(found: Iterable[_T | None]) -> list[_T] | None:
    """All of them; None where one is missing."""
    whole: list[_T] = []
    for one in found:
        if one is None:
            return None
        whole.append(one)
    return whole


def sum_of(parts: Sequence[Ix]) -> Ix:
    """Their sum, emitted at the insertion point."""
    return reduce(add, parts, 0)


def _is_speculatable(op: ir.Operation) -> bool:
    if op.name in _DIVISIONS:
        divisor = constant_of(op.operands[1])
        return divisor is not None and divisor > 0
    if op.name == "vector.extract":
        return len(op.operands) == 1
    if op.name == "llvm.inline_asm":
        return "has_side_effects" not in op.attributes and len(op.results) == 1
    return op.name in _SPECULATABLE
