"""`combine(add)`: combiner regions of one standard op, by name."""

import re

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
_SHAPED = re.compile(r"(?:tensor|memref)\s*<\s*(?:(?:\?|\d+)\s*x\s*)*(.+)>\s*$", re.ASCII | re.S)


def standard(region: str) -> str | None:
    """The name of the combiner that is `region`, as MLIR printed it; None for another one."""
    found = _REGION.fullmatch(region)
    return found and _NAME_OF.get((found["op"], _kind(found["type"])))


def region(name: str, element: str, text: str) -> str | None:
    """The region of the combiner `name` on elements of the type `element`, in a text `text`; None
    where it has none."""
    op = _OPS[name].get(_kind(element))
    if op is None:
        return None
    op = f"{_KINDS[_kind(element)]}.{op}"
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
    for _ in range(8):
        if not type_.startswith("!"):
            break
        found = re.search(rf"^\s*{re.escape(type_)}\s*=\s*([^\n]*)", text, re.MULTILINE)
        if found is None:
            return None
        type_ = re.sub(r"//.*", "", found[1]).strip()
    shaped = _SHAPED.match(type_)
    if shaped is None:
        return None
    depth = 0
    for at, char in enumerate(shaped[1]):
        depth += (char in "<([{") - (char in ">)]}")
        if char == "," and not depth:
            return shaped[1][:at].strip()
    return shaped[1].strip()


def _kind(element: str) -> str:
    if element.startswith("complex"):
        return "complex"
    if element == "index" or re.fullmatch(r"i\d+", element):
        return "integer"
    return "float" if re.fullmatch(r"(?:b|t)?f\d+\w*", element) else ""
