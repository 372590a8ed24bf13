"""Ops that differ only in the names of their values from one that was read before.

Most ops of a long text do. Such an op is found by its text without the names, and is not taken
apart again. It ends where its last line does, but for a location.
"""

import re
from dataclasses import dataclass

from mlir_gs.dialect.assembly.scanner import VALUE, Span

_NAMES = re.compile(f"({VALUE})", re.ASCII)
_LOCATION = " loc("
# What the line of an op may end with, and what the next may begin with so that the op ended.
_END = re.compile(r"[ \t]*(?: loc\([^\n]*)?")
_NEXT = re.compile(r'\s*[%}^\w"]', re.ASCII)


@dataclass(frozen=True)
class _Written:
    """The parts of an op in the generic form, and where among them the names stand. `tail`: what
    follows the region that it opens; None for an op that is whole."""

    parts: list[str]
    names: list[tuple[int, int]]
    tail: str | None


class Repeated:
    """The ops of `text` that have been read, by what they are without the names of values."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines: dict[str, int] = {}
        self._known: dict[tuple[str, ...], _Written] = {}

    def find(self, start: int, op: str) -> tuple[str, str | None, int] | None:
        """The op that starts there as text up to its region, what follows the region if it opens
        one, and where it ends, or where the region begins. None if none like it was read."""
        # As many lines as the last op of this name had.
        lines, end = self._lines.get(op, 0), start
        if not lines:
            return None
        for _ in range(lines):
            end = self._text.find("\n", end + 1)
            if end < 0:
                return None
        source = self._text[start:end]
        if _LOCATION in source:
            source = source.partition(_LOCATION)[0]
        split = _NAMES.split(source)
        names = split[1::2]
        known = self._known.get(_key(split, names))
        if known is None or (known.tail is None and _NEXT.match(self._text, end) is None):
            return None
        parts = known.parts.copy()
        for place, number in known.names:
            parts[place] = names[number]
        return "".join(parts), known.tail, start + len(source) - (known.tail is not None)

    def keep(
        self,
        start: int,
        end: int,
        op: str,
        operands: list[Span],
        rest: str,
        tail: str | None,
    ) -> None:
        """Remember the op from `start` to `end`, which became its `operands` in parentheses, then
        `rest`. If there is a `tail`, it opens a region at `end`, and the tail follows that."""
        source = self._text[start : end + (tail is not None)]
        line = self._text.find("\n", start + len(source))
        if line < 0 or not _END.fullmatch(self._text, start + len(source), line):
            return
        # Strings and comments may hold what looks like a name.
        follows = source[len(op) :].lstrip()[:1]
        if '"' in source or "//" in source or _LOCATION in source or follows not in ("%", "("):
            return
        split = _NAMES.split(source)
        places, at = {}, start
        for number, part in enumerate(split):
            places[at] = number // 2
            at += len(part)
        if any(split[2 * places.get(a, -1) + 1] != self._text[a:b] for a, b in operands):
            return
        parts, names = [f'"{op}"('], []
        for number, (a, _) in enumerate(operands):
            parts.append(", " if number else "")
            names.append((len(parts), places[a]))
            parts.append("")
        self._lines[op] = source.count("\n") + 1
        self._known[_key(split, split[1::2])] = _Written([*parts, rest], names, tail)


def _key(split: list[str], names: list[str]) -> tuple[str, ...]:
    """What stands between the names, and which of these are equal."""
    if len(set(names)) == len(names):
        return tuple(split[::2])
    return (*split[::2], *(str(names.index(name)) for name in names))
