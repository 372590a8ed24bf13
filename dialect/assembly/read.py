"""Assembly form to generic form: a text that MLIR's parser reads, and which place came from where.

Only `gs` ops in their assembly form are written anew. All else, and what they hold, stays.
"""

import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.assembly import combiners, scanner
from mlir_gs.dialect.assembly.form import Form, Parts, find, names, namespaces
from mlir_gs.dialect.assembly.positions import Piece, Places, Rewriting
from mlir_gs.dialect.assembly.repeated import Repeated
from mlir_gs.dialect.assembly.scanner import Scanner, Span


@lru_cache(maxsize=64)
def _token(namespaces: tuple[str, ...]) -> re.Pattern[str]:
    op = rf"(?P<op>(?<![\w.$#!%@^-])(?:{'|'.join(namespaces)})\.[A-Za-z_]\w*)"
    # Of resources the names may be like those of ops.
    resources = rf'{{-#(?:{scanner.STRING}|[^"])*?#-}}'
    every = (scanner.STRING, scanner.COMMENT, op, resources, "[{}]")
    return re.compile("|".join(every), re.ASCII)


@lru_cache(maxsize=64)
def _hint(namespaces: tuple[str, ...]) -> re.Pattern[bytes]:
    return re.compile(rf'(?<!["\w])(?:{"|".join(namespaces)})\.'.encode())


# One operand or more and one result, in one line, of types without anything nested: most are so.
_TYPE = r"[a-z]\w*(?:<[\w?]*>)?"
_PLAIN_TYPES = re.compile(rf"\(({_TYPE})(?:, {_TYPE})*\) -> {_TYPE}(?!\s*<|[\w.$])", re.ASCII)
# What may follow an op in its line and holds no op.
_NO_OP = re.compile(r"[\s{})(,]*(?:loc\([^\n]*)?(?://[^\n]*)?")


@dataclass(frozen=True)
class Generic:
    """A text in the generic form. `place` gives the line and column in the text that it was made
    of for ones in it; None where they are the same. `moved`: ops may stand at other places."""

    text: bytes
    place: Callable[[int, int], tuple[int, int]] | None = None
    moved: bool = False


def to_generic(text: bytes) -> Generic:
    """`text` with its `gs` ops in the generic form. Raises AssemblyError."""
    # Most ops are written in the generic form by tools, and found at once.
    known = namespaces()
    if text.startswith(b"ML\xefR") or _hint(known).search(text) is None:
        return Generic(text)
    source = text.decode("latin-1")
    reader = _Reader(source, _token(known), Repeated(source))
    reader.read()
    if not reader.found:
        return Generic(text)
    rewriting = reader.rewriting
    places = Places(lambda: with_places(source, known))
    return Generic(rewriting.text().encode("latin-1"), places.source, rewriting.moved)


def with_places(source: str, known: tuple[str, ...]) -> Rewriting:
    """`source` as it is rewritten, with which place came from where."""
    reader = _Reader(source, _token(known), None)
    reader.read()
    return reader.rewriting


@dataclass
class _Open:
    """An op whose region is being read: where the brace is, what comes behind the regions."""

    depth: int
    left: int
    tail: list[Piece]
    scan: Scanner
    brace: int


