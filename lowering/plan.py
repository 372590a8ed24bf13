"""How one `gs.generic` is to run: the dim in vector lanes, and the part each thread takes."""

from dataclasses import dataclass
from typing import NamedTuple

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.body import bytes_of, vector_element
from mlir_gs.lowering.emit import Ix, both, compare, mul
from mlir_gs.lowering.job import Job
from mlir_gs.lowering.refs import Ref

# Columns that threads share are cut at cache lines: a thread takes two or more.
COLUMN_BYTES = 128
# Rows shorter than this are written faster by one thread than found by several.
OWNED_BYTES = 128


@dataclass(frozen=True)
class Target:
    """What the lowering knows of the machine: bytes of a vector register, threads to use."""

    vector_bytes: int = 64
    threads: int = 1


class Cut(NamedTuple):
    """An iteration dim that threads may share, in pieces of `grain`: its points write elsewhere."""

    dim: int
    grain: int = 1


@dataclass(frozen=True)
class Split:
    """How threads share an op, so that the result has the bits of the sequential loop.

    `cuts`: one of these dims is cut, the first that is long enough for the threads. `owner`, a
    symbol and the dimension of the output that it addresses: each thread runs the points that
    write to its part of that dimension; every thread reads all coordinates, in order.
    """

    cuts: tuple[Cut, ...] = ()
    owner: tuple[int, int] | None = None


def vector_dim(job: Job) -> int | None:
    """The dim along which all outputs step by one element, when the body runs on vectors."""
    if not job.body.vectorizable or not all(vector_element(ref.storage) for ref in job.refs):
        return None
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


def choose_split(job: Job, lanes_dim: int | None, lanes: int, threads: int) -> Split | None:
    """The part of the op that each thread takes; None where one thread runs it all."""
    structure = job.structure
    outer, _ = job.loop_order(lanes_dim)
    cuts = []
    for dim in outer:
        if job.extents[dim] == 1:
            continue
        if structure.iterators[dim] != "parallel":
            break
        cuts.append(Cut(dim))
    # Columns of a known number are better left whole, so that their loop is unrolled.
    known = lanes_dim is not None and isinstance(job.extents[lanes_dim], int)
    if (
        lanes_dim is not None
        and structure.iterators[lanes_dim] == "parallel"
        and not (known and cuts)
    ):
        widest = max(bytes_of(ref.storage) for ref in job.refs)
        cuts.append(Cut(lanes_dim, max(lanes, COLUMN_BYTES // widest)))
    possible = tuple(cut for cut in cuts if _may_be_cut(job.extents[cut.dim], cut, threads))
    if possible:
        return Split(possible)
    return _owner(job, lanes_dim)


def _may_be_cut(extent: Ix, cut: Cut, threads: int) -> bool:
    return not isinstance(extent, int) or extent >= threads * cut.grain


def _owner(job: Job, lanes_dim: int | None) -> Split | None:
    """Ownership of rows of the output: worth reading all coordinates for whole rows only."""
    if len(job.outputs) != 1 or lanes_dim is None:
        return None
    extent = job.extents[lanes_dim]
    if not isinstance(extent, int) or extent * bytes_of(job.outputs[0].storage) < OWNED_BYTES:
        return None
    access = job.structure.outputs[0]
    for position, expr in enumerate(access.map.results):
        if isinstance(expr, ir.AffineSymbolExpr):
            return Split(owner=(expr.position, position))
    return None


def unit_stride_condition(job: Job, dim: int) -> ir.Value | None:
    """Whether each memref that steps with `dim` has 1 as last stride; None: it is known."""
    condition = None
    for ref in job.refs:
        if ref.steps_with(dim, job.coordinates) and ref.last_stride == DYNAMIC:
            condition = both(condition, compare("eq", ref.runtime_last_stride(), 1))
    return condition


def bytes_moved(job: Job) -> Ix:
    """About how many bytes the op reads and writes."""
    points: Ix = 1
    for extent in job.extents.values():
        points = mul(points, extent)
    coordinates = sum(bytes_of(a.value.type.element_type) for a in job.structure.coordinates)
    return mul(points, sum(bytes_of(ref.storage) for ref in job.refs) + coordinates)
