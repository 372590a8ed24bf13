"""Generated code around a kernel that travels: LLVM dialect text of its C functions.

Compiled code reports an error by `__gs_report(kind, message, sink)` of `calls.c`: into the caller's
`gs_error`, or, without one, as tvm-ffi's raised error. The sink goes down the calls as one more
argument (`sink.py`). tvm-ffi's functions are weak symbols: a program without tvm-ffi needs none.
"""

from collections.abc import Sequence

from mlir_gs.execution.generated.text import Text, reference
from mlir_gs.execution.generated.wrapper import SYMBOL_PREFIX, scalar_type
from mlir_gs.execution.signature.signature import Entry, Parameter

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


def c_functions(entry: Entry, name: str, call: str, sizes: str) -> str:
    """The C functions `name` and, where results have sizes, `name_sizes`, and tvm-ffi's: over the
    functions `call`, which takes what tvm-ffi's takes, and `sizes`, which takes a pointer for the
    sizes of each result."""
    return _run_text(entry, name, call) + _sizes_text(entry, name, sizes) + _tvm_text(name, call)


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


def _function(name: str, parameters: Sequence[tuple[str, str]], text: Text, sink: str) -> str:
    """A function of which `text` is what comes before the end of a call."""
    text.do(f"llvm.return {text.number(0, 32)} : i32")
    text.do("^failed:")
    text.do(f"llvm.return {_code(text, sink)} : i32")
    listed = ", ".join(f"{value}: {kind}" for value, kind in (*parameters, _ERROR))
    body = "".join(text.frame) + "\n".join(text.lines)
    return f"llvm.func @{name}({listed}) -> i32 {{\n{body}\n}}\n"


_ERROR = ("%error", "!llvm.ptr")


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
    values = [*entry.arguments, *outputs]
    anys = text.stack(2 * len(values))
    for k, parameter in enumerate(values):
        _store(text, anys, k, _any(text, parameter, parameters[k][0]))
    result = text.stack(2 * max(1, len(entry.owned)))
    _store(text, result, 0, [text.number(0)] * 2)
    sink = _called(text, call, anys, len(values), result)
    for k in range(len(entry.owned)):
        parameters.append((f"%o{k}", "!llvm.ptr"))
        text.do(f"llvm.store {text.load(result, 2 * k + 1)}, %o{k} : i64, !llvm.ptr")
    return _function(name, parameters, text, sink)


def _sizes_text(entry: Entry, name: str, call: str) -> str:
    if not sized(entry):
        return ""
    text = Text()
    count, outputs = len(entry.arguments), len(entry.destinations)
    parameters = [(f"%a{k}", _llvm_type(p)) for k, p in enumerate(entry.arguments)]
    anys, shapes = text.stack(2 * (count + outputs)), text.stack(outputs)
    for k, parameter in enumerate(entry.arguments):
        _store(text, anys, k, _any(text, parameter, f"%a{k}"))
    for k in range(outputs):
        _store(text, anys, count + k, [text.number(0)] * 2)
    for k in sized(entry):
        parameters.append((f"%r{k}", "!llvm.ptr"))
        text.do(f"llvm.store %r{k}, {text.word_at(shapes, k)} : !llvm.ptr, !llvm.ptr")
    sink = _called(text, call, anys, count, shapes)
    return _function(f"{name}_sizes", parameters, text, sink)


def _store(text: Text, anys: str, number: int, words: Sequence[str]) -> None:
    for k, word in enumerate(words):
        text.store(word, anys, 2 * number + k)


def _called(text: Text, call: str, anys: str, count: int, result: str) -> str:
    """Call a function with values; what follows is where that went well. Gives the sink."""
    sink = _sink(text)
    status = text.emit(
        f"llvm.call {reference(call)}({sink}, {anys}, {text.number(count, 32)}, {result})"
        " : (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> i32"
    )
    good = text.emit(f'llvm.icmp "eq" {status}, {text.number(0, 32)} : i32')
    text.do(f"llvm.cond_br {good}, ^ok, ^failed")
    text.do("^ok:")
    return sink


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


def is_by_value(parameter: Parameter) -> bool:
    """Whether C passes it as a number."""
    return not parameter.is_array and not parameter.element.is_complex
