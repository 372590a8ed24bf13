"""`gs.generic`: what `dialect/generic.py` says of it, as terms."""

from collections.abc import Callable, Sequence
from typing import Any

import z3
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim, symbols_of
from mlir_gs.dialect.reference.coordinates import default_fill
from mlir_gs.dialect.reference.types import dtype_of
from mlir_gs.dialect.structure import Access, Structure
from mlir_gs.prove.nest import Nest, Writes, new_current, results
from mlir_gs.prove.poison import Flags, blocks_may_be_poison
from mlir_gs.prove.regroup import may_regroup
from mlir_gs.prove.scalars import attribute_literal, literal
from mlir_gs.prove.symbolic import stands_for
from mlir_gs.prove.terms import (
    Element,
    Item,
    as_number,
    bounds_of,
    clamped,
    comes_before,
    equal,
    every,
    inside,
    is_bool,
    is_integer,
    least_of,
    pick,
    some,
    term_of,
)
from mlir_gs.prove.values import Side, Tensor

# Runs a block on its arguments and gives what it yields.
RunBlock = Callable[..., list[z3.ExprRef]]
Terms = Sequence[z3.ArithRef]


def affine_term(expr: ir.AffineExpr, dims: Terms, symbols: Terms) -> z3.ArithRef:
    """The number that an affine expression gives."""
    if isinstance(expr, ir.AffineConstantExpr):
        return stands_for(expr.value)
    if isinstance(expr, ir.AffineDimExpr):
        return dims[expr.position]
    if isinstance(expr, ir.AffineSymbolExpr):
        return symbols[expr.position]
    lhs, rhs = (affine_term(e, dims, symbols) for e in (expr.lhs, expr.rhs))
    if isinstance(expr, ir.AffineAddExpr):
        return lhs + rhs
    if isinstance(expr, ir.AffineMulExpr):
        return lhs * rhs
    if isinstance(expr, ir.AffineModExpr):
        return lhs % rhs
    return -((-lhs) / rhs) if isinstance(expr, ir.AffineCeilDivExpr) else lhs / rhs


def fill_term(given: Any, element: ir.Type) -> z3.ExprRef:
    """What a read out of bounds gives: `given`, or the default of the type."""
    if given is not None and not isinstance(given, ir.UnitAttr):
        return attribute_literal(given, element)
    if is_bool(element):
        return z3.BoolVal(True)
    if is_integer(element):
        least, most = bounds_of(element)
        return z3.IntVal(least if least < 0 else most)
    return literal(default_fill(dtype_of(element)), element)


