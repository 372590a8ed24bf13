"""`convert-dml-to-gs`: DirectML's GATHER and SLICE1, and functions that build them.

`gather` and `slice1` take the fields of the operator descriptors in `directml.h`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect import strided_slice
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.strided_slice import max_size
from mlir_gs.frontend.common.common import ENCODING, FrontEnd, check_plain
from mlir_gs.frontend.common.shapes import with_unit_dims, without_unit_dims
from mlir_gs.frontend.common.take import OutOfBounds, take
from mlir_gs.frontend.dml.dialect import Alignment, Dml
from mlir_gs.lowering import register_pass

DML = FrontEnd("DirectML", "convert-dml-to-gs", dialect_class=Dml)


@register_pass
@dataclass(frozen=True)
class ConvertDmlToGs:
    """Convert the operators of dml to gs."""

    name: ClassVar[str] = "convert-dml-to-gs"

    def run(self, module: ir.Operation) -> None:
        DML.convert(module)


@DML.converts(
    "dml.gather",
    {
        "the index dims come first in the result": "`gs.gather`, `clip`, and for signed indices "
        "`wrap_negative`",
        "other axes": "`gs.generic`, likewise",
    },
    refuses=(ENCODING,),
)
def convert_gather(op: ir.OpView) -> Sequence[ir.Value]:
    """`dml.gather` --> a gather along the axis of what is left without leading 1s."""
    input_, indices = op.operands
    check_plain(input=input_, indices=indices)
    axis, count = (op.attributes[name].value for name in ("axis", "index_dimensions"))
    alignment = Alignment.of(input_.type.shape, indices.type.shape, axis, count)
    assert alignment is not None
    gathered = take(
        without_unit_dims(input_, range(alignment.input_cropped)),
        without_unit_dims(indices, range(alignment.indices_cropped)),
        axis - alignment.input_cropped,
        OutOfBounds("clip", wrap_negative=not indices.type.element_type.is_unsigned),
    )
    return [with_unit_dims(gathered, range(alignment.padded))]


@DML.converts("dml.slice1", {"every form": "`gs.strided_slice`"}, refuses=(ENCODING,))
def convert_slice1(op: ir.OpView) -> Sequence[ir.Value]:
    """`dml.slice1` --> `gs.strided_slice`."""
    source = op.operands[0]
    check_plain(input=source)
    offsets, sizes, strides = (
        list(op.attributes[name]) for name in ("offsets", "sizes", "strides")
    )
    shape = op.results[0].type.shape
    return [strided_slice(source, offsets, sizes, strides, result_sizes=shape)]


def gather(
    input_tensor: ir.Value,
    indices_tensor: ir.Value,
    axis: int,
    index_dimensions: int,
    *,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> ir.Value:
    """Build `dml.gather` from the fields of DML_GATHER_OPERATOR_DESC; returns the OutputTensor.

    `input_tensor`, `indices_tensor`: tensors of one rank, 1 to 8; `axis` is in [0, rank),
    `index_dimensions` in [0, rank]. Raises ValueError where no output has that rank, and MLIRError
    from the verifier for what else the operator does not take.
    """
    type_ = input_tensor.type
    indices = indices_tensor.type.shape
    if len(indices) != type_.rank:
        raise ValueError(f"tensors must have the same rank, found {type_.rank} and {len(indices)}")
    for name, value, last in (
        ("axis", axis, type_.rank - 1),
        ("index_dimensions", index_dimensions, type_.rank),
    ):
        if not 0 <= value <= last:
            raise ValueError(f"{name} must be in [0, {last}], found {value}")
    alignment = Alignment.of(type_.shape, indices, axis, index_dimensions)
    if alignment is None:
        raise ValueError(
            f"no output of rank {type_.rank}: dims that are not 1 would be cropped from "
            f"{type_} and {indices_tensor.type}"
        )
    i32 = ir.IntegerType.get_signless(32)
    return ir.Operation.create(
        "dml.gather",
        results=[ir.RankedTensorType.get(alignment.sizes, type_.element_type, loc=loc)],
        operands=[input_tensor, indices_tensor],
        attributes={
            "axis": ir.IntegerAttr.get(i32, axis),
            "index_dimensions": ir.IntegerAttr.get(i32, index_dimensions),
        },
        loc=loc,
        ip=ip,
    ).result


def slice1(
    input_tensor: ir.Value,
    input_window_offsets: Sequence[int],
    input_window_sizes: Sequence[int],
    input_window_strides: Sequence[int],
    *,
    output_sizes: Sequence[int] | None = None,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> ir.Value:
    """Build `dml.slice1` from the fields of DML_SLICE1_OPERATOR_DESC; returns the OutputTensor.

    Offsets, sizes and strides count elements, one entry per dim of `input_tensor`, whose rank is
    1 to 8. `output_sizes` are by default all that the window allows. Raises ValueError for a
    stride of 0 or lengths that differ; the verifier refuses what else the operator does not take.
    """
    if 0 in input_window_strides:
        raise ValueError("input_window_strides must not be 0")
    windows = zip(input_window_sizes, input_window_strides, strict=True)
    sizes = [max_size(size, stride) for size, stride in windows]
    if output_sizes is not None:
        sizes = list(output_sizes)
    arrays = {
        "offsets": input_window_offsets,
        "sizes": input_window_sizes,
        "strides": input_window_strides,
    }
    return ir.Operation.create(
        "dml.slice1",
        results=[ir.RankedTensorType.get(sizes, input_tensor.type.element_type, loc=loc)],
        operands=[input_tensor],
        attributes={k: ir.DenseI64ArrayAttr.get(list(v)) for k, v in arrays.items()},
        loc=loc,
        ip=ip,
    ).result
