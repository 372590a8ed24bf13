"""Elements at coordinates of their own, read by the core's own gathers: one instruction for as many
as a register holds.

What the caches near the core hold comes faster like this than by a load for each element on cores
whose gathers are no slower than their loads; what is further away takes as long.
"""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import linear
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.ir.builders import arith
from mlir_gs.lowering.ir.emit import (
    Ix,
    add,
    affine,
    all_at_least,
    both,
    memref,
    mul,
    size_of,
    value,
)
from mlir_gs.lowering.op.body import bytes_of, harmless, splat, vector
from mlir_gs.lowering.op.coordinates import Point
from mlir_gs.lowering.op.job import Job, symbols_in
from mlir_gs.lowering.op.ranges import Run
from mlir_gs.lowering.op.refs import Ref
from mlir_gs.lowering.op.volume import bytes_in
from mlir_gs.lowering.scf.loops.coordinate_vectors import (
    as_indices,
    coordinate_row,
    in_all_lanes,
    worked_on,
)
from mlir_gs.lowering.scf.target import MOST

SIZES = (4, 8)
"""Bytes of the elements that x86 gathers."""


def with_gathers(job: Job, dim: int, largest: int, largest_under_fill: int) -> Job:
    """`job` with the inputs of which lanes along `dim` are gathered, and the condition for it: that
    they have so many bytes at most, or `largest_under_fill` where lanes may be out of bounds by
    themselves; 0 for never."""
    numbers = _gathered_inputs(job, dim, largest > 0, largest_under_fill > 0)
    pairs: list[tuple[Ix, Ix]] = []
    for ref in (job.inputs[number] for number in sorted(numbers)):
        most = largest_under_fill if job.may_miss(ref, dim) else largest
        if most < MOST:
            pairs.append((most, bytes_in(ref.memref)))
    near = all_at_least(pairs)
    if near is False:
        return job
    return replace(job, gathered=numbers, gathered_where=None if near is True else near)


def _gathered_inputs(job: Job, dim: int, plain: bool, under_fill: bool) -> frozenset[int]:
    """The inputs, by number, of which lanes along `dim` can be gathered, and are.

    Coordinates lie side by side along it, are found through no others, and address linearly.
    """
    alone = job.by_elements(dim)
    return frozenset(
        number
        for number, ref in enumerate(job.inputs)
        if any(ref is one for one in alone)
        and _can_be_gathered(job, ref, dim)
        and (under_fill if job.may_miss(ref, dim) else plain)
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


class VectorGathers:
    """Reads those of a job; what does not change from lane to lane is found out once, where this is
    made."""

    def __init__(self, job: Job, dim: int) -> None:
        self.job = job
        self.dim = dim
        self.rows: dict[int, Ref] = {}
        self.layouts: dict[int, _Flat | None] = {}
        for number in sorted(job.gathered):
            ref = job.inputs[number]
            # For upstream lanes step along the last dimension, by elements that lie side by side.
            along = ref.mentions(dim, job.coordinates) == [len(ref.map.results) - 1]
            self.layouts[number] = None if along and ref.last_stride == 1 else _flat(ref)
            for symbol in _by_lane(job, ref, dim):
                row = self.rows.get(symbol) or coordinate_row(job, symbol, dim)
                assert row is not None
                self.rows[symbol] = row

    def read(self, number: int, point: Point, run: Run) -> ir.Value:
        """The elements of the input of this `number` in the lanes of `run`."""
        ref, flat, width = self.job.inputs[number], self.layouts[number], run.width
        first = point.at(self.dim, run.position)
        symbols = _by_lane(self.job, ref, self.dim)
        found = {symbol: self._positions(symbol, first, width) for symbol in symbols}
        here = {**first.symbols, **dict.fromkeys(symbols, 0)}
        start: list[Ix] = [affine(expr, first.dims, here) for expr in ref.map.results]
        memory, strides = ref.memref, [1] * len(start)
        if flat is not None:
            memory, strides, start = flat.memory, flat.strides, [_dot(start, flat.strides)]
        terms: list[tuple[ir.Value, Ix]] = []
        for expr, stride in zip(ref.map.results, strides, strict=True):
            form = linear(expr)
            assert form is not None
            terms += [(found[s], mul(n, stride)) for s, n in form.symbols.items() if s in found]
            if self.dim in form.dims:
                lanes = vector.step(ir.VectorType.get([width], ir.IndexType.get()))
                terms.append((lanes, mul(form.dims[self.dim], stride)))
        where = [value(position) for position in start]
        type_ = ir.VectorType.get([width], ref.storage)
        mask, rest = self._inside(number, first, found), harmless(type_)
        if mask is None:
            mask = splat(arith.constant(ir.IntegerType.get_signless(1), True), width)
        else:
            fill = self.job.fills[number]
            assert fill is not None
            rest = splat(fill, width)
        return vector.gather(type_, memory, where, _total(terms, width), mask, rest)

    def _positions(self, symbol: int, first: Point, width: int) -> ir.Value:
        """The positions that `symbol` stands for in each lane: of type index, or as wide as they
        are in memory where nothing is done to them."""
        row, coordinates = self.rows[symbol], self.job.coordinates
        given = vector.load(ir.VectorType.get([width], row.storage), row.memref, row.indices(first))
        if coordinates.is_plain(symbol) and bytes_of(row.storage) in SIZES:
            return given
        return worked_on(coordinates, symbol, given, in_all_lanes(width))

    def _inside(self, number: int, first: Point, found: Mapping[int, ir.Value]) -> ir.Value | None:
        """The lanes that read the input and not its fill; None for all."""
        coordinates, mask = self.job.coordinates, None
        for symbol, positions in found.items():
            if coordinates.may_skip(symbol):
                lanes = in_all_lanes(positions.type.shape[0])
                mask = both(mask, coordinates.in_bounds(symbol, positions, lanes))
        for_all = first.valid_for(self.job.inputs[number].map)
        if for_all is None:
            return mask
        (width,) = {positions.type.shape[0] for positions in found.values()}
        return both(mask, splat(for_all, width))


class _Flat(NamedTuple):
    """The memory of a ref in one dimension, and the strides of its own dimensions."""

    memory: ir.Value
    strides: Sequence[Ix]


def _flat(ref: Ref) -> _Flat:
    rank, (strides, _) = len(ref.map.results), ref.memref.type.get_strides_and_offset()
    _, offset, *known = memref.extract_strided_metadata(ref.memref)
    steps = [known[rank + d] if stride == DYNAMIC else stride for d, stride in enumerate(strides)]
    # An upper bound; nothing reads it.
    length = _dot([size_of(ref.memref, d) for d in range(rank)], steps)
    layout = ir.StridedLayoutAttr.get(DYNAMIC, [1])
    type_ = ir.MemRefType.get([DYNAMIC], ref.storage, layout, ref.memref.type.memory_space)
    memory = memref.reinterpret_cast(
        type_, ref.memref, [offset], [value(length)], [], [DYNAMIC], [DYNAMIC], [1]
    )
    return _Flat(memory, steps)


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
