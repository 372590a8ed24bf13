"""The assembly form of an op, from what its class says: operands, attributes, regions."""

import re
from dataclasses import dataclass, field
from typing import Any, Protocol

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.assembly import scanner
from mlir_gs.dialect.assembly.positions import Piece
from mlir_gs.dialect.assembly.scanner import Scanner, Span
from mlir_gs.dialect.base import NAMED, SPELLED, Gs


class NoForm(Exception):
    """What MLIR printed of an op has no assembly form."""


def need(condition: Any) -> Any:
    """`condition` itself. Raises NoForm where it does not hold."""
    if not condition:
        raise NoForm
    return condition


@dataclass
class Parts:
    """What an op consists of: before its types, in the order of its generic form.

    `attributes` are names and values, the value of a unit attribute empty.
    """

    operands: list[Span] = field(default_factory=list)
    attributes: list[tuple[str, list[Piece]]] = field(default_factory=list)
    combiner: str = ""
    combiner_at: int = 0


class Notation(Protocol):
    """How an op spells its operands and attributes, where a pattern does not say it."""

    def read(self, text: Scanner, clauses: "Clauses") -> Parts:
        """The parts of an op. Raises AssemblyError."""
        ...

    def finish(self, text: Scanner, parts: Parts, results: int) -> None:
        """Add to `parts` what depends on the number of results."""

    def write(
        self,
        operands: list[str],
        attributes: dict[str, str],
        results: int,
        aliases: dict[str, str],
        clauses: "Clauses",
    ) -> str:
        """The text of the parts, which are taken out of `attributes`. Raises NoForm."""
        ...


class Clauses:
    """Attributes as `mode(clip)`, `unique` and `gather_dims([0])`, by their kinds."""

    def __init__(self, kinds: dict[str, Any]) -> None:
        self.kinds = kinds

    def read(self, text: Scanner, name: str) -> tuple[str, list[Piece]]:
        """The attribute `name`, the word of which has been read."""
        kind = self.kinds[name]
        if kind is ir.UnitAttr:
            return name, []
        if kind in _ARRAYS:
            text.expect("(", f" after '{name}'")
            value = array(text, kind)
            text.expect(")", f" after the array of '{name}'")
            return name, value
        start, end = text.one_inside("(", name)
        found = text.text[start:end]
        if kind is ir.StringAttr and scanner.words(found):
            return name, ['"', (start, end), '"']
        if kind is ir.IntegerAttr and re.fullmatch(r"-?[0-9]\w*", found):
            return name, [(start, end), " : i64"]
        return name, [(start, end)]

    def write(self, name: str, value: str) -> str | None:
        """The clause for an attribute that MLIR printed; None where it has another kind."""
        kind = self.kinds[name]
        if kind is ir.UnitAttr:
            return None if value else name
        if not value:
            return None
        if kind in _ARRAYS:
            inner = array_text(value, kind)
            return None if inner is None else f"{name}({inner})"
        if kind is ir.StringAttr:
            if not re.fullmatch(scanner.STRING, value):
                return None
            return f"{name}({value[1:-1] if scanner.words(value[1:-1]) else value})"
        if kind is ir.IntegerAttr and not re.fullmatch(r"-?\d+ : \w+", value):
            return None
        return f"{name}({value.removesuffix(' : i64') if kind is ir.IntegerAttr else value})"


_ARRAYS = {ir.DenseI64ArrayAttr: "i64", ir.DenseI32ArrayAttr: "i32", ir.DenseBoolArrayAttr: "i1"}


def array(text: Scanner, kind: Any) -> list[Piece]:
    """A dense array, in brackets."""
    start, end = text.inside("[")
    if not scanner.on_one_line(text.text[start:end]).strip():
        return [f"array<{_ARRAYS[kind]}>"]
    return [f"array<{_ARRAYS[kind]}: ", (start, end), ">"]


def array_text(value: str, kind: Any) -> str | None:
    """A dense array that MLIR printed, in brackets; None where it is none."""
    found = re.fullmatch(rf"array<{_ARRAYS[kind]}(?:: ([^<>]*))?>", value)
    return None if found is None else f"[{found[1] or ''}]"


