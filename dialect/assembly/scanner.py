"""Tokens of MLIR's text, as far as the assembly form of `gs` ops needs them.

Texts are bytes decoded as latin-1, so that an offset is one of bytes, which MLIR counts columns in.
"""

import difflib
import re
from collections.abc import Collection, Iterator
from functools import lru_cache

Span = tuple[int, int]
"""Where a part of the text begins and ends."""

STRING = r'"(?:[^"\\\n]|\\.)*"'
COMMENT = r"//[^\r\n]*"
_SPACE = re.compile(rf"(?:[ \t\r\n]+|{COMMENT})*")
# How white space and comments begin; the end of the text is in it as well.
_BLANK = " \n\t\r/"
VALUE = r"%(?:\d+|[A-Za-z$._-][\w$.-]*)(?:#\d+)?"
_VALUE = re.compile(VALUE, re.ASCII)
_RESULT = re.compile(r"#\d+", re.ASCII)
_WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
ALIAS = r"!(?:\d+|[A-Za-z$._-][\w$.-]*)"
_TYPE = re.compile(rf"{ALIAS}|[A-Za-z_$][\w$.]*", re.ASCII)
# What brackets are counted by; an arrow and a comparison are none.
_BRACKETS = re.compile(rf"{STRING}|{COMMENT}|->|[<>=]=|[()\[\]{{}}<>,]")
# What holds no brackets, strings or comments.
_PLAIN = re.compile(r'[^()\[\]{}<>"/]*')
_BLANKED = re.compile(rf"({STRING})|{COMMENT}|\n")
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}


