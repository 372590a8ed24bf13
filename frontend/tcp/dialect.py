"""The `tcp` dialect: the gathers of "Gather Ops in Tcp" and the broadcast that they are fed by.

Generic syntax only: `"tcp.gather"(%input, %indices) {dim = 0 : index} : (...) -> ...`.
"""

# The classes of the dialect DSL take keywords that only the untyped bindings know of.
# pyright: reportCallIssue=false, reportGeneralTypeIssues=false

from collections.abc import Sequence
from typing import Any

from mlir_gs.dialect._bindings import ext, ir
from mlir_gs.dialect.base import load_with_gs
from mlir_gs.dialect.checks import (
    DYNAMIC,
    Attributes,
    Wrong,
    check_attributes,
    check_between,
    check_shape,
    check_tensor,
    plural,
    reported,
    verifier,
)
from mlir_gs.dialect.effects import Effects
from mlir_gs.dialect.elements import check_no_larger, check_same_rank


@load_with_gs
class Tcp(ext.Dialect, name="tcp"):
    """Tensor compute primitives: gather along a dim, slices along dims, broadcast."""


class GatherOp(Tcp.Operation, name="gather", traits=[Effects]):
    """Gathers elements along `dim`: torch.gather, onnx.GatherElements.

    `out[i] = input[i with i[dim] replaced by indices[i]]`

    Constraints:

    - C1: `input` is a ranked tensor of rank 1 or more.
    - C2: `indices` is a tensor of i64 of the rank of `input`.
    - C3: `dim` is an integer in [0, rank of input).
    - C4: in each dim but `dim`, `indices` is no larger than `input`.
    - C5: the result has the shape of `indices` and the element type of `input`.

    Undefined: a coordinate that is negative or out of bounds.
    """

    ATTRIBUTES = Attributes({"dim": ir.IntegerAttr})

    input: ext.Operand[Any]
    indices: ext.Operand[Any]
    out: ext.Result[Any]
    dim: Any

    @verifier
    def verify_invariants(self) -> None:
        input_, indices = (operand.type for operand in self.operands)
        check_tensor("input", input_, min_rank=1)  # tcp_gather_c1
        check_indices(indices)  # tcp_gather_c2
        check_same_rank(indices, "input", input_)  # tcp_gather_c2
        dim = self.attributes["dim"].value
        check_between("dim", dim, input_.rank)  # tcp_gather_c3
        check_no_larger(indices, "input", input_, dim)  # tcp_gather_c4
        check_result(self, input_, indices.shape)  # tcp_gather_c5


class GatherSliceOp(Tcp.Operation, name="gather_slice", traits=[Effects]):
    """Gathers slices along `dim`: torch.index_select, tf.gather, onnx.Gather.

    `out[a.., i.., b..] = input[a.., indices[i..], b..]`, where a.. are the dims before `dim`

    Constraints:

    - C1: `input` is a ranked tensor of rank 1 or more.
    - C2: `indices` is a tensor of i64.
    - C3: `dim` is an integer in [0, rank of input).
    - C4: the result has the shape of `input` with `dim` replaced by the dims of `indices`, and
      the element type of `input`.

    Undefined: a coordinate that is negative or out of bounds.
    """

    ATTRIBUTES = Attributes({"dim": ir.IntegerAttr})

    input: ext.Operand[Any]
    indices: ext.Operand[Any]
    out: ext.Result[Any]
    dim: Any

    @verifier
    def verify_invariants(self) -> None:
        input_, indices = (operand.type for operand in self.operands)
        check_tensor("input", input_, min_rank=1)  # tcp_gather_slice_c1
        check_indices(indices)  # tcp_gather_slice_c2
        dim = self.attributes["dim"].value
        check_between("dim", dim, input_.rank)  # tcp_gather_slice_c3
        shape = [*input_.shape[:dim], *indices.shape, *input_.shape[dim + 1 :]]
        check_result(self, input_, shape)  # tcp_gather_slice_c4


