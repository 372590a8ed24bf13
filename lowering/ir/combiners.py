"""Combiners: which op one applies, its identity, and whether it may be reordered."""

import math
from collections.abc import Sequence

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import arith, producer

# Any order and any grouping give the same bits.
EXACT = frozenset(
    {
        "arith.addi", "arith.muli", "arith.andi", "arith.ori", "arith.xori",
        "arith.minsi", "arith.minui", "arith.maxsi", "arith.maxui",
        "arith.minimumf", "arith.maximumf",
    }
)  # fmt: skip
# Of those, combining a value with itself gives the value.
IDEMPOTENT = EXACT - {"arith.addi", "arith.muli", "arith.xori"}
# The kinds of vector.reduction; ops of these names have an identity.
_KINDS = {
    "arith.addf": "add", "arith.mulf": "mul", "arith.addi": "add", "arith.muli": "mul",
    "arith.andi": "and", "arith.ori": "or", "arith.xori": "xor", "arith.minsi": "minsi",
    "arith.minui": "minui", "arith.maxsi": "maxsi", "arith.maxui": "maxui",
    "arith.minimumf": "minimumf", "arith.maximumf": "maximumf",
}  # fmt: skip
_COMMUTATIVE = EXACT | {"arith.addf", "arith.mulf", "arith.minnumf", "arith.maxnumf"}


def identity(kind: str, element: ir.IntegerType | ir.FloatType) -> ir.Value:
    """The element that op `kind` changes nothing with."""
    name = kind.removeprefix("arith.")
    if isinstance(element, ir.FloatType):
        # A sum of zeros that are all negative is negative.
        floats = {"addf": -0.0, "mulf": 1.0, "minimumf": math.inf, "maximumf": -math.inf}
        return arith.constant(element, floats[name])
    ones, sign = (1 << element.width) - 1, 1 << (element.width - 1)
    numbers = {"muli": 1, "andi": ones, "minui": ones, "minsi": sign - 1, "maxsi": sign}
    number = numbers.get(name, 0)
    if number >= sign:
        number -= ones + 1
    return arith.constant(element, ir.IntegerAttr.get(element, number))


def combine_of(block: ir.Block, n_inputs: int) -> ir.Operation | None:
    """The op that combines what the body `block` of a `gs.generic` with one output computes of
    its inputs with what the output holds, if that is used by it alone and has an identity."""
    *_, terminator = block.operations
    current = block.arguments[n_inputs]
    combine = producer(terminator.operands[0], *_KINDS)
    uses = list(current.uses)
    if combine is None or len(uses) != 1 or uses[0].owner.operation != combine:
        return None
    return combine if isinstance(current.type, (ir.IntegerType, ir.FloatType)) else None


def may_be_grouped(combine: ir.Operation) -> bool:
    """Any grouping gives the same bits, or fast-math flags say that grouping is free."""
    return combine.name in EXACT or is_reassociative(combine)


def is_reassociative(op: ir.Operation) -> bool:
    """Whether fast-math flags of `op` let it be grouped, so that it may give other bits."""
    flags = str(op.attributes["fastmath"]) if "fastmath" in op.attributes else ""
    return any(flag in flags for flag in ("reassoc", "fast>"))


def combined(combine: ir.Operation, one: ir.Value, other: ir.Value) -> ir.Value:
    """What `combine` gives of two elements or vectors."""
    return _again(combine, combine.name, one.type, [one, other], {})


def reduced(combine: ir.Operation, lanes: ir.Value, element: ir.Value) -> ir.Value:
    """`element` combined with all lanes of a vector: in their order, unless they may be grouped."""
    kind = ir.Attribute.parse(f"#vector.kind<{_KINDS[combine.name]}>")
    return _again(combine, "vector.reduction", element.type, [lanes, element], {"kind": kind})


def _again(
    combine: ir.Operation, name: str, type_: ir.Type, operands: Sequence[ir.Value], attributes: dict
) -> ir.Value:
    if "fastmath" in combine.attributes:
        attributes = {**attributes, "fastmath": combine.attributes["fastmath"]}
    return ir.Operation.create(name, [type_], operands, attributes=attributes).result


def combiner_kind(region: ir.Region) -> str | None:
    """The name of the one commutative op that the region applies to its two arguments, or None."""
    if len(region.blocks) != 1 or len(region.blocks[0].arguments) != 2:
        return None
    return _single_op(region.blocks[0])


def _single_op(block: ir.Block) -> str | None:
    operations = [op.operation for op in block.operations]
    if len(operations) != 2 or operations[0].name not in _COMMUTATIVE:
        return None
    op, terminator = operations
    if list(terminator.operands) != [op.results[0]]:
        return None
    a, b = block.arguments[0], block.arguments[1]
    return op.name if list(op.operands) in ([a, b], [b, a]) else None


def elementwise(value: ir.Value) -> tuple[str, ir.Value, ir.Value] | None:
    """(op, a, b) where `value` is a commutative op of two tensors, element by element.

    Spelled as an arith op on tensors, or as a linalg.generic or linalg.map of two inputs.
    """
    op = value.owner
    if not isinstance(op, (ir.Operation, ir.OpView)):
        return None
    op = op.operation
    if op.name in _COMMUTATIVE:
        return op.name, op.operands[0], op.operands[1]
    if op.name not in ("linalg.generic", "linalg.map") or len(op.operands) != 3:
        return None
    if op.name == "linalg.generic" and not all(
        map_.value == ir.AffineMap.get_identity(value.type.rank)
        for map_ in op.attributes["indexing_maps"]
    ):
        return None
    block = op.regions[0].blocks[0]
    if len(block.arguments) == 3 and list(block.arguments[2].uses):
        return None
    kind = _single_op(block)
    return None if kind is None else (kind, op.operands[0], op.operands[1])
