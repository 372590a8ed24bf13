"""How one `gs.generic` is to run: the dim in vector lanes, and the part each thread takes."""

from dataclasses import dataclass, field
from typing import NamedTuple

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.across import across_dim
from mlir_gs.lowering.asking import Asking
from mlir_gs.lowering.body import bytes_of, vector_element
from mlir_gs.lowering.buckets import BUCKET_BYTES
from mlir_gs.lowering.emit import Ix, all_at_least, both, compare, mul
from mlir_gs.lowering.halo import Halo, find_halo, sharing_pays
from mlir_gs.lowering.job import Job
from mlir_gs.lowering.refs import Ref
from mlir_gs.lowering.segments import find_segments
from mlir_gs.lowering.strips import ROW_BYTES
from mlir_gs.lowering.threads import SERIAL_BYTES
from mlir_gs.lowering.vector_gathers import Gathering
from mlir_gs.lowering.volume import LINE, bytes_in

# Bytes of columns that a thread takes, at least, in whole lines.
COLUMN_BYTES = 256

# Bytes of an output of which each thread takes a part, in pieces of less than a line: a cache
# of the second level. With less, two threads took up to twice as long as one.
OWNED_BYTES = 1 << 20


@dataclass(frozen=True)
class Target:
    """What the lowering knows of the machine: what `scf_options.ScfOptions` says, and how lines are
    asked for by itself. `stream_bytes` is 0 for three quarters of `cache_bytes`,
    `copied_stream_bytes` for as many."""

    vector_bytes: int = 64
    threads: int = 1
    cache_bytes: int = 0
    stream_bytes: int = 0
    copied_stream_bytes: int = 0
    stream_reads: int = 0
    stream_scattered: bool = True
    gathering: Gathering = field(default_factory=Gathering)
    words: bool = True
    owned_bytes: int = OWNED_BYTES
    records_bytes: int = OWNED_BYTES
    bucket_bytes: int = BUCKET_BYTES
    column_bytes: int = COLUMN_BYTES
    written_strip_bytes: int = ROW_BYTES
    asking: Asking = field(default_factory=Asking)

    def stream_least(self, by_memcpy: bool) -> int:
        """Bytes touched from which stores past the caches pay, 0 for never; `by_memcpy`: what they
        stand for."""
        usual = self.stream_bytes or self.cache_bytes - self.cache_bytes // 4
        return self.copied_stream_bytes or usual if by_memcpy else usual

    def near(self) -> "Target":
        """For loops of one thread over what the caches hold."""
        asking = self.asking._replace(write_ahead=0, read_ahead=0, sparing=False)
        return Target(self.vector_bytes, gathering=self.gathering, words=self.words, asking=asking)


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
    owned = _owned(job, lanes_dim)
    if owned is not None:
        return Split(owned=owned)
    halo = find_halo(job, lanes_dim)
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
