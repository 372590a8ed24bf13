"""Words of 8 bytes: what a register for integers holds of elements at coordinates.

Loads of coordinates keep step with the stores: where both lie at the same place of their pages, a
load waits for the store before it, as if that were to the same memory. So the coordinates of some
points are read at once, before what lies there is stored, as words that are taken apart by shifts;
that is fewer loads, too.

Elements that only move are put together to words in the same way. Lanes of a vector are put
together in one unit of the core, one after the other, and that holds up loads that the caches
answer; shifts are done anywhere. LLVM would make vectors of the words again, or narrower loads, so
each goes through an empty piece of assembly that it does not look into.
"""

from collections.abc import Collection, Mapping, Sequence

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import arith, opaque
from mlir_gs.lowering.ir.emit import Ix, add
from mlir_gs.lowering.op.body import bytes_of, vector
from mlir_gs.lowering.op.coordinates import Point, builtin
from mlir_gs.lowering.op.job import Job, symbols_in
from mlir_gs.lowering.op.refs import Ref

WORD = 8
"""Bytes of a word: of a register for integers."""

AT_ONCE = 8
"""Words of coordinates that are read before they are used: half of the registers of x86."""

READ_BY_WORDS = (16, 32)
"""Bits of the coordinates that are read by words, of elements that are no narrower: wider ones fill
a register each, and to take narrower ones apart takes longer than loads of their own."""


def moved_by_words(job: Job, vector_dim: int | None) -> int | None:
    """The input of which lanes along `vector_dim` have elements at coordinates of their own that
    all go to the one output as they are, a word or less each.

    Not those of one or two bytes at coordinates that are as narrow: a word takes so many shifts
    that a vector is faster.
    """
    if vector_dim is None or not job.body.moves_only or len(job.outputs) != 1:
        return None
    if job.in_words is None:
        return None
    extent = job.extents[vector_dim]
    if isinstance(extent, int) and extent < job.in_words:
        return None
    number = job.body.moved_input(0)
    (output,) = job.outputs
    if number is None or number in job.gathered or job.inputs[number].storage != output.storage:
        return None
    ref = job.inputs[number]
    if not any(ref is one for one in job.by_elements(vector_dim)):
        return None
    symbols = [s for s in symbols_in(ref) if vector_dim in job.coordinates.depends(s)]
    types = [job.structure.coordinates[symbol].value.type.element_type for symbol in symbols]
    if isinstance(output.storage, ir.ComplexType) or not types:
        return None
    size = bytes_of(output.storage)
    return number if size <= WORD and (size >= 4 or size < min(map(bytes_of, types))) else None


def packed(elements: Sequence[ir.Value]) -> ir.Value:
    """Elements that fill a word, as a vector if they are some; the first one lies first in
    memory."""
    size, storage = bytes_of(elements[0].type), elements[0].type
    assert size * len(elements) == WORD
    bits, wide = (ir.IntegerType.get_signless(8 * n) for n in (size, WORD))
    word = None
    for number, element in enumerate(elements):
        part = recast(bits, element)
        if bits != wide:
            part = arith.extui(wide, part)
        if number:
            part = arith.shli(part, arith.constant(wide, 8 * size * number))
        word = part if word is None else arith.ori(word, part)
    assert word is not None
    word = opaque(word)
    if len(elements) == 1:
        return recast(storage, word)
    one = vector.from_elements(ir.VectorType.get([1], wide), [word])
    lanes = vector.bitcast(ir.VectorType.get([len(elements)], bits), one)
    if storage == bits:
        return lanes
    return vector.bitcast(ir.VectorType.get([len(elements)], storage), lanes)


def recast(type_: ir.Type, value: ir.Value) -> ir.Value:
    """The same bits as another type."""
    if value.type == type_:
        return value
    is_index = any(isinstance(t, ir.IndexType) for t in (type_, value.type))
    return (arith.index_cast if is_index else arith.bitcast)(type_, value)


class CoordinateWords:
    """The coordinates of a job that lie side by side along `dim` and are read by words, but for the
    symbols `others`."""

    def __init__(self, job: Job, dim: int, others: Collection[int]) -> None:
        self.dim = dim
        self.refs: dict[int, Ref] = {}
        self.types: dict[int, ir.Type] = {}
        for symbol, size in sorted(read_alone(job, dim).items()):
            access = job.structure.coordinates[symbol]
            element = access.value.type.element_type
            if not _has_words(element) or bytes_of(element) > size:
                continue
            # What is found through others may be read only where those are in bounds.
            if job.structure.is_chained(symbol) or symbol in others:
                continue
            ref = Ref.of(access, moves_only=False).without_unit_tail()
            if ref.steps_with(dim, job.coordinates) and ref.last_stride == 1:
                self.refs[symbol], self.types[symbol] = ref, element

    def lanes(self, point: Point, position: Ix, width: int) -> "Lanes":
        """The coordinates of `width` points of which the first one is at `position`."""
        return Lanes(self, point, position, width)


class Lanes:
    """The coordinates of `width` points, in words that are read when one of them is first asked
    for, with those that follow."""

    def __init__(self, words: CoordinateWords, point: Point, position: Ix, width: int) -> None:
        self.words = words
        self.point = point
        self.position = position
        self.width = width
        self.read: dict[int, list[ir.Value]] = {symbol: [] for symbol in words.refs}

    def elements(self, lane: int) -> Mapping[int, ir.Value]:
        """The coordinates of a point, by symbol, of those that are read as words."""
        found = {symbol: self._element(symbol, lane) for symbol in self.read}
        return {symbol: value for symbol, value in found.items() if value is not None}

    def _element(self, symbol: int, lane: int) -> ir.Value | None:
        size = bytes_of(self.words.refs[symbol].storage)
        count = WORD // size
        if self.width % count:
            return None
        read = self.read[symbol]
        if lane // count >= len(read):
            more = min(max(1, AT_ONCE // len(self.read)), self.width // count - len(read))
            read += [self._word(symbol, (len(read) + k) * count, count) for k in range(more)]
        word = read[lane // count]
        if lane % count:
            word = arith.shrui(word, arith.constant(word.type, 8 * size * (lane % count)))
        return _narrow(word, self.words.types[symbol])

    def _word(self, symbol: int, lane: int, count: int) -> ir.Value:
        ref = self.words.refs[symbol]
        where = ref.indices(self.point.at(self.words.dim, add(self.position, lane)))
        lanes = vector.load(ir.VectorType.get([count], ref.storage), ref.memref, where)
        wide = ir.IntegerType.get_signless(8 * WORD)
        one = vector.bitcast(ir.VectorType.get([1], wide), lanes)
        return opaque(vector.extract(one, [], [0]))


def read_alone(job: Job, dim: int) -> dict[int, int]:
    """The symbols that differ along `dim`, where lanes along it read elements at them one by one,
    and the bytes of the narrowest of those."""
    found: dict[int, int] = {}
    for ref in job.by_elements(dim):
        size = bytes_of(ref.storage)
        for symbol in symbols_in(ref):
            if dim in job.coordinates.depends(symbol):
                found[symbol] = min(size, found.get(symbol, size))
    return found


def _has_words(type_: ir.Type) -> bool:
    return isinstance(type_, ir.IntegerType) and type_.width in READ_BY_WORDS


def _narrow(word: ir.Value, type_: ir.IntegerType) -> ir.Value:
    bits = ir.IntegerType.get_signless(type_.width)
    low = arith.trunci(bits, word)
    return low if type_ == bits else builtin.unrealized_conversion_cast([type_], [low])
