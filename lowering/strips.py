"""Strips of columns: all rows of a few columns of a matrix, brought next to each other.

Where each column has coordinates of its own, as along dim 0 of a matrix, the points of a row touch
lines all over the matrix, and again in the next row, when no cache has them any more. The lines of
a few columns fit into a cache, but not at the distances that they have from each other in the
matrix: those share its few places. So they are copied to a buffer, the points of these columns run
on it, and where they write, it is copied back. Each line of the matrix comes once.
"""

from dataclasses import dataclass

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim, symbols_of
from mlir_gs.dialect.structure import Access, Structure, dims_in
from mlir_gs.lowering.body import bytes_of
from mlir_gs.lowering.builders import arith, memory_of
from mlir_gs.lowering.emit import (
    Ix,
    add,
    all_at_least,
    both,
    compare,
    floor_div,
    memref,
    modulo,
    mul,
    size_of,
    sub,
    value,
)
from mlir_gs.lowering.job import Job
from mlir_gs.lowering.volume import LINE

ROW_BYTES = 128
"""Bytes of a row of a strip: two lines, which come together."""

MOST_BYTES = 3 << 18
"""Bytes of a strip, so that a cache of the second level holds it beside what passes by."""

FAR = 2 << 20
"""Bytes of a matrix that is worth it."""

ROWS_PER_POINT = 4
"""Rows of the matrix for each point of a column, at most: all rows are copied."""


@dataclass(frozen=True)
class Strips:
    """The operands `packed`, by their numbers among inputs and outputs, are copied in strips of
    `columns` positions of the iteration dim `dim`, one position of the dims `batch` at a time."""

    dim: int
    batch: tuple[int, ...]
    packed: tuple[int, ...]
    columns: int


def find_strips(job: Job) -> Strips | None:
    """How `job` can run in strips."""
    structure = job.structure
    accesses = [*structure.inputs, *structure.outputs]
    for dim in reversed(range(structure.rank)):
        if not structure.plain_in_outputs(dim) or not _cuts(structure, dim):
            continue
        packed = [n for n, access in enumerate(accesses) if _is_by_column(job, access, dim)]
        if not packed or not _writes_once(structure, packed):
            continue
        batch = {
            found
            for n in packed
            for expr in list(accesses[n].map.results)[:-1]
            if (found := plain_dim(expr)) is not None
        }
        if not all(structure.plain_in_outputs(d) and _cuts(structure, d) for d in batch):
            continue
        widest = max(bytes_of(accesses[n].value.type.element_type) for n in packed)
        columns = max(1, ROW_BYTES // widest)
        extent = job.extents[dim]
        if not isinstance(extent, int) or extent >= 2 * columns:
            return Strips(dim, tuple(sorted(batch)), tuple(packed), columns)
    return None


def _cuts(structure: Structure, dim: int) -> bool:
    """A part of `dim` is a part of each operand that depends on it."""
    for access in structure.accesses:
        mentions = [expr for expr in access.map.results if dim in dims_in(expr)]
        if mentions and (len(mentions) > 1 or plain_dim(mentions[0]) != dim):
            return False
    # An operand of several coordinates is cut once.
    return all(
        _position(one, dim) == _position(other, dim)
        for one in structure.coordinates
        for other in structure.coordinates
        if one.name == other.name
    )


def _position(access: Access, dim: int) -> int | None:
    """The dimension that `dim` addresses plainly."""
    plain = [plain_dim(expr) for expr in access.map.results]
    return plain.index(dim) if dim in plain else None


def _is_by_column(job: Job, access: Access, dim: int) -> bool:
    """`dim` is the last dimension, and coordinates that depend on it address others."""
    *rows, last = list(access.map.results) or [None]
    if last is None or plain_dim(last) != dim:
        return False
    if not all(symbols_of(expr) or plain_dim(expr) is not None for expr in rows):
        return False
    strides, _ = access.value.type.get_strides_and_offset()
    found = {symbol for expr in rows for symbol in symbols_of(expr)}
    return strides[-1] == 1 and any(dim in job.coordinates.depends(symbol) for symbol in found)


def _writes_once(structure: Structure, packed: list[int]) -> bool:
    """No input is the memory of an output that is packed."""
    n_in = len(structure.inputs)
    return not any(
        access.map == structure.outputs[n - n_in].map
        or memory_of(access.value) == memory_of(structure.outputs[n - n_in].value)
        for n in packed
        if n >= n_in
        for access in structure.inputs
    )


def are_worth_it(job: Job, strips: Strips) -> ir.Value | bool:
    """Whether strips fit into a cache that matrices do not, and most of their lines are needed."""
    structure = job.structure
    accesses = [*structure.inputs, *structure.outputs]
    points: Ix = 1
    for dim, extent in job.extents.items():
        if dim != strips.dim and dim not in strips.batch:
            points = mul(points, extent)
    # (larger, smaller)
    pairs: list[tuple[Ix, Ix]] = [(job.extents[strips.dim], 2 * strips.columns)]
    together: Ix = 0
    for number in strips.packed:
        access = accesses[number]
        rows = _rows(access)
        size = bytes_of(access.value.type.element_type)
        columns = size_of(access.value, access.value.type.rank - 1)
        together = add(together, rows)
        pairs.append((mul(mul(rows, columns), size), FAR))
        pairs.append((mul(points, ROWS_PER_POINT), rows))
    pairs.append((MOST_BYTES // ROW_BYTES, together))
    return all_at_least(pairs)


def _rows(access: Access) -> Ix:
    """Positions of what coordinates address."""
    total: Ix = 1
    for position, expr in enumerate(list(access.map.results)[:-1]):
        if symbols_of(expr):
            total = mul(total, size_of(access.value, position))
    return total


def whole_strips(job: Job, strips: Strips) -> tuple[Ix, Ix]:
    """The first column of whole strips and the one after them: others are left to other loops.

    Where rows have whole lines between them, strips begin at a line.
    """
    structure = job.structure
    shaped = [*structure.inputs, *structure.outputs][strips.packed[0]].value
    size = bytes_of(shaped.type.element_type)
    address = memref.extract_aligned_pointer_as_index(shaped)
    _, offset, *rest = memref.extract_strided_metadata(shaped)
    pitch = mul(rest[2 * shaped.type.rank - 2], size)
    before = sub(LINE, modulo(add(address, mul(offset, size)), LINE))
    aligned = both(compare("eq", modulo(pitch, LINE), 0), compare("ne", before, LINE))
    first = floor_div(arith.select(aligned, value(before), value(0)), size)
    rest_of_row = sub(job.extents[strips.dim], first)
    return first, add(first, sub(rest_of_row, modulo(rest_of_row, strips.columns)))
