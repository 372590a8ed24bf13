"""The layout of a text: its lines indented by the braces around them, comments kept."""

import re

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|->|[{}()\[\]]')
# How a line begins with which an op, a block, an alias or a comment begins.
_BEGINS = re.compile(
    r"""%[\w$.#:,%\ -]*= | [\^}] | // | [#!][\w$.]+\ *= | "[\w.]+"\ *\( | [a-z_]\w*\.\w
      | (?:return|module|call|yield)\b""",
    re.X | re.A,
)


def laid_out(text: str, width: int = 2) -> str:
    """`text` with lines that begin something indented by `width` for each brace around them, what
    continues them moved along, and no blanks at their ends. What MLIR reads stays the same."""
    written: list[str] = []
    depth = inside = moved = 0
    for line in text.split("\n"):
        bare = line.strip(" \t\r")
        now = len(line.expandtabs(width)) - len(line.expandtabs(width).lstrip(" "))
        if not inside and _BEGINS.match(bare):
            level = depth - bare.startswith(("}", "^"))
            moved = max(level, 0) * width - now
        written.append(" " * max(now + moved, 0) + bare if bare else "")
        for token in _TOKEN.findall(bare):
            depth += (token == "{") - (token == "}")
            inside = max(inside + (token in "([") - (token in ")]"), 0)
    return "\n".join(written).rstrip("\n") + "\n" * bool(text.strip())
