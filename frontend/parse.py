"""`mlir_gs.parse`: MLIR text, with `gs` ops in either form, and bytecode."""

import re
from typing import Any

from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.assembly import AssemblyError, in_words_of, to_generic
from mlir_gs.dialect.assembly.locations import ANONYMOUS, Place, relocate
from mlir_gs.frontend.languages import know_languages
from mlir_gs.lowering.passes.diagnostics import custom_form, error_text
from mlir_gs.lowering.passes.input_limits import over_limit, types_over_limit

BYTECODE_MAGIC = b"ML\xefR"


class ParseError(ValueError):
    """A text is no module. The message has a line `name:line:column: error: ...` per diagnostic."""


def parse(
    text: str | bytes, context: Any = None, *, name: str = ANONYMOUS, path: str | None = None
) -> Any:
    """The `ir.Module` of a text, with `gs` ops in the assembly or the generic form, or of bytecode.

    `context`: where it is made, with `gs` loaded there; by default the current one, or a new one.
    `name`: the file that locations and errors name, in lines and columns (from 1, in bytes) of
    `text`. `path`: a file that holds just `text`. Raises ParseError, TypeError for no text.
    """
    if not isinstance(text, str | bytes):
        raise TypeError(f"expected a text or bytecode, found {type(text).__name__}")
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    is_text = not data.startswith(BYTECODE_MAGIC)
    beyond = over_limit(data) if is_text else None
    if beyond is not None:
        raise ParseError("{}:{}:{}: error: {}".format(name, *beyond))
    context = context or ir.Context.current or dialect.context()
    if not context.is_dialect_loaded("gs"):
        dialect.load(context)
    know_languages(context, data)
    place: Place | None = None
    try:
        generic = to_generic(data)
        place = generic.place
        if path is not None and place is None:
            return _limited(ir.Module.parseFile(path, context), name, is_text)
        module = _limited(ir.Module.parse(generic.text, context), name, is_text)
    except AssemblyError as error:
        message = f"{name}:{error.line}:{error.column}: error: {error.message}"
        raise ParseError(message) from None
    except ir.MLIRError as error:
        form = None if error.error_diagnostics else custom_form(data)
        if form is not None:
            raise ParseError("{}:{}:{}: error: {}".format(name, *form)) from None
        raise ParseError(_placed(error_text(error), name, place, data)) from None
    except RuntimeError:
        # A diagnostic quotes bytes that the bindings cannot turn into a str.
        raise ParseError(f"{name}:{_not_utf8(data)}: error: bytes that are not UTF-8") from None
    if is_text and (generic.moved or name != ANONYMOUS):
        relocate(module.operation, name, (place if generic.moved else None) or _same)
    return module


def _limited(module: Any, name: str, is_text: bool) -> Any:
    message = "" if is_text else types_over_limit(module.operation)
    if message:
        raise ParseError(f"{name}: error: {message}")
    return module


def _not_utf8(data: bytes) -> str:
    """Line and column of the first byte that is not UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        return f"{line}:{column}"
    return "1:1"


def _same(line: int, column: int) -> tuple[int, int]:
    return line, column


def _placed(text: str, name: str, place: Place | None, source: bytes) -> str:
    """Diagnostics of a text without a name, as ones of `name`, in the words of `source`."""

    def one(found: re.Match[str]) -> str:
        line, column = (place or _same)(int(found[1]), int(found[2]))
        return f"{name}:{line}:{column}:" + in_words_of(source, line, column, found[3])

    return re.sub(rf"^{ANONYMOUS}:(\d+):(\d+):(.*)", one, text, flags=re.MULTILINE)
