"""Strips of columns: all rows of a few columns of a matrix, brought next to each other.

Where each column has coordinates of its own, as along dim 0 of a matrix, the points of a row touch
lines all over the matrix, and again in the next row, when no cache has them any more. The lines of
a few columns fit into a cache, but not at the distances that they have from each other in the
matrix: those share its few places. So they are copied to a buffer, which the points of these
columns read. Each line of the matrix comes once.
"""

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim, symbols_of
from mlir_gs.dialect.structure import Access, Structure, dims_in
from mlir_gs.lowering.ir.builders import arith, memory_of
from mlir_gs.lowering.ir.emit import (
    Ix,
    add,
    all_at_least,
    both,
    compare,
    floor_div,
    loop,
    memref,
    modulo,
    mul,
    product,
    size_of,
    sub,
    value,
    when,
)
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.volume import LINE
from mlir_gs.lowering.scf.remarks import parts_of_a_strategy
from mlir_gs.lowering.scf.strategies.parts import emit_part
from mlir_gs.lowering.scf.strategies.strip_loops import Strips, cut, emit_strips
from mlir_gs.lowering.scf.strategies.work import Work
from mlir_gs.lowering.scf.strategy import Later, Strategy, unless_always


class ColumnStrips(Strategy[Work, Strips]):
    """Whole strips run on buffers, where that pays; the columns before and after them go on."""

    name = "strips"
    meaning = "columns with coordinates of their own are copied in strips that fit in a cache"
    numbers = (
        "cache_bytes",
        "strip_bytes",
        "strip_row_bytes",
        "strip_matrix_bytes",
        "rows_per_point",
    )
    makes_ops = True
    in_parallel = False

    def applies(self, work: Work) -> Strips | None:
        if work.initial is not None:
            return None
        return find_strips(work.job, work.policy.strip_row_bytes)

    def pays(self, work: Work, match: Strips) -> ir.Value | bool:
        """Where strips fit into a cache that matrices do not, and most of their lines are
        needed."""
        job, policy = work.job, work.policy
        cache = policy.cache_bytes
        others = job.extents.keys() - {match.dim, *match.batch}
        points = product(job.extents[dim] for dim in sorted(others))
        # (larger, smaller)
        pairs: list[tuple[Ix, Ix]] = [(job.extents[match.dim], 2 * match.columns)]
        together: Ix = 0
        for number in match.packed:
            access = job.structure.inputs[number]
            rows = _rows(access)
            size = bytes_of(access.value.type.element_type)
            columns = size_of(access.value, access.value.type.rank - 1)
            together = add(together, rows)
            matrix = mul(mul(rows, columns), size)
            pairs.append((matrix, policy.strip_matrix_bytes))
            # Of a matrix in memory four times as many, as the policy says.
            most_rows = policy.rows_per_point
            most_rows = _if_at_least(matrix, cache, 4 * most_rows, most_rows)
            pairs.append((mul(points, most_rows), rows))
        # A strip may have more where the last cache holds four of them, and two for each thread.
        most = max(policy.strip_bytes, cache // max(4, 2 * policy.threads))
        pairs.append((most // match.row_bytes, together))
        return all_at_least(pairs)

    def emit(self, work: Work, match: Strips, pays: ir.Value | bool, later: Later[Work]) -> None:
        op, job, policy = work.op, work.job, work.policy
        first, end = whole_strips(job, match)
        if isinstance(pays, ir.Value):
            first, end = (arith.select(pays, value(x), value(0)) for x in (first, end))

        def run(part: ir.Operation, _: list[ir.Value]) -> None:
            emit_part(Job.of(part), policy.near(), None, [])

        def in_strips() -> None:
            with parts_of_a_strategy():
                name = f"{work.name}_strips"
                emit_strips(op, job, match, (first, end), policy.threads, name, run)

        when(unless_always(pays), in_strips)

        def others(side: Ix) -> None:
            """The columns before and after whole strips, or all there are."""
            is_left = compare("eq", side, 0)
            lower = arith.select(is_left, value(0), value(end))
            upper = arith.select(is_left, value(first), value(job.extents[match.dim]))

            def rest() -> None:
                columns = cut(op, {match.dim: lower}, {match.dim: arith.subi(upper, lower)})
                later(Work.of(columns, policy, work.name))
                columns.erase()

            when(compare("slt", lower, upper), rest)

        loop(0, 2, 1, others, "never")

    def describe(self, work: Work, match: Strips, pays: ir.Value | bool) -> str:
        when = "" if pays is True else ", where the matrix is far larger than a strip"
        return (
            f"in strips of {match.columns} positions of d{match.dim}{when}: each has coordinates "
            "of its own, and a strip fits into the cache"
        )


def find_strips(job: Job, strip_row_bytes: int) -> Strips | None:
    """How `job` can run in strips, with rows of so many bytes."""
    structure = job.structure
    written = {memory_of(access.value) for access in structure.outputs}
    accesses = structure.inputs
    for dim in reversed(range(structure.rank)):
        if not structure.plain_in_outputs(dim) or not _cuts(structure, dim):
            continue
        packed = [n for n, access in enumerate(accesses) if _is_by_column(job, access, dim)]
        if not packed or any(memory_of(accesses[n].value) in written for n in packed):
            continue
        batch = {
            found
            for n in packed
            for expr in list(accesses[n].map.results)[:-1]
            if (found := plain_dim(expr)) is not None
        }
        if not all(structure.plain_in_outputs(d) and _cuts(structure, d) for d in batch):
            continue
        widest = max(bytes_of(accesses[n].value.type.element_type) for n in packed)
        columns = max(1, strip_row_bytes // widest)
        extent = job.extents[dim]
        if not isinstance(extent, int) or extent >= 2 * columns:
            return Strips(dim, tuple(sorted(batch)), tuple(packed), columns, columns * widest)
    return None


def _cuts(structure: Structure, dim: int) -> bool:
    """A part of `dim` is a part of each operand that depends on it."""
    for access in structure.accesses:
        mentions = [expr for expr in access.map.results if dim in dims_in(expr)]
        if mentions and (len(mentions) > 1 or plain_dim(mentions[0]) != dim):
            return False
    # An operand of several coordinates is cut once.
    return all(
        _position(one, dim) == _position(other, dim)
        for one in structure.coordinates
        for other in structure.coordinates
        if one.name == other.name
    )


def _position(access: Access, dim: int) -> int | None:
    """The dimension that `dim` addresses plainly."""
    plain = [plain_dim(expr) for expr in access.map.results]
    return plain.index(dim) if dim in plain else None


def _is_by_column(job: Job, access: Access, dim: int) -> bool:
    """`dim` is the last dimension, and coordinates that depend on it address others."""
    *rows, last = list(access.map.results) or [None]
    if last is None or plain_dim(last) != dim:
        return False
    if not all(symbols_of(expr) or plain_dim(expr) is not None for expr in rows):
        return False
    strides, _ = access.value.type.get_strides_and_offset()
    found = {symbol for expr in rows for symbol in symbols_of(expr)}
    return strides[-1] == 1 and any(dim in job.coordinates.depends(symbol) for symbol in found)


def _if_at_least(size: Ix, least: int, then: int, otherwise: Ix) -> Ix:
    if isinstance(size, int):
        return then if size >= least else otherwise
    return arith.select(compare("sge", size, least), value(then), value(otherwise))


def _rows(access: Access) -> Ix:
    """Positions of what coordinates address."""
    exprs = enumerate(list(access.map.results)[:-1])
    return product(size_of(access.value, n) for n, expr in exprs if symbols_of(expr))


def whole_strips(job: Job, strips: Strips) -> tuple[Ix, Ix]:
    """The first column of whole strips and the one after them: others are left to other loops.

    Where rows have whole lines between them, strips begin at a line.
    """
    shaped = job.structure.inputs[strips.packed[0]].value
    size = bytes_of(shaped.type.element_type)
    address = memref.extract_aligned_pointer_as_index(shaped)
    _, offset, *rest = memref.extract_strided_metadata(shaped)
    pitch = mul(rest[2 * shaped.type.rank - 2], size)
    before = sub(LINE, modulo(add(address, mul(offset, size)), LINE))
    aligned = both(compare("eq", modulo(pitch, LINE), 0), compare("ne", before, LINE))
    first = floor_div(arith.select(aligned, value(before), value(0)), size)
    rest_of_row = sub(job.extents[strips.dim], first)
    return first, add(first, sub(rest_of_row, modulo(rest_of_row, strips.columns)))
