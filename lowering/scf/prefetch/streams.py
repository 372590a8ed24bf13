"""Prefetch of lines that are read or written in the order in which they lie in memory.

A core owns a line before it writes it; asked for early, the lines are there when the stores come,
which are done in order and wait for each other. Some cores gain nothing: they write past the
caches at full speed, or copy by instructions of their own.

What is read in order the hardware foresees. But some cores look only so far ahead that an element
or two of each line still waits: coordinates and updates that are asked for 2 KiB before they are
read leave the memory to what lies at coordinates.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.ir.builders import arith
from mlir_gs.lowering.ir.emit import Ix, add, compare, mul, value, when
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.compact import is_compact
from mlir_gs.lowering.op.coordinates import Point
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.refs import Ref
from mlir_gs.lowering.op.volume import LINE, bytes_in
from mlir_gs.lowering.scf.prefetch.line import ask_for
from mlir_gs.lowering.scf.prefetch.rows import CACHED


@dataclass(frozen=True)
class Streams:
    """Ask for the lines of `refs` that are read, or written, `distance` bytes later along `dim`.

    Past the end of a row that is the next row, where rows lie side by side. `enabled` is the
    condition under which it is worth it, None for always. Lines come to the cache of this `level`.
    `first` is a position that is added to those of points, each of which counts `times`. Where the
    condition of `instead` holds, its distance stands for `distance`. They are asked for no more
    than `most` positions ahead, None for any number.
    """

    dim: int
    refs: Sequence[Ref]
    distance: int
    written: bool
    enabled: ir.Value | None = None
    level: int = 1
    first: Ix = 0
    times: int = 1
    instead: tuple[ir.Value, int] | None = None
    most: int | None = None

    def emit(self, point: Point, position: Ix, elements: int) -> None:
        """While `elements` elements from `position` on are read or written."""

        position = add(mul(position, self.times), self.first)
        elements *= self.times

        def ask() -> None:
            for ref in self.refs:
                step = _step(ref, self.dim)
                for offset in range(0, elements * step, LINE):
                    later = add(position, self._steps(offset, step))
                    # Beyond the end of the memory a prefetch does nothing.
                    where = ref.indices(point.at(self.dim, later))
                    ask_for(ref.memref, where, self.written, self.level)

        when(self.enabled, ask)

    def _steps(self, offset: int, step: int) -> Ix:
        """How many positions, `step` bytes from each other, lie before `offset` more bytes."""
        steps = (self.distance + offset) // step
        if self.most is not None:
            steps = min(steps, self.most + offset // step)
        if self.instead is None:
            return steps
        condition, distance = self.instead
        return arith.select(condition, value((distance + offset) // step), value(steps))

    def emit_later(self, point: Point, position: Ix, steps: int) -> None:
        """Ask for what is read, or written, so many `steps` after `position`."""

        def ask() -> None:
            there = point.at(self.dim, add(position, steps))
            for ref in self.refs:
                ask_for(ref.memref, ref.indices(there), self.written, self.level)

        when(self.enabled, ask)


def writes_ahead(job: Job, dim: int, distance: int) -> Streams | None:
    """The prefetch of outputs that are written in order, with `dim` in vectors; `distance` in
    bytes, 0 for never."""
    if not distance:
        return None
    outer, _ = job.loop_order(dim)
    refs, enabled = [], None
    for ref in job.outputs:
        size = bytes_in(ref.memref)
        if not _is_in_order(job, ref, [*outer, dim]) or _is_cached(size):
            continue
        refs.append(ref)
        if not isinstance(size, int):
            enabled = compare("sgt", size, CACHED)
    return Streams(dim, refs, distance, True, enabled) if refs else None


def reads_ahead(
    job: Job, loops: Sequence[int], skipping: int | None, distance: int
) -> dict[int, Streams]:
    """By dim, the prefetch of inputs and coordinates that the loops over the dims `loops`, down to
    that dim, read in order; `distance` in bytes, 0 for never. Inside of the dim `skipping`, of
    which points are left out, nothing is in order."""
    if not distance:
        return {}
    refs = list(job.inputs)
    for access in job.structure.coordinates:
        if all(access.value != ref.memref for ref in refs):
            refs.append(Ref(access.value, access.map, access.value.type.element_type))
    refs = [ref for ref in refs if not _is_cached(bytes_in(ref.memref))]
    found = {}
    for count, dim in enumerate(loops, 1):
        in_order = [ref for ref in refs if _is_in_order(job, ref, loops[:count])]
        if in_order and job.extents[dim] != 1:
            found[dim] = Streams(dim, in_order, distance, False)
        if dim == skipping:
            break
    return found


def _is_cached(size: Ix) -> bool:
    return isinstance(size, int) and size <= CACHED


def _is_in_order(job: Job, ref: Ref, loops: Iterable[int]) -> bool:
    """The loops over the dims `loops`, the last one innermost, go through it as it lies in memory,
    less than a line at a time."""
    plain = [
        plain_dim(expr) for expr in ref.map.results if not isinstance(expr, ir.AffineConstantExpr)
    ]
    moving = [dim for dim in plain if dim is None or job.extents[dim] != 1]
    if not moving or None in moving or moving != [d for d in loops if job.extents[d] != 1]:
        return False
    return is_compact(ref.memref.type) and _step(ref, moving[-1] or 0) < LINE


def _step(ref: Ref, dim: int) -> int:
    """The bytes from one position of `dim` to the next, where `ref` is compact."""
    position = [plain_dim(expr) for expr in ref.map.results].index(dim)
    step = bytes_of(ref.storage)
    for size in ref.memref.type.shape[position + 1 :]:
        step *= LINE if size == DYNAMIC else size
    return step
