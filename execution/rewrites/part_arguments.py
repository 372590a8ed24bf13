"""What parts of a kernel take of memrefs: no more than they use of each.

Where MLIR passes a memref on, it passes its allocation, the pointer that is used, an offset, all
sizes and strides. Most of it nobody looks at, but it lies on the stack, and LLVM takes 45 us for
each word: of seven memrefs 34 words, 1.7 of a function's 5.4 ms. It would find out by itself only
where a function is called in its own module, and late; upstream's remove-dead-values does not look
into what a memref becomes.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.execution.rewrites.lowered_ops import symbol
from mlir_gs.execution.rewrites.parts import Part
from mlir_gs.lowering.ir.builders import walk_named

llvm = dialect("llvm")

Kept: TypeAlias = Mapping[str, Sequence[int]]
"""Of functions, by name: which of its arguments each still has, by number."""


def drop_unused(module: Any, found: Iterable[Part]) -> dict[str, Sequence[int]]:
    """Let the functions `found` that `module`, of the LLVM dialect, defines take what they use."""
    ranks = {part.name: part.ranks for part in found}
    fields = _Fields()
    kept = {}
    for function in module.body.operations if ranks else ():
        name = symbol(function)
        if name not in ranks or not function.operation.regions[0].blocks:
            continue
        block = function.operation.regions[0].blocks[0]
        arguments = list(block.arguments)
        used = _used(arguments, ranks[name], fields)
        if len(used) < len(arguments):
            _keep(function.operation, block, arguments, used)
            kept[name] = used
    return kept


class _Fields:
    """Where a descriptor has what upstream makes of a memref: its allocation, the pointer, the
    offset, and in arrays sizes and strides."""

    def __init__(self) -> None:
        self._of_rank: dict[int, list[Any]] = {}

    def __getitem__(self, rank: int) -> list[Any]:
        """The positions, as attributes, in the order of the arguments."""
        if rank not in self._of_rank:
            places = [[0], [1], [2], *([field, n] for field in (3, 4) for n in range(rank))]
            self._of_rank[rank] = [ir.DenseI64ArrayAttr.get(place) for place in places]
        return self._of_rank[rank]


def _used(arguments: Sequence[Any], ranks: Sequence[int | None], fields: _Fields) -> Sequence[int]:
    """The numbers of the arguments that are used; all where they are not what `ranks` says."""
    if len(arguments) != sum(1 if rank is None else 3 + 2 * rank for rank in ranks):
        return range(len(arguments))
    used = []
    first = 0
    for rank in ranks:
        places = [None] if rank is None else fields[rank]
        read = None if rank is None else _fields_read(arguments[first], len(places))
        for number, place in enumerate(places, first):
            if read is None or place in read:
                used.append(number)
        first += len(places)
    return used


def _fields_read(first: Any, count: int) -> set[Any] | None:
    """The positions that are read in the descriptor that is put together from `count` arguments,
    of which `first` goes into it first; None if any may be."""
    descriptor = first
    for _ in range(count):
        uses = list(descriptor.uses)
        if len(uses) != 1 or uses[0].owner.name != "llvm.insertvalue":
            return None
        descriptor = uses[0].owner.results[0]
    readers = [use.owner for use in descriptor.uses]
    if any(reader.name != "llvm.extractvalue" for reader in readers):
        return None
    return {reader.attributes["position"] for reader in readers}


def _keep(function: Any, block: Any, arguments: Sequence[Any], used: Sequence[int]) -> None:
    """Erase all other arguments."""
    attributes = function.attributes
    poison: dict[Any, Any] = {}
    for number in sorted(set(range(len(arguments))).difference(used), reverse=True):
        argument = arguments[number]
        kind = argument.type
        if kind not in poison:
            with ir.InsertionPoint.at_block_begin(block), function.location:
                poison[kind] = llvm.PoisonOp(kind).result
        argument.replace_all_uses_with(poison[kind])
        block.erase_argument(number)
    if "arg_attrs" in attributes:
        marks = attributes["arg_attrs"]
        attributes["arg_attrs"] = ir.ArrayAttr.get([marks[number] for number in used])
    inputs = ", ".join(str(arguments[number].type) for number in used)
    attributes["function_type"] = ir.Attribute.parse(f"!llvm.func<void ({inputs})>")


def pass_kept(module: Any, kept: Kept) -> None:
    """Let calls in `module` of the functions `kept` pass what they still take."""
    for call in walk_named(module.operation, "llvm.call") if kept else ():
        callee = call.attributes["callee"].value if "callee" in call.attributes else ""
        if callee in kept:
            passed = kept_operands(call, callee, kept)
            with ir.InsertionPoint(call), call.location:
                llvm.CallOp(None, passed, [], [], callee=callee)
            call.erase()


def kept_operands(call: Any, callee: str, kept: Kept) -> list[Any]:
    """The operands of a call that are still taken."""
    operands = list(call.operands)
    return [operands[number] for number in kept[callee]] if callee in kept else operands
