"""Notes of the passes on each indirect op: proved, rewrote, merged, refused, runs."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.passes.diagnostics import location_text


class Note(NamedTuple):
    """One remark; `kind` is proved, rewrote, merged, refused or runs."""

    place: str
    op: str
    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.place}: remark: '{self.op}' {self.kind}: {self.text}"


_notes: ContextVar[list[Note] | None] = ContextVar("notes", default=None)


@contextmanager
def collecting() -> Iterator[list[Note]]:
    """Passes that run inside of it add their notes to the list."""
    found: list[Note] = []
    token = _notes.set(found)
    try:
        yield found
    finally:
        _notes.reset(token)


def note(op: ir.Operation, kind: str, text: str) -> None:
    """Add a note on `op`, inside of `collecting`."""
    found = _notes.get()
    if found is None:
        return
    entry = Note(location_text(op.location), op.operation.name, kind, text)
    if entry not in found[-8:]:
        found.append(entry)


def named(op: ir.Operation) -> str:
    """The op as a note refers to it: name and line."""
    return f"'{op.operation.name}' at {location_text(op.location)}"
