"""`gs-generalize`: every named op becomes the `gs.generic` that it is sugar for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect import generic
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.base import NAMED, structure_of
from mlir_gs.dialect.sizes import addressed, extents, sizes_of
from mlir_gs.dialect.structure import Access, Structure
from mlir_gs.lowering.checks.bounds import ORIGIN
from mlir_gs.lowering.ir.builders import clone_block, empty_like, index, replace_op, walk_named
from mlir_gs.lowering.named.histogram import decompose_histogram
from mlir_gs.lowering.passes.registry import register_pass
from mlir_gs.lowering.sizes.fits import CHECKED
from mlir_gs.lowering.sizes.gs_check_sizes import check_named, check_sizes


@register_pass
@dataclass(frozen=True)
class GsGeneralize:
    """Rewrite the named ops of `gs` to `gs.generic`; gs.histogram to several and a sort.

    Constraints on dynamic sizes are asserted first, as by gs-check-sizes.
    """

    name: ClassVar[str] = "gs-generalize"

    def run(self, module: ir.Operation) -> None:
        check_named(module)
        for op in walk_named(module, *NAMED):
            results, _ = _rewritten(op)
            replace_op(op, results)


def generalized(op: ir.Operation) -> tuple[Sequence[ir.Value], Sequence[ir.Operation]]:
    """What takes the place of the results of a named op, and the `gs.generic` that were made for
    it, before the op, which is left."""
    check_sizes([op])
    return _rewritten(op)


def _is_sugar(op: ir.Operation) -> bool:
    """The op is one `gs.generic`."""
    return hasattr(NAMED.get(op.name), "structure")


def _rewritten(op: ir.Operation) -> tuple[Sequence[ir.Value], Sequence[ir.Operation]]:
    with op.location, ir.InsertionPoint(op):
        if _is_sugar(op):
            results = _generalize(op)
            return results, [results[0].owner.operation]
        first = index(0).owner.operation
        results = decompose_histogram(op.opview)
    # A histogram becomes gathers and scatters.
    made = [one.operation for one in op.block.operations]
    made = made[made.index(first) : made.index(op)]
    first.erase()
    found: list[ir.Operation] = []
    replaced = list(results)
    for one in made[1:]:
        if _is_sugar(one):
            values, generics = _rewritten(one)
            found += generics
            for old, new in zip(one.results, values, strict=True):
                replaced = [new if value == old else value for value in replaced]
                old.replace_all_uses_with(new)
            one.erase()
    return replaced, found


def _generalize(op: ir.Operation) -> Sequence[ir.Value]:
    """The named op as the `gs.generic` that its structure is."""
    structure = structure_of(op)
    outputs = [_output(op, structure, access) for access in structure.outputs]
    indices: dict[ir.Value, list[ir.AffineMap]] = {}
    for access in structure.coordinates:
        indices.setdefault(access.value, []).append(access.map)
    combiner = next((region.blocks[0] for region in op.regions if len(region.blocks)), None)

    def body(update: ir.Value, current: ir.Value) -> ir.Value | Sequence[ir.Value]:
        return update if combiner is None else clone_block(combiner, [current, update])

    new = generic(
        [access.value for access in structure.inputs],
        list(indices),
        outputs,
        indexing_maps=[access.map for access in (*structure.inputs, *structure.outputs)],
        coordinate_maps=list(indices.values()),
        iterator_types=structure.iterators,
        body=body,
        modes=structure.modes,
        wrap_negative=structure.wraps,
        fill_values=structure.fills,
        unique=structure.unique,
        sorted=structure.sorted,
    )
    where = addressed(structure)
    if ORIGIN in op.attributes:
        new.attributes[ORIGIN] = op.attributes[ORIGIN]
    elif {"error", "clip"} & set(structure.modes) and len(where) == 1:
        # The error names the op that was written, and its operand.
        names = [op.name, where[0].name]
        new.attributes[ORIGIN] = ir.ArrayAttr.get([ir.StringAttr.get(name) for name in names])
    if CHECKED in op.attributes:
        # Sizes that were asserted for `op` are known to fit for what it becomes.
        new.attributes[CHECKED] = ir.UnitAttr.get()
    return new.results


def _output(op: ir.Operation, structure: Structure, access: Access) -> ir.Value:
    """What is written into: an operand, or a new tensor of the sizes of the result."""
    if access.value not in list(op.results):
        return access.value
    dims = range(structure.rank)
    known = extents(op)
    sizes = {d: known.get(d) or next(sizes_of(op, structure, d), None) for d in dims}
    found = {d: size for d, size in sizes.items() if size is not None}
    return empty_like(access.value.type, access.map, found)
