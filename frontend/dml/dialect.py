"""The `dml` dialect: DirectML's GATHER and SLICE1 operators, from their descriptors.

Generic syntax only: `"dml.gather"(%input, %indices) {axis = 0 : i32, index_dimensions = 1 : i32}`.
"""

# The classes of the dialect DSL take keywords that only the untyped bindings know of.
# pyright: reportCallIssue=false, reportGeneralTypeIssues=false

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mlir_gs.dialect._bindings import ext, ir
from mlir_gs.dialect.base import load_with_gs
from mlir_gs.dialect.checks import (
    DYNAMIC,
    Attributes,
    Wrong,
    check_between,
    check_entries,
    check_shape,
    verifier,
)
from mlir_gs.dialect.effects import Effects
from mlir_gs.dialect.strided_slice import check_window_sizes

MOST_DIMS = 8
_DATA_TYPES = {
    **{f"f{bits}": f"FLOAT{bits}" for bits in (64, 32, 16)},
    **{f"{sign}{bits}": f"INT{bits}" for sign in ("i", "si") for bits in (64, 32, 16, 8)},
    **{f"ui{bits}": f"UINT{bits}" for bits in (64, 32, 16, 8)},
}
_INDEX_TYPES = ("INT64", "INT32", "UINT64", "UINT32")
_ARRAYS = ("offsets", "sizes", "strides")


@load_with_gs
class Dml(ext.Dialect, name="dml"):
    """DirectML operators: gather along an axis, strided slice."""


@dataclass(frozen=True)
class Alignment:
    """How the sizes of `dml.gather` meet in the DimensionCount of its tensors.

    The output's sizes are input[:axis] ++ the index dims ++ input[axis + 1:], right-aligned: too
    few get leading 1s (`padded`), too many lose leading 1s of the input (`input_cropped`), then
    of the index dims (`indices_cropped`, counted with the irrelevant leading ones of the tensor).
    """

    sizes: list[int]
    padded: int
    input_cropped: int
    indices_cropped: int

    @classmethod
    def of(
        cls, input_: Sequence[int], indices: Sequence[int], axis: int, index_dimensions: int
    ) -> "Alignment | None":
        """None where dims that are not 1 would have to go."""
        rank = len(input_)
        irrelevant = rank - index_dimensions
        overflow = max(index_dimensions - 1, 0)
        from_input = min(overflow, _leading_ones(input_[:axis]))
        from_indices = overflow - from_input
        if _leading_ones(indices) < irrelevant + from_indices:
            return None
        cropped = irrelevant + from_indices
        sizes = [*input_[from_input:axis], *indices[cropped:], *input_[axis + 1 :]]
        padded = rank - len(sizes)
        return cls([1] * padded + sizes, padded, from_input, cropped)


def _leading_ones(sizes: Sequence[int]) -> int:
    return next((d for d, size in enumerate(sizes) if size != 1), len(sizes))


class GatherOp(Dml.Operation, name="gather", traits=[Effects]):
    """DML_GATHER_OPERATOR_DESC: `output[...] = input[..., indices[...], ...]` along `axis`.

    The last `index_dimensions` dims of `indices` stand in the place of `axis`. A negative index
    of a signed type counts from the end; what is then out of bounds is clamped.

    Constraints:

    - C1: `input`, `indices` and the result have the same rank, from 1 to 8.
    - C2: `input` and the result have the same elements: f64, f32, f16, i64 to i8 or ui64 to ui8.
    - C3: `indices` has elements of i64, i32, ui64 or ui32.
    - C4: `axis` is in [0, rank), and the input is not empty along it.
    - C5: `index_dimensions` is in [0, rank]; the dims of `indices` before them have size 1.
    - C6: the result has the sizes input[:axis] ++ index dims ++ input[axis + 1:], right-aligned:
      with leading 1s where they are fewer than the rank; where they are more, leading 1s of the
      input and then of the index dims are cropped, and there are enough of them.
    """

    ATTRIBUTES = Attributes({"axis": ir.IntegerAttr, "index_dimensions": ir.IntegerAttr})

    input: ext.Operand[Any]
    indices: ext.Operand[Any]
    output: ext.Result[Any]
    axis: Any
    index_dimensions: Any

    @verifier
    def verify_invariants(self) -> None:
        input_, indices = (operand.type for operand in self.operands)
        output = self.results[0].type
        check_ranks(input=input_, indices=indices, output=output)  # dml_gather_c1
        check_data(input_, output)  # dml_gather_c2
        if _data_type(indices) not in _INDEX_TYPES:  # dml_gather_c3
            raise Wrong(
                f"operand 'indices' must have i64, i32, ui64 or ui32 elements, "
                f"found {indices.element_type}"
            )
        rank, axis = input_.rank, self.attributes["axis"].value
        check_between("axis", axis, rank)  # dml_gather_c4
        if input_.shape[axis] == 0:  # dml_gather_c4
            raise Wrong(f"operand 'input' must not be empty along axis {axis}")
        count = self.attributes["index_dimensions"].value
        if not 0 <= count <= rank:  # dml_gather_c5
            raise Wrong(f"attribute 'index_dimensions' must be in [0, {rank}], found {count}")
        if _leading_ones(indices.shape) < rank - count:  # dml_gather_c5
            raise Wrong(
                f"operand 'indices' must have size 1 in its first {rank - count} dims "
                f"(index_dimensions is {count}), found {indices}"
            )
        alignment = Alignment.of(input_.shape, indices.shape, axis, count)
        if alignment is None:  # dml_gather_c6
            raise Wrong(
                f"output would have {rank - 1 + count} dims, of which {count - 1} must be "
                f"leading 1s of 'input' or of the index dims, found {input_} and {indices}"
            )
        check_shape(output, alignment.sizes)  # dml_gather_c6