class _Reader:
    """`repeated`: where ops are kept that others may be like; None to tell what came from where."""

    def __init__(self, text: str, token: re.Pattern[str], repeated: Repeated | None) -> None:
        self.text, self.token, self.repeated = text, token, repeated
        self.rewriting = Rewriting(text)
        self.found = False
        self.depth = 0
        self.opened: list[_Open] = []

    def read(self) -> None:
        at, before = 0, ""
        while token := self.token.search(self.text, at):
            # The last character before that is in no comment.
            before = self.text[at : token.start()].rstrip()[-1:] or before
            at = token.end()
            kind = token[0]
            if kind.startswith("//"):
                continue
            if token.lastgroup:
                again = self._again(token.start(), kind) if self.repeated else 0
                if again:
                    at = again
                elif self._is_op(before, at):
                    at = self._op(token.start(), kind)
            elif kind == "{":
                self.depth += 1
            elif kind == "}":
                self.depth -= 1
                if self.opened and self.opened[-1].depth == self.depth:
                    at = self._close(at)
            before = kind[-1]
        if self.opened:
            last = self.opened[-1]
            raise last.scan.fail("the region is not closed", last.brace)
        self.rewriting.copy(len(self.text))

    def _is_op(self, before: str, end: int) -> bool:
        """Whether a name that ends there, behind the character `before`, is one of an op, not of
        an attribute or a resource."""
        following = Scanner(self.text, end).peek()
        if following == "=" or (before and before in "<([,"):
            return False
        return not (following in ("}", ",", "") and before == "{")

    def _again(self, start: int, name: str) -> int:
        """Write the op there if one like it was read; returns where to go on, else 0."""
        found = self.repeated and self.repeated.find(start, name)
        if not found:
            return 0
        text, tail, end = found
        self.rewriting.copy(start)
        self.rewriting.write([text], start)
        self.rewriting.go_on(end)
        if tail is not None:
            scan = Scanner(self.text, end, name)
            self.opened.append(_Open(self.depth, 0, [tail], scan, end))
        return end

    def _op(self, start: int, name: str) -> int:
        """Write the op that starts there; returns where to go on."""
        scan = Scanner(self.text, start + len(name), name)
        form = find(name)
        if form is None:
            if name.startswith("gs."):
                raise _unknown(scan, start)
            # Of another dialect, which may have ops that MLIR reads.
            return scan.position
        self.found = True
        self.rewriting.copy(start)
        parts = form.notation.read(scan, form.clauses)
        _read_clauses(scan, form, parts)
        dictionary: Span | None = scan.inside("{") if scan.peek() == "{" else None
        types, first, results = _types(scan, form, parts)
        end = scan.position
        _type_constants(scan, form, parts, types)
        form.notation.finish(scan, parts, results)
        head: list[Piece] = [f'"{name}"(']
        for number, operand in enumerate(parts.operands):
            head += [", " if number else "", operand]
        opening = ") (" if form.regions else ")"
        head.append(opening)
        tail = [*_dictionary(self.text, parts, dictionary), *types]
        if form.regions:
            tail.insert(0, ")")
        self.rewriting.write(head, start)
        region: str | None = ""
        if parts.combiner:
            if scan.peek() == "{":
                raise scan.fail(f"has both combine({parts.combiner}) and a region: write one")
            element = first and combiners.element_of(self.text[slice(*first)], self.text)
            region = element and combiners.region(parts.combiner, element, self.text)
            if not region:
                raise scan.fail(
                    f"combine({parts.combiner}) has no meaning for elements of "
                    f"{element or 'an unknown type'}: write the combiner's region",
                    parts.combiner_at,
                )
            self.rewriting.write([region], parts.combiner_at)
            self.rewriting.moved = True
        elif form.regions and scan.peek() == "{":
            self.rewriting.go_on(scan.position)
            self._check_moved(scan.position)
            self.opened.append(_Open(self.depth, len(form.regions) - 1, tail, scan, scan.position))
            if self.repeated and len(form.regions) == 1:
                rest = self.rewriting.joined(tail)
                self.repeated.keep(start, scan.position, name, parts.operands, opening, rest)
            return scan.position
        elif len(form.regions) == 1:
            region = "{}"
            self.rewriting.write([region], start)
        elif form.regions:
            raise scan.fail(f"expected {len(form.regions)} regions")
        rest = self.rewriting.write(tail, start)
        if self.repeated:
            text = f"{opening}{region}{rest}"
            self.repeated.keep(start, end, name, parts.operands, text, None)
        self.rewriting.go_on(end)
        self._check_moved(end)
        return end

    def _close(self, at: int) -> int:
        """A region ends before `at`; returns where to go on."""
        self.rewriting.copy(at)
        current = self.opened[-1]
        if current.left:
            current.left -= 1
            current.scan.position = at
            current.scan.expect(",", " before the next region")
            if current.scan.peek() != "{":
                raise current.scan.fail("expected '{'")
            self.rewriting.write([", "], at)
            self.rewriting.go_on(current.scan.position)
            self._check_moved(current.scan.position)
            return current.scan.position
        self.opened.pop()
        self.rewriting.write(current.tail, at)
        self.rewriting.go_on(at)
        self._check_moved(at)
        return at

    def _check_moved(self, at: int) -> None:
        if self.rewriting.shift:
            end = self.text.find("\n", at)
            rest = self.text[at:] if end < 0 else self.text[at:end]
            self.rewriting.moved |= _NO_OP.fullmatch(rest) is None


def _unknown(scan: Scanner, start: int) -> scanner.AssemblyError:
    error = scan.no_such("op", scan.op, names(), start)
    line, column = error.line, error.column
    hint = error.message.partition("; ")[2]
    return scanner.AssemblyError(line, column, f"there is no op '{scan.op}'; {hint}")


