"""The loops of sorted segments, for `nest.py`: a search for each end, or one loop for all."""

from collections.abc import Callable, Sequence
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.emit import (
    Ix,
    add,
    choose_all,
    compare,
    loop,
    loop_while,
    value,
    when,
)
from mlir_gs.lowering.op.coordinates import Point
from mlir_gs.lowering.op.ranges import Range, Run
from mlir_gs.lowering.op.segments import Segments

Carrying = Callable[[Ix, list[ir.Value]], list[ir.Value]]


class SegmentLoops:
    """Emits one segment after the other at `point`, with loops over the dims `order` inside.

    The dim that runs through a segment is among those that `nest`, a `Nest` of nest.py, reduces.
    """

    def __init__(self, nest: Any, segments: Segments, order: Sequence[int], point: Point):
        self.nest = nest
        self.job = nest.job
        self.segments = segments
        self.order = order
        self.point = point
        self.whole = nest.ranges[segments.dim]
        self.fills = self.job.initial is not None

    def emit(self, guarded: bool) -> None:
        modes = self.job.structure.modes
        checked = any(modes[symbol] == "fill_or_drop" for symbol in self.segments.symbols)
        runs = None if self.order or checked else self.nest.all_runs()
        if runs is None:
            self._with_searches(guarded)
        else:
            self._in_one_loop(runs)
        if self.fills:
            lower, upper, *_ = self.whole
            self.segments.fill_after(self.job, lower, upper, self._fill)

    def _with_searches(self, guarded: bool) -> None:
        segments, (lower, upper, *_) = self.segments, self.whole

        def body(start: ir.Value) -> ir.Value:
            first = self._loaded(start)
            if self.fills:
                segments.fill_before(self.job, first, start, self._fill)
            end = segments.end(self.job, first, start, upper)
            # The place of the outputs is bound, the dim is not.
            place = Point(dict(self.point.dims), first.symbols, first.valid)
            self.nest.ranges[segments.dim] = Range(start, end, following=upper)
            self.nest.level(self.order, place, guarded)
            self.nest.ranges[segments.dim] = self.whole
            return end

        loop_while(lower, lambda start: compare("slt", start, upper), body)

    def _in_one_loop(self, runs: Sequence[Run]) -> None:
        """All points one after the other: that a segment ends is one branch."""
        nest, segments, symbols = self.nest, self.segments, self.segments.symbols
        lower, upper, *_ = self.whole
        inner = [d for d in nest.reduced if d != segments.dim and d not in self.point.dims]

        def at(position: Ix, carried: list[ir.Value]) -> list[ir.Value]:
            before, current = carried[: len(symbols)], carried[len(symbols) :]
            here = self._loaded(position)
            now = [value(here.symbols[symbol]) for symbol in symbols]

            def another() -> list[ir.Value]:
                nest.store(runs, self._place(before), current, True)
                if self.fills:
                    loop(add(before[0], 1), now[0], 1, self._fill, unroll="never")
                return nest.current(runs, self._place(now), True)

            goes_on = segments.same(self._place(before), here)
            types = [one.type for one in current]
            current = choose_all(goes_on, types, lambda: current, another)
            return now + nest.reduce(runs, inner, here, current, True)

        def all_segments() -> None:
            first = self._loaded(lower)
            if self.fills:
                segments.fill_before(self.job, first, value(lower), self._fill)
            start = [value(first.symbols[symbol]) for symbol in symbols]
            start += nest.current(runs, self._place(start), True)
            last = nest.reducing_loop(segments.dim, self.whole, self.point, runs, start, at)
            nest.store(runs, self._place(last[: len(symbols)]), last[len(symbols) :], True)

        when(compare("slt", lower, upper), all_segments)

    def _loaded(self, position: Ix) -> Point:
        """The point at `position` with the coordinates of the outputs."""
        here = self.point.at(self.segments.dim, position)
        for symbol in self.segments.symbols:
            self.job.coordinates.load(symbol, here)
        return here

    def _place(self, coordinates: Sequence[Ix]) -> Point:
        known = dict(zip(self.segments.symbols, coordinates, strict=False))
        return Point(dict(self.point.dims), {**self.point.symbols, **known}, dict(self.point.valid))

    def _fill(self, place: Ix) -> None:
        self.nest.fill(self.order, self._place([place]))
