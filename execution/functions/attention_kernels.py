"""The kernels of `paged_attention`: one walk over the keys of a sequence, a block at a time.

A block's scores, of some queries with all keys of the block, are a small array on the stack. They
become weights relative to the greatest score so far; what was summed up before is scaled to that.
"""

from collections.abc import Callable, Sequence
from typing import Any

from mlir_gs._texts import template
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.execution.functions.attention import BLOCK, Form
from mlir_gs.frontend.common.exponential import exponential
from mlir_gs.lowering.ir.builders import uniform
from mlir_gs.lowering.ir.emit import (
    Ix,
    add,
    loop,
    loop_carrying,
    minimum,
    mul,
    sub,
    value,
)
from mlir_gs.lowering.op.body import splat
from mlir_gs.lowering.scf.threads import on_stack

arith = dialect("arith")
math = dialect("math")
memref = dialect("memref")
vector = dialect("vector")

_LANES = 16
_SUMS = 16
"""Vectors of sums in registers."""


def module(form: Form, threads: int) -> Any:
    cache = f"memref<?x{form.page}x?x{form.width}x{form.element}>"
    text = template(__file__, "mlir/attention.mlir").substitute(
        d=form.width, cache=cache, i=form.coordinate, page=form.page, parts=form.parts
    )
    made = ir.Module.parse(text)
    entry = made.body.operations[0].regions[0].blocks[0]
    around = next(op for op in entry.operations if op.operation.name == "scf.parallel")
    block = around.regions[0].blocks[0]
    with ir.InsertionPoint(block.operations[0]):
        _Attention(form, list(entry.arguments), threads).emit(*block.arguments)
    return made


