"""`combine(add)`: combiner regions of one standard op, by name."""

import re
from contextlib import suppress
from functools import lru_cache

from mlir_gs.dialect.assembly import scanner

_KINDS = {"float": "arith", "integer": "arith", "complex": "complex"}
_OPS = {
    "add": {"float": "addf", "integer": "addi", "complex": "add"},
    "mul": {"float": "mulf", "integer": "muli", "complex": "mul"},
    "min": {"float": "minimumf", "integer": "minsi"},
    "max": {"float": "maximumf", "integer": "maxsi"},
    "minnum": {"float": "minnumf"},
    "maxnum": {"float": "maxnumf"},
    "minui": {"integer": "minui"},
    "maxui": {"integer": "maxui"},
    "and": {"integer": "andi"},
    "or": {"integer": "ori"},
    "xor": {"integer": "xori"},
}
"""What a combiner is called, and the op that it stands for by the kind of elements."""

NAMES = tuple(_OPS)
_NAME_OF = {
    (f"{_KINDS[kind]}.{op}", kind): name for name, ops in _OPS.items() for kind, op in ops.items()
}
_VALUE = r"(%[\w$.-]+)"
_REGION = re.compile(
    rf"\{{\s*\^bb0\({_VALUE}: (?P<type>[^\n]+), {_VALUE}: (?P=type)\):"
    rf"\s*{_VALUE} = (?P<op>\w+\.\w+) \1, \3 : (?P=type)"
    r'\s*(?:gs\.yield \4 : (?P=type)|"gs\.yield"\(\4\) : \((?P=type)\) -> \(\))\s*\}',
    re.ASCII,
)
_ALIAS = re.compile(rf"{scanner.STRING}|{scanner.COMMENT}|({scanner.ALIAS})", re.ASCII)
_SHAPED = re.compile(r"(?:tensor|memref)\s*<\s*(?:(?:\?|\d+)\s*x\s*)*(.+)>\s*$", re.ASCII | re.S)


def standard(region: str) -> str | None:
    """The name of the combiner that is `region`, as MLIR printed it; None for another one."""
    found = _REGION.fullmatch(region)
    return found and _NAME_OF.get((found["op"], kind(found["type"])))


def region(name: str, element: str, text: str) -> str | None:
    """The region of the combiner `name` on elements of the type `element`, in a text `text`; None
    where it has none."""
    of = kind(_meant(element, text))
    op = _OPS[name].get(of)
    if op is None:
        return None
    op = f"{_KINDS[of]}.{op}"
    # The region sees the values around it, so that their names cannot be used again.
    prefix = "%combined"
    while prefix in text:
        prefix += "_"
    a, b, c = prefix, f"{prefix}.a", f"{prefix}.b"
    return (
        f"{{^bb0({a}: {element}, {b}: {element}): {c} = {op} {a}, {b} : {element} "
        f'"gs.yield"({c}) : ({element}) -> ()}}'
    )


def element_of(type_: str, text: str) -> str | None:
    """The element type of a shaped type, which may be an alias that `text` defines."""
    shaped = _SHAPED.match(scanner.on_one_line(_meant(type_, text)))
    return None if shaped is None else scanner.split(shaped[1])[0]


def _meant(type_: str, text: str) -> str:
    """The type that `type_` stands for, which may be an alias that `text` defines."""
    if not type_.startswith("!"):
        return type_
    aliases = {**_aliases(text)}
    while type_ in aliases:
        # Taken out: a text may define an alias by itself.
        type_ = aliases.pop(type_)
    return type_


@lru_cache(maxsize=1)
def _aliases(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for token in _ALIAS.finditer(text):
        scan = scanner.Scanner(text, token.end())
        if token[1] is not None and scan.takes("="):
            with suppress(scanner.AssemblyError):
                found.setdefault(token[1], text[slice(*scan.type())])
    return found


def kind(element: str) -> str:
    """`float`, `integer` (index too), `complex`, or empty for another type."""
    if element.startswith("complex"):
        return "complex"
    if element == "index" or re.fullmatch(r"i\d+", element):
        return "integer"
    return "float" if re.fullmatch(r"(?:b|t)?f\d+\w*", element) else ""
