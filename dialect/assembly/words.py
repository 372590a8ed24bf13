"""Messages about a `gs.generic` in the names that its text gives to dims, symbols and operands."""

import re

from mlir_gs.dialect.assembly.form import find
from mlir_gs.dialect.assembly.index_notation import IndexNotation
from mlir_gs.dialect.assembly.scanner import AssemblyError, Scanner

_OP = "gs.generic"
_CALLED = re.compile(r"'(?:inputs|indices|outputs) #\d+'|(?<![\w%@.#$'\"-])[ds]\d+\b(?!')")


def in_words_of(source: bytes, line: int, column: int, message: str) -> str:
    """`message` about the op at a line and column, both from 1, of `source`, in the words of a
    `gs.generic` in the assembly form there: `k` for `d1`, `'%x'` for `'inputs #0'`."""
    if f"'{_OP}'" not in message or not (line > 0 < column):
        return message
    before = b"".join(source.splitlines(keepends=True)[: line - 1])
    start = len(before) + column - 1
    if not source.startswith(_OP.encode(), start):
        return message
    scan, form = Scanner(source.decode("latin-1"), start + len(_OP), _OP), find(_OP)
    if form is None or not isinstance(form.notation, IndexNotation):
        return message
    try:
        names = form.notation.names(scan, form.clauses)
    except AssemblyError:
        return message
    return _CALLED.sub(lambda found: names.get(found[0], found[0]), message)
