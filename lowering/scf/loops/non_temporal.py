"""Non-temporal stores: results that the caches cannot hold go to memory directly.

A store brings the line that it writes into the cache first. A non-temporal store of a whole line
does not, which saves a third of the traffic of a copy. It needs whole, aligned lines, and it costs
where the result would have stayed in the cache.

Not all cores gain. Some lose where the lines do not follow each other (`stream_scattered`). A cache
that other cores share holds less than its size (`stream_bytes`).
"""

import functools
from typing import Literal, NamedTuple

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.ir.emit import (
    Ix,
    add,
    all_at_least,
    bits_of_both,
    both,
    compare,
    memref,
    minimum,
    modulo,
    mul,
)
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.job import Job, symbols_in
from mlir_gs.lowering.op.lines import PIECE, Rows
from mlir_gs.lowering.op.refs import Ref
from mlir_gs.lowering.op.volume import LINE, bytes_in, bytes_touched, points


class Streaming(NamedTuple):
    """When stores are non-temporal, True for always, and where rows lie in lines; None where all
    begin with one."""

    condition: ir.Value | bool
    rows: Rows | None = None


def streaming_rows(
    job: Job,
    dim: int,
    lanes: int,
    least: int,
    scattered: bool,
    extent: Ix | None,
) -> Streaming | None:
    """How stores can be non-temporal; None if that is known to be never.

    `dim` is in vectors of `lanes` elements; it pays from `least` bytes on that are touched, 0 for
    never; `scattered`: rows at coordinates may be written like this; `extent`: how many elements a
    row has that may begin anywhere.
    """
    if len(job.outputs) != 1 or least == 0 or not job.reaches_outputs(dim):
        return None
    (output,) = job.outputs
    if not scattered and symbols_in(output):
        return None
    reads = job.initial is None and job.body.uses(len(job.inputs))
    if reads and not job.loop_order(dim)[1]:
        # What is read is in the cache already.
        return None
    if lanes * bytes_of(output.storage) != LINE or output.map.n_dims == 0:
        return None
    # Vectors begin at multiples of `lanes`: nothing may be added to the dim.
    if plain_dim(list(output.map.results)[-1]) != dim:
        return None
    size = bytes_of(output.storage)
    dims = [each for each in job.extents if output.mentions(each, job.coordinates)]
    # Lines that are written again are not in the way if the caches hold all of them.
    again = minimum(least, mul(points(job, dims), size))
    enough = all_at_least([(bytes_touched(job, dim), least), (bytes_in(output.memref), again)])
    if enough is False:
        return None
    row: Ix = 0 if extent is None else mul(extent, size)
    rows = _rows(output, lanes, row)
    is_long = False if extent is None else all_at_least([(row, rows.least())])
    conditions = [] if enough is True else [enough]
    if is_long is False:
        if rows.begin_lines is False:
            return None
        return Streaming(functools.reduce(both, [*conditions, rows.begin_lines]))
    conditions += [] if is_long is True else [is_long]
    conditions.append(compare("eq", modulo(rows.after, rows.piece * size), 0))
    return Streaming(functools.reduce(both, conditions), rows)


def _rows(ref: Ref, lanes: int, row: Ix) -> Rows:
    """Where the rows of `ref`, of `row` bytes each, lie in lines. NumPy's large arrays begin 16
    bytes after one, as the C library's memory does."""
    address = memref.extract_aligned_pointer_as_index(ref.memref)
    _, offset, *rest = memref.extract_strided_metadata(ref.memref)
    known, _ = ref.memref.type.get_strides_and_offset()
    size = bytes_of(ref.storage)
    strides = tuple(
        rest[len(known) + position] if stride == DYNAMIC else stride
        for position, stride in enumerate(known)
    )
    after = modulo(add(address, mul(offset, size)), LINE)
    pitches = [modulo(mul(stride, size), LINE) for stride in strides[:-1]]
    odd = functools.reduce(bits_of_both, pitches, 0)
    begin_lines: ir.Value | Literal[False] = False
    if not isinstance(odd, int) or odd == 0:
        begin_lines = compare("eq", bits_of_both(after, odd), 0)
    in_pieces = all(isinstance(number, int) and number % PIECE == 0 for number in (row, odd))
    return Rows(ref, lanes, after, strides, odd, begin_lines, PIECE // size if in_pieces else 1)


def fence() -> None:
    """After non-temporal stores: other threads see them in order from here on."""
    sequential = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 7)
    ir.Operation.create("llvm.fence", attributes={"ordering": sequential})
