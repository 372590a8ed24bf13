"""How one `gs.generic` is to run: the dim in vector lanes, and the part each thread takes."""

from dataclasses import dataclass
from typing import NamedTuple

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.ir.emit import Ix, all_at_least, both, compare, mul
from mlir_gs.lowering.op.body import bytes_of, vector_element
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.refs import Ref
from mlir_gs.lowering.op.segments import find_segments
from mlir_gs.lowering.op.volume import LINE, bytes_in
from mlir_gs.lowering.scf.loops.across import across_dim
from mlir_gs.lowering.scf.loops.halo_share import Halo
from mlir_gs.lowering.scf.remarks import remark
from mlir_gs.lowering.scf.strategies.halo import find_halo, sharing_pays
from mlir_gs.lowering.scf.target import Target
from mlir_gs.lowering.scf.threads import SERIAL_BYTES


class Cut(NamedTuple):
    """An iteration dim that threads may share, in pieces of `grain`: its points write elsewhere."""

    dim: int
    grain: int = 1


class Owned(NamedTuple):
    """The outputs' dimension `position` is shared in pieces of `grain`; the coordinate `symbol`,
    which changes with the iteration dim `dim`, addresses it."""

    symbol: int
    dim: int
    position: int
    grain: int


@dataclass(frozen=True)
class Split:
    """How threads share an op, so that the result has the bits of the sequential loop.

    `cuts`: one of these dims is cut, the first that is long enough for the threads. `owned` and
    `halo`: each thread runs the points that write to its part of the output.
    """

    cuts: tuple[Cut, ...] = ()
    owned: Owned | None = None
    halo: Halo | None = None

    @property
    def of_output(self) -> tuple[int, int] | None:
        """The dimension of the output that threads share, and the pieces in which they do."""
        shared = self.owned or self.halo
        return None if shared is None else (shared.position, shared.grain)


def vector_dim(job: Job) -> int | None:
    """The dim that runs in lanes, when the body runs on vectors.

    All outputs step by one element along it. Where an input does not do so, a dim that is reduced
    and along which it does is better: see `across`.
    """
    if not job.body.vectorizable or not all(vector_element(ref.storage) for ref in job.refs):
        return None
    found = _dim_of_outputs(job)
    if found is not None and all(
        ref.steps_with(found, job.coordinates) or not ref.mentions(found, job.coordinates)
        for ref in job.inputs
    ):
        return found
    across = across_dim(job)
    return found if across is None else across


def _dim_of_outputs(job: Job) -> int | None:
    """The dim along which all outputs step by one element, and inputs do or may."""
    for dim in reversed(range(job.structure.rank)):
        extent = job.extents[dim]
        if isinstance(extent, int) and extent < 2:
            continue
        if all(
            _is_plain_last(ref, dim) and ref.steps_with(dim, job.coordinates) and ref.may_step
            for ref in job.outputs
        ):
            stepping = [ref for ref in job.inputs if ref.steps_with(dim, job.coordinates)]
            return dim if all(ref.may_step for ref in stepping) else None
    return None


def _is_plain_last(ref: Ref, dim: int) -> bool:
    results = list(ref.map.results)
    return bool(results) and plain_dim(results[-1]) == dim and dim not in map(
        plain_dim, results[:-1]
    )  # fmt: skip


