"""Pattern files with numbers that stand for any: `$n`, `$(n - 1)` and `$[[s + 2 * a] for a in n]`.

The header names them, with two values each, and what must hold of them: `// any: n = 11, 14; s = 3,
2` and `// where: s < n; n < 2**31`. A pattern sees the file with the first values, and with the
second. The solver sees the symbols.
"""

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import z3
from mlir_gs.prove.symbolic import Symbols, key_of

_NAME = re.compile(r"\$(\w+)")
_LITERAL = re.compile(r"(?<![\w%#@$.])\d+(?=x|[^\w.]|$)|(?<=\dx)\d+|(?<=\?x)\d+")


@dataclass(frozen=True)
class Spelled:
    """One `$...`: its place in the text, and the expression of a number or of elements."""

    start: int
    end: int
    node: ast.expr

    def value(self, names: Mapping[str, Any]) -> Any:
        """The number or nested list for numbers by name."""
        return _evaluated(self.node, names)

    def elements(self, names: Mapping[str, Any]) -> Callable[[Sequence[Any]], Any]:
        """The element at an index, for terms by name."""
        return lambda index: _at(self.node, list(index), names)


def spelled(text: str) -> Iterator[Spelled]:
    place = 0
    while (start := text.find("$", place)) >= 0:
        name = _NAME.match(text, start)
        if name:
            place, source = name.end(), name.group(1)
        else:
            place = _closing(text, start + 1)
            source = text[start + 1 : place]
        yield Spelled(start, place, ast.parse(source, mode="eval").body)


def _closing(text: str, start: int) -> int:
    depth = 0
    for place in range(start, len(text)):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(text[place], 0)
        if depth == 0:
            return place + 1
    raise ValueError(f"no end of {text[start:]}")


def _evaluated(node: ast.expr, names: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.ListComp):
        (each,) = node.generators
        return [
            _evaluated(node.elt, {**names, each.target.id: n})
            for n in range(_number(each.iter, names))
        ]
    if isinstance(node, ast.List):
        return [_evaluated(each, names) for each in node.elts]
    return _number(node, names)


def _number(node: ast.expr, names: Mapping[str, Any]) -> Any:
    return eval(compile(ast.Expression(node), "template", "eval"), {}, dict(names))


def _at(node: ast.expr, index: list[Any], names: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.ListComp):
        (each,) = node.generators
        return _at(node.elt, index[1:], {**names, each.target.id: index[0]})
    if isinstance(node, ast.List):
        found = [_at(each, index[1:], names) for each in node.elts]
        for n in reversed(range(len(found) - 1)):
            found[-1] = z3.If(index[0] == n, found[n], found[-1])
        return found[-1]
    return _number(node, names)


@dataclass(frozen=True)
class Template:
    """A text, the values of its names, and what is known of them."""

    text: str
    any: str
    where: str = ""
    # What the rewrite may spell and the text does not.
    also: str = ""

    def names(self, choice: int) -> dict[str, int]:
        pairs = (each.split("=") for each in self.any.split(";") if each.strip())
        return {name.strip(): int(values.split(",")[choice]) for name, values in pairs}

    def written(self, choice: int) -> tuple[str, Symbols]:
        """The text with the values of this choice, and what its numbers stand for."""
        names = self.names(choice)
        terms = {name: z3.Int(name) for name in names}
        numbers: dict[int, Any] = {}
        arrays = {}
        text, end = [], 0
        for each in spelled(self.text):
            text += [self.text[end : each.start], str(each.value(names))]
            end = each.end
        text.append(self.text[end:])
        more = [each.strip() for each in self.also.split(";") if each.strip()]
        also = " ".join(f"${each}" if each[0] == "[" else f"$({each})" for each in [*more, *names])
        for each in [*spelled(self.text), *spelled(also)]:
            value = each.value(names)
            if isinstance(value, list):
                arrays[key_of(np.array(value, np.int64))] = each.elements(terms)
                continue
            term = z3.simplify(z3.IntVal(0) + each.elements(terms)(()))
            if not numbers.setdefault(value, term).eq(term):
                raise ValueError(f"{value} is {term} and {numbers[value]}")
        plain = "".join(text[::2])
        both = {int(n) for n in _LITERAL.findall(plain)} & numbers.keys()
        if both:
            raise ValueError(f"{both} are also written as numbers")
        given = [_number(ast.parse(each.strip(), mode="eval").body, terms)
                 for each in self.where.split(";") if each.strip()]  # fmt: skip
        facts = [*(z3.And(n >= 0, n < 1 << 62) for n in terms.values()), *given]
        return "".join(text), Symbols(numbers, arrays, facts)
