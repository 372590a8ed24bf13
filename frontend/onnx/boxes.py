"""ONNX's NonMaxSuppression, which torch-mlir converts for one batch of one class."""

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.common import Left
from mlir_gs.frontend.onnx.gather_scatter import COMMON
from mlir_gs.frontend.onnx.node import ONNX, Node, expect
from mlir_gs.frontend.onnx.ranks import SHAPE
from mlir_gs.frontend.torch.vtensor import from_builtin
from mlir_gs.lowering.ir.builders import dim_of
from mlir_gs.lowering.ir.emit import compare

_FORMS = {"one batch of one class, no score at or below the threshold": "torch-mlir's, checked"}


@ONNX.converts("onnx.NonMaxSuppression", _FORMS, refuses=COMMON)
def convert_suppression(node: Node) -> list[ir.Value]:
    """Leave the op to torch-mlir, with batches and classes of size 1: known, or checked."""
    for number, name, count in ((0, "boxes", 1), (1, "scores", 2)):
        given = node.input(number)
        sizes = list(given.type.shape)
        for dim, found in enumerate(sizes[:count]):
            wanted = f"size 1 in dim {dim}"
            if found not in (1, DYNAMIC):
                raise SHAPE(name=name, wanted=wanted, found=found)
            message = f"'onnx.NonMaxSuppression' input '{name}' must have {wanted}"
            expect(compare("eq", dim_of(given, dim), 1), message)
            sizes[dim] = 1
        texts = ",".join("?" if size == DYNAMIC else str(size) for size in sizes)
        known = ir.Type.parse(f"!torch.vtensor<[{texts}],{given.type.element_type}>")
        node.op.operands[number] = from_builtin(given, known)
    raise Left
