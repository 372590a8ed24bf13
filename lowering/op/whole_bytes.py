"""Vectors and elements in memory as integers of whole bytes."""

from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import arith, cast, is_within, walk_named, with_elements
from mlir_gs.lowering.op.body import is_mask
from mlir_gs.lowering.passes.registry import fail

_OF_ONE: dict[str, int | None] = {"memref.load": None, "memref.store": 0}
VECTORS: dict[str, int | None] = {
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


def convert_vectors_of_bits(module: ir.Operation) -> None:
    """Let vectors of i1 go to and from memory as bytes: upstream reads 8 of them from one."""
    for op in walk_named(module, *(name for name in VECTORS if name.startswith("vector."))):
        types = [v.type for v in op.operands if isinstance(v.type, ir.MemRefType)]
        if types and is_mask(types[0].element_type) and not is_within(op, "vector.mask"):
            convert(op)


def is_whole(element: Any) -> bool:
    """Whether an element takes as many bits in vectors as in arrays."""
    width = 64 if isinstance(element, ir.IndexType) else element.width
    return width in (8, 16, 32, 64) or width % 128 == 0


def convert(op: Any) -> None:
    """The op of VECTORS with its elements as whole bytes; those that are whole stay."""
    base = next(n for n, v in enumerate(op.operands) if isinstance(v.type, ir.MemRefType))
    type_ = op.operands[base].type
    element = type_.element_type
    scalar = isinstance(element, ir.IntegerType | ir.FloatType | ir.IndexType)
    if not scalar or is_whole(element) or (element.width > 64 and op.name in _OF_ONE):
        return
    if element.width > 64:
        what = f"elements of {element} have no place of their own in a vector in memory"
        fail(op, f"'{op.name}' op {what}")
    whole = ir.IntegerType.get_signless(max(8, 1 << (element.width - 1).bit_length()))
    # Padding stands behind the indices.
    given = base + 1 + type_.rank if op.name == "vector.transfer_read" else VECTORS[op.name]
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
