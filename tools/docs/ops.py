"""The reference of the ops, from their classes and docstrings.

`docs/dialect.md` holds the named ops, `docs/generic.md` the op that they are sugar for.
"""

import inspect
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from mlir_gs.dialect import Gs
from mlir_gs.dialect._bindings import ext
from mlir_gs.dialect.checks import KINDS
from mlir_gs.dialect.effects import EFFECTS_DOC
from mlir_gs.dialect.shared import ATTRIBUTES_DOC
from mlir_gs.tools.docs.pictures import path_of

_INTRODUCTION = """\
# The gs dialect

{about}

![gather, and scatter with repeated coordinates](images/gs.svg)

Ops are written in their [assembly form](assembly.md).
`python -m mlir_gs.tools.gen_docs` writes this page from the docstrings in `dialect/`.

| in formulas | is |
| --- | --- |
| I | the shape of `indices` without its last dimension |
| k | the size of that last dimension: how many numbers a coordinate tuple has |
| b | the number of batch dims |
| R | the remaining dims of the operand that is addressed |

Pictures show an op's example as `gs-opt --gs-picture=out.svg` draws it: black arrows from
coordinates to the dimension that they address, and a grey one from inputs to outputs, with the
body's formula. `d0`, `d1` are iteration dims, and cells of one color belong to one dim.

## Ops

{contents}

## Attributes that ops share

{attributes}
{effects}
## Elements

Integers of any width and sign, `index`, floats from `f4E2M1FN` to `f64`, and complex numbers. In
memory an element takes the next power of two of bytes; one of fewer than 8 bits takes a byte.
`f80` and `f128` are refused, because MLIR's bindings have no class for them. `tf32` and integers
of 65 to 127 bits may occur in IR, but a buffer of them does not compile.

## Other tools

MLIR's own tools can parse, print and verify the ops by their IRDL, in the generic form, which
`gs-opt --mlir-print-op-generic` prints. `gs-opt --irdl` prints the IRDL:

<!-- not run: test/dialect/test_irdl.py runs torch-mlir-opt -->
```sh
gs-opt --irdl > gs.irdl.mlir
gs-opt examples/rows.mlir --convert-tensor-to-gs --mlir-print-op-generic -o rows.mlir
torch-mlir-opt --irdl-file=gs.irdl.mlir rows.mlir
```

IRDL cannot express that `gs.yield` ends a block. For a module with bodies add
`--mlir-very-unsafe-disable-verifier-on-parsing --verify-each=false`.
"""
_GENERIC_INTRODUCTION = """\
# The structured op

![The maps of one gs.generic](images/maps.svg)

Each named op of [the gs dialect](dialect.md) is sugar for `gs.generic`. This shows what one
becomes:

```sh
gs-opt examples/sums.mlir --gs-generalize
```

All later passes know this op alone. [Design](design.md#the-structured-op) explains the picture.
`python -m mlir_gs.tools.gen_docs` writes this page from the docstrings in `dialect/`.
"""
_STRUCTURED = ("gs.generic", "gs.yield")
_CONSTRAINT = re.compile(r"^- C([0-9]+): ", re.MULTILINE)
# Fields of one role that differ in their number: input0, input1, ...
_NUMBERED = re.compile(r"([a-z_]+?)([0-9]+)$")


def dialect_markdown() -> str:
    """The text of `docs/dialect.md`."""
    introduction = _INTRODUCTION.format(
        about=inspect.cleandoc(Gs.__doc__ or ""),
        contents="\n".join(
            f"- [`{op.OPERATION_NAME}`]({_link(op)}): {_sentence(op)}" for op in _ops()
        ),
        attributes=ATTRIBUTES_DOC,
        effects=EFFECTS_DOC,
    )
    named = [op for op in _ops() if op.OPERATION_NAME not in _STRUCTURED]
    return "\n".join([introduction, *(_section(op) for op in named)])


def generic_markdown() -> str:
    """The text of `docs/generic.md`."""
    structured = [op for op in _ops() if op.OPERATION_NAME in _STRUCTURED]
    return "\n".join([_GENERIC_INTRODUCTION, *(_section(op) for op in structured)])


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
        "\n".join(_table(op, constraints)),
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


def _table(op: Any, constraints: dict[int, str]) -> Iterator[str]:
    yield "| | name | kind | constraints |"
    yield "| --- | --- | --- | --- |"
    # Rows that differ in their names only are one.
    names: dict[tuple[str, str, str], list[str]] = {}
    for row in _rows(op, constraints):
        names.setdefault((row.role, row.kind, row.labels(constraints)), []).append(row.name)
    for (role, kind, labels), found in names.items():
        yield f"| {role} | {', '.join(found)} | {kind} | {labels} |"


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
                return found[1].replace("|", r"\|")
    return ""
