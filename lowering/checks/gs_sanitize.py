"""`gs-sanitize`: run-time checks of promises."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim, symbols_of
from mlir_gs.dialect.base import NAMED, structure_of
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.named_maps import on_operands
from mlir_gs.dialect.sizes import extents
from mlir_gs.dialect.structure import Access, Structure
from mlir_gs.dialect.yield_ import YieldOp
from mlir_gs.lowering.checks.bounds import check_symbol
from mlir_gs.lowering.checks.order import check_sorted
from mlir_gs.lowering.checks.overlap import check_overlap
from mlir_gs.lowering.checks.sites import Sites, one
from mlir_gs.lowering.checks.unique import check_unique
from mlir_gs.lowering.ir.builders import walk, walk_named
from mlir_gs.lowering.ir.emit import Ix, all_at_least, compare, size_of, value, when
from mlir_gs.lowering.ir.reach import reach
from mlir_gs.lowering.op.coordinates import Coordinates
from mlir_gs.lowering.op.extents import extents_of
from mlir_gs.lowering.passes.diagnostics import location_text
from mlir_gs.lowering.passes.registry import fail, register_pass
from mlir_gs.lowering.sizes.gs_check_sizes import check_sizes


@register_pass
@dataclass(frozen=True)
class GsSanitize:
    """Check every promise at run time, before the op that makes it writes anything.

    It checks:

    - coordinates under promise_in_bounds, with the whole window they address, and that clip has a
      position to clip to;
    - windows and slices without coordinates;
    - `unique` and `sorted`;
    - sizes, as gs-check-sizes does, also of slices in loops, and the indices of single elements
      that tensor and memref read or write, except in functions that are `no_inline`;
    - on memrefs, that an output shares no element with another operand, unless that is an input
      which is read where it is written.

    A broken promise is an error of the call, as under mode error. It names the place and the op,
    the coordinates and their position, for `unique` both positions. Ops stay as they are: run it
    before passes that rely on promises. It refuses an op of `gs` that it does not know.
    """

    name: ClassVar[str] = "gs-sanitize"

    def run(self, module: ir.Operation) -> None:
        for view in module.regions[0].blocks[0].operations:
            # An error leaves no function that may not be inlined, as loops on threads are.
            if "no_inline" not in view.operation.attributes:
                check_sizes(walk(view.operation), everywhere=True)
        sites = Sites(module)
        # Who frees by hand runs no pass that would free the tables.
        frees = bool(walk_named(module, "memref.dealloc"))
        for op in walk(module):
            is_known = op.name.startswith("gs.") or op.name in NAMED
            if not is_known or op.name == YieldOp.OPERATION_NAME:
                continue
            with op.location, ir.InsertionPoint(op):
                if op.name == "gs.generic":
                    _check_generic(op, sites, frees)
                elif op.name == "gs.histogram":
                    _check_histogram(op, sites)
                elif op.name in NAMED:
                    _check_named(op, sites, frees)
                else:
                    fail(op, f"'{op.name}' op: gs-sanitize does not know what it promises")
        sites.write()


def _check_generic(op: ir.Operation, sites: Sites, frees: bool) -> None:
    structure = Structure.of(op.opview)
    extents = extents_of(structure)

    def check() -> None:
        check_overlap(op, structure, sites, frees)
        _check(op, structure, extents, sites, frees)

    # Without points there is nothing to promise.
    _if_nonempty(extents, check)


def _check_named(op: ir.Operation, sites: Sites, frees: bool) -> None:
    whole = structure_of(op)
    structure = on_operands(op.opview, whole)
    known = extents(op) | _static_sizes(whole)
    _check(op, structure, known | extents_of(structure), sites, frees)


def _static_sizes(structure: Structure) -> dict[int, int]:
    """The iteration dims whose sizes the type of an output says."""
    return {
        dim: size
        for access in structure.outputs
        for size, expr in zip(access.value.type.shape, access.map.results, strict=True)
        if (dim := plain_dim(expr)) is not None and size != DYNAMIC
    }


def _check(
    op: ir.Operation,
    structure: Structure,
    extents: Mapping[int, Ix],
    sites: Sites,
    frees: bool,
) -> None:
    modes = tuple("error" if mode == "promise_in_bounds" else mode for mode in structure.modes)
    checked = replace(structure, modes=modes)
    _check_addresses(op, checked, extents, sites)
    coordinates = Coordinates(checked, extents)
    for symbol, mode in enumerate(modes):
        if checked.uses(symbol) and mode == "error":
            check_symbol(op, coordinates, sites, symbol)
        elif checked.uses(symbol) and mode == "clip":
            _check_clip(op, coordinates, sites, symbol)
    for access in _promising(structure):
        if structure.sorted:
            check_sorted(op, coordinates, access, sites)
        if structure.unique and (access in structure.outputs or op.name != "gs.generic"):
            check_unique(op, coordinates, access, sites, frees)


def _promising(structure: Structure) -> Iterator[Access]:
    """The operands whose addresses `unique` and `sorted` speak of: those that are written through
    coordinates or, if there is none, those that are read so."""
    for accesses in (structure.outputs, structure.inputs):
        found = [
            access
            for access in accesses
            if any(symbols_of(expr) for expr in access.map.results)
            or (structure.unique and accesses is structure.outputs and _merges(structure, access))
        ]
        yield from found
        if found:
            return


def _merges(structure: Structure, access: Access) -> bool:
    """A parallel dim is no plain result of the map."""
    plain = {plain_dim(expr) for expr in access.map.results}
    return any(k == "parallel" and dim not in plain for dim, k in enumerate(structure.iterators))


def _if_nonempty(extents: Mapping[int, Ix], body: Callable[[], None]) -> None:
    """`body()` where no extent is 0."""
    met = all_at_least([(extent, 1) for extent in extents.values()])
    if met is not False:
        when(None if met is True else met, body)


def _check_addresses(
    op: ir.Operation, structure: Structure, extents: Mapping[int, Ix], sites: Sites
) -> None:
    """What is addressed by dims alone, but not by one plainly, is within the operand."""

    def check() -> None:
        for access in structure.accesses:
            for position, expr in enumerate(access.map.results):
                if plain_dim(expr) is None and not symbols_of(expr):
                    _check_address(op, access, position, extents, sites)

    _if_nonempty(extents, check)


def _check_address(
    op: ir.Operation, access: Access, position: int, extents: Mapping[int, Ix], sites: Sites
) -> None:
    low, high = reach(access.map.results[position], extents)
    size = size_of(access.value, position)
    ends = [(low, "slt", 0), (high, "sge", size)]
    for end, predicate, limit in ends:
        if isinstance(end, int) and isinstance(limit, int):
            if not (end < limit if predicate == "slt" else end >= limit):
                continue
            outside = None
        else:
            outside = compare(predicate, end, limit)
        site = sites.add(
            f"{location_text(op.location)}: '{op.name}' op, dimension {position} of '{access.name}'"
        )
        numbers = [one(value(end)), one(value(size))]
        when(outside, lambda s=site, n=numbers: sites.raise_broken("address", s, n))


def _check_clip(op: ir.Operation, coordinates: Coordinates, sites: Sites, symbol: int) -> None:
    lower, upper = coordinates.bounds[symbol]
    if isinstance(lower, int) and isinstance(upper, int) and lower <= upper:
        return
    use = coordinates.structure.uses(symbol)[0]
    site = sites.add(
        f"{location_text(op.location)}: '{op.name}' op, dimension {use.position} of "
        f"'{use.access.name}'"
    )
    size = value(size_of(use.access.value, use.position))
    _if_nonempty(
        coordinates.extents,
        lambda: when(
            compare("slt", upper, lower), lambda: sites.raise_broken("clip", site, [one(size)])
        ),
    )


def _check_histogram(op: ir.Operation, sites: Sites) -> None:
    """The coordinates of a histogram address nothing; they may be promised to be sorted."""
    if "sorted" not in op.attributes:
        return
    indices = op.operands[1]
    leading, count = indices.type.rank - 1, indices.type.shape[indices.type.rank - 1]
    dims = [ir.AffineDimExpr.get(d) for d in range(leading)]
    columns = [ir.AffineConstantExpr.get(k) for k in range(count)]
    coordinates = [
        Access("indices #0", indices, ir.AffineMap.get(leading, count, [*dims, column]))
        for column in columns
    ]
    structure = Structure(
        (), tuple(coordinates), (), ("parallel",) * leading, ("promise_in_bounds",) * count,
        (False,) * count, (), unique=False, sorted=True,
    )  # fmt: skip
    symbols = [ir.AffineSymbolExpr.get(k) for k in range(count)]
    bins = Access("bins", indices, ir.AffineMap.get(leading, count, symbols))
    check_sorted(op, Coordinates(structure, extents_of(structure)), bins, sites)
