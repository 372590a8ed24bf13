"""What reads a result of a loop, computed in the loop, tile by tile."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.sizes import origin
from mlir_gs.dialect.structure import Access, Structure
from mlir_gs.lowering.checks.sites import Sites
from mlir_gs.lowering.fuse.loops import Loops, build
from mlir_gs.lowering.ir.builders import is_inside, number_of, producer, replace_op
from mlir_gs.lowering.ir.emit import Ix, scf
from mlir_gs.lowering.tile.cut import (
    CannotCut,
    Cut,
    Window,
    check,
    check_disjoint,
    cut,
    ordered_dims,
    raise_before,
)
from mlir_gs.lowering.tile.producer import place_of, size_is, windows_of
from mlir_gs.lowering.tile.slices import Slice, put_back, put_back_in_parallel, slice_of

# What may be moved to before a loop, with what it reads.
_PARTS = "tiles are not known to make up all of dimension {} of the loop's result"
_MOVABLE = ("arith.", "tensor.", "linalg.")


class Fused(NamedTuple):
    """The op on tiles, the new loops, and what takes the place of the results of the consumer, then
    of the old loop. Both are left to the caller, to be erased in this order."""

    op: ir.Operation
    loops: Sequence[ir.Operation]
    results: Sequence[ir.Value]
    loop_results: Sequence[ir.Value]


@dataclass(frozen=True)
class _Nest:
    """Loops from the outermost one, and the op that puts a tile into the result in each step."""

    loops: Sequence[ir.Operation]
    insert: ir.Operation
    place: Slice

    @property
    def in_parallel(self) -> bool:
        return self.loops[0].name == "scf.forall"

    def ranges(self) -> list[tuple[ir.Value, Ix, Ix, Ix]]:
        """Induction variable, lower and upper bound and step of each loop."""
        found: list[tuple[ir.Value, Ix, Ix, Ix]] = []
        for loop in self.loops:
            view = loop.opview
            if self.in_parallel:
                parts = [_mixed(view, name) for name in ("LowerBound", "UpperBound", "Step")]
                found += zip(view.induction_variables, *parts, strict=True)
            else:
                low, high, step = map(number_of, list(loop.operands)[:3])
                found.append((view.induction_variable, low, high, step))
        return found


def fuse_consumer(op: ir.Operation, loop: ir.Operation, sites: Sites) -> Fused:
    """Compute `op`, a `gs.generic` on tensors or a linalg.generic, in a loop whose result it reads.

    Raises CannotCut.
    """
    loops = Loops.of(op) if op.name in ("gs.generic", "linalg.generic") else None
    if loops is None:
        raise CannotCut(
            f"'{op.name}' is no gs.generic or linalg.generic on tensors whose body is of scalar "
            "ops: linalg-generalize-named-ops comes first"
        )
    if loop.name not in ("scf.for", "scf.forall"):
        raise CannotCut(f"'{loop.name}' is no scf.for or scf.forall")
    number, read = _read(op, loop)
    start = _starts(loop)[number]
    for use in list(read.uses):
        if use.owner.operation.name == "tensor.dim":
            use.owner.operation.operands[0] = start
    nest = _nest(loop, number)
    structure = loops.structure
    access = structure.inputs[[entry.value for entry in loops.reads].index(read)]
    windows = windows_of(access, nest.place, start)
    check(structure, {dim: window.step for dim, window in windows.items()})
    _check_covered(nest, start)
    _check_tiles(structure, loops.bodies[0], nest, windows)
    _move_before(op, loop, read)
    new = op if op.name == "gs.generic" else _generic(op)
    raise_before(new, windows, sites)
    others = [use for use in read.uses if use.owner.operation not in (op, new)]
    found = _Rebuilding(new, nest, number, access, start, bool(others)).run()
    if new != op:
        new.erase()
    return found


def _generic(op: ir.Operation) -> ir.Operation:
    """A linalg.generic as a gs.generic in front of it; the body of a copy is moved, and `op` stays
    whole."""
    with ir.InsertionPoint(op):
        copy = op.clone()
    loops = Loops.of(copy)
    assert loops is not None
    made = build(loops)
    copy.erase()
    return made


def _starts(loop: ir.Operation) -> list[ir.Value]:
    """What the loop carries when it starts: of the sizes of its results."""
    return list(loop.opview.outputs if loop.name == "scf.forall" else list(loop.operands)[3:])


def _read(op: ir.Operation, loop: ir.Operation) -> tuple[int, ir.Value]:
    found = [
        (number, result)
        for number, result in enumerate(loop.results)
        for operand in op.operands
        if operand == result
    ]
    if len(found) != 1:
        raise CannotCut(f"it reads {len(found)} results of the loop, not one at one place")
    number, result = found[0]
    use = next(use for use in result.uses if use.owner.operation == op)
    inputs = list(op.attributes["operandSegmentSizes"])
    count = sum(inputs[:8]) if op.name == "gs.generic" else inputs[0]
    if use.operand_number >= count:
        raise CannotCut("the result of the loop is no input of it")
    return number, result


def _nest(loop: ir.Operation, number: int) -> _Nest:
    """The loops around the op that puts tiles into result `number` of `loop`. Raises CannotCut."""
    if loop.name == "scf.forall":
        shared = loop.opview.inner_iter_args[number]
        inserts = [
            use.owner.operation
            for use in shared.uses
            if use.owner.operation.name == "tensor.parallel_insert_slice"
        ]
        if len(inserts) != 1:
            raise CannotCut(f"the loop puts {len(inserts)} tiles into its result in a step, not 1")
        return _Nest([loop], inserts[0], place_of(inserts[0]))
    loops = [loop]
    while True:
        inner = loops[-1]
        carried = inner.opview.inner_iter_args[number]
        value = list(inner.opview.body.operations)[-1].operands[number]
        made = producer(value)
        if made is not None and made.name == "tensor.insert_slice" and made.operands[1] == carried:
            return _Nest(loops, made, place_of(made))
        if made is None or made.name != "scf.for" or made.operands[3 + number] != carried:
            raise CannotCut("the loop does not put a tile into its result in each step")
        if list(made.results)[number] != value:
            raise CannotCut("the loops carry their results in another order")
        loops.append(made)


def _check_covered(nest: _Nest, start: ir.Value) -> None:
    """That the tiles are all of the result, and none comes twice. Raises CannotCut."""
    offsets, sizes = nest.place
    left = set(range(len(offsets)))
    for variable, lower, upper, step in nest.ranges():
        position = next((p for p in left if offsets[p] == variable), None)
        if position is None:
            raise CannotCut("a loop goes over the same tiles of its result again")
        left.remove(position)
        is_whole = lower == 0 and size_is(upper, origin(start, position))
        if not is_whole or not _is_at_most(sizes[position], step):
            raise CannotCut(_PARTS.format(position))
    for position in left:
        is_whole = size_is(sizes[position], origin(start, position))
        if not isinstance(offsets[position], int) or not is_whole:
            raise CannotCut(_PARTS.format(position))


def _is_at_most(size: Ix, step: Ix) -> bool:
    if isinstance(size, int):
        return isinstance(step, int) and size <= step
    least = producer(size, "arith.minsi", "affine.min")
    if least is None:
        return not isinstance(step, int) and size == step
    if least.name == "arith.minsi":
        return step in [number_of(operand) for operand in least.operands]
    results = least.attributes["map"].value.results
    return step in [one.value for one in results if isinstance(one, ir.AffineConstantExpr)]


def _check_tiles(
    structure: Structure, body: ir.Block, nest: _Nest, windows: dict[int, Window]
) -> None:
    if nest.in_parallel:
        check_disjoint(structure, windows)
        return
    ordered = ordered_dims(structure, body)
    cut_dims = [dim for dim in ordered if dim in windows]
    if cut_dims and (len(cut_dims) > 1 or cut_dims[0] != ordered[0]):
        raise CannotCut(
            f"dim d{cut_dims[-1]}: its elements are combined in order, and tiles would change it"
        )


def _move_before(op: ir.Operation, loop: ir.Operation, read: ir.Value) -> None:
    """Move what `op` reads, and is made after `loop`, to before it. Raises CannotCut."""
    order = [one.operation for one in loop.block.operations]
    if op.block != loop.block:
        raise CannotCut("it is in another block than the loop")
    later = order[order.index(loop) + 1 :]
    moved: list[ir.Operation] = []

    def visit(one: ir.Operation) -> None:
        values = list(one.operands)
        todo = [one]
        while todo:
            for region in todo.pop().regions:
                for block in region.blocks:
                    for nested in block.operations:
                        values += nested.operands
                        todo.append(nested.operation)
        for operand in values:
            if operand == read:
                if one == op:
                    continue
                raise CannotCut(
                    f"'{one.name}', which it reads, reads the result of the loop as well"
                )
            made = producer(operand)
            if made is None or made not in later or made in moved:
                continue
            if not made.name.startswith(_MOVABLE):
                raise CannotCut(f"it reads the result of '{made.name}' behind the loop")
            visit(made)
            moved.append(made)

    visit(op)
    for one in moved:
        one.move_before(loop)


@dataclass
class _Rebuilding:
    """The loops of a nest once more, which carry the outputs of `op` too. Result `number`, which it
    reads through `access` and that starts as `start`, is left out if no others read it."""

    op: ir.Operation
    nest: _Nest
    number: int
    access: Access
    start: ir.Value
    is_kept: bool
    made: ir.Operation | None = None
    loops: list[ir.Operation] = field(default_factory=list)

    def run(self) -> Fused:
        first = self.nest.loops[0]
        outputs = [access.value for access in Structure.of(self.op.opview).outputs]
        with first.location, ir.InsertionPoint(first):
            new = (self._forall if self.nest.in_parallel else self._for)(first, outputs)
        results = list(new.results)
        kept = dict(zip(self._kept, results, strict=False))
        # Nothing reads the one that is left out.
        old = [kept.get(n, self.access.value) for n in range(len(first.results))]
        assert self.made is not None
        return Fused(self.made, self.loops, results[len(kept) :], old)

    @property
    def _kept(self) -> list[int]:
        count = len(self.nest.loops[0].results)
        return [n for n in range(count) if self.is_kept or n != self.number]

    def _take(self, old: Any, new: Any, inits: Sequence[ir.Value]) -> None:
        """Move the body of a loop into the new one; where a result is left out, its start stands
        for what was carried, since each tile is met once."""
        variables = len(old.body.arguments) - len(inits)
        given = list(new.body.arguments)
        kept = dict(zip(self._kept, given[variables:], strict=False))
        for before, after in zip(list(old.body.arguments)[:variables], given, strict=False):
            before.replace_all_uses_with(after)
        for n, init in enumerate(inits):
            old.body.arguments[variables + n].replace_all_uses_with(kept.get(n, init))
        self.loops.append(new.operation)

    def _tile(self, carried: Sequence[ir.Value]) -> Cut:
        # The slice in the new loop: its offsets are the new induction variables.
        windows = windows_of(self.access, place_of(self.nest.insert), self.start)
        made = cut(self.op, windows, carried, {self.access.value: self.nest.insert.operands[0]})
        self.made = made.op
        return made

    def _drop_insert(self) -> None:
        insert = self.nest.insert
        start = insert.operands[1]
        if len(insert.results):
            insert.results[0].replace_all_uses_with(start)
        insert.erase()
        if producer(start, "tensor.empty") is None:
            return
        for use in list(start.uses):
            user = use.owner.operation
            if user.name == "tensor.extract_slice" and is_inside(user, self.loops[0]):
                with user.location, ir.InsertionPoint(user):
                    small = slice_of(start, place_of(user))
                if small.type == user.results[0].type:
                    replace_op(user, [small])

    def _for(self, loop: ir.Operation, extra: Sequence[ir.Value], level: int = 0) -> ir.Operation:
        old = loop.opview
        bounds, inits = list(loop.operands)[:3], _starts(loop)
        new = scf.ForOp(*bounds, [*(inits[n] for n in self._kept), *extra])
        *moved, end = [one.operation for one in old.body.operations]
        self._take(old, new, inits)
        for one in moved:
            new.body.append(one)
        carried = list(new.body.arguments)[1 + len(self._kept) :]
        if level + 1 == len(self.nest.loops):
            with ir.InsertionPoint(new.body):
                made = self._tile(carried)
                put = list(map(put_back, made.op.results, carried, made.outputs))
        else:
            inner = self.nest.loops[level + 1]
            with ir.InsertionPoint(inner):
                rebuilt = self._for(inner, carried, level + 1)
            kept = dict(zip(self._kept, rebuilt.results, strict=False))
            for n, result in enumerate(inner.results):
                result.replace_all_uses_with(kept.get(n, inner.operands[3 + n]))
            inner.erase()
            put = list(rebuilt.results)[len(self._kept) :]
        with ir.InsertionPoint(new.body):
            scf.yield_([*(end.operands[n] for n in self._kept), *put])
        if level + 1 == len(self.nest.loops) and not self.is_kept:
            self._drop_insert()
        return new.operation

    def _forall(self, loop: ir.Operation, extra: Sequence[ir.Value]) -> ir.Operation:
        old = loop.opview
        inits = _starts(loop)
        parts = [_mixed(old, name) for name in ("LowerBound", "UpperBound", "Step")]
        new = scf.ForallOp(*parts, [*(inits[n] for n in self._kept), *extra])
        self._take(old, new, inits)
        for one in list(old.body.operations):
            new.body.append(one.operation)
        end = list(new.body.operations)[-1].operation
        carried = list(new.body.arguments)[-len(extra) :]
        with ir.InsertionPoint(end):
            made = self._tile(carried)
        with ir.InsertionPoint(end.regions[0].blocks[0]):
            for part, whole, place in zip(made.op.results, carried, made.outputs, strict=True):
                put_back_in_parallel(part, whole, place)
        if not self.is_kept:
            self._drop_insert()
        return new.operation


def _mixed(view: Any, name: str) -> list[Ix]:
    dynamic = iter(getattr(view, f"dynamic{name}"))
    unknown = ir.ShapedType.get_dynamic_size()
    return [next(dynamic) if n == unknown else n for n in getattr(view, f"static{name}")]
