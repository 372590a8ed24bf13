"""Diagnostics with the line of the source that they are about, and a caret under the place."""

from collections.abc import Callable
from typing import Any

from mlir_gs.dialect.assembly import in_words_of
from mlir_gs.dialect.assembly.locations import ANONYMOUS, Place
from mlir_gs.lowering.passes.diagnostics import (
    diagnostic_message,
    file_location,
    location_text,
    severity_text,
)

_TAB = 8
_SHOWN = 240
"""Bytes of a line."""


class Source:
    """An input: the name that diagnostics show, and its bytes.

    `first` is the line of it where the text starts that is parsed without a name, and `place` tells
    what stands where in that, if `gs` ops have been brought to the generic form.
    """

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.data = data
        self.first = 1
        self.place: Place | None = None
        self._lines: list[bytes] | None = None

    def line(self, number: int) -> bytes | None:
        """The line with this number (from 1), None if there is none."""
        if self._lines is None:
            self._lines = self.data.split(b"\n")
        return self._lines[number - 1] if 0 < number <= len(self._lines) else None

    def locate(self, location: Any) -> tuple[str, int, int] | None:
        """File, line and column of `location`, with this source's name for anonymous text."""
        place = file_location(location)
        if place is not None and place[0] == ANONYMOUS:
            line, column = self.place(*place[1:]) if self.place else place[1:]
            return self.name, line + self.first - 1, column
        return place

    def worded(self, diagnostic: Any) -> str:
        """What a diagnostic says, in the names that this source gives."""
        place, text = self.locate(diagnostic.location), diagnostic_message(diagnostic)
        if place is None or place[0] != self.name:
            return text
        return in_words_of(self.data, *place[1:], text)

    def message(
        self,
        place: tuple[str, int, int] | None,
        severity: str,
        text: str,
        *,
        shows_line: bool = True,
    ) -> str:
        """`file:line:col: severity: text`, the line of the source and a caret, in mlir-opt's form.

        `place` None stands for a diagnostic at no place in a file.
        """
        if place is None:
            return f"<unknown>:0: {severity}: {text}"
        file, number, column = place
        head = f"{file}:{number}:{column}: {severity}: {text}"
        line = self.line(number) if shows_line and file == self.name else None
        if line is None or column < 1 or b"\0" in line:
            return head
        # Of a long line what is around the place.
        first = max(0, column - 1 - _SHOWN // 2) if len(line) > _SHOWN else 0
        cut = line[first : first + _SHOWN]
        before = line[first : max(first, column - 1)].decode("utf-8", "replace")
        dots = "..." if first else ""
        shown = (dots + cut.decode("utf-8", "replace")).rstrip().expandtabs(_TAB)
        shown += "..." if first + _SHOWN < len(line) else ""
        return f"{head}\n{shown}\n{' ' * len((dots + before).expandtabs(_TAB))}^"

    def report(self, diagnostic: Any, shown: Callable[[Any], bool], extra: str = "") -> str:
        """A diagnostic, those of its notes that are `shown`, and an `extra` note.

        As in mlir-opt, a note at the same place does not show the line again.
        """
        place = self.locate(diagnostic.location)
        notes = [
            self._one(note, str(note.location) != str(diagnostic.location))
            for note in diagnostic.notes
            if shown(note)
        ]
        if extra:
            notes.append(self._placed(diagnostic.location, place, "note", extra, False))
        return "\n".join([self._one(diagnostic, True), *notes])

    def _one(self, diagnostic: Any, shows_line: bool) -> str:
        place, severity = self.locate(diagnostic.location), severity_text(diagnostic.severity)
        text = self.worded(diagnostic)
        return self._placed(diagnostic.location, place, severity, text, shows_line)

    def _placed(
        self,
        location: Any,
        place: tuple[str, int, int] | None,
        severity: str,
        text: str,
        shows_line: bool,
    ) -> str:
        if place is None:
            return f"{location_text(location)}: {severity}: {text}"
        return self.message(place, severity, text, shows_line=shows_line)
