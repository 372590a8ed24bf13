"""Nests of scf.for, scf.parallel, scf.forall and affine.for that read or write at coordinates."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.ir import affine_rewrites
from mlir_gs.lowering.ir.builders import producer, walk
from mlir_gs.lowering.ir.emit import Ix, ceil_div, maximum, memref, sub, tensor
from mlir_gs.lowering.raising.accesses import LOADS, PARALLEL, PURE, STORES
from mlir_gs.lowering.raising.disjoint import Around, replaced
from mlir_gs.lowering.raising.modes import Reader
from mlir_gs.lowering.raising.nest import Nest, Write, joined
from mlir_gs.lowering.raising.places import Left, Place
from mlir_gs.lowering.sizes.size_forms import index_form

LOOPS = ("scf.for", "scf.parallel", "scf.forall", "affine.for", "affine.parallel")
_ENDS = (
    *("scf.yield", "affine.yield", "scf.reduce", "scf.reduce.return", "scf.forall.in_parallel"),
)
KNOWN = (*LOOPS, *_ENDS, *LOADS, *STORES, "scf.if")


@dataclass
class _Level:
    """One loop op: its counters with their bounds, and what it carries."""

    op: ir.Operation
    bounds: list[tuple[Any, Any, Any]]
    counters: list[ir.Value]
    inits: list[ir.Value]
    arguments: list[ir.Value]

    @property
    def block(self) -> ir.Block:
        return self.op.regions[0].blocks[0]

    @property
    def end(self) -> ir.Operation:
        return list(self.block.operations)[-1].operation

    @property
    def yields(self) -> list[ir.Value]:
        """What is carried on; of a scf.parallel what scf.reduce makes of it."""
        if not len(self.end.regions):
            return list(self.end.operands)
        return [list(r.blocks[0].operations)[-1].operands[0] for r in self.end.regions]


def _level(op: ir.Operation, reader: Reader) -> _Level:
    operands, arguments = list(op.operands), list(op.regions[0].blocks[0].arguments)
    if op.name == "scf.for":
        if "unsignedCmp" in op.attributes:
            raise Left("the loop counts without signs", op)
        return _Level(op, [tuple(operands[:3])], arguments[:1], operands[3:], arguments[1:])
    if op.name.startswith("affine."):
        steps, bound = op.attributes["step" if op.name == "affine.for" else "steps"], []
        count = 1 if op.name == "affine.for" else len(arguments)
        ends = "BoundMap" if op.name == "affine.for" else "BoundsMap"
        for map_ in (op.attributes[side + ends].value for side in ("lower", "upper")):
            if len(map_.results) != count:
                raise Left("the loop has several bounds", op)
            given = [reader.place(operands.pop(0)) for _ in range(map_.n_inputs)]
            bound.append(reader.applied(map_, given))
        bound.append([s.value for s in ([steps] if op.name == "affine.for" else steps)])
        if count == len(arguments) and len(op.results):
            raise Left("the loop combines what its steps compute", op)
        bounds = list(zip(*bound, strict=True))
        return _Level(op, bounds, arguments[:count], operands, arguments[count:])
    if op.name == "scf.parallel":
        counts = list(op.attributes["operandSegmentSizes"])
        rank = counts[0]
        bounds = list(zip(*(operands[k * rank : (k + 1) * rank] for k in range(3)), strict=True))
        ends = list(op.regions[0].blocks[0].operations)[-1].operation.regions
        carried = [region.blocks[0].arguments[0] for region in ends]
        return _Level(op, bounds, arguments, operands[3 * rank :], carried)
    if len(arguments) > len(op.attributes["staticLowerBound"]):
        raise Left("the loop puts slices together", op)
    values = iter(operands)
    lists = [
        [next(values) if n == DYNAMIC else n for n in op.attributes[name]]
        for name in ("staticLowerBound", "staticUpperBound", "staticStep")
    ]
    return _Level(op, list(zip(*lists, strict=True)), arguments, [], [])


def raise_loops(
    op: ir.Operation, around: Around | None = None, stays: ir.Operation | None = None
) -> None:
    """Replace a nest of loops by a `gs.generic`; `stays`: what they are a copy of.

    before: for i { y[r[i]] = y[r[i]] + v[i] * x[c[i]] }, on memrefs or on tensors that are carried
    after:  the same by symbols for r[i] and c[i], in the same order

    Raises Left.
    """
    for each in walk(op):
        if not each.name.startswith((*PURE, *KNOWN, "cf.assert")):
            raise Left(f"'{each.name}' is no arithmetic", each)
    reader = Reader(op)
    try:
        nest = Nest(op, reader, [])
        levels = _levels(nest)
        chains = _chains(levels)
        if op.name == "scf.parallel" and len(op.results):
            new = (region.blocks[0].arguments[1] for region in levels[0].end.regions)
            nest.same = dict(zip(new, levels[0].end.operands, strict=True))
        reader.know_loads()
        nest.check(levels[-1].block)
        _find_writes(nest, levels[-1])
        for result, chain in zip(op.results, chains, strict=True):
            _carry(nest, result, chain)
        if not nest.writes and not nest.numbers:
            raise Left("nothing is written")
        _order_outputs(nest)
        nest.collect()
        replaced(nest, around, stays)
    finally:
        reader.discard()


def _levels(nest: Nest) -> list[_Level]:
    """The loops from the outermost to the innermost, whose counters become dims."""
    found: list[_Level] = []
    op: ir.Operation | None = nest.op
    while op is not None:
        level = _level(op, nest.reader)
        for counter, bounds in zip(level.counters, level.bounds, strict=True):
            nest.reader.known[counter] = _counter(nest, bounds, op)
            nest.reader.ranges.count(counter, *bounds[:2])
        found.append(level)
        inner = [each.operation for each in level.block.operations]
        loops = [each for each in inner if each.name in LOOPS]
        if len(loops) > 1 or any(each.name in ("scf.if", *STORES) for each in inner if loops):
            raise Left("there are other steps around the inner loop", loops[0])
        op = loops[0] if loops else None
    if any(each.name in LOOPS for each in walk(found[-1].op)):
        raise Left("a condition decides whether an inner loop runs", found[-1].op)
    return found


def _counter(nest: Nest, bounds: Sequence[Any], op: ir.Operation) -> Place:
    """A new dim, as what counts from the first of `bounds`."""
    lower, upper, step = (_outside(nest.reader, each) for each in bounds)
    if lower is None or upper is None:
        raise Left("the bounds of a loop depend on the loops around it", op)
    if not isinstance(step, int) or step < 1:
        raise Left("the step of a loop is not known", op)

    def extent() -> Ix:
        if lower == 0 and step == 1 and index_form(upper).is_natural:
            return upper
        return ceil_div(sub(maximum(upper, lower), lower), step)

    dim = affine_rewrites.dim(len(nest.extents))
    nest.extents.append(nest.reader.compute(("extent", lower, upper, step), extent))
    expr = affine_rewrites.mul(dim, step)
    if isinstance(lower, int):
        return Place(affine_rewrites.add(expr, lower))
    return Place(expr, lower)


def _outside(reader: Reader, bound: Any) -> Ix | None:
    if isinstance(bound, int):
        return bound
    return reader.number(bound) if isinstance(bound, Place) else reader.outside(bound)


def _chains(levels: Sequence[_Level]) -> list[list[ir.Value]]:
    """For each result of the outermost loop what stands for it: the arguments of the loops, and
    what the innermost one yields."""
    chains = []
    for number, argument in enumerate(levels[0].arguments):
        chain, place = [argument], number
        for outer, inner in pairwise(levels):
            results = list(inner.op.results)
            if outer.yields[place] not in results:
                raise Left("what a loop carries is changed around the inner loop", outer.op)
            place = results.index(outer.yields[place])
            if inner.inits[place] != chain[-1]:
                raise Left("an inner loop starts anew", inner.op)
            chain.append(inner.arguments[place])
        chains.append([*chain, levels[-1].yields[place]])
    if any(len(inner.inits) != len(levels[0].inits) for inner in levels):
        raise Left("an inner loop carries more than the one around it", levels[-1].op)
    return chains


def _find_writes(nest: Nest, level: _Level) -> None:
    for op in walk(level.op):
        if op.name in ("memref.store", "affine.store"):
            ref, places = nest.reader.places(op)
            if nest.reader.inside(ref):
                raise Left("a memref is made in the loops", op)
            conditions = _conditions(op, level.op)
            made = Write(ref, places, op.operands[0], conditions=conditions, at=(op,))
            for n in reversed(range(len(nest.writes))):
                if (both := joined(nest.writes[n], made)) is not None:
                    made = both
                    del nest.writes[n]
            nest.writes.append(made)


def _conditions(op: ir.Operation, loop: ir.Operation) -> tuple[tuple[ir.Value, bool], ...]:
    """The conditions under which `op` runs, the outermost first."""
    found: list[tuple[ir.Value, bool]] = []
    while op.parent.operation != loop:
        around = op.parent.operation
        found.insert(0, (around.operands[0], op.block == around.regions[0].blocks[0]))
        op = around
    return tuple(found)


def _carry(nest: Nest, result: ir.Value, chain: Sequence[ir.Value]) -> None:
    """What a result of the loops is: a tensor that they write, or a number."""
    number = list(nest.op.results).index(result)
    init = list(nest.op.operands)[len(nest.op.operands) - len(nest.op.results) + number]
    *_, current, end = chain
    if not isinstance(result.type, ir.ShapedType):
        nest.numbers.append((result, init, current, end))
        return
    if not isinstance(result.type, ir.RankedTensorType):
        raise Left("the loops carry a memref")
    conditions: tuple[tuple[ir.Value, bool], ...] = ()
    while (choice := producer(end, "scf.if")) is not None:
        place = list(choice.results).index(end)
        arms = [list(r.blocks[0].operations)[-1].operands[place] for r in choice.regions]
        if current not in arms:
            raise Left("a tensor is written in two ways", choice)
        holds = arms[1] == current
        conditions += ((choice.operands[0], holds),)
        end = arms[0] if holds else arms[1]
    insert = producer(end, "tensor.insert")
    if insert is None or insert.operands[1] != current:
        raise Left("a tensor that the loops carry is not written by one tensor.insert")
    _, places = nest.reader.places(insert)
    nest.aliases[current] = init
    write = Write(current, places, insert.operands[0], conditions=conditions, at=(insert,))
    write.result = result
    nest.writes.append(write)


def _order_outputs(nest: Nest) -> None:
    """Outputs for the numbers that the loops carry; all but the first output of one type."""
    on_memrefs = any(isinstance(w.ref.type, ir.MemRefType) for w in nest.writes) or any(
        op.name in ("memref.load", "affine.load") for op in walk(nest.op)
    )
    for result, init, current, end in nest.numbers:
        make = _slot if on_memrefs else _tensor_of
        ref = nest.reader.keep(make(init, nest.op))
        write = Write(ref, (), end, [current], result=result, init=init)
        nest.writes.append(write)
    types = [write.ref.type.element_type for write in nest.writes]
    alone = [n for n, t in enumerate(types) if types.count(t) == 1]
    if len(set(types)) > 2 or (len(set(types)) == 2 and not alone):
        raise Left("there are outputs of several types")
    if len(set(types)) == 2:
        nest.writes.insert(0, nest.writes.pop(alone[0]))


def _slot(init: ir.Value, op: ir.Operation) -> ir.Value:
    """Memory for a number, which is there once for each thread."""
    at = op
    while at.parent.operation.name not in (*PARALLEL, "func.func", "builtin.module"):
        at = at.parent.operation
    with ir.InsertionPoint.at_block_begin(at.block), op.location:
        return memref.alloca(ir.MemRefType.get([], init.type), [], [])


def _tensor_of(init: ir.Value, op: ir.Operation) -> ir.Value:
    with ir.InsertionPoint(op), op.location:
        return tensor.from_elements(ir.RankedTensorType.get([], init.type), [init])
