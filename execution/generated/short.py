"""A short spelling of the LLVM dialect, for the functions that all kernels share.

    %y = load %p[3] : i64              word 3 behind %p; without brackets word 0
    %x, %y = load %p[3] : i64          words 3 and 4
    %y = load %p[20 x i8] : i32        byte 20, as an i32
    store %v, %p[%k] : ptr
    %q = at %p[%k x any]               the address of value k of tvm-ffi, which has two words
    %r = call @f(%a, @g)               a function of the text, which says its types; @g: its address
    %n = call @snprintf(%a, %b, %c, %x : i64)       behind the colon types of variadic operands
    %c7, %i7, %null, %true, %false     constants: an i64, an i32, a pointer, truth values

`ptr` stands for `!llvm.ptr`. All else is as MLIR has it.
"""

import re

_NAMES = {"ptr": "!llvm.ptr", "any": "!llvm.array<2 x i64>"}
_POINTER = _NAMES["ptr"]
_HEAD = re.compile(r"llvm\.func (?:internal )?@(\w+)\(([^)]*)\)(?:\s*->\s*\(?([!\w.]+))?")
_PLACE = r"(%\w+)(?:\[([%\w-]+)(?: x (\w+))?\])?"
_OPERATION = re.compile(
    rf"^  (?:(?:(%\w+(?:, %\w+)*) = load|store (%\w+),) {_PLACE} : (\w+)|(%\w+) = at {_PLACE}"
    r"|((?:%\w+ = )?)call @(\w+)\(([^):]*)(?::([^)]*))?\))$",
    re.MULTILINE,
)
_CONSTANT = re.compile(r"%(?:[ci]\d+|null|true|false)\b")

Types = dict[str, tuple[list[str], str]]
"""By name of a function the types of its parameters and of its result, or an empty text."""


def types_of(text: str) -> Types:
    """Of the functions that a text defines or declares."""
    return {
        name: ([one.rpartition(":")[2].split()[0] for one in found.split(",") if one], result)
        for name, found, result in _HEAD.findall(text)
    }


def signature(types: tuple[list[str], str]) -> str:
    """As `(i64) -> i32`."""
    return f"({', '.join(types[0])}) -> {types[1] or '()'}"


def expand(text: str) -> str:
    """`text` as MLIR parses it."""
    types = types_of(text)
    found = []
    for chunk in re.split(r"^(?=llvm\.)", text, flags=re.MULTILINE):
        head, brace, body = chunk.partition(" {\n")
        if chunk.startswith("llvm.func") and brace:
            body = _OPERATION.sub(lambda one: _operation(one, types), body)
            names = dict.fromkeys(_CONSTANT.findall(body))
            body = "".join(_constant(name) for name in names if f"{name} =" not in body) + body
        found.append(head + brace + body)
    return "".join(found)


def _operation(found: re.Match[str], types: Types) -> str:
    loaded, stored, base, index, element, kind = found.groups()[:6]
    address, *place, result, callee, operands, more = found.groups()[6:]
    if callee:
        lines = []
        for name in dict.fromkeys(re.findall(r"@\w+", operands)):
            lines.append(f"  %{name[1:]} = llvm.mlir.addressof {name} : {_POINTER}")
        operands = operands.replace("@", "%")
        return "\n".join([*lines, f"  {result}{_call(callee, operands, more, types[callee])}"])
    if address:
        return f"  {address} = {_address(*place)}"
    kind = _NAMES.get(kind, kind)
    lines = []
    for number, name in enumerate(loaded.split(", ") if loaded else [stored]):
        at, shifted = base, index or "0"
        if not shifted.startswith("%"):
            shifted = str(int(shifted) + number)
        if shifted != "0":
            at = f"%at{found.start()}_{number}"
            lines.append(f"{at} = {_address(base, shifted, element)}")
        read, write = f"{name} = llvm.load {at} :", f"llvm.store {name}, {at} :"
        lines.append(f"{read} {_POINTER} -> {kind}" if loaded else f"{write} {kind}, {_POINTER}")
    return "\n".join(f"  {line}" for line in lines)


def _call(callee: str, operands: str, more: str | None, types: tuple[list[str], str]) -> str:
    variadic, (given, result) = "", types
    if "..." in given:
        variadic = f" vararg(!llvm.func<{result} ({', '.join(given)})>)"
        last = [one.strip() for one in (more or "").split(",") if one.strip()]
        given = [*given[:-1], *(_NAMES.get(one, one) for one in last)]
    return f"llvm.call @{callee}({operands.rstrip()}){variadic} : {signature((given, result))}"


def _address(base: str, index: str, element: str | None) -> str:
    dynamic = ", i64" if index.startswith("%") else ""
    kind = _NAMES.get(element or "", element or "i64")
    return f"llvm.getelementptr {base}[{index}] : ({_POINTER}{dynamic}) -> {_POINTER}, {kind}"


def _constant(name: str) -> str:
    if name == "%null":
        return f"  %null = llvm.mlir.zero : {_POINTER}\n"
    if name in ("%true", "%false"):
        return f"  {name} = llvm.mlir.constant({name[1:]}) : i1\n"
    bits = 64 if name[1] == "c" else 32
    return f"  {name} = llvm.mlir.constant({name[2:]} : i{bits}) : i{bits}\n"
