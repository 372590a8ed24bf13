"""Constraints on the sizes of an op's operands, as comparisons of static or dynamic numbers."""

from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.dialect.base import NAMED, structure_of
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.named_maps import on_operands
from mlir_gs.dialect.sizes import addressed
from mlir_gs.dialect.structure import Access, Structure, dims_in
from mlir_gs.lowering.ir.builders import producer
from mlir_gs.lowering.sizes.fit import Fit, Side, compared, has
from mlir_gs.lowering.sizes.places import PLACES
from mlir_gs.lowering.sizes.size_forms import (
    element_form,
    elements_form,
    number,
    product_form,
    size_form,
    sizes_form,
)
from mlir_gs.lowering.sizes.structured import structured

Larger: TypeAlias = Literal["never", "windows", "always", "points"]


def fits_of(op: ir.Operation) -> Iterator[Fit]:
    """The constraints of `op` on the sizes of its operands that are not known to hold."""
    if op.name not in _UNVERIFIED and _is_static(op):
        return
    find = _FITS.get(op.name)
    if find is None:
        if op.name in NAMED:
            find = _named
        elif op.name.startswith("linalg."):
            find = structured
        elif op.name.startswith(_ELEMENTWISE):
            find = _elementwise
    if find is not None and not any(map(_is_unranked, op.operands)):
        yield from (fit for fit in find(op) if not fit.is_known)


def _is_unranked(value: ir.Value) -> bool:
    return isinstance(value.type, ir.ShapedType) and not value.type.has_rank


# Verifiers look at no place, or of a linalg.generic at those of its first and last point.
_UNVERIFIED = ("linalg.generic", *PLACES)

# Ops that take sizes from elements of a tensor.
_BY_ELEMENTS = (".reshape", ".real_dynamic_slice")


def _is_static(op: ir.Operation) -> bool:
    """Its types say all, and have been verified."""
    for operand in op.operands:
        type_ = operand.type
        if isinstance(type_, ir.IndexType) or op.name.endswith(_BY_ELEMENTS):
            return False
        if isinstance(type_, ir.ShapedType) and not (type_.has_rank and type_.has_static_shape):
            return False
    return True


def _named(op: ir.Operation) -> Iterator[Fit]:
    """The constraints that the maps of a named op state."""
    structure = on_operands(op.opview, structure_of(op))
    larger = "points" if getattr(NAMED[op.name], "LARGER", False) else "never"
    yield from structure_fits(structure, lambda access: access.name, larger)
    if not addressed(structure):
        return
    for access in (*structure.inputs, *structure.outputs):
        for position, expr in enumerate(access.map.results):
            is_unit = isinstance(expr, ir.AffineConstantExpr) and expr.value == 0
            if is_unit and access not in addressed(structure):
                yield has(Side(access.name, access.value, position), "1", number(1))


def structure_fits(
    structure: Structure, names: Callable[[Access], str], larger: Larger = "never"
) -> Iterator[Fit]:
    """The constraints on the operands of a named op, or of an op of a source language.

    The sizes that a dim addresses plainly are equal. What coordinates address may be larger:
    `always`, with `points` also smaller where nothing is addressed, or with `windows` in dims that
    coordinates do not depend on.
    """
    plain = [*structure.coordinates, *structure.inputs, *structure.outputs]
    # Without coordinates a gather reads at the begin of its source, a scatter writes there.
    written = [a for a in structure.outputs if producer(a.value, "tensor.empty") is None]
    through = addressed(structure) or written or [*structure.inputs]
    located = {d for a in structure.coordinates for e in a.map.results for d in dims_in(e)}
    first: dict[int, Side] = {}
    owners: dict[int, Access] = {}
    for access in [*(a for a in plain if a not in through), *through]:
        for position, expr in enumerate(access.map.results):
            side, dim = Side(names(access), access.value, position), plain_dim(expr)
            if dim in first:
                free = larger in ("always", "points") or (
                    larger == "windows" and dim not in located
                )
                relation = "sge" if access in through and free else "eq"
                # What fits an addressed operand is wrong, not that operand.
                sides = side, first[dim]
                if (
                    relation == "eq"
                    and access in through
                    and owners[dim] not in structure.coordinates
                ):
                    sides = first[dim], side
                fit = compared(sides[0], relation, sides[1])
                if relation == "sge" and larger == "points":
                    others = [met.form for other, met in first.items() if other != dim]
                    fit = fit._replace(nonempty=others)
                if not fit.is_known:
                    yield fit
            elif dim is not None:
                first[dim], owners[dim] = side, access


def _histogram(op: ir.Operation) -> Iterator[Fit]:
    updates, indices = op.operands
    for d in range(indices.type.rank - 1):
        yield compared(Side("updates", updates, d), "eq", Side("indices", indices, d))


def _strided_slice(op: ir.Operation) -> Iterator[Fit]:
    ends = zip(op.attributes["offsets"], op.attributes["sizes"], strict=True)
    for d, (offset, size) in enumerate(ends):
        side = Side("source", op.operands[0], d)
        yield has(side, f"{offset + size}, where its window ends", number(offset + size), "sge")