_PATTERN = re.compile(r"(\s*)(?:\$(\w+)|(\w+)|(\S))")


class Pattern:
    """Operands and attributes as a pattern has them, `$updates into $dest[$indices]`.

    Without a pattern: the operands, between commas.
    """

    def __init__(self, pattern: str, operands: list[str]) -> None:
        self._operands = operands
        self._items = [found.groups("") for found in _PATTERN.finditer(pattern)]

    def read(self, text: Scanner, clauses: Clauses) -> Parts:
        parts = Parts()
        if not self._items:
            while text.peek() == "%":
                parts.operands.append(text.value())
                if not text.takes(","):
                    break
                if text.peek() != "%":
                    raise text.fail("expected the name of a value after ','")
            return parts
        values: dict[str, Span] = {}
        for _, name, word, mark in self._items:
            if name in self._operands:
                values[name] = text.value(f"operand '{name}'")
            elif name:
                parts.attributes.append((name, array(text, clauses.kinds[name])))
            elif mark:
                text.expect(mark)
            elif text.peek_word() == word:
                text.word(word)
            else:
                raise text.fail(f"expected '{word}'")
        parts.operands = [values[name] for name in self._operands]
        return parts

    def finish(self, text: Scanner, parts: Parts, results: int) -> None:
        pass

    def write(
        self,
        operands: list[str],
        attributes: dict[str, str],
        results: int,
        aliases: dict[str, str],
        clauses: Clauses,
    ) -> str:
        if not self._items:
            return ", ".join(operands)
        need(len(operands) == len(self._operands))
        values = dict(zip(self._operands, operands, strict=True))
        found = ""
        for space, name, word, mark in self._items:
            if name in values:
                piece = values[name]
            elif name:
                piece = need(array_text(attributes.get(name, ""), clauses.kinds[name]))
            else:
                piece = word or mark
            found += f" {piece}" if space else piece
        for _, name, _, _ in self._items:
            attributes.pop(name, None)
        return found


@dataclass(frozen=True)
class Form:
    """How an op is read and written."""

    name: str
    notation: Notation
    clauses: Clauses
    regions: tuple[str, ...]
    has_results: bool


def form_of(op_class: Any) -> Form:
    """The form of an op's class: its `ASSEMBLY`, a pattern or notation, or one from its fields."""
    fields: dict[str, list[str]] = {}
    for each in op_class._fields:
        fields.setdefault(type(each).__name__, []).append(each.name)
    attributes = getattr(op_class, "ATTRIBUTES", None)
    kinds = dict.fromkeys(fields.get("AttributeDef", ()), ir.Attribute)
    if attributes is not None:
        kinds |= {**attributes.required, **attributes.optional}
    spelled = getattr(op_class, "ASSEMBLY", "")
    notation = (
        Pattern(spelled, fields.get("OperandDef", [])) if isinstance(spelled, str) else spelled
    )
    return Form(
        op_class.OPERATION_NAME,
        notation,
        Clauses(kinds),
        tuple(fields.get("RegionDef", ())),
        "ResultDef" in fields,
    )


_forms: dict[Any, Form] = {}


def names() -> list[str]:
    """The names of the ops of the dialect."""
    return [op.OPERATION_NAME for op in Gs.operations]


def namespaces() -> tuple[str, ...]:
    """`gs`, and other dialects that have ops with a form."""
    spelled = [each.DIALECT_NAMESPACE for each in SPELLED]
    return tuple(dict.fromkeys([*spelled, *(n.partition(".")[0] for n in NAMED)]))


def classes() -> list[Any]:
    """The classes of the ops that have a form."""
    spelled = (op for each in SPELLED for op in each.operations)
    return list(dict.fromkeys([*NAMED.values(), *spelled]))


def find(name: str) -> Form | None:
    """The form of the op `name`, of `gs` or another dialect; None if there is none of that name."""
    op_class = NAMED.get(name) or next(
        (op for each in SPELLED for op in each.operations if name == op.OPERATION_NAME), None
    )
    if op_class is None:
        return None
    if op_class not in _forms:
        _forms[op_class] = form_of(op_class)
    return _forms[op_class]
