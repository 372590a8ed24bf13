"""`gs-whole-bytes`: vectors and elements in memory that are no whole bytes."""

from dataclasses import dataclass
from math import prod
from typing import Any, ClassVar

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.builders import cast, is_within, walk_named, with_elements
from mlir_gs.lowering.passes.registry import fail, register_pass

arith = dialect("arith")

_OF_ONE: dict[str, int | None] = {"memref.load": None, "memref.store": 0}
_VECTORS: dict[str, int | None] = {
    **_OF_ONE,
    "vector.load": None,
    "vector.store": 0,
    "vector.maskedload": -1,
    "vector.maskedstore": -1,
    "vector.gather": -1,
    "vector.scatter": -1,
    "vector.expandload": -1,
    "vector.compressstore": -1,
    "vector.transfer_read": None,
    "vector.transfer_write": 0,
    "affine.vector_load": None,
    "affine.vector_store": 0,
}
"""The ops that read and write vectors or an element of them, and which operand is written, or taken
where nothing is read."""

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
    only_with: ClassVar[tuple[str, ...]] = (*_VECTORS, _CAST)

    def run(self, module: ir.Operation) -> None:
        for op in walk_named(module, *_VECTORS, _CAST):
            # What is in a vector.mask has no lowering.
            if op.name == _CAST:
                _check_cast(op)
            elif not is_within(op, "vector.mask"):
                _convert(op)


def _is_whole(element: Any) -> bool:
    """Whether an element takes as many bits in vectors as in arrays."""
    width = 64 if isinstance(element, ir.IndexType) else element.width
    return width in (8, 16, 32, 64) or width % 128 == 0


def _check_cast(op: Any) -> None:
    """Vectors of several dims have padding between those of the last one, as memrefs of vectors
    have between vectors."""
    vector = op.results[0].type.element_type
    element, last = vector.element_type, vector.shape[-1]
    is_one = prod(vector.shape) == last and prod(op.results[0].type.shape) == 1
    if not _is_whole(element) or (last & (last - 1) and not is_one):
        memory = op.operands[0].type
        fail(op, f"'{op.name}' op {vector} has its elements elsewhere in memory than {memory}")


def _convert(op: Any) -> None:
    base = next(n for n, v in enumerate(op.operands) if isinstance(v.type, ir.MemRefType))
    type_ = op.operands[base].type
    element = type_.element_type
    scalar = isinstance(element, ir.IntegerType | ir.FloatType | ir.IndexType)
    if not scalar or _is_whole(element) or (element.width > 64 and op.name in _OF_ONE):
        return
    if element.width > 64:
        what = f"elements of {element} have no place of their own in a vector in memory"
        fail(op, f"'{op.name}' op {what}")
    whole = ir.IntegerType.get_signless(max(8, 1 << (element.width - 1).bit_length()))
    is_padded = op.name == "vector.transfer_read"
    # Padding stands behind the indices.
    given = base + 1 + type_.rank if is_padded else _VECTORS[op.name]
    with op.location, ir.InsertionPoint(op):
        shown = ir.MemRefType.get(type_.shape, whole, type_.layout, type_.memory_space)
        op.operands[base] = cast(op.operands[base], shown)
        if given is not None:
            number = given % len(op.operands)
            op.operands[number] = _widened(op.operands[number], element, whole)
    for result in op.results:
        narrow = result.type
        result.set_type(with_elements(narrow, whole))
        with op.location, ir.InsertionPoint.after(op):
            first, last = _narrowed(result, element, narrow)
        result.replace_all_uses_except(last, first.owner.operation)


def _widened(value: Any, element: Any, whole: Any) -> Any:
    bits = ir.IntegerType.get_signless(element.width)
    if isinstance(element, ir.FloatType):
        value = arith.bitcast(with_elements(value.type, bits), value)
    else:
        value = cast(value, with_elements(value.type, bits))
    return arith.extui(with_elements(value.type, whole), value)


def _narrowed(value: Any, element: Any, type_: Any) -> tuple[Any, Any]:
    """The first use of `value`, and what has `type_`."""
    bits = ir.IntegerType.get_signless(element.width)
    first = arith.trunci(with_elements(type_, bits), value)
    if isinstance(element, ir.FloatType):
        return first, arith.bitcast(type_, first)
    return first, cast(first, type_)
