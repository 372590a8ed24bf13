"""`gs.gather`: slices of a tensor at coordinates (RFC "Adding Gather, Scatter Ops")."""

from collections.abc import Sequence
from typing import Any

from mlir_gs.dialect._bindings import InsertionPoint, Location, Type, Value, ext, ir
from mlir_gs.dialect.base import Gs, named_op
from mlir_gs.dialect.build import Constant, build
from mlir_gs.dialect.checks import (
    DYNAMIC,
    Attributes,
    Wrong,
    check_dims,
    check_indices,
    check_one_of,
    check_tensor,
    compatible,
    merged,
    shape_text,
    verifier,
)
from mlir_gs.dialect.effects import Effects
from mlir_gs.dialect.named_maps import slice_maps, structure_by
from mlir_gs.dialect.shared import (
    BATCH,
    BOUNDS,
    FILL,
    GATHER_MODES,
    PROMISES,
    GatherMode,
    batch_dims,
    check_bounds,
)
from mlir_gs.dialect.structure import Structure


@named_op
class GatherOp(Gs.Operation, name="gather", traits=[Effects]):
    """Reads a slice of `source` at each coordinate tuple in `indices`.

    With b = `batch_dims`, k = the number of `gather_dims`, I the shape of `indices` without its
    last dimension and R the remaining dims of `source` (neither batch nor gathered):

    `result[i, r] = source[i[:b], indices[i, :] at gather_dims, r at R]`

    Constraints:

    - C1: `source` is a ranked tensor of integer, float, complex or index elements.
    - C2: `indices` is a ranked tensor of rank 1 or more, of index or integer elements.
    - C3: `batch_dims` is in [0, min(rank of source, rank of indices - 1)], and the sizes of
      those dims agree.
    - C4: `gather_dims` is non-empty, strictly increasing, and in [batch_dims, rank of source).
    - C5: the last dimension of `indices` is static and equal to the number of `gather_dims`.
    - C6: the result is `I ++ R`, or `I ++` the dims of `source` past the batch dims with the
      gathered ones kept as 1; its element type is that of `source`.
    - C7: `mode` is promise_in_bounds (default), clip, fill or error; `fill_value` is a constant
      of the element type, and needs mode fill.
    - C8: under mode clip no gathered dim has the static size 0 when something is read.

    Undefined: a coordinate out of bounds under promise_in_bounds; repeated coordinate tuples
    under `unique`; tuples that are not in ascending order under `sorted`.

    ```mlir
    %rows = gs.gather %table[%tokens] gather_dims([0])
        : (tensor<30522x384xf32>, tensor<12x1xi64>) -> tensor<12x384xf32>
    ```
    """

    ATTRIBUTES = Attributes(
        {"gather_dims": ir.DenseI64ArrayAttr}, {**PROMISES, **BOUNDS, **FILL, **BATCH}
    )

    ASSEMBLY = "$source[$indices]"

    source: ext.Operand[Any]
    indices: ext.Operand[Any]
    output: ext.Result[Any]
    gather_dims: Any

    def structure(self) -> Structure:
        source, indices = (operand.type for operand in self.operands)
        dims, rank = list(self.attributes["gather_dims"]), self.results[0].type.rank
        return structure_by(self, slice_maps(source, indices, rank, dims, batch_dims(self)))

    @verifier
    def verify_invariants(self) -> None:
        source, indices = (operand.type for operand in self.operands)
        result, dims = self.results[0].type, list(self.attributes["gather_dims"])
        check_tensor("source", source)  # gather_c1
        check_addressing(self, "gather_dims", "source", source, indices, dims)
        expected = [
            ir.RankedTensorType.get(shape, source.element_type, loc=self.location)
            for shape in sliced_shapes(source.shape, indices.shape, dims, batch_dims(self))
        ]
        check_one_of("result", result, expected)  # gather_c6
        # gather_c7 gather_c8
        check_bounds(self, GATHER_MODES, "source", source, dims, result.shape, indices.shape)


