"""Bodies of random gs.generic programs: what each output combines with what, in MLIR and NumPy.

Each output has a combiner, or None where it is overwritten, and a source: the value that it takes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from combiners import Combiner, combiners_of
from elements import COMPLEX, DTYPES, FLOATS, constant_text

SOURCES = ("inputs", "constant", "first", "last", "outside", "current", "other")
"""All inputs made one value, a constant, one input alone, a value from outside of the op, what the
output itself holds, what the last output holds."""

# NumPy applies them point by point: what one point writes another may read.
_ONE_BY_ONE = ("current", "other")


@dataclass(frozen=True)
class Bodies:
    """The body for `n_inputs` inputs: a combiner and a source for each output."""

    element: str
    n_inputs: int
    combiners: tuple[str | None, ...]
    sources: tuple[str, ...]

    def text(self) -> str:
        """The region; `%outside` is defined before the op where it is used."""
        inputs = [f"%i{n}" for n in range(self.n_inputs)]
        current = [f"%o{n}" for n in range(len(self.combiners))]
        arguments = ", ".join(f"{name}: {self.element}" for name in (*inputs, *current))
        lines: list[str] = []
        yielded = []
        for n, (name, source) in enumerate(zip(self.combiners, self.sources, strict=True)):
            ops, value = self._source(source, inputs, current, n)
            lines += ops
            if name is not None:
                combiner = combiners_of(self.element)[name]
                ops, value = combiner.ops(self.element, current[n], value, f"c{n}_")
                lines += ops
            yielded.append(value)
        types = ", ".join([self.element] * len(yielded))
        text = "".join(f"    {line}\n" for line in lines)
        return (
            f'  ^bb0({arguments}):\n{text}    "gs.yield"({", ".join(yielded)}) : ({types}) -> ()\n'
        )

    def _source(
        self, source: str, inputs: Sequence[str], current: Sequence[str], n: int
    ) -> tuple[list[str], str]:
        if source in _ONE_BY_ONE:
            return [], current[n if source == "current" else -1]
        if source == "outside":
            return [], "%outside"
        if source == "constant" or not inputs:
            return self._constant(n)
        if source in ("first", "last") or len(inputs) == 1:
            return [], inputs[-1 if source == "last" else 0]
        return self._function.ops(self.element, inputs[0], inputs[1], f"v{n}_")

    @property
    def _function(self) -> Combiner:
        """Of two inputs: multiplied, added where elements are not, or-ed where they are bits."""
        table = combiners_of(self.element)
        is_number = self.element in FLOATS or self.element in COMPLEX
        return table["mul"] if is_number else table["add"]

    def _constant(self, n: int) -> tuple[list[str], str]:
        constant = constant_text(one(self.element), self.element)
        if self.element in COMPLEX:
            return [f"%k{n} = complex.constant {constant} : {self.element}"], f"%k{n}"
        if self.element[0] in "us":
            signless = "i" + self.element.lstrip("usi")
            return [
                f"%bits{n} = arith.constant 1 : {signless}",
                f"%k{n} = builtin.unrealized_conversion_cast %bits{n} : {signless} "
                f"to {self.element}",
            ], f"%k{n}"
        return [f"%k{n} = arith.constant {constant}"], f"%k{n}"

    def apply(
        self,
        values: Sequence[np.ndarray],
        outputs: Sequence[np.ndarray],
        spots: Sequence[tuple[np.ndarray, ...]],
        good: Sequence[np.ndarray],
        outside: np.ndarray | None,
    ) -> None:
        """Write to `outputs`, at `spots` where it is `good`, what `values` give at all points."""
        points = len(good[0])
        taken = [self._taken(source, values, points, outside) for source in self.sources]
        if any(source in _ONE_BY_ONE for source in self.sources):
            for point in range(points):
                self._point(point, taken, outputs, spots, good)
            return
        for n, name in enumerate(self.combiners):
            where = tuple(axis[good[n]] for axis in spots[n])
            updates = taken[n][good[n]]
            if name is None:
                outputs[n][where] = updates
            else:
                with np.errstate(all="ignore"):
                    combiners_of(self.element)[name].at(outputs[n], where, updates)

    def _taken(
        self, source: str, values: Sequence[np.ndarray], points: int, outside: np.ndarray | None
    ) -> np.ndarray:
        if source == "outside":
            assert outside is not None
            return np.broadcast_to(outside, points)
        if source == "constant" or source in _ONE_BY_ONE or not values:
            return np.full(points, one(self.element), DTYPES[self.element])
        if source in ("first", "last") or len(values) == 1:
            return values[-1 if source == "last" else 0]
        return self._function.apply(values[0], values[1])

    def _point(
        self,
        point: int,
        taken: Sequence[np.ndarray],
        outputs: Sequence[np.ndarray],
        spots: Sequence[tuple[np.ndarray, ...]],
        good: Sequence[np.ndarray],
    ) -> None:
        where = [tuple(int(axis[point]) for axis in each) for each in spots]
        current = [
            output[place].copy() if fine[point] else None
            for output, place, fine in zip(outputs, where, good, strict=True)
        ]
        for n, (name, source) in enumerate(zip(self.combiners, self.sources, strict=True)):
            if not good[n][point]:
                continue
            update = taken[n][point]
            if source in _ONE_BY_ONE:
                update = current[n if source == "current" else -1]
            if name is None:
                outputs[n][where[n]] = update
                continue
            spot = tuple(np.array([place]) for place in where[n])
            with np.errstate(all="ignore"):
                combiners_of(self.element)[name].at(outputs[n], spot, np.asarray(update)[None])


def one(element: str) -> np.ndarray:
    return np.array(1).astype(DTYPES[element])
