"""Loops over vectors with gathers, scatters and masks, as the loops over their lanes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import arith, constant_of, index, producer, walk
from mlir_gs.lowering.ir.emit import compare, memref, scf
from mlir_gs.lowering.raising.accesses import LOADS, PURE
from mlir_gs.lowering.raising.loop_nests import LOOPS, raise_loops
from mlir_gs.lowering.raising.places import Left

_STORES = ("vector.store", "vector.scatter", "vector.maskedstore")
_LOADS = ("vector.load", "vector.maskedload", "vector.gather", *LOADS)
_MEMORY = (*_LOADS[:3], *_STORES)
_LINES = ("vector.load", "vector.maskedload", "vector.maskedstore")
_SAME = ("vector.broadcast", "vector.splat")


def raise_vectors(op: ir.Operation) -> None:
    """Replace loops over vectors by the `gs.generic` of their lanes.

    before: for i step 8 { k = vector.load c[i]; vector.store (vector.gather x[k]), y[i] }
    after:  a `gs.generic` over i and the lanes; over all elements alone where a mask ends the last
            vector

    Memory that is read is none that is written, or the loops stay: the order of the lanes does not
    matter. Raises Left.
    """
    if len(op.results):
        raise Left("loops over vectors carry something", op)
    copy = op.clone(ip=ir.InsertionPoint(op))
    try:
        with op.location:
            _to_lanes(copy)
        raise_loops(copy, stays=op)
    except Left as reason:
        # The op that it is about goes with the copy.
        raise Left(str(reason), op) from None
    finally:
        copy.erase()


def has_vectors(op: ir.Operation) -> bool:
    """Whether loops access memory by vectors."""
    return any(each.name in _MEMORY for each in walk(op))


def _to_lanes(op: ir.Operation) -> None:
    found = {each.parent.operation for each in walk(op) if each.name in _MEMORY}
    holder = found.pop()
    if found or holder.name not in LOOPS:
        raise Left("vectors are accessed in several loops")
    _count_by_steps(holder)
    block = holder.regions[0].blocks[0]
    ops = [each.operation for each in block.operations]
    if any(each.name in (*LOOPS, "memref.store") or len(each.regions) for each in ops[:-1]):
        raise Left("there are other steps around vectors")
    sizes = {tuple(v.type.shape) for each in ops for v in each.results if _is_vector(v)}
    sizes |= {tuple(each.operands[0].type.shape) for each in ops if each.name == "vector.store"}
    if len(sizes) != 1 or len(lanes := sizes.pop()) != 1:
        raise Left("vectors are of several shapes")
    scattered = [each.operands[0] for each in ops if each.name == "vector.scatter"]
    if any(each.operands[0] in scattered for each in ops if each.name in _LOADS):
        raise Left("lanes read what others of the same vector write")
    tails = _tails(holder, ops, lanes[0])
    with ir.InsertionPoint(ops[0]):
        lane, step = index(0), index(1)
        at = ops[-1]
        if not tails:
            loop = scf.ForOp(lane, index(lanes[0]), step)
            lane, at = loop.induction_variable, loop.body
    with ir.InsertionPoint(at):
        writer = _Lane(lane, tails)
        for each in ops[:-1]:
            writer.convert(each)
        if not tails:
            scf.yield_([])
    for each in reversed(ops[:-1]):
        each.erase()
    if tails:
        holder.operands[2] = step
        step.owner.move_before(holder)


def _count_by_steps(loop: ir.Operation) -> None:
    """Undo `loop_of_steps` of gs-repair: `for i = low to high step s` again, of which the lanes
    are counted one by one."""
    count = producer(loop.operands[1], "arith.ceildivui") if loop.name == "scf.for" else None
    chosen = None if count is None else producer(count.operands[0], "arith.select")
    length = None if chosen is None else producer(chosen.operands[1], "arith.subi")
    test = None if chosen is None else producer(chosen.operands[0], "arith.cmpi")
    if count is None or chosen is None or length is None or test is None:
        return
    (high, low), step = length.operands, count.operands[1]
    starts = [constant_of(each) for each in (loop.operands[0], chosen.operands[2])]
    is_less = test.attributes["predicate"].value == 2 and list(test.operands) == [low, high]
    if not is_less or starts != [0, 0] or constant_of(loop.operands[2]) != 1:
        return
    counter = loop.regions[0].blocks[0].arguments[0]
    products = [use.owner.operation for use in counter.uses]
    sums = [use.owner.operation for each in products for use in each.results[0].uses]
    if any(each.name != "arith.muli" or each.operands[1] != step for each in products):
        return
    if any(each.name != "arith.addi" or each.operands[0] != low for each in sums):
        return
    for n, value in enumerate((low, high, step)):
        loop.operands[n] = value
    for each in sums:
        each.results[0].replace_all_uses_with(counter)
    for each in (*sums, *products):
        each.erase()


def _is_vector(value: ir.Value) -> bool:
    return isinstance(value.type, ir.VectorType)


def _tails(loop: ir.Operation, ops: Sequence[ir.Operation], lanes: int) -> set[ir.Value]:
    """The masks of all lanes up to the end of the loop, if they are on all that is written and
    the counter says nothing else than where vectors of one dimension start."""
    if loop.name != "scf.for" or constant_of(loop.operands[2]) != lanes:
        return set()
    counter, end = loop.regions[0].blocks[0].arguments[0], loop.operands[1]
    found: set[ir.Value] = set()
    for op in ops:
        operands = list(op.operands)
        left = producer(operands[0], "arith.subi") if op.name == "vector.create_mask" else None
        is_tail = left is not None and list(left.operands) == [end, counter]
        if is_tail or (op.name == "arith.andi" and not found.isdisjoint(operands)):
            found.add(op.results[0])
        ends = op.name not in _STORES or operands[-2] in found
        numbers_lanes = op.name in ("vector.step", "vector.create_mask") and not is_tail
        if counter in operands and operands != [end, counter]:
            numbers_lanes = op.name not in _LINES or operands[0].type.rank > 1
        if numbers_lanes or not ends:
            return set()
    return found


@dataclass
class _Lane:
    """Writes what vectors do as what one lane does, at the insertion point. Raises Left."""

    lane: ir.Value
    tails: set[ir.Value]
    known: dict[ir.Value, ir.Value] = field(default_factory=dict)

    def element(self, value: ir.Value) -> ir.Value:
        if value in self.known or not _is_vector(value):
            return self.known.get(value, value)
        made = producer(value, "arith.constant")
        given: Any = made.attributes["value"] if made is not None else None
        if not isinstance(given, ir.DenseElementsAttr) or not given.is_splat:
            raise Left("a vector from outside is no constant of equal elements")
        return arith.constant(value.type.element_type, given.get_splat_value())

    def holds(self, mask: ir.Value) -> bool:
        """All lanes that there are are on."""
        made = producer(mask, "arith.constant", "vector.create_mask")
        if made is not None and made.name == "arith.constant":
            return self.element(mask).owner.attributes["value"].value != 0
        return made is not None and mask in self.tails

    def convert(self, op: ir.Operation) -> None:
        operands, results = list(op.operands), list(op.results)
        if op.name in _MEMORY:
            self.access(op)
        elif op.name == "vector.step":
            self.known[results[0]] = self.lane
        elif op.name in _SAME and not _is_vector(operands[0]):
            self.known[results[0]] = self.element(operands[0])
        elif op.name == "arith.constant" and _is_vector(results[0]):
            self.known[results[0]] = self.element(results[0])
        elif op.name == "vector.create_mask":
            self.known[results[0]] = compare("slt", self.lane, self.element(operands[0]))
        elif op.name == "arith.andi" and any(map(self.holds, operands)):
            kept = operands[1] if self.holds(operands[0]) else operands[0]
            self.known[results[0]] = self.element(kept)
        elif op.name.startswith((*PURE, *LOADS)):
            new = ir.Operation.create(
                op.name,
                results=[r.type.element_type if _is_vector(r) else r.type for r in results],
                operands=[self.element(each) for each in operands],
                attributes={name: op.attributes[name] for name in op.attributes},
            )
            self.known.update(zip(results, new.results, strict=True))
        else:
            raise Left(f"'{op.name}' is no arithmetic on lanes")

    def access(self, op: ir.Operation) -> None:
        ref, *numbers = list(op.operands)
        value = None
        if op.name == "vector.store":
            value, ref, *numbers = ref, *numbers
        if not isinstance(ref.type, ir.MemRefType) or not ref.type.rank:
            raise Left("vectors are of a tensor")
        places = [self.element(each) for each in numbers[: ref.type.rank]]
        by, others = self.lane, numbers[ref.type.rank :]
        if op.name in ("vector.gather", "vector.scatter"):
            if ref.type.rank > 1:
                raise Left("vectors are gathered from rows")
            by, *others = self.element(others[0]), *others[1:]
            if not isinstance(by.type, ir.IndexType):
                by = arith.index_cast(ir.IndexType.get(), by)
        places[-1] = arith.addi(places[-1], by)
        mask, other = (others[0], others[-1]) if others else (None, value)
        if mask is None or self.holds(mask):
            self.at(op, ref, places, other)
            return
        choice = scf.IfOp(
            self.element(mask), [r.type.element_type for r in op.results], has_else=len(op.results)
        )
        with ir.InsertionPoint(choice.then_block):
            self.at(op, ref, places, other)
            scf.yield_([self.known[each] for each in op.results])
        if len(op.results):
            with ir.InsertionPoint(choice.else_block):
                scf.yield_([self.element(other)])
        self.known.update(zip(op.results, choice.results, strict=True))

    def at(
        self, op: ir.Operation, ref: ir.Value, places: list[ir.Value], value: ir.Value | None
    ) -> None:
        if len(op.results):
            self.known[op.results[0]] = memref.load(ref, places)
        elif value is not None:
            memref.store(self.element(value), ref, places)
