"""`gs.strided_slice`: a window of a tensor with strides of either sign (DirectML SLICE1)."""

from collections.abc import Sequence
from typing import Any

from mlir_gs.dialect._bindings import InsertionPoint, Location, Type, Value, ext, ir
from mlir_gs.dialect.affine import LIMIT
from mlir_gs.dialect.base import Gs, named_op
from mlir_gs.dialect.build import build
from mlir_gs.dialect.checks import (
    DYNAMIC,
    Attributes,
    Wrong,
    check_entries,
    check_tensor,
    verifier,
)
from mlir_gs.dialect.effects import Effects
from mlir_gs.dialect.named_maps import dims_from
from mlir_gs.dialect.structure import Access, Structure

_ARRAYS = ("offsets", "sizes", "strides")


@named_op
class StridedSliceOp(Gs.Operation, name="strided_slice", traits=[Effects]):
    """Reads a window of `source`, every `strides`-th element of it, backwards where negative.

    The window of dim d is `[offsets[d], offsets[d] + sizes[d])`. With start[d] = offsets[d], or
    offsets[d] + sizes[d] - 1 where strides[d] is negative:

    `result[i] = source[start + strides * i]`

    The result may hold fewer elements than the window allows.

    Constraints:

    - C1: `source` is a ranked tensor of integer, float, complex or index elements.
    - C2: `offsets`, `sizes` and `strides` have one entry per dim of `source`.
    - C3: `offsets` are 0 or more, `sizes` 1 or more, and the window lies within `source` and ends
      at 2^62 or before.
    - C4: entries of `strides` lie between -2^62 and 2^62, and none is 0.
    - C5: the result has the rank and element type of `source`; each static size is between 1
      and 1 + (size - 1) floordiv |stride|, and a dynamic one is that maximum.

    ```mlir
    %y = gs.strided_slice %x[0, 1] [4, 3] [-2, 2] : (tensor<4x4xf32>) -> tensor<2x2xf32>
    ```
    """

    ATTRIBUTES = Attributes(dict.fromkeys(_ARRAYS, ir.DenseI64ArrayAttr))

    ASSEMBLY = "$source$offsets $sizes $strides"

    source: ext.Operand[Any]
    output: ext.Result[Any]
    offsets: Any
    sizes: Any
    strides: Any

    def structure(self) -> Structure:
        offsets, sizes, strides = (list(self.attributes[name]) for name in _ARRAYS)
        plain = dims_from(0, len(sizes))
        where = [
            d * stride + (offset + (size - 1 if stride < 0 else 0))
            for d, offset, size, stride in zip(plain, offsets, sizes, strides, strict=True)
        ]
        source, result = (
            Access(name, value, ir.AffineMap.get(len(sizes), 0, exprs))
            for name, value, exprs in (
                ("source", self.operands[0], where),
                ("result", self.results[0], plain),
            )
        )
        kinds = ("parallel",) * len(sizes)
        return Structure((source,), (), (result,), kinds, (), (), (None,), False, False)

    def extents(self) -> dict[int, int]:
        sizes, strides = self.attributes["sizes"], self.attributes["strides"]
        return dict(enumerate(map(max_size, sizes, strides)))

    @verifier
    def verify_invariants(self) -> None:
        source, result = self.operands[0].type, self.results[0].type
        check_tensor("source", source)  # strided_slice_c1
        # strided_slice_c2
        offsets, sizes, strides = check_entries(self, _ARRAYS, source.rank, " of source")
        for d, limit in enumerate(source.shape):
            # strided_slice_c3
            if offsets[d] < 0:
                raise Wrong(f"attribute 'offsets' must be 0 or more in dim {d}, found {offsets[d]}")
            if sizes[d] < 1:
                raise Wrong(f"attribute 'sizes' must be 1 or more in dim {d}, found {sizes[d]}")
            end = offsets[d] + sizes[d]
            if end > (LIMIT if limit == DYNAMIC else min(limit, LIMIT)):
                found = "?" if limit == DYNAMIC else limit
                window = f"window [{offsets[d]}, {end}) of dim {d}"
                raise Wrong(f"{window} must lie within source, found size {found}")
            if strides[d] == 0:  # strided_slice_c4
                raise Wrong(f"attribute 'strides' must not be 0 in dim {d}")
            if abs(strides[d]) >= LIMIT:  # strided_slice_c4
                wanted = f"less than 2^62 in dim {d}"
                raise Wrong(f"attribute 'strides' must be {wanted}, found {strides[d]}")
        if (  # strided_slice_c5
            not isinstance(result, ir.RankedTensorType)
            or result.element_type != source.element_type
            or result.rank != source.rank
        ):
            raise Wrong(f"result must have the rank and element type of {source}, found {result}")
        check_window_sizes(result, sizes, strides)  # strided_slice_c5


def check_window_sizes(result: ir.ShapedType, sizes: Sequence[int], strides: Sequence[int]) -> None:
    """The result holds one element or more of the window per dim, and no more than it has."""
    for d, found in enumerate(result.shape):
        most = max_size(sizes[d], strides[d])
        if found != DYNAMIC and not 1 <= found <= most:
            raise Wrong(f"result size must be in [1, {most}] in dim {d}, found {found}")


def max_size(size: int, stride: int) -> int:
    """How many elements a window of `size` gives at `stride`."""
    return 1 + (size - 1) // abs(stride)


def strided_slice(
    source: Value,
    offsets: Sequence[int],
    sizes: Sequence[int],
    strides: Sequence[int],
    *,
    result_sizes: Sequence[int] | None = None,
    loc: Location | None = None,
    ip: InsertionPoint | None = None,
) -> Value:
    """Build `gs.strided_slice`; the result holds all that the window allows by default. Raises
    InvalidOp, a ValueError."""

    def results() -> list[Type]:
        shape = result_sizes
        if shape is None:
            shape = [max_size(n, s) for n, s in zip(sizes, strides, strict=True)]
        return [ir.RankedTensorType.get(list(shape), source.type.element_type, loc=loc)]

    return build(
        StridedSliceOp,
        {"source": source},
        results,
        dict(zip(_ARRAYS, (offsets, sizes, strides), strict=True)),
        loc=loc,
        ip=ip,
    ).result