def check_addressing(
    op: ir.OpView,
    dims_name: str,
    name: str,
    type_: ir.ShapedType,
    indices: Type,
    dims: Sequence[int],
) -> None:
    """Check `indices`, the batch dims and the addressed dims of gather and scatter.

    `name` and `type_` are of the operand that is addressed: source or dest.
    """
    check_indices("indices", indices, min_rank=1)  # gather_c2 scatter_c3
    batch, limit = batch_dims(op), min(type_.rank, indices.rank - 1)
    if not 0 <= batch <= limit:  # gather_c3 scatter_c4
        why = f"{name} has rank {type_.rank}, indices has rank {indices.rank}"
        raise Wrong(f"attribute 'batch_dims' must be in [0, {limit}] ({why}), found {batch}")
    for dim in range(batch):
        if not compatible(type_.shape[dim], indices.shape[dim]):  # gather_c3 scatter_c4
            raise Wrong(
                f"batch dim {dim} must have the same size in {name} and indices, "
                f"found {type_.shape[dim]} and {indices.shape[dim]}"
            )
    check_dims(dims_name, dims, batch, type_.rank)  # gather_c4 scatter_c5
    if indices.shape[-1] != len(dims):  # gather_c5 scatter_c6
        found = "a dynamic size" if indices.shape[-1] == DYNAMIC else indices.shape[-1]
        shape = shape_text([*indices.shape, 1], indices.element_type)
        hint = f" (single coordinates have type {shape})" if len(dims) == 1 else ""
        raise Wrong(
            f"last dimension of operand 'indices' must be static and equal to the number of "
            f"{dims_name} ({len(dims)}), found {found}{hint}"
        )


def sliced_shapes(
    shape: Sequence[int], indices: Sequence[int], dims: Sequence[int], batch: int
) -> tuple[list[int], list[int]]:
    """The two shapes of the slices: addressed dims dropped, and kept as 1."""
    leading = [
        merged(size, shape[dim]) if dim < batch else size for dim, size in enumerate(indices[:-1])
    ]
    rest = range(batch, len(shape))
    dropped = [shape[dim] for dim in rest if dim not in dims]
    kept = [1 if dim in dims else shape[dim] for dim in rest]
    return leading + dropped, leading + kept


def gather(
    source: Value,
    indices: Value,
    gather_dims: Sequence[int],
    *,
    batch_dims: int = 0,
    keep_unit_dims: bool = False,
    unique: bool = False,
    sorted: bool = False,
    mode: GatherMode | None = None,
    fill_value: Constant | None = None,
    wrap_negative: bool = False,
    loc: Location | None = None,
    ip: InsertionPoint | None = None,
) -> Value:
    """Build `gs.gather`, and return its result.

    `indices` has shape [..., k] with k the number of `gather_dims`. The result has the dims of
    `indices` but the last one, then those of `source` that are neither batch nor gathered dims;
    with `keep_unit_dims` gathered ones stay, with size 1. `fill_value`: a Python number or an
    attribute, for mode "fill".

    Raises InvalidOp, a ValueError, for operands and attributes that the op does not take.
    """

    def results() -> list[Type]:
        shapes = sliced_shapes(source.type.shape, indices.type.shape, gather_dims, batch_dims)
        return [ir.RankedTensorType.get(shapes[keep_unit_dims], source.type.element_type, loc=loc)]

    return build(
        GatherOp,
        {"source": source, "indices": indices},
        results,
        {
            "gather_dims": gather_dims,
            "batch_dims": batch_dims or None,
            "unique": unique,
            "sorted": sorted,
            "mode": mode,
            "fill_value": fill_value,
            "wrap_negative": wrap_negative,
        },
        element=lambda: source.type.element_type,
        loc=loc,
        ip=ip,
    ).result
