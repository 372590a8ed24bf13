"""`gs.gather_elements` and `gs.scatter_elements`: one coordinate per element, along one dim."""

from typing import Any

from mlir_gs.dialect._bindings import InsertionPoint, Location, Type, Value, ext, ir
from mlir_gs.dialect.base import Gs, named_op
from mlir_gs.dialect.build import Constant, build
from mlir_gs.dialect.checks import (
    DYNAMIC,
    Attributes,
    Wrong,
    check_between,
    check_indices,
    check_one_of,
    check_tensor,
    reported,
    verifier,
)
from mlir_gs.dialect.effects import Effects
from mlir_gs.dialect.named_maps import element_maps, structure_by
from mlir_gs.dialect.scatter import Combiner, check_updates, filled_with
from mlir_gs.dialect.shared import (
    BOUNDS,
    FILL,
    GATHER_MODES,
    PROMISES,
    SCATTER_MODES,
    GatherMode,
    ScatterMode,
    check_bounds,
    check_combiner,
)
from mlir_gs.dialect.structure import Structure


@named_op
class GatherElementsOp(Gs.Operation, name="gather_elements", traits=[Effects]):
    """Reads one element of `source` for each element of `indices`, along `dim`.

    `result[i] = source[i with i[dim] replaced by indices[i]]`

    This is `torch.gather`, `numpy.take_along_axis`, `tcp.gather` and ONNX GatherElements.

    Constraints:

    - C1: `source` is a ranked tensor of rank 1 or more, of integer, float, complex or index
      elements.
    - C2: `indices` is a ranked tensor of the rank of `source`, of index or integer elements.
    - C3: `dim` is in [0, rank of source).
    - C4: in each dim but `dim`, `indices` is no larger than `source`, if it has
      elements.
    - C5: the result has the shape of `indices` and the element type of `source`.
    - C6: `mode` is promise_in_bounds (default), clip, fill or error; `fill_value` is a constant
      of the element type, and needs mode fill.
    - C7: under mode clip `dim` does not have the static size 0 when something is read.

    Undefined: a coordinate out of bounds under promise_in_bounds; repeated addresses under
    `unique`; coordinates along `dim` that are not in ascending order under `sorted`.

    ```mlir
    %x = gs.gather_elements %input[%indices] dim(1)
        : (tensor<3x4xf32>, tensor<3x2xi64>) -> tensor<3x2xf32>
    ```
    """

    ATTRIBUTES = Attributes({"dim": ir.IntegerAttr}, {**PROMISES, **BOUNDS, **FILL})
    LARGER = True

    ASSEMBLY = "$source[$indices]"

    source: ext.Operand[Any]
    indices: ext.Operand[Any]
    output: ext.Result[Any]
    dim: Any

    def structure(self) -> Structure:
        dim = self.attributes["dim"].value
        return structure_by(self, element_maps(self.operands[0].type.rank, dim))

    @verifier
    def verify_invariants(self) -> None:
        source, indices = (operand.type for operand in self.operands)
        check_tensor("source", source, min_rank=1)  # gather_elements_c1
        dim = check_along(self, "source", source, indices)
        expected = ir.RankedTensorType.get(indices.shape, source.element_type, loc=self.location)
        check_one_of("result", self.results[0].type, [expected])  # gather_elements_c5
        # gather_elements_c6 gather_elements_c7
        check_bounds(self, GATHER_MODES, "source", source, [dim], indices.shape)


@named_op
class ScatterElementsOp(Gs.Operation, name="scatter_elements", traits=[Effects]):
    """Writes one element into `dest` for each element of `indices`, along `dim`.

    The result is `dest` after, for each i in row-major order of the shape of `indices`:

    `dest[i with i[dim] replaced by indices[i]] = combiner(current, updates[i])`

    An empty combiner region overwrites. This is `torch.scatter`, `numpy.put_along_axis` and
    ONNX ScatterElements.

    Constraints:

    - C1: `updates` is a ranked tensor of the shape of `indices` and the element type of `dest`.
    - C2: `dest` is a ranked tensor of rank 1 or more, of integer, float, complex or index
      elements.
    - C3: `indices` is a ranked tensor of the rank of `dest`, of index or integer elements.
    - C4: `dim` is in [0, rank of dest).
    - C5: in each dim but `dim`, `indices` is no larger than `dest`, if it has
      elements.
    - C6: the result has the type of `dest`.
    - C7: the combiner region is empty, or takes two elements and yields one.
    - C8: `mode` is promise_in_bounds (default), clip, drop or error.
    - C9: under mode clip `dim` does not have the static size 0 when something is written.

    Undefined: as for `gs.gather_elements`.

    ```mlir
    %y = gs.scatter_elements %updates into %dest[%indices] dim(0) unique
        : (tensor<2x4xf32>, tensor<8x4xf32>, tensor<2x4xi64>) -> tensor<8x4xf32>
    ```
    """

    ATTRIBUTES = Attributes({"dim": ir.IntegerAttr}, {**PROMISES, **BOUNDS})
    LARGER = True

    ASSEMBLY = "$updates into $dest[$indices]"

    updates: ext.Operand[Any]
    dest: ext.Operand[Any]
    indices: ext.Operand[Any]
    output: ext.Result[Any]
    dim: Any
    combiner: ext.Region

    def structure(self) -> Structure:
        dim = self.attributes["dim"].value
        return structure_by(self, element_maps(self.operands[1].type.rank, dim), ordered=[dim])

    @verifier
    def verify_invariants(self) -> None:
        updates, dest, indices = (operand.type for operand in self.operands)
        check_tensor("dest", dest, min_rank=1)  # scatter_elements_c2
        dim = check_along(self, "dest", dest, indices)
        check_updates(updates, dest, [list(indices.shape)])  # scatter_elements_c1
        check_one_of("result", self.results[0].type, [dest])  # scatter_elements_c6
        # scatter_elements_c8 scatter_elements_c9
        check_bounds(self, SCATTER_MODES, "dest", dest, [dim], updates.shape, indices.shape)

    @reported
    def verify_region_invariants(self) -> None:
        element = self.operands[1].type.element_type
        check_combiner(self.regions[0], element, required=False)  # scatter_elements_c7


def check_along(op: ir.OpView, name: str, type_: ir.ShapedType, indices: Type) -> int:
    """Check `indices` and `dim` of both ops; `name` is the operand that is addressed. The dim."""
    check_indices("indices", indices)  # gather_elements_c2 scatter_elements_c3
    check_same_rank(indices, name, type_)  # gather_elements_c2 scatter_elements_c3
    dim = op.attributes["dim"].value
    check_between("dim", dim, type_.rank)  # gather_elements_c3 scatter_elements_c4
    if 0 not in indices.shape:
        check_no_larger(indices, name, type_, dim)  # gather_elements_c4 scatter_elements_c5
    return dim


def check_same_rank(indices: ir.ShapedType, name: str, type_: ir.ShapedType) -> None:
    if indices.rank != type_.rank:
        wanted = f"the rank of '{name}' ({type_.rank})"
        raise Wrong(f"operand 'indices' must have {wanted}, found rank {indices.rank}")


def check_no_larger(indices: ir.ShapedType, name: str, type_: ir.ShapedType, but: int) -> None:
    """No dim of `indices` but one is larger than that of operand `name`."""
    for d, (size, limit) in enumerate(zip(indices.shape, type_.shape, strict=True)):
        if d != but and DYNAMIC not in (size, limit) and size > limit:
            wanted = f"no larger than '{name}' in dim {d} ({limit})"
            raise Wrong(f"operand 'indices' must be {wanted}, found {size}")


def gather_elements(
    source: Value,
    indices: Value,
    dim: int,
    *,
    unique: bool = False,
    sorted: bool = False,
    mode: GatherMode | None = None,
    fill_value: Constant | None = None,
    wrap_negative: bool = False,
    loc: Location | None = None,
    ip: InsertionPoint | None = None,
) -> Value:
    """Build `gs.gather_elements`; the result type is inferred. Raises InvalidOp, a ValueError."""
    return build(
        GatherElementsOp,
        {"source": source, "indices": indices},
        lambda: [ir.RankedTensorType.get(indices.type.shape, source.type.element_type, loc=loc)],
        {
            "dim": dim,
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


def scatter_elements(
    updates: Value,
    dest: Value,
    indices: Value,
    dim: int,
    combiner: Combiner | None = None,
    *,
    unique: bool = False,
    sorted: bool = False,
    mode: ScatterMode | None = None,
    wrap_negative: bool = False,
    loc: Location | None = None,
    ip: InsertionPoint | None = None,
) -> Value:
    """Build `gs.scatter_elements`; `combiner(current, update)` builds the body. Raises InvalidOp,
    a ValueError."""
    return build(
        ScatterElementsOp,
        {"updates": updates, "dest": dest, "indices": indices},
        lambda: [dest.type],
        {
            "dim": dim,
            "unique": unique,
            "sorted": sorted,
            "mode": mode,
            "wrap_negative": wrap_negative,
        },
        filled_with(lambda: dest.type.element_type, combiner),
        loc=loc,
        ip=ip,
    ).result
