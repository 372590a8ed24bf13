"""Random gs.generic programs: maps with windows, nested coordinates, several outputs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from combiners import combiners_of
from draw import Draw, chance, some
from elements import (
    COORDINATES,
    ELEMENTS,
    from_integers,
    has_default_fill,
    limits,
    random_bits,
    random_values,
)
from generic_bodies import SOURCES
from generic_programs import (
    Expr,
    Generic,
    Operand,
    ascends,
    bounds,
    box,
    can_be_filled,
    check_errors,
    dim,
    load,
    program,
    uses,
)
from program import Program

MOST_ELEMENTS = 1000
# The maps of an array and its sizes.
Access = tuple[tuple[Expr, ...], tuple[int, ...]]
MODES = ("promise_in_bounds", "clip", "fill_or_drop", "error")


@dataclass
class Plan:
    """A generic whose arrays are not there yet."""

    draw: Draw
    extents: tuple[int, ...]
    symbols: int
    exact: set[int] = field(default_factory=set)

    def expression(self, most_symbols: int) -> Expr:
        """A map result; plain dims and symbols the more often."""
        draw, rank = self.draw, len(self.extents)
        kind = draw.integer(0, 9)
        symbol = draw.integer(0, most_symbols - 1) if most_symbols and kind >= 4 else None
        if symbol is not None:
            if kind == 8 and rank:  # a window
                return Expr(symbol, {draw.integer(0, rank - 1): draw.choice((1, 2, -1))})
            return Expr(symbol, constant=draw.integer(-1, 2) if kind == 9 else 0)
        if not rank:
            return Expr(constant=draw.integer(0, 2))
        j = draw.integer(0, rank - 1)
        if kind == 7:
            return Expr(None, {j: draw.integer(2, 3)}, draw.integer(0, 2))
        if kind == 8:
            return Expr(None, {j: 1}, draw.integer(0, 1), draw.integer(2, 3))
        if kind == 9 and rank > 1:
            return Expr(None, dict.fromkeys(some(draw, range(rank), 2), 1))
        return dim(j)

    def size(self, expr: Expr) -> int:
        """A size that the expression fits; one plain appearance of a dim is its extent."""
        spare = self.draw.integer(0, 2)
        if expr.plain is not None:
            if not spare:
                self.exact.add(expr.plain)
            return self.extents[expr.plain] + spare
        low, high = expr.reach(tuple(max(n, 1) for n in self.extents))
        if expr.symbol is None:
            return max(high, 0) + 1 + spare
        return high - low + 1 + self.draw.integer(0, 5)

    def operand(self, exprs: list[Expr]) -> Access:
        """The maps and sizes of an array; dims that would make it larger than most are left out."""
        kept, sizes = [], []
        for expr in exprs:
            exact = set(self.exact)
            size = self.size(expr)
            if math.prod(sizes) * size > MOST_ELEMENTS:
                self.exact = exact
                continue
            kept.append(expr)
            sizes.append(size)
        return tuple(kept), tuple(sizes)


def generic(draw: Draw) -> Program:
    rank = draw.integer(0, 4)
    top = (8, 8, 6, 4, 3)[rank]
    extents = tuple(draw.integer(0 if chance(draw, 10) else 1, top) for _ in range(rank))
    plan = Plan(draw, extents, draw.integer(0, 3))
    loads = [_load(plan, k) for k in range(plan.symbols)]
    inputs = [_access(plan) for _ in range(draw.integer(0, 2))]
    write = _projection if chance(draw, 3) else _access
    outputs = [write(plan) for _ in range(2 if chance(draw, 4) else 1)]
    for j in range(rank):
        if j not in plan.exact:
            # The least plain size is the extent: the last output gets it as another dimension.
            exprs, shape = outputs[-1]
            outputs[-1] = ((*exprs, dim(j)), (*shape, extents[j]))
            plan.exact.add(j)
    return program(with_arrays(plan, loads, inputs, outputs))


def _access(plan: Plan) -> Access:
    most = 8 if chance(plan.draw, 12) else 3
    rank = plan.draw.integer(0, most)
    return plan.operand([plan.expression(plan.symbols) for _ in range(rank)])


def _projection(plan: Plan) -> Access:
    """Dims alone, each once, as linalg's outputs have them."""
    draw, rank = plan.draw, len(plan.extents)
    dims = some(draw, range(rank), draw.integer(0, rank))
    return plan.operand([dim(j) for j in (dims if chance(draw, 2) else reversed(dims))])