class _Symbols:
    """The coordinates of an op at the point `dims`: as used, and whether there is one."""

    def __init__(
        self, side: Side, s: Structure, tensors: dict[Any, Tensor], dims: Terms, extents: Terms
    ) -> None:
        self.side, self.s, self.tensors = side, s, tensors
        self.dims, self.extents = dims, extents
        self.raw: list[z3.ArithRef] = []
        self.used: list[z3.ArithRef] = []
        self.valid: list[z3.BoolRef] = []
        self.bad: list[z3.BoolRef] = []
        self.loaded: list[z3.BoolRef] = []
        for k in range(len(s.coordinates)):
            self._load(k)

    def place(self, access: Access) -> tuple[z3.ArithRef, ...]:
        return tuple(affine_term(e, self.dims, self.used) for e in access.map.results)

    def valid_for(self, access: Access) -> z3.BoolRef:
        """No symbol of the access is filled or dropped."""
        return every([self.valid[k] for k in _used(access)])

    def _uses(self, k: int) -> list[tuple[Any, Any, z3.ArithRef]]:
        """(expr, what it adds to the symbol or None, size) of each use."""
        uses = self.s.uses(k)
        return [
            (u.access.map.results[u.position], u.form, self._shape(u.access)[u.position])
            for u in uses
        ]

    def _shape(self, access: Access) -> tuple[z3.ArithRef, ...]:
        return self.tensors[access.value].shape

    def reach(self, form: Any) -> tuple[z3.ArithRef, z3.ArithRef]:
        """The least and the greatest value of a linear form over the box, where it has points."""
        low = high = stands_for(form.constant)
        for d, factor in form.dims.items():
            end = factor * (self.extents[d] - 1)
            low, high = (low + end, high) if factor < 0 else (low, high + end)
        return z3.simplify(low), z3.simplify(high)

    def _load(self, k: int) -> None:
        access = self.s.coordinates[k]
        operand = self.tensors[access.value]
        loaded = self.valid_for(access)
        read = operand.at(self.place(access))
        raw = as_number(term_of(read))
        if isinstance(read, Element):
            self._undefined(z3.And(loaded, read.poison), "a coordinate that is poison")
        uses = self._uses(k)
        number = raw
        if self.s.wraps[k]:
            number = z3.If(raw < 0, raw + least_of([size for *_, size in uses]), raw)
        bad, lower, upper = [], [], []
        for expr, form, size in uses:
            if form is None:
                # Some point of the box; which one is nobody's choice.
                others = self.side.new_indices(len(self.dims), "o")
                at = affine_term(expr, others, [number] * len(self.s.coordinates))
                out = z3.And(*inside(others, self.extents), z3.Or(at < 0, at >= size))
                bad.append(z3.Exists(list(others), out))
                continue
            low, high = self.reach(form)
            some_point = every([self.extents[d] > 0 for d in form.dims])
            bad.append(z3.And(some_point, z3.Or(number + low < 0, number + high >= size)))
            lower.append(-low)
            upper.append(size - 1 - high)
        outside = some(bad)
        used, mode = number, self.s.modes[k]
        if mode == "clip":
            greatest = z3.simplify(-least_of([-n for n in lower]))
            used = clamped(number, greatest, least_of(upper))
        self.raw.append(raw)
        self.bad.append(z3.And(loaded, outside))
        self.loaded.append(loaded)
        self.used.append(used)
        kept = mode == "fill_or_drop"
        self.valid.append(z3.And(loaded, z3.Not(outside)) if kept else loaded)
        if mode == "clip":
            room = some([z3.Or(used + self.reach(f)[0] < 0, used + self.reach(f)[1] >= n)
                         for _, f, n in uses])  # fmt: skip
            self._undefined(z3.And(loaded, room), "mode clip where the window does not fit")
        elif mode in ("promise_in_bounds", "error"):
            self._checked(k, mode)

    def _undefined(self, condition: z3.BoolRef, why: str) -> None:
        with self.side.under(self.dims, inside(self.dims, self.extents)):
            self.side.is_undefined(condition, why)

    def _checked(self, k: int, mode: str) -> None:
        """All coordinates that the map reaches are looked at, whatever the other dims are."""
        own = sorted(self.s.dims_of_symbol(k))
        dims = [self.dims[d] for d in own]
        with self.side.under(dims, inside(dims, [self.extents[d] for d in own])):
            why = f"a coordinate s{k} out of bounds under {mode}"
            self.side.may(mode != "error", self.bad[k], why)


def by_nest(nest: Callable[..., tuple[Nest, list[Writes]]]) -> Callable[..., list[Tensor]]:
    """What gives the results on tensors of an op that is the loops of `nest`."""
    return lambda side, op, values, run: results(side, *nest(side, op, values, run))


def nest_of(
    side: Side, op: Any, values: dict[Any, Any], run: RunBlock
) -> tuple[Nest, list[Writes]]:
    """The loops of a `gs.generic` on tensors, and what they write."""
    s = Structure.of(op.opview)
    tensors = {access.value: values[access.value] for access in s.accesses}
    dims = side.new_indices(s.rank)
    extents = tuple(
        least_of([tensors[e.access.value].shape[e.position] for e in extents])
        for extents in s.extents
    )
    box = inside(dims, extents)
    symbols = _Symbols(side, s, tensors, dims, extents)
    with side.under(dims, box):
        _stays_inside(side, s, symbols, tensors)
        elements = [
            _read(tensors[access.value], symbols, access, fill)
            for access, fill in zip(s.inputs, s.fills, strict=True)
        ]
        outputs = [tensors[access.value] for access in s.outputs]
        poisons = may_hold_poison(op, elements, outputs, side.flags)
        currents = [new_current(side, output.element, poisons) for output in outputs]
        # Where nothing is written, the body does not run.
        with side.under((), [some([symbols.valid_for(access) for access in s.outputs])]):
            yielded = run(op.regions[0].blocks[0], [*elements, *currents])
    _promises(side, s, symbols, _coordinate_box(s, dims, extents))
    alone = s.unique and set(s.iterators) <= {"parallel"}
    regroups = regrouped(op.regions[0].blocks[0], len(s.inputs))
    writes = [
        Writes(
            tensors[access.value], current, symbols.place(access), symbols.valid_for(access),
            value, regroup,
        )
        for access, current, value, regroup in zip(
            s.outputs, currents, yielded, regroups, strict=True
        )
    ]  # fmt: skip
    return Nest(dims, extents, alone), writes


