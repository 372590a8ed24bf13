"""`convert-tensor-to-gs`: upstream's tensor.gather and tensor.scatter."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect import gather, scatter
from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.common.common import ELEMENTS, ENCODING, FrontEnd, Refusal, check_plain
from mlir_gs.lowering import register_pass

TENSOR = FrontEnd("Upstream's tensor dialect", "convert-tensor-to-gs")

RESULT_IS_DEST = Refusal(
    "result type other than the type of dest, which upstream does not compare",
    "result must have the type of operand 'dest' ({dest}), found {found}",
)


@register_pass
@dataclass(frozen=True)
class ConvertTensorToGs:
    """Convert tensor.gather and tensor.scatter, in every form that verifies, to gs."""

    name: ClassVar[str] = "convert-tensor-to-gs"

    def run(self, module: ir.Operation) -> None:
        TENSOR.convert(module)


@TENSOR.converts(
    "tensor.gather",
    {
        "every form: full coordinates, one dim, non-contiguous dims, dims dropped or kept as 1, "
        "`unique`": "`gs.gather`"
    },
    refuses=(ELEMENTS, ENCODING),
)
def convert_gather(op: ir.OpView) -> Sequence[ir.Value]:
    """`tensor.gather` --> `gs.gather`; the result type says which of the two forms."""
    source, indices = op.operands
    check_plain(source=source, indices=indices)
    dims = list(op.attributes["gather_dims"])
    dropped = indices.type.rank - 1 + source.type.rank - len(dims)
    return [
        gather(
            source,
            indices,
            dims,
            keep_unit_dims=op.results[0].type.rank != dropped,
            unique="unique" in op.attributes,
        )
    ]


@TENSOR.converts(
    "tensor.scatter",
    {"every form, as for tensor.gather; `unique` is required upstream": "`gs.scatter`"},
    refuses=(ELEMENTS, ENCODING, RESULT_IS_DEST),
)
def convert_scatter(op: ir.OpView) -> Sequence[ir.Value]:
    """`tensor.scatter` --> `gs.scatter`; its `source` holds the updates."""
    updates, dest, indices = op.operands
    check_plain(source=updates, dest=dest, indices=indices)
    if op.results[0].type != dest.type:
        raise RESULT_IS_DEST(dest=dest.type, found=op.results[0].type)
    dims = list(op.attributes["scatter_dims"])
    return [scatter(updates, dest, indices, dims, unique="unique" in op.attributes)]
