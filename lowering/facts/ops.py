"""Facts of the results of ops on tensors, from those of their operands."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.shared import Bounds
from mlir_gs.lowering.facts.bodies import Look, of_generate, of_linalg
from mlir_gs.lowering.facts.numbers import Facts, element_of, union
from mlir_gs.lowering.facts.sorts import ASCENDING, of_histogram, of_sort, of_top_k


def _same(look: Look, op: ir.Operation, _: ir.Value) -> Facts | None:
    """All or some of the elements, in their order."""
    found = look(op.operands[0])
    return None if found is None else replace(found, along=None)


def _cast(look: Look, op: ir.Operation, _: ir.Value) -> Facts | None:
    return look(op.operands[0])


def _moved(look: Look, op: ir.Operation, _: ir.Value) -> Facts | None:
    """The elements in another order."""
    found = look(op.operands[0])
    return None if found is None else replace(found, ascending=False, along=None)


def _repeated(look: Look, op: ir.Operation, _: ir.Value) -> Facts | None:
    found = look(op.operands[0])
    return None if found is None else union([found])


def _several(look: Look, op: ir.Operation, _: ir.Value) -> Facts | None:
    parts = [look(v) for v in op.operands if element_of(v.type) == element_of(op.results[0].type)]
    return union([part for part in parts if part is not None]) if all(parts) else None


def _insert_slice(look: Look, op: ir.Operation, _: ir.Value) -> Facts | None:
    parts = [look(op.operands[0]), look(op.operands[1])]
    return union([part for part in parts if part is not None]) if all(parts) else None


def _fill(look: Look, op: ir.Operation, _: ir.Value) -> Facts | None:
    found = look(op.operands[0])
    return None if found is None else replace(found, ascending=True, distinct=False)


def _gather(look: Look, op: ir.Operation, _: ir.Value) -> Facts | None:
    found = look(op.operands[0])
    bounds = Bounds.of(op.opview)
    if found is None:
        return None
    if bounds.mode == "fill":
        fill: Any = bounds.fill_value
        if not isinstance(fill, ir.IntegerAttr):
            return None
        return union([found, Facts(fill.value, fill.value)])
    result = union([found])
    if "unique" in op.attributes and bounds.mode == "promise_in_bounds":
        result = replace(result, distinct=found.distinct)
        if "dim" in op.attributes and found.along == op.attributes["dim"].value:
            result = replace(result, along=found.along)
    if ASCENDING in op.attributes:
        result = replace(result, ascending=True)
    return result


def _scatter(look: Look, op: ir.Operation, _: ir.Value) -> Facts | None:
    if len(op.regions[0].blocks):
        return None
    return _insert_slice(look, op, _)


RULES: dict[str, Callable[[Look, ir.Operation, ir.Value], Facts | None]] = {
    "tensor.cast": _cast,
    "tensor.collapse_shape": _same,
    "tensor.expand_shape": _same,
    "tensor.extract_slice": _same,
    "tensor.generate": of_generate,
    "tensor.insert_slice": _insert_slice,
    "tensor.concat": _several,
    "tensor.splat": _fill,
    "tensor.extract": _repeated,
    "linalg.fill": _fill,
    "linalg.transpose": _moved,
    "linalg.broadcast": _repeated,
    "linalg.generic": of_linalg,
    "gs.gather": _gather,
    "gs.gather_elements": _gather,
    "gs.scatter": _scatter,
    "gs.scatter_elements": _scatter,
    "gs.strided_slice": _moved,
    "gs.histogram": of_histogram,
    "stablehlo.sort": of_sort,
    "stablehlo.reshape": _same,
    "stablehlo.convert": _cast,
    "tm_tensor.sort": of_sort,
    "chlo.top_k": of_top_k,
    "tm_tensor.topk": of_top_k,
}
