"""Random gs.generic programs whose maps hold numbers near the ends of 64 bits, and their results.

    x[s0 + 4611686018427387903 * d0 - 3]

Coordinates are drawn around the exact bounds, and at the ends of their type.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

COORDINATES = {
    "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "index": np.int64,
    "ui8": np.uint8, "ui16": np.uint16, "ui32": np.uint32, "ui64": np.uint64, "i1": np.bool_,
}  # fmt: skip
MODES = ("promise_in_bounds", "error", "clip", "fill_or_drop")
LARGE = tuple(
    sign * (2**power + more) for power in (31, 32, 61, 62, 63) for more in (-1, 0, 1)
    for sign in (1, -1)
)  # fmt: skip
NUMBERS = tuple(n for n in LARGE if -(2**63) <= n < 2**63)
SMALL = (0, 0, 1, 2, -1, 3)
FILL = -7.0


class OutOfBounds(Exception):
    """A coordinate is, or a place without coordinates."""


@dataclass(frozen=True)
class Affine:
    """factors[d] * d_j + constant, divided by `divisor`."""

    factors: tuple[int, ...]
    constant: int
    divisor: int = 1

    def text(self, symbol: str = "") -> str:
        terms = [_times(f"d{d}", n) for d, n in enumerate(self.factors) if n]
        total = " + ".join([*terms, _times("1", self.constant)])
        divided = f"({total}) floordiv {self.divisor}" if self.divisor > 1 else total
        return f"{symbol} + {divided}" if symbol else divided

    def at(self, point: Sequence[int]) -> int:
        total = sum(n * d for n, d in zip(self.factors, point, strict=True)) + self.constant
        return total // self.divisor

    @property
    def is_refused(self) -> bool:
        """C11 of gs.generic."""
        if max(map(abs, (self.constant, *self.factors))) >= 2**62:
            return True
        if self.divisor == 1:
            return False
        most = sum(abs(n) for n in self.factors) * (2**31 - 1)
        return max(most + abs(self.constant), self.divisor) >= 2**62


def _times(term: str, number: int) -> str:
    """The product, of numbers that MLIR's parser takes."""
    if number == -(2**63):
        return f"{term} * -{2**63 - 1} - {term}"
    return f"{term} * {number}"


@dataclass(frozen=True)
class Case:
    """`writes`: the coordinate addresses the output, of `size`, else the input; `moved` is what is
    added to it there. `at`: which of `values` it is. `plain`: what addresses a second input, of
    `plain_size`, without it; None for no such input."""

    extents: tuple[int, ...]
    size: int
    moved: Affine
    plain: Affine | None
    plain_size: int
    coordinate: str
    at: Affine
    values: tuple[int, ...]
    mode: str
    wrap: bool
    writes: bool
    dynamic: bool

    @property
    def is_refused(self) -> bool:
        """C11, or C7: nothing to clip to."""
        nowhere = self.mode == "clip" and self.size == 0
        maps = (self.moved, self.at, self.plain)
        return nowhere or any(each is not None and each.is_refused for each in maps)

    def text(self) -> str:
        dims = ", ".join(f"d{d}" for d in range(len(self.extents)))

        def map_(*results: str) -> str:
            return f"affine_map<({dims})[s0] -> ({', '.join(results)})>"

        def type_(element: str, *sizes: int) -> str:
            shape = "".join("?x" if self.dynamic else f"{n}x" for n in sizes)
            return f"tensor<{shape}{element}>"

        places, all_ = map_(self.moved.text("s0")), map_(*dims.split(", "))
        array, points = type_("f32", self.size), type_("f32", *self.extents)
        source, target = (points, array) if self.writes else (array, points)
        maps, types = [all_, places] if self.writes else [places, all_], [source]
        names, arguments = ["%x"], ["%a: f32"]
        if self.plain is not None:
            types.append(type_("f32", self.plain_size))
            maps.insert(1, map_(self.plain.text()))
            names.append("%p")
            arguments.append("%b: f32")
        value = "%n" if self.plain is not None else "%a"
        add = "%n = arith.addf %a, %b : f32\n    " if self.plain is not None else ""
        types += [type_(self.coordinate, len(self.values)), target]
        names += ["%i", "%y"]
        taken = [1] * len(arguments) + [0] * (8 - len(arguments)) + [1] + [0] * 7 + [1, 0, 0, 0]
        kind = "reduction" if self.writes else "parallel"
        wrap = ", wrap_negative = array<i1: true>" if self.wrap else ""
        given = ", ".join(f"{n}: {t}" for n, t in zip(names, types, strict=True))
        fills = ", ".join([f"{FILL} : f32"] * len(arguments))
        return f"""func.func @f({given}) -> {target} {{
  %r = "gs.generic"({", ".join(names)}) ({{
  ^bb0({", ".join(arguments)}, %o: f32):
    {add}"gs.yield"({value}) : (f32) -> ()
  }}) {{coordinate_maps = [[{map_(self.at.text())}]], indexing_maps = [{", ".join(maps)}],
    iterator_types = [{", ".join([f'"{kind}"'] * len(self.extents))}],
    operandSegmentSizes = array<i32: {", ".join(map(str, taken))}>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>,
    modes = ["{self.mode}"]{wrap}, fill_values = [{fills}]}}
      : ({", ".join(types)}) -> {target}
  return %r : {target}
}}
"""

    def arguments(self) -> list[np.ndarray]:
        points = np.arange(np.prod(self.extents), dtype=np.float32).reshape(self.extents)
        array = np.arange(self.size, dtype=np.float32) + 100
        extra = [np.arange(self.plain_size, dtype=np.float32) * 1000] if self.plain else []
        index = np.array(self.values, object).astype(COORDINATES[self.coordinate])
        ends = [points, array] if self.writes else [array, points]
        return [ends[0], *extra, index, ends[1]]

    def expected(self) -> np.ndarray:
        """The result. OutOfBounds where the op reports an error, or breaks a promise."""
        source, *extra, index, target = self.arguments()
        points = list(np.ndindex(*self.extents))
        # Where nothing moves, nothing can leave.
        moves = [self.moved.at(point) for point in points]
        window = self._window(moves)
        reads = [self.at.at(point) for point in np.ndindex(*self._used(self.at))]
        if not all(0 <= read < len(index) for read in reads):
            raise OutOfBounds("a place of a coordinate")
        places = {read: self._place(int(index[read]), window) if window else 0 for read in reads}
        for point, move in zip(points, moves, strict=True):
            place = places[self.at.at(point)]
            added = 0.0
            if self.plain is not None:
                where = self.plain.at(point)
                if not 0 <= where < self.plain_size:
                    raise OutOfBounds("a place without coordinates")
                added = extra[0][where]
            if place is None:
                if not self.writes:
                    target[point] = FILL + added
            elif self.writes:
                target[place + move] = source[point] + added
            else:
                target[point] = source[place + move] + added
        return target

    def _window(self, moves: Sequence[int]) -> tuple[int, int] | None:
        """The first and the last coordinate in bounds; None where no window has a point."""
        used = [n for n, factor in zip(self.extents, self.moved.factors, strict=True) if factor]
        if 0 in used:
            return None
        moves = [self.moved.at(point) for point in np.ndindex(*self._used(self.moved))]
        return -min(moves), self.size - 1 - max(moves)

    def _used(self, map_: Affine) -> list[int]:
        """The extents, 1 for dims that the map does not use."""
        return [n if used else 1 for n, used in zip(self.extents, map_.factors, strict=True)]

    def _place(self, coordinate: int, window: tuple[int, int]) -> int | None:
        first, last = window
        if self.wrap and coordinate < 0:
            coordinate += self.size
        if first <= coordinate <= last:
            return coordinate
        if self.mode == "fill_or_drop":
            return None
        if self.mode == "clip" and first <= last:
            return max(min(coordinate, last), first)
        if self.mode != "error" and 0 in self.extents:
            return None
        raise OutOfBounds(self.mode)


