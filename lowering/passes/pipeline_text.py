"""The text of a pass pipeline, `builtin.module(cse,func.func(canonicalize{top-down=false}))`.

Split into elements with their places in the text, so that a message can point at one. Names are
not looked up here.
"""

from collections.abc import Iterator
from dataclasses import dataclass

_MAX_DEPTH = 100
_SHOWN = 240


class PipelineError(ValueError):
    """A pipeline that cannot be built; `str()` is mlir-opt's message, with a caret below the text.

    `reason` is the message alone, `text` the whole pipeline and `offset` the place in it.
    """

    def __init__(self, reason: str, text: str, offset: int) -> None:
        self.reason = reason.strip()
        self.text = text
        self.offset = offset
        start = text.rfind("\n", 0, offset) + 1
        line = text.count("\n", 0, offset) + 1
        shown = text[start:].split("\n", 1)[0]
        column = offset - start
        # Of a long line what is around the place.
        first = max(0, column - _SHOWN // 2) if len(shown) > _SHOWN else 0
        shown = shown[first : first + _SHOWN]
        super().__init__(
            f"MLIR Textual PassPipeline Parser:{line}:{column + 1}: error: {self.reason}\n"
            f"{shown}\n{' ' * (column - first)}^"
        )


@dataclass(frozen=True)
class Element:
    """One pass, pipeline or nested anchor of a pipeline text.

    `options` is the text between the braces, None without braces; `children` are the elements
    between the parentheses, None without parentheses. `start` and `end` bound the element.
    """

    name: str
    options: str | None
    children: tuple["Element", ...] | None
    start: int
    end: int

    def walk(self) -> Iterator["Element"]:
        """The element and everything nested in it, outermost first."""
        yield self
        for child in self.children or ():
            yield from child.walk()


def parse_pipeline(text: str) -> tuple[Element, ...]:
    """The top-level elements of `text`; an empty text has none. Raises PipelineError."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise PipelineError("the text is no UTF-8", text, error.start) from error
    elements, position = _parse_list(text, 0, 0)
    if position < len(text):
        raise PipelineError(
            "encountered extra closing ')' creating unbalanced parentheses", text, position
        )
    return elements


def _parse_list(text: str, position: int, depth: int) -> tuple[tuple[Element, ...], int]:
    """Elements up to the end of the text or an unmatched `)`, and the place of that end."""
    elements: list[Element] = []
    while True:
        position = _skip_blanks(text, position)
        at_end = position == len(text) or text[position] == ")"
        if at_end and not elements:
            return (), position
        element, position = _parse_element(text, position, depth)
        elements.append(element)
        position = _skip_blanks(text, position)
        if position == len(text) or text[position] == ")":
            return tuple(elements), position
        if text[position] != ",":
            raise PipelineError(f"expected ',' after '{element.name}'", text, position)
        position += 1


def _parse_element(text: str, start: int, depth: int) -> tuple[Element, int]:
    if depth > _MAX_DEPTH:
        raise PipelineError(f"nested more than {_MAX_DEPTH} deep", text, start)
    position = start
    while position < len(text) and text[position] not in ",(){}":
        position += 1
    name = text[start:position].strip()
    if not name:
        raise PipelineError("expected the name of a pass, a pipeline or an operation", text, start)
    end = start + len(name)
    options = None
    children = None
    if position < len(text) and text[position] == "{":
        close = _closing(text, position)
        options = text[position + 1 : close]
        position = end = close + 1
        position = _skip_blanks(text, position)
    if position < len(text) and text[position] == "(":
        opened = position
        children, position = _parse_list(text, position + 1, depth + 1)
        if position == len(text):
            raise PipelineError(
                "encountered unbalanced parentheses while parsing pipeline", text, opened
            )
        if not children:
            raise PipelineError(f"nothing to run in '{name}()'", text, start)
        position = end = position + 1
    return Element(name, options, children, start, end), position


def _closing(text: str, opened: int) -> int:
    """The place of the brace that closes the one at `opened`; quoted braces do not count."""
    depth = 0
    quote = ""
    for position in range(opened, len(text)):
        char = text[position]
        if quote:
            if char == quote:
                quote = ""
        elif char in "\"'":
            quote = char
        elif char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0:
                return position
    raise PipelineError("missing closing '}' while processing pass options", text, opened)


def _skip_blanks(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def split_options(text: str) -> list[tuple[str, str | None]]:
    """`a=1 b={x y} c` as `[("a", "1"), ("b", "x y"), ("c", None)]`; raises ValueError.

    A value may stand in braces or quotes, which then are not part of it.
    """
    options: list[tuple[str, str | None]] = []
    position = _skip_blanks(text, 0)
    while position < len(text):
        start = position
        while position < len(text) and text[position] != "=" and not text[position].isspace():
            position += 1
        key = text[start:position]
        if not key:
            raise ValueError(f"expected an option name at '{text[start:]}'")
        value = None
        if position < len(text) and text[position] == "=":
            value, position = _option_value(text, position + 1)
        options.append((key, value))
        position = _skip_blanks(text, position)
    return options


def _option_value(text: str, start: int) -> tuple[str, int]:
    opener = text[start] if start < len(text) else ""
    if opener == "{":
        close = _closing(text, start)
        return text[start + 1 : close], close + 1
    if opener in ("'", '"'):
        close = text.find(opener, start + 1)
        if close < 0:
            raise ValueError(f"missing closing {opener} in option value {text[start:]}")
        return text[start + 1 : close], close + 1
    position = start
    while position < len(text) and not text[position].isspace():
        position += 1
    return text[start:position], position
