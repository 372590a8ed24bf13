"""The text of a module, with the lines and the places of each op."""

import re
from typing import Any, NamedTuple

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.assembly import to_assembly
from mlir_gs.lowering.ir.builders import walk

_MARK = "@"
_PRINTED = re.compile(rf'\s*loc\("{_MARK}":(\d+):0\)')
_PLACE = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)')
_STRING = r'"(?:[^"\\]|\\.)*"'
_INNERMOST = re.compile(rf'\(((?:[^()"]|{_STRING})*)\)')
_ALIAS = re.compile(r"^#loc\w*[ \t]*=.*$", re.MULTILINE)
_LOCATION = re.compile(rf'\bloc\((?:[^()"]|{_STRING})*\)')
_NONE = (1 << 31) - 1
Places = list[tuple[int, int]]


class Listing(NamedTuple):
    """The text, and of each op in the order of `walk` its first and last line, from 1; 0 of one
    that is not printed."""

    text: str
    lines: list[tuple[int, int]]


def listing(operation: Any) -> Listing:
    """Print `operation`, of which a copy is made."""
    copy = operation.clone()
    number_ops(copy, arguments=True)
    data = copy.get_asm(
        binary=True,
        assume_verified=True,
        enable_debug_info=True,
        use_local_scope=True,
        large_elements_limit=64,
        large_resource_limit=64,
    )
    found: dict[int, tuple[int, int]] = {}
    shown: list[str] = []
    opened: dict[int, int] = {}
    for number, line in enumerate(to_assembly(data).decode("utf-8", "replace").split("\n"), 1):
        text = _PRINTED.sub("", line)
        shown.append(text)
        inside = text.lstrip()
        indent = len(text) - len(inside)
        closes = inside.startswith(("}", "]"))
        if inside and not closes and not inside.startswith("^"):
            opened[indent] = number
        for mark in _PRINTED.finditer(line):
            found[int(mark[1])] = (opened.get(indent, number) if closes else number, number)
    lines = [found.get(number, (0, 0)) for number in range(len(walk(copy)))]
    return Listing("\n".join(shown).rstrip("\n") + "\n", lines)


def number_ops(operation: Any, arguments: bool = False, first: int = 0) -> None:
    """Give each op its number in the order of `walk` as its location, and each argument of a block
    none if `arguments`."""
    with operation.context:
        none = ir.Location.file(_MARK, _NONE, 0)
        operation.location = none
        for number, op in enumerate(walk(operation), first):
            op.location = ir.Location.file(_MARK, number, 0)
            blocks = (block for region in op.regions for block in region.blocks)
            for argument in (each for block in blocks if arguments for each in block.arguments):
                argument.set_location(none)


def numbers(location: Any) -> list[int]:
    """The numbers of `number_ops` that a location has been made of."""
    found = (one for one in _PLACE.finditer(str(location)) if one[1] == _MARK)
    return list(dict.fromkeys(int(one[2]) for one in found if int(one[2]) != _NONE))


def places(operation: Any, name: str) -> list[Places]:
    """Of each op the lines and columns of the text `name` that it comes from."""
    known: dict[str, Places] = {}

    def of(location: str) -> Places:
        if location not in known:
            known[location] = places_in(location, name)
        return known[location]

    return [of(str(op.location)) for op in walk(operation)]


def places_in(location: str, name: str) -> Places:
    """The lines and columns of the text `name` in a location."""
    found = (p for p in _PLACE.finditer(location) if p[1] == name and int(p[2]))
    return list(dict.fromkeys((int(p[2]), int(p[3])) for p in found))


def located_here(text: str) -> str:
    """`text` without locations of other files, so that each op is where it stands: blanks take
    their room. Names stay."""

    if "loc" not in text:
        return text
    # Parentheses in those of a location become brackets, from the innermost on, to find its end.
    plain = _ALIAS.sub(lambda found: " " * len(found[0]), text)
    flat = re.sub(_STRING, lambda found: '"' + "x" * (len(found[0]) - 2) + '"', plain)
    kept: list[tuple[int, int]] = []
    while found := next(_INNERMOST.finditer(flat), None):
        start, end = found.span()
        if flat[:start].endswith("loc") and not re.fullmatch(r'\("x*"\)', found[0]):
            kept.append((start - 3, end))
        flat = f"{flat[:start]}[{found[1]}]{flat[end:]}"
    for start, end in kept:
        plain = plain[:start] + " " * (end - start) + plain[end:]
    return plain
