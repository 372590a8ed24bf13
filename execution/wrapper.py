"""The function that a caller sees, generated in the LLVM dialect: tvm-ffi's safe-call ABI.

It checks every argument, then every destination, then calls the compiled function, and hands over
the results that the function allocated. It returns 0, or -1 with an error set; a result of the
integer 1 instead of None says that an array is not C-contiguous where the code relies on it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mlir_gs.execution.checks import ANY_SIZE, RECORD_HEAD, SPEC_HEAD, STRIDED
from mlir_gs.execution.signature import Parameter, Result
from mlir_gs.execution.sizes import Size, llvm_value
from mlir_gs.execution.text import Text, reference

SYMBOL_PREFIX = "__tvm_ffi_"
"""What tvm-ffi puts before a function's name in a library."""


@dataclass(frozen=True)
class Entry:
    """The compiled function: its symbol, what it takes and what it gives.

    `checked_apart`: written arrays must share no memory with others (functions on tensors).
    `tracked`: its allocations stand behind the two words of a list node.
    """

    name: str
    arguments: Sequence[Parameter]
    results: Sequence[Result]
    checked_apart: bool
    tracked: bool

    @property
    def destinations(self) -> list[Result]:
        return [result for result in self.results if result.is_destination]

    @property
    def owned(self) -> list[Result]:
        return [r for r in self.results if r.argument is None and not r.is_destination]


def wrapper_text(entry: Entry) -> str:
    """LLVM dialect text of the wrapper and its constants, to append to the lowered module."""
    text = Text()
    destinations = entry.destinations
    parameters = [*entry.arguments, *(result.parameter for result in destinations)]
    count = text.number(len(parameters), 32)
    title = text.string(f"{entry.name}: expected {len(parameters)} arguments")
    text.check(f"@__gs_count({title}, %count, {count}) : (!llvm.ptr, i32, i32)")

    places = [_stack_of(text, parameter) for parameter in parameters]
    for number, argument in enumerate(entry.arguments):
        _check(text, number, argument, places[number], None)

    def leaf(size: Size) -> str:
        if size.op == "scalar":
            return text.load(places[size.values[0]], 0)
        argument, dim = size.values
        return text.load(places[argument], RECORD_HEAD + dim)

    for offset, result in enumerate(destinations):
        number = len(entry.arguments) + offset
        wanted = text.stack(result.parameter.rank)
        for dim, size in enumerate(result.sizes or ()):
            text.store(llvm_value(size, text.emit, leaf), wanted, dim)
        _check(text, number, result.parameter, places[number], wanted)
    if entry.checked_apart:
        _check_apart(text, parameters, places)

    operands: list[tuple[str, str]] = []
    for parameter, place in zip(parameters, places, strict=True):
        operands += _operands(text, parameter, place)
    owned = entry.owned
    room = text.stack(sum(3 + 2 * result.parameter.rank for result in owned)) if owned else ""
    if owned:
        operands.append((room, "!llvm.ptr"))
    names = ", ".join(name for name, _ in operands)
    types = ", ".join(kind for _, kind in operands)
    text.check(f"{reference(entry.name)}({names}) : ({types})")
    if owned:
        _hand_over(text, owned, room, entry.tracked)
    text.do("llvm.br ^end")
    text.do(_END)
    return (
        "".join(text.globals)
        + f"llvm.func {reference(SYMBOL_PREFIX + entry.name)}(%handle: !llvm.ptr, %args: !llvm.ptr,"
        + f" %count: i32, %result: !llvm.ptr) -> i32 attributes {{{_attributes(types)}}} {{\n"
        + "".join(text.frame)
        + "\n".join(text.lines)
        + "\n}\n"
    )


def _attributes(kinds: str) -> str:
    """What is done with the wrapper, whose operands are of these types: to optimize what runs once
    in a call takes longer than it saves. But to pass a narrow float, LLVM then calls a library."""
    return "no_inline" if "f16" in kinds else "no_inline, optimize_none"


_END = """^end:
  %ok = llvm.mlir.constant(0 : i32) : i32
  llvm.return %ok : i32
^stop(%status: i32):
  %one = llvm.mlir.constant(1 : i32) : i32
  %strided = llvm.icmp "eq" %status, %one : i32
  llvm.cond_br %strided, ^report, ^error
^report:
  %report_one = llvm.mlir.constant(1 : i64) : i64
  %report_at = llvm.getelementptr %result[8] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %one, %result : i32, !llvm.ptr
  llvm.store %report_one, %report_at : i64, !llvm.ptr
  llvm.br ^end
^error:
  %failed = llvm.mlir.constant(-1 : i32) : i32
  llvm.return %failed : i32"""


def _stack_of(text: Text, parameter: Parameter) -> str:
    return text.stack(RECORD_HEAD + 2 * parameter.rank if parameter.is_array else 1)


