"""Programs of gs.gather_elements and gs.scatter_elements."""

from dataclasses import dataclass, replace

import numpy as np
import numpy_spelling
from combiners import combiners_of
from coordinates import element_coordinates
from elements import random_bits, random_values
from program import (
    NO_PROMISE,
    Attributes,
    Dynamic,
    Program,
    Shape,
    combiner_region,
    fill_of,
    one_op,
    tensor_type,
)


@dataclass(frozen=True)
class Elements:
    """A gather or scatter of elements along `dim`; `shape` is that of the indices."""

    element: str
    coordinate: str
    operand: Shape
    shape: Shape
    dim: int
    shared: Attributes = NO_PROMISE
    combiner: str | None = None
    dynamic: str = "static"
    seed: int = 0

    def label(self) -> str:
        combiner = f" {self.combiner}" if self.combiner else ""
        return (
            f"{self.shared.label()}{combiner} {self.element}{list(self.operand)} "
            f"at {self.coordinate}{list(self.shape)} dim {self.dim} {self.dynamic}"
        )


def _element_indices(c: Elements, rng: np.random.Generator) -> tuple[np.ndarray, Attributes]:
    shared = c.shared
    found = element_coordinates(
        rng, c.coordinate, c.shape, c.dim, c.operand[c.dim], shared.mode, shared.wrap,
        shared.unique, shared.sorted,
    )  # fmt: skip
    return found.values, replace(shared, unique=found.unique)


def gather_elements(c: Elements) -> Program:
    rng = np.random.default_rng(c.seed)
    dynamic = Dynamic(c.dynamic, rng)
    source = random_bits(rng, c.element, c.operand)
    indices, shared = _element_indices(c, rng)
    fill = fill_of(rng, shared, c.element)
    flags = dynamic.flags(len(c.shape))
    types = [
        tensor_type(c.operand, c.element, dynamic.flags(len(c.operand))),
        tensor_type(c.shape, c.coordinate, flags),
    ]

    def spelled() -> tuple[np.ndarray, ...]:
        return (
            numpy_spelling.gather_elements(
                source, indices, c.dim, mode=shared.mode, wrap=shared.wrap, fill=fill
            ),
        )

    text = one_op(
        [("source", types[0]), ("indices", types[1])], "gs.gather_elements", "",
        [f"dim = {c.dim} : i64", *shared.text(fill, c.element)],
        [tensor_type(c.shape, c.element, flags)],
    )  # fmt: skip
    label = replace(c, shared=shared).label()
    return Program("gs.gather_elements", label, text, (source, indices), spelled, moves=True)


def scatter_elements(c: Elements) -> Program:
    rng = np.random.default_rng(c.seed)
    dynamic = Dynamic(c.dynamic, rng)
    values = random_values if c.combiner not in (None, "keep", "replace") else random_bits
    dest = values(rng, c.element, c.operand)
    updates = values(rng, c.element, c.shape)
    indices, shared = _element_indices(c, rng)
    operand = tensor_type(c.operand, c.element, dynamic.flags(len(c.operand)))
    combiner = combiners_of(c.element)[c.combiner] if c.combiner else None

    def spelled() -> tuple[np.ndarray, ...]:
        return (
            numpy_spelling.scatter_elements(
                updates, dest, indices, c.dim, combiner, mode=shared.mode, wrap=shared.wrap
            ),
        )

    text = one_op(
        [
            ("updates", tensor_type(c.shape, c.element, dynamic.flags(len(c.shape)))),
            ("dest", operand),
            ("indices", tensor_type(c.shape, c.coordinate, dynamic.flags(len(c.shape)))),
        ],
        "gs.scatter_elements", combiner_region(c.combiner, c.element),
        [f"dim = {c.dim} : i64", *shared.text(None, c.element)], [operand],
    )  # fmt: skip
    label = replace(c, shared=shared).label()
    moves = values is random_bits
    return Program("gs.scatter_elements", label, text, (updates, dest, indices), spelled, moves)
