"""Copies of memrefs, which threads share: each moves a range of the elements."""

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.ir.emit import dynamic_and_static, memref, mul, sub, value
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.volume import elements_in
from mlir_gs.lowering.scf.policy import Policy
from mlir_gs.lowering.scf.threads import call_in_parts, outline

_COPIES = ("linalg.copy", "memref.copy")
_NUMBERS = (ir.IntegerType, ir.IndexType, ir.FloatType, ir.ComplexType)


def is_shared_copy(op: ir.Operation) -> bool:
    """Whether `op` copies a memref whose elements lie in order to another one."""
    if op.name not in _COPIES or not all(_is_range(each.type) for each in op.operands):
        return False
    source, target = (each.type.element_type for each in op.operands)
    return source == target and isinstance(target, _NUMBERS)


def _is_range(type_: ir.Type) -> bool:
    is_memref = isinstance(type_, ir.MemRefType) and type_.rank > 0
    return is_memref and type_ == ir.MemRefType.get(type_.shape, type_.element_type)


def share_copy(op: ir.Operation, name: str, policy: Policy) -> None:
    """Replace `op` by calls of a function of this name, one for each thread, where it moves enough
    for that."""
    size = elements_in(op.operands[1])
    element = bytes_of(op.operands[1].type.element_type)
    moved = mul(size, 2 * element)
    if isinstance(moved, int) and moved < policy.serial_bytes:
        return
    source, target = map(_flat, op.operands)
    whole = memref.CopyOp(source, target).operation

    def emit(part: ir.Operation, bounds: list[ir.Value]) -> None:
        lower, upper = bounds
        memref.copy(*(_range(each, lower, value(sub(upper, lower))) for each in part.operands))

    kernel = outline(whole, name, 1, emit)
    whole.erase()
    call_in_parts(kernel, [size], [max(1, policy.line // element)], moved, policy)
    op.erase()


def _flat(array: ir.Value) -> ir.Value:
    given, known = dynamic_and_static([elements_in(array)])
    type_ = ir.MemRefType.get(known, array.type.element_type)
    return memref.reinterpret_cast(type_, array, [], given, [], [0], known, [1])


def _range(array: ir.Value, first: ir.Value, size: ir.Value) -> ir.Value:
    layout = ir.StridedLayoutAttr.get(DYNAMIC, [1])
    type_ = ir.MemRefType.get([DYNAMIC], array.type.element_type, layout)
    return memref.subview(array, [first], [size], [1], result_type=type_)