def _load(plan: Plan, k: int) -> Access:
    """Where s_k is read: a few dims, now and then through an earlier symbol."""
    draw, rank = plan.draw, len(plan.extents)
    exprs = [dim(j) for j in some(draw, range(rank), draw.integer(0, min(rank, 2)))]
    if chance(draw, 3):
        exprs.reverse()
    if k and chance(draw, 4):
        exprs.append(Expr(draw.integer(0, k - 1)))
    if chance(draw, 4):
        exprs.append(Expr(constant=draw.integer(0, 1)))
    return plan.operand(exprs)


def with_arrays(
    plan: Plan,
    loads: list[Access],
    inputs: list[Access],
    outputs: list[Access],
    coordinates: Sequence[str] = COORDINATES,
) -> Generic:
    """The plan with arrays: coordinates that keep or break their bounds as the modes allow."""
    draw = plan.draw
    element, coordinate = draw.choice(ELEMENTS), draw.choice(coordinates)
    names = tuple(draw.choice((None, *combiners_of(element))) for _ in outputs)
    moves = len(inputs) < 2 and all(name in (None, "keep", "replace") for name in names)
    rng = np.random.default_rng(draw.integer(0, 2**32 - 1))
    kind = draw.choice(("static", "dynamic", "mixed"))
    values = random_bits if moves else random_values

    def operand(maps: tuple[Expr, ...], shape: tuple[int, ...], type_: str) -> Operand:
        flags = {"static": [False], "dynamic": [True], "mixed": [False, True]}[kind]
        dynamic = tuple(bool(rng.choice(flags)) for _ in shape)
        array = np.zeros(shape, from_integers(np.zeros((), object), type_).dtype)
        return Operand(array, (maps,), dynamic)

    def valued(maps: tuple[Expr, ...], shape: tuple[int, ...]) -> Operand:
        flags = {"static": [False], "dynamic": [True], "mixed": [False, True]}[kind]
        dynamic = tuple(bool(rng.choice(flags)) for _ in shape)
        return Operand(values(rng, element, shape), (maps,), dynamic)

    g = Generic(
        element, coordinate, plan.extents,
        tuple(valued(*access) for access in inputs),
        tuple(operand(*access, coordinate) for access in loads),
        tuple(valued(*access) for access in outputs),
        (), ("promise_in_bounds",) * len(loads), (False,) * len(loads), names,
        kind=draw.choice(("tensor", "tensor", "memref")), moves=moves,
    )  # fmt: skip
    g = _moded(g, draw)
    for k in range(len(loads)):
        g = with_coordinates(g, k, rng)
    if loads and chance(draw, 3):
        g = _ordered(g)
    free = has_default_fill(element)
    if "fill_or_drop" in g.modes and g.inputs and (not free or chance(draw, 2)):
        fills = [
            None if free and rng.random() < 0.3 else values(rng, element, (1,)).reshape(())
            for _ in g.inputs
        ]
        g = replace(g, fills=tuple(fills))
    return _bodied(_iterators(g, draw), draw, rng)


def _ordered(g: Generic) -> Generic:
    """The same coordinates in ascending order, promised to be so where the op meets them so."""

    def ordered(operand: Operand) -> Operand:
        numbers = np.array(sorted(map(int, operand.array.reshape(-1))), object)
        array = from_integers(numbers.reshape(operand.array.shape), g.coordinate)
        return replace(operand, array=array)

    g = replace(g, indices=tuple(map(ordered, g.indices)))
    return replace(g, sorted=ascends(g))


