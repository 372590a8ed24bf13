"""`convert-tcp-to-gs`: the gathers of the tcp dialect, also fed by broadcasts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect import gather, gather_elements
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.common import ENCODING, FrontEnd, Refusal, check_plain
from mlir_gs.frontend.common.elementwise import sizes_of
from mlir_gs.frontend.common.shapes import without_unit_dims
from mlir_gs.frontend.common.take import take
from mlir_gs.frontend.tcp.broadcast import gather_of_broadcasts
from mlir_gs.frontend.tcp.dialect import Tcp, axes_of
from mlir_gs.lowering import fail, register_pass
from mlir_gs.lowering.ir.builders import constant_of, walk_named

linalg = dialect("linalg")
tensor = dialect("tensor")

TCP = FrontEnd("TCP", "convert-tcp-to-gs", dialect_class=Tcp)

CONSTANT_SIZE = Refusal(
    "tcp.broadcast_to whose result type contradicts a constant size",
    "result must have size {size} in axis {axis}, the constant operand, found {found}",
)


@register_pass
@dataclass(frozen=True)
class ConvertTcpToGs:
    """Convert the gathers of tcp to gs without materializing the broadcasts that feed them.

    A tcp.broadcast_to that feeds something else becomes linalg.broadcast.
    """

    name: ClassVar[str] = "convert-tcp-to-gs"

    def run(self, module: ir.Operation) -> None:
        for op in walk_named(module, "tcp.broadcast_to"):
            _check_constant_sizes(op)
        # A gather looks through broadcasts, so they are converted after all gathers.
        TCP.convert(module, "tcp.gather", "tcp.gather_slice", "tcp.gather_nd")
        for op in reversed(walk_named(module, "tcp.broadcast_to")):
            if not list(op.results[0].uses):
                op.erase()
        TCP.convert(module, "tcp.broadcast_to")


@TCP.converts(
    "tcp.gather",
    {
        "operands as they are": "`gs.gather_elements`",
        "operands through tcp.broadcast_to, tensor.expand_shape and tensor.collapse_shape of unit "
        "dims, tensor.cast: index_select, tf.gather, onnx.Gather": "`gs.gather` where the "
        "coordinates come first, else `gs.generic`",
    },
    refuses=(ENCODING,),
    larger="always",
)
def convert_gather(op: ir.OpView) -> Sequence[ir.Value]:
    """`tcp.gather` --> the gather that it is of what its operands are broadcast from."""
    input_, indices = op.operands
    check_plain(input=input_, indices=indices)
    dim = op.attributes["dim"].value
    from_broadcasts = gather_of_broadcasts(input_, indices, dim)
    if from_broadcasts is not None:
        return [from_broadcasts]
    return [gather_elements(input_, indices, dim)]


@TCP.converts(
    "tcp.gather_slice",
    {"dim 0": "`gs.gather`", "other dims": "`gs.generic`"},
    refuses=(ENCODING,),
)
def convert_gather_slice(op: ir.OpView) -> Sequence[ir.Value]:
    """`tcp.gather_slice` --> `gs.gather`, or `gs.generic` where coordinates stand in the middle."""
    input_, indices = op.operands
    check_plain(input=input_, indices=indices)
    return [take(input_, indices, op.attributes["dim"].value)]


@TCP.converts("tcp.gather_nd", {"every form": "`gs.gather`"}, refuses=(ENCODING,))
def convert_gather_nd(op: ir.OpView) -> Sequence[ir.Value]:
    """`tcp.gather_nd` --> `gs.gather` of the first dims."""
    input_, indices = op.operands
    check_plain(input=input_, indices=indices)
    return [gather(input_, indices, list(range(indices.type.shape[-1])))]


@TCP.converts(
    "tcp.broadcast_to",
    {
        "feeds only gathers": "nothing: the gather reads what is broadcast",
        "feeds another op": "`linalg.broadcast`",
    },
    refuses=(ENCODING, CONSTANT_SIZE),
)
def convert_broadcast_to(op: ir.OpView) -> Sequence[ir.Value]:
    """`tcp.broadcast_to` --> `linalg.broadcast` of the input without the axes."""
    input_, *sizes = op.operands
    check_plain(input=input_)
    axes = axes_of(op) or []
    if not axes:
        return [input_]
    out = sizes_of(input_)
    for axis, size in zip(axes, sizes, strict=True):
        static = op.results[0].type.shape[axis]
        out[axis] = size if static == DYNAMIC else static
    init = tensor.empty(out, input_.type.element_type)
    once = without_unit_dims(input_, axes)
    return linalg.broadcast(once, outs=[init], dimensions=axes).results


def _check_constant_sizes(op: ir.Operation) -> None:
    for axis, size in zip(axes_of(op) or [], list(op.operands)[1:], strict=True):
        static, constant = op.results[0].type.shape[axis], constant_of(size)
        if constant is not None and static not in (DYNAMIC, constant):
            refused = CONSTANT_SIZE(size=constant, axis=axis, found=static)
            fail(op, f"'{op.name}' op {refused}")
