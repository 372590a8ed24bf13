"""Generated code around a kernel that travels: LLVM dialect text of its C functions.

Compiled code reports an error by `__gs_report(kind, message, sink)` of `calls.c`: into the caller's
`gs_error`, or, without one, as tvm-ffi's raised error. The sink goes down the calls as one more
argument (`sink.py`). tvm-ffi's functions are weak symbols: a program without tvm-ffi needs none.
"""

from collections.abc import Sequence

from mlir_gs.execution.generated.text import Text, reference
from mlir_gs.execution.generated.wrapper import SYMBOL_PREFIX, scalar_type
from mlir_gs.execution.signature.signature import Entry, Parameter
from mlir_gs.execution.signature.sizes import Size, llvm_value

ERROR_BYTES = 1024
"""A `gs_error`: a code of four bytes and a message."""

TYPE_ERROR, VALUE_ERROR, INDEX_ERROR, RUNTIME_ERROR = 1, 2, 3, 4
"""What the C functions return; for an error without a code the last."""

_NONE, _INT, _FLOAT, _DLTENSOR = 0, 1, 3, 7

WEAK = "TVMFFI"
"""How the names of tvm-ffi's functions begin, which may be missing."""

REDIRECTED = {"__gs_set_error": "__gs_report"}
"""What calls go to when they take the sink along."""


def c_type(parameter: Parameter) -> str:
    """The C type of a scalar that is passed by value."""
    name = parameter.element.mlir
    if name in ("f32", "f64"):
        return "float" if name == "f32" else "double"
    if name == "i1":
        return "uint8_t"
    unsigned = "u" if name.startswith("u") else ""
    return f"{unsigned}int{_bits(parameter)}_t"


def _bits(parameter: Parameter) -> int:
    """Of an integer in C: narrow ones take a byte."""
    return max(parameter.element.bits, 8)


def _llvm_type(parameter: Parameter) -> str:
    if parameter.is_array:
        return "!llvm.ptr"
    kind = scalar_type(parameter)
    return f"i{_bits(parameter)}" if kind.startswith("i") else kind


def c_functions(entry: Entry, name: str, call: str) -> str:
    """The C functions `name` and, where sizes depend on arguments, `name_sizes`, and tvm-ffi's:
    all over the function `call`, which takes what tvm-ffi's takes."""
    return _run_text(entry, name, call) + _sizes_text(entry, name) + _tvm_text(name, call)


def _tvm_text(name: str, call: str) -> str:
    return f"""
llvm.func @{SYMBOL_PREFIX}{name}(%handle: !llvm.ptr, %args: !llvm.ptr, %count: i32,
    %result: !llvm.ptr) -> i32 {{
  %null = llvm.mlir.zero : !llvm.ptr
  %status = llvm.call {reference(call)}(%null, %args, %count, %result)
    : (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> i32
  llvm.return %status : i32
}}
"""


def _function(name: str, parameters: Sequence[tuple[str, str]], text: Text) -> str:
    listed = ", ".join(f"{value}: {kind}" for value, kind in parameters)
    body = "".join(text.frame) + "\n".join(text.lines)
    return "".join(text.globals) + f"llvm.func @{name}({listed}) -> i32 {{\n{body}\n}}\n"


