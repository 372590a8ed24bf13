"""The points of an op by the row that they reach: what each has one number of."""

from dataclasses import dataclass

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.affine import plain_dim, symbols_of
from mlir_gs.dialect.structure import Access, Structure, dims_in
from mlir_gs.lowering.ir.builders import arith
from mlir_gs.lowering.ir.emit import (
    Ix,
    ceil_div,
    floor_div,
    maximum,
    mul,
    product,
    size_of,
    sub,
    value,
)
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.scf.policy import Policy

math = dialect("math")


@dataclass(frozen=True)
class Buckets:
    """The points of the iteration dim `dim` are sorted by the coordinate `symbol`, which addresses
    dimension `position` of the output. `moved` are the operands, by number, that depend on `dim`;
    those in `narrowed`, coordinates in bounds, are moved as i32."""

    dim: int
    symbol: int
    position: int
    moved: tuple[int, ...]
    narrowed: tuple[int, ...]


def find_buckets(job: Job) -> Buckets | None:
    """How the points of `job` can be sorted: its first dim alone is not plain in the output, and
    operands have one element for each of its points, or do not depend on it."""
    structure = job.structure
    if len(structure.outputs) != 1 or structure.unique or structure.sorted:
        return None
    dim = 0
    ordered = [d for d in range(structure.rank) if not structure.plain_in_outputs(d)]
    if ordered != [dim] or job.extents[dim] == 1:
        return None
    (output,) = structure.outputs
    found = [(p, expr) for p, expr in enumerate(output.map.results) if symbols_of(expr)]
    if len(found) != 1 or not isinstance(found[0][1], ir.AffineSymbolExpr):
        return None
    ((position, expr),) = found
    symbol = expr.position
    if job.coordinates.depends(symbol) != {dim} or _symbols_of_coordinates(structure):
        return None
    mentions = [access for access in structure.accesses if _mentions(access, dim)]
    if any(place_of(access, dim) is None for access in mentions):
        return None
    numbers = numbers_of(structure)
    moved = sorted({numbers[access.name] for access in mentions})
    narrowed = sorted(
        {
            numbers[access.name]
            for number, access in enumerate(structure.coordinates)
            if _mentions(access, dim)
            and bytes_of(access.value.type.element_type) > 4
            and structure.modes[number] == "promise_in_bounds"
            and not structure.wraps[number]
        }
    )
    return Buckets(dim, symbol, position, tuple(moved), tuple(narrowed))


def _symbols_of_coordinates(structure: Structure) -> set[int]:
    """The symbols that address other coordinates."""
    return {
        symbol
        for access in structure.coordinates
        for expr in access.map.results
        for symbol in symbols_of(expr)
    }


def _mentions(access: Access, dim: int) -> bool:
    return any(dim in dims_in(expr) for expr in access.map.results)


def place_of(access: Access, dim: int) -> int | None:
    """The dimension that `dim` addresses plainly, if all others have one position."""
    found = None
    for position, expr in enumerate(access.map.results):
        if plain_dim(expr) == dim and found is None:
            found = position
        elif not isinstance(expr, ir.AffineConstantExpr) or expr.value != 0:
            return None
    return found


def numbers_of(structure: Structure) -> dict[str, int]:
    """The number of each operand among those of the op, by its name."""
    names = [access.name for access in structure.inputs]
    names += list(dict.fromkeys(access.name for access in structure.coordinates))
    names += [access.name for access in structure.outputs]
    return {name: number for number, name in enumerate(names)}


def positions_in_i32(structure: Structure) -> list[tuple[Ix, Ix]]:
    """(larger, smaller): that coordinates in bounds are numbers of 31 bits."""
    return [
        ((1 << 31) - 1, size_of(use.access.value, use.position))
        for number in range(len(structure.coordinates))
        for use in structure.uses(number)
    ]


def row_bytes(job: Job, buckets: Buckets) -> Ix:
    """The bytes of the output that one value of the coordinate addresses."""
    (output,) = job.structure.outputs
    others = (n for n in range(output.value.type.rank) if n != buckets.position)
    row = product(size_of(output.value, n) for n in others)
    return mul(bytes_of(output.value.type.element_type), row)


def bucket_shift(rows: Ix, row: Ix, policy: Policy) -> Ix:
    """By how many bits a coordinate is shifted to give its bucket, for so many rows of `row` bytes:
    a bucket reaches `bucket_bytes`, one row at least, or more for `most_buckets` to do."""
    usual = log2(floor_div(policy.bucket_bytes, maximum(row, 1)))
    # Rounded up.
    least = log2(sub(mul(ceil_div(rows, policy.most_buckets), 2), 1))
    return maximum(usual, least)


def log2(number: Ix) -> Ix:
    """The logarithm, rounded down; 0 of less than 1."""
    if isinstance(number, int):
        return max(number, 1).bit_length() - 1
    i64 = ir.IntegerType.get_signless(64)
    zeros = math.ctlz(arith.index_castui(i64, value(maximum(number, 1))))
    return arith.index_castui(ir.IndexType.get(), arith.subi(arith.constant(i64, 63), zeros))
