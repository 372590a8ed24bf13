"""`gs-specialize`: a `gs.generic` that is equivalent to a named op becomes that op."""

from dataclasses import dataclass
from typing import Any, ClassVar

from mlir_gs.dialect import gather, gather_elements, scatter, scatter_elements, strided_slice
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import LIMIT, linear, plain_dim, symbols_of
from mlir_gs.dialect.build import InvalidOp
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.named_maps import Addressing, dims_from, element_maps, slice_maps
from mlir_gs.dialect.sizes import origin
from mlir_gs.dialect.structure import Structure, groups
from mlir_gs.lowering.ir.builders import clone_block, producer, replace_op, walk_named
from mlir_gs.lowering.op.body import Body
from mlir_gs.lowering.passes.registry import register_pass
from mlir_gs.lowering.sizes.fits import CHECKED, fits_of


@register_pass
@dataclass(frozen=True)
class GsSpecialize:
    """Rewrite each `gs.generic` that is equivalent to a named op to that op.

    The inverse of gs-generalize, for IR that people read. An op that no named op expresses stays.
    So does one that takes the least of several sizes where the named op requires equal ones.
    """

    name: ClassVar[str] = "gs-specialize"

    def run(self, module: ir.Operation) -> None:
        for op in walk_named(module, "gs.generic"):
            result = specialized(op)
            if result is not None:
                replace_op(op, [result])


def specialized(op: ir.Operation) -> ir.Value | None:
    """The result of the named op, before `op`, that a `gs.generic` is equivalent to, if there is
    one."""
    if len(op.results) != 1:
        return None
    with op.location, ir.InsertionPoint(op):
        try:
            result = _specialize(op)
        except InvalidOp:
            # A named op wants more than gs.generic.
            return None
    if result is None:
        return None
    if _is_equivalent(result, op.results[0]) and _sizes_fit(op, result.owner):
        return result
    result.owner.erase()
    return None


def _sizes_fit(op: ir.Operation, named: ir.Operation) -> bool:
    """The sizes are those that the named op requires, by their types or by an assertion."""
    if CHECKED in op.attributes:
        named.attributes[CHECKED] = ir.UnitAttr.get()
        return True
    return not any(fits_of(named.operation))


def _is_equivalent(result: ir.Value, old: ir.Value) -> bool:
    """The named op of `result` has the type and the sizes of `old`."""
    rank = len(result.type.shape)
    same = all(origin(result, d) == origin(old, d) for d in range(rank))
    return result.type == old.type and same


def _specialize(op: ir.Operation) -> ir.Value | None:
    structure = Structure.of(op.opview)
    inputs, indices, _ = groups(op.opview)
    if len(inputs) != 1 or len(indices) > 1:
        return None
    body = Body(op.regions[0].blocks[0], 1)
    source, output = structure.inputs[0], structure.outputs[0]
    if not symbols_in(output.map) and body.moves_only:
        if producer(output.value, "tensor.empty") is None:
            return None
        if not indices:
            return _strided_slice(structure)
        return _gather(structure, indices[0])
    if indices and not symbols_in(source.map):
        return _scatter(op, structure, body, indices[0])
    return None


def symbols_in(map_: ir.AffineMap) -> set[int]:
    return {symbol for expr in map_.results for symbol in symbols_of(expr)}


@dataclass(frozen=True)
class _Form:
    """Which named op the maps are of: along one dim, or slices at `dims` behind `batch` dims."""

    along: int | None
    dims: list[int]
    batch: int
    maps: Addressing


def _form(
    structure: Structure, indices: ir.Value, addressed: ir.AffineMap, moved_rank: int
) -> _Form | None:
    """The form whose maps these are, found by building the maps anew and comparing."""
    if indices.type.rank == 0:  # Named ops have a last dim for tuples, or one to go along.
        return None
    dims = [p for p, expr in enumerate(addressed.results) if symbols_of(expr)]
    rank, leading = len(addressed.results), indices.type.rank - 1
    if len(dims) == 1 and structure.rank == rank == indices.type.rank:
        form = _Form(dims[0], dims, 0, element_maps(rank, dims[0]))
        if _same(structure, form.maps, addressed, moved_rank):
            return form
    batch = 0
    while batch < min(leading, rank) and plain_dim(addressed.results[batch]) == batch:
        batch += 1
    if not dims or len(dims) != indices.type.shape[-1] or min(dims) < batch:
        return None
    shape = ir.RankedTensorType.get([DYNAMIC] * rank, ir.IndexType.get())
    form = _Form(None, dims, batch, slice_maps(shape, indices.type, moved_rank, dims, batch))
    return form if _same(structure, form.maps, addressed, moved_rank) else None


