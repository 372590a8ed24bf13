"""A transform op of one's own, in Python, in a schedule with those of gs and upstream.

    python examples/transform/own_op.py

`my_schedule.of_bytes` picks the ops whose result has at least so many bytes: only these are tiled.
"""

from typing import Any

import mlir_gs
from mlir_gs.bindings import ext, ir, module
from mlir_gs.dialect import context, load_with_gs, spelled
from mlir_gs.lowering import run_pipeline
from mlir_gs.lowering.transform import load_transform_ops

transform = module("dialects.transform")

TWO = """
func.func @two(%x: tensor<1000x64xf32>, %many: tensor<512x1xi64>, %few: tensor<4x1xi64>)
    -> (tensor<512x64xf32>, tensor<4x64xf32>) {
  %large = gs.gather %x[%many] gather_dims([0])
      : (tensor<1000x64xf32>, tensor<512x1xi64>) -> tensor<512x64xf32>
  %small = gs.gather %x[%few] gather_dims([0])
      : (tensor<1000x64xf32>, tensor<4x1xi64>) -> tensor<4x64xf32>
  return %large, %small : tensor<512x64xf32>, tensor<4x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %gathers = transform.structured.match ops{["gs.gather"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %generic = gs_transform.generalize %gathers : (!transform.any_op) -> !transform.any_op
    %large = my_schedule.of_bytes %generic least(65536)
      : (!transform.any_op) -> !transform.any_op
    gs_transform.tile %large sizes([16])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
"""


@spelled
@load_with_gs
class MySchedule(ext.Dialect, name="my_schedule"):
    """Transform ops of this program."""


class Pick(transform.TransformOpInterface):
    @staticmethod
    def apply(op: Any, rewriter: Any, results: Any, state: Any) -> Any:
        least = op.attributes["least"].value
        found = [one for one in state.get_payload_ops(op.operands[0]) if size_of(one) >= least]
        results.set_ops(op.results[0], found)
        return transform.DiagnosedSilenceableFailure.Success

    @staticmethod
    def allow_repeated_handle_operands(op: Any) -> bool:
        return False


class Effects(ir.MemoryEffectsOpInterface):
    @staticmethod
    def get_effects(op: Any, effects: Any) -> None:
        transform.only_reads_handle(op.op_operands, effects)
        transform.produces_handle(op.results, effects)
        transform.only_reads_payload(effects)


class OfBytesOp(MySchedule.Operation, name="of_bytes", traits=[Pick, Effects]):
    """Those ops of a handle whose first result has `least` bytes or more."""

    target: ext.Operand[Any]
    found: ext.Result[Any]
    least: ir.IntegerAttr


def size_of(op: Any) -> int:
    """The bytes of the first result, whose type is static, with elements of whole bytes."""
    type_ = op.operation.results[0].type
    size = type_.element_type.width // 8
    for extent in type_.shape:
        size *= extent
    return size


if __name__ == "__main__":
    ctx = context()
    load_transform_ops(ctx)
    with ctx:
        parsed = mlir_gs.parse(TWO)
        run_pipeline(parsed, "transform-interpreter")
        print(mlir_gs.print(parsed))
