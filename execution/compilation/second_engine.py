"""Some functions of a kernel in an engine of their own: two threads make machine code at a time.

LLVM takes most of the time in which a large kernel is compiled, and it makes the code of one module
on one CPU. So functions that hold loops and call no others are moved out, and lowered to
LLVM first: while another thread makes their machine code, what is left is lowered and compiled. It
finds them in a table of pointers, which is filled when both are done.
"""

import io
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.execution.rewrites.llvm_ops import callee_of
from mlir_gs.execution.rewrites.lowered_ops import defined, symbol
from mlir_gs.lowering.ir.builders import walk, walk_named

func = dialect("func")
llvm = dialect("llvm")

TABLE = "__gs_moved"
"""The pointers: an array that the second module defines, by which the first one calls."""

LEAST = 20
"""Operations on memrefs to move, at least: fewer are compiled sooner than a thread is started."""

BEGINNING = 130
"""The fixed cost of an engine that optimizes, in operations that it could compile in that time."""

STAYING = 1.3
"""The cost of an operation that stays, which is lowered as well."""

CALLING = 1.5
"""The cost of one in a function that calls others: memrefs that it passes on become pointers, sizes
and strides."""

GAIN = 0.87
"""The largest share of the time that may be left where something stays that may be moved: what only
calls is then optimized too, and the costs are averages."""

_NEEDS = (
    *("func.call", "func.call_indirect", "func.constant", "llvm.call"),
    *("memref.alloc", "scf.forall", "scf.parallel"),
)
"""What keeps a function where it is: others of its module, a runtime, or errors to return."""


@dataclass(frozen=True)
class Contents:
    """What is in a function on memrefs: the names of its operations, and how many there are."""

    names: Set[str]
    count: int


def contents_of(module: Any) -> dict[str, Contents]:
    """What is in the functions of `module`, by their symbols."""
    found = {
        symbol(function): [op.name for op in walk(function)] for function in module.body.operations
    }
    return {name: Contents(set(names), len(names)) for name, names in found.items()}


def split(module: Any, contents: Mapping[str, Contents]) -> tuple[Any, list[str]]:
    """A module of functions that were moved out of `module`, on memrefs, and their names; there are
    none if that gains nothing. `contents` are those of the functions that it defines."""
    functions = {symbol(op): op for op in module.body.operations if symbol(op) in contents}
    tables = {
        symbol(op): op for op in module.body.operations if op.operation.name == "memref.global"
    }
    read = {name: _tables(op) if tables else set() for name, op in functions.items()}
    changing = {name for name, op in tables.items() if "constant" not in op.operation.attributes}
    may_move = [
        name
        for name, op in functions.items()
        if _may_move(op, contents[name].names) and read[name].isdisjoint(changing)
    ]
    names = _chosen(may_move, {name: one.count for name, one in contents.items()})
    if sum(contents[name].count for name in names) < LEAST:
        names = []
    second = ir.Module.create()
    for name in names:
        function = functions[name]
        with ir.InsertionPoint(function), function.location:
            func.FuncOp(name, function.type, visibility="private")
        second.body.append(function)
    for name in sorted(set().union(*(read[name] for name in names))):
        second.body.append(tables[name].operation.clone())
    return second, names


def _tables(function: Any) -> set[str]:
    """The names of the arrays of the module that a function reads."""
    return {op.attributes["name"].value for op in walk_named(function, "memref.get_global")}


def _may_move(function: Any, names: Set[str]) -> bool:
    return "no_inline" in function.operation.attributes and names.isdisjoint(_NEEDS)


def _chosen(names: Sequence[str], counts: Mapping[str, int]) -> list[str]:
    """Those of `names` to move: all, or so many that another thread takes as long for them as this
    one takes for the rest, if that is worth what it takes to optimize here as well."""
    calling = CALLING * sum(count for name, count in counts.items() if name not in names)
    moved: float = BEGINNING
    left = calling + BEGINNING
    found = []
    for name in sorted(names, key=counts.__getitem__, reverse=True):
        if moved + counts[name] <= left + STAYING * counts[name]:
            moved += counts[name]
            found.append(name)
        else:
            left += STAYING * counts[name]
    together = max(BEGINNING + sum(counts[name] for name in names), calling)
    return found if max(moved, left) < GAIN * together else list(names)


def code_of(module: Any, names: Sequence[str]) -> bytes:
    """Bytecode of a module of the LLVM dialect with the table of the functions `names`."""
    external = ir.Attribute.parse("#llvm.linkage<external>")
    for function in defined(module):
        if symbol(function) in names:
            function.attributes["linkage"] = external
            del function.attributes["sym_visibility"]
    pointer, array = _types(names)
    with ir.InsertionPoint.at_block_begin(module.body):
        table = llvm.GlobalOp(array, TABLE, external, constant=True)
    with ir.InsertionPoint(table.regions[0].blocks.append()):
        pointers = llvm.UndefOp(array).result
        for number, name in enumerate(names):
            address = llvm.AddressOfOp(pointer, name).result
            pointers = llvm.InsertValueOp(pointers, address, [number], results=[array]).result
        llvm.ReturnOp(arg=pointers)
    code = io.BytesIO()
    module.operation.write_bytecode(code)
    return code.getvalue()


def call_by_table(module: Any, names: Sequence[str]) -> None:
    """Call the functions `names`, which `module` of the LLVM dialect declares, by the table."""
    pointer, array = _types(names)
    places = {name: number for number, name in enumerate(names)}
    for call in walk_named(module.operation, "llvm.call"):
        callee = callee_of(call)
        if callee not in places:
            continue
        with ir.InsertionPoint(call), call.location:
            table = llvm.AddressOfOp(pointer, TABLE).result
            place = ir.Operation.create(
                "llvm.getelementptr",
                results=[pointer],
                operands=[table],
                attributes={
                    "elem_type": ir.TypeAttr.get(pointer),
                    "rawConstantIndices": ir.DenseI32ArrayAttr.get([places[callee]]),
                },
            ).result
            function = llvm.LoadOp(pointer, place).result
            llvm.CallOp(None, [function, *call.operands], [], [])
        call.erase()
    for op in list(module.body.operations):
        if symbol(op) in places:
            op.operation.erase()
    with ir.InsertionPoint.at_block_begin(module.body):
        llvm.GlobalOp(array, TABLE, ir.Attribute.parse("#llvm.linkage<external>"), constant=True)


def _types(names: Sequence[str]) -> tuple[ir.Type, ir.Type]:
    """Of a pointer, and of a table."""
    return ir.Type.parse("!llvm.ptr"), ir.Type.parse(f"!llvm.array<{len(names)} x ptr>")
