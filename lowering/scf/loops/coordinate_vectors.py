"""Coordinates of several points at once: wrapped or clipped in the lanes of a vector, or, where
nothing is done to them, several narrow ones loaded as one word.

One by one that takes as long as to read an element from the caches. Not under fill_or_drop, where
each point has a condition of its own, nor for what writes at those coordinates: loads and stores
there would wait for the vectors.
"""

from collections.abc import Callable, Mapping

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import arith
from mlir_gs.lowering.ir.emit import Ix, add, value
from mlir_gs.lowering.op.body import bytes_of, splat, vector
from mlir_gs.lowering.op.coordinates import Coordinates, Point, never_negative
from mlir_gs.lowering.op.job import Job, symbols_in
from mlir_gs.lowering.op.refs import Ref

NARROW = 4
"""Bytes of elements and of coordinates: for narrower elements at wider coordinates a vector of one
takes so many of the other that it is slower than coordinates one by one."""

WORD = 64
"""Bits of a register for integers."""


class CoordinateVectors:
    """The coordinates of a job that lie side by side along `dim` and are worked on in vectors, or
    loaded in words."""

    def __init__(self, job: Job, dim: int) -> None:
        self.dim = dim
        self.coordinates = job.coordinates
        self.refs: dict[int, Ref] = {}
        self.words: dict[int, Ref] = {}
        for symbol, size in sorted(_read_alone(job, dim).items()):
            element = job.structure.coordinates[symbol].value.type.element_type
            if job.coordinates.is_plain(symbol):
                ref = _row(job, symbol, dim) if _parts_of_word(element) > 1 else None
                if ref is not None:
                    self.words[symbol] = ref
                continue
            if size < NARROW and bytes_of(element) > NARROW:
                continue
            if job.coordinates.may_skip(symbol):
                continue
            ref = coordinate_row(job, symbol, dim)
            if ref is not None:
                self.refs[symbol] = ref

    def lanes(
        self, point: Point, position: Ix, width: int
    ) -> Callable[[int], Mapping[int, ir.Value]]:
        """By lane, the positions that coordinates of `width` points stand for, by symbol; the first
        point is at `position`. They are read with the first lane that is used; those that differ
        along dims which `point` does not know yet are left out."""
        known = {*point.dims, self.dim}
        ready = {s for s in (*self.refs, *self.words) if self.coordinates.depends(s) <= known}
        vectors: dict[int, ir.Value] = {}
        words: dict[tuple[int, int], ir.Value] = {}

        def load(ref: Ref, first: int, count: int) -> ir.Value:
            here = ref.indices(point.at(self.dim, add(position, first)))
            return vector.load(ir.VectorType.get([count], ref.storage), ref.memref, here)

        def in_words(symbol: int, number: int) -> Mapping[int, ir.Value]:
            """A lane of the symbol, if as many as `width` make whole words."""
            ref, type_ = self.words[symbol], ir.IntegerType.get_signless(WORD)
            bits = ref.storage.width
            parts = WORD // bits
            if width % parts:
                return {}
            which, part = divmod(number, parts)
            if (symbol, which) not in words:
                several = vector.bitcast(
                    ir.VectorType.get([1], type_), load(ref, number - part, parts)
                )
                words[symbol, which] = vector.extract(several, [], [0])
            shifted = arith.shrui(words[symbol, which], arith.constant(type_, part * bits))
            found = arith.trunci(ref.storage, shifted)
            # The ref has no sign.
            element = self.coordinates.structure.coordinates[symbol].value.type.element_type
            cast = arith.index_castui if never_negative(element) else arith.index_cast
            return {symbol: cast(ir.IndexType.get(), found)}

        def lane(number: int) -> Mapping[int, ir.Value]:
            if width == 1:
                return {}
            for symbol in sorted(ready & self.refs.keys() - vectors.keys()):
                given = load(self.refs[symbol], 0, width)
                vectors[symbol] = worked_on(self.coordinates, symbol, given, in_all_lanes(width))
            found = {s: vector.extract(found, [], [number]) for s, found in vectors.items()}
            for symbol in sorted(ready & self.words.keys()):
                found.update(in_words(symbol, number))
            return found

        return lane


def coordinate_row(job: Job, symbol: int, dim: int) -> Ref | None:
    """The coordinates that `symbol` stands for, if vectors along `dim` can be read of them: they
    lie side by side, are signed, and are found through no others."""
    is_signed = _is_signed(job.structure.coordinates[symbol].value.type.element_type)
    return _row(job, symbol, dim) if is_signed else None


def _row(job: Job, symbol: int, dim: int) -> Ref | None:
    """The coordinates of `symbol`, if they lie side by side along `dim` and need no others."""
    access = job.structure.coordinates[symbol]
    if job.structure.is_chained(symbol):
        return None
    ref = Ref.of(access, moves_only=False).without_unit_tail()
    return ref if ref.steps_with(dim, job.coordinates) and ref.last_stride == 1 else None


def worked_on(
    coordinates: Coordinates, symbol: int, given: ir.Value, lanes: Callable[[Ix], ir.Value]
) -> ir.Value:
    """The positions, in a vector of type index, that those of `symbol` in the vector `given` stand
    for; `lanes` puts a number into all lanes."""
    given = coordinates.wrapped(symbol, as_indices(given), lanes)
    if coordinates.structure.modes[symbol] == "clip":
        given = coordinates.clipped(symbol, given, lanes)
    return given


def as_indices(given: ir.Value) -> ir.Value:
    """The vector `given` of signed integers as one of type index."""
    positions = ir.VectorType.get(given.type.shape, ir.IndexType.get())
    return given if given.type == positions else arith.index_cast(positions, given)


def in_all_lanes(lanes: int) -> Callable[[Ix], ir.Value]:
    return lambda number: splat(value(number), lanes)


def _parts_of_word(type_: ir.Type) -> int:
    """How many coordinates of this type a word has, 0 if they do not fill it."""
    widths = (8, 16, 32)
    return WORD // type_.width if isinstance(type_, ir.IntegerType) and type_.width in widths else 0


def _is_signed(type_: ir.Type) -> bool:
    """An index, or an integer that is one with the same value; others a vector packs in memory."""
    if isinstance(type_, ir.IndexType):
        return True
    return (
        isinstance(type_, ir.IntegerType) and type_.is_signless and type_.width in (8, 16, 32, 64)
    )


def _read_alone(job: Job, dim: int) -> dict[int, int]:
    """The symbols that differ along `dim`, where lanes along it read elements at them one by one,
    and the bytes of the narrowest of those."""
    found: dict[int, int] = {}
    for ref in job.by_elements(dim):
        size = bytes_of(ref.storage)
        for symbol in symbols_in(ref):
            if dim in job.coordinates.depends(symbol):
                found[symbol] = min(size, found.get(symbol, size))
    return found
