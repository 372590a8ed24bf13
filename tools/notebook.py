"""IPython and Jupyter: `%load_ext mlir_gs`.

A module shows its ops as pictures and its text in color, a kernel its signature, and an error its
place in the cell. The cell magic `%%gs` compiles the cell's functions.
"""

import re
import sys
from html import escape
from typing import Any

from mlir_gs.dialect import context
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.assembly.locations import ANONYMOUS
from mlir_gs.execution import CompileError, Kernel, compile
from mlir_gs.frontend.parse import ParseError, parse
from mlir_gs.tools.picture.page import module_html

_PLACE = re.compile(rf"{re.escape(ANONYMOUS)}:(\d+):(\d+): ")
_USAGE = "usage: %%gs [--threads=N] [--sanitize] [--optimize=BOOL]"
_FLAGS = {
    "--threads": int,
    "--sanitize": lambda text: text != "false",
    "--optimize": lambda text: text != "false",
}


def load_ipython_extension(shell: Any) -> None:
    """Add the magic and the displays to an IPython shell; called by `%load_ext mlir_gs`."""
    shell.register_magic_function(lambda line, cell: _compile_cell(shell, line, cell), "cell", "gs")
    html = shell.display_formatter.formatters["text/html"]
    html.for_type(ir.Module, module_html)
    html.for_type(Kernel, kernel_html)
    shell.set_custom_exc((ParseError, CompileError), _show_error)


def _compile_cell(shell: Any, line: str, cell: str) -> None:
    """Each public function of the cell becomes a variable: a kernel of its name."""
    options = {}
    for word in line.split():
        flag, _, value = word.partition("=")
        if flag not in _FLAGS:
            raise ValueError(f"{_USAGE}, found '{word}'")
        options[flag.removeprefix("--")] = _FLAGS[flag](value)
    try:
        shell.push({name: compile(cell, name, **options) for name in _public(cell)})
    except (ParseError, CompileError) as error:
        raise type(error)(_with_lines(str(error), cell)) from None


def _public(text: str) -> list[str]:
    """The public functions of a module that have a body. Raises ParseError."""
    return [
        op.name.value
        for op in parse(text, context()).body.operations
        if op.operation.name == "func.func"
        and "sym_visibility" not in op.operation.attributes
        and len(op.operation.regions[0].blocks)
    ]


def kernel_html(kernel: Kernel) -> str:
    """The signature of a kernel as a table: what it takes, then what it returns."""
    every = (*kernel.parameters, *(result.parameter for result in kernel.results))
    rows = (one.expected.split(": expected ", 1) for one in every)
    cells = "".join(
        f"<tr><td>{escape(label)}</td><td><code>{escape(what)}</code></td></tr>"
        for label, what in rows
    )
    return f"<p>kernel <code>{escape(kernel.name)}</code></p><table>{cells}</table>"


def _with_lines(message: str, text: str) -> str:
    """A message with each line of `text` that it names, and a mark under the column."""
    lines, shown = text.split("\n"), []
    for part in message.split("\n"):
        shown.append(part)
        found = _PLACE.match(part)
        if found is not None and int(found[1]) <= len(lines):
            shown += [lines[int(found[1]) - 1], " " * (int(found[2]) - 1) + "^"]
    return "\n".join(shown)


def _show_error(shell: Any, kind: type, error: Exception, traceback: Any, **_: Any) -> None:
    """The message alone: the place is in the IR, not in Python."""
    sys.stderr.write(f"{kind.__name__}: {error}\n")
