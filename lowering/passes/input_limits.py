"""Limits of a text that is parsed: deep nesting and some forms of ops end the process in MLIR."""

import re
from dataclasses import dataclass, field
from typing import Any

from mlir_gs.lowering.passes.fatal_forms import fatal_form

MOST_NESTED = 256
"""Brackets of any kind that may be open at a time; the default of clang's -fbracket-depth. Signs
in a row count as well."""

MOST_ALIASES = 1024
"""The most brackets and aliases nested in what an alias stands for: MLIR recurses to print them."""

MOST_EXPANDED = 1 << 20
"""Aliases that one may stand for, with those in them: upstream goes through all when it prints."""

MOST_BYTES = 1 << 31
"""An input of more is refused before it is parsed."""

MOST_DIMS = 64
"""Dims of a type; those of an array of NumPy."""

MOST_ELEMENTS = 1 << 58
"""Elements of a type with static sizes, the bytes of which are still numbers of 64 bits."""

MOST_IN_VECTOR = 1 << 16
"""Elements of a vector: LLVM counts its parts in 16 bits."""

_SHALLOW = 64
"""So many brackets in one another need no exact count."""

# A short shape is not too large.
_SHAPE = re.compile(
    rb"\b(tensor|memref|vector)<(?=[\dx?\[\]]{6})((?:(?:\d+|\?|\[\d+\])x)+)", re.ASCII
)
_DEFINITION = re.compile(rb"[#!][A-Za-z_$][\w$.]*\s*=(?!=)", re.ASCII)
_QUOTED = re.compile(rb'"(?:[^"\\\n]|\\.)*"|//[^\n]*')
_SIGNS = re.compile(rb"-\s*-(?!>)")
_PARENS = bytes.maketrans(b"[{<]}>", b"((()))")
_NO_BRACKETS = bytes(set(range(256)) - set(b"()[]{}<>"))
# A definition that is whole in its line, and names no other alias.
_PLAIN_DEFINITION = re.compile(
    rb"^[ \t]*[#!][A-Za-z_$][\w$.]*\s*=(?!=)([^\n#!]*[\w)\]}\">])(?<!->)[ \t]*$"
    rb"(?=\s*(?:[#!%\"}a-z]|\Z))",
    re.ASCII | re.MULTILINE,
)
_TOKENS = re.compile(
    # What a line begins with where an operation in the generic form does.
    rb'(?P<quoted>^[ \t]*"(?:[^"\\\n]|\\.)*"[ \t]*\()'
    rb'|"(?:[^"\\\n]|\\.)*"|(?P<comment>//[^\n]*)|->|[<>]=|(?P<open>[(\[{<])|(?P<close>[)\]}>])'
    rb"|(?P<sign>-)|(?P<define>[#!][A-Za-z_$][\w$.]*)(?=\s*=(?!=))|(?P<alias>[#!][A-Za-z_$][\w$.]*)"
    # What a line begins with where an operation does.
    rb"|(?P<op>^[ \t]*(?:%|[a-z_]+\.\w|module\b|func\b))",
    re.ASCII | re.MULTILINE,
)


@dataclass
class _Alias:
    """Brackets that are open at a time in what an alias stands for, and the aliases in it, with
    those that are open around each and where it is."""

    deepest: int = 0
    inner: list[tuple[bytes, int, int]] = field(default_factory=list)


def over_limit(data: bytes) -> tuple[int, int, str] | None:
    """Line and column (from 1) of what is not parsed in a text, and a message; else None."""
    if len(data) > MOST_BYTES:
        return 1, 1, f"the input has {len(data)} bytes, more than {MOST_BYTES}"
    return _large(data) or _nested(data) or _fatal(data)


def types_over_limit(operation: Any) -> str:
    """A message about a type of IR that came in as no text, empty if all are within the limits."""
    text = operation.get_asm(binary=True, assume_verified=True, large_elements_limit=16)
    beyond = _large(text)
    return "" if beyond is None else beyond[2]


def fatal_op(operation: Any) -> str:
    """A message about an op of IR that was built on which MLIR ends the process, empty if there is
    none."""
    text = operation.get_asm(
        binary=True, assume_verified=True, print_generic_op_form=True, large_elements_limit=16
    )
    found = fatal_form(text)
    return "" if found is None else found[1]


def _fatal(data: bytes) -> tuple[int, int, str] | None:
    found = fatal_form(data)
    return None if found is None else (*_place(data, found[0]), found[1])


def _large(data: bytes) -> tuple[int, int, str] | None:
    for shape in _SHAPE.finditer(data):
        if message := _too_large(shape[1].decode(), shape[2].decode()):
            return (*_place(data, shape.start()), message)
    return None


