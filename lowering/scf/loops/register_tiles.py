"""Sums over a dim for several rows at once: what the rows share is loaded once for all of them.

The sums of a tile, some rows by some vectors, stay in registers while the dim runs. What all rows
read in lanes, as the matrix that rows at coordinates are multiplied by, runs as many points of the
dim at a time as a near cache holds, so that all tiles find it there; for many rows it is copied to
a panel. In between sums are in memory. Each sum takes its points in order.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

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
    loop_carrying,
    maximum,
    memref,
    minimum,
    modulo,
    sub,
    value,
)
from mlir_gs.lowering.op.body import bytes_of, splat, vector
from mlir_gs.lowering.op.coordinates import Point
from mlir_gs.lowering.op.job import Job, symbols_in
from mlir_gs.lowering.op.ranges import Range, Run
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
    """Points of the dim `row` share the inputs `panels`, by number, which lie along `lanes` and
    change along `reduced`."""

    row: int
    lanes: int
    reduced: int
    panels: tuple[int, ...]


def find_tiles(job: Job, lanes: int) -> Tiles | None:
    """How `job`, whose dim `lanes` is in vectors, can run in tiles."""
    if job.turns is not None or job.gathered or job.masked or not job.reaches_outputs(lanes):
        return None
    outer, inner = job.loop_order(lanes)
    reduced = [dim for dim in inner if job.extents[dim] != 1]
    if len(reduced) != 1:
        return None
    if any(ref.map == output.map for ref in job.inputs for output in job.outputs):
        # It may be the memory of the output, which has sums of less than all points in between.
        return None

    def moving(dim: int) -> list[bool]:
        return [bool(ref.mentions(dim, job.coordinates)) for ref in job.inputs]

    in_lanes, along = moving(lanes), moving(reduced[0])
    lying = [ref.steps_with(lanes, job.coordinates) for ref in job.inputs]
    if in_lanes != lying or any(job.fills[n] for n in range(len(lying)) if in_lanes[n]):
        return None
    for row in reversed(outer):
        if job.structure.iterators[row] != "parallel" or job.extents[row] == 1:
            continue
        own = moving(row)
        each = range(len(job.inputs))
        panels = tuple(n for n in each if in_lanes[n] and along[n] and not own[n])
        if panels and any(along[n] and own[n] and not in_lanes[n] for n in each):
            return Tiles(row, lanes, reduced[0], panels)
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
        known = {*point.dims, tiles.row, tiles.lanes, tiles.reduced}
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
        job, (lower, upper, *_) = self.job, self.ranges[self.tiles.reduced]
        width = sum(run.width for run in runs)
        widest = max(bytes_of(job.inputs[number].storage) for number in self.tiles.panels)
        depth = max(self.policy.tile_bytes // (width * widest), 1)
        if isinstance(upper, int) and isinstance(lower, int):
            depth = min(depth, max(upper - lower, 1))
        panels = {
            number: on_stack(
                ir.MemRefType.get([depth, width], job.inputs[number].storage), self.policy.threads
            )
            for number in (() if self.few else self.tiles.panels)
        }

        def panel(first: Ix) -> None:
            end = minimum(add(first, depth), upper)
            if panels:
                loop(first, end, 1, lambda at: self._copy(panels, runs, point, first, at), "never")
            self._rows(panels, runs, point, first, end)

        # What the output starts from is stored even if there is nothing to add.
        loop(lower, maximum(upper, add(lower, 1)), depth, panel, "never")

    def _copy(
        self,
        panels: Mapping[int, ir.Value],
        runs: Sequence[Run],
        point: Point,
        first: Ix,
        at: Ix,
    ) -> None:
        here = point.at(self.tiles.reduced, at)
        self.job.coordinates.load_ready(here)
        for number, buffer in panels.items():
            ref = self.job.inputs[number]
            for run, place in _places(runs, sub(at, first)):
                where = ref.indices(here.at(self.tiles.lanes, run.position))
                _store(_load(ref.memref, where, run.width), buffer, place)

    def _rows(
        self,
        panels: Mapping[int, ir.Value],
        runs: Sequence[Run],
        point: Point,
        first: Ix,
        end: Ix,
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
                    lambda: self._tile(panels, runs, known, first, end),
                    lambda: self._tile(panels, runs, points, first, end),
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
        first: Ix,
        end: Ix,
    ) -> None:
        cells = [(point, run) for point in points for run in runs]
        outputs = len(self.job.outputs)

        def current(elements: Elements) -> list[ir.Value]:
            return [
                elements.current(number, run, point, False)
                for point, run in cells
                for number in range(outputs)
            ]

        def at(position: Ix, sums: list[ir.Value]) -> list[ir.Value]:
            return self._step(panels, runs, points, sub(position, first), position, sums)

        sums = loop_carrying(first, end, self._start(current, first), at, unroll="never")
        for number, (point, run) in enumerate(cells):
            mine = sums[number * outputs : (number + 1) * outputs]
            self.elements.store(run, point, mine, False)

    def _start(self, current: Callable[[Elements], list[ir.Value]], first: Ix) -> list[ir.Value]:
        """What the sums are before a panel: at first what the output is known to be, if it is."""
        lower = self.ranges[self.tiles.reduced].lower
        if self.job.initial is None or first is lower:
            return current(self.elements)
        types = [one.type for one in current(self.elements)]
        return choose_all(
            compare("eq", first, lower),
            types,
            lambda: current(self.elements),
            lambda: current(self.in_memory),
        )

    def _step(
        self,
        panels: Mapping[int, ir.Value],
        runs: Sequence[Run],
        points: Sequence[Point],
        depth: Ix,
        position: Ix,
        sums: list[ir.Value],
    ) -> list[ir.Value]:
        """One point of the dim for all rows."""
        job, outputs = self.job, len(self.job.outputs)
        shared = [
            {
                number: _load(buffer, place, run.width)
                for number, buffer in panels.items()
            }
            for run, place in _places(runs, depth)
        ]  # fmt: skip
        results: list[ir.Value] = []
        for point in points:
            here = point.at(self.tiles.reduced, position)
            job.coordinates.load_ready(here)
            for run, known in zip(runs, shared, strict=True):
                values = [
                    known[number] if number in known else self._input(number, run, here)
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
            return _load(ref.memref, where, run.width)
        inside, fill = point.valid_for(ref.map), self.job.fills[number]
        if inside is None or fill is None:
            found = memref.load(ref.memref, where)
        else:
            found = read_or_fill(ref, point, inside, fill)
        return found if run.width == 1 else splat(found, run.width)


def _places(runs: Sequence[Run], row: Ix) -> list[tuple[Run, list[ir.Value]]]:
    """Where each run lies in a row of a panel."""
    found, column = [], 0
    for run in runs:
        found.append((run, [value(row), value(column)]))
        column += run.width
    return found


def _load(source: ir.Value, where: Sequence[ir.Value], width: int) -> ir.Value:
    if width == 1:
        return memref.load(source, where)
    return vector.load(ir.VectorType.get([width], source.type.element_type), source, where)


def _store(element: ir.Value, target: ir.Value, where: Sequence[ir.Value]) -> None:
    if isinstance(element.type, ir.VectorType):
        vector.store(element, target, where)
    else:
        memref.store(element, target, where)
