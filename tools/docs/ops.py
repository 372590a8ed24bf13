"""The reference of the ops, from their classes and docstrings."""

import inspect
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from mlir_gs.dialect import Gs
from mlir_gs.dialect._bindings import ext
from mlir_gs.dialect.checks import KINDS
from mlir_gs.tools.docs.pictures import path_of
from mlir_gs.tools.docs.tables import table

_STRUCTURED = ("gs.generic", "gs.yield")
_CONSTRAINT = re.compile(r"^- C([0-9]+): ", re.MULTILINE)
# Fields of one role that differ in their number: input0, input1, ...
_NUMBERED = re.compile(r"([a-z_]+?)([0-9]+)$")


def contents() -> str:
    """All ops, a line each."""
    lines = (f"- [`{op.OPERATION_NAME}`]({_link(op)}): {_sentence(op)}\n" for op in _ops())
    return "".join(lines)


def named_ops() -> str:
    """The sections of `docs/dialect.md`."""
    return "\n".join(_section(op) for op in _ops() if op.OPERATION_NAME not in _STRUCTURED)


def structured_ops() -> str:
    """The sections of `docs/generic.md`."""
    return "\n".join(_section(op) for op in _ops() if op.OPERATION_NAME in _STRUCTURED)


def _ops() -> list[Any]:
    """The named ops, then the structured ones."""

    def place(op: Any) -> int:
        name = op.OPERATION_NAME
        return _STRUCTURED.index(name) + 1 if name in _STRUCTURED else 0

    return sorted(Gs.operations, key=place)


def _link(op: Any) -> str:
    file = "generic.md" if op.OPERATION_NAME in _STRUCTURED else ""
    return f"{file}#{op.OPERATION_NAME.replace('.', '')}"


def _sentence(op: Any) -> str:
    return inspect.cleandoc(op.__doc__).splitlines()[0]


def _section(op: Any) -> str:
    before, _, after = inspect.cleandoc(op.__doc__).partition("Constraints:\n")
    constraints = parse_constraints(op)
    rest = after[_end_of_list(after) :].strip()
    picture = path_of(op)
    parts = [
        f"## {op.OPERATION_NAME}",
        before.strip(),
        f"![what {op.OPERATION_NAME} reads and writes where]({picture})" if picture else "",
        _table(op, constraints).rstrip(),
        "Constraints:",
        after[: _end_of_list(after)].strip(),
        rest,
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def parse_constraints(op: Any) -> dict[int, str]:
    """The numbered constraints of the op's docstring, each as one line."""
    _, _, after = inspect.cleandoc(op.__doc__).partition("Constraints:\n")
    parts = _CONSTRAINT.split(after[: _end_of_list(after)])
    numbers, texts = parts[1::2], parts[2::2]
    return {int(n): " ".join(text.split()) for n, text in zip(numbers, texts, strict=True)}


def _end_of_list(text: str) -> int:
    """Where the list at the start of `text` ends: before the first paragraph that is no item."""
    found = re.search(r"\n\n(?!- )", text.lstrip("\n"))
    return len(text) if found is None else found.start() + len(text) - len(text.lstrip("\n"))


@dataclass(frozen=True)
class _Row:
    """One operand, attribute, region or result."""

    role: str
    name: str
    kind: str
    # What a constraint says when it speaks of this.
    words: tuple[str, ...]

    def labels(self, constraints: dict[int, str]) -> str:
        """The constraints that speak of this."""
        return ", ".join(
            f"C{number}"
            for number, text in constraints.items()
            if any(re.search(rf"(?<![\w.]){re.escape(word)}(?!\w)", text) for word in self.words)
        )


def _table(op: Any, constraints: dict[int, str]) -> str:
    # Rows that differ in their names only are one.
    names: dict[tuple[str, str, str], list[str]] = {}
    for row in _rows(op, constraints):
        names.setdefault((row.role, row.kind, row.labels(constraints)), []).append(row.name)
    rows = ((role, ", ".join(found), *rest) for (role, *rest), found in names.items())
    return table("", "name", "kind", "constraints", rows=rows)


def _rows(op: Any, constraints: dict[int, str]) -> Iterator[_Row]:
    operands, _, results, regions = ext.partition_fields(op._fields)
    for name, words in _roles(operands):
        yield _Row("operand", name, _stated_kind(words, constraints), words)
    attributes = op.ATTRIBUTES
    for name, kind in attributes.required.items():
        yield _Row("attribute", f"`{name}`", _kind(kind), (f"`{name}`",))
    for name, kind in attributes.optional.items():
        yield _Row("attribute, optional", f"`{name}`", _kind(kind), (f"`{name}`", f"under {name}"))
    for field in regions:
        words = ("combiner region",) if field.name == "combiner" else (f"the {field.name}",)
        yield _Row("region", f"`{field.name}`", "", words)
    for name, words in _roles(results):
        words = words if len(results) == 2 else ("the result", "one result per output")
        yield _Row("result", name, _stated_kind(words, constraints), words)


def _roles(fields: Iterable[Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The names to show, and the words for them; numbered slots of one role are one entry."""

    def stem(field: Any) -> str:
        found = _NUMBERED.match(field.name)
        return found[1] if found else field.name

    for role, group in groupby(fields, key=stem):
        names = [field.name for field in group]
        if len(names) == 1:
            yield f"`{names[0]}`", (f"`{names[0]}`", f"rank of {names[0]}")
        else:
            plural = {"index": "indices"}.get(role, f"{role}s")
            yield f"`{names[0]}` to `{names[-1]}`", (role, plural)


def _kind(kind: type) -> str:
    return KINDS[kind].split(", like")[0]


def _stated_kind(words: tuple[str, ...], constraints: dict[int, str]) -> str:
    """What the first constraint of the form "`name` is a ..." says of an operand."""
    for text in constraints.values():
        for word in words:
            found = re.match(rf"{re.escape(word)} is (an? [^.;]*)", text)
            if found:
                return found[1]
    return ""
