"""The same text of MLIR, spelled otherwise: blanks, comments, aliases of types, names of dims."""

import random
import re
from collections.abc import Callable
from functools import partial

_STRING = r'"(?:[^"\\\n]|\\.)*"'
_APART = re.compile(rf"({_STRING}|->)|[()\[\]{{}},:]|(?<![=<>])=(?![=<>])")
_BLANKS = (" ", "\t", "\r\n", "\n   ", " " * 90, " // gs.note, }\n", ' // é "%x = gs.gather{\n')
_SHAPED = re.compile(rf"({_STRING})|(?:tensor|memref)<[^<>]*>")
_ELEMENT = re.compile(rf"({_STRING})|(?<![\w.!#%@$-])(?:bf16|f32|f64|i8|i32|i64|index)\b(?![<.])")
_INNER = re.compile(rf"({_STRING})|(?<=x)(?:bf16|f32|f64|i8|i32|i64|index)(?=>)")
_DIM = re.compile(rf"({_STRING})|(?<![\w%@#^.$!])d(?P<number>\d)\b")
_NAMES = ("row", "index", "f32", "affine_map", "none", "tensor", "to", "e_1", "_", "mode")
_CLAUSE = re.compile(r" (?:mode|batch_dims|dim|fill_value|fill|combine)\([^()\n]*(?=\))")
_STUFFING = (", unique", ", sorted", " , x = 1", ",", ", // c\n  sorted")


def respelled(rng: random.Random, text: str) -> str:
    """`text` with other blanks and names, which says the same."""
    head, names = "", rng.sample(_NAMES, len(_NAMES))
    for pattern, mark in ((_INNER, "e"), (_ELEMENT, "s-"), (_SHAPED, "$t")):
        if rng.random() < 0.5:
            head, text = _aliased(rng, pattern, mark, head, text)
    if rng.random() < 0.5:
        text = _outside(_DIM, text, lambda found: names[int(found["number"])])
    # MLIR takes no comments in attributes of other dialects, which stand in lines of their own.
    lines = [
        line if line.startswith("#") else _APART.sub(partial(_blanks, rng), line)
        for line in text.splitlines()
    ]
    return "\n".join([head, *lines])


def _blanks(rng: random.Random, token: re.Match[str]) -> str:
    """Some around the token, which is no string."""
    before, after = (rng.choice(_BLANKS) if rng.random() < 0.15 else "" for _ in "ab")
    return token[0] if token[1] else before + token[0] + after


def _aliased(
    rng: random.Random, pattern: re.Pattern[str], mark: str, head: str, text: str
) -> tuple[str, str]:
    """The definitions, and the text with some of its types by aliases."""
    known: dict[str, str] = {}

    def alias(found: re.Match[str]) -> str:
        if rng.random() < 0.3:
            return found[0]
        return known.setdefault(found[0], f"!{mark}{len(known)}")

    text = _outside(pattern, text, alias)
    for type_, name in known.items():
        comment = rng.choice(("", "", " // an alias\n ", "\n"))
        head += f"{name} ={comment} {type_}" + rng.choice(("\n", " ", " // and\n"))
    return head, text


def _outside(pattern: re.Pattern[str], text: str, new: Callable[[re.Match[str]], str]) -> str:
    """What the pattern finds that is no string, replaced."""
    return pattern.sub(lambda found: found[0] if found[1] else new(found), text)


def stuffed(rng: random.Random, text: str) -> str:
    """`text` with a clause that holds more than its value; empty if it has no clause."""
    clauses = list(_CLAUSE.finditer(text))
    if not clauses:
        return ""
    end = rng.choice(clauses).end()
    return text[:end] + rng.choice(_STUFFING) + text[end:]
