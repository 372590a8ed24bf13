"""`convert-tosa-to-gs`: TOSA's gather, scatter and row_gather.

TOSA calls a coordinate out of range, and a repeated one in scatter, undefined behaviour: both
become promises, which `gs-sanitize` can check.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect import gather, scatter
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.frontend.common.common import PLAIN, FrontEnd, Refusal, check_plain
from mlir_gs.frontend.common.elementwise import sizes_of
from mlir_gs.frontend.common.shapes import as_type, with_trailing_unit
from mlir_gs.frontend.common.take import gather_by_maps
from mlir_gs.lowering import register_pass, register_pipeline
from mlir_gs.lowering.ir.builders import producer
from mlir_gs.lowering.ir.emit import size_of

tensor = dialect("tensor")

TOSA = FrontEnd("TOSA", "convert-tosa-to-gs")

ROW_COUNT = Refusal(
    "a row_count that is not a constant of 1 or more",
    "operand 'row_count' must be a constant of 1 or more, found {found}",
)
BLOCK_SCALED = Refusal(
    "the op, which is deprecated upstream",
    "is not converted: it is deprecated upstream in favour of tosa.row_gather",
)


@register_pass
@dataclass(frozen=True)
class ConvertTosaToGs:
    """Convert tosa.gather, tosa.scatter and tosa.row_gather to gs."""

    name: ClassVar[str] = "convert-tosa-to-gs"

    def run(self, module: ir.Operation) -> None:
        TOSA.convert(module)


@register_pipeline("gs-import-tosa", "Convert a TOSA module to gs and linalg on tensors.")
def import_tosa() -> list[str]:
    """Upstream's legalizations take what `convert-tosa-to-gs` leaves."""
    rest = (
        "tosa-make-broadcastable,tosa-to-scf,tosa-to-linalg-named,tosa-layerwise-constant-fold,"
        "tosa-make-broadcastable,tosa-to-linalg,tosa-to-arith,tosa-to-tensor"
    )
    # Inferred first: a tensor that is unranked as written may get its rank.
    shapes = ["func.func(tosa-infer-shapes)", "gs-check-sizes"]
    return [*shapes, "convert-tosa-to-gs", f"func.func({rest})"]


@TOSA.converts(
    "tosa.gather",
    {"every form; in bounds is a promise": "`gs.gather`, `batch_dims = 1`"},
    refuses=PLAIN,
)
def convert_gather(op: ir.OpView) -> Sequence[ir.Value]:
    """`tosa.gather`: `out[n, w, c] = values[n, indices[n, w], c]`."""
    values, indices = op.operands
    check_plain(values=values, indices=indices)
    return [gather(values, with_trailing_unit(indices), [1], batch_dims=1)]


@TOSA.converts(
    "tosa.scatter",
    {"every form; in bounds is a promise": "`gs.scatter`, `batch_dims = 1`, `unique`"},
    refuses=PLAIN,
)
def convert_scatter(op: ir.OpView) -> Sequence[ir.Value]:
    """`tosa.scatter`: `values_out[n, indices[n, w], c] = input[n, w, c]`."""
    values, indices, input_ = op.operands
    check_plain(values_in=values, indices=indices, input=input_)
    return [scatter(input_, values, with_trailing_unit(indices), [1], batch_dims=1, unique=True)]


@TOSA.converts(
    "tosa.row_gather",
    {"constant row_count; in bounds is a promise": "`gs.generic` over windows of rows"},
    refuses=(*PLAIN, ROW_COUNT),
)
def convert_row_gather(op: ir.OpView) -> Sequence[ir.Value]:
    """`tosa.row_gather`: `out[n, w * row_count + r, c] = values[n, indices[n, w] + r, c]`."""
    values, indices, row_count = op.operands
    check_plain(values=values, indices=indices)
    rows = _constant(row_count)
    n, w, r, c = (ir.AffineDimExpr.get(dim) for dim in range(4))
    start = ir.AffineSymbolExpr.get(0)
    sizes = [*sizes_of(indices), rows, size_of(values, 2)]
    windows = gather_by_maps(values, [n, start + r, c], indices, [n, w], sizes)
    shape = list(windows.type.shape)
    width = indices.type.shape[1]
    merged = width if width < 0 else width * rows
    flat = ir.RankedTensorType.get([shape[0], merged, shape[3]], values.type.element_type)
    return [as_type(tensor.collapse_shape(flat, windows, [[0], [1, 2], [3]]), op.results[0].type)]


@TOSA.converts("tosa.row_gather_block_scaled", {"no form": "nothing"}, refuses=(BLOCK_SCALED,))
def convert_row_gather_block_scaled(op: ir.OpView) -> Sequence[ir.Value]:
    """Refuses `tosa.row_gather_block_scaled`."""
    raise BLOCK_SCALED()


def _constant(row_count: ir.Value) -> int:
    op = producer(row_count)
    found = {"tosa.const": "values", "arith.constant": "value"}.get(op.name) if op else None
    if op is None or found is None:
        raise ROW_COUNT(found="a value known at run time")
    number = int(ir.DenseIntElementsAttr(op.attributes[found])[0])
    if number < 1:
        raise ROW_COUNT(found=number)
    return number
