"""Non-temporal stores: results that the caches cannot hold are written past them.

A store brings the line that it writes into the cache first; a non-temporal store of a whole line
does not, which saves a third of the traffic of a copy. It costs where the result would have stayed
in the cache, and it needs whole, aligned lines. Some cores hold on to each such line until memory
has it, so that they write more slowly than they would read and write: there it pays for results
that are a small part of what moves (`stream_reads`). Others lose where the lines do not follow each
other (`stream_scattered`): sets of 100k rows of 256 bytes take 3.4 times as long with them on an
Emerald Rapids.

A cache that other cores share holds less than its size. On a Zen 4 with 32 MiB, copies of rows of
16 KB that touch 16, 20, 24 and 32 MiB take 1.15, 0.83, 0.65 and 0.70 times as long with them. A
thread of a Zen 5 with 32 MiB holds less of it than two: see `machine.stream_bytes`.
"""

from collections.abc import Iterable
from typing import NamedTuple

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.body import bytes_of
from mlir_gs.lowering.builders import arith, index
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
    sub,
)
from mlir_gs.lowering.job import Job, symbols_in
from mlir_gs.lowering.refs import Ref
from mlir_gs.lowering.volume import LINE, bytes_touched, bytes_touched_by

ROW_BYTES = 2048
"""Bytes of a row, at least, that is written like this where it does not begin with a line. Takes of
rows into 64 MB that do not take 0.6 to 0.8 times as long like that on a Zen 5 from 2 KiB on, and
1.0 on two threads from 2 to 4; of 1 KiB 1.1 to 1.6 times."""


class Streaming(NamedTuple):
    """When to write past the caches, True for always, and after how many elements of each row a
    line begins."""

    condition: ir.Value | bool
    first: Ix


def streaming_rows(
    job: Job,
    dim: int,
    lanes: int,
    least: int,
    stream_reads: int,
    scattered: bool,
    moved: Ix | None,
) -> Streaming | None:
    """How to write past the caches; None if that is known to be never.

    `dim` is in vectors of `lanes` elements; it pays from `least` bytes on that are touched, 0 for
    never; `stream_reads` the bytes that have to be read for each byte written; `scattered`: rows at
    coordinates may be written like this; `moved`: how many elements of a row are moved, and may be
    twice.
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
    # Reading elements one by one takes so long that how they are stored is not to be seen.
    if stream_reads and (job.by_elements(dim) or _reads_at_most(job, output, dim, stream_reads)):
        return None
    touched = bytes_touched(job, dim)
    pairs: list[tuple[Ix, Ix]] = [(touched, least)]
    if stream_reads:
        pairs.append((touched, mul(bytes_touched_by(output, job, dim), 1 + stream_reads)))
    enough = all_at_least(pairs)
    if enough is False:
        return None
    strides, _ = output.memref.type.get_strides_and_offset()
    size = bytes_of(output.storage)
    if any(stride != DYNAMIC and stride * size % LINE for stride in strides[:-1]):
        return None
    start, condition = _lines(output)
    first: Ix = 0
    row = 0 if moved is None else mul(moved, size)
    if not isinstance(row, int) or row >= ROW_BYTES:
        first = modulo(floor_div(sub(0, start), size), lanes)
        condition = both(condition, compare("eq", modulo(start, size), 0))
        if not isinstance(row, int):
            least_row = arith.select(compare("eq", start, 0), index(LINE), index(ROW_BYTES))
            condition = both(condition, compare("sge", row, least_row))
    else:
        condition = both(condition, compare("eq", start, 0))
    condition = both(None if enough is True else enough, condition)
    assert condition is not None
    return Streaming(condition, first)


def _reads_at_most(job: Job, output: Ref, vector_dim: int, times: int) -> bool:
    """Whether less than `times` bytes are known to be read for each byte written, where rows have
    a line or more."""
    written = {dim for dim in job.extents if output.mentions(dim, job.coordinates)}

    def spans(dims: Iterable[int]) -> bool:
        return all(dim in written or job.extents[dim] == 1 for dim in dims)

    total = 0.0
    for ref in job.inputs:
        mentioned = [dim for dim in job.extents if ref.mentions(dim, job.coordinates)]
        if not spans(mentioned):
            return False
        by_row = not ref.mentions(vector_dim, job.coordinates)
        if not by_row and not ref.steps_with(vector_dim, job.coordinates):
            return False
        size = bytes_of(ref.storage)
        total += size / LINE if by_row else size / bytes_of(output.storage)
    for symbol, access in enumerate(job.structure.coordinates):
        depends = job.coordinates.depends(symbol)
        if vector_dim in depends or not spans(depends):
            return False
        total += bytes_of(access.value.type.element_type) / LINE
    return total < times


def _lines(ref: Ref) -> tuple[Ix, ir.Value | None]:
    """How many bytes after the begin of a line `ref` begins, and whether all its rows do; None for
    always. NumPy's large arrays begin 16 bytes after one, as the C library's memory does."""
    address = memref.extract_aligned_pointer_as_index(ref.memref)
    _, offset, *rest = memref.extract_strided_metadata(ref.memref)
    strides, _ = ref.memref.type.get_strides_and_offset()
    size = bytes_of(ref.storage)
    condition = None
    for position, stride in enumerate(strides[:-1]):
        if stride == DYNAMIC:
            pitch = modulo(mul(rest[len(strides) + position], size), LINE)
            condition = both(condition, compare("eq", pitch, 0))
    return modulo(add(address, mul(offset, size)), LINE), condition


def fence() -> None:
    """After non-temporal stores: other threads see them in order from here on."""
    sequential = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 7)
    ir.Operation.create("llvm.fence", attributes={"ordering": sequential})
