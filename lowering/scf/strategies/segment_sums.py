"""Sums of segments in blocks, see `segments` and `block_sums`.

Where one segment ends and the next one begins is found for 64 points at a time: a bit says that a
coordinate differs from the one behind it, and eight bits become positions without a branch.
"""

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.structure import Structure
from mlir_gs.lowering.ir.builders import arith, memory_of
from mlir_gs.lowering.ir.emit import (
    Ix,
    add,
    compare,
    either,
    loop,
    loop_carrying,
    loop_while_carrying,
    memref,
    minimum,
    modulo,
    size_of,
    sub,
    value,
    when,
)
from mlir_gs.lowering.op.body import vector
from mlir_gs.lowering.op.coordinates import Point
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.ranges import Range
from mlir_gs.lowering.op.refs import Ref
from mlir_gs.lowering.op.segments import Segments, find_segments
from mlir_gs.lowering.scf.loops.coordinate_vectors import coordinate_row
from mlir_gs.lowering.scf.policy import Policy
from mlir_gs.lowering.scf.strategies.block_sums import (
    BlockSums,
    EmitPart,
    blocks_pay,
    can_be_summed,
    steps_only_at,
)
from mlir_gs.lowering.scf.strategies.nests import Loops
from mlir_gs.lowering.scf.strategy import Later, Strategy, unless_always
from mlir_gs.lowering.scf.threads import on_stack, outline

math = dialect("math")

WORD = 64
"""Points whose borders are the bits of a word."""

TOGETHER = 8
"""Bits that become positions without a branch."""


class SegmentBlocks(Strategy[Loops, "SegmentSums"]):
    """A block of points adds to a buffer in vectors; segments are reduced from there."""

    name = "segment-sums"
    meaning = "blocks of short segments with sorted coordinates are reduced from a buffer"
    numbers = ("far_bytes", "sums_bytes", "sums_many", "sums_short")
    makes_ops = True

    def applies(self, work: Loops) -> "SegmentSums | None":
        return SegmentSums.find(work.job, work.segments, work.policy)

    def pays(self, work: Loops, match: "SegmentSums") -> ir.Value | bool:
        return match.pay()

    def emit(
        self, work: Loops, match: "SegmentSums", pays: ir.Value | bool, later: Later[Loops]
    ) -> None:
        initial, part = work.job.initial, work.part(match.segments.dim)

        def in_blocks(clone: ir.Operation, bounds: list[ir.Value]) -> None:
            constant = None if initial is None else initial.owner.attributes["value"]
            job = Job.of(clone, constant)
            sums = SegmentSums.find(job, find_segments(job, None), work.policy)
            assert sums is not None
            sums.emit(Range(*bounds), work.emit_part)

        def call() -> None:
            # A function of its own, for it is as much code as all else.
            outline(work.job.op, "gs_blocks", 1, in_blocks).call([part.lower, part.upper])

        either(unless_always(pays), call, lambda: later(work))

    def describe(self, work: Loops, match: "SegmentSums", pays: ir.Value | bool) -> str:
        return (
            "where segments are many and short, what a block of points adds goes to a buffer in "
            "vectors, and is summed up from there"
        )


