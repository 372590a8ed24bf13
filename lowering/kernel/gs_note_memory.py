"""`gs-note-memory`: which arguments are written, and which have their memory for themselves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import memory_of, symbol, walk_named
from mlir_gs.lowering.kernel.attributes import (
    ARGUMENTS,
    DISJOINT,
    RANKS,
    RESULTS,
    kernel_of,
    records,
    write,
)
from mlir_gs.lowering.kernel.written import is_written
from mlir_gs.lowering.passes.registry import register_pass


@register_pass
@dataclass(frozen=True)
class GsNoteMemory:
    """Write on functions what is known of their memrefs, before these become pointers.

    On the kernel `gs.arguments` gets the types as they are now, and `written` for what may be
    written. The kernel and each function that is `no_inline` get `gs.ranks`: by argument the rank
    of a memref, -1 for others, and `gs.disjoint`: the numbers of arguments that are written and
    share their memory with no other. A call checks that for the tensors of a kernel. Does not apply
    to a kernel that has them, or is of the LLVM dialect.
    """

    name: ClassVar[str] = "gs-note-memory"

    def run(self, module: ir.Operation) -> bool:
        kernel = kernel_of(module, RESULTS)
        if kernel is None or kernel.name != "func.func" or RANKS in kernel.attributes:
            return False
        entry = kernel.regions[0].blocks[0]
        disjoint = _note_kernel(kernel, list(entry.arguments))
        calls: dict[str, list[Any]] = {}
        for call in walk_named(module, "func.call"):
            calls.setdefault(call.attributes["callee"].value, []).append(call)
        for op in module.regions[0].blocks[0].operations:
            function = op.operation
            if "no_inline" not in function.attributes or not len(function.regions[0].blocks):
                continue
            arguments = list(function.regions[0].blocks[0].arguments)
            written = {n for n, a in enumerate(arguments) if _is_memref(a) and is_written(a)}
            for call in calls.get(symbol(function), ()):
                roots = [memory_of(operand) for operand in call.operands]
                written = {n for n in written if _is_disjoint(n, roots, entry, disjoint)}
            _note(function, arguments, written)
        return False


def _note_kernel(kernel: Any, arguments: Sequence[Any]) -> set[int]:
    found = records(kernel, ARGUMENTS)
    for argument, record in zip(arguments, found, strict=False):
        record["type"] = ir.TypeAttr.get(argument.type)
        is_changed = "memref" in record and is_written(argument)
        record["written"] = "donated" in record or is_changed
    write(kernel, ARGUMENTS, found)
    disjoint = {number for number, record in enumerate(found) if record["written"]}
    disjoint |= set(range(len(found), len(arguments)))
    if any("memref" in record for record in found):
        disjoint = set()
    _note(kernel, arguments, disjoint)
    return disjoint


def _note(function: Any, arguments: Sequence[Any], disjoint: set[int]) -> None:
    ranks = [a.type.rank if _is_memref(a) else -1 for a in arguments]
    function.attributes[RANKS] = ir.DenseI64ArrayAttr.get(ranks)
    function.attributes[DISJOINT] = ir.DenseI64ArrayAttr.get(sorted(disjoint))


def _is_memref(value: Any) -> bool:
    return isinstance(value.type, ir.MemRefType)


def _is_disjoint(number: int, roots: list[Any], block: Any, disjoint: set[int]) -> bool:
    """Whether operand `number` of a call has memory of its own."""
    root = roots[number]
    if any(other == root for k, other in enumerate(roots) if k != number):
        return False
    if not all(_is_origin(other, block) for other in roots):
        return False
    if isinstance(root, ir.BlockArgument):
        return root.arg_number in disjoint
    return root.owner.name == "memref.alloc"


def _is_origin(root: Any, block: Any) -> bool:
    """Whether memory begins at `root`: results of branches, loops and calls may be any other's."""
    if not isinstance(root.type, (ir.MemRefType, ir.UnrankedMemRefType)):
        return True
    if isinstance(root, ir.BlockArgument):
        return root.owner == block
    return root.owner.name in ("memref.alloc", "memref.alloca", "memref.get_global")
