"""torch-mlir's own conversions of what `gs` has no part in, and the check that none is left."""

import re
from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.frontend.torch import repairs, respell, views
from mlir_gs.frontend.torch.op import NOT_CONVERTED
from mlir_gs.lowering import GsInfer, GsRepair, register_pass
from mlir_gs.lowering.ir.builders import is_inside, producer, walk, walk_named
from mlir_gs.lowering.kernel.attributes import mark_unsigned
from mlir_gs.lowering.passes.registry import fail_at_each

_UNSIGNED_TEXT = re.compile(r"!torch\.vtensor<.*,ui\d+>")
VIEWS = views.TorchViewsToTensor.name

_TORCH = ("torch.", "torch_c.", "tm_tensor.")

TO_LINALG = [
    "convert-torch-to-gs",
    VIEWS,
    respell.RespellTorch.name,
    repairs.RepairTorch.name,
    "func.func(torch-restructure-non-constant-axes,torch-fuse-quantized-ops,"
    "convert-torch-to-tmtensor)",
    "torch-sort-nans",
    "convert-torch-to-gs",
    "func.func(canonicalize,convert-torch-to-linalg)",
    # Before anything folds.
    GsRepair.name,
    "func.func(canonicalize,convert-torch-to-scf,convert-torch-to-arith,convert-torch-to-tensor)",
    "convert-torch-conversion-to-mlprogram",
    "func.func(memref-expand,canonicalize,resolve-shaped-type-result-dims,cse)",
    "torch-mark-unsigned",
]
"""The steps of `torch-backend-to-linalg-on-tensors-backend-pipeline`, up to those that change the
types of what is left."""

FINISH = [
    "torch-func-backend-type-conversion",
    "func.func(canonicalize,torch-finalizing-backend-type-conversion)",
    # Later the sorts are loops, of which nothing is known.
    GsInfer.name,
    "func.func(tm-tensor-bufferize)",
    "mark-fresh-buffers",
    "func.func(tm-tensor-to-loops)",
    "verify-no-torch",
]
"""The last steps without the check, which knows no `gs`, and loops for what they leave in
tm_tensor: sorts and scans."""


def in_torch(op: ir.Operation) -> bool:
    """Whether an op is torch's own, not one that only casts."""
    return op.name.startswith("torch.")


@register_pass
@dataclass(frozen=True)
class TorchMarkUnsigned:
    """Mark unsigned arguments and results of functions, which then become signless."""

    name: ClassVar[str] = "torch-mark-unsigned"

    def run(self, module: ir.Operation) -> None:
        for function in walk_named(module, "func.func"):
            mark_unsigned(function, lambda type_: bool(_UNSIGNED_TEXT.search(str(type_))))


@register_pass
@dataclass(frozen=True)
class MarkFreshBuffers:
    """Read a buffer allocated in the function as one tensor only, after all that is written.

    `tm-tensor-bufferize` leaves `bufferization.to_tensor` next to `memref.alloc`, in front of what
    writes there, and does not say that there is no other.
    """

    name: ClassVar[str] = "mark-fresh-buffers"

    def run(self, module: ir.Operation) -> None:
        for op in walk_named(module, "bufferization.to_tensor"):
            if producer(op.operands[0], "memref.alloc") is not None:
                op.attributes["restrict"] = ir.UnitAttr.get()
                _move_behind_writes(op)


def _move_behind_writes(op: ir.Operation) -> None:
    """Move a to_tensor behind the last op of its block that uses the buffer, if nothing in front of
    that reads the tensor."""

    def places(value: ir.Value) -> list[int]:
        users = [use.owner.operation for use in value.uses]
        return [
            number
            for number, one in enumerate(block)
            if any(one == user or is_inside(user, one) for user in users)
        ]

    block = [view.operation for view in op.block.operations]
    last = places(op.operands[0])[-1]
    if block[last] != op and min(places(op.results[0]), default=last) >= last:
        op.move_after(block[last])


@register_pass
@dataclass(frozen=True)
class TorchSortNans:
    """Let tm_tensor.sort take NaN for the largest number, as Torch does."""

    # a <= b --> a <= b or b is NaN; a >= b --> a >= b or a is NaN.

    name: ClassVar[str] = "torch-sort-nans"

    def run(self, module: ir.Operation) -> None:
        arith = dialect("arith")
        for op in walk_named(module, "tm_tensor.sort"):
            end = op.regions[0].blocks[0].operations[-1]
            test = producer(end.operands[0], "arith.cmpf")
            if test is None:
                continue
            falls = test.attributes["predicate"].value == arith.CmpFPredicate.OGE
            largest = test.operands[0 if falls else 1]
            with end.location, ir.InsertionPoint(end):
                is_nan = arith.cmpf(arith.CmpFPredicate.UNO, largest, largest)
                end.operands[0] = arith.ori(test.results[0], is_nan)


@register_pass
@dataclass(frozen=True)
class VerifyNoTorch:
    """Refuse ops of torch's dialects that are left."""

    name: ClassVar[str] = "verify-no-torch"

    def run(self, module: ir.Operation) -> None:
        left = [op for op in walk(module) if op.name.startswith(_TORCH)]
        fail_at_each([(op, NOT_CONVERTED.message) for op in left])
