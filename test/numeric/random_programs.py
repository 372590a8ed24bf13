"""Random programs of every op: ranks 0 to 8, sizes with 0 and 1, every mode, kind and promise."""

import math

from combiners import combiners_of
from draw import Draw, chance, some
from element_programs import Elements, gather_elements, scatter_elements
from elements import COORDINATES, ELEMENTS, limits
from other_programs import Histogram, Window, histogram, strided_slice
from program import Attributes, Program
from random_generic import generic
from slice_programs import Slices, gather, scatter
from strategy_programs import strategy

MAX_ELEMENTS = 600
OPS = (
    "gather",
    "scatter",
    "gather_elements",
    "scatter_elements",
    "histogram",
    "strided_slice",
    "generic",
    "strategy",
)


def any_program(draw: Draw, ops: tuple[str, ...] = OPS) -> Program:
    return _BUILDERS[draw.choice(ops)](draw)


def shape(draw: Draw, rank: int, low: int = 0) -> tuple[int, ...]:
    """Sizes from `low` to 5, smaller in higher ranks; 1 and the odd 0 among them."""
    top = 5 if rank <= 3 else 3 if rank <= 5 else 2
    sizes = [draw.integer(1, top) for _ in range(rank)]
    if rank and low == 0 and chance(draw, 12):
        sizes[draw.integer(0, rank - 1)] = 0
    return tuple(sizes)


def _dynamic(draw: Draw) -> str:
    return draw.choice(("static", "dynamic", "mixed"))


def _seed(draw: Draw) -> int:
    return draw.integer(0, 2**32 - 1)


def _attributes(draw: Draw, modes: tuple[str, ...]) -> Attributes:
    return Attributes(
        draw.choice(modes),
        wrap=chance(draw, 3),
        unique=chance(draw, 4),
        sorted=chance(draw, 5),
        fill=chance(draw, 2),
    )


GATHER = ("promise_in_bounds", "clip", "fill", "error")
SCATTER = ("promise_in_bounds", "clip", "drop", "error")


def _slices(draw: Draw, modes: tuple[str, ...]) -> Slices:
    rank = draw.integer(1, 8)
    operand = shape(draw, rank)
    batch = draw.integer(0, min(2, rank - 1)) if chance(draw, 4) else 0
    count = draw.integer(1, min(3, rank - batch))
    dims = tuple(some(draw, range(batch, rank), count))
    leading = operand[:batch] + shape(draw, draw.integer(0, 3 - batch))
    shared = _attributes(draw, modes)
    element = draw.choice(ELEMENTS)
    coordinate = draw.choice(COORDINATES)
    if shared.mode in ("promise_in_bounds", "clip") and math.prod(leading):
        # There is nothing in bounds in a dimension of size 0.
        operand = tuple(max(n, 1) if d in dims else n for d, n in enumerate(operand))
    wide = math.prod(leading) * math.prod(operand) > MAX_ELEMENTS
    if wide:
        leading = leading[:batch]
    return Slices(
        element, coordinate, operand, leading, dims, batch, chance(draw, 3), shared,
        None, _dynamic(draw), _seed(draw),
    )  # fmt: skip


def _gather(draw: Draw) -> Program:
    return gather(_slices(draw, GATHER))


def _combiner(draw: Draw, element: str) -> str | None:
    return draw.choice((None, *combiners_of(element)))


def _scatter(draw: Draw) -> Program:
    choice = _slices(draw, SCATTER)
    combiner = _combiner(draw, choice.element)
    return scatter(Slices(**{**vars(choice), "combiner": combiner}))


def _elements(draw: Draw, modes: tuple[str, ...]) -> Elements:
    rank = draw.integer(1, 8)
    operand = shape(draw, rank)
    dim = draw.integer(0, rank - 1)
    indices = [draw.integer(0, n) if chance(draw, 3) else n for n in operand]
    indices[dim] = draw.integer(0, 5)
    shared = _attributes(draw, modes)
    if shared.mode in ("promise_in_bounds", "clip") and operand[dim] == 0:
        indices[dim] = 0
    return Elements(
        draw.choice(ELEMENTS), draw.choice(COORDINATES), operand, tuple(indices), dim, shared,
        None, _dynamic(draw), _seed(draw),
    )  # fmt: skip


def _gather_elements(draw: Draw) -> Program:
    return gather_elements(_elements(draw, GATHER))


def _scatter_elements(draw: Draw) -> Program:
    choice = _elements(draw, SCATTER)
    combiner = _combiner(draw, choice.element)
    return scatter_elements(Elements(**{**vars(choice), "combiner": combiner}))


def _histogram(draw: Draw) -> Program:
    element = draw.choice(ELEMENTS)
    leading = shape(draw, draw.integer(0, 3))
    rest = shape(draw, draw.integer(0, 8 - len(leading)) if chance(draw, 3) else 1)
    return histogram(
        Histogram(
            element, draw.choice(COORDINATES), leading, rest, draw.integer(1, 3),
            draw.choice(list(combiners_of(element))), chance(draw, 4), _dynamic(draw), _seed(draw),
        )
    )  # fmt: skip


def _strided_slice(draw: Draw) -> Program:
    source = shape(draw, draw.integer(0, 8), low=1)
    sizes = tuple(draw.integer(1, n) for n in source)
    offsets = tuple(draw.integer(0, n - size) for n, size in zip(source, sizes, strict=True))
    strides = tuple(draw.choice((1, 2, 3, -1, -2, -3)) for _ in source)
    most = [1 + (n - 1) // abs(t) for n, t in zip(sizes, strides, strict=True)]
    result = tuple(draw.integer(1, n) if chance(draw, 4) else n for n in most)
    return strided_slice(
        Window(draw.choice(ELEMENTS), source, offsets, sizes, strides, result,
               _dynamic(draw), _seed(draw))
    )  # fmt: skip


_BUILDERS = {
    "gather": _gather,
    "scatter": _scatter,
    "gather_elements": _gather_elements,
    "scatter_elements": _scatter_elements,
    "histogram": _histogram,
    "strided_slice": _strided_slice,
    "generic": generic,
    "strategy": strategy,
}

__all__ = ["OPS", "any_program", "limits", "shape"]
