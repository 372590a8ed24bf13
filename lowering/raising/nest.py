"""A loop nest that reads or writes through coordinates: what it reads, computes and writes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import symbols_of
from mlir_gs.lowering.fuse.loops import same_fill
from mlir_gs.lowering.ir.builders import arith, producer, remap, walk_named
from mlir_gs.lowering.ir.emit import Ix
from mlir_gs.lowering.raising.accesses import LOADS, PURE
from mlir_gs.lowering.raising.modes import Reader
from mlir_gs.lowering.raising.places import Left, Place

_TRAPS = ("div", "rem")


@dataclass
class Read:
    """An element that the body knows by `values`; `fill` is what it is out of bounds."""

    ref: ir.Value
    places: tuple[Place, ...]
    values: list[ir.Value]
    # The block in which it is read, if that runs under a condition.
    guard: ir.Block | None = None
    fill: ir.Attribute | None = None
    # All dims that address it plainly have its sizes.
    fits: bool = False


@dataclass
class Write:
    """An element that becomes `value` where the `conditions` hold; `currents` are what the body
    knows it by before. A value may be (condition, value, other)."""

    ref: ir.Value
    places: tuple[Place, ...]
    value: Any
    currents: list[ir.Value] = field(default_factory=list)
    conditions: tuple[tuple[ir.Value, bool], ...] = ()
    at: tuple[ir.Operation, ...] = ()
    fits: bool = False
    # Of its coordinates, where a test of them stood for all conditions.
    bounds: Mapping[int, Ix] | None = None
    # The result of the loops that it is, and the number that a place for one starts from.
    result: ir.Value | None = None
    init: ir.Value | None = None

    @property
    def guard(self) -> ir.Block | None:
        """The block that writes it, if that runs under a condition."""
        under = self.conditions or self.bounds is not None
        return self.at[0].block if under and self.at else None


def joined(one: Write, other: Write) -> Write | None:
    """`one` and then `other` as one write, if both are of one place: the second may overwrite the
    first, or they are the arms of a condition."""
    a, b = one.conditions, other.conditions
    value = other.value
    if (one.ref, one.places) != (other.ref, other.places):
        return None
    if b[: len(a)] == a:
        for test, holds in reversed(b[len(a) :]):
            value = (test, value, one.value) if holds else (test, one.value, value)
    elif len(a) == len(b) and a[:-1] == b[:-1] and a[-1][0] == b[-1][0]:
        value = (a[-1][0], one.value, value) if a[-1][1] else (a[-1][0], value, one.value)
        a = a[:-1]
    else:
        return None
    return replace(one, value=value, conditions=a, at=one.at + other.at)


class Nest:
    """The loops of `op`; dim n has `extents[n]` points. Whatever raises Left changes nothing."""

    def __init__(self, op: ir.Operation, reader: Reader, extents: Sequence[Ix]) -> None:
        self.op, self.reader, self.extents = op, reader, list(extents)
        self.reads: list[Read] = []
        self.writes: list[Write] = []
        self.order: list[ir.Operation] = []
        self.numbers: list[tuple[ir.Value, ir.Value, ir.Value, ir.Value]] = []
        # What the tensors are before the loops that they carry.
        self.aliases: dict[ir.Value, ir.Value] = {}
        self.bindings: dict[ir.Value, ir.Value] = {}
        # Arguments of the regions of scf.reduce, by what they are.
        self.same: dict[ir.Value, ir.Value] = {}
        self.given: set[ir.Value] = set()
        self._done: set[ir.Value] = set()
        self._used: set[ir.Value] = set()

    def check(self, block: ir.Block) -> None:
        """Read what is asserted, which must be in the innermost `block`."""
        asserts = walk_named(self.op, "cf.assert")
        if any(each.block != block for each in asserts):
            raise Left("an assertion is made in some steps only", asserts[0])
        if asserts:
            self.reader.assert_bounds(asserts, self.extents)

    def collect(self) -> None:
        """Find what the written values are computed from."""
        for write in self.writes:
            self.given |= set(write.currents)
            self._test(write)
        for read in self.reads:
            self.given |= set(read.values)
        for write in list(self.writes):
            todo = [write.value, *(test for test, _ in write.conditions)]
            while todo:
                value = todo.pop(0)
                if isinstance(value, tuple):
                    todo += value
                else:
                    self._visit(value)
        self.reads = [read for read in self.reads if not self._used.isdisjoint(read.values)]

    def _test(self, write: Write) -> None:
        """Let the mode of the coordinates stand for a condition that they are in bounds."""
        if not write.conditions:
            return
        bounds = None
        if len(write.conditions) == 1 and write.conditions[0][1]:
            bounds = self.reader.tested(write.conditions[0][0])
        used = {symbol for place in write.places for symbol in symbols_of(place.expr)}
        if bounds is not None and set(bounds) == used:
            write.places = tuple(self.reader.masked(place, bounds) for place in write.places)
            write.conditions = ()
            write.bounds = bounds

    def _visit(self, value: ir.Value) -> None:
        todo = [(value, False)]
        while todo:
            value, ready = todo.pop()
            value = self.same.get(value, value)
            self._used.add(value)
            known = value in self._done or value in self.given or value in self.bindings
            if known or not self.reader.inside(value):
                continue
            op = producer(value)
            if op is None or op.name == "linalg.index":
                raise Left("what is computed depends on the number of a step", op)
            if ready:
                self._done |= set(op.results)
                self.order.append(op)
                continue
            if op.name in LOADS:
                self._load(op)
                continue
            needed = self._needs(op, value)
            if needed is not None:
                todo += [(value, True), *((each, False) for each in needed)]

    def _needs(self, op: ir.Operation, value: ir.Value) -> list[ir.Value] | None:
        """What a computation needs; None if it is a read after all."""
        if op.name == "scf.if":
            if self._filled(op):
                return None
            ends = [list(region.blocks[0].operations)[-1] for region in op.regions]
            return [op.operands[0], *(x for end in ends for x in end.operands)]
        if not op.name.startswith(PURE) or len(op.regions):
            raise Left(f"'{op.name}' is no arithmetic", op)
        if self.reader.guarded(op) and any(trap in op.name for trap in _TRAPS):
            raise Left(f"'{op.name}' runs under a condition only", op)
        return list(op.operands)

    def _load(self, op: ir.Operation) -> None:
        ref, places = self.reader.places(op)
        for write in self.writes:
            if write.ref == ref:
                if write.bounds is not None and self.reader.guarded(op):
                    places = tuple(self.reader.masked(each, write.bounds) for each in places)
                if write.places != places or not self._sees_current(op, write):
                    raise Left("the loops read what they write, at another place or later", op)
                write.currents.append(op.results[0])
                self.given.add(op.results[0])
                return
        self.add_read(ref, places, op.results[0], op.block if self.reader.guarded(op) else None)

    def _sees_current(self, op: ir.Operation, write: Write) -> bool:
        """A load in the step of the write, and not behind it."""
        load, *stores = (list(_around(each))[-1] for each in (op, *write.at))
        same_step = bool(stores) and all(load.block == each.block for each in stores)
        return same_step and not any(_before(each, op) for each in write.at)

    def add_read(
        self,
        ref: ir.Value,
        places: tuple[Place, ...],
        value: ir.Value,
        guard: ir.Block | None,
        fill: ir.Attribute | None = None,
    ) -> None:
        self.given.add(value)
        for read in self.reads:
            same = (read.ref, read.places) == (ref, places) and same_block(read.guard, guard)
            if same and same_fill(read.fill, fill):
                read.values.append(value)
                return
        self.reads.append(Read(ref, places, [value], guard, fill))

    def _filled(self, op: ir.Operation) -> bool:
        """if (all coordinates in bounds) { an element } else { a constant }, as a read."""
        bounds = self.reader.tested(op.operands[0])
        if bounds is None or len(op.results) != 1:
            return False
        then, other = (list(region.blocks[0].operations)[-1].operands[0] for region in op.regions)
        load, constant = producer(then, *LOADS), producer(other, "arith.constant")
        if (
            load is None
            or constant is None
            or any(write.ref == load.operands[0] for write in self.writes)
        ):
            return False
        ref, places = self.reader.places(load)
        used = {symbol for place in places for symbol in symbols_of(place.expr)}
        if used != set(bounds):
            return False
        masked = tuple(self.reader.masked(place, bounds) for place in places)
        self.add_read(ref, masked, op.results[0], load.block, constant.attributes["value"])
        return True

    def body(self, *elements: ir.Value) -> list[ir.Value]:
        known = dict(self.bindings)
        for read, element in zip(self.reads, elements, strict=False):
            known.update(dict.fromkeys(read.values, element))
        currents = elements[len(elements) - len(self.writes) :]
        for write, element in zip(self.writes, currents, strict=True):
            known.update(dict.fromkeys(write.currents, element))
        for op in self.order:
            for new, value in self.same.items():
                known[new] = known.get(value, value)
            if op.name == "scf.if":
                ends = [list(region.blocks[0].operations)[-1] for region in op.regions]
                test = known.get(op.operands[0], op.operands[0])
                for result, one, other in zip(op.results, *(e.operands for e in ends), strict=True):
                    arms = (known.get(each, each) for each in (one, other))
                    known[result] = arith.select(test, *arms)
                continue
            clone = op.clone()
            remap(clone, known)
            known.update(zip(op.results, clone.results, strict=True))
        found = []
        for write, current in zip(self.writes, currents, strict=True):
            new = self._chosen(write.value, known)
            for test, holds in reversed(write.conditions):
                arms = (new, current) if holds else (current, new)
                new = arith.select(known.get(test, test), *arms)
            found.append(new)
        return found

    def _chosen(self, value: Any, known: Mapping[ir.Value, ir.Value]) -> ir.Value:
        if isinstance(value, tuple):
            return arith.select(*(self._chosen(each, known) for each in value))
        value = self.same.get(value, value)
        return known.get(value, value)


def same_block(one: ir.Block | bool | None, other: ir.Block | bool | None) -> bool:
    """Both are one block, or the same of something else: a block compares with blocks alone."""
    if isinstance(one, ir.Block) and isinstance(other, ir.Block):
        return one == other
    return one is other


def _before(one: ir.Operation, other: ir.Operation) -> bool:
    """`one` is before `other` in the block that has both, or conditions around them."""
    return next(
        (
            a.is_before_in_block(b)
            for a in _around(one)
            for b in _around(other)
            if a.block == b.block
        ),
        False,
    )


def _around(op: ir.Operation) -> Iterator[ir.Operation]:
    """`op` and the conditions around it."""
    yield op
    while op.parent.operation.name == "scf.if":
        op = op.parent.operation
        yield op
