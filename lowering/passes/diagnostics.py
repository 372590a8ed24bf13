"""MLIR diagnostics as text, in the form of mlir-opt: `file:line:col: error: message`."""

import re
from pathlib import Path
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.assembly import in_words_of, to_assembly
from mlir_gs.dialect.current_op import current_op_text

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_FILE_LOCATION = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)')
_CURRENT = "see current operation: "
_PLACE = re.compile(r"(?:^|: )([^:\n]+):(\d+):(\d+): ")
_ESCAPE = re.compile(r"\\(\\|[0-9A-Fa-f]{2})")


def file_location(location: Any) -> tuple[str, int, int] | None:
    """File, line and column (both from 1) of the first place in a file that `location` names."""
    found = _FILE_LOCATION.search(str(location))
    if found is None:
        return None
    return _unescaped(found[1]), int(found[2]), int(found[3])


def severity_text(severity: Any) -> str:
    """`error`, `warning`, `note` or `remark`."""
    return severity.name.lower()


def diagnostic_message(diagnostic: Any) -> str:
    """The message; a location that `location_text` has no text for stands before it."""
    location, message = diagnostic.location, plain_message(diagnostic)
    if message.startswith(_CURRENT):
        return _CURRENT + _assembly(message.removeprefix(_CURRENT))
    if str(location) == "loc(unknown)" or location_text(location) != UNKNOWN:
        return message
    return f"{location}: {message}"


def current_op_note() -> str:
    """The note that shows the op at which an error is being emitted; empty if none is."""
    op = current_op_text()
    return _CURRENT + _assembly(op) if op else ""


def _assembly(op: str) -> str:
    return to_assembly(op.encode("utf-8", "surrogatepass")).decode("utf-8", "replace")


def in_words_of_files(text: str) -> str:
    """`text` with what it says at places of files in the names that these give."""

    def line_of(line: str) -> str:
        found = _PLACE.search(line)
        if found is None or "'gs.generic'" not in line:
            return line
        try:
            source = Path(found[1]).read_bytes()
        except (OSError, ValueError):
            return line
        return in_words_of(source, int(found[2]), int(found[3]), line)

    return "\n".join(map(line_of, text.split("\n")))


def plain_message(diagnostic: Any) -> str:
    """The message without a location."""
    try:
        return diagnostic.message
    except RuntimeError:
        # It quotes bytes of a damaged input, which the bindings cannot turn into a str.
        return "(a message that is not UTF-8)"


UNKNOWN = "<unknown>:0"
"""What mlir-opt says for a place in no file."""


def location_text(location: Any) -> str:
    """`file:line:col`; `name: name` for names within names, as models have them; else UNKNOWN."""
    place = file_location(location)
    if place is not None:
        return ":".join(map(str, place))
    text = str(location)
    if _QUOTED.sub("", text).strip("()") != "loc":
        return UNKNOWN
    return ": ".join(map(_unescaped, _QUOTED.findall(text))) or UNKNOWN


def _unescaped(text: str) -> str:
    # MLIR prints ASCII: an escape is one byte of the name's UTF-8.
    name = _ESCAPE.sub(lambda m: "\\" if m[1] == "\\" else chr(int(m[1], 16)), text)
    return name.encode("latin-1", "replace").decode("utf-8", "replace")


def diagnostic_lines(diagnostic: Any) -> list[str]:
    """One line for the diagnostic and one for each of its notes."""
    line = (
        f"{location_text(diagnostic.location)}: {severity_text(diagnostic.severity)}: "
        f"{diagnostic_message(diagnostic)}"
    )
    return [line, *(each for note in diagnostic.notes for each in diagnostic_lines(note))]


def error_text(error: Any) -> str:
    """All diagnostics that an MLIRError carries, a line each; its message where it has none."""
    if not isinstance(error, ir.MLIRError):
        return str(error)
    lines = [line for each in error.error_diagnostics for line in diagnostic_lines(each)]
    return "\n".join(lines) if lines else str(error.message)


# An op of a dialect that is defined in Python, without quotes: MLIR says nothing about it.
_CUSTOM_FORM = re.compile(rb"^(?:[^/\n\"]*[={])?[ \t]*((?:gs|tcp|dml)\.\w+)", re.MULTILINE)


def custom_form(text: bytes) -> tuple[int, int, str] | None:
    """Line, column (from 1) and message for the first op in `text` in a form that has no parser.

    For a text that did not parse, and of which MLIR did not say why.
    """
    found = _CUSTOM_FORM.search(text)
    if found is None:
        return None
    start, name = found.start(1), found[1].decode()
    line = text.count(b"\n", 0, start) + 1
    column = start - (text.rfind(b"\n", 0, start) + 1) + 1
    if name.startswith("gs."):
        # Others are read, but for this, which an attribute looks like.
        return line, column, f"'{name}' op expected operands, found '}}'"
    return (
        line,
        column,
        f"'{name}' op is defined in Python and has no custom form: "
        f'write the generic form, "{name}"(...)',
    )