class SegmentSums:
    """The sums of `segments`, along the one dim of `job`, whose coordinates are `places`."""

    def __init__(self, job: Job, segments: Segments, places: Ref, policy: Policy) -> None:
        self.job = job
        self.segments = segments
        self.places = places
        self.policy = policy
        (self.symbol,) = segments.symbols

    @classmethod
    def find(cls, job: Job, segments: Segments | None, policy: Policy) -> "SegmentSums | None":
        """Those of `job`, if blocks can be summed up."""
        structure = job.structure
        if segments is None or structure.rank != 1 or len(segments.symbols) != 1:
            return None
        (symbol,) = segments.symbols
        if not can_be_summed(job.op, structure) or not job.coordinates.is_plain(symbol):
            return None
        if job.outputs[0].storage != job.outputs[0].element:
            return None
        for operand in list(job.op.operands)[:-1]:
            if _position(structure, operand) is None:
                return None
            # Points would see what earlier ones have added.
            if memory_of(operand) == memory_of(structure.outputs[0].value):
                return None
        places = coordinate_row(job, symbol, segments.dim)
        return None if places is None else cls(job, segments, places, policy)

    def pay(self) -> ir.Value:
        """Whether blocks take less time than a loop over points. Where most places have no points,
        most of what is written is a fill."""
        points = self.job.extents[self.segments.dim]
        places = self.segments.size(self.job, self.symbol)
        structure = self.job.structure
        operands = {a.value: None for a in (*structure.inputs, *structure.coordinates)}
        whole = [one for one in operands if _position(structure, one) == -1]
        pay = blocks_pay(places, points, whole, self.policy)
        return arith.andi(compare("sge", points, places), pay)

    def emit(self, part: Range, emit: EmitPart) -> None:
        """The segments of the points of `part`."""
        lower, upper = value(part.lower), value(part.upper)
        when(compare("slt", lower, upper), lambda: self._some(lower, upper, emit))
        if self.job.initial is not None:
            self.segments.fill_after(self.job, lower, upper, self._fill)

    def _some(self, lower: ir.Value, upper: ir.Value, emit: EmitPart) -> None:
        sums = BlockSums(self.job.op, self._operands, self.policy, emit)
        # Eight positions are stored where there are fewer.
        i32 = ir.IntegerType.get_signless(32)
        ends = on_stack(ir.MemRefType.get([sums.length + WORD], i32), self.policy.threads)
        first_place = self._place(lower)
        if self.job.initial is not None:
            point = Point({self.segments.dim: lower}, {self.symbol: first_place})
            self.segments.fill_before(self.job, point, lower, self._fill)

        def block(carried: list[ir.Value]) -> tuple[ir.Value, list[ir.Value]]:
            first, place, current = carried
            last = value(minimum(add(first, sums.length), upper))
            sums.fill(first, sub(last, first))
            count = self._borders(ends, first, minimum(last, sub(upper, 1)))

            # Behind the last border: the segment that goes on in the next block.
            memref.store(_as_i32(sub(last, first)), ends, [count])

            def sum_up(carried: list[ir.Value]) -> tuple[ir.Value, list[ir.Value]]:
                number, position, place, current = carried
                offset = arith.index_cast(first.type, memref.load(ends, [number]))
                until = value(add(first, offset))
                total = sums.sum(current, position, until, first)
                return compare("slt", number, count), [number, until, place, total]

            def following(found: list[ir.Value]) -> list[ir.Value]:
                number, position, place, total = found
                self._store(total, place)
                next_ = self._place(position)
                if self.job.initial is not None:
                    loop(add(place, 1), next_, 1, self._fill, unroll="never")
                return [value(add(number, 1)), position, next_, self._start(next_)]

            start = [value(0), first, place, current]
            _, _, place, current = loop_while_carrying(start, sum_up, following)
            return compare("slt", last, upper), [last, place, current]

        start = [lower, first_place, self._start(first_place)]
        _, place, current = loop_while_carrying(start, block, lambda carried: carried)
        self._store(current, place)

    def _operands(self, first: ir.Value, size: ir.Value) -> list[ir.Value]:
        """The inputs and coordinates of the `size` points from `first` on."""
        found = []
        for operand in list(self.job.op.operands)[:-1]:
            position = _position(self.job.structure, operand)
            assert position is not None
            found.append(operand if position < 0 else _part(operand, position, first, size))
        return found

    def _place(self, position: Ix) -> ir.Value:
        point = Point({self.segments.dim: position})
        self.job.coordinates.load(self.symbol, point)
        return value(point.symbols[self.symbol])

    def _indices(self, place: Ix) -> list[ir.Value]:
        return self.job.outputs[0].indices(Point({}, {self.symbol: place}))

    def _start(self, place: ir.Value) -> ir.Value:
        if self.job.initial is not None:
            return self.job.initial
        return memref.load(self.job.outputs[0].memref, self._indices(place))

    def _store(self, total: ir.Value, place: ir.Value) -> None:
        memref.store(total, self.job.outputs[0].memref, self._indices(place))

    def _fill(self, place: Ix) -> None:
        assert self.job.initial is not None
        self._store(self.job.initial, value(place))

    def _borders(self, ends: ir.Value, first: ir.Value, last: Ix) -> ir.Value:
        """Store into `ends` for each point from `first` to `last` that is the last one of its
        segment where the next one begins, after `first`; returns their number."""
        row = self.places
        words = sub(last, modulo(sub(last, first), WORD))

        def store(at: Ix, where: ir.Value) -> None:
            memref.store(_as_i32(at), ends, [where])

        def word(position: Ix, carried: list[ir.Value]) -> list[ir.Value]:
            (count,) = carried
            lanes = ir.VectorType.get([WORD], row.storage)
            one, next_ = (
                vector.load(lanes, row.memref, row.indices(Point({self.segments.dim: at})))
                for at in (position, add(position, 1))
            )
            differ = arith.cmpi(arith.CmpIPredicate.ne, one, next_)
            i64 = ir.IntegerType.get_signless(WORD)
            bits = vector.extract(vector.bitcast(ir.VectorType.get([1], i64), differ), [], [0])
            after = add(sub(position, first), 1)
            number = arith.index_cast(first.type, math.ctpop(bits))

            def some(carried: list[ir.Value]) -> tuple[ir.Value, list[ir.Value]]:
                bits, where = carried
                for n in range(TOGETHER):
                    offset = arith.index_cast(first.type, math.cttz(bits))
                    store(add(after, offset), value(add(where, n)))
                    bits = arith.andi(bits, arith.subi(bits, arith.constant(i64, 1)))
                more = arith.cmpi(arith.CmpIPredicate.ne, bits, arith.constant(i64, 0))
                return more, [bits, value(add(where, TOGETHER))]

            loop_while_carrying([bits, count], some, lambda carried: carried)
            return [value(add(count, number))]

        (count,) = loop_carrying(first, words, [value(0)], word, WORD, unroll="never")

        def one_by_one(position: Ix, carried: list[ir.Value]) -> list[ir.Value]:
            (count,) = carried
            store(add(sub(position, first), 1), count)
            differ = compare("ne", self._place(position), self._place(add(position, 1)))
            return [arith.addi(count, arith.index_castui(first.type, differ))]

        (count,) = loop_carrying(words, last, [count], one_by_one, unroll="never")
        return count


