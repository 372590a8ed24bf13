"""Facts of the results of sorts and gs.histogram."""

from dataclasses import replace

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.facts.bodies import Look
from mlir_gs.lowering.facts.numbers import Facts, union

ASCENDING = "gs.ascending"
"""On a gather_elements into one dim: it sorts, and what it gives ascends."""


def of_histogram(look: Look, op: ir.Operation, value: ir.Value) -> Facts | None:
    if value != op.results[1]:
        return None
    found = look(op.operands[1])
    single = value.type.shape[value.type.rank - 1] == 1
    return None if found is None else replace(union([found]), distinct=single, ascending=single)


def of_sort(look: Look, op: ir.Operation, value: ir.Value) -> Facts | None:
    """What is sorted along with a key keeps its elements, line by line."""
    number = next(n for n, result in enumerate(op.results) if result == value)
    start = op.operands[number]
    found = look(start)
    if found is None:
        return None
    dim = op.attributes["dimension"].value if "dimension" in op.attributes else -1
    dim = dim if dim >= 0 else value.type.rank - 1
    along = dim if found.along == dim or found.distinct else None
    return replace(found, along=along, ascending=value.type.rank == 1 and ascends(op, number))


def ascends(op: ir.Operation, number: int) -> bool:
    """The comparator of a sort is `a < b` of operand `number` itself."""
    if len(op.regions) != 1 or len(op.regions[0].blocks) != 1:
        return False
    block = op.regions[0].blocks[0]
    operations = [nested.operation for nested in block.operations]
    if len(operations) != 2:
        return False
    a, b = block.arguments[2 * number], block.arguments[2 * number + 1]
    compare = operations[0]
    if list(compare.operands) != [a, b] or list(operations[1].operands) != [compare.results[0]]:
        return False
    if compare.name == "stablehlo.compare":
        return "LT" in str(compare.attributes["comparison_direction"]) or "LE" in str(
            compare.attributes["comparison_direction"]
        )
    return compare.name == "arith.cmpi" and compare.attributes["predicate"].value in (2, 3)
