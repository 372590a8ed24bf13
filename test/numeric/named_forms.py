"""Random gs.generic programs that look like named ops: their maps, now and then with a change."""

from dataclasses import dataclass, replace

import numpy as np
from draw import Draw, chance, some
from generic_programs import Expr, Generic, Operand, dim, program
from program import Program, tensor_type
from random_generic import Access, Plan, with_arrays

ZERO = Expr()


@dataclass(frozen=True)
class NamedForm:
    """`written`: the part of the result that the op writes; the rest may hold anything."""

    program: Program
    written: tuple[slice | bool, ...]


@dataclass(frozen=True)
class _Maps:
    """`rank` iteration dims; the coordinates have `leading` of them in front."""

    rank: int
    leading: int
    symbols: int
    addressed: list[Expr]
    moved: list[Expr]


def named_form(draw: Draw) -> NamedForm:
    """A gather, a scatter, of slices or of elements, or a strided slice."""
    kind = draw.choice(("slices", "slices", "elements", "strided"))
    maps = {"slices": _slices, "elements": _elements, "strided": _strided}[kind](draw)
    extents = tuple(draw.choice((2, 1, 3, 0, 1)) for _ in range(maps.rank))
    plan = Plan(draw, extents, maps.symbols)

    def access(exprs: list[Expr]) -> Access:
        return tuple(exprs), tuple(_size(plan, expr) for expr in exprs)

    before = [dim(d) for d in range(maps.leading)]
    loads = [access(before)] * maps.symbols
    gathers = kind == "strided" or chance(draw, 2)
    read, write = (maps.addressed, maps.moved) if gathers else (maps.moved, maps.addressed)
    inputs, outputs = [access(read)], [access(write)]
    for d in range(maps.rank):
        if d not in plan.exact:
            exprs, shape = outputs[0]
            outputs[0] = ((*exprs, dim(d)), (*shape, extents[d]))
            plan.exact.add(d)
    g = with_arrays(plan, loads, inputs, outputs)
    g = replace(g, kind="tensor", filled=False, sorted=False)
    if gathers:
        g = replace(g, combiners=(None,), sources=(), outside=None, moves=True)
    # A row of coordinates for each tuple, or a number alone.
    if g.indices and not (maps.symbols == 1 and (kind == "elements" or chance(draw, 4))):
        g = replace(g, indices=(_joined(g.indices),))
    made = program(g)
    if gathers and not chance(draw, 6):
        return NamedForm(_into_new(g, made, draw), _written(g))
    return NamedForm(made, ())


def _size(plan: Plan, expr: Expr) -> int:
    if expr.plain is not None:
        spare = 1 if expr.plain in plan.exact and chance(plan.draw, 10) else 0
        plan.exact.add(expr.plain)
        return plan.extents[expr.plain] + spare
    low, high = expr.reach(tuple(max(n, 1) for n in plan.extents))
    if expr.symbol is not None:
        return high - low + 1 + plan.draw.integer(0, 4)
    return max(high + 1 + plan.draw.integer(0, 2), 1)


def _changed(draw: Draw, exprs: list[Expr]) -> list[Expr]:
    """Two results exchanged, one left out or one more, now and then."""
    if chance(draw, 12) and len(exprs) > 1:
        exprs = [exprs[1], exprs[0], *exprs[2:]]
    if chance(draw, 12) and exprs:
        exprs = exprs[:-1]
    return [*exprs, ZERO] if chance(draw, 12) else exprs


def _slices(draw: Draw) -> _Maps:
    batch = 1 if chance(draw, 4) else 0
    leading = batch + draw.integer(0, 2)
    operand = batch + draw.integer(1, 2)
    dims = some(draw, range(batch, operand), draw.integer(1, operand - batch))
    rest = [d for d in range(batch, operand) if d not in dims]
    loop = {d: dim(leading + n) for n, d in enumerate(rest)}
    symbol = {d: Expr(k) for k, d in enumerate(dims)}
    addressed = [dim(d) for d in range(batch)]
    addressed += [(loop | symbol)[d] for d in range(batch, operand)]
    kept = chance(draw, 3)
    tail = [loop.get(d, ZERO) for d in range(batch, operand) if kept or d in loop]
    moved = [*(dim(d) for d in range(leading)), *tail]
    rank = leading + len(rest)
    return _Maps(rank, leading, len(dims), _changed(draw, addressed), _changed(draw, moved))


def _elements(draw: Draw) -> _Maps:
    rank = draw.integer(1, 3)
    along = draw.integer(0, rank - 1)
    addressed = [Expr(0) if d == along else dim(d) for d in range(rank)]
    return _Maps(rank, rank, 1, _changed(draw, addressed), [dim(d) for d in range(rank)])


def _strided(draw: Draw) -> _Maps:
    rank = draw.integer(0, 3)
    steps = [
        Expr(None, {d: draw.choice((1, 2, 3))}, draw.integer(0, 2)) if chance(draw, 2) else dim(d)
        for d in range(rank)
    ]
    return _Maps(rank, 0, 0, _changed(draw, steps), [dim(d) for d in range(rank)])


def _joined(operands: tuple[Operand, ...]) -> Operand:
    """One array of tuples."""
    shape = np.stack([operand.array for operand in operands], -1)
    maps = tuple((*o.maps[0], Expr(constant=k)) for k, o in enumerate(operands))
    return Operand(shape, maps, (*operands[0].dynamic, False))


def _written(g: Generic) -> tuple[slice | bool, ...]:
    """The elements that there is a point for, as an index."""
    if 0 in g.extents:
        return (False,)
    return tuple(
        slice(0, 1 if expr.plain is None else g.extents[expr.plain])
        for expr in g.outputs[0].maps[0]
    )


def _into_new(g: Generic, made: Program, draw: Draw) -> Program:
    """The output is made by tensor.empty, in sizes of what addresses the same dim elsewhere."""
    output, others = g.outputs[0], [*g.inputs, *g.indices]
    kinds = [g.element] * len(g.inputs) + [g.coordinate] * len(g.indices)
    name = f"%a{len(others)}"
    lines, sizes = [], []
    for p, (expr, flag) in enumerate(zip(output.maps[0], output.dynamic, strict=True)):
        if not flag:
            continue
        same = [
            (n, q)
            for n, operand in enumerate(others)
            for q, other in enumerate(operand.maps[0])
            if other == expr and operand.array.shape[q] == output.array.shape[p]
        ]
        if not same:
            return made
        n, q = draw.choice(same)
        type_ = tensor_type(others[n].array.shape, kinds[n], others[n].dynamic)
        lines += [
            f"  %at{p} = arith.constant {q} : index",
            f"  %size{p} = tensor.dim %a{n}, %at{p} : {type_}",
        ]
        sizes.append(f"%size{p}")
    type_ = tensor_type(output.array.shape, g.element, output.dynamic)
    lines.append(f"  {name} = tensor.empty({', '.join(sizes)}) : {type_}")
    text = made.text.replace(f", {name}: {type_}", "", 1)
    head, rest = text.split("{\n", 1)
    arguments = [a for n, a in enumerate(made.arguments) if n != len(others)]
    return replace(
        made, text=head + "{\n" + "\n".join(lines) + "\n" + rest, arguments=tuple(arguments)
    )