def lane_count(job: Job, dim: int, vector_bytes: int) -> int:
    """Elements per vector: a register full of the widest element, no more than the dim has."""
    widest = max(bytes_of(ref.storage) for ref in job.refs)
    lanes = max(vector_bytes // widest, 2)
    extent = job.extents[dim]
    while isinstance(extent, int) and lanes > extent:
        lanes //= 2
    return lanes


def choose_split(job: Job, lanes_dim: int | None, lanes: int, target: Target) -> Split | None:
    """The part of the op that each thread takes; None where one thread runs it all."""
    structure, threads = job.structure, target.threads
    outer, _ = job.loop_order(lanes_dim)
    segments = find_segments(job, lanes_dim)
    cuts, others = [], []
    for dim in outer:
        if job.extents[dim] == 1:
            continue
        if segments is not None and dim == segments.dim:
            cuts.append(Cut(dim))
        elif structure.iterators[dim] == "parallel":
            # Parts of a dim that reaches the outputs through coordinates only write side by side.
            mine = cuts if structure.plain_in_outputs(dim) else others
            mine.append(Cut(dim, _grain(job, dim)))
    cuts += others
    # Columns of a known number are better left whole, so that their loop is unrolled.
    known = lanes_dim is not None and isinstance(job.extents[lanes_dim], int)
    if (
        lanes_dim is not None
        and structure.iterators[lanes_dim] == "parallel"
        and not (known and cuts)
    ):
        widest = max(bytes_of(ref.storage) for ref in job.refs)
        cuts.append(Cut(lanes_dim, max(lanes, target.column_bytes // widest)))
    possible = tuple(cut for cut in cuts if _may_be_cut(job.extents[cut.dim], cut, threads))
    if possible:
        return Split(possible)
    # Segments that no dim shares are few.
    if segments is not None:
        return None
    owned = _owned(job, lanes_dim) if target.uses("owned") else None
    if owned is not None:
        return Split(owned=owned)
    halo = find_halo(job, lanes_dim) if target.uses("halo") else None
    return None if halo is None else Split(halo=halo)


def _grain(job: Job, dim: int) -> int:
    """Threads do not write to the same cache line: the elements of one where `dim` steps in it."""
    stepping = [ref for ref in job.outputs if _is_plain_last(ref, dim)]
    return max((LINE // bytes_of(ref.storage) for ref in stepping), default=1)


def _may_be_cut(extent: Ix, cut: Cut, threads: int) -> bool:
    return not isinstance(extent, int) or extent >= threads * cut.grain


def _owned(job: Job, lanes_dim: int | None) -> Owned | None:
    """Ownership of rows of the output."""
    if len(job.outputs) != 1:
        return None
    (output,) = job.outputs
    row: Ix = bytes_of(output.storage)
    if lanes_dim is not None and job.reaches_outputs(lanes_dim):
        row = mul(row, job.extents[lanes_dim])
    outer, _ = job.loop_order(lanes_dim)
    structure = job.structure
    for position, expr in enumerate(structure.outputs[0].map.results):
        if not isinstance(expr, ir.AffineSymbolExpr):
            continue
        symbol = expr.position
        if structure.is_chained(symbol) or len(job.coordinates.depends(symbol)) != 1:
            continue
        (dim,) = job.coordinates.depends(symbol)
        if dim in outer and job.extents[dim] != 1:
            # Threads do not write to the same line.
            grain = 1 if not isinstance(row, int) else max(1, LINE // row)
            return Owned(symbol, dim, position, grain)
    return None


def split_pays(job: Job, split: Split, work: Ix, threads: int, owned_bytes: int) -> bool | ir.Value:
    """Whether threads gain by the split, but that `work` may be little where it is known later.
    An output that they own in pieces of less than a line has `owned_bytes` or more."""
    if split.halo is not None:
        return sharing_pays(job, split.halo, work, threads)
    # Threads that share the output read all coordinates: adding to an element that the caches hold
    # takes hardly longer than looking at its coordinate.
    if split.owned is None or split.owned.grain == 1:
        return True
    return all_at_least([(work, SERIAL_BYTES), (bytes_in(job.outputs[0].memref), owned_bytes)])


def unit_stride_condition(job: Job, dim: int) -> ir.Value | None:
    """Whether each memref that steps with `dim` has 1 as last stride; None: it is known."""
    condition = None
    for ref in job.refs:
        if ref.steps_with(dim, job.coordinates) and ref.last_stride == DYNAMIC:
            condition = both(condition, compare("eq", ref.runtime_last_stride(), 1))
    return condition


def tell_threads(job: Job, split: Split | None, threads: int) -> None:
    """How threads share the op."""
    if split is None:
        remark(job, "on one thread: points may write to one place, and no dim keeps them apart")
    elif split.owned is not None:
        remark(
            job,
            f"on {threads} threads, where enough moves: each runs the points that reach its part "
            "of the output, in order",
        )
    elif split.halo is not None:
        moved = split.halo.window.dim
        remark(
            job,
            f"on {threads} threads, where enough moves and windows are small: each runs the points "
            f"of d{moved} that reach its part of the output, in order; those at a border run on "
            "both sides",
        )
    else:
        dims = " or ".join(f"d{cut.dim}" for cut in split.cuts)
        remark(
            job,
            f"on {threads} threads, where enough moves: each has a part of {dims}, at whose "
            "points other elements are written",
        )


def tell_one_thread(job: Job, why: str) -> None:
    """That threads do not share the op."""
    remark(job, f"on one thread: {why}")
