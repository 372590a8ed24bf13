"""What text of MLIR is parsed at all: MLIR's parser recurses, and deep nesting ends the process."""

import re

MOST_NESTED = 256
"""Brackets of any kind that may be open at a time; the default of clang's -fbracket-depth."""

MOST_BYTES = 1 << 31
"""An input of more is refused before it is parsed."""

_OPENERS = b"([{<"
_TOKENS = re.compile(
    rb'"(?:[^"\\\n]|\\.)*"|//[^\n]*|->|[<>]=|(?P<open>[(\[{<])|(?P<close>[)\]}>])', re.ASCII
)


def over_limit(data: bytes) -> tuple[int, int, str] | None:
    """Line and column (from 1) of what is beyond the limits in a text, and a message; else None."""
    if len(data) > MOST_BYTES:
        return 1, 1, f"the input has {len(data)} bytes, more than {MOST_BYTES}"
    if sum(data.count(char) for char in _OPENERS) <= MOST_NESTED:
        return None
    depth = 0
    for token in _TOKENS.finditer(data):
        if token.lastgroup == "open":
            depth += 1
            if depth > MOST_NESTED:
                start = token.start()
                line = data.count(b"\n", 0, start) + 1
                column = start - data.rfind(b"\n", 0, start)
                return line, column, f"brackets are nested more than {MOST_NESTED} deep"
        elif token.lastgroup == "close":
            depth = max(depth - 1, 0)
    return None
