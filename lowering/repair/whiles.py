"""`scf.while` whose condition passes a value twice, of which upstream takes the wrong one."""

from typing import Any

from mlir_gs.dialect._bindings import PassManager, ir
from mlir_gs.lowering.ir.builders import walk_named


def pass_each_value_once(module: ir.Operation) -> None:
    """Pass each value of a condition once.

    before: `scf.condition(%c) %a, %b, %a`
    after:  `scf.condition(%c) %a, %b`, and the first for what took the last

    canonicalize moves an scf.if before a condition into the body, with the results of the wrong
    branch for all but the first. Two equal ops give one value, too, once cse has run: it runs here
    where branches might become one.
    """
    loops = walk_named(module, "scf.while")
    if any(len(_branches(op)) > 1 for op in loops):
        PassManager.parse("builtin.module(cse)").run(module)
        loops = walk_named(module, "scf.while")
    for op in loops:
        condition = _condition(op)
        given = list(condition.operands)[1:]
        first = [given.index(value) for value in given]
        if first != list(range(len(given))):
            _without_doubles(op, condition, first)


def _branches(op: ir.Operation) -> list[Any]:
    block = op.regions[0].blocks[0]
    return [inner for inner in block.operations if inner.operation.name == "scf.if"]


def _condition(op: ir.Operation) -> ir.Operation:
    *_, last = op.regions[0].blocks[0].operations
    return last.operation


def _without_doubles(op: ir.Operation, condition: ir.Operation, first: list[int]) -> None:
    kept = sorted(set(first))
    body = op.regions[1].blocks[0]
    for number, source in reversed(list(enumerate(first))):
        if number != source:
            body.arguments[number].replace_all_uses_with(body.arguments[source])
            body.erase_argument(number)
    operands = list(condition.operands)
    with condition.location, ir.InsertionPoint(condition):
        ir.Operation.create(
            condition.name, operands=[operands[0], *(operands[1 + n] for n in kept)]
        )
    condition.erase()
    with op.location, ir.InsertionPoint(op):
        types = [op.results[number].type for number in kept]
        attributes = {name: op.attributes[name] for name in op.attributes}
        new = ir.Operation.create(op.name, types, list(op.operands), attributes, regions=2)
    for old, region in zip(op.regions, new.regions, strict=True):
        old.blocks[0].append_to(region)
    for number, source in enumerate(first):
        op.results[number].replace_all_uses_with(new.results[kept.index(source)])
    op.erase()
