"""How `gs-reduce` makes a module smaller: ops, attributes, operands, arguments, sizes, lines."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from mlir_gs.dialect import assembly
from mlir_gs.dialect import context as new_context
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.base import sources_of
from mlir_gs.frontend.parse import ParseError, parse
from mlir_gs.lowering.ir.builders import walk

Interesting = Callable[[str], bool]
Apart = Callable[[Callable[[], str | None]], str | None]
"""Calls a function that uses MLIR; None where MLIR does not survive it."""

Step = Callable[[str, Interesting, Apart], str]
Removals = Callable[[Any], Sequence[Callable[[], object]]]
"""By a module, what takes out one thing of it each."""

_SIZE = re.compile(r"(?<=[<x])([0-9]+)(?=x)")
_KEPT = ("sym_name", "function_type", "operandSegmentSizes", "resultSegmentSizes")


def _here(make: Callable[[], str | None]) -> str | None:
    return make()


def reduce_text(text: str, interesting: Interesting, apart: Apart = _here) -> str:
    """A smaller text that is `interesting`, as `text` is; no step makes it smaller still.

    `apart` calls what uses MLIR, here or in a process that may crash.
    """
    while True:
        before = text
        for step in _STEPS:
            text = step(text, interesting, apart)
        if text == before:
            return text


def minimized(count: int, try_without: Callable[[set[int]], bool]) -> set[int]:
    """Which of `count` things can go together (Zeller's ddmin, on complements).

    `try_without(gone)` says whether what is left is interesting.
    """
    gone: set[int] = set()
    size = count
    while size >= 1:
        left = [number for number in range(count) if number not in gone]
        found = False
        for start in range(0, len(left), size):
            # Later things first: they use what comes before them.
            part = set(left[len(left) - start - size if len(left) > start + size else 0 :][:size])
            if part - gone and try_without(gone | part):
                gone |= part
                found = True
        if not found or size > len(left):
            size //= 2
    return gone


def _module(text: str) -> Any:
    """The module of a text, None if it does not parse."""
    try:
        return parse(text.encode("utf-8", "replace"), new_context(allow_unregistered=True))
    except ParseError:
        return None


def _printed(module: Any) -> str | None:
    try:
        if not module.operation.verify():
            return None
    except ir.MLIRError:
        return None
    return assembly.print(module)


def _step(removals: Removals) -> Step:
    """Takes out as many things as can go."""

    def step(text: str, interesting: Interesting, apart: Apart) -> str:
        def count() -> str | None:
            module = _module(text)
            return None if module is None else str(len(removals(module)))

        found = apart(count)
        if found is None:
            return text
        best = text

        def try_without(gone: set[int]) -> bool:
            nonlocal best
            candidate = apart(lambda: _without(text, gone, removals))
            if candidate is None or candidate == best or not interesting(candidate):
                return False
            best = candidate
            return True

        minimized(int(found), try_without)
        return best

    return step


def _without(text: str, gone: set[int], removals: Removals) -> str | None:
    """`text` without these things, if that verifies."""
    module = _module(text)
    with module.context, ir.Location.unknown():
        found = removals(module)
        try:
            for number in sorted(gone, reverse=True):
                found[number]()
        except (ValueError, ir.MLIRError):
            return None
        return _printed(module)


def _inner(module: Any) -> list[Any]:
    """All ops but those that end a block."""
    found = []
    for op in walk(module.operation):
        operations = list(op.block.operations)
        if operations[-1].operation != op or op.parent.operation.name == "builtin.module":
            found.append(op)
    return found


def _stand_in(value: Any, op: Any) -> Any:
    """A value for the users of a result that goes: an operand of its type, or one of no origin."""
    for operand in op.operands:
        if operand.type == value.type:
            return operand
    with ir.InsertionPoint(op):
        cast = ir.Operation.create("builtin.unrealized_conversion_cast", results=[value.type])
    return cast.results[0]


def _erase(op: Any) -> None:
    # A stand-in for a value would be replaced by another one without end.
    if op.name == "builtin.unrealized_conversion_cast" and not list(op.operands):
        if any(list(result.uses) for result in op.results):
            raise ValueError("a value that is used")
        op.erase()
        return
    for result in op.results:
        if list(result.uses):
            result.replace_all_uses_with(_stand_in(result, op))
    op.erase()


def _attributes(module: Any) -> list[Callable[[], object]]:
    found: list[Callable[[], object]] = []
    for op in walk(module.operation):
        # Ops that are defined in C++ keep properties there, and need them to verify and print.
        in_python = op.name.startswith("gs.") or sources_of(op.name)
        ours = in_python or not op.context.is_registered_operation(op.name)
        free = [name for name in op.attributes if ours or "." in name]
        found += [partial(op.attributes.__delitem__, name) for name in free if name not in _KEPT]
    return found


def _detach(op: Any, number: int) -> None:
    """Let an argument of the function, one before the operand, stand for it."""
    operand = op.operands[number]
    outer = op
    while outer.parent is not None and outer.parent.operation.name != "builtin.module":
        outer = outer.parent.operation
    for argument in outer.regions[0].blocks[0].arguments if outer.regions else ():
        if argument == operand:
            # One behind it would be replaced by it again, without end.
            break
        if argument.type == operand.type:
            op.operands[number] = argument
            return
    raise ValueError("nothing to stand in")


def _arguments(module: Any) -> list[Callable[[], object]]:
    """Arguments and results of functions."""
    found: list[Callable[[], object]] = []
    for op in module.body.operations:
        if op.operation.name == "func.func" and len(op.regions[0].blocks):
            function = op.attributes["function_type"].value
            for role, types in (("argument", function.inputs), ("result", function.results)):
                found += [partial(_drop_argument, op.operation, role, n) for n in range(len(types))]
    return found


def _drop_argument(op: Any, role: str, number: int) -> None:
    function = op.attributes["function_type"].value
    inputs, results = list(function.inputs), list(function.results)
    listed = "arg_attrs" if role == "argument" else "res_attrs"
    if role == "argument":
        block = op.regions[0].blocks[0]
        if list(block.arguments[number].uses):
            raise ValueError("an argument that is used")
        block.erase_argument(number)
        del inputs[number]
    else:
        for block in op.regions[0].blocks:
            last = list(block.operations)[-1].operation
            if last.name == "func.return":
                kept = [value for n, value in enumerate(last.operands) if n != number]
                with ir.InsertionPoint(last):
                    ir.Operation.create("func.return", operands=kept)
                last.erase()
        del results[number]
    if listed in op.attributes:
        kept = [each for n, each in enumerate(op.attributes[listed]) if n != number]
        op.attributes[listed] = ir.ArrayAttr.get(kept)
    op.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(inputs, results))


def _sizes(text: str, interesting: Interesting, _: Apart) -> str:
    """Each size in types, wherever it stands, made smaller."""
    for size in sorted({int(number) for number in _SIZE.findall(text)}, reverse=True):
        for smaller in (1, 2, 4, size // 2):
            if not 0 < smaller < size:
                continue
            spelled = rf"(?<=[<x]){size}(?=x)"
            candidate = re.sub(spelled, str(smaller), text)
            if candidate != text and interesting(candidate):
                text = candidate
                break
    return text


def _lines(text: str, interesting: Interesting, apart: Apart) -> str:
    """Lines, of a text that does not parse."""
    if apart(lambda: None if _module(text) is None else text) is not None:
        return text
    lines = text.splitlines(keepends=True)

    def without(gone: set[int]) -> str:
        return "".join(line for number, line in enumerate(lines) if number not in gone)

    return without(minimized(len(lines), lambda gone: interesting(without(gone))))


_STEPS: tuple[Step, ...] = (
    _lines,
    _step(lambda module: [op.operation.erase for op in module.body.operations]),
    _step(lambda module: [partial(_erase, op) for op in _inner(module)]),
    _step(
        lambda module: [
            partial(_detach, op, n) for op in _inner(module) for n in range(len(op.operands))
        ]
    ),
    _step(_attributes),
    _step(_arguments),
    _sizes,
)