def _elementwise(op: ir.Operation) -> Iterator[Fit]:
    sides = [
        Side(f"operand #{n}", value, 0)
        for n, value in enumerate(op.operands)
        if isinstance(value.type, ir.RankedTensorType)
    ]
    for side in sides[1:]:
        for d in range(side.value.type.rank):
            yield compared(side._replace(position=d), "eq", sides[0]._replace(position=d))


def _cast(op: ir.Operation) -> Iterator[Fit]:
    given, made = op.operands[0], op.results[0].type
    if isinstance(given.type, ir.ShapedType) and given.type.has_rank and made.has_rank:
        for d, size in enumerate(made.shape):
            if size != DYNAMIC:
                yield has(Side("source", given, d), str(size), number(size))


def _copy(op: ir.Operation) -> Iterator[Fit]:
    source, target = op.operands[:2]
    for d in range(source.type.rank):
        yield compared(Side("source", source, d), "eq", Side("target", target, d))


_MOST = (1 << 62) - 1
"""More than any size, and what a product is held against exactly."""


def _expanded(op: ir.Operation) -> Iterator[Fit]:
    sizes = sizes_form(list(op.attributes["static_output_shape"]), list(op.operands)[1:])
    for d, group in enumerate(op.attributes["reassociation"]):
        places = [position.value for position in group]
        factors = [sizes[place] for place in places]
        product, bounds = number(1), []
        for place, factor in zip(places, factors, strict=True):
            bounds.append(Fit(f"size {place} of the result", factor, "sge", "0", number(0)))
            if product.constant is None and factor.constant is None:
                held = (number(0), "sle", "what 64 bits hold", number(_MOST), factors)
                bounds.append(Fit("the product of the sizes", *held, (product, factor)))
            product = product.times(factor)
        side = Side("src", op.operands[0], d)
        fit = has(side, f"the product of sizes {places} of the result", product)
        yield from () if fit.is_known else (*bounds, fit)


def _reshape(op: ir.Operation) -> Iterator[Fit]:
    source, shape = op.operands
    if isinstance(source.type, ir.RankedTensorType | ir.MemRefType):
        count = product_form(source, range(source.type.rank))
        wanted = "that of the shape"
        yield Fit("number of elements of 'source'", count, "eq", wanted, elements_form(shape))


def _concat(op: ir.Operation) -> Iterator[Fit]:
    name = {"tensor.concat": "dim", "tosa.concat": "axis"}.get(op.name, "dimension")
    yield from _alike(op, len(op.operands), op.attributes[name].value)


def _alike(op: ir.Operation, count: int, but: int = -1) -> Iterator[Fit]:
    """The first `count` operands have one shape, apart from dimension `but`."""
    first = op.operands[0]
    for n, value in enumerate(list(op.operands)[:count]):
        if not (isinstance(value.type, ir.RankedTensorType) and value.type.rank == first.type.rank):
            continue
        for d in set(range(value.type.rank)) - {but}:
            yield compared(Side(f"operand #{n}", value, d), "eq", Side("operand #0", first, d))


def _starts_and_limits(op: ir.Operation) -> Iterator[Fit]:
    source, starts, limits, strides = op.operands
    element = starts.type.element_type
    if isinstance(element, ir.IntegerType) and not element.is_signless:
        return
    for d in range(source.type.rank):
        start, limit = element_form(starts, d), element_form(limits, d)
        yield Fit(f"start {d}", start, "sge", "0", number(0))
        yield Fit(f"limit {d}", limit, "sge", "its start", start)
        wanted = "the size of the operand"
        yield Fit(f"limit {d}", limit, "sle", wanted, size_form(source, d))
        yield Fit(f"stride {d}", element_form(strides, d), "sge", "1", number(1))


_ELEMENTWISE = ("arith.", "math.", "complex.")
_FITS: dict[str, Callable[[ir.Operation], Iterator[Fit]]] = {
    "gs.histogram": _histogram,
    "gs.strided_slice": _strided_slice,
    **PLACES,
    "tensor.cast": _cast,
    "memref.cast": _cast,
    "memref.copy": _copy,
    "tensor.expand_shape": _expanded,
    "memref.expand_shape": _expanded,
    "tensor.reshape": _reshape,
    "memref.reshape": _reshape,
    "tensor.concat": _concat,
    "tosa.concat": _concat,
    "stablehlo.concatenate": _concat,
    "stablehlo.sort": lambda op: _alike(op, len(op.operands)),
    "stablehlo.reduce": lambda op: _alike(op, len(op.operands) // 2),
    "stablehlo.reduce_window": lambda op: _alike(op, len(op.operands) // 2),
    "stablehlo.real_dynamic_slice": _starts_and_limits,
}
CHECKED = "gs.sizes_checked"
"""On a named op, and on the `gs.generic` that it becomes: assertions before it hold its sizes."""
