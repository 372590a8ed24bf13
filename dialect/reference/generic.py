"""`gs.generic` in the reference: a loop nest in row-major order, element by element."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from mlir_gs.dialect.reference.coordinates import (
    CoordinateError,
    UndefinedBehavior,
    default_fill,
)
from mlir_gs.dialect.reference.maps import AffineMap, Result, as_map

Maps = Sequence["str | AffineMap"]
# Takes one element per input and the current one per output; gives the new one per output.
Body = Callable[..., Any]


def generic(
    inputs: Sequence[np.ndarray],
    indices: Sequence[np.ndarray],
    outputs: Sequence[np.ndarray],
    indexing_maps: Maps,
    coordinate_maps: Sequence[Maps],
    iterator_types: Sequence[str],
    body: Body,
    modes: Sequence[str] | None = None,
    wrap_negative: Sequence[bool] | None = None,
    fill_values: Sequence[Any] | None = None,
    sorted: bool = False,
    in_place: bool = False,
) -> tuple[np.ndarray, ...]:
    """The outputs after the loop nest; the arrays given are not written, or those (`in_place`).

    For each point d of the iteration space in row-major order, the symbols s are loaded from
    `indices` through `coordinate_maps` (affine maps as text or parsed, one list per operand),
    the inputs and the current outputs through `indexing_maps`, and the outputs become what
    `body` gives. Raises CoordinateError under mode "error" before anything is written,
    UndefinedBehavior on a broken promise, ValueError on sizes that do not fit.
    """
    if not in_place:
        outputs = [output.copy() for output in outputs]
    maps = [as_map(m) for m in indexing_maps]
    in_maps, out_maps = maps[: len(inputs)], maps[len(inputs) :]
    # Symbols are numbered through the coordinate maps in order, operand after operand.
    loads = [
        (operand, as_map(m))
        for operand, group in zip(indices, coordinate_maps, strict=True)
        for m in group
    ]
    operands = [
        *((m, operand.shape) for operand, m in loads),
        *((m, operand.shape) for m, operand in zip(in_maps, inputs, strict=True)),
        *((m, operand.shape) for m, operand in zip(out_maps, outputs, strict=True)),
    ]
    extents = iteration_extents(operands, len(iterator_types))
    symbols = _Symbols(loads, operands, extents, modes, wrap_negative)
    symbols.check_errors()
    fills = fill_values if fill_values is not None else [None] * len(inputs)
    parallel = [j for j, kind in enumerate(iterator_types) if kind == "parallel"]
    writers: dict[tuple[int, tuple[int, ...]], list[int]] = {}

    through = [[m for m in each if m.symbols] for each in (out_maps, in_maps)]
    # `sorted` speaks of the outputs, or of the inputs where no output has coordinates.
    orders = [_Order(symbols, m) for m in through[0] or through[1]] if sorted else []

    for d in np.ndindex(extents):
        s = symbols.load(d)
        for order in orders:
            order.follow(d, s)
        elements = [
            _read(operand, _address(m, d, s), fill)
            for operand, m, fill in zip(inputs, in_maps, fills, strict=True)
        ]
        places = [_address(m, d, s) for m in out_maps]
        if places and all(place is None for place in places):
            # Nothing is written, so the body does not run.
            continue
        # The current element of an output that is skipped is nobody's to read.
        current = [_read(o, place, 0) for o, place in zip(outputs, places, strict=True)]
        with np.errstate(all="ignore"):
            new = body(*elements, *current)
        new = new if isinstance(new, tuple) else (new,)
        for number, (output, place, value) in enumerate(zip(outputs, places, new, strict=True)):
            if place is None:
                continue
            point = [d[j] for j in parallel]
            if writers.setdefault((number, place), point) != point:
                raise UndefinedBehavior(f"two parallel iterations write output {number} {place}")
            output[(*place, ...)] = value
    return tuple(outputs)


def iteration_extents(
    operands: Iterable[tuple[AffineMap, tuple[int, ...]]], num_dims: int
) -> tuple[int, ...]:
    """The extent of each iteration dim: the least size among its plain appearances.

    ValueError if one has none.
    """
    extents: dict[int, int] = {}
    for m, shape in operands:
        if len(m.results) != len(shape):
            raise ValueError(f"a map with {len(m.results)} results needs that rank, not {shape}")
        for result, size in zip(m.results, shape, strict=True):
            j = result.plain_dim
            if j is not None:
                extents[j] = min(size, extents.get(j, size))
    missing = [j for j in range(num_dims) if j not in extents]
    if missing:
        raise ValueError(f"iteration dims {missing} have no extent")
    return tuple(extents[j] for j in range(num_dims))


class _Symbols:
    """The coordinates of a generic: how they are loaded, and the bounds they must keep."""

    def __init__(
        self,
        loads: Sequence[tuple[np.ndarray, AffineMap]],
        operands: Sequence[tuple[AffineMap, tuple[int, ...]]],
        extents: tuple[int, ...],
        modes: Sequence[str] | None,
        wrap_negative: Sequence[bool] | None,
    ) -> None:
        self.loads, self.extents = loads, extents
        count = len(loads)
        self.modes = list(modes) if modes is not None else ["promise_in_bounds"] * count
        self.wrap = list(wrap_negative) if wrap_negative is not None else [False] * count
        # Uses of each symbol: (lo, hi, N) of `s + f(d)`, f in [lo, hi], in a dim of size N.
        self.uses: list[list[tuple[int, int, int]]] = [[] for _ in loads]
        # The smallest size that each addresses: what a negative coordinate counts from.
        self.least_size: list[int | None] = [None] * count
        for m, shape in operands:
            for result, size in zip(m.results, shape, strict=True):
                for k in result.symbols:
                    known = self.least_size[k]
                    self.least_size[k] = size if known is None else min(known, size)
                    reach = self._reach(result)
                    if reach is not None:
                        self.uses[k].append((*reach, size))

    def _reach(self, result: Result) -> tuple[int, int] | None:
        """The least and the greatest f(d) on the iteration box; None if the box is empty."""
        box = [self.extents[j] if j in result.dims else 1 for j in range(len(self.extents))]
        values = [result.offset(d) for d in np.ndindex(*box)]
        return (min(values), max(values)) if values else None

    def fits(self, k: int, coordinate: int) -> bool:
        """Whether every use of the coordinate, already wrapped, lies in its operand."""
        return all(coordinate + lo >= 0 and coordinate + hi < n for lo, hi, n in self.uses[k])

    def raw(self, k: int, d: Sequence[int], s: Sequence[int | None]) -> tuple[int, Any] | None:
        """(coordinate, its position) as it stands in the operand; None if it hangs on one that
        is filled or dropped."""
        operand, m = self.loads[k]
        position = _address(m, d, s)
        return None if position is None else (int(_read(operand, position, 0)), position)

    def resolved(self, k: int, coordinate: int) -> int | None:
        """The coordinate that is used; None where the mode fills or drops."""
        size = self.least_size[k]
        if self.wrap[k] and coordinate < 0 and size is not None:
            coordinate += size
        if self.fits(k, coordinate):
            return coordinate
        if self.modes[k] == "clip":
            lower = max(-lo for lo, _, _ in self.uses[k])
            upper = min(size - 1 - hi for _, hi, size in self.uses[k])
            clamped = max(min(coordinate, upper), lower)
            if not self.fits(k, clamped):
                raise UndefinedBehavior("mode clip where the window does not fit")
            return clamped
        if self.modes[k] == "fill_or_drop":
            return None
        raise UndefinedBehavior(f"coordinate {coordinate} of s{k} is out of bounds")

    def load(self, d: Sequence[int]) -> list[int | None]:
        """The symbols at point d."""
        s: list[int | None] = []
        for k in range(len(self.loads)):
            loaded = self.raw(k, d, s)
            s.append(None if loaded is None else self.resolved(k, loaded[0]))
        return s

    def check_errors(self) -> None:
        """Raise CoordinateError for the first coordinate out of bounds under mode "error".

        Symbol by symbol; of each, every coordinate that its map reaches on the iteration box.
        """
        for k, mode in enumerate(self.modes):
            if mode != "error":
                continue
            for d in np.ndindex(*self._check_box(k)):
                loaded = self.raw(k, d, self._before(k, d))
                if loaded is None:
                    continue
                coordinate, position = loaded
                wrapped = coordinate
                if self.wrap[k] and coordinate < 0:
                    wrapped += self.least_size[k] or 0
                if not self.fits(k, wrapped):
                    size = self.least_size[k]
                    assert size is not None
                    raise CoordinateError(f"coordinate s{k}", coordinate, position, size)

    def _check_box(self, k: int) -> list[int]:
        """The iteration box in the dims that s_k hangs on, 1 in the others."""
        dims, pending = set(), [k]
        while pending:
            m = self.loads[pending.pop()][1]
            dims |= m.dims
            pending += m.symbols
        return [n if j in dims else 1 for j, n in enumerate(self.extents)]

    def _before(self, k: int, d: Sequence[int]) -> list[int | None]:
        """The symbols that s_k may hang on, at point d; the others are left None."""
        s: list[int | None] = []
        needed = self.loads[k][1].symbols
        for j in range(k):
            loaded = self.raw(j, d, s) if j in needed or self._feeds(j, k) else None
            s.append(None if loaded is None else self.resolved(j, loaded[0]))
        return s

    def _feeds(self, j: int, k: int) -> bool:
        """Whether s_k hangs on s_j, directly or through others."""
        symbols = self.loads[k][1].symbols
        return j in symbols or any(self._feeds(j, n) for n in symbols)


class _Order:
    """The coordinates through which the map `m` addresses, which are promised to ascend."""

    def __init__(self, symbols: _Symbols, m: AffineMap) -> None:
        self.symbols, self.used = symbols, np.unique([*m.symbols]).tolist()
        self.plain = [r.plain_dim for r in m.results if r.plain_dim is not None]
        # By position in the plain dims, those of the point before.
        self.last: dict[tuple[int, ...], tuple[int, ...]] = {}

    def follow(self, d: Sequence[int], s: Sequence[int | None]) -> None:
        """Point d comes next; UndefinedBehavior where its coordinates are less than the last."""
        loaded = [self.symbols.raw(k, d, s) for k in self.used]
        if any(each is None for each in loaded):
            return
        here = tuple(each[0] for each in loaded if each is not None)
        place = tuple(d[j] for j in self.plain)
        if here < self.last.get(place, here):
            raise UndefinedBehavior(f"coordinates {here} at {tuple(d)} descend under sorted")
        self.last[place] = here


def _address(m: AffineMap, d: Sequence[int], s: Sequence[int | None]) -> tuple[int, ...] | None:
    """Where the map points; None through a symbol that is filled or dropped."""
    if any(s[k] is None for k in m.symbols):
        return None
    return m(d, [k or 0 for k in s])


def _read(operand: np.ndarray, place: tuple[int, ...] | None, fill: Any) -> np.ndarray:
    """A copy of one element, or the fill value (None: the default one)."""
    if place is None:
        value = default_fill(operand.dtype) if fill is None else fill
        return np.asarray(value).astype(operand.dtype)
    if any(not 0 <= c < n for c, n in zip(place, operand.shape, strict=True)):
        raise UndefinedBehavior(f"access {place} leaves the operand of shape {operand.shape}")
    return operand[(*place, ...)].copy()
