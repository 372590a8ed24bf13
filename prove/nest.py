"""Loop nests that write: what their outputs hold afterwards.

A point of the iteration space writes at most one element of an output. For one element p the
writes to it are those of the points that `hit` p, in row-major order: its value is a fold over
them. Dims that the output map names plainly are fixed by p, so only the others are folded over.
Without others, at most one point hits p and the value is a term. With others it is a function of
p, of which only this is known: without hits it is the initial element; and where the last hit
alone counts, or there is one at most, it is what that one writes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import z3
from mlir_gs.dialect._bindings import ir
from mlir_gs.prove.terms import (
    Element,
    Item,
    comes_before,
    equal,
    every,
    in_range,
    inside,
    occurs,
    pick,
    poison_of,
    sort_of,
    term_of,
)
from mlir_gs.prove.values import Index, Side, Tensor, Unsupported

Pairs = list[tuple[z3.ExprRef, z3.ExprRef]]


@dataclass(frozen=True)
class Writes:
    """What a nest does to one output: `place` and `value` are terms over the points and currents.

    Nothing is written where `valid` does not hold. `current` stands for the element before.
    """

    output: Tensor
    current: Item
    place: tuple[z3.ArithRef, ...]
    valid: z3.BoolRef
    value: Item
    regrouped: bool

    def reads(self, other: "Writes") -> bool:
        """What is written hangs on the current element of `other`."""
        return occurs(_parts(other.current), [*_parts(self.value), self.valid, *self.place])


def _parts(item: Item) -> list[z3.ExprRef]:
    return [*item] if isinstance(item, Element) else [item]


@dataclass(frozen=True)
class Fold:
    """Elements that several points may write: `functions` of `point`, one per output.

    A point is the step of the loops around the op and an index; `where` says at which the op runs.
    """

    functions: tuple[z3.FuncDeclRef, ...]
    point: tuple[z3.ArithRef, ...]
    where: z3.BoolRef
    # The dims that are folded over, in their order, and their extents.
    dims: tuple[z3.ArithRef, ...]
    extents: tuple[z3.ArithRef, ...]
    hit: z3.BoolRef
    currents: tuple[z3.ExprRef, ...]
    values: tuple[z3.ExprRef, ...]
    initial: tuple[z3.ExprRef, ...]
    # The last hit alone counts; one hit at most; hits may come in any order.
    overwrites: bool
    single: bool
    regrouped: bool
    # That each current is an element of its type.
    ranges: tuple[z3.BoolRef, ...]
    # Of `dims`, those that go from tile to tile, with the size of a tile.
    tiles: tuple[tuple[z3.ArithRef, int], ...]
    # How many facts are known that do not come from this fold or later ops.
    facts: int

    def at(self, point: Index) -> "Fold":
        """The fold at another name of the point."""
        swap = list(zip(self.point, point, strict=True))

        def moved(terms: Sequence[z3.ExprRef]) -> tuple[z3.ExprRef, ...]:
            return tuple(z3.substitute(term, *swap) for term in terms)

        hit, where = moved([self.hit, self.where])
        values, initial = moved(self.values), moved(self.initial)
        return replace(
            self, point=tuple(point), where=where, hit=hit, values=values, initial=initial
        )


@dataclass(frozen=True)
class Nest:
    """The iteration space; `alone`: no two points write the same element, whatever they are."""

    dims: tuple[z3.ArithRef, ...]
    extents: tuple[z3.ArithRef, ...]
    alone: bool = False
    # Dims that go from tile to tile, with the size of a tile.
    tiles: tuple[tuple[z3.ArithRef, int], ...] = ()
    # Dims whose steps run in any order, so that no element may be written in two of them.
    in_parallel: tuple[z3.ArithRef, ...] = ()

    @property
    def box(self) -> list[z3.BoolRef]:
        return inside(self.dims, self.extents)


def results(side: Side, nest: Nest, writes: Sequence[Writes]) -> list[Tensor]:
    """The outputs after the nest."""
    groups: list[list[Writes]] = []
    for each in writes:
        others = [w for w in writes if w is not each]
        if any(each.reads(w) or w.reads(each) for w in others):
            groups = [list(writes)]
            break
        groups.append([each])
    return [tensor for group in groups for tensor in _group(side, nest, group)]


def _group(side: Side, nest: Nest, writes: list[Writes]) -> list[Tensor]:
    currents = [part for each in writes for part in _parts(each.current)]
    if any(occurs(currents, each.place) for each in writes):
        raise Unsupported("places that hang on what is written")
    if any(occurs(currents, [each.valid]) for each in writes):
        # Whether an element is written hangs on the element: it is written back.
        writes = [
            replace(each, valid=z3.BoolVal(True), value=pick(each.valid, each.value, each.current))
            for each in writes
        ]
    first = writes[0]
    for each in writes[1:]:
        if not (equal_terms(each.place, first.place) and each.valid.eq(first.valid)):
            raise Unsupported("outputs that depend on each other and are written at other places")
    shape = first.output.shape
    point = side.new_indices(len(shape), "p")
    fixed: Pairs = []
    rest: list[z3.BoolRef] = []
    for expr, p in zip(first.place, point, strict=True):
        known = [dim for dim, _ in fixed]
        if any(expr.eq(dim) for dim in nest.dims) and not any(expr.eq(dim) for dim in known):
            fixed.append((expr, p))
            continue
        rest.append(expr == p)
        fixed += _solved(z3.substitute(expr, *fixed), p, nest, known)
    for dim in nest.in_parallel:
        if not any(dim.eq(known) for known, _ in fixed):
            raise Unsupported("tiles in parallel that may write the same element")
    hit = z3.simplify(z3.substitute(every([*nest.box, first.valid, *rest]), *fixed))
    values = [
        z3.substitute(part, *fixed)
        for each in writes
        for part in _parts_like(each.value, each.current)
    ]
    initial = [part for each in writes for part in _parts_like(each.output.at(point), each.current)]
    left = [
        (dim, extent)
        for dim, extent in zip(nest.dims, nest.extents, strict=True)
        if not any(dim.eq(known) for known, _ in fixed)
    ]
    if not left:
        starts = list(zip(currents, initial, strict=True))
        terms = [
            z3.If(hit, z3.substitute(value, *starts), start)
            for value, start in zip(values, initial, strict=True)
        ]
    else:
        dims, extents = zip(*left, strict=True)
        fold = _fold(side, nest, writes, (point, shape), (dims, extents), hit, values, initial)
        terms = [each(*fold.point) for each in fold.functions]
    found = iter(terms)
    return [
        Tensor(shape, each.output.element, point, *(next(found) for _ in _parts(each.current)))
        for each in writes
    ]


def _parts_like(item: Item, other: Item) -> list[z3.ExprRef]:
    """The parts of `item`, as many as `other` has."""
    return [term_of(item), poison_of(item)][: len(_parts(other))]


def _solved(expr: z3.ArithRef, p: z3.ArithRef, nest: Nest, known: Sequence[z3.ArithRef]) -> Pairs:
    """What dims are where `expr` is `p`, if it can be that.

    `expr` has to be linear in one dim that is not known, or in a tile and a place in that tile.
    """
    found = [d for d in nest.dims if occurs([d], [expr]) and not any(d.eq(each) for each in known)]
    if not 1 <= len(found) <= 2:
        return []
    least = z3.substitute(expr, *((dim, z3.IntVal(0)) for dim in found))
    factors = []
    for dim in found:
        others = [(each, z3.IntVal(0)) for each in found if not each.eq(dim)]
        one = z3.substitute(expr, (dim, z3.IntVal(1)), *others)
        factor = z3.simplify(one - least, som=True)
        if not z3.is_int_value(factor) or factor.as_long() == 0:
            return []
        factors.append(factor.as_long())
    linear = z3.Sum(least, *(dim * factor for dim, factor in zip(found, factors, strict=True)))
    if str(z3.simplify(expr - linear, som=True)) != "0":
        return []
    if len(found) == 1:
        return [(found[0], (p - least) / factors[0])]
    pairs = list(zip(found, factors, strict=True))
    for (tile, size), (inner, one) in (pairs, pairs[::-1]):
        if one == 1 and size > 1 and _is_below(nest, inner, size):
            return [(tile, (p - least) / size), (inner, (p - least) % size)]
    return []


def _is_below(nest: Nest, dim: z3.ArithRef, size: int) -> bool:
    """All values of `dim` are below `size`."""
    solver = z3.Solver()
    solver.set("timeout", 100)
    solver.add(*nest.box, dim >= size)
    return solver.check() == z3.unsat


def equal_terms(a: Index, b: Index) -> bool:
    return len(a) == len(b) and all(x.eq(y) for x, y in zip(a, b, strict=True))


def _fold(
    side: Side,
    nest: Nest,
    writes: list[Writes],
    where: tuple[tuple, tuple],
    over: tuple[tuple, tuple],
    hit: z3.BoolRef,
    values: list[z3.ExprRef],
    initial: list[z3.ExprRef],
) -> Fold:
    point, shape = where
    dims, extents = over
    name = side.new_name("fold")
    currents = tuple(part for each in writes for part in _parts(each.current))
    others = [each for each in side.currents if not any(each.eq(own) for own in currents)]
    scope = side.scope
    if occurs(others, [hit, *values, *initial, *scope.guards]):
        raise Unsupported("what is written several times hangs on what a loop around it writes")
    # In each step of the loops around there is one.
    all_of = every([*scope.guards, *inside(point, shape)])
    point = (*scope.variables, *point)
    index = [z3.IntSort()] * len(point)
    fold = Fold(
        tuple(
            z3.Function(f"{name}.{k}", *index, value.sort()) for k, value in enumerate(values)
        ),
        point, all_of, dims, extents, hit, currents, tuple(values), tuple(initial),
        overwrites=not occurs(currents, values),
        single=nest.alone,
        regrouped=all(each.regrouped for each in writes),
        ranges=tuple(
            r for each in writes for r in in_range(term_of(each.current), each.output.element)
        ),
        tiles=tuple(each for each in nest.tiles if any(each[0].eq(dim) for dim in dims)),
        facts=len(side.facts),
    )  # fmt: skip
    side.folds.append(fold)
    side.facts += _known(fold, name, index)
    return fold


def _known(fold: Fold, name: str, index: list[z3.SortRef]) -> list[z3.BoolRef]:
    """What holds of the elements of a fold."""
    point, dims = fold.point, fold.dims
    any_hit = z3.Function(f"{name}.any", *index, z3.BoolSort())(*point)
    last = [z3.Function(f"{name}.last{n}", *index, z3.IntSort())(*point) for n in range(len(dims))]
    at_last = list(zip(dims, last, strict=True))
    result = [function(*point) for function in fold.functions]
    unchanged = equal(result, fold.initial)
    written = z3.substitute(fold.hit, *at_last)
    if fold.overwrites or fold.single:
        start = list(zip(fold.currents, fold.initial, strict=True))
        new = [z3.substitute(value, *at_last, *start) for value in fold.values]
        written = z3.And(written, equal(result, new))
    one = z3.Implies(fold.where, z3.If(any_hit, written, unchanged))
    comes = any_hit
    if fold.single:
        comes = z3.And(any_hit, equal(dims, last))
    elif fold.overwrites:
        comes = z3.And(any_hit, z3.Not(comes_before(last, dims)))
    each = z3.Implies(z3.And(fold.where, fold.hit), comes)
    patterns = [z3.MultiPattern(*result)] if point else []
    return [
        z3.ForAll(list(point), one, patterns=patterns) if point else one,
        z3.ForAll([*point, *dims], each),
    ]


def new_current(side: Side, element: ir.Type, poisons: bool) -> Item:
    """The element before a point; if `poisons`, it may be poison."""
    name = side.new_name("current")
    term = z3.Const(name, sort_of(element))
    item = Element(term, z3.Bool(f"{name}.poison")) if poisons else term
    side.currents += _parts(item)
    return item