def _check(text: Text, number: int, parameter: Parameter, place: str, wanted: str | None) -> None:
    """Check value `number` of the call; `wanted` are a destination's sizes at run time."""
    value = text.emit(f"llvm.getelementptr %args[{16 * number}] : (!llvm.ptr) -> !llvm.ptr, i8")
    title = text.string(parameter.expected)
    element = parameter.element
    if parameter.is_array:
        alignment = element.bytes // 2 if element.is_complex else element.bytes
        mask = sum(1 << code for code in element.codes)
        sizes = [ANY_SIZE if size is None else size for size in parameter.shape or ()]
        strides = [STRIDED if stride is None else stride for stride in parameter.strides or ()]
        head = [mask, element.bits, parameter.rank, element.bytes, alignment]
        spec = text.words([*head, *sizes, *strides])
        wanted = wanted or text.word_at(spec, SPEC_HEAD)
        layout = (
            text.emit("llvm.mlir.zero : !llvm.ptr")
            if parameter.strides is None
            else text.word_at(spec, SPEC_HEAD + parameter.rank)
        )
        pointers = ", ".join(["!llvm.ptr"] * 6)
        text.check(
            f"@__gs_tensor({value}, {title}, {spec}, {wanted}, {layout}, {place}) : ({pointers})"
        )
    elif element.mlir in ("f64", "f32"):
        text.check(f"@__gs_float({value}, {title}, {place}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr)")
    else:
        low, high = _range(parameter)
        bounds = f"{text.number(low)}, {text.number(high)}"
        text.check(
            f"@__gs_int({value}, {title}, {bounds}, {place})"
            " : (!llvm.ptr, !llvm.ptr, i64, i64, !llvm.ptr)"
        )


def _range(parameter: Parameter) -> tuple[int, int]:
    """The Python ints that a scalar integer parameter takes, within i64."""
    name = parameter.element.mlir
    if name == "i1":
        return 0, 1
    bits = parameter.element.bits
    low = 0 if name.startswith("u") else -(1 << (bits - 1))
    high = (1 << (bits - 1)) - 1 if name.startswith("s") or bits == 64 else (1 << bits) - 1
    return low, high


def _check_apart(text: Text, parameters: Sequence[Parameter], places: Sequence[str]) -> None:
    for a, first in enumerate(parameters):
        for b, second in enumerate(parameters):
            if not (first.written and first.is_array and second.is_array) or a == b:
                continue
            if second.written and b < a:
                continue
            title = text.string(f"{first.label} and {second.label} share memory")
            text.check(
                f"@__gs_apart({title}, {places[a]}, {places[b]})"
                " : (!llvm.ptr, !llvm.ptr, !llvm.ptr)"
            )


def _operands(text: Text, parameter: Parameter, place: str) -> list[tuple[str, str]]:
    """What the compiled function takes for a parameter: names and types."""
    if not parameter.is_array:
        return [_scalar(text, parameter, place)]
    address = text.load(place, 0)
    if parameter.shape is None:
        pointer = text.emit(f"llvm.inttoptr {address} : i64 to !llvm.ptr")
        kind = scalar_type(parameter)
        return [(text.emit(f"llvm.load {pointer} : !llvm.ptr -> {kind}"), kind)]
    if parameter.offset:
        back = text.number(parameter.offset * parameter.element.bytes)
        address = text.emit(f"llvm.sub {address}, {back} : i64")
    data = text.emit(f"llvm.inttoptr {address} : i64 to !llvm.ptr")
    sizes = [
        text.load(place, RECORD_HEAD + d) if n is None else text.number(n)
        for d, n in enumerate(parameter.shape)
    ]
    offset = text.number(parameter.offset)
    words = [offset, *sizes, *_strides(text, parameter, place, sizes)]
    return [(data, "!llvm.ptr"), (data, "!llvm.ptr"), *((word, "i64") for word in words)]


def _strides(text: Text, parameter: Parameter, place: str, sizes: Sequence[str]) -> list[str]:
    if parameter.strides is not None:
        return [
            text.load(place, RECORD_HEAD + parameter.rank + d) if s is None else text.number(s)
            for d, s in enumerate(parameter.strides)
        ]
    strides = [text.number(1)] if sizes else []
    for size in reversed(sizes[1:]):
        strides.insert(0, text.emit(f"llvm.mul {strides[0]}, {size} : i64"))
    return strides


def _scalar(text: Text, parameter: Parameter, place: str) -> tuple[str, str]:
    kind = scalar_type(parameter)
    if not kind.startswith("i"):
        value = text.emit(f"llvm.load {place} : !llvm.ptr -> f64")
        narrow = value if kind == "f64" else text.emit(f"llvm.fptrunc {value} : f64 to {kind}")
        return narrow, kind
    value = text.load(place, 0)
    narrow = value if kind == "i64" else text.emit(f"llvm.trunc {value} : i64 to {kind}")
    return narrow, kind


def scalar_type(parameter: Parameter) -> str:
    """The LLVM type of a scalar."""
    element = parameter.element
    if element.mlir in ("f64", "f32", "f16", "bf16"):
        return element.mlir
    if element.is_complex:
        part = element.mlir.removeprefix("complex<").removesuffix(">")
        return f"!llvm.struct<({part}, {part})>"
    return "i1" if element.mlir == "i1" else f"i{element.bits}"


def _hand_over(text: Text, owned: Sequence[Result], room: str, tracked: bool) -> None:
    """Turn the descriptors in `room` into tvm-ffi tensors and set the call's result."""
    handles = text.stack(2 * len(owned))
    base = 0
    for position, result in enumerate(owned):
        parameter = result.parameter
        dtype = parameter.element.code | parameter.element.bits << 8 | 1 << 16
        numbers = (dtype, parameter.rank, parameter.element.bytes, 16 if tracked else 0)
        arguments = ", ".join(text.number(number) for number in numbers)
        slot = text.word_at(handles, 2 * position)
        text.check(
            f"@__gs_own({text.word_at(room, base)}, {arguments}, {slot})"
            " : (!llvm.ptr, i64, i64, i64, i64, !llvm.ptr)"
        )
        base += 3 + 2 * parameter.rank
    if len(owned) == 1:
        for word in range(2):
            text.store(text.load(handles, word), "%result", word)
    else:
        count = text.number(len(owned), 32)
        text.check(f"@__gs_list({handles}, {count}, %result) : (!llvm.ptr, i32, !llvm.ptr)")
