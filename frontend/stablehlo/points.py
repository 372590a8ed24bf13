"""Any `gs` op of one input and one output in StableHLO, by its maps: one gather of all points, or
one scatter. Dims that a window goes along are windows there; other places are computed.

Coordinates are brought within bounds before: StableHLO clamps whole windows, and knows no fill.
"""

from collections.abc import Sequence
from functools import reduce
from math import prod

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import Linear, linear, plain_dim
from mlir_gs.dialect.base import structure_of
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.structure import Access, Structure
from mlir_gs.frontend.stablehlo.combine import Combine
from mlir_gs.frontend.stablehlo.common import converted, coordinates, fill_combiner, stablehlo
from mlir_gs.frontend.stablehlo.constants import fill_attribute, sliced, splat
from mlir_gs.lowering.ir.builders import with_elements
from mlir_gs.lowering.passes.registry import fail

Dims = Sequence[int]


class Points:
    """One op, which stays; values are built before it."""

    def __init__(self, op: ir.Operation) -> None:
        found = Structure.of(op.opview) if op.name == "gs.generic" else structure_of(op)
        assert found is not None
        self.op, self.s = op, found
        if len(found.inputs) != 1 or len(found.outputs) != 1:
            self._refuse("it has several inputs or outputs, or no input")
        self.sizes = [found.static_extent(d) for d in range(found.rank)]
        shaped = [access.value.type for access in found.accesses]
        if DYNAMIC in self.sizes or not all(type_.has_static_shape for type_ in shaped):
            self._refuse("its sizes must be static")
        self.i64 = ir.IntegerType.get_signless(64)
        self.valid: dict[tuple[int, tuple[int, ...]], ir.Value] = {}

    def _refuse(self, why: str) -> None:
        fail(self.op, f"'{self.op.name}' op has no form in StableHLO: {why}")

    def result(self) -> ir.Value:
        (source,), (target,) = self.s.inputs, self.s.outputs
        combine, every = Combine(self.op), range(self.s.rank)
        element = source.value.type.element_type
        update = self._read(source, every)
        update = self._filled(update, source, self.s.fills[0], element)
        exprs, shape = list(target.map.results), list(target.value.type.shape)
        plain = [d for d in map(plain_dim, exprs) if d is not None]
        sizes = [1 if (d := plain_dim(e)) is None else self.sizes[d] for e in exprs]
        units = all(linear(e) == Linear() for e in exprs if plain_dim(e) is None)
        if combine.keeps_update and units and sizes == shape and sorted(plain) == list(every):
            return self._reshaped(self._transposed(update, plain), shape)
        if target.value in list(self.op.results):
            self._refuse("its result is not written in whole")
        return self._scattered(update, target, combine)

    def _form(self, access: Access, position: int) -> Linear:
        form = access.linear(position)
        if form is None or any(n != 1 for n in form.symbols.values()) or len(form.symbols) > 1:
            self._refuse("its maps are not sums of a coordinate and dims")
            raise AssertionError
        return form

    def _windows(self, access: Access, dims: Dims) -> dict[int, int]:
        """By position the dim of `dims` that a window goes along there."""
        forms = [self._form(access, p) for p in range(len(access.map.results))]
        seen = [d for form in forms for d in form.dims]
        seen += [d for form in forms for k in form.symbols for d in self.s.dims_of_symbol(k)]
        return {
            p: d
            for p, form in enumerate(forms)
            for d, n in form.dims.items()
            if len(form.dims) == 1 and n == 1 and seen.count(d) == 1 and d in dims
        }

    def _read(self, access: Access, dims: Dims) -> ir.Value:
        """What the access reads, over `dims`; anything where a coordinate is out of bounds."""
        source, windows = access.value, self._windows(access, dims)
        shape, element = [self.sizes[d] for d in dims], source.type.element_type
        if 0 in (*shape, *source.type.shape):
            return splat(fill_attribute(element, None), shape, element)
        forms = [self._form(access, p) for p in range(source.type.rank)]
        if all(form.is_constant or (p in windows and not form.symbols and not form.constant)
               for p, form in enumerate(forms)):  # fmt: skip
            return self._part(source, forms, windows, dims)
        points = [d for d in dims if d not in windows.values()]
        starts, places = self._starts(access, windows, points)
        sizes = [self.sizes[windows[p]] if p in windows else 1 for p in range(source.type.rank)]
        by_dims = numbers(
            "gather",
            offset_dims=range(len(points), len(dims)),
            collapsed_slice_dims=[p for p in range(len(sizes)) if p not in windows],
            start_index_map=places,
            index_vector_dim=len(points),
        )
        order = [*points, *windows.values()]
        type_ = ir.RankedTensorType.get([self.sizes[d] for d in order], element)
        found = stablehlo(
            "gather", type_, source, self._side_by_side(starts),
            dimension_numbers=by_dims, slice_sizes=ir.DenseI64ArrayAttr.get(sizes),
        )  # fmt: skip
        return self._transposed(found, [order.index(d) for d in dims])

    def _part(
        self, source: ir.Value, forms: Sequence[Linear], windows: dict[int, int], dims: Dims
    ) -> ir.Value:
        """A slice, over `dims`."""
        firsts = [form.constant for form in forms]
        lasts = [
            self.sizes[windows[p]] if p in windows else first + 1 for p, first in enumerate(firsts)
        ]
        if lasts != list(source.type.shape) or any(firsts):
            source = sliced(source, firsts, lasts, [1] * len(firsts))
        source = self._reshaped(source, [self.sizes[d] for d in windows.values()])
        if list(windows.values()) == list(dims):
            return source
        return self._broadcast(source, dims, list(windows.values()))

    def _starts(
        self, access: Access, windows: dict[int, int], points: Dims, far: bool = False
    ) -> tuple[list[ir.Value], list[int]]:
        """Where each point or window starts, over `points` and one more dim, by position. `far`:
        beyond the operand where a coordinate is out of bounds."""
        starts, places = [], []
        for p in range(len(access.map.results)):
            form = self._form(access, p)
            rest = {d: n for d, n in form.dims.items() if p not in windows}
            if p in windows and not form.symbols and not form.constant:
                continue
            terms = [self._scaled(d, n, points) for d, n in rest.items()]
            terms += [self._coordinate(k, points) for k in form.symbols]
            if form.constant or not terms:
                terms.append(self._full(form.constant, points))
            total = reduce(self._add, terms)
            for k in form.symbols:
                if far and self.s.modes[k] == "fill_or_drop":
                    beyond = self._full(access.value.type.shape[p], points)
                    inside = self.valid[k, tuple(points)]
                    total = stablehlo("select", total.type, inside, total, beyond)
            starts.append(self._reshaped(total, [*total.type.shape, 1]))
            places.append(p)
        return starts, places

    def _coordinate(self, k: int, points: Dims) -> ir.Value:
        """The coordinates of a symbol over `points`, in bounds where they are or are clipped."""
        access = self.s.coordinates[k]
        found = converted(coordinates(self._read(access, points)), self.i64)
        uses = self.s.uses(k)
        if self.s.wraps[k]:
            size = min(use.access.value.type.shape[use.position] for use in uses)
            moved = self._add(found, self._full(size, points))
            below = self._compare("LT", found, self._full(0, points))
            found = stablehlo("select", found.type, below, moved, found)
        mode = self.s.modes[k]
        if mode == "error":
            self._refuse("it must not be mode 'error'")
        if mode == "promise_in_bounds":
            return found
        ends = [(use, self._reach(use.form or Linear())) for use in uses]
        low = max(-least for _, (least, _) in ends)
        high = min(use.access.value.type.shape[use.position] - 1 - most for use, (_, most) in ends)
        bounds = [self._full(n, points) for n in (low, high)]
        if mode == "fill_or_drop":
            inside = [self._compare("GE", found, bounds[0]), self._compare("LE", found, bounds[1])]
            self.valid[k, tuple(points)] = stablehlo("and", inside[0].type, *inside)
        return stablehlo("clamp", found.type, bounds[0], found, bounds[1])

    def _reach(self, form: Linear) -> tuple[int, int]:
        ends = [sorted((0, n * max(self.sizes[d] - 1, 0))) for d, n in form.dims.items()]
        return form.constant + sum(a for a, _ in ends), form.constant + sum(b for _, b in ends)

    def _filled(
        self, found: ir.Value, access: Access, given: ir.Attribute | None, element: ir.Type
    ) -> ir.Value:
        """`found` over all dims, and the fill value where a coordinate is out of bounds."""
        symbols = {k for p in range(len(access.map.results)) for k in self._form(access, p).symbols}
        every = range(self.s.rank)
        for (k, points), inside in list(self.valid.items()):
            if k in symbols and self.s.modes[k] == "fill_or_drop":
                mask = self._broadcast(inside, every, points)
                fill = splat(fill_attribute(element, given), found.type.shape, element)
                found = stablehlo("select", found.type, mask, found, fill)
        return found

    def _scattered(self, update: ir.Value, target: Access, combine: Combine) -> ir.Value:
        dest, every = target.value, range(self.s.rank)
        if 0 in (*self.sizes, *dest.type.shape):
            return dest
        windows = self._windows(target, every)
        points = [d for d in every if d not in windows.values()]
        starts, places = self._starts(target, windows, points, far=True)
        if not starts:
            starts = [splat(self._number(0), [*[self.sizes[d] for d in points], 1], self.i64)]
            places = [0]
        by_dims = numbers(
            "scatter",
            update_window_dims=range(len(points), len(every)),
            inserted_window_dims=[p for p in range(dest.type.rank) if p not in windows],
            scatter_dims_to_operand_dims=places,
            index_vector_dim=len(points),
        )
        where, order = self._side_by_side(starts), [*points, *windows.values()]

        def scatter(into: ir.Value, updates: ir.Value, by: Combine | str) -> ir.Value:
            attributes = {
                "scatter_dimension_numbers": by_dims,
                "indices_are_sorted": ir.BoolAttr.get(False),
                "unique_indices": ir.BoolAttr.get(self.s.unique),
            }
            moved = self._transposed(updates, order)
            operands = [into, where, moved]
            made = ir.Operation.create(
                "stablehlo.scatter", [into.type], operands, attributes, regions=1
            )
            fill_combiner(made, into.type.element_type, by if isinstance(by, str) else by.emit)
            return made.result

        if not combine.keeps_update or self.s.unique:
            return scatter(dest, update, combine)
        # The last update stays: StableHLO takes them in any order, but finds the largest number.
        flat = self._reshaped(update, [prod(update.type.shape)])
        numbered = self._iota(0, flat.type.shape)
        none = splat(self._number(-1), dest.type.shape, self.i64)
        last = scatter(none, self._reshaped(numbered, update.type.shape), "maximum")
        rank = dest.type.rank
        taken = stablehlo(
            "gather", dest.type, flat, self._reshaped(last, [*dest.type.shape, 1]),
            dimension_numbers=numbers(
                "gather", collapsed_slice_dims=[0], start_index_map=[0], index_vector_dim=rank
            ),
            slice_sizes=ir.DenseI64ArrayAttr.get([1]),
        )  # fmt: skip
        is_new = self._compare("GE", last, splat(self._number(0), dest.type.shape, self.i64))
        return stablehlo("select", dest.type, is_new, taken, dest)

    def _side_by_side(self, starts: Sequence[ir.Value]) -> ir.Value:
        if len(starts) == 1:
            return starts[0]
        *shape, _ = starts[0].type.shape
        type_ = ir.RankedTensorType.get([*shape, len(starts)], self.i64)
        along = ir.IntegerAttr.get(self.i64, len(shape))
        return stablehlo("concatenate", type_, *starts, dimension=along)

    def _scaled(self, dim: int, factor: int, points: Dims) -> ir.Value:
        places = self._iota(list(points).index(dim), [self.sizes[d] for d in points])
        if factor == 1:
            return places
        return stablehlo("multiply", places.type, places, self._full(factor, points))

    def _iota(self, along: int, shape: Sequence[int]) -> ir.Value:
        type_ = ir.RankedTensorType.get(shape, self.i64)
        return stablehlo("iota", type_, iota_dimension=ir.IntegerAttr.get(self.i64, along))

    def _add(self, a: ir.Value, b: ir.Value) -> ir.Value:
        return stablehlo("add", a.type, a, b)

    def _compare(self, direction: str, a: ir.Value, b: ir.Value) -> ir.Value:
        attribute = ir.Attribute.parse(f"#stablehlo<comparison_direction {direction}>")
        type_ = with_elements(a.type, ir.IntegerType.get_signless(1))
        return stablehlo("compare", type_, a, b, comparison_direction=attribute)

    def _number(self, number: int) -> ir.Attribute:
        return ir.IntegerAttr.get(self.i64, number)

    def _full(self, number: int, points: Dims) -> ir.Value:
        return splat(self._number(number), [self.sizes[d] for d in points], self.i64)

    def _broadcast(self, value: ir.Value, dims: Dims, own: Dims) -> ir.Value:
        """`value` over the dims `own`, over all of `dims`."""
        shape = [self.sizes[d] for d in dims]
        type_ = ir.RankedTensorType.get(shape, value.type.element_type)
        places = ir.DenseI64ArrayAttr.get([list(dims).index(d) for d in own])
        return stablehlo("broadcast_in_dim", type_, value, broadcast_dimensions=places)

    def _transposed(self, value: ir.Value, order: Sequence[int]) -> ir.Value:
        if list(order) == list(range(value.type.rank)):
            return value
        shape = [value.type.shape[d] for d in order]
        type_ = ir.RankedTensorType.get(shape, value.type.element_type)
        return stablehlo(
            "transpose", type_, value, permutation=ir.DenseI64ArrayAttr.get(list(order))
        )

    def _reshaped(self, value: ir.Value, shape: Sequence[int]) -> ir.Value:
        if list(shape) == list(value.type.shape):
            return value
        type_ = ir.RankedTensorType.get(list(shape), value.type.element_type)
        return stablehlo("reshape", type_, value)


def numbers(kind: str, index_vector_dim: int, **dims: Sequence[int]) -> ir.Attribute:
    """The dimension numbers of a gather or scatter."""
    lists = [f"{name} = [{', '.join(map(str, d))}]" for name, d in dims.items() if len(d)]
    inner = ", ".join([*lists, f"index_vector_dim = {index_vector_dim}"])
    return ir.Attribute.parse(f"#stablehlo.{kind}<{inner}>")
