"""Loops over tiles: a `gs.generic` in the innermost body writes to a slice of what they carry.

Its own loops go on inside of those over the tiles: together they are one nest.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import z3
from mlir_gs.dialect.structure import Structure
from mlir_gs.prove.generic import nest_of
from mlir_gs.prove.nest import Nest, Writes
from mlir_gs.prove.nest import results as results_of
from mlir_gs.prove.scalars import function
from mlir_gs.prove.shapes import check_window, window_of
from mlir_gs.prove.terms import sort_of
from mlir_gs.prove.values import Side, Tensor, Unsupported

_FORM = "a loop over tiles that is no slice, one gs.generic on it, and the slice put back"
Terms = tuple[z3.ArithRef, ...]


@dataclass(frozen=True)
class Piece(Tensor):
    """A slice of a tensor that the loops carry; what it holds is not known."""

    carried: Any = None
    offsets: Terms = ()


@dataclass(frozen=True)
class Tiled:
    """What one `gs.generic` writes to a piece of a carried tensor."""

    piece: Piece
    nest: Nest
    write: Writes
    is_back: bool = False


def whole(side: Side, carried: Any) -> Piece:
    """All of a carried tensor."""
    tensor = carried.tensor
    return _piece(side, carried, tensor.shape, tuple(z3.IntVal(0) for _ in tensor.shape))


def slice_of(side: Side, carried: Any, op: Any, dynamic: Sequence[Any]) -> Piece:
    window = offsets, sizes, strides = window_of(op, dynamic)
    check_window(side, carried.tensor.shape, window)
    type_ = op.results[0].type
    if type_.rank != len(sizes) or any(stride != 1 for stride in strides):
        raise Unsupported(_FORM)
    return _piece(side, carried, side.typed(sizes, type_, "the slice"), tuple(offsets))


def _piece(side: Side, carried: Any, shape: Terms, offsets: Terms) -> Piece:
    variables = side.new_indices(len(shape), "p")
    element = carried.tensor.element
    name = side.new_name("piece")
    term = function(name, variables, sort_of(element))
    poison = carried.tensor.poison
    if not z3.is_false(poison):
        poison = function(f"{name}.poison", variables, z3.BoolSort())
    return Piece(tuple(shape), element, variables, term, poison, carried, offsets)


def written(
    side: Side, op: Any, values: dict[Any, Any], run: Callable[..., Any], is_carried: Any
) -> list[Tiled]:
    """What a `gs.generic` writes to pieces, or to carried tensors."""
    s = Structure.of(op.opview)
    given = {access.value: values[access.value] for access in s.accesses}
    for access in (*s.inputs, *s.coordinates):
        if is_carried(given[access.value]) or isinstance(given[access.value], Piece):
            raise Unsupported(_FORM)
    for value, held in given.items():
        given[value] = whole(side, held) if is_carried(held) else held
    outputs = [given[access.value] for access in s.outputs]
    if not all(isinstance(each, Piece) for each in outputs):
        raise Unsupported(_FORM)
    for value, held in given.items():
        values[value], given[value] = held, values[value]
    try:
        nest, writes = nest_of(side, op, values, run)
    finally:
        values.update(given)
    back = [not isinstance(given[access.value], Piece) for access in s.outputs]
    return [
        Tiled(piece, nest, write, is_back)
        for piece, write, is_back in zip(outputs, writes, back, strict=True)
    ]


def put_back(side: Side, tiled: Tiled, carried: Any, op: Any, dynamic: Sequence[Any]) -> Tiled:
    """The carried tensor with the tile where it was cut from."""
    offsets, sizes, strides = window_of(op, dynamic)
    piece = tiled.piece
    if piece.carried is not carried or tiled.is_back or any(stride != 1 for stride in strides):
        raise Unsupported(_FORM)
    if len(offsets) != len(piece.shape):
        raise Unsupported(_FORM)
    for mine, theirs in zip((*offsets, *sizes), (*piece.offsets, *piece.shape), strict=True):
        side.is_undefined(mine != theirs, "a tile that is put back elsewhere")
    return replace(tiled, is_back=True)


def results(side: Side, outer: Nest, carried: Sequence[Any], ends: Sequence[Tiled]) -> list[Tensor]:
    """The carried tensors after the loops."""
    inner = ends[0].nest
    writes = []
    for start, end in zip(carried, ends, strict=True):
        if not start.is_kin(end.piece.carried) or not end.is_back or end.nest is not inner:
            raise Unsupported(_FORM)
        place = tuple(
            z3.simplify(offset + at)
            for offset, at in zip(end.piece.offsets, end.write.place, strict=True)
        )
        writes.append(replace(end.write, output=start.tensor, place=place))
    nest = replace(outer, dims=(*outer.dims, *inner.dims), extents=(*outer.extents, *inner.extents))
    return results_of(side, nest, writes)
