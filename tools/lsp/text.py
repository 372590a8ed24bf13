"""Values and ops in a text, by their places: offsets of characters, from 0."""

import re
from bisect import bisect_right
from typing import NamedTuple

VALUE = r"%(?:\d+|[A-Za-z$._-][\w$.-]*)"
_STRING, _COMMENT = r'"(?:[^"\\\n]|\\.)*"', r"//[^\n]*"
_TOKEN = re.compile(rf"{_STRING}|{_COMMENT}|[{{}}]|(?P<name>{VALUE})(?:#(?P<number>\d+))?", re.A)
# `%a, %b:2 = ` before the name of an op.
_RESULTS = re.compile(
    rf'(?<![\w%$.#-])({VALUE}(?::\d+)?(?:\s*,\s*{VALUE}(?::\d+)?)*)\s*=\s*(?=["A-Za-z_])', re.A
)
_RESULT = re.compile(rf"({VALUE})(?::(\d+))?", re.A)

_WORD = re.compile(r'"?[\w%@!#^.$-]+"?|\S')
_TYPED = re.compile(r"[%\w$.]", re.A)


class Token(NamedTuple):
    """The name of a value, with the number of the result where it has one, and in which braces."""

    start: int
    end: int
    name: str
    number: int
    scope: int


class Result(NamedTuple):
    """Where an op names its results `first` to `first + size`, and where its own name begins."""

    start: int
    name: str
    first: int
    size: int
    op: int


class Text:
    """A text, its lines, the names of values in it, and the braces around them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.split("\n")
        self._starts = [0]
        for line in self.lines:
            self._starts.append(self._starts[-1] + len(line) + 1)
        self.tokens: list[Token] = []
        self.parents = [-1]
        self._braces = [(-1, 0)]
        scope = 0
        for found in _TOKEN.finditer(text):
            if found["name"]:
                number = int(found["number"] or 0)
                self.tokens.append(Token(*found.span(), found["name"], number, scope))
            elif found[0] == "{":
                self.parents.append(scope)
                scope = len(self.parents) - 1
            elif found[0] == "}":
                scope = max(self.parents[scope], 0)
            if found[0] in ("{", "}"):
                self._braces.append((found.start(), scope))
        self.results = list(_results(text))

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and a column in bytes, both from 1, as diagnostics have them."""
        if not 0 < line <= len(self.lines):
            return len(self.text)
        before = self.lines[line - 1].encode("utf-8", "surrogatepass")[: max(column - 1, 0)]
        return self._starts[line - 1] + len(before.decode("utf-8", "replace"))

    def place(self, offset: int) -> tuple[int, int]:
        """Line and character of an offset, both from 0."""
        line = bisect_right(self._starts, offset, hi=len(self.lines)) - 1
        return line, offset - self._starts[line]

    def offset_of(self, line: int, character: int) -> int:
        """The offset of a line and a character, both from 0."""
        line = min(line, len(self.lines) - 1)
        return self._starts[line] + min(character, len(self.lines[line]))

    def word_end(self, offset: int) -> int:
        """Where the word, or the character, that begins there ends."""
        found = _WORD.match(self.text, offset)
        return found.end() if found else offset

    def typed_from(self, offset: int) -> int:
        """Where the word that ends there begins."""
        while offset and _TYPED.match(self.text[offset - 1]):
            offset -= 1
        return offset

    def token_at(self, offset: int) -> Token | None:
        at = bisect_right(self.tokens, offset, key=lambda token: token.start) - 1
        return self.tokens[at] if at >= 0 and offset <= self.tokens[at].end else None

    def scopes(self, scope: int) -> set[int]:
        """The braces `scope` and those around it."""
        found = set()
        while scope >= 0:
            found.add(scope)
            scope = self.parents[scope]
        return found

    def scope_at(self, offset: int) -> int:
        """The braces around an offset."""
        at = bisect_right(self._braces, offset - 1, key=lambda brace: brace[0]) - 1
        return self._braces[at][1]


def _results(text: str) -> list[Result]:
    found = []
    for match in _RESULTS.finditer(text):
        first = 0
        for each in _RESULT.finditer(match[1]):
            count = int(each[2] or 1)
            found.append(Result(match.start() + each.start(), each[1], first, count, match.end()))
            first += count
    return found