def may_hold_poison(
    op: Any, elements: Sequence[Item], outputs: Sequence[Tensor], flags: Flags
) -> bool:
    """An output may hold poison, before or after: one of `elements` or the body makes it."""
    held = any(not z3.is_false(output.poison) for output in outputs)
    given = any(isinstance(each, Element) for each in elements)
    return held or given or blocks_may_be_poison(op.regions, flags)


def _read(tensor: Tensor, symbols: _Symbols, access: Access, fill: Any) -> Item:
    element = tensor.at(symbols.place(access))
    valid = z3.simplify(symbols.valid_for(access))
    return element if z3.is_true(valid) else pick(valid, element, fill_term(fill, tensor.element))


def _stays_inside(side: Side, s: Structure, symbols: _Symbols, tensors: dict[Any, Tensor]) -> None:
    """Results without symbols stay in their operand, as plain dims do by their extents."""
    for access in s.accesses:
        place = symbols.place(access)
        for expr, at, size in zip(
            access.map.results, place, tensors[access.value].shape, strict=True
        ):
            if plain_dim(expr) is None and not symbols_of(expr):
                side.is_undefined(z3.Or(at < 0, at >= size), f"{access.name} is left")


def _coordinate_box(s: Structure, dims: Terms, extents: Terms) -> list[z3.BoolRef]:
    """The box in the dims that coordinates hang on, as if it were not empty in the others: promises
    are about coordinates, also where there is nothing to address."""
    own = {d for k in range(len(s.coordinates)) for d in s.dims_of_symbol(k)}
    one = z3.IntVal(1)
    sizes = [n if d in own else z3.If(n < 1, one, n) for d, n in enumerate(extents)]
    return inside(dims, sizes)


def _promises(side: Side, s: Structure, symbols: _Symbols, box: list[z3.BoolRef]) -> None:
    """`unique` and `sorted`: of two points, `dims` and others."""
    dims = symbols.dims
    others = side.new_indices(len(dims))
    swap = list(zip(dims, others, strict=True))

    def moved(term: z3.ExprRef) -> z3.ExprRef:
        return z3.substitute(term, *swap)

    both = [*box, *map(moved, box)]
    with side.under([*dims, *others], both):
        parallel = [d for d, kind in enumerate(s.iterators) if kind == "parallel"]
        for access in s.outputs if s.unique else ():
            place, valid = symbols.place(access), symbols.valid_for(access)
            apart = some([dims[d] != others[d] for d in parallel])
            same = equal(place, [moved(p) for p in place])
            side.is_undefined(
                z3.And(apart, valid, moved(valid), same), "an element written twice under unique"
            )
        through = [[a for a in group if _used(a)] for group in (s.outputs, s.inputs)]
        for access in (through[0] or through[1]) if s.sorted else ():
            plain = [d for d in map(plain_dim, access.map.results) if d is not None]
            row = [symbols.raw[k] for k in _used(access)]
            loaded = every([symbols.loaded[k] for k in _used(access)])
            descends = z3.And(
                comes_before(dims, others),
                equal([dims[d] for d in plain], [others[d] for d in plain]),
                loaded, moved(loaded),
                comes_before([moved(c) for c in row], row),
            )  # fmt: skip
            side.is_undefined(descends, "coordinates that descend under sorted")


def _used(access: Access) -> list[int]:
    return sorted({k for expr in access.map.results for k in symbols_of(expr)})


def regrouped(block: Any, inputs: int) -> list[bool]:
    """For each value that is yielded: it combines the current element by an op that may be
    grouped in any way, with something that does not hang on it."""
    arguments = list(block.arguments)
    yielded = list(list(block.operations)[-1].operation.operands)
    return [
        may_regroup(value, arguments[inputs + k], arguments[inputs:])
        for k, value in enumerate(yielded)
    ]
