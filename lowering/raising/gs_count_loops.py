"""`gs-count-loops`: loops that count up to a number, as `scf.for`."""

from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.builders import arith, constant_of, index, made_in, producer, walk_named
from mlir_gs.lowering.passes.registry import register_pass

scf = dialect("scf")


@register_pass
@dataclass(frozen=True)
class GsCountLoops:
    """Make each scf.while that counts up to a number in steps of 1 an scf.for.

    before: `scf.while (%i = %lo, %x = %a) { scf.condition(%i < %hi) %i, %x } do {
             ... scf.yield %i + 1, %y }`
    after:  `scf.for %k = %lo to %hi step 1 iter_args(%x = %a) { ... scf.yield %y }`

    Other integers to which each step adds the same are computed from the counter. One-Shot
    Bufferize copies a tensor that is computed anew in each step of an scf.while, but not those of
    an scf.for.
    """

    name: ClassVar[str] = "gs-count-loops"
    only_with: ClassVar[tuple[str, ...]] = ("scf.while",)

    def run(self, module: ir.Operation) -> None:
        for op in walk_named(module, "scf.while"):
            number = _counter(op)
            if number is not None:
                _count(op, number)


def _counter(op: ir.Operation) -> int | None:
    """The number of the carried integer that the loop counts up while it is less than another."""
    before = op.regions[0].blocks[0]
    compare, *others = [each.operation for each in before.operations]
    if len(others) != 1 or others[0].operands[0].owner != compare or compare.name != "arith.cmpi":
        return None
    if len(list(compare.results[0].uses)) != 1:
        return None
    counter, end = compare.operands
    is_less = compare.attributes["predicate"].value == arith.CmpIPredicate.slt
    is_wide = isinstance(counter.type, ir.IntegerType) and counter.type.width > 64
    if not is_less or is_wide or counter not in before.arguments:
        return None
    number = ir.BlockArgument(counter).arg_number
    step = _step(op, number)
    if step is None or constant_of(step) != 1 or made_in(end, op):
        return None
    return number


def _step(op: ir.Operation, number: int) -> ir.Value | None:
    """What each step adds to carried value `number`, where that is the same in all of them."""
    before, after = (region.blocks[0] for region in op.regions)
    *_, passed = before.operations
    *_, given = after.operations
    made = producer(given.operands[number], "arith.addi")
    if made is None or isinstance(made.results[0].type, ir.ShapedType):
        return None
    for old, step in (list(made.operands), reversed(list(made.operands))):
        if old in after.arguments and not made_in(step, op):
            place = ir.BlockArgument(old).arg_number
            if passed.operands[1 + place] == before.arguments[number]:
                return step
    return None


def _count(op: ir.Operation, number: int) -> None:
    before, after = (region.blocks[0] for region in op.regions)
    compare, passed = before.operations
    *body, given = after.operations
    steps = [_step(op, n) for n in range(len(before.arguments))]
    kept = [n for n, step in enumerate(steps) if step is None]

    def to(type_: ir.Type, value: ir.Value) -> ir.Value:
        if isinstance(type_, ir.IndexType) and (known := constant_of(value)) is not None:
            return index(known)
        return value if value.type == type_ else arith.index_cast(type_, value)

    def shown(values: list[ir.Value], turns: ir.Value) -> list[ir.Value]:
        """What the condition passes on after so many steps, where the new loop carries `values`."""
        now = dict(zip([before.arguments[n] for n in kept], values, strict=True))
        for argument, start, step in zip(before.arguments, op.operands, steps, strict=True):
            if step is not None:
                now[argument] = arith.addi(start, arith.muli(to(step.type, turns), step))
        return [now.get(value, value) for value in list(passed.operands)[1:]]

    with op.location, ir.InsertionPoint(op):
        low = to(ir.IndexType.get(), op.operands[number])
        high = to(ir.IndexType.get(), compare.operands[1])
        loop = scf.ForOp(low, high, index(1), [op.operands[n] for n in kept])
        turns = arith.subi(arith.maxsi(low, high), low)
        results = shown(list(loop.results), turns)
    with op.location, ir.InsertionPoint(loop.body):
        turns = arith.subi(loop.induction_variable, low)
        arguments = shown(list(loop.inner_iter_args), turns)
        for old, new in zip(after.arguments, arguments, strict=True):
            old.replace_all_uses_with(new)
        for each in body:
            loop.body.append(each)
        scf.yield_([given.operands[n] for n in kept])
    for old, new in zip(op.results, results, strict=True):
        old.replace_all_uses_with(new)
    op.erase()
