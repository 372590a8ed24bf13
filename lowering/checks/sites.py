"""Places where compiled code may raise, and their messages.

A check is a call `__gs_raise_<what>(site, numbers...)` that does not return. The texts of the
sites, which name a place and an op, are the module's attribute `gs.sites`; `<what>` says how the
numbers are shown behind that text.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.builders import arith

func = dialect("func")

ATTRIBUTE = "gs.sites"
RAISE = "__gs_raise_"
ASSERT = "__gs_assert"
"""Called with an index into the module's attribute ASSERTIONS, the texts of cf.assert."""
ASSERTIONS = "gs.assertions"
TRACKING = ("__gs_alloc", "__gs_free", "__gs_free_all")
"""malloc and free for memory in a list that a pointer starts, and free of what is left in it."""
NO_MEMORY = "__gs_no_memory"
"""Called where what a function allocates for itself does not fit."""

# `#` stands for a number, `[]` for a list of numbers.
_MESSAGES = {
    "sorted": "coordinates [] at position [] come after [] at position []: 'sorted' does not hold",
    "unique": "coordinates [] at position [] address the element of position [] again: "
    "'unique' does not hold",
    "clip": "no coordinate is in bounds for size #: mode clip has nothing to clip to",
    "address": "index # is out of bounds for size #",
    "overlap": "element [] shares memory with element []",
    "size": "expected #, found #",
}
VALUE_ERRORS = ("size",)
"""The kinds of messages that raise ValueError; others raise IndexError."""
_BOUNDS = "coordinate # at position [] is out of bounds for size #"


class Numbers(NamedTuple):
    """Some numbers of a message: one, or a list; shown as unsigned ones or not."""

    values: Sequence[ir.Value]
    is_list: bool = False
    unsigned: bool = False


def one(value: ir.Value) -> Numbers:
    """A single number of a message."""
    return Numbers([value])


class Sites:
    """Where compiled code may raise: the module's `gs.sites`, and the functions that raise."""

    def __init__(self, module: ir.Operation) -> None:
        self.module = module
        self.texts: list[str] = (
            [text.value for text in module.attributes[ATTRIBUTE]]
            if ATTRIBUTE in module.attributes
            else []
        )
        self._known = len(self.texts)
        self._declared: set[str] = set()

    def add(self, text: str) -> int:
        self.texts.append(text)
        return len(self.texts) - 1

    def raise_index_error(self, site: int, numbers: Sequence[ir.Value], unsigned: bool) -> None:
        """Call `__gs_raise_<rank>(site, coordinate, size, position...)`.

        `__gs_raise_unsigned_<rank>` takes the coordinate as an unsigned number.
        """
        rank = len(numbers) - 2
        self._call(f"unsigned_{rank}" if unsigned else f"{rank}", site, numbers)

    def raise_broken(self, kind: str, site: int, groups: Iterable[Numbers]) -> None:
        """Call `__gs_raise_<kind>_<lengths>(site, numbers...)`; `kind` is one of the messages."""
        groups = list(groups)
        lengths = "".join(f"_{'u' * g.unsigned}{len(g.values)}" for g in groups if g.is_list)
        self._call(kind + lengths, site, [value for group in groups for value in group.values])

    def _call(self, what: str, site: int, numbers: Sequence[ir.Value]) -> None:
        i64 = ir.IntegerType.get_signless(64)
        self._declare(RAISE + what, [i64] * (1 + len(numbers)))
        arguments = [arith.constant(i64, site)]
        arguments += [arith.index_cast(i64, number) for number in numbers]
        func.call([], RAISE + what, arguments)

    def _declare(self, name: str, types: Sequence[ir.Type]) -> None:
        if name in self._declared:
            return
        self._declared.add(name)
        body = self.module.regions[0].blocks[0]
        for op in body.operations:
            if "sym_name" in op.attributes and op.attributes["sym_name"].value == name:
                return
        with ir.InsertionPoint.at_block_begin(body):
            func.FuncOp(name, (list(types), []), visibility="private")

    def write(self) -> None:
        """Store the texts on the module."""
        if len(self.texts) > self._known:
            context = self.module.context
            texts = [ir.StringAttr.get(text, context) for text in self.texts]
            self.module.attributes[ATTRIBUTE] = ir.ArrayAttr.get(texts, context)


def message_format(name: str) -> tuple[str, list[int]]:
    """`printf` format of what the function `name` shows behind a site's text, and in which order
    it shows its numbers. ValueError for a name that no pass gives."""
    parts = name.removeprefix(RAISE).split("_")
    if parts[-1].isdecimal() and parts[:-1] in ([], ["unsigned"]):
        rank = int(parts[-1])
        kinds = [parts[0] == "unsigned", False]
        # The call has the size before the position, the message after it.
        return _spelled(_BOUNDS, kinds, [(rank, False)]), [0, *range(2, rank + 2), 1]
    template = _MESSAGES.get(parts[0])
    lengths = [re.fullmatch("(u?)([0-9]+)", part) for part in parts[1:]]
    if template is None or len(lengths) != template.count("[]"):
        raise ValueError(f"no pass calls a function {name}")
    lists = [(int(each[2]), bool(each[1])) for each in lengths if each is not None]
    if len(lists) != len(lengths):
        raise ValueError(f"no pass calls a function {name}")
    singles = [False] * template.count("#")
    return _spelled(template, singles, lists), list(
        range(len(singles) + sum(length for length, _ in lists))
    )


def _spelled(template: str, singles: list[bool], lists: list[tuple[int, bool]]) -> str:
    def number(unsigned: bool) -> str:
        return "%llu" if unsigned else "%lld"

    single, many = iter(singles), iter(lists)

    def spell(found: re.Match[str]) -> str:
        if found[0] == "#":
            return number(next(single))
        length, unsigned = next(many)
        return "[" + ", ".join([number(unsigned)] * length) + "]"

    return re.sub(r"#|\[\]", spell, template)
