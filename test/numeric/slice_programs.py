"""Programs of gs.gather and gs.scatter."""

from dataclasses import dataclass, replace

import numpy as np
import numpy_spelling
from combiners import combiners_of
from coordinates import tuple_coordinates
from elements import random_bits, random_values
from program import (
    NO_PROMISE,
    Attributes,
    Dynamic,
    Program,
    Shape,
    array_text,
    combiner_region,
    fill_of,
    one_op,
    tensor_type,
)


@dataclass(frozen=True)
class Slices:
    """A gather or scatter of slices: `operand` is the shape of source or dest, `leading` is I."""

    element: str
    coordinate: str
    operand: Shape
    leading: Shape
    dims: Shape
    batch: int = 0
    unit: bool = False
    shared: Attributes = NO_PROMISE
    combiner: str | None = None
    dynamic: str = "static"
    seed: int = 0

    def label(self) -> str:
        extra = f" batch {self.batch}" * (self.batch > 0) + " unit" * self.unit
        combiner = f" {self.combiner}" if self.combiner else ""
        return (
            f"{self.shared.label()}{extra}{combiner} {self.element}{list(self.operand)} "
            f"at {self.coordinate}{list(self.leading)} dims {list(self.dims)} {self.dynamic}"
        )

    def rest(self) -> Shape:
        keep = range(self.batch, len(self.operand))
        if self.unit:
            return tuple(1 if d in self.dims else self.operand[d] for d in keep)
        return tuple(self.operand[d] for d in keep if d not in self.dims)


def _slice_types(c: Slices, dynamic: Dynamic) -> tuple[str, str, str]:
    """The types of the operand, of indices, and of the slices as `gs.gather` infers it."""
    flags = dynamic.flags(len(c.operand))
    leading = dynamic.flags(len(c.leading))
    operand = tensor_type(c.operand, c.element, flags)
    indices = tensor_type((*c.leading, len(c.dims)), c.coordinate, [*leading, False])
    merged = [f and flags[d] if d < c.batch else f for d, f in enumerate(leading)]
    keep = [d for d in range(c.batch, len(c.operand)) if c.unit or d not in c.dims]
    rest = [False if d in c.dims else flags[d] for d in keep]
    return operand, indices, tensor_type((*c.leading, *c.rest()), c.element, [*merged, *rest])


def _slice_indices(c: Slices, rng: np.random.Generator) -> tuple[np.ndarray, Attributes]:
    sizes = [c.operand[d] for d in c.dims]
    shared = c.shared
    found = tuple_coordinates(
        rng, c.coordinate, c.leading, sizes, c.batch, shared.mode, shared.wrap, shared.unique,
        shared.sorted,
    )  # fmt: skip
    # Too few coordinates to be unique: the promise is left off.
    return found.values, replace(shared, unique=found.unique)


def gather(c: Slices) -> Program:
    rng = np.random.default_rng(c.seed)
    dynamic = Dynamic(c.dynamic, rng)
    source = random_bits(rng, c.element, c.operand)
    indices, shared = _slice_indices(c, rng)
    fill = fill_of(rng, shared, c.element)
    operand, index_type, result = _slice_types(c, dynamic)
    attributes = [f"gather_dims = {array_text(c.dims)}", *shared.text(fill, c.element)]
    attributes += [f"batch_dims = {c.batch} : i64"] if c.batch else []

    def spelled() -> tuple[np.ndarray, ...]:
        return (
            numpy_spelling.gather(
                source, indices, c.dims, batch=c.batch, mode=shared.mode, wrap=shared.wrap,
                fill=fill, unit=c.unit,
            ),
        )  # fmt: skip

    text = one_op(
        [("source", operand), ("indices", index_type)], "gs.gather", "", attributes, [result]
    )
    label = replace(c, shared=shared).label()
    return Program("gs.gather", label, text, (source, indices), spelled, moves=True)


def scatter(c: Slices) -> Program:
    rng = np.random.default_rng(c.seed)
    dynamic = Dynamic(c.dynamic, rng)
    values = random_values if c.combiner not in (None, "keep", "replace") else random_bits
    dest = values(rng, c.element, c.operand)
    updates = values(rng, c.element, (*c.leading, *c.rest()))
    indices, shared = _slice_indices(c, rng)
    operand, index_type, slices = _slice_types(c, dynamic)
    combiner = combiners_of(c.element)[c.combiner] if c.combiner else None
    attributes = [f"scatter_dims = {array_text(c.dims)}", *shared.text(None, c.element)]
    attributes += [f"batch_dims = {c.batch} : i64"] if c.batch else []

    def spelled() -> tuple[np.ndarray, ...]:
        return (
            numpy_spelling.scatter(
                updates, dest, indices, c.dims, combiner, batch=c.batch, mode=shared.mode,
                wrap=shared.wrap,
            ),
        )  # fmt: skip

    text = one_op(
        [("updates", slices), ("dest", operand), ("indices", index_type)],
        "gs.scatter", combiner_region(c.combiner, c.element), attributes, [operand],
    )  # fmt: skip
    label = replace(c, shared=shared).label()
    moves = values is random_bits
    return Program("gs.scatter", label, text, (updates, dest, indices), spelled, moves)
