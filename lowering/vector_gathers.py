"""Elements at coordinates of their own, read by the core's own gathers: one instruction for as many
as a register holds.

What the caches near the core hold comes faster like this than by a load for each element on cores
whose gathers are no slower than their loads; what is further away takes as long.
"""

import functools
from collections.abc import Sequence

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import linear
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.body import bytes_of, harmless, splat, vector
from mlir_gs.lowering.builders import arith
from mlir_gs.lowering.coordinate_vectors import (
    as_indices,
    coordinate_row,
    in_all_lanes,
    worked_on,
)
from mlir_gs.lowering.coordinates import Point
from mlir_gs.lowering.emit import Ix, add, affine, both, memref, mul, value
from mlir_gs.lowering.job import Job, symbols_in
from mlir_gs.lowering.ranges import Run
from mlir_gs.lowering.refs import Ref

SIZES = (4, 8)
"""Bytes of the elements that x86 gathers."""


def gathered_inputs(job: Job, dim: int) -> frozenset[int]:
    """The inputs, by number, of which lanes along `dim` can be gathered.

    Coordinates lie side by side along it, are found through no others, and address linearly.
    """
    alone = job.by_elements(dim)
    return frozenset(
        number
        for number, ref in enumerate(job.inputs)
        if any(ref is one for one in alone) and _can_be_gathered(job, ref, dim)
    )


def _can_be_gathered(job: Job, ref: Ref, dim: int) -> bool:
    if not isinstance(ref.storage, (ir.IntegerType, ir.FloatType)):
        return False
    if bytes_of(ref.storage) not in SIZES or None in map(linear, ref.map.results):
        return False
    rows = [coordinate_row(job, symbol, dim) for symbol in _by_lane(job, ref, dim)]
    return bool(rows) and None not in rows


def _by_lane(job: Job, ref: Ref, dim: int) -> list[int]:
    return [s for s in sorted(symbols_in(ref)) if dim in job.coordinates.depends(s)]


def gather(job: Job, number: int, dim: int, point: Point, run: Run) -> ir.Value:
    """The elements of the input of this `number` in the lanes of `run` along `dim`."""
    ref, fill, width = job.inputs[number], job.fills[number], run.width
    first = point.at(dim, run.position)
    symbols = _by_lane(job, ref, dim)
    found = {symbol: _positions(job, symbol, dim, first, width) for symbol in symbols}
    here = {**first.symbols, **dict.fromkeys(symbols, 0)}
    start: list[Ix] = [affine(expr, first.dims, here) for expr in ref.map.results]
    mask: ir.Value | None = None
    for symbol in symbols:
        if job.coordinates.may_skip(symbol):
            mask = both(mask, job.coordinates.in_bounds(symbol, found[symbol], in_all_lanes(width)))
    outside = first.valid_for(ref.map)
    if outside is not None:
        mask = both(mask, splat(outside, width))
    type_ = ir.VectorType.get([width], ref.storage)
    if mask is None:
        bit = ir.IntegerType.get_signless(1)
        mask = splat(arith.constant(bit, True), width)
        rest = harmless(type_)
    else:
        assert fill is not None
        rest = splat(fill, width)
    memory, rank = ref.memref, len(ref.map.results)
    strides: list[Ix] = [1] * rank
    if ref.last_stride != 1 or ref.mentions(dim, job.coordinates) != [rank - 1]:
        # For upstream lanes step along the last dimension, by elements that lie side by side.
        sizes, strides = _layout(ref)
        memory, start = _flat(ref, _dot(sizes, strides)), [_dot(start, strides)]
    terms: list[tuple[ir.Value, Ix]] = []
    for expr, stride in zip(ref.map.results, strides, strict=True):
        form = linear(expr)
        assert form is not None
        terms += [(found[s], mul(n, stride)) for s, n in form.symbols.items() if s in found]
        if dim in form.dims:
            lanes = vector.step(ir.VectorType.get([width], ir.IndexType.get()))
            terms.append((lanes, mul(form.dims[dim], stride)))
    where = [value(position) for position in start]
    return vector.gather(type_, memory, where, _total(terms, width), mask, rest)


def _positions(job: Job, symbol: int, dim: int, first: Point, width: int) -> ir.Value:
    """The positions that `symbol` stands for in each lane: of type index, or as wide as they are in
    memory where nothing is done to them."""
    row = coordinate_row(job, symbol, dim)
    assert row is not None
    given = vector.load(ir.VectorType.get([width], row.storage), row.memref, row.indices(first))
    if job.coordinates.is_plain(symbol) and bytes_of(row.storage) in SIZES:
        return given
    return worked_on(job.coordinates, symbol, given, in_all_lanes(width))


def _layout(ref: Ref) -> tuple[list[Ix], list[Ix]]:
    """Sizes and strides; of these the ones that are known stay numbers."""
    shape, (strides, _) = ref.memref.type.shape, ref.memref.type.get_strides_and_offset()
    known = list(memref.extract_strided_metadata(ref.memref))[2:]
    sizes = [known[d] if size == DYNAMIC else size for d, size in enumerate(shape)]
    steps = known[len(shape) :]
    return sizes, [steps[d] if stride == DYNAMIC else stride for d, stride in enumerate(strides)]


def _flat(ref: Ref, length: Ix) -> ir.Value:
    """The memory of `ref` in one dimension, from its first element on."""
    _, offset, *_ = memref.extract_strided_metadata(ref.memref)
    layout = ir.StridedLayoutAttr.get(DYNAMIC, [1])
    type_ = ir.MemRefType.get([DYNAMIC], ref.storage, layout, ref.memref.type.memory_space)
    return memref.reinterpret_cast(
        type_, ref.memref, [offset], [value(length)], [], [DYNAMIC], [DYNAMIC], [1]
    )


def _dot(numbers: Sequence[Ix], factors: Sequence[Ix]) -> Ix:
    products = [mul(a, b) for a, b in zip(numbers, factors, strict=True)]
    return functools.reduce(add, products, 0)


def _total(terms: Sequence[tuple[ir.Value, Ix]], width: int) -> ir.Value:
    """The sum of vectors of positions, each times a number."""
    if len(terms) == 1 and terms[0][1] == 1:
        return terms[0][0]
    total: ir.Value | None = None
    for positions, factor in terms:
        term = as_indices(positions)
        if factor != 1:
            term = arith.muli(term, splat(value(factor), width))
        total = term if total is None else arith.addi(total, term)
    assert total is not None
    return total