def _sink(text: Text) -> str:
    """The caller's error, or one of our own, without a code yet."""
    own = text.stack(ERROR_BYTES // 8)
    null = text.emit("llvm.mlir.zero : !llvm.ptr")
    missing = text.emit(f'llvm.icmp "eq" %error, {null} : !llvm.ptr')
    sink = text.emit(f"llvm.select {missing}, {own}, %error : i1, !llvm.ptr")
    text.do(f"llvm.store {text.number(0)}, {sink} : i64, !llvm.ptr")
    return sink


def _run_text(entry: Entry, name: str, call: str) -> str:
    text = Text()
    outputs = [result.parameter for result in entry.destinations]
    parameters = [(f"%a{k}", _llvm_type(p)) for k, p in enumerate(entry.arguments)]
    parameters += [(f"%r{k}", "!llvm.ptr") for k in range(len(outputs))]
    parameters += [(f"%o{k}", "!llvm.ptr") for k in range(len(entry.owned))]
    values = [*entry.arguments, *outputs]
    sink = _sink(text)
    anys = text.stack(2 * len(values))
    result = text.stack(2 * max(1, len(entry.owned)))
    text.store(text.number(0), result, 0)
    text.store(text.number(0), result, 1)
    for k, parameter in enumerate(values):
        kind, word = _any(text, parameter, parameters[k][0])
        text.store(kind, anys, 2 * k)
        text.store(word, anys, 2 * k + 1)
    count = text.number(len(values), 32)
    status = text.emit(
        f"llvm.call {reference(call)}({sink}, {anys}, {count}, {result})"
        " : (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> i32"
    )
    good = text.emit(f'llvm.icmp "eq" {status}, {text.number(0, 32)} : i32')
    text.do(f"llvm.cond_br {good}, ^ok, ^failed")
    text.do("^ok:")
    for k in range(len(entry.owned)):
        tensor = text.load(result, 2 * k + 1)
        text.do(f"llvm.store {tensor}, %o{k} : i64, !llvm.ptr")
    text.do(f"llvm.return {text.number(0, 32)} : i32")
    text.do("^failed:")
    text.do(f"llvm.return {_code(text, sink)} : i32")
    return _function(name, [*parameters, ("%error", "!llvm.ptr")], text)


def _code(text: Text, sink: str) -> str:
    code = text.emit(f"llvm.load {sink} : !llvm.ptr -> i32")
    none = text.emit(f'llvm.icmp "eq" {code}, {text.number(0, 32)} : i32')
    other = text.number(RUNTIME_ERROR, 32)
    return text.emit(f"llvm.select {none}, {other}, {code} : i1, i32")


def _any(text: Text, parameter: Parameter, value: str) -> tuple[str, str]:
    """A C value as the two words of a tvm-ffi value."""
    if parameter.is_array:
        null = text.emit("llvm.mlir.zero : !llvm.ptr")
        missing = text.emit(f'llvm.icmp "eq" {value}, {null} : !llvm.ptr')
        kinds = f"{text.number(_NONE)}, {text.number(_DLTENSOR)}"
        kind = text.emit(f"llvm.select {missing}, {kinds} : i1, i64")
        return kind, text.emit(f"llvm.ptrtoint {value} : !llvm.ptr to i64")
    mlir = parameter.element.mlir
    if mlir in ("f32", "f64"):
        wide = value if mlir == "f64" else text.emit(f"llvm.fpext {value} : f32 to f64")
        return text.number(_FLOAT), text.emit(f"llvm.bitcast {wide} : f64 to i64")
    return text.number(_INT), _wide(text, parameter, value)


def _wide(text: Text, parameter: Parameter, value: str) -> str:
    """An integer as an i64; a truth value may be any number but 0."""
    name = parameter.element.mlir
    if name == "i1":
        zero = text.number(0, 8)
        truth = text.emit(f'llvm.icmp "ne" {value}, {zero} : i8')
        return text.emit(f"llvm.zext {truth} : i1 to i64")
    if parameter.element.bits == 64:
        return value
    extend = "zext" if name.startswith("u") else "sext"
    return text.emit(f"llvm.{extend} {value} : i{_bits(parameter)} to i64")


def sized(entry: Entry) -> list[int]:
    """The numbers of the destinations that are arrays with dimensions."""
    return [k for k, result in enumerate(entry.destinations) if result.parameter.rank]


def _sizes_text(entry: Entry, name: str) -> str:
    if not sized(entry):
        return ""
    text = Text()
    parameters = [(f"%a{k}", _llvm_type(p)) for k, p in enumerate(entry.arguments)]
    parameters += [(f"%r{k}", "!llvm.ptr") for k in sized(entry)]
    sink = _sink(text)
    shapes: dict[int, str] = {}
    for number in sorted(_arrays_of(entry)):
        shapes[number] = _checked_shape(text, entry.arguments[number], number, sink)

    def leaf(size: Size) -> str:
        if size.op == "scalar":
            return _wide(text, entry.arguments[size.values[0]], f"%a{size.values[0]}")
        argument, dim = size.values
        return text.load(shapes[argument], dim)

    for k in sized(entry):
        for dim, size in enumerate(entry.destinations[k].sizes or ()):
            text.store(llvm_value(size, text.emit, leaf), f"%r{k}", dim)
    text.do(f"llvm.return {text.number(0, 32)} : i32")
    text.do("^failed:")
    text.do(f"llvm.return {_code(text, sink)} : i32")
    return _function(f"{name}_sizes", [*parameters, ("%error", "!llvm.ptr")], text)


def _arrays_of(entry: Entry) -> set[int]:
    found: set[int] = set()

    def visit(size: Size) -> None:
        if size.op == "size":
            found.add(size.values[0])
        for operand in size.operands:
            visit(operand)

    for result in entry.destinations:
        for size in result.sizes or ():
            visit(size)
    return found


def _checked_shape(text: Text, parameter: Parameter, number: int, sink: str) -> str:
    """The shape of argument `number`, which must be an array of its rank."""
    value = f"%a{number}"
    null = text.emit("llvm.mlir.zero : !llvm.ptr")
    there = text.emit(f'llvm.icmp "ne" {value}, {null} : !llvm.ptr')
    text.do(f"llvm.cond_br {there}, ^rank{number}, ^wrong{number}")
    text.do(f"^rank{number}:")
    at = text.emit(f"llvm.getelementptr {value}[16] : (!llvm.ptr) -> !llvm.ptr, i8")
    rank = text.emit(f"llvm.load {at} : !llvm.ptr -> i32")
    same = text.emit(f'llvm.icmp "eq" {rank}, {text.number(parameter.rank, 32)} : i32')
    text.do(f"llvm.cond_br {same}, ^shape{number}, ^wrong{number}")
    text.do(f"^wrong{number}:")
    kind, message = text.string("ValueError"), text.string(parameter.expected)
    text.do(
        f"llvm.call @__gs_report({kind}, {message}, {sink})"
        " : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()"
    )
    text.do("llvm.br ^failed")
    text.do(f"^shape{number}:")
    at = text.emit(f"llvm.getelementptr {value}[24] : (!llvm.ptr) -> !llvm.ptr, i8")
    return text.emit(f"llvm.load {at} : !llvm.ptr -> !llvm.ptr")


def is_by_value(parameter: Parameter) -> bool:
    """Whether C passes it as a number."""
    return not parameter.is_array and not parameter.element.is_complex
