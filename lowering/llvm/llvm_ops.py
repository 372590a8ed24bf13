"""Building operations of the LLVM dialect, and splitting blocks."""

from collections.abc import Iterable, Sequence
from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.builders import replace_op, symbol

llvm = dialect("llvm")


def type_list(values: Iterable[Any]) -> str:
    """The types of values, which are few and print slowly."""
    types = [value.type for value in values]
    texts = {type_: str(type_) for type_ in set(types)}
    return ", ".join(texts[type_] for type_ in types)


def call(name: str, operands: Sequence[Any], result: Any = None) -> Any:
    """A call of a function by its name, which gives a value of type `result`, if any."""
    callee, no_bundles = ir.FlatSymbolRefAttr.get(name), ir.DenseI32ArrayAttr.get([])
    made = llvm.CallOp(result, list(operands), [], no_bundles, callee=callee)
    return made.operation.results[0] if result is not None else None


def number(value: int, bits: int = 64) -> Any:
    """An attribute."""
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(bits), value)


def null_word() -> Any:
    """The address of a pointer on the stack, which is null."""
    pointer = ir.Type.parse("!llvm.ptr")
    one = llvm.ConstantOp(number(1).type, number(1)).result
    word = llvm.AllocaOp(pointer, one, ir.TypeAttr.get(pointer)).result
    llvm.StoreOp(llvm.ZeroOp(pointer).result, word)
    return word


def is_null(value: Any) -> Any:
    """Whether a pointer is null, as a value."""
    return llvm.ICmpOp(number(0), value, llvm.ZeroOp(value.type).result).result


def following(op: Any) -> list[Any]:
    """The operations behind `op` in its block."""
    found = [other.operation for other in op.block.operations]
    return found[found.index(op) + 1 :]


def split_after(op: Any) -> Any:
    """A new block with what follows `op`."""
    rest = op.block.create_after()
    for later in following(op):
        rest.append(later)
    return rest


def track(calls: Sequence[Any], frees: Sequence[Any], head: Any) -> list[Any]:
    """Keep what these calls of malloc allocate in a list that `head` starts, until these calls of
    free; returns the calls that now do."""
    for op in frees:
        with ir.InsertionPoint(op), op.location:
            call("__gs_free", [op.operands[0]])
        op.erase()
    made = []
    for op in calls:
        with ir.InsertionPoint(op), op.location:
            memory = call("__gs_alloc", [head, op.operands[0]], op.results[0].type)
        replace_op(op, [memory])
        made.append(memory.owner.operation)
    return made


def append(module: Any, text: str) -> None:
    """Add what `text` defines to `module`; a symbol that it has already stays as it is."""
    body = module.operation.regions[0].blocks[0]
    present = {symbol(op) for op in body.operations}
    # Kept until its operations have moved: they end with it.
    addition = ir.Module.parse(text)
    for op in list(addition.body.operations):
        if symbol(op) not in present:
            body.append(op)