class Slice1Op(Dml.Operation, name="slice1", traits=[Effects]):
    """DML_SLICE1_OPERATOR_DESC: a window of `input`, every `strides`-th element of it.

    `output[i] = input[start + strides * i]`, where start is `offsets`, and in the dims with a
    negative stride `offsets + sizes - 1`.

    Constraints:

    - C1: `input` and the result have the same rank, from 1 to 8.
    - C2: `input` and the result have the same elements: f64, f32, f16, i64 to i8 or ui64 to ui8.
    - C3: `offsets`, `sizes` and `strides` have one entry per dim.
    - C4: the window is not empty and lies within `input`: offsets >= 0, sizes >= 1,
      offsets + sizes <= the size of `input`.
    - C5: no stride is 0.
    - C6: each size of the result is between 1 and 1 + (sizes - 1) / |strides|.
    """

    ATTRIBUTES = Attributes(dict.fromkeys(_ARRAYS, ir.DenseI64ArrayAttr))

    input: ext.Operand[Any]
    output: ext.Result[Any]
    offsets: Any
    sizes: Any
    strides: Any

    @verifier
    def verify_invariants(self) -> None:
        input_, output = self.operands[0].type, self.results[0].type
        check_ranks(input=input_, output=output)  # dml_slice1_c1
        check_data(input_, output)  # dml_slice1_c2
        offsets, sizes, strides = check_entries(self, _ARRAYS, input_.rank, "")  # dml_slice1_c3
        for d, limit in enumerate(input_.shape):
            if (  # dml_slice1_c4
                offsets[d] < 0
                or sizes[d] < 1
                or (limit != DYNAMIC and offsets[d] + sizes[d] > limit)
            ):
                raise Wrong(
                    f"window of dim {d} must be non-empty and within 'input' (size {limit}), "
                    f"found offset {offsets[d]} and size {sizes[d]}"
                )
            if strides[d] == 0:  # dml_slice1_c5
                raise Wrong(f"attribute 'strides' must not be 0, found 0 in dim {d}")
        check_window_sizes(output, sizes, strides)  # dml_slice1_c6


def check_ranks(**types: ir.Type) -> None:
    """All are ranked tensors of one rank, which DirectML supports."""
    for name, type_ in types.items():
        if not isinstance(type_, ir.RankedTensorType):
            raise Wrong(f"'{name}' must be a ranked tensor, found {type_}")
    ranks = {name: type_.rank for name, type_ in types.items()}
    if len(set(ranks.values())) != 1:
        found = ", ".join(f"{rank} of '{name}'" for name, rank in ranks.items())
        raise Wrong(f"tensors must have the same rank, found {found}")
    rank = next(iter(ranks.values()))
    if not 1 <= rank <= MOST_DIMS:
        raise Wrong(f"tensors must have rank 1 to {MOST_DIMS}, found {rank}")


def check_data(input_: ir.ShapedType, output: ir.ShapedType) -> None:
    """Both hold elements of one type, which DirectML supports."""
    if _data_type(input_) is None:
        raise Wrong(
            "operand 'input' must have f64, f32, f16, i64 to i8 or ui64 to ui8 elements, "
            f"found {input_.element_type}"
        )
    if input_.element_type != output.element_type:
        raise Wrong(
            f"result must have the elements of 'input' ({input_.element_type}), "
            f"found {output.element_type}"
        )


def _data_type(type_: ir.ShapedType) -> str | None:
    """DirectML's name for the elements; None if it has none."""
    return _DATA_TYPES.get(str(type_.element_type))
