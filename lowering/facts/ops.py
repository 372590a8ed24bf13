"""Facts of the results of ops on tensors, from those of their operands."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.base import structure_of
from mlir_gs.dialect.named_maps import coordinates_of
from mlir_gs.dialect.sizes import addressed
from mlir_gs.dialect.structure import Access
from mlir_gs.lowering.facts.bodies import Look, of_generate, of_linalg
from mlir_gs.lowering.facts.numbers import Facts, element_of, union
from mlir_gs.lowering.facts.sorts import ASCENDING, of_histogram, of_sort


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


def of_named(look: Look, op: ir.Operation, value: ir.Value) -> Facts | None:
    """A named op that moves elements, by its maps."""
    structure = structure_of(op)
    if len(structure.inputs) != 1 or any(len(r.blocks) for r in op.regions):
        return None
    (source,) = structure.inputs
    found = look(source.value)
    if found is None:
        return None
    dest = [access.value for access in structure.outputs if access.value != value]
    if dest:
        kept = look(dest[0])
        return None if kept is None else union([found, kept])
    if not addressed(structure):
        return replace(
            found, ascending=False, along=None, distinct=_once(source) and found.distinct
        )
    if "fill_or_drop" in structure.modes:
        fill: Any = structure.fills[0]
        if not isinstance(fill, ir.IntegerAttr):
            return None
        return union([found, Facts(fill.value, fill.value)])
    result = union([found])
    if structure.unique and set(structure.modes) == {"promise_in_bounds"}:
        result = replace(result, distinct=found.distinct)
        where = coordinates_of(structure)
        if where is not None and where.along and [found.along] == where.dims:
            result = replace(result, along=found.along)
    if ASCENDING in op.attributes:
        result = replace(result, ascending=True)
    return result


def _once(access: Access) -> bool:
    """No two points of the iteration space have the same address."""
    forms = [access.linear(position) for position in range(len(access.map.results))]
    alone = {d for form in forms if form is not None and len(form.dims) == 1 for d in form.dims}
    return alone == set(range(access.map.n_dims))


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
    "gs.histogram": of_histogram,
    "stablehlo.sort": of_sort,
    "stablehlo.reshape": _same,
    "stablehlo.convert": _cast,
    "tm_tensor.sort": of_sort,
}
