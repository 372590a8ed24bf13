"""`gs-choose-kernel`: which function of a module is called, and what it may write."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.builders import is_private, symbol, walk_named
from mlir_gs.lowering.kernel.attributes import (
    ARGUMENTS,
    KERNEL,
    WRITABLE,
    dictionaries,
    kernel_of,
    write,
)
from mlir_gs.lowering.passes.python_passes import PassFailure
from mlir_gs.lowering.passes.registry import register_pass

func = dialect("func")

_LAYOUT = "dlti.dl_spec"
_INTERFACE = "llvm.emit_c_interface"
_NAMES = {"func.call": "callee", "func.constant": "value"}


@register_pass
@dataclass(frozen=True)
class GsChooseKernel:
    """Mark the function that is compiled with `gs.kernel`, and make the others private.

    The others can then be inlined and dropped. One that calls itself gets another name, and the
    kernel calls it. Modules within the module go: no function calls into them. Arguments to
    `donate` become `bufferization.writable`. A module that has a kernel stays as it is.
    """

    name: ClassVar[str] = "gs-choose-kernel"
    entry: str = field(
        default="", metadata={"help": "the function; by default the only public one, or main"}
    )
    donate: tuple[str, ...] = field(
        default=(),
        metadata={
            "help": "tensor arguments that a call may overwrite, by number or by the name of their "
            "location"
        },
    )

    def run(self, module: ir.Operation) -> None:
        _check_module(module)
        if kernel_of(module) is None:
            name = entry_name(module, self.entry or None)
            if _is_called(module, name):
                _call_from_outside(module, find(module, name), name)
            _expose(module, name)
            _donate(find(module, name), name, self.donate)


def _check_module(module: Any) -> None:
    """Raise PassFailure for what LLVM's code for this machine cannot have."""
    attributes = module.operation.attributes
    layout = str(attributes[_LAYOUT]) if _LAYOUT in attributes else ""
    bits = re.search(r"[<,] *index = (\d+)", layout)
    if bits is not None and bits[1] != "64":
        raise PassFailure(f"{_LAYOUT}: index has {bits[1]} bits, in compiled code it has 64")
    for op in _operations(module):
        try:
            name = symbol(op)
        except RuntimeError:
            raise PassFailure("the name of a function is not UTF-8") from None
        if "\0" in name:
            raise PassFailure(f"the name {name!a} has a zero byte, which ends names in programs")


def find(module: Any, name: str) -> Any:
    """The function of that name. Raises PassFailure."""
    for op in _operations(module):
        if symbol(op) == name:
            return op
    raise PassFailure(f"no function {name!a} in the module")


def _operations(module: Any) -> list[Any]:
    return [op.operation for op in module.operation.regions[0].blocks[0].operations]


def _with_bodies(module: Any) -> list[Any]:
    """Functions, of the LLVM dialect if they say what they take."""
    return [
        op
        for op in _operations(module)
        if (op.name == "func.func" or ARGUMENTS in op.attributes) and len(op.regions[0].blocks) > 0
    ]


def entry_name(module: Any, wanted: str | None = None) -> str:
    """The function to run: `wanted`, the kernel, the only public one, or `main`. Raises
    PassFailure."""
    found = _with_bodies(module)
    names = [symbol(function) for function in found]
    listed = f"the module has {', '.join(names)}" if names else "the module has none"
    if wanted is not None:
        if wanted not in names:
            raise PassFailure(f"no function {wanted!a} with a body: {listed}")
        return wanted
    chosen = [symbol(function) for function in found if KERNEL in function.attributes]
    public = chosen or [symbol(function) for function in found if not is_private(function)]
    if len(public) == 1:
        return public[0]
    if "main" in names:
        return "main"
    if not names:
        lowered = any(op.name == "llvm.func" for op in _operations(module))
        hint = ": an llvm.func does not say which arguments are arrays" if lowered else ""
        raise PassFailure(f"the module has no func.func with a body{hint}")
    raise PassFailure(f"which function? Name one as the entry: {listed}")


def public_names(module: Any) -> list[str]:
    """The public functions of a module that have a body. Raises PassFailure if it has none."""
    found = [symbol(op) for op in _with_bodies(module) if not is_private(op)]
    if not found:
        raise PassFailure("the module has no public func.func with a body")
    return found


def _is_called(module: Any, name: str) -> bool:
    """Whether the function calls itself or has its own address, or others that it calls do."""
    known, pending = {symbol(op): op for op in _operations(module)}, [name]
    for each in pending:
        named = walk_named(known[each], "func.call", "func.constant")
        callees = [c.attributes[_NAMES[c.name]].value for c in named]
        pending += [one for one in dict.fromkeys(callees) if one in known and one not in pending]
        if name in callees:
            return True
    return False


def _call_from_outside(module: Any, function: Any, name: str) -> None:
    """Give `function` another name, and its own to one that calls it."""
    taken = {symbol(op) for op in _operations(module)}
    other = next(each for n in itertools.count() if (each := f"{name}_{n}") not in taken)
    ir.SymbolTable.replace_all_symbol_uses(name, other, module)
    with function.location, ir.InsertionPoint(function):
        outer = func.FuncOp(name, function.attributes["function_type"].value)
        for key in {*function.attributes} - {"sym_name", "function_type"}:
            outer.attributes[key] = function.attributes[key]
        block = outer.add_entry_block([a.location for a in function.regions[0].blocks[0].arguments])
    with function.location, ir.InsertionPoint(block):
        results = outer.type.results
        func.ReturnOp(func.CallOp(results, other, list(block.arguments)).results)
    ir.SymbolTable.set_symbol_name(function, other)


def _expose(module: Any, name: str) -> None:
    for op in _operations(module):
        if op.name == "builtin.module":
            op.erase()
            continue
        attributes = op.attributes
        if symbol(op) == name:
            attributes[KERNEL] = ir.UnitAttr.get()
        if op.name != "func.func":
            continue
        if _INTERFACE in attributes:
            # A second wrapper would be compiled for nothing.
            del attributes[_INTERFACE]
        if symbol(op) != name:
            attributes["sym_visibility"] = ir.StringAttr.get("private")
        elif "sym_visibility" in attributes:
            del attributes["sym_visibility"]


def argument_name(argument: Any) -> str:
    """The name of its location, or an empty text."""
    location = argument.location
    return location.name_str if isinstance(location, ir.NameLoc) else ""


def _donate(function: Any, name: str, donated: Sequence[str]) -> None:
    if not donated:
        return
    arguments = function.regions[0].blocks[0].arguments
    names = [argument_name(argument) for argument in arguments]
    marks = dictionaries(function, "arg_attrs", len(names))
    for one in donated:
        places = [n for n, known in enumerate(names) if one in (str(n), known)]
        if not one or not places:
            listed = ", ".join(f"{n} ({one})" if one else str(n) for n, one in enumerate(names))
            raise PassFailure(f"donate: no argument {one[:99]}: '{name}' has {listed or 'none'}")
        number = places[0]
        if not isinstance(arguments[number].type, ir.RankedTensorType):
            type_ = arguments[number].type
            raise PassFailure(f"donate: argument {number} is {type_}, not a tensor")
        marks[number][WRITABLE] = ir.BoolAttr.get(True)
    write(function, "arg_attrs", marks)