def case(seed: int, number: int) -> Case:
    """Case `number`; the same ones for a seed."""
    rng = np.random.default_rng([seed, number])

    def chance(one_in: int) -> bool:
        return int(rng.integers(one_in)) == 0

    def one_of(options: Sequence) -> object:
        return options[int(rng.integers(len(options)))]

    rank = 1 + chance(2)
    extents = tuple(int(one_of((1, 1, 2, 3, 4, 0))) for _ in range(rank))

    def number_of(small_in: int) -> int:
        return int(one_of(SMALL if not chance(small_in) else NUMBERS))

    def affine(divides: bool) -> Affine:
        factors = [number_of(2) if chance(2) or d else 0 for d in range(rank)]
        constant = number_of(3)
        divisor = int(one_of((2, 3, 2**31, 2**61 - 1, 2**62))) if divides else 1
        return Affine(tuple(factors), constant, divisor)

    coordinate = str(one_of(tuple(COORDINATES)))
    size, moved = int(rng.integers(0, 7)), affine(False)
    plain = affine(chance(2)) if chance(3) else None
    # No smaller than a dim, so that it is never the extent of one.
    plain_size = max(int(rng.integers(1, 7)), *extents)
    low, high = _limits(coordinate)
    used = [extents[d] if n else 1 for d, n in enumerate(moved.factors)]
    moves = [moved.at(point) for point in np.ndindex(*used)] or [0]
    first, last = -min(moves), size - 1 - max(moves)
    near = [b + more for b in (first, last, first - size, 0, low, high) for more in (-1, 0, 1, 2)]
    values = [n for n in near if low <= n <= high] or [0]
    inside = [n for n in range(first, min(last, first + 6) + 1) if low <= n <= high] or values
    quiet = chance(2)
    at, count = Affine((1, *[0] * (rank - 1)), 0), extents[0]
    if chance(2) and 0 not in extents:
        at = affine(chance(3))
        reach = 1 + max(at.at(point) for point in np.ndindex(*extents))
        # No smaller than a dim, as above.
        count = max(reach if reach < 20 else int(rng.integers(1, 7)), *extents)
    picked = tuple(int(one_of(inside if quiet else values)) for _ in range(count))
    return Case(
        extents, size, moved, plain, plain_size, coordinate, at, picked,
        str(one_of(MODES)), chance(3), chance(3), chance(2),
    )  # fmt: skip


def _limits(coordinate: str) -> tuple[int, int]:
    if coordinate == "i1":
        return 0, 1
    info = np.iinfo(COORDINATES[coordinate])
    return int(info.min), int(info.max)