def _read_clauses(scan: Scanner, form: Form, parts: Parts) -> None:
    while word := scan.peek_word():
        at = scan.position
        scan.word(word)
        given = {name for name, _ in parts.attributes}
        if word in given or (word == "combine" and parts.combiner):
            raise scan.fail(f"has '{word}' twice", at)
        if word == "combine" and "combiner" in form.regions:
            scan.expect("(", " after 'combine'")
            scan.skip()
            parts.combiner_at = scan.position
            parts.combiner = scan.word("the name of a combiner")
            if parts.combiner not in combiners.NAMES:
                known = sorted(combiners.NAMES)
                raise scan.no_such("combiner", parts.combiner, known, parts.combiner_at)
            scan.expect(")", " after the combiner")
        elif word in form.clauses.kinds:
            parts.attributes.append(form.clauses.read(scan, word))
        elif close := difflib.get_close_matches(word, form.clauses.kinds, n=1):
            raise scan.fail(f"has no clause '{word}'; did you mean '{close[0]}'?", at)
        else:
            listed = ", ".join(sorted(form.clauses.kinds.keys() - given)) or "none"
            raise scan.fail(
                f"expected ':' and the types, or a clause ({listed}), found '{word}'", at
            )


def _types(scan: Scanner, form: Form, parts: Parts) -> tuple[list[Piece], Span | None, int]:
    """The types as the generic form has them, that of the first operand, how many results."""
    if not form.has_results and not parts.operands:
        return [" : () -> ()"], None, 0
    scan.expect(":", " before the types")
    scan.skip()
    start = scan.position
    if not form.has_results:
        found = [scan.type()]
        while scan.takes(","):
            found.append(scan.type())
        scan.position = found[-1][1]
        return [" : (", (start, scan.position), ") -> ()"], found[0], 0
    plain = _PLAIN_TYPES.match(scan.text, start)
    if plain is not None:
        scan.position = plain.end()
        _check_count(scan, parts, scan.text.count(",", start, plain.end()) + 1, start)
        return [" : ", plain.span()], plain.span(1), 1
    found = scan.types()
    _check_count(scan, parts, len(found), start)
    scan.expect("->", " after the types of the operands")
    results = len(scan.types()) if scan.peek() == "(" else len([scan.type()])
    return [" : ", (start, scan.position)], found[0] if found else None, results


_NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]*(?:[eE][-+]?[0-9]+)?)?")


def _type_constants(scan: Scanner, form: Form, parts: Parts, types: list[Piece]) -> None:
    """Give numbers without a type the element type of what they fill: `fill_value(0.0)`."""
    kinds = form.clauses.kinds
    at = types[1] if len(types) == 2 else None
    for number, (name, pieces) in enumerate(parts.attributes):
        if kinds.get(name) is not ir.Attribute and name != "fill_values":
            continue
        operands = Scanner(scan.text, at[0], scan.op).types() if isinstance(at, tuple) else []
        typed, taken = list[Piece](), 0
        for piece in pieces:
            typed += (
                [piece] if isinstance(piece, str) else _typed(scan.text, piece, operands[taken])
            )
            # What is in no span is a unit, a comma or a bracket.
            taken += not isinstance(piece, str) or piece == "unit"
        parts.attributes[number] = name, typed


def _typed(text: str, constant: Span, operand: Span) -> list[Piece]:
    found = _NUMBER.fullmatch(text[slice(*constant)].strip())
    element = combiners.element_of(text[slice(*operand)], text) or ""
    kind = found and combiners.kind(element)
    if found is None or kind not in ("float", "integer") or (kind == "integer" and found[1]):
        return [constant]
    return [constant, ".0" if kind == "float" and not found[1] else "", f" : {element}"]


def _check_count(scan: Scanner, parts: Parts, types: int, at: int) -> None:
    if types != len(parts.operands):
        raise scan.fail(f"expected {len(parts.operands)} types of operands, found {types}", at)


def _dictionary(text: str, parts: Parts, given: Span | None) -> list[Piece]:
    pieces: list[Piece] = []
    for name, value in parts.attributes:
        pieces += [", " if pieces else " {", name, *([" = ", *value] if value else [])]
    if given is not None and scanner.on_one_line(text[slice(*given)]).strip():
        pieces += [", " if pieces else " {", given]
    return [*pieces, "}"] if pieces else []
