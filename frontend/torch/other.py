"""What else arrives: tm_tensor.scatter, and the assertions of data-dependent sizes."""

from collections.abc import Sequence

from mlir_gs.dialect import scatter
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.frontend.common.common import Refusal
from mlir_gs.frontend.torch.op import CONSTANT, TORCH, TorchOp, scalar_of
from mlir_gs.lowering.ir.builders import remap

arith = dialect("arith")
cf = dialect("cf")

TENSORS = Refusal("memrefs", "needs tensors, found {found}")
DIMENSIONS = Refusal(
    "a dimension_map that is not ascending",
    "dimension_map must be strictly ascending, found {found}",
)


@TORCH.converts(
    "tm_tensor.scatter", {"every form on tensors": "`gs.scatter`"}, refuses=(TENSORS, DIMENSIONS)
)
def convert_tm_scatter(op: ir.OpView) -> Sequence[ir.Value]:
    """tm_tensor.scatter: its region takes (update, current), `gs.scatter`'s (current, update)."""
    operation = op.operation
    updates, indices, dest = operation.operands
    if not isinstance(dest.type, ir.RankedTensorType):
        raise TENSORS(found=dest.type)
    dims = list(operation.attributes["dimension_map"])
    if dims != sorted(set(dims)):
        raise DIMENSIONS(found=dims)
    block = operation.regions[0].blocks[0]
    unique = operation.attributes["unique_indices"].value

    def combine(current: ir.Value, update: ir.Value) -> ir.Value:
        values = dict(zip(block.arguments, (update, current), strict=True))
        for each in block.operations:
            if each.operation.name == "tm_tensor.yield":
                (yielded,) = each.operation.operands
                return values.get(yielded, yielded)
            clone = each.operation.clone()
            remap(clone, values)
            values.update(zip(each.operation.results, clone.results, strict=True))
        raise AssertionError("the region of tm_tensor.scatter ends in tm_tensor.yield")

    return [scatter(updates, dest, indices, dims, combine, unique=unique, mode="error")]


@TORCH.converts("aten._assert_scalar", {"every form": "`cf.assert`"}, refuses=(CONSTANT,))
def convert_assert(op: ir.OpView) -> Sequence[ir.Value]:
    """_assert_scalar(condition, message), which torch-mlir would drop."""
    t = TorchOp(op)
    held = scalar_of(t.op.operands[0], ir.IntegerType.get_signless(64))
    zero = arith.constant(held.type, 0)
    cf.AssertOp(arith.cmpi(arith.CmpIPredicate.ne, held, zero), t.constant(1))
    return []
