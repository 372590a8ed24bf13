"""The maps of the named ops: what `gs-generalize` writes and `gs-specialize` recognizes."""

from collections.abc import Sequence
from dataclasses import dataclass

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.base import Gs
from mlir_gs.dialect.shared import batch_dims

Exprs = list[ir.AffineExpr]


def dims_from(first: int, count: int) -> Exprs:
    return [ir.AffineDimExpr.get(first + i) for i in range(count)]


def zero() -> ir.AffineExpr:
    return ir.AffineConstantExpr.get(0)


@dataclass(frozen=True)
class Addressing:
    """The maps of gather and scatter: what addresses, the slices, and the coordinates."""

    rank: int
    addressed: ir.AffineMap
    slices: ir.AffineMap
    coordinates: list[ir.AffineMap]


def slice_maps(
    addressed: ir.ShapedType, indices: ir.ShapedType, moved_rank: int, dims: Sequence[int], b: int
) -> Addressing:
    """`addressed[batch, s at dims, rest]` against `slices[index dims, rest]`, unit dims as 0."""
    leading = indices.rank - 1
    rest = [dim for dim in range(b, addressed.rank) if dim not in dims]
    rank, symbols = leading + len(rest), len(dims)
    dim_of = {dim: ir.AffineDimExpr.get(leading + i) for i, dim in enumerate(rest)}
    symbol_of = {dim: ir.AffineSymbolExpr.get(j) for j, dim in enumerate(dims)}
    where = dims_from(0, b) + [(dim_of | symbol_of)[dim] for dim in range(b, addressed.rank)]
    kept = moved_rank != rank
    tail = [dim_of.get(dim, zero()) for dim in range(b, addressed.rank) if kept or dim in dim_of]
    return Addressing(
        rank,
        ir.AffineMap.get(rank, symbols, where),
        ir.AffineMap.get(rank, symbols, dims_from(0, leading) + tail),
        [
            ir.AffineMap.get(rank, symbols, [*dims_from(0, leading), ir.AffineConstantExpr.get(j)])
            for j in range(symbols)
        ],
    )


def element_maps(rank: int, dim: int) -> Addressing:
    """`addressed[.., s0 at dim, ..]` against the shape of the coordinates."""
    plain = dims_from(0, rank)
    where = [ir.AffineSymbolExpr.get(0) if d == dim else plain[d] for d in range(rank)]
    identity = ir.AffineMap.get(rank, 1, plain)
    return Addressing(rank, ir.AffineMap.get(rank, 1, where), identity, [identity])


_NAMED = [op for op in Gs.operations if op.OPERATION_NAME not in ("gs.generic", "gs.yield")]
NAMED = tuple(op.OPERATION_NAME for op in _NAMED)
"""The ops that are sugar over `gs.generic`."""

ADDRESSING = tuple(op.OPERATION_NAME for op in _NAMED if "mode" in op.ATTRIBUTES.optional)
"""Those that address an operand, the one before `indices`, through coordinates."""


def addressed_dims(op: ir.Operation) -> list[int]:
    """The dims of source or dest that the coordinates of one of ADDRESSING address."""
    for name in ("gather_dims", "scatter_dims"):
        if name in op.attributes:
            return list(op.attributes[name])
    return [op.attributes["dim"].value]


def addressing(op: ir.OpView) -> Addressing:
    """The maps of one of ADDRESSING."""
    *moved, indices = (operand.type for operand in op.operands)
    addressed = moved[-1]
    if "dim" in op.attributes:
        return element_maps(addressed.rank, op.attributes["dim"].value)
    slices = op.results[0].type if len(moved) == 1 else moved[0]
    return slice_maps(addressed, indices, slices.rank, addressed_dims(op), batch_dims(op))
