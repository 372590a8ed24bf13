"""The forms of gs.generic that the combination table goes through, one function each."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from combiners import combiners_of
from elements import from_integers, has_default_fill, random_bits, random_values
from generic_bodies import one
from generic_programs import Expr, Generic, Operand, dim, program
from program import Dynamic, Program
from random_generic import with_coordinates

S0, S1 = Expr(0), Expr(1)
Accesses = list[tuple[tuple[Expr, ...], tuple[int, ...]]]


@dataclass(frozen=True)
class Form:
    """A family member: what it is applied to. `combiner` None overwrites."""

    family: str
    element: str
    coordinate: str
    mode: str = "promise_in_bounds"
    wrap: bool = False
    unique: bool = False
    kind: str = "tensor"
    dynamic: str = "static"
    seed: int = 0


@dataclass(frozen=True)
class _Shape:
    """Extents, and the maps and sizes of inputs, coordinates and outputs."""

    extents: tuple[int, ...]
    inputs: Accesses
    indices: Accesses
    outputs: Accesses
    iterators: tuple[str, ...]
    accumulates: bool = False


FAMILIES: dict[str, Callable[[], _Shape]] = {
    # out[i, j] = source[c[i], j]
    "rows": lambda: _Shape(
        (3, 5),
        [((S0, dim(1)), (4, 5))],
        [((dim(0),), (3,))],
        [((dim(0), dim(1)), (3, 5))],
        ("parallel", "parallel"),
    ),
    # out[c[i], j] = combine(out[c[i], j], updates[i, j])
    "accumulate": lambda: _Shape(
        (3, 5),
        [((dim(0), dim(1)), (3, 5))],
        [((dim(0),), (3,))],
        [((S0, dim(1)), (4, 5))],
        ("reduction", "parallel"),
        True,
    ),
    # out[i, j] = source[c[i] + j]
    "window": lambda: _Shape(
        (3, 2),
        [((Expr(0, {1: 1}),), (5,))],
        [((dim(0),), (3,))],
        [((dim(0), dim(1)), (3, 2))],
        ("parallel", "parallel"),
    ),
    # out[c[i] + j] = combine(out[c[i] + j], updates[i, j])
    "add_window": lambda: _Shape(
        (3, 2),
        [((dim(0), dim(1)), (3, 2))],
        [((dim(0),), (3,))],
        [((Expr(0, {1: 1}),), (5,))],
        ("reduction", "reduction"),
        True,
    ),
    # y[row[e]] += value[e] * x[column[e]]
    "sparse_product": lambda: _Shape(
        (6,),
        [((dim(0),), (6,)), ((S1,), (4,))],
        [((dim(0),), (6,)), ((dim(0),), (6,))],
        [((S0,), (4,))],
        ("reduction",),
        True,
    ),
    # out[i] = source[second[first[i]]]
    "nested": lambda: _Shape(
        (5,),
        [((S1,), (4,))],
        [((dim(0),), (5,)), ((S0,), (2,))],
        [((dim(0),), (5,))],
        ("parallel",),
    ),
    # out[i, j] = source[2 * j + 1, i]: no coordinate at all
    "strided": lambda: _Shape(
        (4, 3),
        [((Expr(None, {1: 2}, 1), dim(0)), (6, 4))],
        [],
        [((dim(0), dim(1)), (4, 3))],
        ("parallel", "parallel"),
    ),
}


def build(form: Form) -> Program:
    shape = FAMILIES[form.family]()
    rng = np.random.default_rng(form.seed)
    dynamic = Dynamic(form.dynamic, rng)
    combiner = None
    if shape.accumulates:
        combiner = "add" if "add" in combiners_of(form.element) else None
    moves = combiner is None and len(shape.inputs) < 2
    values = random_bits if moves else random_values

    def operand(results: tuple[Expr, ...], sizes: tuple[int, ...]) -> Operand:
        flags = tuple(dynamic.flags(len(sizes)))
        return Operand(values(rng, form.element, sizes), (results,), flags)

    def coordinates(results: tuple[Expr, ...], sizes: tuple[int, ...]) -> Operand:
        zeros = from_integers(np.zeros(sizes, object), form.coordinate)
        return Operand(zeros, (results,), tuple(dynamic.flags(len(sizes))))

    count = len(shape.indices)
    g = Generic(
        form.element, form.coordinate, shape.extents,
        tuple(operand(*access) for access in shape.inputs),
        tuple(coordinates(*access) for access in shape.indices),
        tuple(operand(*access) for access in shape.outputs),
        shape.iterators, (form.mode,) * count, (form.wrap,) * count, (combiner,),
        kind=form.kind, moves=moves,
    )  # fmt: skip
    for k in range(count):
        g = with_coordinates(g, k, rng, distinct=form.unique)
    if form.unique:
        g = replace(g, unique=True)
    if not has_default_fill(form.element):
        g = replace(g, fills=tuple(one(form.element) for _ in g.inputs))
    return program(g)
