"""The published patterns of the Spatter benchmark as numbers: uniform and mostly-one strides,
Laplacian stencils, and what was traced of AMG, LULESH, Nekbone and PENNANT.

A pattern is a list of offsets, moved on by `delta` in each of `count` steps. Where Spatter writes
what it gathers into a few cache lines over and over, each step has its own here, as a program has
that uses them; so counts are cut where results or sources would not fit into memory.
Source: github.com/hpcgarage/spatter, README.md and standard-suite/.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

MOST_STEPS = 1 << 20
"""Steps of a pattern, at most: 128 MB of results for 16 offsets."""

MOST_ELEMENTS = 1 << 26
"""Elements that the steps of a pattern move over, at most: 512 MB."""


@dataclass(frozen=True)
class Pattern:
    """Element `i * delta + offsets[j]` is gathered from or scattered to, for each j of step i."""

    name: str
    offsets: tuple[int, ...]
    delta: int
    count: int
    scatter: bool = False

    @property
    def steps(self) -> int:
        """`count`, or as many steps as there is memory for."""
        return min(self.count, MOST_STEPS, MOST_ELEMENTS // max(1, self.delta))


def uniform(length: int, stride: int) -> tuple[int, ...]:
    """Spatter's UNIFORM: so many offsets, `stride` elements apart."""
    return tuple(range(0, length * stride, stride))


def mostly_one(length: int, places: Collection[int], gap: int) -> tuple[int, ...]:
    """Spatter's MS1: offsets one element apart, but `gap` elements before those at `places`."""
    offsets = [0]
    for place in range(1, length):
        offsets.append(offsets[-1] + (gap if place in places else 1))
    return tuple(offsets)


def laplacian(dimensions: int, order: int, size: int) -> tuple[int, ...]:
    """Spatter's LAPLACIAN: a star of `order` points to each side along each dimension of a grid of
    `size` points a dimension."""
    arms = [k * size**d for d in range(dimensions) for k in range(1, order + 1)]
    offsets = sorted({0, *arms, *(-arm for arm in arms)})
    return tuple(offset - offsets[0] for offset in offsets)


AMG = (
    (1333, 0, 1, 2, 36, 37, 38, 72, 73, 74, 1296, 1297, 1298, 1332, 1334, 1368),
    (1333, 0, 1, 36, 37, 72, 73, 1296, 1297, 1332, 1368, 1369, 2592, 2593, 2628, 2629),
)
AMG_STEPS = 1_454_647

# Offsets, delta, steps, whether it is a scatter.
LULESH = (
    (uniform(16, 24), 0, 577_806, True),
    (uniform(16, 8), 1, 231_198, False),
    (uniform(16, 8), 1, 167_805, True),
    (uniform(16, 24), 8, 128_002, True),
    (uniform(16, 24), 4, 96_360, False),
    (uniform(16, 24), 8, 96_360, False),
    (uniform(16, 24), 8, 96_186, False),
    (uniform(16, 24), 1, 88_011, True),
    (uniform(16, 1), 8, 76_794, False),
    (uniform(16, 1), 41, 76_794, False),
    (uniform(16, 1), 1, 76_794, False),
    (uniform(16, 24), 1, 72_270, False),
)

NEKBONE = (
    (uniform(16, 6), 3, 982_980),
    (uniform(16, 6), 8, 982_980),
    (uniform(16, 6), 8, 491_490),
)

_TURNED = (4, 8, 12, 0, 20, 24, 28, 16, 36, 40, 44, 32, 52, 56, 60, 48)
_TURNED_BACK = (6, 0, 2, 4, 14, 8, 10, 12, 22, 16, 18, 20, 30, 24, 26, 28)
_SIDES = (482, 0, 2, 484, 484, 2, 4, 486, 486, 4, 6, 488, 488, 6, 8, 490)
_FOURS = tuple(k // 4 for k in range(16))

# As LULESH; those that its list has twice are here once.
PENNANT = (
    (uniform(16, 4), 2, 83_333_333, False),
    (_TURNED, 2, 83_333_333, False),
    (_TURNED_BACK, 518_408, 482, False),
    ((2, 484, 482, 0, 4, 486, 484, 2, 6, 488, 486, 4, 8, 490, 488, 6), 2, 83_333_333, False),
    ((0, 2, 484, 482, 2, 4, 486, 484, 4, 6, 488, 486, 6, 8, 490, 488), 2, 83_333_333, False),
    (_SIDES, 482, 517_598, False),
    (uniform(16, 4), 1, 125_000_000, True),
    (_FOURS, 388_848, 642, False),
    (_TURNED, 4, 50_000_000, False),
    (_FOURS, 1_882_384, 132, False),
    (_TURNED_BACK, 1_036_816, 241, False),
    (_SIDES, 480, 519_750, False),
    ((2, 0, 0, 0) * 4, 129_608, 1928, False),
    (_FOURS, 4, 50_000_000, False),
    (_FOURS, 388_852, 642, False),
)


def patterns() -> Iterator[Pattern]:
    """All of them: those made by rules, then those that were traced."""
    for stride in (1, 2, 4, 8, 16, 32, 64, 128):
        for scatter in (False, True):
            steps = 31_250_000 // stride
            yield Pattern(f"uniform:8:{stride}", uniform(8, stride), 8 * stride, steps, scatter)
    for places, gap in (((4,), 32), ((2, 3), 20), ((8,), 256)):
        offsets = mostly_one(16, places, gap)
        name = f"mostly-stride-1:16:{','.join(map(str, places))}:{gap}"
        yield Pattern(name, offsets, offsets[-1] + 1, MOST_STEPS)
    for dimensions, order, size in ((1, 1, 100), (2, 1, 1000), (2, 2, 1000), (3, 1, 100)):
        name = f"laplacian:{dimensions}:{order}:{size}"
        yield Pattern(name, laplacian(dimensions, order, size), 1, MOST_STEPS)
    for number, amg in enumerate(AMG):
        yield Pattern(f"AMG-{number}", amg, 1, AMG_STEPS)
    for number, (offsets, delta, count) in enumerate(NEKBONE):
        yield Pattern(f"Nekbone-{number}", offsets, delta, count)
    yield from _traced("LULESH", LULESH)
    yield from _traced("PENNANT", PENNANT)


def _traced(
    name: str, found: Sequence[tuple[tuple[int, ...], int, int, bool]]
) -> Iterator[Pattern]:
    for number, (offsets, delta, count, scatter) in enumerate(found):
        yield Pattern(f"{name}-{number}", offsets, delta, count, scatter)
