"""`gs-clamp-sizes`: sizes of what is allocated before a loop that may have no step."""

from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import arith, constant_of, index, producer, walk_named
from mlir_gs.lowering.passes.registry import register_pass


@register_pass
@dataclass(frozen=True)
class GsClampSizes:
    """Take 0 for a negative size of each memref.alloc that only nested ops use.

    before: `%a = memref.alloc(%n)` before a loop that uses `%a`
    after:  `%a = memref.alloc(max(%n, 0))`

    buffer-loop-hoisting moves an alloc out of a loop. The size may be negative where that loop has
    no step, and such an alloc fails. A size that is a memref.dim or a constant stays.
    """

    name: ClassVar[str] = "gs-clamp-sizes"
    only_with: ClassVar[tuple[str, ...]] = ("memref.alloc",)

    def run(self, module: ir.Operation) -> None:
        for op in walk_named(module, "memref.alloc"):
            if any(use.owner.operation.block == op.block for use in op.results[0].uses):
                continue
            sizes = ir.DenseI32ArrayAttr(op.attributes["operandSegmentSizes"])[0]
            for number, size in enumerate(list(op.operands)[:sizes]):
                if constant_of(size) is None and producer(size, "memref.dim") is None:
                    with op.location, ir.InsertionPoint(op):
                        op.operands[number] = arith.maxsi(size, index(0))
