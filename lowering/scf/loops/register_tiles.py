"""Sums for several rows at once: what the rows share is loaded once for all of them.

The sums of a tile, some rows by some vectors, stay in registers while the reduced dims run. What
all rows read in lanes, as the matrix that rows at coordinates are multiplied by, runs as many
points at a time as a near cache holds, so that all tiles find it there; for many rows, and where it
lies across the lanes, it is copied to a panel. In between sums are in memory. Each sum takes its
points in order.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import cast
from mlir_gs.lowering.ir.emit import (
    Ix,
    add,
    both,
    choose_all,
    compare,
    either,
    loop,
    maximum,
    memref,
    minimum,
    modulo,
    sub,
)
from mlir_gs.lowering.op.body import bytes_of, splat
from mlir_gs.lowering.op.coordinates import Point
from mlir_gs.lowering.op.job import Job, symbols_in
from mlir_gs.lowering.op.ranges import Range, Run
from mlir_gs.lowering.scf.loops.panels import Panel, Part, load, places
from mlir_gs.lowering.scf.loops.points import Elements
from mlir_gs.lowering.scf.loops.read_or_fill import read_or_fill
from mlir_gs.lowering.scf.loops.vector_runs import in_vectors
from mlir_gs.lowering.scf.policy import Policy
from mlir_gs.lowering.scf.threads import on_stack

ROWS = 6
"""Rows of a tile: their addresses stay in registers, with those of what they share."""

FEWEST = 16 * ROWS
"""Rows for which what they share is copied: as many tiles read it as make up for the copy."""

_HEIGHTS = (ROWS, 2, 1)
_FEW = (ROWS, 3, 2, 1)


@dataclass(frozen=True)
class Tiles:
    """Points of the dim `row` share the inputs `panels`, by number, which change along `lanes` and
    `reduced`. Those that are also in `across` do not lie along `lanes`."""

    row: int
    lanes: int
    reduced: tuple[int, ...]
    panels: tuple[int, ...]
    across: frozenset[int]


def find_tiles(job: Job, lanes: int) -> Tiles | None:
    """How `job`, whose dim `lanes` is in vectors, can run in tiles."""
    if job.gathered or job.masked or not job.reaches_outputs(lanes):
        return None
    outer, inner = job.loop_order(lanes)
    reduced = tuple(dim for dim in inner if job.extents[dim] != 1)
    if not reduced:
        return None
    if any(ref.map == output.map for ref in job.inputs for output in job.outputs):
        # It may be the memory of the output, which has sums of less than all points in between.
        return None

    def moving(*dims: int) -> list[bool]:
        return [any(ref.mentions(dim, job.coordinates) for dim in dims) for ref in job.inputs]

    each = range(len(job.inputs))
    in_lanes, along = moving(lanes), moving(*reduced)
    lying = [ref.steps_with(lanes, job.coordinates) for ref in job.inputs]
    across = frozenset(n for n in each if in_lanes[n] and not lying[n])
    if any(job.fills[n] for n in each if in_lanes[n]):
        return None
    if any(lanes in job.coordinates.depends(s) for n in across for s in symbols_in(job.inputs[n])):
        return None
    # The innermost that may fill a tile, if one does.
    sizes = job.extents
    for row in sorted(reversed(outer), key=lambda d: isinstance(sizes[d], int) and sizes[d] < ROWS):
        if job.structure.iterators[row] != "parallel" or job.extents[row] == 1:
            continue
        own = moving(row)
        panels = tuple(n for n in each if in_lanes[n] and along[n] and not own[n])
        shares = any(along[n] and own[n] and not in_lanes[n] for n in each)
        if panels and shares and across.issubset(panels):
            return Tiles(row, lanes, reduced, panels, across)
    return None


class TileLoops:
    """The loops of `job` in `tiles`, with vectors of `lanes` elements, over `ranges` of dims.
    `few`: there are two rows or more, but less than FEWEST, for which nothing is copied."""

    def __init__(
        self,
        job: Job,
        policy: Policy,
        tiles: Tiles,
        lanes: int,
        ranges: Mapping[int, Range],
        few: bool,
    ) -> None:
        self.heights = _FEW if few else _HEIGHTS
        self.few = few
        self.job = job
        self.policy = policy
        self.tiles = tiles
        self.lanes = lanes
        self.ranges = {
            dim: Range(0, extent, length=extent if isinstance(extent, int) else None)
            for dim, extent in job.extents.items()
        }
        self.ranges.update(ranges)
        self.elements = Elements(job, tiles.lanes, lanes, True, None)
        self.in_memory = Elements(replace(job, initial=None), tiles.lanes, lanes, True, None)

    def emit(self) -> None:
        """The loops at the insertion point."""
        tiles = self.tiles
        point = Point({dim: 0 for dim, extent in self.job.extents.items() if extent == 1})
        known = {*point.dims, tiles.row, tiles.lanes, *tiles.reduced}
        outer, _ = self.job.loop_order(tiles.lanes)
        self._around([dim for dim in outer if dim not in known], point)

    def _around(self, dims: Sequence[int], point: Point) -> None:
        self.job.coordinates.load_ready(point)
        if dims:
            dim, (lower, upper, *_) = dims[0], self.ranges[dims[0]]
            loop(lower, upper, 1, lambda at: self._around(dims[1:], point.at(dim, at)), "never")
            return
        vectors = max(self.policy.tile_vectors // self.heights[0], 1)
        part = self.ranges[self.tiles.lanes]
        # From a constant, columns may be summed up twice.
        twice = self.job.initial is not None
        in_vectors(
            part, self.lanes, vectors, True, False, twice, lambda runs: self._columns(runs, point)
        )

    def _columns(self, runs: Sequence[Run], point: Point) -> None:
        """All rows of some columns, a panel at a time."""
        job, tiles = self.job, self.tiles
        width = sum(run.width for run in runs)
        widest = max(bytes_of(job.inputs[number].storage) for number in tiles.panels)
        most = max(self.policy.tile_bytes // (width * widest), 1)
        around, cut, inner = self._cut(most)
        steps = prod(job.extents[dim] for dim in inner)
        lower, upper, *_ = self.ranges[cut]
        depth = max(most // steps, 1)
        if isinstance(upper, int) and isinstance(lower, int):
            depth = min(depth, max(upper - lower, 1))
        copied = [n for n in tiles.panels if not self.few or n in tiles.across]
        buffers = {
            number: on_stack(
                ir.MemRefType.get([depth * steps, width], job.inputs[number].storage),
                self.policy.threads,
            )
            for number in copied
        }

        def panels(dims: Sequence[int], here: Point, begins: ir.Value | None) -> None:
            """`begins`: whether no point of the dims around the panel came before, None: it is."""
            if dims:
                start, end = self.ranges[dims[0]][:2]

                def step(at: Ix) -> None:
                    first = None if at is start else compare("eq", at, start)
                    panels(dims[1:], here.at(dims[0], at), both(begins, first))

                loop(start, end, 1, step, "never")
                return

            def panel(first: Ix) -> None:
                end = minimum(add(first, depth), upper)
                part = Part(first, end, (cut, *inner), tuple(job.extents[dim] for dim in inner))
                for number, buffer in buffers.items():
                    copy = Panel(
                        job.inputs[number], buffer, job.coordinates, tiles.lanes, self.lanes
                    )
                    copy.fill(part, runs, here, number in tiles.across)
                start = both(begins, None if first is lower else compare("eq", first, lower))
                self._rows(buffers, runs, here, part, start)

            # What the output starts from is stored even if there is nothing to add.
            loop(lower, maximum(upper, add(lower, 1)), depth, panel, "never")

        panels(around, point, None)

    def _cut(self, most: int) -> tuple[Sequence[int], int, Sequence[int]]:
        """The reduced dims around panels of `most` rows, the one that panels cut, and those that
        they have all of."""
        dims, steps, place = self.tiles.reduced, 1, len(self.tiles.reduced) - 1
        while place:
            extent = self.job.extents[dims[place]]
            if not isinstance(extent, int) or steps * extent > most:
                break
            steps *= extent
            place -= 1
        return dims[:place], dims[place], dims[place + 1 :]

    def _rows(
        self,
        panels: Mapping[int, ir.Value],
        runs: Sequence[Run],
        point: Point,
        part: Part,
        begins: ir.Value | None,
    ) -> None:
        """All rows, in tiles of the greatest height that fits."""
        lower, upper = self.ranges[self.tiles.row][:2]
        for height in self.heights:
            whole = sub(upper, modulo(sub(upper, lower), height))

            def tile(at: Ix, height: int = height) -> None:
                points = [point.at(self.tiles.row, add(at, n)) for n in range(height)]
                for one in points:
                    self.job.coordinates.load_ready(one)
                inside, known = self._inside(points)
                either(
                    inside,
                    lambda: self._tile(panels, runs, known, part, begins),
                    lambda: self._tile(panels, runs, points, part, begins),
                )

            loop(lower, whole, height, tile, "never")
            lower = whole

    def _inside(self, points: Sequence[Point]) -> tuple[ir.Value | None, Sequence[Point]]:
        """Whether no row is filled, None for always, and the points where that holds."""
        condition, known = None, []
        pairs = zip(self.job.inputs, self.job.fills, strict=True)
        filled = [ref for ref, fill in pairs if fill is not None]
        for point in points:
            for ref in filled:
                condition = both(condition, point.valid_for(ref.map))
            symbols = {symbol: None for ref in filled for symbol in symbols_in(ref)}
            valid = {s: symbols.get(s, found) for s, found in point.valid.items()}
            known.append(Point(point.dims, point.symbols, valid))
        return condition, known

    def _tile(
        self,
        panels: Mapping[int, ir.Value],
        runs: Sequence[Run],
        points: Sequence[Point],
        part: Part,
        begins: ir.Value | None,
    ) -> None:
        cells = [(point, run) for point in points for run in runs]
        outputs = len(self.job.outputs)

        def current(elements: Elements) -> list[ir.Value]:
            return [
                elements.current(number, run, point, False)
                for point, run in cells
                for number in range(outputs)
            ]

        def step(at: Mapping[int, Ix], row: Ix, sums: list[ir.Value]) -> list[ir.Value]:
            here = [Point({**point.dims, **at}, point.symbols, point.valid) for point in points]
            return self._step(panels, runs, here, row, sums)

        sums = part.carrying(self._start(current, begins), step)
        for number, (point, run) in enumerate(cells):
            mine = sums[number * outputs : (number + 1) * outputs]
            self.elements.store(run, point, mine, False)

    def _start(
        self, current: Callable[[Elements], list[ir.Value]], begins: ir.Value | None
    ) -> list[ir.Value]:
        """What the sums are before a panel: at first what the output is known to be, if it is."""
        if self.job.initial is None or begins is None:
            return current(self.elements)
        types = [one.type for one in current(self.elements)]
        return choose_all(
            begins,
            types,
            lambda: current(self.elements),
            lambda: current(self.in_memory),
        )

    def _step(
        self,
        panels: Mapping[int, ir.Value],
        runs: Sequence[Run],
        points: Sequence[Point],
        row: Ix,
        sums: list[ir.Value],
    ) -> list[ir.Value]:
        """One point of the reduced dims for all rows, in row `row` of the panels."""
        job, outputs = self.job, len(self.job.outputs)
        shared = [
            {number: load(buffer, place, run.width) for number, buffer in panels.items()}
            for run, place in places(runs, row)
        ]
        results: list[ir.Value] = []
        for point in points:
            job.coordinates.load_ready(point)
            for run, known in zip(runs, shared, strict=True):
                values = [
                    known[number] if number in known else self._input(number, run, point)
                    for number in range(len(job.inputs))
                ]
                begin = len(results)
                values += sums[begin : begin + outputs]
                if run.width > 1:
                    results += job.body.on_vectors(values, run.width)
                    continue
                news = zip(job.body.scalar(values), job.outputs, strict=True)
                results += [cast(new, ref.storage) for new, ref in news]
        return results

    def _input(self, number: int, run: Run, point: Point) -> ir.Value:
        ref = self.job.inputs[number]
        where = ref.indices(point.at(self.tiles.lanes, run.position))
        if ref.mentions(self.tiles.lanes, self.job.coordinates):
            return load(ref.memref, where, run.width)
        inside, fill = point.valid_for(ref.map), self.job.fills[number]
        if inside is None or fill is None:
            found = memref.load(ref.memref, where)
        else:
            found = read_or_fill(ref, point, inside, fill)
        return found if run.width == 1 else splat(found, run.width)
