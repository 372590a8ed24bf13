"""A text that is written anew from parts of another, and which place came from where."""

from bisect import bisect_right
from collections.abc import Callable

from mlir_gs.dialect.assembly.scanner import Span, on_one_line

Piece = str | Span
"""New text, or a part of the old one."""


class Rewriting:
    """The text that takes the place of `source`, written from its beginning to its end."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.done = 0
        """What stands before this offset of the source has been written or left out."""
        self._done_line = 0
        self._parts: list[str] = []
        self._length = self._lines = 0
        self._last_newline = -1
        self._starts: list[int] = []
        self._origins: list[tuple[int, list[Piece] | None]] = []
        self.moved = False
        """Something that may be an op stands in another column, or is new."""

    def copy(self, end: int) -> None:
        """Write the source as it is, from where it is `done` to `end`."""
        self._put(self.source[self.done : end], self.done, None)
        self._leave(end)

    def write(self, pieces: list[Piece], origin: int) -> str:
        """Write `pieces` in one line; what is new of them comes from `origin`. Returns the line."""
        text = self.joined(pieces)
        self._put(text, origin, pieces)
        return text

    def joined(self, pieces: list[Piece]) -> str:
        """The text of `pieces`, in one line."""
        source = self.source
        return "".join(
            [
                piece if isinstance(piece, str) else on_one_line(source[piece[0] : piece[1]])
                for piece in pieces
            ]
        )

    def go_on(self, offset: int) -> None:
        """Leave out the source up to `offset`, so that what follows stands in its line, and in its
        column if there is room."""
        self._leave(offset)
        if self._done_line > self._lines:
            self._put("\n" * (self._done_line - self._lines), offset, [])
        column = offset - self.source.rfind("\n", 0, offset)
        here = self._length - self._last_newline
        if here < column:
            self._put(" " * (column - here), offset, [])

    @property
    def shift(self) -> int:
        """How many columns the place is to the right of what is `done`."""
        column = self.done - self.source.rfind("\n", 0, self.done)
        return self._length - self._last_newline - column

    def text(self) -> str:
        return "".join(self._parts)

    def origin(self, offset: int) -> int:
        """The offset in the source for one in the text."""
        at = bisect_right(self._starts, offset) - 1
        if at < 0:
            return offset
        start, (origin, pieces) = self._starts[at], self._origins[at]
        if pieces is None:
            return origin + offset - start
        for piece in pieces:
            length = len(piece) if isinstance(piece, str) else piece[1] - piece[0]
            if offset < start + length:
                return origin if isinstance(piece, str) else piece[0] + offset - start
            start += length
        return origin

    def _leave(self, offset: int) -> None:
        self._done_line += self.source.count("\n", self.done, offset)
        self.done = offset

    def _put(self, text: str, origin: int, pieces: list[Piece] | None) -> None:
        """`pieces`: what of the text comes from where; None if it is copied, from `origin` on."""
        if not text:
            return
        self._starts.append(self._length)
        self._origins.append((origin, pieces))
        self._parts.append(text)
        newline = text.rfind("\n")
        if newline >= 0:
            self._lines += text.count("\n")
            self._last_newline = self._length + newline
        self._length += len(text)


class Places:
    """Lines and columns of a text that was rewritten, as those of its source.

    They are needed where something is wrong, so that the rewriting is made then.
    """

    def __init__(self, rewriting: Callable[[], Rewriting]) -> None:
        self._make = rewriting
        self._made: tuple[Rewriting, list[int], list[int]] | None = None

    def source(self, line: int, column: int) -> tuple[int, int]:
        """Line and column, both from 1, in the source."""
        if self._made is None:
            made = self._make()
            self._made = made, _starts(made.text()), _starts(made.source)
        rewriting, written, source = self._made
        if not 0 < line <= len(written):
            return line, column
        offset = rewriting.origin(written[line - 1] + column - 1)
        found = bisect_right(source, offset)
        return found, offset - source[found - 1] + 1


def _starts(text: str) -> list[int]:
    """Where each line begins."""
    starts, at = [0], text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts
