"""`gs.histogram`: bins updates whose coordinates are equal (RFC, "a first-class histogram op")."""

from typing import Any

from mlir_gs.dialect._bindings import InsertionPoint, Location, Type, Value, ext, ir
from mlir_gs.dialect.base import Gs, named_op
from mlir_gs.dialect.build import build
from mlir_gs.dialect.checks import (
    DYNAMIC,
    Attributes,
    Wrong,
    check_indices,
    check_one_of,
    check_tensor,
    compatible_shapes,
    reported,
    shape_text,
    verifier,
)
from mlir_gs.dialect.effects import Effects
from mlir_gs.dialect.scatter import Combiner, filled_with
from mlir_gs.dialect.shared import check_combiner
from mlir_gs.dialect.structure import Access, Structure


@named_op
class HistogramOp(Gs.Operation, name="histogram", traits=[Effects]):
    """Combines the updates whose coordinate tuples are equal into one bin each.

    With I the shape of `indices` without its last dimension and R the rest of `updates`:
    bin j is the j-th distinct tuple in ascending lexicographic order, `unique_indices[j, :]` is
    that tuple, and `combined[j, r]` folds `updates[i, r]` over the i of that bin in row-major
    order of I, starting from the first one. The number of bins is known at run time only.
    `unique_indices` may then carry `unique` and `sorted` into the scatter that follows.

    Constraints:

    - C1: `updates` is a ranked tensor of integer, float, complex or index elements.
    - C2: `indices` is a ranked tensor of rank 1 or more, of index or integer elements, with a
      static last dimension of 1 or more.
    - C3: the leading dims of `updates` are I.
    - C4: `combined` is `[?] ++ R` of the element type of `updates`.
    - C5: `unique_indices` is `[?, k]` of the element type of `indices`, k its last dimension.
    - C6: the combiner region takes two elements and yields one.

    ```mlir
    %sums, %bins = gs.histogram %updates at %indices combine(add)
        : (tensor<9x6xf32>, tensor<9x2xindex>) -> (tensor<?x6xf32>, tensor<?x2xindex>)
    ```
    """

    ATTRIBUTES = Attributes({}, {"sorted": ir.UnitAttr})

    ASSEMBLY = "$updates at $indices"

    updates: ext.Operand[Any]
    indices: ext.Operand[Any]
    combined: ext.Result[Any]
    unique_indices: ext.Result[Any]
    combiner: ext.Region

    def drawn(self) -> Structure:
        """What a picture shows. No `structure` says it, since the bin of a tuple depends on all
        tuples: here the bin is one more symbol, found by the tuple among `unique_indices`."""
        updates, indices = self.operands
        leading, rank = indices.type.rank - 1, updates.type.rank
        count = indices.type.shape[-1]
        dims = [ir.AffineDimExpr.get(dim) for dim in range(rank)]
        symbols = [ir.AffineSymbolExpr.get(number) for number in range(count + 1)]

        def access(name: str, value: Value | None, results: list[Any]) -> Access:
            return Access(name, value, ir.AffineMap.get(rank, count + 1, results))

        tuples = [[*dims[:leading], ir.AffineConstantExpr.get(number)] for number in range(count)]
        names = ", ".join(f"s{number}" for number in range(count))
        found = access(f"the row ({names}) of unique_indices", None, symbols[:count])
        return Structure(
            inputs=(access("updates", updates, dims[:rank]),),
            coordinates=(*(access("indices", indices, place) for place in tuples), found),
            outputs=(access("combined", self.results[0], [symbols[count], *dims[leading:]]),),
            iterators=(*("reduction",) * leading, *("parallel",) * (rank - leading)),
            modes=("promise_in_bounds",) * (count + 1),
            wraps=(False,) * (count + 1),
            fills=(None,),
            unique=False,
            sorted="sorted" in self.attributes,
        )

    @verifier
    def verify_invariants(self) -> None:
        updates, indices = (operand.type for operand in self.operands)
        check_tensor("updates", updates)  # histogram_c1
        check_indices("indices", indices, min_rank=1)  # histogram_c2
        if indices.shape[-1] in (0, DYNAMIC):  # histogram_c2
            found = "0" if indices.shape[-1] == 0 else "a dynamic size"
            wanted = "static and 1 or more"
            raise Wrong(f"last dimension of operand 'indices' must be {wanted}, found {found}")
        leading = list(indices.shape[:-1])
        if not compatible_shapes(updates.shape[: len(leading)], leading):  # histogram_c3
            expected = shape_text(leading, updates.element_type)
            raise Wrong(f"leading dims of operand 'updates' must be {expected}, found {updates}")
        combined, unique = result_types(updates, indices, self.location)
        check_one_of("result 'combined'", self.results[0].type, [combined])  # histogram_c4
        check_one_of("result 'unique_indices'", self.results[1].type, [unique])  # histogram_c5

    @reported
    def verify_region_invariants(self) -> None:
        element = self.operands[0].type.element_type
        check_combiner(self.regions[0], element, required=True)  # histogram_c6


def result_types(
    updates: ir.ShapedType, indices: ir.ShapedType, loc: Location | None = None
) -> tuple[Type, Type]:
    """The types of `combined` and `unique_indices`."""
    rest = list(updates.shape[indices.rank - 1 :])
    return (
        ir.RankedTensorType.get([DYNAMIC, *rest], updates.element_type, loc=loc),
        ir.RankedTensorType.get([DYNAMIC, indices.shape[-1]], indices.element_type, loc=loc),
    )


def histogram(
    updates: Value,
    indices: Value,
    combiner: Combiner,
    *,
    sorted: bool = False,
    loc: Location | None = None,
    ip: InsertionPoint | None = None,
) -> tuple[Value, Value]:
    """Build `gs.histogram`; returns (combined, unique_indices). Raises InvalidOp, a ValueError."""
    op = build(
        HistogramOp,
        {"updates": updates, "indices": indices},
        lambda: result_types(updates.type, indices.type, loc),
        {"sorted": sorted},
        filled_with(lambda: updates.type.element_type, combiner),
        loc=loc,
        ip=ip,
    )
    return op.results[0], op.results[1]