class AssemblyError(ValueError):
    """A text is not in the assembly form; `line` and `column` count from 1, columns in bytes."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(f"-:{line}:{column}: error: {message}")
        self.line, self.column, self.message = line, column, message


class Scanner:
    """A text and a place in it, from which the parts of the op named `op` are read.

    Each method raises AssemblyError, at the place, where the text goes on otherwise.
    """

    def __init__(self, text: str, position: int = 0, op: str = "") -> None:
        self.text, self.position, self.op = text, position, op

    def fail(self, message: str, at: int | None = None) -> AssemblyError:
        """An error for `raise`, at `at` or the place."""
        at = self.position if at is None else at
        line = self.text.count("\n", 0, at) + 1
        column = at - self.text.rfind("\n", 0, at)
        whole = f"'{self.op}' op {message}".encode("latin-1", "replace").decode("utf-8", "ignore")
        return AssemblyError(line, column, whole)

    def skip(self) -> None:
        """Go past white space and comments."""
        if self.text[self.position : self.position + 1] not in _BLANK:
            return
        self.position = _end(_SPACE, self.text, self.position)

    def takes(self, token: str) -> bool:
        """Whether `token`, a punctuation, comes next, which is then behind."""
        if not self.text.startswith(token, self.position):
            self.skip()
            if not self.text.startswith(token, self.position):
                return False
        self.position += len(token)
        return True

    def expect(self, token: str, where: str = "") -> None:
        if not self.takes(token):
            raise self.fail(f"expected '{token}'{where}{self._found()}")

    def value(self, what: str = "operand") -> Span:
        """The name of a value."""
        start, end = self._match(_VALUE, f"the name of a value ({what})")
        if self.peek() == "#" and "#" not in self.text[start:end]:
            end = _end(_RESULT, self.text, self.position)
            self.position = end
        return start, end

    def word(self, what: str) -> str:
        start, end = self._match(_WORD, what)
        return self.text[start:end]

    def peek_word(self) -> str:
        """The word that comes next, empty if none does."""
        self.skip()
        found = _WORD.match(self.text, self.position)
        return found[0] if found else ""

    def peek(self) -> str:
        """The character that comes next, empty at the end."""
        self.skip()
        return self.text[self.position : self.position + 1]

    def inside(self, opening: str, where: str = "") -> Span:
        """What stands between `opening` and the bracket that closes it."""
        self.expect(opening, where)
        start = self.position
        end = self._closing(start, opening)
        self.position = end + 1
        return start, end

    def one_inside(self, opening: str, name: str) -> Span:
        """The one value of the clause `name` between brackets, without blanks around it."""
        start, end = self.inside(opening, f" after '{name}'")
        found = on_one_line(self.text[start:end])
        if not found.strip():
            raise self.fail(f"expected a value of '{name}'", start)
        comma = next(_commas(found), None)
        if comma is not None:
            raise self.fail(f"expected one value of '{name}', found ','", start + comma)
        start += len(found) - len(found.lstrip())
        return start, start + len(found.strip())

    def type(self) -> Span:
        """A type."""
        start, end = self._match(_TYPE, "a type")
        if self.peek() == "<":
            end = self.inside("<")[1] + 1
        self.position = end
        return start, end

    def types(self) -> list[Span]:
        """A list of types in parentheses."""
        self.expect("(", " before the types of operands or results")
        return [self.type() for _ in self.entries(")", "a type")]

    def entries(self, closing: str, what: str) -> Iterator[None]:
        """Once where each entry of a list with commas begins, until `closing` is behind."""
        ended = self.takes(closing)
        while not ended:
            yield
            ended = self.takes(closing)
            if not ended:
                self.expect(",", f" or '{closing}' after {what}")

    def no_such(self, kind: str, name: str, known: Collection[str], at: int) -> AssemblyError:
        """An error for a name that is none of `known`."""
        close = difflib.get_close_matches(name, known, n=1)
        hint = (
            f"; did you mean '{close[0]}'?" if close else f"; it has {', '.join(known) or 'none'}"
        )
        return self.fail(f"has no {kind} '{name}'{hint}", at)

    def _found(self) -> str:
        found = re.compile(r"[\w%@!#.\"\x80-\xff]+|.|$", re.ASCII).match(self.text, self.position)
        return f", found '{found[0][:40]}'" if found and found[0] else ", found the end of the text"

    def _match(self, pattern: re.Pattern[str], what: str) -> Span:
        self.skip()
        found = pattern.match(self.text, self.position)
        if found is None:
            raise self.fail(f"expected {what}{self._found()}")
        self.position = found.end()
        return found.span()

    def _closing(self, start: int, opening: str) -> int:
        plain = _end(_PLAIN, self.text, start)
        if self.text.startswith(_CLOSING[opening], plain):
            return plain
        waiting = [_CLOSING[opening]]
        for token in _BRACKETS.finditer(self.text, start):
            bracket = token[0]
            if bracket in _CLOSING:
                waiting.append(_CLOSING[bracket])
            elif bracket == waiting[-1]:
                waiting.pop()
                if not waiting:
                    return token.start()
            elif bracket in (")", "]", "}", ">"):
                raise self.fail(f"expected '{waiting[-1]}', found '{bracket}'", token.start())
        raise self.fail(f"'{opening}' is not closed", start - 1)


@lru_cache(maxsize=4096)
def split(text: str) -> tuple[str, ...]:
    """The entries of a list that MLIR printed, without the brackets around it."""
    parts, start = [], 0
    for comma in _commas(text):
        parts.append(text[start:comma].strip())
        start = comma + 1
    last = text[start:].strip()
    return (*parts, last) if parts or last else ()


def _commas(text: str) -> Iterator[int]:
    """Where commas stand that are in no brackets."""
    depth = 0
    for token in _BRACKETS.finditer(text) if "," in text else ():
        bracket = token[0]
        if bracket in _CLOSING:
            depth += 1
        elif bracket in (")", "]", "}", ">"):
            depth -= 1
        elif bracket == "," and not depth:
            yield token.start()


def closing(text: str, start: int) -> int:
    """Where the bracket at `start` of a text that MLIR printed closes; -1 where it does not."""
    try:
        return Scanner(text)._closing(start + 1, text[start])
    except AssemblyError:
        return -1


def on_one_line(text: str) -> str:
    """`text` with spaces for newlines and comments, of the same length."""
    if "\n" not in text and "//" not in text:
        return text
    return _BLANKED.sub(lambda found: found[1] or " " * len(found[0]), text)


def words(text: str) -> bool:
    """Whether `text` is a word, which needs no quotes."""
    return _WORD.fullmatch(text) is not None


def _end(pattern: re.Pattern[str], text: str, start: int) -> int:
    """Where what `pattern` matches ends; `start` where it matches nothing."""
    found = pattern.match(text, start)
    return start if found is None else found.end()
