"""Errors of a lowering that name the op of the source, and not only what it has become."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mlir_gs.execution.compilation.source import parse
from mlir_gs.execution.signature.signature import CompileError
from mlir_gs.lowering.ir.builders import walk
from mlir_gs.lowering.passes.diagnostics import location_text

_PLACED = re.compile(r"(?P<place>[^\n]*?:\d+:\d+): error: ")
_AROUND = ("builtin.module", "func.func")


@contextmanager
def naming_ops(source: Any) -> Iterator[None]:
    """A CompileError at the place of ops of `source`, a text or an `ir.Module`, names them.

    Upstream's passes say at a place of the source what is wrong with an op that they have made.
    """
    try:
        yield
    except CompileError as error:
        text = _named(str(error), source)
        if text == str(error):
            raise
        raise CompileError(text) from error


def _named(text: str, source: Any) -> str:
    """The text with the names of the ops at its place, if it names none of them."""
    placed = _PLACED.match(text)
    if placed is None:
        return text
    try:
        module = parse(source) if isinstance(source, str) else source
    except CompileError:
        return text
    found = [
        op.name for op in walk(module.operation) if location_text(op.location) == placed["place"]
    ]
    names = [name for name in dict.fromkeys(found) if name not in _AROUND]
    if not names or any(f"'{name}'" in text for name in names):
        return text
    listed = ", ".join(f"'{name}'" for name in names)
    return f"{placed[0]}{listed} op cannot be lowered: {text[placed.end() :]}"
