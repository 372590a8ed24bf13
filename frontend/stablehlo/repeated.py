"""Calls of math functions that a program writes several times, as derivatives of cos and sin do."""

from collections import Counter
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import element_of, walk_named

_NAMES = """atan2 cbrt cosine exponential exponential_minus_one log log_plus_one logistic power
sine tan tanh"""
_CALLS = tuple(f"stablehlo.{name}" for name in _NAMES.split())
_CHANGING = ("stablehlo.custom_call", "stablehlo.rng", "stablehlo.composite")


def share_calls(module: ir.Operation) -> None:
    """Call a function of the same elements once: what reads the results stores them, for less than
    another call of each. Cheaper ops stay as often as they are, so that loops merge with them."""
    calls = walk_named(module, *_CALLS)
    if any(count > 1 for count in Counter(op.name for op in calls).values()):
        for block in dict.fromkeys(op.block for op in calls):
            _share(block)


def _share(block: ir.Block) -> None:
    same: dict[ir.Value, ir.Value] = {}
    first: dict[Any, ir.Value] = {}
    for op in [each.operation for each in block.operations]:
        changes = op.name.startswith(_CHANGING) or not op.name.startswith("stablehlo.")
        if changes or len(op.results) != 1 or len(op.regions):
            continue
        (result,) = op.results
        if isinstance(element_of(result.type), ir.ComplexType):
            # The bindings read no constants of such elements.
            continue
        operands = tuple(same.get(operand, operand) for operand in op.operands)
        key = (op.name, operands, result.type, *dict(op.attributes).items())
        earlier = first.setdefault(key, result)
        if earlier == result:
            continue
        if op.name in _CALLS:
            result.replace_all_uses_with(earlier)
            op.erase()
        else:
            same[result] = earlier
