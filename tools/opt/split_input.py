"""`--split-input-file`: one file as several inputs, each at the lines that it has in the file."""

import os
from dataclasses import dataclass

DEFAULT_MARKER = "// -----"
# As in mlir-opt: a line that lacks only the last characters of the marker gets a warning.
_NEAR_MISS = 2


@dataclass(frozen=True)
class Chunk:
    """A part of a file: its text, and the number (from 1) of the line where it starts."""

    text: bytes
    line: int


def split_input(data: bytes, marker: str = DEFAULT_MARKER) -> tuple[list[Chunk], list[int]]:
    """The chunks of `data` between the lines that hold just `marker`; lines that nearly do.

    The second result are the line numbers of near misses: a marker cut short or run on.
    """
    wanted = os.fsencode(marker)
    start = wanted[:-_NEAR_MISS] if len(wanted) > _NEAR_MISS else wanted
    chunks: list[Chunk] = []
    near: list[int] = []
    begin, offset = 1, 0
    position = 0
    for number, line in enumerate(data.split(b"\n"), start=1):
        stripped = line.strip()
        if stripped == wanted:
            chunks.append(Chunk(data[offset:position], begin))
            begin, offset = number + 1, position + len(line) + 1
        elif stripped.startswith(start):
            near.append(number)
        position += len(line) + 1
    chunks.append(Chunk(data[offset:], begin))
    return chunks, near
