"""Programs of gs.histogram and gs.strided_slice."""

from dataclasses import dataclass

import numpy as np
import numpy_spelling
from combiners import combiners_of
from coordinates import tuple_coordinates
from elements import random_bits, random_values
from mlir_gs.dialect import reference
from program import (
    Dynamic,
    Program,
    Shape,
    array_text,
    combiner_region,
    one_op,
    tensor_type,
)


@dataclass(frozen=True)
class Histogram:
    """Updates of shape leading ++ rest at coordinate tuples of `components` numbers."""

    element: str
    coordinate: str
    leading: Shape
    rest: Shape
    components: int
    combiner: str
    sorted: bool = False
    dynamic: str = "static"
    seed: int = 0

    def label(self) -> str:
        return (
            f"{self.combiner}{' sorted' * self.sorted} {self.element}"
            f"{[*self.leading, *self.rest]} at {self.coordinate}"
            f"{[*self.leading, self.components]} {self.dynamic}"
        )


def histogram(c: Histogram) -> Program:
    rng = np.random.default_rng(c.seed)
    dynamic = Dynamic(c.dynamic, rng)
    values = random_values if c.combiner not in ("keep", "replace") else random_bits
    updates = values(rng, c.element, (*c.leading, *c.rest))
    # There are no bounds, but few numbers make bins: sizes of 4, out of bounds allowed.
    indices = tuple_coordinates(
        rng, c.coordinate, c.leading, [4] * c.components, 0, "fill", False, False, c.sorted
    ).values
    combiner = combiners_of(c.element)[c.combiner]
    flags = dynamic.flags(len(c.leading))
    rest = dynamic.flags(len(c.rest))
    text = one_op(
        [
            ("updates", tensor_type((*c.leading, *c.rest), c.element, [*flags, *rest])),
            ("indices", tensor_type((*c.leading, c.components), c.coordinate, [*flags, False])),
        ],
        "gs.histogram", combiner_region(c.combiner, c.element), ["sorted"] if c.sorted else [],
        [
            tensor_type((0, *c.rest), c.element, [True, *rest]),
            tensor_type((0, c.components), c.coordinate, [True, False]),
        ],
    )  # fmt: skip

    def spelled() -> tuple[np.ndarray, ...]:
        return numpy_spelling.histogram(updates, indices, combiner)

    moves = values is random_bits
    return Program("gs.histogram", c.label(), text, (updates, indices), spelled, moves)


@dataclass(frozen=True)
class Window:
    """A strided slice; `result` is its shape, at most what the window holds."""

    element: str
    source: Shape
    offsets: Shape
    sizes: Shape
    strides: Shape
    result: Shape
    dynamic: str = "static"
    seed: int = 0

    def label(self) -> str:
        return (
            f"{self.element}{list(self.source)} [{list(self.offsets)} + {list(self.sizes)}) "
            f"by {list(self.strides)} to {list(self.result)} {self.dynamic}"
        )


def strided_slice(c: Window) -> Program:
    rng = np.random.default_rng(c.seed)
    dynamic = Dynamic(c.dynamic, rng)
    source = random_bits(rng, c.element, c.source)
    most = reference.window_sizes(c.sizes, c.strides)
    # A dynamic result dim stands for all that the window holds.
    flags = [
        flag and n == m for flag, n, m in zip(dynamic.flags(len(most)), c.result, most, strict=True)
    ]
    source_type = tensor_type(c.source, c.element, dynamic.flags(len(c.source)))
    text = one_op(
        [("source", source_type)], "gs.strided_slice", "",
        [f"{name} = {array_text(getattr(c, name))}" for name in ("offsets", "sizes", "strides")],
        [tensor_type(c.result, c.element, flags)],
    )  # fmt: skip

    def spelled() -> tuple[np.ndarray, ...]:
        return (numpy_spelling.strided_slice(source, c.offsets, c.sizes, c.strides, c.result),)

    return Program("gs.strided_slice", c.label(), text, (source,), spelled, moves=True)
