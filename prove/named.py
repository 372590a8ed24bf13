"""The named ops by their own formulas, as `dialect/reference/named.py` has them.

They are not read through the maps of `dialect/named_maps.py`: so `gs-generalize` is compared with
something that it did not write.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import z3
from mlir_gs.prove import opaque
from mlir_gs.prove.generic import RunBlock, fill_term
from mlir_gs.prove.nest import Nest, Writes, new_current, results
from mlir_gs.prove.poison import blocks_may_be_poison
from mlir_gs.prove.regroup import may_regroup
from mlir_gs.prove.symbolic import stands_for
from mlir_gs.prove.terms import (
    Element,
    Item,
    as_number,
    clamped,
    comes_before,
    equal,
    every,
    inside,
    pick,
    some,
    term_of,
)
from mlir_gs.prove.values import Side, Tensor, Unsupported

Terms = tuple[z3.ArithRef, ...]


@dataclass(frozen=True)
class _Bounds:
    """The attributes of a named op."""

    mode: str
    wrap: bool
    fill: Any
    unique: bool
    sorted: bool

    @classmethod
    def of(cls, op: Any) -> "_Bounds":
        given = op.attributes
        mode = given["mode"].value if "mode" in given else "promise_in_bounds"
        fill = given.get("fill_value")
        flags = ("wrap_negative" in given, fill, "unique" in given, "sorted" in given)
        return cls(mode, *flags)


def _resolve(
    side: Side, bounds: _Bounds, raw: z3.ArithRef, size: z3.ArithRef
) -> tuple[z3.ArithRef, z3.BoolRef]:
    """The coordinate that is used, and whether there is one."""
    number = z3.If(raw < 0, raw + size, raw) if bounds.wrap else raw
    fits = z3.And(number >= 0, number < size)
    if bounds.mode == "clip":
        side.is_undefined(size == 0, "mode clip in a dimension of size 0")
        return clamped(number, z3.IntVal(0), size - 1), z3.BoolVal(True)
    if bounds.mode in ("fill", "drop"):
        return number, fits
    return number, z3.BoolVal(True)


class _Slices:
    """The slices of `addressed` at `indices`, I ++ [k]: for gs.gather and gs.scatter."""

    def __init__(self, side: Side, op: Any, addressed: Tensor, indices: Tensor, dims: list[int]):
        self.side, self.bounds = side, _Bounds.of(op)
        self.addressed, self.indices, self.dims = addressed, indices, dims
        self.batch = op.attributes["batch_dims"].value if "batch_dims" in op.attributes else 0
        self.leading = len(indices.shape) - 1
        self.rest = [d for d in range(self.batch, len(addressed.shape)) if d not in dims]
        for d in range(self.batch):
            side.is_undefined(addressed.shape[d] != indices.shape[d], "batch sizes that differ")
        self.index_shape = indices.shape[: self.leading]
        self.rest_shape = tuple(addressed.shape[d] for d in self.rest)
        self.shape = (*self.index_shape, *self.rest_shape)
        # With the addressed dims as 1.
        self.unit_shape = (
            *self.index_shape,
            *(
                z3.IntVal(1) if d in dims else addressed.shape[d]
                for d in range(self.batch, len(addressed.shape))
            ),
        )

    def slices_index(self, at: Terms, rank: int) -> Terms:
        """`at` in `shape` as an index in a tensor of `rank`, which may have the unit dims."""
        if rank == len(self.shape):
            return at
        rest = iter(at[self.leading :])
        kept = range(self.batch, len(self.addressed.shape))
        zero = z3.IntVal(0)
        return (*at[: self.leading], *(zero if d in self.dims else next(rest) for d in kept))

    def raw(self, i: Terms) -> list[z3.ArithRef]:
        return [as_number(term_of(self._index(i, k))) for k in range(len(self.dims))]

    def _index(self, i: Terms, k: int) -> Item:
        return self.indices.at((*i, z3.IntVal(k)))

    def place(self, at: Terms) -> tuple[Terms, z3.BoolRef]:
        """Where the point `at` of `shape` is in `addressed`; whether it is anywhere."""
        i, rest = at[: self.leading], iter(at[self.leading :])
        place: dict[int, z3.ArithRef] = dict(enumerate(i[: self.batch]))
        valid = []
        for d, raw in zip(self.dims, self.raw(i), strict=True):
            place[d], kept = _resolve(self.side, self.bounds, raw, self.addressed.shape[d])
            valid.append(kept)
        for d in self.rest:
            place[d] = next(rest)
        return tuple(place[d] for d in range(len(self.addressed.shape))), every(valid)

    def check(self) -> None:
        zeros = tuple(z3.IntVal(0) for _ in self.rest)

        def descends(i: Terms, j: Terms) -> z3.BoolRef:
            rows = [(*at[: self.batch], *self.raw(at)) for at in (i, j)]
            return z3.And(comes_before(i, j), comes_before(rows[1], rows[0]))

        _check(
            self.side, self.bounds, self.index_shape,
            lambda i: [self._index(i, k) for k in range(len(self.dims))],
            [self.addressed.shape[d] for d in self.dims],
            lambda i: self.place((*i, *zeros)), descends,
        )  # fmt: skip


def _check(
    side: Side,
    bounds: _Bounds,
    shape: Terms,
    items: Callable[[Terms], list[Item]],
    sizes: Sequence[z3.ArithRef],
    place: Callable[[Terms], tuple[Terms, z3.BoolRef]],
    descends: Callable[[Terms, Terms], z3.BoolRef],
) -> None:
    """Errors and promises of the coordinates `items` at each index of `shape`."""
    i, j = (side.new_indices(len(shape)) for _ in range(2))
    with side.under(i, inside(i, shape)):
        for item, size in zip(items(i), sizes, strict=True):
            raw = as_number(side.used(item, "a coordinate"))
            number = z3.If(raw < 0, raw + size, raw) if bounds.wrap else raw
            out = z3.Or(number < 0, number >= size)
            if bounds.mode in ("error", "promise_in_bounds"):
                why = f"a coordinate out of bounds under {bounds.mode}"
                side.may(bounds.mode != "error", out, why)
    with side.under([*i, *j], [*inside(i, shape), *inside(j, shape)]):
        if bounds.unique:
            with side.quiet():
                (a, valid), (b, other) = place(i), place(j)
            apart = some([x != y for x, y in zip(i, j, strict=True)])
            same = z3.And(apart, equal(a, b), valid, other)
            side.is_undefined(same, "repeated places under unique")
        if bounds.sorted:
            side.is_undefined(descends(i, j), "coordinates that descend under sorted")


def _gathered(source: Tensor, bounds: _Bounds, place: Terms, valid: z3.BoolRef) -> Item:
    element = source.at(place)
    if bounds.mode != "fill":
        return element
    return pick(valid, element, fill_term(bounds.fill, source.element))


def gather(side: Side, op: Any, values: dict[Any, Any], _: RunBlock) -> list[Tensor]:
    source, indices = (values[o] for o in op.operands)
    slices = _Slices(side, op, source, indices, list(op.attributes["gather_dims"]))
    type_ = op.results[0].type
    kept = type_.rank != len(slices.shape)
    slices.check()
    shape = side.typed(slices.unit_shape if kept else slices.shape, type_, "the result")
    # The dims of the result but the unit ones.
    wide = [*range(slices.leading), *(slices.leading + d - slices.batch for d in slices.rest)]

    def at(index: Terms) -> Item:
        place = slices.place(tuple(index[d] for d in wide) if kept else index)
        return _gathered(source, slices.bounds, *place)

    return [side.tensor(shape, source.element, at)]


def scatter(side: Side, op: Any, values: dict[Any, Any], run: RunBlock) -> list[Tensor]:
    updates, dest, indices = (values[o] for o in op.operands)
    slices = _Slices(side, op, dest, indices, list(op.attributes["scatter_dims"]))
    rank = len(updates.shape)
    wanted = slices.shape if rank == len(slices.shape) else slices.unit_shape
    side.is_undefined(z3.Not(equal(updates.shape, wanted)), "updates of another size")
    slices.check()
    at = side.new_indices(len(slices.shape))
    with side.under(at, inside(at, slices.shape)):
        place, valid = slices.place(at)
    update = updates.at(slices.slices_index(at, rank))
    alone = slices.bounds.unique
    return _written(side, op, dest, update, (at, slices.shape), place, valid, alone, run)


def _written(
    side: Side,
    op: Any,
    dest: Tensor,
    update: Item,
    box: tuple[Terms, Terms],
    place: Terms,
    valid: z3.BoolRef,
    alone: bool,
    run: RunBlock,
) -> list[Tensor]:
    """`dest` after each update is written or combined, in row-major order."""
    poisons = blocks_may_be_poison(op.regions, side.flags) or not z3.is_false(dest.poison)
    poisons = poisons or isinstance(update, Element)
    current, value, regroups = new_current(side, dest.element, poisons), update, False
    if len(op.regions) and len(op.regions[0].blocks):
        block = op.regions[0].blocks[0]
        with side.under(box[0], [*inside(*box), valid]):
            (value,) = run(block, [current, update])
        yielded = list(list(block.operations)[-1].operation.operands)
        regroups = may_regroup(yielded[0], block.arguments[0], ())
    writes = Writes(dest, current, place, valid, value, regroups)
    return results(side, Nest(*box, alone), [writes])


class _Elements:
    """Each element of `indices` addresses one of `addressed` along `dim`."""

    def __init__(self, side: Side, op: Any, addressed: Tensor, indices: Tensor):
        self.side, self.bounds = side, _Bounds.of(op)
        self.addressed, self.indices = addressed, indices
        self.dim = dim = op.attributes["dim"].value
        empty = some([n == 0 for n in indices.shape])
        for d, (n, most) in enumerate(zip(indices.shape, addressed.shape, strict=True)):
            if d != dim:
                side.is_undefined(z3.And(z3.Not(empty), n > most), "more indices than elements")

        def descends(at: Terms, other: Terms) -> z3.BoolRef:
            line = [x == y for d, (x, y) in enumerate(zip(at, other, strict=True)) if d != dim]
            first, second = (as_number(term_of(indices.at(i))) for i in (at, other))
            return z3.And(*line, at[dim] < other[dim], second < first)

        items = [lambda i: [indices.at(i)], [addressed.shape[dim]], self.place, descends]
        _check(side, self.bounds, indices.shape, *items)

    def place(self, at: Terms) -> tuple[Terms, z3.BoolRef]:
        raw = as_number(term_of(self.indices.at(at)))
        used, valid = _resolve(self.side, self.bounds, raw, self.addressed.shape[self.dim])
        return (*at[: self.dim], used, *at[self.dim + 1 :]), valid


def gather_elements(side: Side, op: Any, values: dict[Any, Any], _: RunBlock) -> list[Tensor]:
    source, indices = (values[o] for o in op.operands)
    elements = _Elements(side, op, source, indices)
    shape = side.typed(indices.shape, op.results[0].type, "the result")

    def at(i: Terms) -> Item:
        return _gathered(source, elements.bounds, *elements.place(i))

    return [side.tensor(shape, source.element, at)]


def scatter_elements(side: Side, op: Any, values: dict[Any, Any], run: RunBlock) -> list[Tensor]:
    updates, dest, indices = (values[o] for o in op.operands)
    side.is_undefined(z3.Not(equal(updates.shape, indices.shape)), "updates of another size")
    elements = _Elements(side, op, dest, indices)
    at = side.new_indices(len(indices.shape))
    with side.under(at, inside(at, indices.shape)):
        place, valid = elements.place(at)
    box = (at, indices.shape)
    alone = elements.bounds.unique
    return _written(side, op, dest, updates.at(at), box, place, valid, alone, run)


def strided_slice(side: Side, op: Any, values: dict[Any, Any], _: RunBlock) -> list[Tensor]:
    source = values[op.operands[0]]
    offsets, sizes, strides = (
        list(op.attributes[name]) for name in ("offsets", "sizes", "strides")
    )
    for d, size in enumerate(source.shape):
        end = stands_for(offsets[d]) + stands_for(sizes[d])
        side.is_undefined(size < end, "a window that leaves the source")
    type_ = op.results[0].type
    most = [1 + (n - 1) // abs(t) for n, t in zip(sizes, strides, strict=True)]
    shape = [
        stands_for(n if type_.is_dynamic_dim(d) else type_.shape[d]) for d, n in enumerate(most)
    ]

    def at(o: Sequence[z3.ArithRef]) -> Item:
        start = [
            stands_for(f) + stands_for(n) - 1 if t < 0 else stands_for(f)
            for f, n, t in zip(offsets, sizes, strides, strict=True)
        ]
        return source.at([f + t * i for f, t, i in zip(start, strides, o, strict=True)])

    return [side.tensor(shape, source.element, at)]


def histogram(side: Side, op: Any, values: dict[Any, Any], _: RunBlock) -> list[Tensor]:
    """The bins ascend and are distinct. What they hold is the same for the same op on the same
    operands, and that is all that is said of it."""
    updates, indices = (values[o] for o in op.operands)
    leading = len(indices.shape) - 1
    pairs = zip(updates.shape[:leading], indices.shape[:leading], strict=True)
    for n, m in pairs:
        side.is_undefined(n != m, "updates of another size")
    found = opaque.results(side, op)
    if found is None:
        raise Unsupported("'gs.histogram' of what is computed from the arguments")
    combined, bins = found
    i, j = side.new_indices(2)
    width = bins.shape[-1].as_long()
    rows = [[as_number(term_of(bins.at((n, z3.IntVal(k))))) for k in range(width)] for n in (i, j)]
    ascend = z3.Implies(z3.And(i >= 0, i < j, j < bins.shape[0]), comes_before(*rows))
    facts = [
        bins.shape[0] == combined.shape[0],
        z3.And(*(n == m for n, m in zip(combined.shape[1:], updates.shape[leading:], strict=True))),
        z3.ForAll([i, j], ascend),
    ]
    side.learn(facts)
    return [combined, bins]


NAMED = {
    "gs.histogram": histogram,
    "gs.gather": gather,
    "gs.scatter": scatter,
    "gs.gather_elements": gather_elements,
    "gs.scatter_elements": scatter_elements,
    "gs.strided_slice": strided_slice,
    # Upstream's, whose coordinates are in bounds.
    "tensor.gather": gather,
    "tensor.scatter": scatter,
}
