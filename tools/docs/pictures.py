"""`docs/images/ops/`: what each op of its docstring's example reads and writes where."""

import inspect
import re
from collections.abc import Callable
from typing import Any

from mlir_gs.dialect import Gs, context
from mlir_gs.dialect.assembly import scanner, to_generic
from mlir_gs.frontend.parse import parse
from mlir_gs.tools.picture.page import ops_svg

_OPERANDS = re.compile(r'"gs\.\w+"\(([^()]*)\)')


def path_of(op: Any) -> str:
    """Where the picture of an op's class is, below `docs/`; empty for gs.yield, which has none."""
    return f"images/ops/{op.OPERATION_NAME}.svg" if op.OPERATION_NAME != "gs.yield" else ""


def pictures() -> dict[str, Callable[[], str]]:
    """What writes each of them."""
    return {
        f"docs/{path_of(op)}": lambda op=op: ops_svg(example(op).operation)
        for op in Gs.operations
        if path_of(op)
    }


def example(op: Any) -> Any:
    """The module of an op's example: a function whose arguments are what the example lacks."""
    found = re.search(r"```mlir\n(.*?)```", inspect.cleandoc(op.__doc__), re.S)
    assert found is not None
    text = found[1]
    written = to_generic(text.encode()).text.decode()
    operands = _OPERANDS.search(written)
    assert operands is not None
    # The types come last, behind the regions.
    rest = "(" + written.rpartition(" : (")[2]
    types = scanner.split(rest[1 : scanner.closing(rest, 0)])
    values = operands[1].split(", ")
    typed = dict(zip(values, types, strict=True))
    arguments = ", ".join(f'{value}: {t} loc("{value[1:]}")' for value, t in typed.items())
    return parse(f"func.func @example({arguments}) {{\n{text}\nreturn }}", context())
