"""`gs-infer`: proves promises and writes them on the op."""

from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.base import NAMED, structure_of
from mlir_gs.dialect.named_maps import Coordinates, coordinates_of
from mlir_gs.dialect.shared import PROMISES, Bounds
from mlir_gs.dialect.sizes import origin
from mlir_gs.dialect.structure import Structure, Use
from mlir_gs.lowering.facts.analysis import Analysis
from mlir_gs.lowering.facts.numbers import Facts
from mlir_gs.lowering.ir.builders import producer, walk_named
from mlir_gs.lowering.passes.explain import named, note
from mlir_gs.lowering.passes.registry import register_pass


@register_pass
@dataclass(frozen=True)
class GsInfer:
    """Prove `unique`, `sorted` and in-bounds of coordinates, and write them on the op.

    The analysis follows constants, iotas (tensor.generate, linalg.index), integer arithmetic,
    casts, shapes, the results of sorts, top-k and gs.histogram, and earlier gathers and scatters.
    For each tensor it knows four facts: the range of its elements, the sizes that exceed all of
    them, whether they ascend, and whether they are distinct. A mode whose coordinates are all in
    bounds becomes promise_in_bounds.

    A scatter with a combiner whose coordinates are proved sorted is lowered as a segment sum: its
    rows stay in registers from the first update to the last.
    """

    name: ClassVar[str] = "gs-infer"

    def run(self, module: ir.Operation) -> None:
        ops = walk_named(module, *NAMED)
        generics = walk_named(module, "gs.generic")
        checked = [op for op in generics if {"modes", "wrap_negative"} & {*op.attributes}]
        if not ops and not checked:
            return
        facts = Analysis.of(module)
        for op in checked:
            _infer_generic(op, Structure.of(op.opview), facts)
        for op in ops:
            structure = structure_of(op)
            where = None if structure is None else coordinates_of(structure)
            if where is not None and PROMISES.keys() <= op.opview.ATTRIBUTES.optional.keys():
                _infer_from_bins(op, where)
                _infer_from_facts(op, where, facts)
            elif structure is not None and "mode" in op.attributes:
                _infer_bounds(op, structure, facts)


def _infer_from_bins(op: ir.Operation, where: Coordinates) -> None:
    """What holds of the bins of a histogram."""
    if where.along or where.batch or not _is_of_histogram(where.indices):
        return
    if Bounds.of(op.opview).mode != "clip" and not Bounds.of(op.opview).wrap_negative:
        _promise(op, "unique", "no two bins are equal", where.indices)
        _promise(op, "sorted", "bins ascend", where.indices)


def _infer_from_facts(op: ir.Operation, where: Coordinates, look: Analysis) -> None:
    """Promises that hold for one coordinate per slice, or per element along a dim."""
    facts = look(where.indices)
    if facts is None:
        return
    along, dims = where.along, where.dims
    # Clipping keeps the order, and dropped coordinates do not count.
    ascending = facts.ascending and (facts.low >= 0 or not Bounds.of(op.opview).wrap_negative)
    if ascending and not along and len(dims) == 1 and where.batch == 0:
        _promise(op, "sorted", "its coordinates ascend", where.indices)
    if facts.low < 0:
        return
    inside = all(_is_less(facts, where.addressed.value, d) for d in dims)
    if inside:
        _drop_mode(op, _range(facts), where.indices)
    if not inside and Bounds.of(op.opview).mode != "promise_in_bounds":
        return
    if (facts.distinct and len(dims) == 1) or (along and facts.along == dims[0]):
        _promise(op, "unique", "no two coordinates are equal", where.indices)


def _infer_bounds(op: ir.Operation, structure: Structure, look: Analysis) -> None:
    """Coordinates of another form than those of gather and scatter, which address as they are."""
    why, of = "no coordinates", None
    for symbol, access in enumerate(structure.coordinates):
        facts = look(access.value)
        for use in structure.uses(symbol):
            if facts is None or not _is_inside(facts, use):
                return
            why, of = _range(facts), access.value
    _drop_mode(op, why, of)


def _infer_generic(op: ir.Operation, structure: Structure, look: Analysis) -> None:
    """Coordinates of a gs.generic, each for itself. Those that are read through others stay."""
    modes, wraps = list(structure.modes), list(structure.wraps)
    for symbol, access in enumerate(structure.coordinates):
        facts = look(access.value)
        checked = modes[symbol] != "promise_in_bounds" or wraps[symbol]
        if facts is None or facts.low < 0 or not checked or structure.is_chained(symbol):
            continue
        uses = structure.uses(symbol)
        if uses and all(_is_inside(facts, use) for use in uses):
            modes[symbol], wraps[symbol] = "promise_in_bounds", False
            why = f"in bounds, so s{symbol} has no mode: {_range(facts)}{_from(access.value)}"
            note(op, "proved", why)
    if tuple(modes) != structure.modes or tuple(wraps) != structure.wraps:
        texts = [ir.StringAttr.get(mode) for mode in modes]
        op.attributes["modes"] = ir.ArrayAttr.get(texts)
        op.attributes["wrap_negative"] = ir.DenseBoolArrayAttr.get(wraps)


def _is_inside(facts: Facts, use: Use) -> bool:
    """Whether a coordinate of these facts plus a constant is a place of what it addresses."""
    if use.form is None or not use.form.is_constant:
        return False
    by = use.form.constant
    size = origin(use.access.value, use.position)
    if isinstance(size, int):
        return facts.low + by >= 0 and facts.high + by < size
    return by <= 0 and facts.low + by >= 0 and size in facts.below


def _is_less(facts: Facts, addressed: ir.Value, dim: int) -> bool:
    size = origin(addressed, dim)
    return facts.high < size if isinstance(size, int) else size in facts.below


def _range(facts: Facts) -> str:
    """In words, where coordinates are."""
    end = "less than a size" if facts.below else str(facts.high)
    return f"range of its coordinates, from {facts.low} to {end}"


def _from(of: ir.Value | None) -> str:
    """What a fact about `of` was read from."""
    if of is None:
        return ""
    op = producer(of)
    if op is None:
        return f", from argument {of.arg_number}"
    return f", from {named(op)}"


def _drop_mode(op: ir.Operation, why: str, of: ir.Value | None) -> None:
    for name in ("mode", "wrap_negative", "fill_value"):
        if name in op.attributes:
            del op.attributes[name]
            note(op, "proved", f"in bounds, so no {name}: {why}{_from(of)}")


def _is_of_histogram(indices: ir.Value) -> bool:
    op = producer(indices)
    return op is not None and op.name == "gs.histogram" and indices == op.results[1]


def _promise(op: ir.Operation, name: str, why: str, of: ir.Value) -> None:
    if name not in op.attributes:
        op.attributes[name] = ir.UnitAttr.get()
        note(op, "proved", f"{name}: {why}{_from(of)}")
