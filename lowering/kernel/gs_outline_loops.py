"""`gs-outline-loops`: pieces of code that a kernel has more than once become functions.

Equal functions are found here: upstream's `duplicate-function-elimination` walks the whole module
for each of them.
"""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.builders import ancestors, cloned_constant, constant_of, has_named, walk
from mlir_gs.lowering.kernel.attributes import kernel_of
from mlir_gs.lowering.passes.registry import register_pass
from mlir_gs.lowering.scf.equal_ops import CALL, NAME, STAY

func = dialect("func")

_MEMREFS = (ir.MemRefType, ir.UnrankedMemRefType)


@register_pass
@dataclass(frozen=True)
class GsOutlineLoops:
    """Outline equal pieces of the kernel, such as layers of a network, as one function.

    before: `scf.for ... { A on %x }; scf.for ... { A on %y }`
    after:  `call @gs_loop(%x); call @gs_loop(%y)`

    A piece is an scf.for, scf.if or op of linalg in the kernel's body, or ops there that follow
    each other, of which only constants are used elsewhere. Does not apply to loops of few ops, to
    few ops without a loop, nor to what calls, allocates, frees, copies memrefs, gives a memref or
    runs in parallel.
    """

    name: ClassVar[str] = "gs-outline-loops"
    only_with: ClassVar[tuple[str, ...]] = ("scf.for", "scf.if", "linalg.")

    def run(self, module: ir.Operation) -> bool:
        kernel, known, symbols = kernel_of(module), dict[str, str](), ir.SymbolTable(module)
        pieces = [] if kernel is None else [*_pieces(kernel)]
        equal = [p for p in _equal(pieces) if len(p) > (1 if _has_loop(p) else CALL)]
        gone = {op for piece in equal for op in piece}
        rest = ([op] for piece in pieces for op in piece if op not in gone and _has_loop([op]))
        for piece in [*equal, *_equal(rest)]:
            _outline(piece, kernel, known, symbols)
        return bool(known)


def _has_loop(piece: Iterable[ir.Operation]) -> bool:
    return any(op.name.startswith(GsOutlineLoops.only_with) for op in piece)


def _is_nest(op: ir.Operation) -> bool:
    """It becomes loops, and some hundred ops of LLVM: it has few, but arrays for operands."""
    is_linalg = op.name.startswith("linalg.")
    return is_linalg and any(getattr(each.type, "rank", 0) > 0 for each in op.operands)


def _pieces(kernel: ir.Operation) -> Iterator[list[ir.Operation]]:
    """Shortest rows of ops, in the kernel's order, whose results are used within the row alone."""
    ops = [view.operation for view in kernel.regions[0].blocks[0].operations]
    at, piece, last = {op: number for number, op in enumerate(ops)}, list[ir.Operation](), 0
    for number, op in enumerate(ops):
        # A memref that it gives may be on its stack.
        stays = op == ops[-1] or any(isinstance(each.type, _MEMREFS) for each in op.results)
        if stays or has_named(op, *STAY, "func.return"):
            yield from ([one] for one in piece)
            piece, last = [], 0
        elif op.name != "arith.constant":
            piece.append(op)
            for user in (use.owner.operation for result in op.results for use in result.uses):
                last = max(last, next((at[one] for one in ancestors(user) if one in at), len(ops)))
            if last <= number:
                yield piece
                piece = []


def _equal(pieces: Iterable[list[ir.Operation]]) -> list[list[ir.Operation]]:
    """Those that occur more than once: the same ops by name, and the same constants."""
    alike: dict[Hashable, list[list[ir.Operation]]] = {}
    for piece in pieces:
        names = [each.name for op in piece for each in (op, *walk(op))]
        used = [constant_of(value) for op in piece if len(piece) > 1 for value in op.operands]
        is_long = len(names) > 3 or _is_nest(piece[0])
        alike.setdefault((*names, *used), []).append(piece if is_long else [])
    return [piece for kind in alike.values() if len(kind) > 1 for piece in kind if piece]


def _outline(
    piece: list[ir.Operation], kernel: ir.Operation, known: dict[str, str], symbols: ir.SymbolTable
) -> None:
    """Move a piece to a function in front of `kernel`, or call one of the same text in `known`."""
    op, block = piece[0], piece[0].block
    given_back = list(op.results) if len(piece) == 1 else []
    results, inside = [result.type for result in given_back], dict[ir.Value, ir.Value]()
    mine = {result for each in piece for result in each.results}
    with op.location, ir.InsertionPoint(kernel):
        function = func.FuncOp(NAME, ([], results), visibility="private").operation
        function.attributes["no_inline"] = ir.UnitAttr.get()
        body = function.regions[0].blocks.append()
    with op.location, ir.InsertionPoint(body):
        for user in (user for each in piece for user in (each, *walk(each))):
            for number, value in enumerate(user.operands):
                owner = value.owner
                around = owner if isinstance(owner, ir.Block) else owner.operation.block
                if around == block and value not in mine:
                    new = inside.get(value) or cloned_constant(value)
                    inside[value] = new or body.add_argument(value.type, op.location)
                    user.operands[number] = inside[value]
        given = [value for value, new in inside.items() if isinstance(new, ir.BlockArgument)]
        types = ir.FunctionType.get([value.type for value in given], results)
        function.attributes["function_type"] = ir.TypeAttr.get(types)
        call = func.CallOp(results, NAME, given, ip=ir.InsertionPoint(op))
        for old, new in zip(given_back, call.results, strict=True):
            old.replace_all_uses_with(new)
        for each in piece:
            body.append(each)
        func.ReturnOp(given_back, ip=ir.InsertionPoint(body))
    text = function.get_asm(use_local_scope=True)
    if text in known:
        function.erase()
    else:
        # The name gets a number where the program has it.
        known[text] = symbols.insert(function).value
    call.attributes["callee"] = ir.FlatSymbolRefAttr.get(known[text])
