"""Forms of ops on which MLIR's parser or verifier ends the process, found in a text."""

import re

_ALIASED = re.compile(rb"^\s*(![A-Za-z_$][\w$.]*)\s*=\s*([^\n]*)", re.ASCII | re.MULTILINE)
_TOKENS = re.compile(
    rb'"linalg\.transpose"|"(?:[^"\\\n]|\\.)*"|//[^\n]*'
    rb"|(?P<op>\blinalg\.(?:transpose|elementwise)\b)"
    rb"|\bpermutation\s*=\s*(?P<order>\[\s*\]|array\s*<\s*i64\s*>)?"
    rb"|\belementwise_kind\s*<\s*(?P<kind>\w+)"
    rb"|(?P<ins>\bins\s*\()[^:()]*:(?P<types>(?:(?!\bouts\b|\blinalg\.)[\s\S])*)",
    re.ASCII,
)
_ELEMENT = re.compile(rb"(?:tensor|memref)\s*<\s*(?:[\d?]+\s*x\s*)*\s*(!?[\w.]+)", re.ASCII)
_TYPE = re.compile(rb"(?:tensor|memref)\s*<|![A-Za-z_$][\w$.]*", re.ASCII)

_NO_DIMS = "'tensor.expand_shape' op has a group of no dims"
_QUOTED = re.compile(rb'("[\w.]*")|"(?:[^"\\\n]|\\.)*"|//[^\n]*')
_EMPTY = re.compile(rb"\[(?:\s|//[^\n]*\n)*\]")
_GROUPS = rb"(\[[\[\]\s,:#\w.$-]*\]|#[\w.$-]+)"
_ALIAS = re.compile(rb"^\s*(#[\w.$-]+)\s*=\s*" + _GROUPS, re.ASCII | re.MULTILINE)
_EXPANDED = re.compile(
    rb'"([\w.]+)"\s*\(|\btensor\.expand_shape\s*%[\w.$#-]+\s*' + _GROUPS
    + rb'|\breassociation"?\s*=\s*' + _GROUPS,
    re.ASCII,
)  # fmt: skip

_ORDERED = {b"max_signed", b"min_signed"}
_SUMS = {b"add", b"mul"}
_KINDS = {
    "float": _SUMS | _ORDERED | {b"sub", b"div", b"powf"} | {
        b"exp", b"log", b"abs", b"ceil", b"floor", b"negf", b"reciprocal", b"round", b"sqrt",
        b"rsqrt", b"square", b"tanh", b"erf",
    },
    "complex": _SUMS | {b"sub", b"div"},
    "integer": _SUMS | _ORDERED | {
        b"sub", b"div", b"div_unsigned", b"max_unsigned", b"min_unsigned",
    },
    "boolean": _SUMS | _ORDERED,
}  # fmt: skip
"""What linalg.elementwise has a body for, by elements; `select` takes all."""


def _empty_group(data: bytes) -> int | None:
    """Where a tensor.expand_shape has a group of no dims, spelled out or by aliases."""
    if not _EMPTY.search(data):
        return None
    bare = _QUOTED.sub(lambda found: found[1] or b" " * len(found[0]), data)
    known: dict[bytes, bytes] = {}
    for name, groups in _ALIAS.findall(bare):
        known[name] = _shape_of_groups(groups, known)
    op = b""
    for found in _EXPANDED.finditer(bare):
        op = found[1] or op
        groups = found[2] or (found[3] if op == b"tensor.expand_shape" else None)
        if groups and _shape_of_groups(groups, known) == b"[[]]":
            return found.start()
    return None


def _shape_of_groups(text: bytes, known: dict[bytes, bytes]) -> bytes:
    """`[]` of nothing, `[[]]` with a group of no dims, else `0`; `known`: of aliases."""
    bare = b"".join(re.sub(rb"#[\w.$-]+", lambda name: known.get(name[0], b"0"), text).split())
    if bare == b"[]":
        return bare
    return b"[[]]" if b"[[]" in bare or b",[]" in bare else b"0"


def fatal_form(data: bytes) -> tuple[int, str] | None:
    """Where a text has an op that MLIR does not survive, and a message; else None."""
    if b"tensor.expand_shape" in data:
        start = _empty_group(data)
        if start is not None:
            return start, _NO_DIMS
    if b"linalg.transpose" not in data and b"linalg.elementwise" not in data:
        return None
    aliases: dict[bytes, bytes] | None = None
    start, op, kind = 0, b"", b""
    for token in _TOKENS.finditer(data):
        if token["op"] or token[0] == b'"linalg.transpose"':
            start, op, kind = token.start(), token["op"] or token[0][1:-1], b""
        elif token["kind"]:
            kind = token["kind"]
        elif token[0].startswith(b"permutation"):
            if op == b"linalg.transpose" and token["order"]:
                return start, "'linalg.transpose' op of rank 0 is not supported: MLIR aborts on it"
            op = b""
        elif token["ins"] and op == b"linalg.elementwise":
            if aliases is None:
                aliases = dict(_ALIASED.findall(data))
            elements = [_element(each, aliases) for each in _types(token["types"])]
            if kind and elements and not _has_body(kind, elements):
                shown = ", ".join(dict.fromkeys(e.decode() or "other types" for e in elements))
                message = f"of kind '{kind.decode()}' takes no elements of {shown}"
                return start, f"'linalg.elementwise' op {message}"
            op = b""
    return None


def _types(text: bytes) -> list[bytes]:
    """The types of a list, each with what follows it."""
    places = [found.start() for found in _TYPE.finditer(text)]
    # An element type may be one of `!`, and is none of the list.
    return [text[at:] for at in places if not re.search(rb"[x<]\s*$", text[:at][-4:])]


def _element(type_: bytes, aliases: dict[bytes, bytes]) -> bytes:
    """The name of the element type, empty where it is not seen."""
    found = _ELEMENT.match(_meant(type_, aliases))
    if found is None:
        return b""
    return re.split(rb"[^\w!.]", _meant(found[1], aliases))[0]


def _meant(type_: bytes, aliases: dict[bytes, bytes]) -> bytes:
    """What a type is that may be an alias of an alias."""
    # Bounded: a malformed alias may stand for itself.
    for _ in range(8):
        name = _TYPE.match(type_)
        if name is None or name[0] not in aliases:
            break
        type_ = aliases[name[0]].strip()
    return type_


def _has_body(kind: bytes, elements: list[bytes]) -> bool:
    if kind == b"select":
        return elements[0] == b"i1"
    classes = {_class(each) for each in elements}
    return len(classes) == 1 and kind in _KINDS.get(classes.pop(), set())


def _class(element: bytes) -> str:
    if element == b"i1":
        return "boolean"
    if element == b"complex":
        return "complex"
    if re.fullmatch(rb"i\d+", element):
        return "integer"
    return "float" if re.fullmatch(rb"(?:b|t)?f\d+\w*", element) else ""