def _is_plain(data: bytes) -> bool:
    """Whether a text has few brackets in one another, no signs in a row and no alias of others.

    Most texts do, and are not looked at token by token.
    """
    bare = _QUOTED.sub(lambda found: b'""' if found[0][:1] == b'"' else b" ", data)
    if sum(_depth(bare)) > _SHALLOW or _SIGNS.search(bare):
        return False
    definitions = _DEFINITION.findall(bare)
    if not definitions:
        return True
    plain = _PLAIN_DEFINITION.findall(bare)
    return len(plain) == len(definitions) and all(not _depth(value)[1] for value in plain)


def _depth(text: bytes) -> tuple[int, int]:
    """How deep the brackets of a text without strings and comments nest, if that is not too deep,
    and how many of them have none that closes or opens them."""
    for sign in (b"->", b"<=", b">="):
        text = text.replace(sign, b" ")
    found = text.translate(_PARENS, _NO_BRACKETS)
    for depth in range(_SHALLOW):
        outer = found.replace(b"()", b"")
        if len(outer) == len(found):
            return depth, len(found)
        found = outer
    return _SHALLOW, len(found)


def _nested(data: bytes) -> tuple[int, int, str] | None:
    if _is_plain(data):
        return None
    definitions = len(_DEFINITION.findall(data))
    depth = signs = end = 0
    aliases: dict[bytes, _Alias] = {}
    # What stands in operations, and in no alias.
    outside = now = _Alias()
    for token in _TOKENS.finditer(data):
        kind, start = token.lastgroup, token.start()
        if kind != "comment":
            is_next = kind == "sign" and not data[end:start].strip()
            signs = (signs if is_next else 0) + (kind == "sign")
        end = token.end()
        if kind in ("op", "quoted") and not depth:
            now = outside
        if kind in ("open", "quoted"):
            depth += 1
            now.deepest = max(now.deepest, depth)
        elif kind == "close":
            depth = max(depth - 1, 0)
        elif kind == "define" and not depth:
            now = aliases.setdefault(token["define"], _Alias())
        elif kind == "alias" and definitions:
            now.inner.append((token["alias"], depth, start))
        if depth > MOST_NESTED or signs > MOST_NESTED:
            what = "brackets are" if depth > MOST_NESTED else "signs are"
            return (*_place(data, start), f"{what} nested more than {MOST_NESTED} deep")
    beyond = _beyond(aliases, outside) if definitions else None
    return None if beyond is None else (*_place(data, beyond[0]), beyond[1])


def _too_large(kind: str, shape: str) -> str:
    """What is wrong with a shape as `4x?x`, empty if nothing is."""
    sizes = [size.strip("[]") for size in shape[:-1].split("x")]
    if len(sizes) > MOST_DIMS:
        return f"a {kind} of {len(sizes)} dims has more than {MOST_DIMS}"
    most = MOST_IN_VECTOR if kind == "vector" else MOST_ELEMENTS
    count = 1
    for size in sizes:
        # A size of 0 makes others no smaller.
        count *= 1 if size == "?" else max(int(size[:40]), 1)
    return f"a {kind} of {shape[:-1]:.100} elements has more than {most}" if count > most else ""


def _place(data: bytes, start: int) -> tuple[int, int]:
    return data.count(b"\n", 0, start) + 1, start - data.rfind(b"\n", 0, start)


def _beyond(aliases: dict[bytes, _Alias], outside: _Alias) -> tuple[int, str] | None:
    """Where an alias is nested too deeply, or stands for too much, and a message."""
    known: dict[bytes, tuple[int, int]] = {}
    for name in aliases:
        # Not recursive. Those of locations may stand before what is in them, and in a round.
        waiting = [name]
        begun: set[bytes] = set()
        while waiting:
            one = waiting[-1]
            missing = [
                inner
                for inner, _, _ in aliases[one].inner
                if inner in aliases and inner not in known and inner not in begun
            ]
            if missing and one not in known:
                begun.add(one)
                waiting += missing[:1]
                continue
            waiting.pop()
            deepest, count = aliases[one].deepest, 1
            for inner, depth, start in aliases[one].inner:
                nested, stands_for = known.get(inner, (0, 0))
                deepest, count = max(deepest, depth + nested + 1), count + stands_for
                if deepest > MOST_ALIASES:
                    return start, f"aliases are nested more than {MOST_ALIASES} deep"
                if count > MOST_EXPANDED:
                    return start, f"aliases stand for more than {MOST_EXPANDED} others"
            known[one] = (deepest, count)
    for name, depth, start in outside.inner:
        if depth + known.get(name, (0, 0))[0] > MOST_ALIASES:
            return start, f"aliases are nested more than {MOST_ALIASES} deep"
    return None
