"""Small arguments for a function that are likely to give two versions of it different results."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import ml_dtypes
import numpy as np
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference.scalar import scalar_type
from mlir_gs.dialect.reference.types import element_dtype, is_integer, is_shaped
from mlir_gs.prove.terms import bounds_of

# The most elements of an argument that is made up, and the largest dynamic size: the reference
# goes from point to point.
MOST_ELEMENTS = 1 << 12
_LARGEST = 130
# The largest size that all dims have.
_MANY = 9
_WORD = 1 << 63


@dataclass(frozen=True)
class Hints:
    """Numbers that occur in the IR, and what its floats may be."""

    numbers: tuple[int, ...]
    # Sums may be grouped in any way: then none may round.
    exact: bool
    # NaN, infinities and -0 are poison to some ops, so that fewer are tried.
    finite: bool
    # Of vectors, which read and write as many elements.
    lanes: tuple[int, ...]

    @classmethod
    def of(cls, text: str, *others: str) -> "Hints":
        """By the text of what is replaced, and numbers of others."""
        whole = "\n".join([text, *others])
        found = {int(n) for n in re.findall(r"(?<![\w.#x%])-?\d+(?![\w.])", whole)}
        near = {n + k for n in found for k in (-1, 0, 1)}
        exact = any(flag in text for flag in ("reassoc", "fastmath<fast>"))
        finite = exact or any(flag in text for flag in ("nnan", "ninf", "nsz"))
        lanes = tuple(sorted({int(n) for n in re.findall(r"vector<(\d+)x", whole)}))
        return cls(tuple(sorted(n for n in near if abs(n) < _WORD)), exact, finite, lanes)


class Maker:
    """Makes arguments; the first are the smallest."""

    def __init__(self, types: Sequence[Any], hints: Hints, seed: int = 0) -> None:
        self.types, self.hints = types, hints
        self.dtypes = [element_dtype(type_) for type_ in types]
        self.random = np.random.default_rng(seed)
        self.sizes = [n for n in hints.numbers if 4 < n <= _LARGEST]
        self.bases = [n for n in self.sizes if n <= _MANY]

    def make(self, trial: int) -> list[np.ndarray] | None:
        """The arguments of this trial; None if they would be too large."""
        r = self.random
        base = (trial // 8) % 4 + 1 if r.random() < 0.8 else int(r.integers(0, 5))
        if self.bases and trial % 5 == 4:
            # More than one tile, or window.
            base = int(r.choice(self.bases))
        elif self.hints.lanes and trial % 3 == 1:
            base = int(r.choice(self.hints.lanes) + r.integers(0, 3))
        elif trial % 7 == 6:
            base = int(r.integers(5, _MANY + 1))
        shapes = [self._shape(type_, base) for type_ in self.types]
        if self.sizes and r.random() < 0.15:
            self._enlarge(shapes)
        if any(prod(shape) > MOST_ELEMENTS for shape in shapes):
            return None
        # What coordinates are likely to be less than.
        known = sorted({n for shape in shapes for n in shape if n > 1}) or [max(base, 1)]
        bound = int(self.random.choice(known))
        return [
            self._contents(dtype, shape, bound, type_)
            for dtype, type_, shape in zip(self.dtypes, self.types, shapes, strict=True)
        ]

    def _shape(self, type_: Any, base: int) -> list[int]:
        if not is_shaped(type_):
            return []
        return [
            (base if self.random.random() < 0.75 else int(self.random.integers(0, 5)))
            if type_.is_dynamic_dim(d)
            else type_.shape[d]
            for d in range(type_.rank)
        ]

    def _enlarge(self, shapes: list[list[int]]) -> None:
        """One dynamic size becomes a number that the IR has."""
        places = [
            (shape, d)
            for type_, shape in zip(self.types, shapes, strict=True)
            for d in range(len(shape))
            if type_.is_dynamic_dim(d)
        ]
        if places:
            shape, d = places[int(self.random.integers(len(places)))]
            shape[d] = int(self.random.choice(self.sizes))

    def _contents(self, dtype: Any, shape: list[int], bound: int, type_: Any) -> np.ndarray:
        if dtype == np.bool_:
            return self.random.random(shape) < 0.5
        if is_integer(dtype):
            return self._integers(dtype, shape, bound, type_)
        if dtype.kind == "c" or dtype in (ml_dtypes.complex32, ml_dtypes.bcomplex32):
            parts = [self._floats(shape).astype(np.float64) for _ in range(2)]
            return (parts[0] + 1j * parts[1]).astype(np.complex128).astype(dtype)
        with np.errstate(all="ignore"):
            return self._floats(shape).astype(dtype)

    def _integers(self, dtype: Any, shape: list[int], bound: int, type_: Any) -> np.ndarray:
        r, count = self.random, prod(shape)
        least, most = bounds_of(scalar_type(type_))
        style = r.choice(
            ["below", "near", "apart", "ascending", "any"], p=[0.3, 0.2, 0.2, 0.1, 0.2]
        )
        if not is_shaped(type_) and isinstance(type_, ir.IndexType):
            # It may be a size.
            numbers = r.integers(-1, 5, count)
        elif style == "below":
            numbers = r.integers(0, bound, count)
        elif style == "near":
            numbers = r.integers(-bound - 1, bound + 2, count)
        elif style == "apart":
            numbers = r.permutation(max(count, bound))[:count]
        elif style == "ascending":
            numbers = np.sort(r.permutation(max(count, bound))[:count])
        else:
            numbers = self._special(count, bound)
        fitting = [(int(n) - least) % (most - least + 1) + least for n in numbers]
        return np.array(fitting, object).reshape(shape).astype(dtype)

    def _special(self, count: int, bound: int) -> list[int]:
        """Numbers of the IR, ends of ranges, and what wraps around to a coordinate."""
        r = self.random
        ends = [s * (1 << b) + k for b in (7, 8, 15, 16, 31, 32, 63) for s in (1, -1)
                for k in range(-2, min(bound, 3) + 1)]  # fmt: skip
        pool = [*self.hints.numbers, *ends, *range(-bound - 1, bound + 2)]
        small = list(range(bound))
        return [int(pool[r.integers(len(pool))]) if r.random() < 0.5 else
                small[r.integers(len(small))] for _ in range(count)]  # fmt: skip

    def _floats(self, shape: list[int]) -> np.ndarray:
        r, count = self.random, prod(shape)
        style = r.choice(["plain", "special", "rounding"])
        is_rare = self.hints.finite and r.random() < 0.5
        if self.hints.exact and (style != "special" or is_rare):
            return r.integers(-8, 9, shape).astype(np.float64)
        if style == "plain" or (style == "special" and is_rare):
            numbers = np.arange(1, count + 1) / 2 * r.choice([-1, 1])
        elif style == "special":
            numbers = r.choice([0.0, -0.0, np.nan, np.inf, -np.inf, 1.0, -1.5, 2.0], count)
        else:
            numbers = r.choice([1e30, -1e30, 1.0, 0.1, 3.3e-9, -7.7, 1e8], count)
        return np.asarray(numbers, np.float64).reshape(shape)
