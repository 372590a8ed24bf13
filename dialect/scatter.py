"""`gs.scatter`: writes slices into a tensor at coordinates, the mirror of `gs.gather`."""

from collections.abc import Callable, Sequence
from typing import Any

from mlir_gs.dialect._bindings import InsertionPoint, Location, Type, Value, ext, ir
from mlir_gs.dialect.base import Gs, named_op
from mlir_gs.dialect.build import build
from mlir_gs.dialect.checks import (
    Attributes,
    Wrong,
    check_one_of,
    check_tensor,
    compatible_shapes,
    reported,
    shape_text,
    verifier,
)
from mlir_gs.dialect.effects import Effects
from mlir_gs.dialect.gather import check_addressing, sliced_shapes
from mlir_gs.dialect.named_maps import slice_maps, structure_by
from mlir_gs.dialect.shared import (
    BATCH,
    BOUNDS,
    PROMISES,
    SCATTER_MODES,
    ScatterMode,
    batch_dims,
    check_bounds,
    check_combiner,
)
from mlir_gs.dialect.structure import Structure
from mlir_gs.dialect.yield_ import yield_

Combiner = Callable[[Value, Value], Value]


@named_op
class ScatterOp(Gs.Operation, name="scatter", traits=[Effects]):
    """Writes a slice of `updates` into `dest` at each coordinate tuple in `indices`.

    With b, k, I and R as in `gs.gather` (of `dest`), the result is `dest` after, for each i in
    row-major order of I and each r:

    `dest[i[:b], indices[i, :] at scatter_dims, r at R] = combiner(current, updates[i, r])`

    where the combiner region `(current, update) -> new` may be empty: then the update
    overwrites. The order is part of the meaning: repeated coordinates give the result of the
    sequential loop, bit for bit, however many threads run it; unless the combiner is a sum or
    product of floats with the fast-math flag `reassoc`, which may be grouped in any way.

    Constraints:

    - C1: `updates` is a ranked tensor of the element type of `dest`.
    - C2: `dest` is a ranked tensor of integer, float, complex or index elements.
    - C3: `indices` is a ranked tensor of rank 1 or more, of index or integer elements.
    - C4: `batch_dims` is in [0, min(rank of dest, rank of indices - 1)], and the sizes agree.
    - C5: `scatter_dims` is non-empty, strictly increasing, and in [batch_dims, rank of dest).
    - C6: the last dimension of `indices` is static and equal to the number of `scatter_dims`.
    - C7: `updates` has the shape that `gs.gather` of `dest` gives: `I ++ R`, or `I ++` the dims of
      `dest` past the batch dims with the scattered ones kept as 1.
    - C8: the result has the type of `dest`.
    - C9: the combiner region is empty, or takes two elements and yields one.
    - C10: `mode` is promise_in_bounds (default), clip, drop or error.
    - C11: under mode clip no scattered dim has the static size 0 when something is written.

    Undefined: a coordinate out of bounds under promise_in_bounds; repeated coordinate tuples
    under `unique`; tuples that are not in ascending order under `sorted`.

    ```mlir
    %sum = gs.scatter %messages into %nodes[%receivers] scatter_dims([0]) combine(add)
        : (tensor<156x8xf32>, tensor<34x8xf32>, tensor<156x1xi32>) -> tensor<34x8xf32>
    ```
    """

    ATTRIBUTES = Attributes({"scatter_dims": ir.DenseI64ArrayAttr}, {**PROMISES, **BOUNDS, **BATCH})

    ASSEMBLY = "$updates into $dest[$indices]"

    updates: ext.Operand[Any]
    dest: ext.Operand[Any]
    indices: ext.Operand[Any]
    output: ext.Result[Any]
    scatter_dims: Any
    combiner: ext.Region

    def structure(self) -> Structure:
        updates, dest, indices = (operand.type for operand in self.operands)
        dims, batch = list(self.attributes["scatter_dims"]), batch_dims(self)
        maps = slice_maps(dest, indices, updates.rank, dims, batch)
        return structure_by(self, maps, ordered=range(batch, indices.rank - 1))

    @verifier
    def verify_invariants(self) -> None:
        updates, dest, indices = (operand.type for operand in self.operands)
        dims = list(self.attributes["scatter_dims"])
        check_tensor("dest", dest)  # scatter_c2
        check_addressing(self, "scatter_dims", "dest", dest, indices, dims)
        shapes = sliced_shapes(dest.shape, indices.shape, dims, batch_dims(self))
        check_updates(updates, dest, shapes)  # scatter_c1 scatter_c7
        check_one_of("result", self.results[0].type, [dest])  # scatter_c8
        # scatter_c10 scatter_c11
        check_bounds(self, SCATTER_MODES, "dest", dest, dims, updates.shape, indices.shape)

    @reported
    def verify_region_invariants(self) -> None:
        element = self.operands[1].type.element_type
        check_combiner(self.regions[0], element, required=False)  # scatter_c9


def check_updates(updates: Type, dest: ir.ShapedType, shapes: Sequence[Sequence[int]]) -> None:
    """`updates` holds elements of `dest` in one of `shapes`."""
    check_tensor("updates", updates)
    if updates.element_type != dest.element_type:
        raise Wrong(
            f"operand 'updates' must have the element type of 'dest' ({dest.element_type}), "
            f"found {updates.element_type}"
        )
    if not any(compatible_shapes(updates.shape, shape) for shape in shapes):
        wanted = " or ".join(dict.fromkeys(shape_text(s, dest.element_type) for s in shapes))
        raise Wrong(f"operand 'updates' must be {wanted}, found {updates}")


def filled_with(
    element: Callable[[], Type], combiner: Combiner | None
) -> Callable[[ir.Region], None]:
    """What fills a region with `combiner`, a function of two values; None leaves it empty."""

    def fill(region: ir.Region) -> None:
        if combiner is None:
            return
        try:
            type_ = element()
        except AttributeError:
            return  # It is no tensor, and the verifier says so.
        location = region.owner.location
        block = region.blocks.append(type_, type_, arg_locs=[location, location])
        with ir.InsertionPoint(block), location:
            yield_(combiner(block.arguments[0], block.arguments[1]))

    return fill


def scatter(
    updates: Value,
    dest: Value,
    indices: Value,
    scatter_dims: Sequence[int],
    combiner: Combiner | None = None,
    *,
    batch_dims: int = 0,
    unique: bool = False,
    sorted: bool = False,
    mode: ScatterMode | None = None,
    wrap_negative: bool = False,
    loc: Location | None = None,
    ip: InsertionPoint | None = None,
) -> Value:
    """Build `gs.scatter`, and return its result, of the type of `dest`.

    `indices` has shape [..., k] with k the number of `scatter_dims`, and `updates` the shape of
    `gather(dest, indices, scatter_dims)`. `combiner(current, update)` builds the body and returns
    the new element; without one the last update stays.

    Raises InvalidOp, a ValueError, for operands, attributes and bodies that the op does not take.
    """
    return build(
        ScatterOp,
        {"updates": updates, "dest": dest, "indices": indices},
        lambda: [dest.type],
        {
            "scatter_dims": scatter_dims,
            "batch_dims": batch_dims or None,
            "unique": unique,
            "sorted": sorted,
            "mode": mode,
            "wrap_negative": wrap_negative,
        },
        filled_with(lambda: dest.type.element_type, combiner),
        loc=loc,
        ip=ip,
    ).result
