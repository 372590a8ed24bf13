"""Generic form to assembly form, in a text that MLIR printed."""

import re
from functools import lru_cache
from typing import Any

from mlir_gs.dialect.assembly import combiners, scanner
from mlir_gs.dialect.assembly.form import Form, NoForm, find, namespaces, need


# An op begins a line, and MLIR prints no line break within what stands before its regions.
@lru_cache(maxsize=64)
def _op(namespaces: tuple[str, ...]) -> re.Pattern[str]:
    name = rf"(?:{'|'.join(namespaces)})\.\w+"
    pattern = rf'^([ \t]*)((?:%[^\n="]* = )?)"({name})"\(([^\n()]*)\)'
    return re.compile(pattern, re.MULTILINE | re.ASCII)


_ALIAS = re.compile(r"^(#[\w$.-]+) = (affine_map<[^\n]*>)$", re.MULTILINE | re.ASCII)
_ALIASED = re.compile(r"#[A-Za-z_$][\w$.-]*", re.ASCII)


def print(
    module: Any, *, generic: bool = False, debug_info: bool = False, local_scope: bool = False
) -> str:
    """The text of `module`, an `ir.Module` or operation, with `gs` ops in their assembly form.

    `generic`: all ops in the generic form, for stock tools. `debug_info`: with locations.
    `local_scope`: without aliases. What the text says is what `parse` reads.
    """
    text = module.operation.get_asm(
        binary=True,
        print_generic_op_form=generic,
        enable_debug_info=debug_info,
        use_local_scope=local_scope,
    )
    written = text if generic else to_assembly(text)
    return written.decode("utf-8", "replace").rstrip("\n") + "\n"


def to_assembly(text: bytes) -> bytes:
    """`text`, which MLIR printed, with its `gs` ops in the assembly form.

    An op that has none, such as one that does not verify, stays as it is.
    """
    known = namespaces()
    if not any(f'"{each}.'.encode() in text for each in known):
        return text
    decoded = text.decode("latin-1")
    writer = _Writer(decoded, _op(known))
    return writer.written().encode("latin-1")


class _Writer:
    def __init__(self, text: str, op: re.Pattern[str]) -> None:
        self.text, self.op = text, op
        self.aliases = dict(_ALIAS.findall(text))
        self.changes: list[tuple[int, int, str]] = []

    def written(self) -> str:
        done = 0
        for op in self.op.finditer(self.text):
            if op.start() >= done:
                try:
                    done = self._op(op)
                except NoForm:
                    done = op.end()
        parts, at = [], 0
        for start, end, new in sorted(self.changes):
            parts += [self.text[at:start], new]
            at = end
        found = "".join([*parts, self.text[at:]])
        return self._without_unused(found) if self.aliases and self.changes else found

    def _op(self, op: re.Match[str]) -> int:
        """Note how the op is written; what stands before the returned offset is. Raises NoForm."""
        form, at = need(find(op[3])), op.end()
        spans = self._regions(at, op[1]) if self.text.startswith(" ({", at) else []
        need(len(spans) == len(form.regions))
        tail = spans[-1][1] + 1 if spans else at
        attributes, operand_types, result_types, end = self._tail(tail)
        regions = [self.text[start:stop] for start, stop in spans]
        combine = ""
        if form.regions == ("combiner",):
            name = combiners.standard(regions[0])
            combine = f" combine({name})" if name else ""
        if len(regions) == 1 and (combine or not regions[0][1:-1].strip()):
            regions = []
        operands = op[4].split(", ") if op[4] else []
        head = _head(form, operands, dict(attributes), len(result_types), self.aliases, combine)
        head = f"{op[3]}{' ' if head else ''}{head}"
        if form.has_results:
            results = ", ".join(result_types)
            results = results if len(result_types) == 1 else f"({results})"
            head += f" : ({', '.join(operand_types)}) -> {results}"
        else:
            need(not result_types and len(operand_types) == len(operands))
            head += f" : {', '.join(operand_types)}" if operands else ""
        start = op.start(3) - 1
        if not regions:
            self.changes.append((start, end, head))
            return end
        self.changes.append((start, spans[0][0], f"{head} "))
        self.changes.append((spans[-1][1], end, ""))
        return at

    def _regions(self, at: int, indent: str) -> list[tuple[int, int]]:
        """Where the regions of an op begin and end, which are printed from ` ({` at `at` on."""
        spans, start = [], at + 2
        while True:
            if self.text.startswith("{...}", start):
                end = start + 5
            else:
                found = self.text.find(f"\n{indent}}}", start)
                need(found >= 0)
                end = found + len(indent) + 2
            spans.append((start, end))
            if not self.text.startswith(", {", end):
                need(self.text.startswith(")", end))
                return spans
            start = end + 2

    def _tail(
        self, at: int
    ) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...], tuple[str, ...], int]:
        """Attributes, types of operands and results, and the end of an op that goes on at `at`."""
        attributes: tuple[tuple[str, str], ...] = ()
        if self.text.startswith(" {", at):
            end = scanner.closing(self.text, at + 1)
            need(end >= 0)
            attributes = _attributes(self.text[at + 2 : end])
            at = end + 1
        need(self.text.startswith(" : (", at))
        line = self.text.find("\n", at)
        rest = self.text[at + 3 : len(self.text) if line < 0 else line]
        rest = rest.partition(" loc(")[0]
        return (attributes, *_types(rest), at + 3 + len(rest))

    def _without_unused(self, text: str) -> str:
        """Without the aliases of maps that only ops in the generic form needed."""
        counts: dict[str, int] = {}
        for name in _ALIASED.findall(text):
            counts[name] = counts.get(name, 0) + 1
        unused = {name for name in self.aliases if counts.get(name) == 1}
        if not unused:
            return text
        return re.sub(
            rf"{_ALIAS.pattern}\n",
            lambda found: "" if found[1] in unused else found[0],
            text,
            flags=re.MULTILINE | re.ASCII,
        )


def _head(
    form: Form,
    operands: list[str],
    attributes: dict[str, str],
    results: int,
    aliases: dict[str, str],
    combine: str,
) -> str:
    """Operands, clauses and other attributes."""
    text = form.notation.write(operands, attributes, results, aliases, form.clauses)
    for name in form.clauses.kinds:
        if name in attributes:
            clause = form.clauses.write(name, attributes[name])
            if clause is not None:
                text += f" {clause}"
                del attributes[name]
    text += combine
    if attributes:
        listed = (f"{name} = {value}" if value else name for name, value in attributes.items())
        text += f" {{{', '.join(listed)}}}"
    return text


@lru_cache(maxsize=4096)
def _attributes(text: str) -> tuple[tuple[str, str], ...]:
    """Names and values; the value of a unit attribute is empty."""
    found = []
    for entry in scanner.split(text):
        name, _, value = entry.partition(" = ")
        found.append((name, value))
    return tuple(found)


@lru_cache(maxsize=4096)
def _types(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The types of operands and results, of a function type."""
    end = text.find(") -> ") if "<(" not in text else scanner.closing(text, 0)
    need(end >= 0 and text.startswith(" -> ", end + 1))
    results = text[end + 5 :]
    inner = results[1:-1] if results.startswith("(") and results.endswith(")") else results
    return scanner.split(text[1:end]), scanner.split(inner)