def _same(structure: Structure, maps: Addressing, addressed: ir.AffineMap, moved_rank: int) -> bool:
    moved = next(
        access.map for access in (*structure.outputs, *structure.inputs) if access.map != addressed
    )
    return (
        maps.rank == structure.rank
        and maps.addressed == addressed
        and maps.slices == moved
        and len(moved.results) == moved_rank
        and maps.coordinates == [access.map for access in structure.coordinates]
    )


def _attributes(structure: Structure, outside: str) -> dict[str, Any] | None:
    """unique, sorted, mode and wrap_negative as a named op has them; None where they differ."""
    if len(set(structure.modes)) != 1 or len(set(structure.wraps)) != 1:
        return None
    mode = structure.modes[0]
    return {
        "unique": structure.unique,
        "sorted": structure.sorted,
        "mode": {"promise_in_bounds": None, "fill_or_drop": outside}.get(mode, mode),
        "wrap_negative": structure.wraps[0],
    }


def _gather(structure: Structure, indices: ir.Value) -> ir.Value | None:
    source, output = structure.inputs[0], structure.outputs[0]
    if source.map == output.map or "reduction" in structure.iterators:
        return None
    form = _form(structure, indices, source.map, output.value.type.rank)
    attributes = _attributes(structure, "fill")
    if form is None or attributes is None:
        return None
    # Of a gs.generic it says that no two points write one place, which they never do here.
    attributes["unique"] = False
    attributes["fill_value"] = structure.fills[0]
    if form.along is not None:
        return gather_elements(source.value, indices, form.along, **attributes)
    kept = output.value.type.rank != structure.rank
    return gather(
        source.value,
        indices,
        form.dims,
        batch_dims=form.batch,
        keep_unit_dims=kept,
        **attributes,
    )


def _scatter(
    op: ir.Operation, structure: Structure, body: Body, indices: ir.Value
) -> ir.Value | None:
    updates, dest = structure.inputs[0], structure.outputs[0]
    if updates.map == dest.map:
        return None
    form = _form(structure, indices, dest.map, updates.value.type.rank)
    attributes = _attributes(structure, "drop")
    if form is None or attributes is None or not _order_fits(structure, form):
        return None
    block = op.regions[0].blocks[0]

    def combine(current: ir.Value, update: ir.Value) -> ir.Value:
        return clone_block(block, [update, current])[0]

    combiner = None if body.moves_only else combine
    if form.along is not None:
        return scatter_elements(
            updates.value, dest.value, indices, form.along, combiner, **attributes
        )  # fmt: skip
    return scatter(
        updates.value,
        dest.value,
        indices,
        form.dims,
        combiner,
        batch_dims=form.batch,
        **attributes,
    )


def _order_fits(structure: Structure, form: _Form) -> bool:
    """The dims that are declared parallel are those that the named op makes parallel."""
    if structure.unique:
        return set(structure.iterators) <= {"parallel"}
    return all(
        kind == ("parallel" if structure.plain_in_outputs(dim) else "reduction")
        for dim, kind in enumerate(structure.iterators)
    )


def _strided_slice(structure: Structure) -> ir.Value | None:
    source, output = structure.inputs[0], structure.outputs[0]
    rank = structure.rank
    if list(output.map.results) != dims_from(0, rank) or len(source.map.results) != rank:
        return None
    counts = list(output.value.type.shape)
    if DYNAMIC in counts or 0 in counts:
        return None
    offsets: list[int] = []
    sizes: list[int] = []
    strides: list[int] = []
    for dim, (expr, count) in enumerate(zip(source.map.results, counts, strict=True)):
        form = linear(expr)
        if form is None or set(form.dims) != {dim}:
            return None
        stride = form.dims[dim]
        reach = (count - 1) * stride
        if abs(reach) >= LIMIT:
            return None
        offsets.append(form.constant + min(reach, 0))
        sizes.append(abs(reach) + 1)
        strides.append(stride)
    return strided_slice(source.value, offsets, sizes, strides)
