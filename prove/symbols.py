"""What the text of a function refers to: other functions, globals and resources."""

import re
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import ancestors

_SYMBOL = re.compile(r"@([\w$.]+|\"[^\"]*\")")
_RESOURCE = re.compile(r"dense_resource<([^>]*)>")
_BLOB = r'\b{}: "0x([0-9A-Fa-f]*)"'


def symbols_of(op: Any) -> dict[str, Any]:
    """The ops of the module around `op` that have a name."""
    *_, module = ancestors(op)
    return named(module)


def named(module: Any) -> dict[str, Any]:
    """The ops of a module that have a name."""
    return {
        view.operation.attributes["sym_name"].value: view.operation
        for view in module.operation.regions[0].blocks[0].operations
        if "sym_name" in view.operation.attributes
    }


def beside(module: Any) -> list[str]:
    """What a module says that has no name."""
    ops = [view.operation for view in module.operation.regions[0].blocks[0].operations]
    given = module.operation.attributes
    said = [f"{name} = {given[name]}" for name in given if name.startswith("llvm.")]
    return said + [text for op in ops if "sym_name" not in op.attributes for text in closure(op)]


def functions(module: Any) -> dict[str, Any]:
    """The functions with a body, by name."""
    return {name: op for name, op in named(module).items()
            if op.name == "func.func" and len(op.regions[0].blocks)}  # fmt: skip


def seen_afterwards(before: Any, after: Any) -> list[int]:
    """The arguments that are memory in one of both functions, and not for the callee to write."""
    lists = [
        [value.type for value in each.regions[0].blocks[0].arguments] for each in (before, after)
    ]
    memory = [n for n, types in enumerate(zip(*lists, strict=True))
              if any(isinstance(each, ir.MemRefType) for each in types)]  # fmt: skip
    given = list(before.attributes["arg_attrs"]) if "arg_attrs" in before.attributes else []
    free = [n for n, each in enumerate(given) if "bufferization.writable = true" in str(each)
            and isinstance(lists[0][n], ir.RankedTensorType)]  # fmt: skip
    return [n for n in memory if n not in free]


def closure(function: Any) -> list[str]:
    """The texts that say what `function` does: its own, and those of all that they refer to."""
    known = symbols_of(function)
    texts, pending, seen = [], [function], set()
    whole: str | None = None
    while pending:
        text = str(pending.pop())
        texts.append(text)
        for name in sorted(
            {each.strip('"') for each in _SYMBOL.findall(text)} & known.keys() - seen
        ):
            seen.add(name)
            pending.append(known[name])
        for name in sorted(set(_RESOURCE.findall(text))):
            if whole is None:
                *_, module = ancestors(function)
                whole = str(module)
            texts += re.findall(_BLOB.format(re.escape(name.strip('"'))), whole)
    return texts