class _Attention:
    """One sequence and one head of keys, whose queries are in tiles of `form.rows`."""

    def __init__(self, form: Form, arguments: Sequence[Any], threads: int) -> None:
        self.form = form
        self.threads = threads
        (self.q, self.k, self.v, self.table, self.lengths, self.starts, self.factors, self.seen,
         self.sinks, self.work, self.result) = arguments  # fmt: skip
        self.f32 = ir.F32Type.get()
        self.rows = form.tokens * form.heads
        widths, first = [], 0
        while first < form.width:
            width = _LANES
            while first + width > form.width:
                width //= 2
            widths.append((first, width))
            first += width
        self.columns = widths

    def emit(self, sequence: Any, part: Any) -> None:
        """All queries of a sequence, with a part of the heads of keys."""
        form = self.form
        self.scores = on_stack(ir.MemRefType.get([self.rows, BLOCK], self.f32), self.threads)
        self.places = on_stack(ir.MemRefType.get([BLOCK, 2], ir.IndexType.get()), self.threads)
        self.sequence = sequence
        self.length = _index(memref.load(self.lengths, [sequence]))
        self.first = _index(memref.load(self.starts, [sequence]))
        end = _index(memref.load(self.starts, [add(sequence, 1)]))
        self.count = sub(end, self.first)
        count = memref.dim(self.k, value(2))
        group = arith.divui(memref.dim(self.q, value(1)), count)
        self.lower, self.upper = (
            arith.divui(value(mul(count, n)), value(form.parts)) for n in (part, add(part, 1))
        )
        self.group = group
        if form.decodes:
            self._one_token()
            return
        self.sums = on_stack(ir.MemRefType.get([self.rows, form.width], self.f32), self.threads)

        def tile(head: Ix, first: Ix) -> None:
            loop(0, self.count, form.tokens, lambda at: self._tile(head, first, at), "never")

        self._heads(tile)

    def _heads(self, body: Callable[[Ix, Ix], None]) -> None:
        """`body` of each head of keys, and of the first of some queries' heads that share it."""

        def head(number: Ix) -> None:
            begin = mul(number, self.group)
            heads = self.form.heads
            loop(0, self.group, heads, lambda at: body(number, add(begin, at)), "never")

        loop(self.lower, self.upper, 1, head, "never")

    def _one_token(self) -> None:
        """All heads read a block of keys before the next one: it lies together. What they have so
        far is in the result, and in arrays to work in."""
        self.sums = None

        def start(head: Ix, first: Ix) -> None:
            self._queries(head, first, [0])
            begun = self._begun()
            for number, ones in enumerate((begun[: self.rows], begun[self.rows :])):
                for place, one in zip(self.queries, ones, strict=True):
                    memref.store(one, self.work, [*place, value(number)])
            self._clear()

        def block(begin: Ix) -> None:
            def one(head: Ix, first: Ix) -> None:
                self._queries(head, first, [0])
                given = [
                    memref.load(self.work, [*place, value(n)])
                    for n in (0, 1)
                    for place in self.queries
                ]
                places = [[*place, value(n)] for n in (0, 1) for place in self.queries]
                for found, place in zip(self._block(begin, given), places, strict=True):
                    memref.store(found, self.work, place)

            self._heads(one)

        def finish(head: Ix, first: Ix) -> None:
            self._queries(head, first, [0])
            self._finish([memref.load(self.work, [*place, value(1)]) for place in self.queries])

        self._heads(start)
        loop(self._hidden(self.length), self.length, BLOCK, block, "never")
        self._heads(finish)

    def _tile(self, head: Ix, first: Ix, token: Ix) -> None:
        """Some queries: those of `heads` heads from `first` on, of `tokens` tokens from `token` on.
        Behind the last token it comes again, with the same result."""
        last = sub(self.count, 1)
        self._queries(head, first, [minimum(add(token, n), last) for n in range(self.form.tokens)])
        self._clear()
        first_key = self._hidden(self.limits[0])
        found = loop_carrying(
            first_key, self.limits[-1], self._begun(), self._block, BLOCK, "never"
        )
        self._finish(found[self.rows :])

    def _queries(self, head: Ix, first: Ix, tokens: Sequence[Ix]) -> None:
        """The queries are those of `tokens`, of heads from `first` on, which share `head`."""
        heads = self.form.heads
        self.head = head
        rows = range(self.rows)
        where = [add(self.first, token) for token in tokens]
        self.queries = [[value(where[r // heads]), value(add(first, r % heads))] for r in rows]
        limits = [self._limit(token) for token in tokens]
        self.limits = [limits[r // heads] for r in rows]

    def _sum(self, row: int, column: int) -> tuple[Any, list[Any]]:
        """Where the sums of a query are."""
        if self.sums is None:
            return self.result, [*self.queries[row], value(column)]
        return self.sums, [value(row), value(column)]

    def _begun(self) -> list[Any]:
        """The greatest score and the sum of weights before any key: those of the sinks."""
        if not self.form.sinks:
            return [_number(float("-inf"))] * self.rows + [_number(0.0)] * self.rows
        sinks = [memref.load(self.sinks, [head]) for _, head in self.queries]
        totals = []
        for sink in sinks:
            none = arith.cmpf(arith.CmpFPredicate.OEQ, sink, _number(float("-inf")))
            totals.append(arith.select(none, _number(0.0), _number(1.0)))
        return sinks + totals

    def _hidden(self, limit: Any) -> Any:
        """How many keys come before those that a query sees, the keys up to `limit`."""
        if not self.form.window:
            return value(0)
        return arith.maxsi(value(sub(limit, self.seen)), value(0))

    def _clear(self) -> None:
        for r in range(self.rows):
            for first, width in self.columns:
                vector.store(_splat(0.0, width), *self._sum(r, first))

    def _finish(self, totals: Sequence[Any]) -> None:
        """The results: sums by the totals of their weights."""
        zero, factor = _number(0.0), memref.load(self.factors, [value(1)])
        for r, total in enumerate(totals):
            nothing = arith.cmpf(arith.CmpFPredicate.OEQ, total, zero)
            inverse = arith.select(nothing, zero, arith.divf(factor, total))
            for first, width in self.columns:
                sums = vector.load(_f32s(width), *self._sum(r, first))
                to = [*self.queries[r], value(first)]
                vector.store(arith.mulf(sums, splat(inverse, width)), self.result, to)

    def _limit(self, token: Ix) -> Any:
        """How many keys the query of a token sees."""
        if not self.form.causal:
            return self.length
        return value(add(sub(self.length, self.count), add(token, 1)))

    def _block(self, begin: Ix, carried: list[Any]) -> list[Any]:
        greatest, totals = carried[: self.rows], carried[self.rows :]
        loop(0, BLOCK, 1, lambda j: self._score(begin, j), "never")
        factor = splat(memref.load(self.factors, [value(0)]), BLOCK)
        found, scales = [], []
        for r in range(self.rows):
            here = [value(r), value(0)]
            scores = arith.mulf(vector.load(_f32s(BLOCK), self.scores, here), factor)
            if self.form.cap:
                scores = self._capped(scores)
            scores = arith.select(self._seen(begin, r), scores, _splat(float("-inf"), BLOCK))
            most = arith.maximumf(greatest[r], vector.reduction(
                self.f32, vector.CombiningKind.MAXIMUMF, scores))  # fmt: skip
            # Where nothing was seen so far, minus infinity stays out of the differences.
            none = arith.cmpf(arith.CmpFPredicate.OEQ, most, _number(float("-inf")))
            base = arith.select(none, _number(0.0), most)
            weights = exponential(arith.subf(scores, splat(base, BLOCK)))
            scale = exponential(arith.subf(greatest[r], base))
            vector.store(weights, self.scores, here)
            found.append((most, math.fma(totals[r], scale, _total(weights))))
            scales.append(scale)
        self._add(scales)
        return [most for most, _ in found] + [total for _, total in found]

    def _seen(self, begin: Ix, row: int) -> Any:
        """The lanes of a block that begins at key `begin` which the query of a row sees."""
        i32 = ir.IntegerType.get_signless(32)
        type_ = ir.VectorType.get([BLOCK], i32)
        numbers = [ir.IntegerAttr.get(i32, n) for n in range(BLOCK)]
        step = arith.constant(type_, ir.DenseElementsAttr.get(numbers, type_))

        def lane(key: Any) -> Any:
            left = arith.minsi(value(sub(key, begin)), value(BLOCK))
            return splat(arith.index_cast(i32, arith.maxsi(left, value(0))), BLOCK)

        seen = arith.cmpi(arith.CmpIPredicate.slt, step, lane(self.limits[row]))
        if not self.form.window:
            return seen
        first = lane(self._hidden(self.limits[row]))
        return arith.andi(seen, arith.cmpi(arith.CmpIPredicate.sge, step, first))

    def _capped(self, scores: Any) -> Any:
        """`cap * tanh(scores / cap)`."""
        cap, one = splat(memref.load(self.factors, [value(2)]), BLOCK), _splat(1.0, BLOCK)
        part = math.absf(arith.divf(scores, cap))
        power = exponential(arith.mulf(part, _splat(-2.0, BLOCK)))
        bent = arith.divf(arith.subf(one, power), arith.addf(one, power))
        return math.copysign(arith.mulf(bent, cap), scores)

    def _score(self, begin: Ix, j: Ix) -> None:
        """The scores of one key: products of it and of each query."""
        last = sub(self.length, 1)
        page, slot = self._page(minimum(add(begin, j), last))
        memref.store(page, self.places, [value(j), value(0)])
        memref.store(slot, self.places, [value(j), value(1)])
        sums: list[list[Any]] = [[] for _ in range(self.rows)]
        for first, width in self.columns:
            key = self._wide(self.k, [page, slot, self.head, value(first)], width)
            for r, mine in enumerate(sums):
                query = vector.load(_f32s(width), self.q, [*self.queries[r], value(first)])
                if mine and mine[-1].type == key.type:
                    mine[-1] = math.fma(query, key, mine[-1])
                else:
                    mine.append(arith.mulf(query, key))
        for r, mine in enumerate(sums):
            total = None
            for part in mine:
                total = _total(part) if total is None else arith.addf(total, _total(part))
            memref.store(total, self.scores, [value(r), value(j)])

    def _add(self, scales: Sequence[Any]) -> None:
        """The sums, scaled, and the rows of values in the block, each by its weight."""
        together = max(_SUMS // self.rows, 1)
        for number in range(0, len(self.columns), together):
            columns = self.columns[number : number + together]
            cells = [(r, *column) for r in range(self.rows) for column in columns]
            start = [
                arith.mulf(
                    vector.load(_f32s(width), *self._sum(r, first)),
                    splat(scales[r], width),
                )
                for r, first, width in cells
            ]

            def one(j: Ix, sums: list[Any], columns: Any = columns, cells: Any = cells) -> Any:
                page, slot = (memref.load(self.places, [value(j), value(n)]) for n in (0, 1))
                values = {
                    first: self._wide(self.v, [page, slot, self.head, value(first)], width)
                    for first, width in columns
                }
                weights = [memref.load(self.scores, [value(r), value(j)]) for r in range(self.rows)]
                return [
                    math.fma(splat(weights[r], width), values[first], total)
                    for (r, first, width), total in zip(cells, sums, strict=True)
                ]

            found = loop_carrying(0, BLOCK, start, one, 1, "never")
            for (r, first, _), total in zip(cells, found, strict=True):
                vector.store(total, *self._sum(r, first))

    def _page(self, key: Ix) -> tuple[Any, Any]:
        """The page of a key, and its place there."""
        size = value(self.form.page)
        number = memref.load(self.table, [self.sequence, arith.divui(value(key), size)])
        return _index(number), arith.remui(value(key), size)

    def _wide(self, cache: Any, where: list[Any], width: int) -> Any:
        found = vector.load(ir.VectorType.get([width], cache.type.element_type), cache, where)
        if isinstance(cache.type.element_type, ir.F32Type):
            return found
        if isinstance(cache.type.element_type, ir.IntegerType):
            return arith.sitofp(_f32s(width), found)
        return arith.extf(_f32s(width), found)


def _index(number: Any) -> Any:
    return arith.index_cast(ir.IndexType.get(), number)


def _number(number: float) -> Any:
    return arith.constant(ir.F32Type.get(), number)


def _f32s(width: int) -> Any:
    return ir.VectorType.get([width], ir.F32Type.get())


def _total(part: Any) -> Any:
    """The sum of a vector, in any order."""
    free = arith.FastMathFlags.reassoc
    return vector.reduction(ir.F32Type.get(), vector.CombiningKind.ADD, part, fastmath=free)


def _splat(number: float, width: int) -> Any:
    return uniform(_f32s(width), ir.FloatAttr.get(ir.F32Type.get(), number))
