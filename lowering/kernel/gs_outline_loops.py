"""`gs-outline-loops`: loops that a kernel has more than once become functions.

Equal functions are found here: upstream's `duplicate-function-elimination` walks the whole module
for each of them.
"""

from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.builders import cloned_constant, walk
from mlir_gs.lowering.kernel.attributes import kernel_of
from mlir_gs.lowering.passes.registry import register_pass

func = dialect("func")

_NAME = "gs_loop"

# An error leaves no callee, and its allocations are freed in the kernel.
_STAY = {"func.call", "cf.assert", "scf.parallel", "scf.forall"}
_STAY |= {"memref.alloc", "memref.dealloc", "memref.realloc", "memref.copy"}
_MEMREFS = (ir.MemRefType, ir.UnrankedMemRefType)


@register_pass
@dataclass(frozen=True)
class GsOutlineLoops:
    """Outline equal loops of the kernel, such as layers of a network, as one function.

    before: `scf.for ... { A on %x }; scf.for ... { A on %y }`
    after:  `call @gs_loop(%x); call @gs_loop(%y)`

    Applies to scf.for, scf.if and linalg.generic in its body. Does not apply to loops of few ops,
    nor to what calls, allocates, frees, copies memrefs, gives a memref or runs in parallel.
    """

    name: ClassVar[str] = "gs-outline-loops"
    only_with: ClassVar[tuple[str, ...]] = ("scf.for", "scf.if", "linalg.generic")

    def run(self, module: ir.Operation) -> bool:
        kernel, known, symbols = kernel_of(module), dict[str, str](), ir.SymbolTable(module)
        alike: dict[tuple[str, ...], list[ir.Operation]] = {}
        for view in kernel.regions[0].blocks[0].operations if kernel is not None else ():
            names = tuple(op.name for op in (view.operation, *walk(view.operation)))
            # A memref that it gives may be on its stack.
            gives = any(isinstance(each.type, _MEMREFS) for each in view.operation.results)
            fits = names[0] in self.only_with and len(names) > 3 and not gives
            if fits and _STAY.isdisjoint(names):
                alike.setdefault(names, []).append(view.operation)
        for op in [op for ops in alike.values() if len(ops) > 1 for op in ops]:
            _outline(op, kernel, known, symbols)
        return bool(known)


def _outline(
    op: ir.Operation, kernel: ir.Operation, known: dict[str, str], symbols: ir.SymbolTable
) -> None:
    """Move `op` to a function in front of `kernel`, or call one of the same text in `known`."""
    results, inside = [result.type for result in op.results], dict[ir.Value, ir.Value]()
    with op.location, ir.InsertionPoint(kernel):
        function = func.FuncOp(_NAME, ([], results), visibility="private").operation
        function.attributes["no_inline"] = ir.UnitAttr.get()
        body = function.regions[0].blocks.append()
    with op.location, ir.InsertionPoint(body):
        for user in (op, *walk(op)):
            for number, value in enumerate(user.operands):
                owner = value.owner
                if (owner if isinstance(owner, ir.Block) else owner.operation.block) == op.block:
                    new = inside.get(value) or cloned_constant(value)
                    inside[value] = new or body.add_argument(value.type, op.location)
                    user.operands[number] = inside[value]
        given = [value for value, new in inside.items() if isinstance(new, ir.BlockArgument)]
        types = ir.FunctionType.get([value.type for value in given], results)
        function.attributes["function_type"] = ir.TypeAttr.get(types)
        call = func.CallOp(results, _NAME, given, ip=ir.InsertionPoint(op))
        for old, new in zip(op.results, call.results, strict=True):
            old.replace_all_uses_with(new)
        body.append(op)
        func.ReturnOp(list(op.results), ip=ir.InsertionPoint(body))
    text = function.get_asm(use_local_scope=True)
    if text in known:
        function.erase()
    else:
        # The name gets a number where the program has it.
        known[text] = symbols.insert(function).value
    call.attributes["callee"] = ir.FlatSymbolRefAttr.get(known[text])
