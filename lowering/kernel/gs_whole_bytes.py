"""`gs-whole-bytes`: vectors and elements in memory that are no whole bytes."""

from dataclasses import dataclass
from math import prod
from typing import Any, ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import is_within, walk_named
from mlir_gs.lowering.op.whole_bytes import VECTORS, convert, is_whole
from mlir_gs.lowering.passes.registry import fail, register_pass

_CAST = "vector.type_cast"


@register_pass
@dataclass(frozen=True)
class GsWholeBytes:
    """Let vectors go to and from memory as integers of whole bytes, one for each element.

    before: `%v = vector.load %m[%i] : memref<?xi1>, vector<8xi1>`, which LLVM reads as one byte
    after:  `%b = builtin.unrealized_conversion_cast %m : memref<?xi1> to memref<?xi8>`,
    `%w = vector.load %b[%i] : memref<?xi8>, vector<8xi8>`,
    `%v = arith.trunci %w : vector<8xi8> to vector<8xi1>`

    Arrays have a place for each element. Single elements are widened, too: LLVM makes no vectors of
    loops that load or store an i1. Refuses vectors whose elements are elsewhere than those of the
    memory.
    """

    name: ClassVar[str] = "gs-whole-bytes"
    only_with: ClassVar[tuple[str, ...]] = (*VECTORS, _CAST)

    def run(self, module: ir.Operation) -> None:
        for op in walk_named(module, *VECTORS, _CAST):
            # What is in a vector.mask has no lowering.
            if op.name == _CAST:
                _check_cast(op)
            elif not is_within(op, "vector.mask"):
                convert(op)


def _check_cast(op: Any) -> None:
    """Vectors of several dims have padding between those of the last one, as memrefs of vectors
    have between vectors."""
    vector = op.results[0].type.element_type
    element, last = vector.element_type, vector.shape[-1]
    is_one = prod(vector.shape) == last and prod(op.results[0].type.shape) == 1
    if not is_whole(element) or (last & (last - 1) and not is_one):
        memory = op.operands[0].type
        fail(op, f"'{op.name}' op {vector} has its elements elsewhere in memory than {memory}")
