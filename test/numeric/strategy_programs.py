"""Random gs.generic programs of the shapes that `convert-gs-to-scf` has strategies for.

Each with any body, any element type, and sizes of 0, 1, less than a vector, and more than a few.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from draw import Draw, chance
from elements import from_integers
from generic_programs import Expr, Generic, ascends, dim, program
from program import Program
from random_generic import Access, Plan, with_arrays

S0, S1 = Expr(0), Expr(1)


@dataclass(frozen=True)
class Shape:
    """Extents, and the maps of coordinates, inputs and outputs. What a map alone does not say of a
    size, `sizes` has by the map. `sorted`: coordinates ascend; `constants`: the program has them,
    each once."""

    extents: tuple[int, ...]
    loads: Sequence[tuple[Expr, ...]]
    inputs: Sequence[tuple[Expr, ...]]
    outputs: Sequence[tuple[Expr, ...]]
    rows: int = 5
    sorted: bool = False
    constants: bool = False


Sizes = Callable[[], int]


def _rows(n: Sizes) -> Shape:
    """out[i] of in[i, j]: row blocks, or across."""
    return Shape((n(), n()), [], [(dim(0), dim(1)), (dim(0),)], [(dim(0),)])


def _rows_apart(n: Sizes) -> Shape:
    """out[i, k] of in[i, j, k]."""
    i, j, k = dim(0), dim(1), dim(2)
    return Shape((min(n(), 9), min(n(), 9), n()), [], [(i, j, k), (j, i)], [(i, k)])


def _gathered_rows(n: Sizes) -> Shape:
    """out[i] of in[c[i], j]."""
    return Shape((n(), n()), [(dim(0),)], [(S0, dim(1)), (dim(1),)], [(dim(0),)])


def _bags(n: Sizes) -> Shape:
    """out[i, k] of in[c[i, j], k]."""
    i, j, k = dim(0), dim(1), dim(2)
    return Shape((min(n(), 9), min(n(), 9), n()), [(i, j)], [(S0, k), (i, j)], [(i, k)])


def _tiles(n: Sizes) -> Shape:
    """out[i, k] of in[c[i, j], k] and what all rows share: register tiles."""
    i, j, k = dim(0), dim(1), dim(2)
    inputs = [(j, k), (i, j), (S0, k)]
    return Shape((n(), min(n(), 5), n()), [(i, j)], inputs, [(i, k)])


def _take(n: Sizes) -> Shape:
    """out[i, j] of in[c[i], j]."""
    return Shape((n(), n()), [(dim(0),)], [(S0, dim(1))], [(dim(0), dim(1))])


def _elements(n: Sizes) -> Shape:
    """out[i, j] of in[i, c[i, j]]."""
    i, j = dim(0), dim(1)
    return Shape((min(n(), 9), n()), [(i, j)], [(i, S0)], [(i, j)])


def _by_column(n: Sizes) -> Shape:
    """out[i, j] of in[c[i, j], j]: strips."""
    i, j = dim(0), dim(1)
    return Shape((min(n(), 9), n()), [(i, j)], [(S0, j)], [(i, j)])


def _into_columns(n: Sizes) -> Shape:
    """out[c[i, j], j] of in[i, j]."""
    i, j = dim(0), dim(1)
    return Shape((min(n(), 9), n()), [(i, j)], [(i, j)], [(S0, j)])


def _bins(n: Sizes) -> Shape:
    """out[c[i]] of in[i]: private copies, owned points, records."""
    return Shape((n(),), [(dim(0),)], [(dim(0),)], [(S0,)])


def _segments(n: Sizes) -> Shape:
    return replace(_bins(n), sorted=True)


def _into_rows(n: Sizes) -> Shape:
    """out[c[i], j] of in[i, j]."""
    return Shape((n(), n()), [(dim(0),)], [(dim(0), dim(1))], [(S0, dim(1))])


def _segments_of_rows(n: Sizes) -> Shape:
    return replace(_into_rows(n), sorted=True)


def _messages(n: Sizes) -> Shape:
    """out[c[i], j] of in[d[i], j] and weight[i]: messages."""
    i, j = dim(0), dim(1)
    return Shape((n(), n()), [(i,), (i,)], [(S1, j), (i,)], [(S0, j)])


def _windows(n: Sizes) -> Shape:
    """out[2 * i + j] of in[i, j]: halo."""
    i, j = dim(0), dim(1)
    return Shape((n(), min(n(), 4)), [], [(i, j)], [(Expr(None, {0: 2, 1: 1}),)])


def _patterns(n: Sizes) -> Shape:
    """out[2 * i + c[j]] of in[i, j], where c are constants: points that are overwritten."""
    i, j = dim(0), dim(1)
    return Shape((n(), 4), [(j,)], [(i, j)], [(Expr(0, {0: 2}),)], 12, constants=True)


def _columns(n: Sizes) -> Shape:
    """out[j, i] of in[i, j], and all of it into one number."""
    return Shape((n(), n()), [], [(dim(0), dim(1))], [(dim(1), dim(0)), ()])


def _total(n: Sizes) -> Shape:
    """One number of in[i, j]."""
    return Shape((n(), n()), [], [(dim(0), dim(1)), (dim(1),)], [()])


def _two(n: Sizes) -> Shape:
    """Two outputs of rows."""
    i, j = dim(0), dim(1)
    return Shape((n(), n()), [], [(i, j), (i,)], [(i,), (i,)])


SHAPES = (
    _rows, _rows_apart, _gathered_rows, _bags, _tiles, _take, _elements, _by_column, _into_columns,
    _bins, _segments, _into_rows, _segments_of_rows, _messages, _windows, _patterns, _columns,
    _total, _two,
)  # fmt: skip


def strategy(draw: Draw) -> Program:
    """A program of one of `SHAPES`."""

    def size() -> int:
        return draw.choice((3, 0, 1, 2, 8, 16, 17, 32, 35, 64))

    shape = draw.choice(SHAPES)(size)
    if chance(draw, 6):
        # Coordinates that no map uses.
        shape = replace(shape, loads=[*shape.loads, draw.choice(((), (dim(0),)))])
    plan = Plan(draw, shape.extents, len(shape.loads))
    inputs = list(shape.inputs)[: draw.integer(1, len(shape.inputs))]
    if chance(draw, 5):
        # A number that all points read, or one of each row.
        inputs.append(draw.choice(((), shape.inputs[0][:1])))
    outputs = list(shape.outputs)

    def access(maps: tuple[Expr, ...]) -> Access:
        return maps, tuple(_size(plan, expr, shape.rows) for expr in maps)

    g = with_arrays(
        plan, [access(m) for m in shape.loads], [access(m) for m in inputs],
        [access(m) for m in outputs], _plain(shape),
    )  # fmt: skip
    return program(_with_constants(_sorted(g, shape, draw), shape, draw))


def _plain(shape: Shape) -> tuple[str, ...]:
    """Kinds of coordinates that a strategy asks for."""
    if shape.constants:
        return ("index", "i64", "i32")
    return ("i32", "i64", "index", "i32", "i64", "index", "ui8", "i16", "ui64", "si4")


def _size(plan: Plan, expr: Expr, rows: int) -> int:
    extents = tuple(max(n, 1) for n in plan.extents)
    if expr.plain is not None:
        spare = 2 if expr.plain in plan.exact and chance(plan.draw, 12) else 0
        plan.exact.add(expr.plain)
        return plan.extents[expr.plain] + spare
    low, high = expr.reach(extents)
    return high - low + rows if expr.symbol is not None else high + 1


def _sorted(g: Generic, shape: Shape, draw: Draw) -> Generic:
    if not shape.sorted or g.unique or any(g.wraps) or chance(draw, 4):
        return g
    operand, *others = g.indices
    ordered = sorted(int(c) for c in operand.array)
    array = from_integers(np.array(ordered, object), g.coordinate)
    g = replace(g, indices=(replace(operand, array=array), *others))
    return replace(g, sorted=ascends(g))


def _with_constants(g: Generic, shape: Shape, draw: Draw) -> Generic:
    if not shape.constants or g.kind == "memref" or chance(draw, 4):
        return g
    operands = tuple(replace(o, dynamic=(False,) * o.array.ndim) for o in g.indices)
    return replace(g, indices=operands, constants=all(o.array.size for o in operands))
