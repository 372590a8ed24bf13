"""Ops whose meaning is not stated: both functions have the same result if they run the same op.

Its results are functions of nothing but its name, attributes, body and operands, and these are
compared as text. So an op that a pass leaves alone needs no meaning.
"""

from hashlib import sha256
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference.types import constant_value
from mlir_gs.prove.values import Side, given

# Without effects, and with results that depend on operands alone.
_PURE = ("gs.histogram", "linalg.", "tensor.", "math.", "arith.", "complex.", "index.")


def results(side: Side, op: Any) -> list[Any] | None:
    """The results; None where the op may do something else."""
    if not _is_pure(op) or any(isinstance(o.type, ir.MemRefType) for o in op.operands):
        return None
    if side.is_called or side.scope.guards:
        # Arguments are those of the function; and it may be undefined where it does not run.
        return None
    name = key(op)
    if name is None:
        return None
    side.opaque.add(name)
    found, facts = [], []
    for n, result in enumerate(op.results):
        value, known = given(f"{name}#{n}", result.type)
        found.append(value)
        facts += known
    side.facts += facts
    return found


def _is_pure(op: Any) -> bool:
    return op.name.startswith(_PURE) and op.name != "tensor.empty"


def key(op: Any, known: dict[Any, str | None] | None = None) -> str | None:
    """A text that is the same for ops that compute the same from the arguments, known by how they
    are written; None where that cannot be said. `known`: the keys of other ops."""
    known = {} if known is None else known
    if op not in known:
        text = _text(op, known)
        known[op] = None if text is None else f"{op.name}:{sha256(text.encode()).hexdigest()}"
    return known[op]


def _text(op: Any, known: dict[Any, str | None]) -> str | None:
    if op.name == "arith.constant":
        # Not its text, which may name data that stand elsewhere.
        return f"{op.results[0].type}{constant_value(op).tobytes().hex()}"
    operands = []
    for operand in op.operands:
        owner = operand.owner
        if isinstance(owner, ir.Block):
            if owner.owner.operation.name != "func.func":
                return None
            operands.append(f"arg{operand.arg_number}")
            continue
        producer = owner.operation
        inner = key(producer, known) if _is_pure(producer) else None
        if inner is None:
            return None
        operands.append(f"{inner}#{list(producer.results).index(operand)}")
    if not _closed(op):
        return None
    attributes = sorted(
        f"{name}={op.attributes[name]}" for name in op.attributes if not name.startswith("gs.")
    )
    regions = "".join(_region(region) for region in op.regions)
    if any("@" in each or "dense_resource<" in each for each in (*attributes, regions)):
        return None
    types = ",".join(str(result.type) for result in op.results)
    return f"{op.name}({','.join(operands)}){attributes}{types}{regions}"


def _closed(op: Any) -> bool:
    """The regions use nothing from outside."""
    inner: set[Any] = set()
    for region in op.regions:
        for block in region.blocks:
            inner |= set(block.arguments)
            for view in block.operations:
                each = view.operation
                if any(o not in inner for o in each.operands) or len(each.regions):
                    return False
                inner |= set(each.results)
    return True


def _region(region: Any) -> str:
    """The ops with numbered values."""
    numbers: dict[Any, int] = {}
    lines = []
    for block in region.blocks:
        for value in block.arguments:
            numbers[value] = len(numbers)
        for view in block.operations:
            each = view.operation
            lines.append(
                f"{each.name}{[numbers[o] for o in each.operands]}"
                f"{sorted(f'{name}={each.attributes[name]}' for name in each.attributes)}"
                f"{[str(r.type) for r in each.results]}"
            )
            for value in each.results:
                numbers[value] = len(numbers)
    return "{" + ";".join(lines) + "}"
