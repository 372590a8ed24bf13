"""Hover and completion: what an editor shows at an offset of a document."""

import inspect
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from mlir_gs.dialect import Structure
from mlir_gs.dialect._bindings import module
from mlir_gs.dialect.access_text import structure_text
from mlir_gs.dialect.assembly import combiners, form
from mlir_gs.dialect.base import structure_of
from mlir_gs.dialect.shared import GATHER_MODES, SCATTER_MODES
from mlir_gs.dialect.structure import MODES
from mlir_gs.tools.docs.ops import parse_constraints
from mlir_gs.tools.lsp.document import Document

_WORD = re.compile(r"[A-Za-z_][\w$.]*", re.A)
# The op whose clauses may be written at the end: neither its types nor a region began.
_OPEN_OP = re.compile(r'(?<![\w.$#!%@^"-])([A-Za-z_]\w*\.[A-Za-z_]\w*)(?=([^{}]*)$)', re.A)
# At the start of an op.
_OP_BEGINS = re.compile(r"(?:^|[\n{=)])[ \t]*([A-Za-z_]\w*(?:\.\w*)?)?$", re.A)
_CLAUSE_WITH = re.compile(r"\b(mode|combine)\(\s*\w*$", re.A)
_INDEX_NOTATION = ("ins", "outs", "iterators", "mode", "wrap_negative", "fill", "unique", "sorted")


class Proposal(NamedTuple):
    """A completion: its text; `op`, `clause`, `word` or `value`; what it is; markdown about it."""

    text: str
    kind: str
    detail: str = ""
    about: str = ""


def hover(document: Document, offset: int) -> tuple[str, int, int] | None:
    """Markdown about what stands there, and from where to where it stands."""
    token = document.text.token_at(offset)
    if token is not None:
        found = document.definition(offset)
        if found is None:
            return None
        type_ = document.type_of(found, token.number)
        line = document.text.place(found.token.start)[0] + 1
        origin = f"result of `{found.op.name}`, " if found.op is not None else ""
        text = f"{_code(f'{token.name} : {type_}')}\n\n" if type_ else ""
        return f"{text}{origin}line {line}", token.start, token.end
    return _hover_word(document, offset)


def _hover_word(document: Document, offset: int) -> tuple[str, int, int] | None:
    text = document.text.text
    start = text.rfind("\n", 0, offset) + 1
    for found in _WORD.finditer(text, start):
        if found.start() > offset:
            return None
        if offset <= found.end():
            break
    else:
        return None
    quoted = text[found.start() - 1 : found.start()] == '"'
    op = document.ops.get(found.start() - quoted)
    if op is not None and (op.name == found[0] or op.name.endswith(f".{found[0]}")):
        return _about_op(op), *found.span()
    op_class = _class_of(found[0])
    if op_class is not None:
        return _about_class(op_class), *found.span()
    before = _opened(text[: found.start()])
    about = before and _about_clause(before[0], found[0])
    return (about, *found.span()) if about else None


def _about_op(op: Any) -> str:
    types = [", ".join(str(value.type) for value in values) for values in (op.operands, op.results)]
    signature = f"{op.name} : ({types[0]}) -> ({types[1]})"
    with op.context:
        structure = Structure.of(op.opview) if op.name == "gs.generic" else structure_of(op)
    if structure is not None:
        signature += f"\n// {structure_text(structure)}"
    about = inspect.cleandoc(type(op.opview).__doc__ or "")
    return f"{_code(signature)}\n\n{about}"


def _about_class(op_class: Any) -> str:
    return f"{_code(_pattern(op_class))}\n\n{inspect.cleandoc(op_class.__doc__ or '')}"


def _pattern(op_class: Any) -> str:
    """How the op is written."""
    name, spelled = op_class.OPERATION_NAME, getattr(op_class, "ASSEMBLY", "")
    shown = spelled if isinstance(spelled, str) else inspect.cleandoc(spelled.__doc__ or "")
    clauses = form.form_of(op_class).clauses.kinds
    return f"{name} {shown.strip('`.')}\n// {', '.join(clauses)}"


def _about_clause(op_class: Any, word: str) -> str | None:
    if op_class is None or not op_class.__doc__:
        return None
    said = [text for text in parse_constraints(op_class).values() if f"`{word}" in text]
    return "\n\n".join(said) or None


def _class_of(name: str) -> Any:
    return next((op for op in form.classes() if name == op.OPERATION_NAME), None)


def _opened(before: str) -> tuple[Any, str] | None:
    """The class of the op that is being written at the end, and what stands behind its name."""
    found = [(_class_of(each[1]), each[2]) for each in _OPEN_OP.finditer(before)]
    known = [each for each in found if each[0] is not None]
    return known[-1] if known else None


def _code(text: str) -> str:
    return f"```mlir\n{text}\n```"


def complete(document: Document, offset: int) -> list[Proposal]:
    """What may be written there. Editors choose by what has been typed."""
    before = document.text.text[:offset]
    line = before[before.rfind("\n") + 1 :]
    if "//" in line:
        return []
    if re.search(r"%[\w$.-]*$", line):
        return [
            Proposal(each.token.name, "value", document.type_of(each))
            for each in document.visible(offset)
        ]
    begins = _OP_BEGINS.search(before)
    if begins is not None:
        return list(_ops(begins[1] or ""))
    op_class, written = _opened(before) or (None, "")
    if op_class is None or re.search(r":(?!.*\))", written, re.S):
        return []
    choice = _CLAUSE_WITH.search(written)
    if choice is not None:
        words = combiners.NAMES if choice[1] == "combine" else _modes(op_class)
        return [Proposal(word, "word") for word in words]
    return list(_clauses(op_class, written))


def _ops(typed: str) -> Iterator[Proposal]:
    namespace, dot, _ = typed.partition(".")
    own = [op for op in form.classes() if not dot or op.OPERATION_NAME.startswith(f"{namespace}.")]
    for op in own:
        about = inspect.cleandoc(op.__doc__ or "")
        yield Proposal(op.OPERATION_NAME, "op", about, _about_class(op))
    if own:
        return
    try:
        found = vars(module(f"dialects.{namespace}")).values()
    except ImportError:
        return
    names = {getattr(each, "OPERATION_NAME", "") for each in found}
    yield from (Proposal(name, "op") for name in sorted(names) if name.startswith(typed[:1]))


def _clauses(op_class: Any, written: str) -> Iterator[Proposal]:
    found = form.form_of(op_class)
    names = [*found.clauses.kinds, *(["combine"] if "combiner" in found.regions else [])]
    if op_class.OPERATION_NAME == "gs.generic":
        names = list(_INDEX_NOTATION)
    for name in names:
        if not re.search(rf"\b{name}\b", written) or name in ("mode", "fill", "wrap_negative"):
            yield Proposal(name, "clause", about=_about_clause(op_class, name) or "")


def _modes(op_class: Any) -> list[str]:
    """The modes that the op's constraints name."""
    said = " ".join(text for text in parse_constraints(op_class).values() if "`mode" in text)
    every = dict.fromkeys((*GATHER_MODES, *SCATTER_MODES, *MODES))
    return [mode for mode in every if re.search(rf"\b{mode}\b", said)]