def _bodied(g: Generic, draw: Draw, rng: np.random.Generator) -> Generic:
    """Bodies that leave out what they are given, now and then; outputs that are filled before."""
    sources = tuple(draw.choice(SOURCES) if chance(draw, 2) else "inputs" for _ in g.outputs)
    if "fill_or_drop" in g.modes:
        # What a dropped output holds is nobody's to read.
        sources = tuple("current" if source == "other" else source for source in sources)
    outside = random_values(rng, g.element, (1,)).reshape(()) if "outside" in sources else None
    # A fill of memory comes before the check of coordinates.
    apart = g.kind == "tensor" or "error" not in g.modes
    filled = can_be_filled(g.element) and apart and chance(draw, 4)
    return replace(g, sources=sources, outside=outside, filled=filled)


def _moded(g: Generic, draw: Draw) -> Generic:
    """Modes and wrapping where the symbol addresses something."""
    modes, wraps = [], []
    for k in range(len(g.indices)):
        addressed = uses(g, k)
        low, high = bounds(g, k)
        least, greatest = limits(g.coordinate)
        reachable = max(low, least) <= min(high, greatest) or not math.prod(g.extents)
        # Where no coordinate fits, there is nothing to promise, and clip has nowhere to go.
        options = MODES if reachable and low <= high else MODES[2:]
        modes.append(draw.choice(options) if addressed else MODES[0])
        wraps.append(bool(addressed) and chance(draw, 4))
    return replace(g, modes=tuple(modes), wraps=tuple(wraps))


def with_coordinates(
    g: Generic, k: int, rng: np.random.Generator, distinct: bool = False
) -> Generic:
    """The numbers of s_k, each once if `distinct`; a promise they cannot keep is fill_or_drop."""
    low, high = bounds(g, k)
    least, greatest = limits(g.coordinate)
    if not uses(g, k):
        low, high = least, greatest
    inside = [c for c in range(max(low, least), min(high, greatest, low + 12) + 1)]
    others: list[int] = []
    size = min((size for _, size in uses(g, k)), default=0)
    if g.wraps[k]:
        others += [c - size for c in inside if least <= c - size < 0]
        inside = [c for c in inside if c >= 0]
    quiet = g.modes[k] == "error" and rng.random() < 0.6
    if g.modes[k] != "promise_in_bounds" and not quiet:
        far = [low - 1, high + 1, high + 7, -1 - size, least, greatest, 300]
        others += [c for c in far if least <= c <= greatest]
    shape = g.indices[k].array.shape
    pool = inside if not others else inside + others
    picked = [
        others[rng.integers(len(others))]
        if others and (not inside or rng.random() < 0.25)
        else inside[rng.integers(len(inside))]
        if pool
        else 0
        for _ in range(math.prod(shape))
    ]
    if distinct:
        picked = [int(c) for c in rng.choice(inside, len(picked), replace=False)]
    array = from_integers(np.array(picked, object).reshape(shape), g.coordinate)
    indices = [replace(o, array=array) if n == k else o for n, o in enumerate(g.indices)]
    broken = not pool and g.modes[k] in ("promise_in_bounds", "clip") and math.prod(g.extents)
    modes = ["fill_or_drop" if n == k and broken else m for n, m in enumerate(g.modes)]
    return replace(g, indices=tuple(indices), modes=tuple(modes))


def _iterators(g: Generic, draw: Draw) -> Generic:
    """Parallel where the maps allow it; all of it under `unique` if no element is met twice."""
    rank = len(g.extents)
    plain = [
        all(any(expr.plain == j for expr in output.maps[0]) for output in g.outputs)
        for j in range(rank)
    ]
    kinds = ["parallel" if ok and not chance(draw, 6) else "reduction" for ok in plain]
    g = replace(g, iterators=tuple(kinds))
    if chance(draw, 2) and _no_element_twice(g):
        return replace(g, unique=True, iterators=("parallel",) * rank)
    return g


def _no_element_twice(g: Generic) -> bool:
    d = box(g.extents)
    try:
        check_errors(g)
        s, alive = load(g, d)
    except IndexError:
        return False
    for output in g.outputs:
        points = d.shape[1]
        good = np.ones(points, bool)
        for expr in output.maps[0]:
            if expr.symbol is not None:
                good &= alive[expr.symbol]
        where = [np.broadcast_to(expr.value(d, s), points)[good] for expr in output.maps[0]]
        if not where and good.sum() > 1:
            return False
        if where and len(np.unique(np.stack(where), axis=1).T) < good.sum():
            return False
    return True
