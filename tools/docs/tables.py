"""Tables of Markdown."""

from collections.abc import Iterable, Sequence


def table(*head: str, rows: Iterable[Sequence[object]]) -> str:
    """The lines of a table. A bar in a cell is no border."""
    lines = [head, ["---"] * len(head), *rows]
    cells = ([str(cell).replace("|", r"\|") for cell in line] for line in lines)
    return "".join(f"| {' | '.join(line)} |\n" for line in cells)
