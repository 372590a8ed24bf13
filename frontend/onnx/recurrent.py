"""Forms of ONNX's recurrent layers that torch-mlir converts as if they were others."""

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.frontend.common.common import Left, Refusal
from mlir_gs.frontend.onnx.gather_scatter import COMMON
from mlir_gs.frontend.onnx.node import ONNX, Node, as_index, expect
from mlir_gs.lowering.ir.builders import dim_of
from mlir_gs.lowering.ir.emit import Ix, compare, loop

tensor = dialect("tensor")

IGNORED = Refusal(
    "peepholes of LSTM; clip, and activations other than Relu, Sigmoid and Tanh",
    "{what} is not supported",
)
LENGTHS = Refusal(
    "sequence_lens of LSTM, GRU and RNN that are shorter than the sequence",
    "input 'sequence_lens' must be {wanted}, the length of the sequence, found {found}",
)

_FORMS = {"whole sequences": "torch-mlir's, checked"}
_REFUSES = (*COMMON, IGNORED, LENGTHS)
_TAKEN = ("Relu", "Sigmoid", "Tanh")


@ONNX.converts("onnx.LSTM", _FORMS, refuses=_REFUSES)
@ONNX.converts("onnx.GRU", _FORMS, refuses=_REFUSES)
@ONNX.converts("onnx.RNN", _FORMS, refuses=_REFUSES)
def convert_recurrent(node: Node) -> list[ir.Value]:
    """Leave the op to torch-mlir, which ignores lengths, clip and peepholes, and takes other
    activations for Relu: refuse those, and check at run time lengths that are not known."""
    if node.has(7):
        raise IGNORED(what="input 'P'")
    if "torch.onnx.clip" in node.op.attributes:
        raise IGNORED(what="attribute 'clip'")
    for name in node.attribute("activations", "strings", []):
        if name not in _TAKEN:
            raise IGNORED(what=f"activation '{name}'")
    if node.has(4):
        _check_lengths(node)
    raise Left


def _check_lengths(node: Node) -> None:
    lengths, source = node.input(4), node.input(0)
    dim = 1 if node.attribute("layout", "int", 0) == 1 else 0
    known, wanted = node.integers(4), source.type.shape[dim]
    if known is not None and wanted >= 0:
        if set(known) - {wanted}:
            raise LENGTHS(wanted=wanted, found=known)
        return
    size = dim_of(source, dim)

    def check(at: Ix) -> None:
        found = as_index(tensor.extract(lengths, [at]))
        message = (
            f"'{node.op.attributes['name'].value}' sequence_lens must be the sequence's length"
        )
        expect(compare("eq", found, size), message)

    loop(0, dim_of(lengths, 0), 1, check)
