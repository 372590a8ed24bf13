"""`--verify-diagnostics`: hold what is reported against the `expected-error {{...}}` comments."""

import re
from dataclasses import dataclass, field
from typing import Any

from mlir_gs.lowering.passes.diagnostics import severity_text
from mlir_gs.tools.opt.source_text import Source
from mlir_gs.tools.opt.split_input import Chunk

_DESIGNATOR = re.compile(
    r"expected-(error|note|remark|warning)(-re)? *"
    r"(@([+-][0-9]+|above|below|unknown))? *\{\{(.*)\}\}$"
)
_REGEX_PART = re.compile(r"\{\{(.*?)\}\}")


@dataclass
class Expected:
    """One comment: what is expected on which line, None for a diagnostic at no place in a file."""

    kind: str
    line: int | None
    text: str
    pattern: re.Pattern[str] | None
    place: tuple[str, int, int]
    seen: bool = False

    def matches(self, message: str) -> bool:
        """Whether `message` contains the text, or a match of it for the `-re` forms."""
        if self.pattern is not None:
            return self.pattern.search(message) is not None
        return self.text in message


@dataclass
class Verifier:
    """The expectations of one chunk; `problems` are messages in the form of diagnostics."""

    source: Source
    only_expected: bool = False
    expected: list[Expected] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def scan(self, chunk: Chunk) -> None:
        """Collect the comments of `chunk`."""
        plain = chunk.line
        below: list[Expected] = []
        lines = chunk.text.decode("utf-8", "replace").split("\n")
        for number, line in enumerate(lines, start=chunk.line):
            found = _DESIGNATOR.search(line.rstrip())
            if found is None:
                for expected in below:
                    expected.line = number
                below.clear()
                plain = number
                continue
            kind, regex, _, where, text = found.groups()
            # Columns count bytes.
            column = len(line[: found.start()].encode()) + 1
            place = (self.source.name, number, column)
            expected = Expected(kind, number, text, None, place)
            if regex:
                expected.pattern = self._pattern(text, place)
            if where == "unknown":
                expected.line = None
            elif where == "above":
                expected.line = plain
            elif where == "below":
                expected.line = chunk.line + len(lines) - 1
                below.append(expected)
            elif where:
                expected.line = number + int(where)
            self.expected.append(expected)

    def _pattern(self, text: str, place: tuple[str, int, int]) -> re.Pattern[str] | None:
        """The regular expression of a `-re` comment: only what stands in `{{...}}` is one."""
        parts = _REGEX_PART.split(text)
        spelled = "".join(
            f"(?:{part})" if index % 2 else re.escape(part) for index, part in enumerate(parts)
        )
        try:
            return re.compile(spelled)
        except re.error as error:
            self.problems.append(
                self.source.message(place, "error", f"invalid regular expression: {error}")
            )
            return None

    def handle(self, diagnostic: Any) -> None:
        """Tick off what expects this diagnostic and its notes, or note the problem."""
        place = self.source.locate(diagnostic.location)
        self.handle_text(place, severity_text(diagnostic.severity), self.source.worded(diagnostic))
        for note in diagnostic.notes:
            self.handle(note)

    def handle_text(self, place: tuple[str, int, int] | None, kind: str, message: str) -> None:
        """Tick off what expects a diagnostic at `place`, or note the problem."""
        near = None
        line = place[1] if place else None
        elsewhere = place is not None and place[0] != self.source.name
        for expected in self.expected:
            if elsewhere or expected.line != line or not expected.matches(message):
                continue
            if expected.kind == kind:
                expected.seen = True
                return
            near = expected
        if self.only_expected:
            return
        if near is not None:
            text = f"'{kind}' diagnostic emitted when expecting a '{near.kind}'"
            self.problems.append(self.source.message(near.place, "error", text))
        else:
            text = f"unexpected {kind}: {message}"
            self.problems.append(self.source.message(place, "error", text))

    def finish(self) -> list[str]:
        """All problems, those expectations included that nothing met."""
        missed = [
            self.source.message(
                each.place, "error", f'expected {each.kind} "{each.text}" was not produced'
            )
            for each in self.expected
            if not each.seen
        ]
        return self.problems + missed
