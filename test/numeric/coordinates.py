"""Random coordinates that keep what an op promises, and break what its mode allows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from elements import from_integers, limits


@dataclass(frozen=True)
class Coordinates:
    """The array, and whether it is unique as was asked."""

    values: np.ndarray
    unique: bool


def _choices(
    coordinate: str, size: int, mode: str, wrap: bool, sorted: bool
) -> tuple[list[int], list[int]]:
    """(coordinates in bounds, one per element; others that the mode allows)."""
    low, high = limits(coordinate)
    inside = [c for c in range(size) if c <= high]
    others: list[int] = []
    if wrap and not sorted:
        others += [c for c in range(-size, 0) if c >= low]
    if mode in ("clip", "fill", "drop", "error"):
        far = [size, size + 1, 2 * size + 3, high, 127, 2**31 - 1, 2**32 + 1]
        if not sorted or not wrap:
            far += [-1, -size - 1, -2 * size - 3, low, -128, -(2**31)]
        others += [c for c in far if low <= c <= high and not 0 <= c < size]
    return inside, others


def tuple_coordinates(
    rng: np.random.Generator,
    coordinate: str,
    leading: Sequence[int],
    sizes: Sequence[int],
    batch: int,
    mode: str,
    wrap: bool,
    unique: bool,
    sorted: bool,
) -> Coordinates:
    """Tuples for dims of `sizes`, shape leading ++ [len(sizes)].

    Under promise_in_bounds and clip a size of 0 needs a leading size of 0.
    """
    lines = int(np.prod(leading[:batch]))
    count = int(np.prod(leading[batch:]))
    choices = [_choices(coordinate, n, mode, wrap, sorted) for n in sizes]
    room = int(np.prod([len(inside) for inside, _ in choices]))
    unique = unique and room >= count
    # One program in two under "error" does not fail.
    quiet = mode == "error" and rng.random() < 0.5
    values = np.zeros((lines, count, len(sizes)), object)
    for line in range(lines):
        if unique:
            picked = rng.choice(room, count, replace=False)
            spots = np.unravel_index(picked, [len(inside) for inside, _ in choices])
            for k, (inside, _) in enumerate(choices):
                values[line, :, k] = [inside[n] for n in spots[k]]
            _leave(rng, values[line], choices, mode)
        else:
            for k, (inside, others) in enumerate(choices):
                allowed = [c for c in others if -sizes[k] <= c < 0 and wrap] if quiet else others
                values[line, :, k] = [_one(rng, inside, allowed) for _ in range(count)]
        if sorted:
            ordered = np.empty(count, object)
            ordered[:] = [tuple(row) for row in values[line]]
            for n, row in enumerate(builtin_sorted(ordered)):
                values[line, n] = row
    shaped = values.reshape(*leading, len(sizes))
    return Coordinates(from_integers(shaped, coordinate), unique)


builtin_sorted = sorted


def _leave(
    rng: np.random.Generator,
    rows: np.ndarray,
    choices: Sequence[tuple[list[int], list[int]]],
    mode: str,
) -> None:
    """Send some unique tuples out of bounds, where that only means that they are skipped."""
    outside = [[c for c in others if c >= 0] for _, others in choices]
    if mode not in ("fill", "drop"):
        return
    for row in rows:
        k = rng.integers(len(choices))
        if outside[k] and rng.random() < 0.2:
            row[k] = outside[k][rng.integers(len(outside[k]))]


def _one(rng: np.random.Generator, inside: Sequence[int], others: Sequence[int]) -> int:
    if others and (not inside or rng.random() < 0.3):
        return others[rng.integers(len(others))]
    # An error that must not fail in a dim of size 0 cannot be had: it fails.
    return inside[rng.integers(len(inside))] if inside else 0


def element_coordinates(
    rng: np.random.Generator,
    coordinate: str,
    shape: Sequence[int],
    dim: int,
    size: int,
    mode: str,
    wrap: bool,
    unique: bool,
    sorted: bool,
) -> Coordinates:
    """One coordinate per element of `shape`, for a dim of `size`; unique along `dim`."""
    inside, others = _choices(coordinate, size, mode, wrap, sorted)
    count = shape[dim]
    unique = unique and len(inside) >= count
    if mode == "error" and rng.random() < 0.5:
        others = [c for c in others if -size <= c < 0 and wrap]
    off = [n for d, n in enumerate(shape) if d != dim]
    values = np.zeros((*off, count), object)
    for line in np.ndindex(*off):
        if unique:
            picked = list(rng.choice(inside, count, replace=False)) if count else []
            outside = [c for c in others if c >= 0]
            if mode in ("fill", "drop") and outside:
                skip = rng.random(count) < 0.2
                picked = [outside[0] if s else c for s, c in zip(skip, picked, strict=True)]
        else:
            picked = [_one(rng, inside, others) for _ in range(count)]
        values[line] = builtin_sorted(picked) if sorted else picked
    return Coordinates(from_integers(np.moveaxis(values, -1, dim), coordinate), unique)
