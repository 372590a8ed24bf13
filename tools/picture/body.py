"""The body of an op as a formula for each output: `%y + %val * %x`."""

from collections.abc import Mapping, Sequence

from mlir_gs.dialect._bindings import ir

_MOST = 60
"""Characters of a formula; the rest is cut."""

_INFIX = {"add": "+", "sub": "-", "mul": "*", "div": "/", "and": "&", "or": "|", "xor": "^"}
_CALLS = {"maximum": "max", "minimum": "min", "maxnum": "max", "minnum": "min"}


def formulas(op: ir.Operation, names: Sequence[str]) -> list[str]:
    """What `op` yields for each output, of elements called `names`; none without a body."""
    if len(op.regions) == 0 or len(op.regions[0].blocks) == 0:
        return []
    block = op.regions[0].blocks[0]
    known = dict(zip(map(str, block.arguments), names, strict=True))
    found = [_formula(value, known) for value in list(block.operations)[-1].operands]
    return [text if len(text) <= _MOST else f"{text[: _MOST - 1]}…" for text in found]


def _formula(value: ir.Value, known: Mapping[str, str], inner: bool = False, depth: int = 8) -> str:
    if str(value) in known:
        return known[str(value)]
    if isinstance(value.owner, ir.Block) or depth == 0:
        return str(value.get_name())
    op = value.owner.operation
    if "value" in op.attributes and len(op.operands) == 0:
        return str(op.attributes["value"]).partition(" :")[0]
    kind = op.name.rpartition(".")[2].rstrip("fiusx") if op.name.startswith("arith.") else ""
    parts = [_formula(each, known, kind in _INFIX, depth - 1) for each in op.operands]
    if kind in _INFIX and len(parts) == 2:
        text = f"{parts[0]} {_INFIX[kind]} {parts[1]}"
        return f"({text})" if inner else text
    return f"{_CALLS.get(kind, op.name.rpartition('.')[2])}({', '.join(parts)})"