class GatherNdOp(Tcp.Operation, name="gather_nd", traits=[Effects]):
    """Gathers slices along the first n dims: tf.gather_nd, onnx.GatherND, without batches.

    `out[i.., b..] = input[indices[i.., 0], .., indices[i.., n - 1], b..]`

    Constraints:

    - C1: `input` is a ranked tensor of rank 1 or more.
    - C2: `indices` is a tensor of i64, of rank 1 or more.
    - C3: n, the last dimension of `indices`, is static and in [1, rank of input].
    - C4: the result has the shape of `indices` without its last dimension, followed by the dims
      of `input` from n on, and the element type of `input`.

    Undefined: a coordinate that is negative or out of bounds.
    """

    ATTRIBUTES = Attributes()

    input: ext.Operand[Any]
    indices: ext.Operand[Any]
    out: ext.Result[Any]

    @verifier
    def verify_invariants(self) -> None:
        input_, indices = (operand.type for operand in self.operands)
        check_tensor("input", input_, min_rank=1)  # tcp_gather_nd_c1
        check_indices(indices, min_rank=1)  # tcp_gather_nd_c2
        n = indices.shape[-1]
        if not 1 <= n <= input_.rank:  # tcp_gather_nd_c3
            found = "a dynamic size" if n == DYNAMIC else n
            wanted = f"static and in [1, rank of 'input' = {input_.rank}]"
            raise Wrong(f"last dimension of operand 'indices' must be {wanted}, found {found}")
        check_result(self, input_, [*indices.shape[:-1], *input_.shape[n:]])  # tcp_gather_nd_c4


class BroadcastToOp(Tcp.Operation, name="broadcast_to", traits=[ext.Pure]):
    """Repeats `input` along `axes`, to the `sizes` of these.

    `out[i] = input[i with 0 at axes]`

    Constraints:

    - C1: `input` is a ranked tensor.
    - C2: `axes` is an array of integers, strictly increasing, in [0, rank of input).
    - C3: there is one size of type index per axis.
    - C4: `input` has the static size 1 in each axis.
    - C5: the result has the rank and element type of `input`, and its sizes but in the axes.
    """

    ATTRIBUTES = Attributes({"axes": ir.Attribute})

    input: ext.Operand[Any]
    sizes: Sequence[ext.Operand[Any]]
    out: ext.Result[Any]
    axes: Any

    @reported
    def verify_invariants(self) -> None:
        if len(self.operands) < 1 or len(self.results) != 1:
            found = f"{len(self.operands)} and {len(self.results)}"
            raise Wrong(f"expects 1 operand or more and 1 result, found {found}")
        check_attributes(self)
        input_ = self.operands[0].type
        check_tensor("input", input_)  # tcp_broadcast_to_c1
        axes = axes_of(self)
        if axes is None:  # tcp_broadcast_to_c2
            found = self.attributes["axes"]
            raise Wrong(f"attribute 'axes' must be an array of integers, found {found}")
        if axes != sorted(set(axes)) or not all(0 <= axis < input_.rank for axis in axes):
            wanted = f"strictly increasing in [0, {input_.rank})"
            raise Wrong(f"attribute 'axes' must be {wanted}, found {axes}")
        sizes = [size.type for size in list(self.operands)[1:]]
        if len(sizes) != len(axes) or not all(isinstance(size, ir.IndexType) for size in sizes):
            # tcp_broadcast_to_c3
            wanted = f"{plural(len(axes), 'size')} of type index, one per axis"
            raise Wrong(f"expects {wanted}, found ({', '.join(map(str, sizes))})")
        shape = list(input_.shape)
        for axis in axes:
            if shape[axis] != 1:  # tcp_broadcast_to_c4
                found = "a dynamic size" if shape[axis] == DYNAMIC else shape[axis]
                raise Wrong(f"operand 'input' must have size 1 in axis {axis}, found {found}")
            shape[axis] = DYNAMIC
        check_result(self, input_, shape)  # tcp_broadcast_to_c5


def axes_of(op: ir.OpView) -> list[int] | None:
    """The `axes` of a broadcast, which `[0, 2]` and `array<i64: 0, 2>` spell; None for others."""
    axes = op.attributes["axes"]
    if isinstance(axes, ir.DenseI64ArrayAttr):
        return list(axes)
    if isinstance(axes, ir.ArrayAttr) and all(isinstance(axis, ir.IntegerAttr) for axis in axes):
        return [axis.value for axis in axes]
    return None


def check_indices(type_: ir.Type, min_rank: int = 0) -> None:
    """`indices` is a tensor of i64."""
    check_tensor("indices", type_, min_rank)
    element = type_.element_type
    if not (isinstance(element, ir.IntegerType) and element.is_signless and element.width == 64):
        raise Wrong(f"operand 'indices' must have i64 elements, found {element}")


def check_result(op: ir.OpView, input_: ir.ShapedType, shape: Sequence[int]) -> None:
    """The result is a tensor of `shape` and of the elements of `input`."""
    result, element = op.results[0].type, input_.element_type
    if not isinstance(result, ir.RankedTensorType) or result.element_type != element:
        wanted = f"a ranked tensor with the elements of 'input' ({element})"
        raise Wrong(f"result must be {wanted}, found {result}")
    check_shape(result, shape)