def _position(structure: Structure, operand: ir.Value) -> int | None:
    """The dimension of `operand`, an input or coordinates, along which points read one after the
    other: -1 if all may read anything, None where neither is so."""
    accesses = (*structure.inputs, *structure.coordinates)
    mine = [access for access in accesses if access.value == operand]
    plain = [n for n, expr in enumerate(mine[0].map.results) if plain_dim(expr) == 0]
    position = plain[0] if plain else -1
    return position if all(steps_only_at(access, position) for access in mine) else None


def _as_i32(number: Ix) -> ir.Value:
    return arith.index_cast(ir.IntegerType.get_signless(32), value(number))


def _part(operand: ir.Value, position: int, first: ir.Value, size: ir.Value) -> ir.Value:
    """The `size` positions of `operand` from `first` on along the dimension `position`."""
    type_ = operand.type
    strides, _ = type_.get_strides_and_offset()
    shape = list(type_.shape)
    sizes: list[Ix] = [size if n == position else size_of(operand, n) for n in range(len(shape))]
    offsets = [first if n == position else 0 for n in range(len(shape))]
    shape[position] = DYNAMIC
    layout = ir.StridedLayoutAttr.get(DYNAMIC, strides)
    result = ir.MemRefType.get(shape, type_.element_type, layout, type_.memory_space)
    return memref.subview(operand, offsets, sizes, [1] * len(shape), result_type=result)
