"""Where the coordinates of a gather or scatter come from, traced through ops that only move them.

JAX wraps each index array, spreads it over the positions and joins the arrays to one tensor. A
`gs.generic` reads each array where it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.structure import SLOTS
from mlir_gs.frontend.common.shapes import with_trailing_unit, without_unit_dims
from mlir_gs.frontend.stablehlo.common import coordinates
from mlir_gs.frontend.stablehlo.modes import without_wrap
from mlir_gs.frontend.stablehlo.windows import Windows
from mlir_gs.lowering.ir.builders import producer

_MOST_INDICES = dict(SLOTS)["index"]


class At(NamedTuple):
    """A constant position."""

    position: int


Place = int | At
"""Along a dim of a tensor: the number of a dim of positions, or a constant."""


@dataclass(frozen=True)
class Coordinate:
    """One coordinate: an element of `value`, at `places`; `wrapped` if negative ones count."""

    value: ir.Value
    places: tuple[Place, ...]
    wrapped: bool = False


@dataclass(frozen=True)
class Starts:
    """The coordinates of a gather or scatter, in the order of its `start_map`."""

    columns: tuple[Coordinate, ...]

    @classmethod
    def of(cls, indices: ir.Value, windows: Windows, operand: ir.Value, plain: bool) -> "Starts":
        """`plain`: the indices as they are, nothing is traced."""
        rank = indices.type.rank
        position = {dim: place for place, dim in enumerate(windows.index_dims)}
        columns = []
        for number, dim in enumerate(windows.start_map):
            places = tuple(position.get(d, At(number)) for d in range(rank))
            column = Coordinate(indices, places)
            columns.append(column if plain else _traced(column, operand.type.shape[dim]))
        whole = cls(tuple(columns))
        # One tensor reads better than one operand for each coordinate, if it is there anyway.
        if not plain and len({c.value for c in whole.columns}) > _MOST_INDICES:
            return cls.of(indices, windows, operand, plain=True)
        return whole

    @property
    def wrapped(self) -> bool | None:
        """Whether negative coordinates count from the end; None where some do and some do not."""
        found = {column.wrapped for column in self.columns}
        return found.pop() if len(found) == 1 else None

    def joined(self, positions: int) -> ir.Value | None:
        """The one tensor `[positions.., coordinates]` that holds them all, if there is one."""
        first = self.columns[0]
        if any(column.value != first.value for column in self.columns):
            return None
        plain = tuple(range(positions))
        if len(self.columns) == 1 and first.places == plain:
            return with_trailing_unit(coordinates(first.value))
        if all(c.places == (*plain, At(k)) for k, c in enumerate(self.columns)):
            fits = first.value.type.shape[-1] == len(self.columns)
            return coordinates(first.value) if fits else None
        return None

    def single(self, positions: int) -> ir.Value | None:
        """The tensor `[positions..]` that holds the one coordinate, if there is one."""
        (column,) = self.columns
        units = [d for d, place in enumerate(column.places) if isinstance(place, At)]
        rest = [place for place in column.places if not isinstance(place, At)]
        if rest != list(range(positions)) or any(column.value.type.shape[d] != 1 for d in units):
            return None
        return without_unit_dims(coordinates(column.value), units)

    def addressing(self, windows: Windows, dims: Sequence[int]) -> "Addressing":
        """For gs.generic, with a symbol for each of `dims` of the operand."""
        columns = {dim: self.columns[windows.start_map.index(dim)] for dim in dims}
        values = list(dict.fromkeys(column.value for column in columns.values()))
        ordered = [[dim for dim in dims if columns[dim].value == value] for value in values]
        symbols = {dim: k for k, dim in enumerate(dim for group in ordered for dim in group)}
        loops = [windows.loop(leading) for leading in windows.leading_dims]

        def coordinate_map(column: Coordinate) -> ir.AffineMap:
            exprs = [
                ir.AffineConstantExpr.get(place.position) if isinstance(place, At) else loops[place]
                for place in column.places
            ]
            return ir.AffineMap.get(windows.moved_rank, len(symbols), exprs)

        return Addressing(
            symbols,
            [coordinates(value) for value in values],
            [[coordinate_map(columns[dim]) for dim in group] for group in ordered],
            [columns[dim].wrapped for group in ordered for dim in group],
        )


@dataclass(frozen=True)
class Addressing:
    """What a gs.generic has of its coordinates; `symbols` are numbered by operand dim."""

    symbols: Mapping[int, int]
    indices: Sequence[ir.Value]
    coordinate_maps: Sequence[Sequence[ir.AffineMap]]
    wrap_negative: Sequence[bool]


def _traced(column: Coordinate, size: int) -> Coordinate:
    """`column` where it comes from; `size` is that of the dim that it addresses."""
    while True:
        before = _step(column, size)
        if before is None:
            return column
        column = before


def _step(column: Coordinate, size: int) -> Coordinate | None:
    """`column` in front of the op that made it, if that only moved or wrapped it."""
    value, places = column.value, column.places
    if not column.wrapped:
        plain = without_wrap(value, size)
        if plain is not None:
            return Coordinate(plain, places, True)
    op = producer(value, "stablehlo.broadcast_in_dim", "stablehlo.reshape", "stablehlo.concatenate")
    if op is None or any(DYNAMIC in operand.type.shape for operand in op.operands):
        return None
    source = op.operands[0]
    if op.name == "stablehlo.broadcast_in_dim":
        dims = op.attributes["broadcast_dimensions"]
        moved = [
            At(0) if extent == 1 != value.type.shape[dim] else places[dim]
            for extent, dim in zip(source.type.shape, dims, strict=True)
        ]
        return Coordinate(source, tuple(moved), column.wrapped)
    if op.name == "stablehlo.reshape":
        reshaped = _before_reshape(source.type.shape, value.type.shape, places)
        return None if reshaped is None else Coordinate(source, reshaped, column.wrapped)
    return _before_joining(column, op)


def _before_reshape(
    source: Sequence[int], result: Sequence[int], places: Sequence[Place]
) -> tuple[Place, ...] | None:
    """`places` in front of a reshape that only adds or drops dims of size 1."""
    if [n for n in source if n != 1] != [n for n in result if n != 1]:
        return None
    moved: list[Place] = []
    at = 0
    for extent in source:
        if extent == 1:
            # Any place of a dim of size 1 is 0; that of positions makes the simpler map.
            is_same = at < len(result) and result[at] == 1 and isinstance(places[at], int)
            moved.append(places[at] if is_same else At(0))
            at += is_same
            continue
        while result[at] == 1:
            at += 1
        moved.append(places[at])
        at += 1
    return tuple(moved)


def _before_joining(column: Coordinate, op: ir.Operation) -> Coordinate | None:
    dim = ir.IntegerAttr(op.attributes["dimension"]).value
    place = column.places[dim]
    if not isinstance(place, At):
        return None
    position = place.position
    for operand in op.operands:
        extent = operand.type.shape[dim]
        if position < extent:
            places = (*column.places[:dim], At(position), *column.places[dim + 1 :])
            return Coordinate(operand, places, column.wrapped)
        position -= extent
    return None
