"""The maps of the named ops, which say all that passes need of them.

A class under `named_op` has a method `structure`, the `gs.generic` that its ops are sugar for:

- an access has the name of the op's operand, or `result` and the op's result where `gs.generic`
  starts from a new tensor;
- what is read is yielded, or combined by the op's region, `(current, update) -> new`;
- a plain dim has one size. With `LARGER = True` on the class, what coordinates address may be
  larger; a constant 0 in a map stands for a dim of size 1;
- `extents()` gives the size of each dim that no operand has.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim, symbols_of
from mlir_gs.dialect.shared import Bounds
from mlir_gs.dialect.sizes import addressed
from mlir_gs.dialect.structure import Access, Structure

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


def structure_by(op: ir.OpView, maps: Addressing, ordered: Collection[int] = ()) -> Structure:
    """The structure of a gather `(source, indices)` or a scatter `(updates, dest, indices)` of
    these maps; dims in `ordered` keep their order, unless the op is `unique`."""
    *moved, indices = op.operands
    bounds, count = Bounds.of(op), len(maps.coordinates)
    if len(moved) == 1:
        inputs = Access("source", moved[0], maps.addressed)
        outputs = Access("result", op.results[0], maps.slices)
    else:
        inputs = Access("updates", moved[0], maps.slices)
        outputs = Access("dest", moved[1], maps.addressed)
    unique = "unique" in op.attributes
    return Structure(
        (inputs,),
        tuple(Access("indices", indices, map_) for map_ in maps.coordinates),
        (outputs,),
        tuple("reduction" if d in ordered and not unique else "parallel" for d in range(maps.rank)),
        (bounds.of_generic,) * count,
        (bounds.wrap_negative,) * count,
        (bounds.fill_value,),
        unique,
        "sorted" in op.attributes,
    )


def on_operands(op: ir.OpView, structure: Structure) -> Structure:
    """`structure` without what is no operand: the result."""
    results = list(op.results)
    outputs = tuple(access for access in structure.outputs if access.value not in results)
    return replace(structure, outputs=outputs)


@dataclass(frozen=True)
class Coordinates:
    """How a gather or scatter of the usual form has its coordinates: tuples in the last dim of
    `indices`, for `dims` of `addressed`, or one for each element, `along` the only dim."""

    indices: ir.Value
    addressed: Access
    dims: list[int]
    along: bool
    batch: int


def coordinates_of(structure: Structure) -> Coordinates | None:
    """The coordinates of a named op; None if they have another form."""
    where = addressed(structure)
    values = {access.value for access in structure.coordinates}
    if len(where) != 1 or len(values) != 1:
        return None
    (indices,), (access,) = values, where
    maps = [access.map for access in structure.coordinates]
    results = list(access.map.results)
    dims = [position for position, expr in enumerate(results) if symbols_of(expr)]
    rank, count = structure.rank, len(maps)
    wanted = [ir.AffineSymbolExpr.get(number) for number in range(count)]
    if [results[d] for d in dims] != wanted:
        return None
    walked = {plain_dim(expr) for expr in results}
    leading = indices.type.rank - 1
    if count == 1 and maps == [ir.AffineMap.get(rank, 1, dims_from(0, rank))]:
        every = all(plain_dim(e) == d for d, e in enumerate(results) if d not in dims)
        return Coordinates(indices, access, dims, True, 0) if every else None
    tuples = [
        ir.AffineMap.get(rank, count, [*dims_from(0, leading), ir.AffineConstantExpr.get(number)])
        for number in range(count)
    ]
    if maps != tuples or not set(range(leading, rank)) <= walked:
        return None
    batch = 0
    while batch < min(leading, len(results)) and plain_dim(results[batch]) == batch:
        batch += 1
    return Coordinates(indices, access, dims, False, batch)
