"""`gs-generalize`: every named op becomes the `gs.generic` that it is sugar for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect import generic
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.named_maps import Addressing, addressing, dims_from
from mlir_gs.dialect.shared import Bounds, batch_dims
from mlir_gs.lowering.checks.bounds import ORIGIN
from mlir_gs.lowering.ir.builders import clone_block, empty_like, walk_named
from mlir_gs.lowering.named.histogram import decompose_histogram
from mlir_gs.lowering.passes.registry import register_pass
from mlir_gs.lowering.sizes.fits import CHECKED
from mlir_gs.lowering.sizes.gs_check_sizes import check_named


@register_pass
@dataclass(frozen=True)
class GsGeneralize:
    """Rewrite the named ops of `gs` to `gs.generic`; gs.histogram to several and a sort.

    Constraints on dynamic sizes are asserted first, as by gs-check-sizes.
    """

    name: ClassVar[str] = "gs-generalize"

    def run(self, module: ir.Operation) -> None:
        check_named(module)
        # Histograms become gathers and scatters, which become gs.generic after them.
        for table in ({"gs.histogram": decompose_histogram}, _GENERALIZERS):
            for op in walk_named(module, *table):
                with op.location, ir.InsertionPoint(op):
                    results = table[op.name](op.opview)
                for old, new in zip(op.results, results, strict=True):
                    old.replace_all_uses_with(new)
                op.erase()


def _gather_from(op: ir.OpView, maps: Addressing) -> Sequence[ir.Value]:
    """`slices = addressed[...]` into a new tensor."""
    source, indices = op.operands
    sizes = {}
    for value, map_ in ((indices, maps.coordinates[0]), (source, maps.addressed)):
        for position, expr in enumerate(map_.results):
            if isinstance(expr, ir.AffineDimExpr):
                sizes.setdefault(expr.position, (value, position))
    out = empty_like(op.results[0].type, maps.slices, sizes)
    bounds = Bounds.of(op)
    return _build(
        op, [source], [indices], [out], [maps.addressed, maps.slices], maps, bounds,
        lambda element, _current: element,
        ["parallel"] * maps.rank,
    )  # fmt: skip


def _scatter_into(op: ir.OpView, maps: Addressing, ordered: set[int]) -> Sequence[ir.Value]:
    """`addressed[...] = combiner(current, slices)`; dims in `ordered` keep their order."""
    updates, dest, indices = op.operands
    region = op.regions[0]

    def body(update: ir.Value, current: ir.Value) -> ir.Value | Sequence[ir.Value]:
        if len(region.blocks) == 0:
            return update
        return clone_block(region.blocks[0], [current, update])

    kinds = [
        "reduction" if dim in ordered and "unique" not in op.attributes else "parallel"
        for dim in range(maps.rank)
    ]
    return _build(
        op, [updates], [indices], [dest], [maps.slices, maps.addressed], maps, Bounds.of(op),
        body, kinds,
    )  # fmt: skip


def _build(
    op: ir.OpView,
    inputs: Sequence[ir.Value],
    indices: Sequence[ir.Value],
    outputs: Sequence[ir.Value],
    indexing_maps: Sequence[ir.AffineMap],
    maps: Addressing,
    bounds: Bounds,
    body: Callable[..., ir.Value | Sequence[ir.Value]],
    iterators: Sequence[str],
) -> Sequence[ir.Value]:
    mode = "fill_or_drop" if bounds.mode in ("fill", "drop") else bounds.mode
    count = len(maps.coordinates)
    new = generic(
        inputs,
        indices,
        outputs,
        indexing_maps=indexing_maps,
        coordinate_maps=[maps.coordinates],
        iterator_types=iterators,
        body=body,
        modes=[mode] * count,
        wrap_negative=[bounds.wrap_negative] * count,
        fill_values=[bounds.fill_value],
        unique="unique" in op.attributes,
        sorted="sorted" in op.attributes,
    )
    if mode in ("error", "clip"):
        # The error names the op that was written.
        new.attributes[ORIGIN] = ir.StringAttr.get(op.OPERATION_NAME)
    return _keep_checked(op, new).results


def _keep_checked(op: ir.OpView, new: ir.OpView) -> ir.OpView:
    """Sizes that were asserted for `op` are known to fit for the `new` op that it becomes."""
    if CHECKED in op.attributes:
        new.attributes[CHECKED] = ir.UnitAttr.get()
    return new


def generalize_gather(op: ir.OpView) -> Sequence[ir.Value]:
    """`gs.gather`, `gs.gather_elements` --> parallel gs.generic that yields its input."""
    return _gather_from(op, addressing(op))


def generalize_scatter(op: ir.OpView) -> Sequence[ir.Value]:
    """`gs.scatter` --> gs.generic, ordered over the index dims that are not batch dims."""
    return _scatter_into(
        op, addressing(op), set(range(batch_dims(op), op.operands[2].type.rank - 1))
    )


def generalize_scatter_elements(op: ir.OpView) -> Sequence[ir.Value]:
    """`gs.scatter_elements` --> gs.generic, ordered along `dim` only."""
    return _scatter_into(op, addressing(op), {op.attributes["dim"].value})


def generalize_strided_slice(op: ir.OpView) -> Sequence[ir.Value]:
    """`gs.strided_slice` --> parallel gs.generic without coordinates."""
    source, result = op.operands[0], op.results[0].type
    rank = result.rank
    offsets, sizes, strides = (
        list(op.attributes[name]) for name in ("offsets", "sizes", "strides")
    )
    plain = dims_from(0, rank)
    where = [
        plain[d] * strides[d] + (offsets[d] + (sizes[d] - 1 if strides[d] < 0 else 0))
        for d in range(rank)
    ]
    most = [1 + (size - 1) // abs(stride) for size, stride in zip(sizes, strides, strict=True)]
    out = empty_like(result, ir.AffineMap.get(rank, 0, plain), dict(enumerate(most)))
    new = generic(
        [source],
        [],
        [out],
        indexing_maps=[ir.AffineMap.get(rank, 0, exprs) for exprs in (where, plain)],
        coordinate_maps=[],
        iterator_types=["parallel"] * rank,
        body=lambda element, _current: element,
    )
    return _keep_checked(op, new).results


_GENERALIZERS: dict[str, Callable[[ir.OpView], Sequence[ir.Value]]] = {
    "gs.gather": generalize_gather,
    "gs.scatter": generalize_scatter,
    "gs.gather_elements": generalize_gather,
    "gs.scatter_elements": generalize_scatter_elements,
    "gs.strided_slice": generalize_strided_slice,
}
