"""Prefetch addresses past the end of a row of coordinates: rows are contiguous, so that the next
positions are those of the following rows."""

from collections.abc import Sequence

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.dialect.structure import Access
from mlir_gs.lowering.ir.builders import arith
from mlir_gs.lowering.ir.emit import Ix, add, affine, element, minimum, mul, size_of, sub, value
from mlir_gs.lowering.op.compact import in_a_row, lies_in_a_row
from mlir_gs.lowering.op.coordinates import Point
from mlir_gs.lowering.op.job import Job, plain_dims_in, symbols_in
from mlir_gs.lowering.op.refs import Ref


def point_beyond(
    job: Job, refs: Sequence[Ref], dim: int, point: Point, position: Ix
) -> Point | None:
    """The point at `position` of `dim`, which may lie in a row of coordinates after that of
    `point`, at most the last coordinate. For an address that is only prefetched.

    None where coordinates are not contiguous rows along `dim`, or `refs` depend on other dims.
    Where the rows belong to one iteration dim, `refs` may be addressed by that as well.
    """
    symbols = set().union(*map(symbols_in, refs))
    accesses = {
        symbol: job.structure.coordinates[symbol]
        for symbol in sorted(symbols)
        if dim in job.coordinates.depends(symbol)
    }
    # The dims of the rows.
    outer = set().union(*map(job.coordinates.depends, accesses)) - {dim}
    known = {
        symbol: at
        for symbol, at in point.symbols.items()
        if not job.coordinates.depends(symbol) & {dim, *outer}
    }
    plain = set().union(*map(plain_dims_in, refs))
    if (
        not accesses
        or not all(_is_in_rows(access, dim) for access in accesses.values())
        or dim in plain
        or (outer & plain and len(outer) > 1)
        or not outer <= point.dims.keys()
        or not symbols <= known.keys() | accesses.keys()
    ):
        return None
    here = {**point.dims, dim: position}
    dims = dict(here)
    for symbol, access in accesses.items():
        coordinates, place = _place(access, here)
        known[symbol] = job.coordinates.as_position(symbol, element(coordinates, [place]))
        for each in outer & plain:
            length = size_of(access.value, _position(access, dim))
            dims[each] = arith.divui(place, value(length))
    return Point(dims, known, {})


def _is_in_rows(access: Access, dim: int) -> bool:
    """Coordinates along `dim` are contiguous, the next row after the last one of a row."""
    results = list(access.map.results)
    plain = [plain_dim(expr) for expr in results if not isinstance(expr, ir.AffineConstantExpr)]
    wide = [n for n, size in enumerate(access.value.type.shape) if size != 1]
    if len(plain) < 2 or None in plain or len(set(plain)) < len(plain) or not wide:
        return False
    return wide[-1] == _position(access, dim) and lies_in_a_row(access.value.type)


def _position(access: Access, dim: int) -> int:
    """The dimension of the coordinates that `dim` addresses."""
    return [plain_dim(expr) for expr in access.map.results].index(dim)


def _place(access: Access, dims: dict[int, Ix]) -> tuple[ir.Value, ir.Value]:
    """The coordinates as rank 1, and the position there of the one at `dims`, whose last dim may
    be past the end of the row; at most the last position."""
    coordinates = in_a_row(access.value)
    place: Ix = 0
    for number, expr in enumerate(access.map.results):
        place = add(mul(place, size_of(access.value, number)), affine(expr, dims, {}))
    return coordinates, value(minimum(place, sub(size_of(coordinates, 0), 1)))
