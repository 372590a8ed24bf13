"""The function that a caller sees, generated in the LLVM dialect: tvm-ffi's safe-call ABI.

It checks every argument, then every destination, then calls the compiled function, and hands over
the results that the function allocated. It returns 0, or -1 with an error set; a result of the
integer 1 instead of None says that an array is not C-contiguous where the code relies on it.
Arrays are checked by what all kernels share, which goes by a plan (`checks.py`).

For this process, it takes and gives what MLIR's execution engine calls functions with: pointers to
the arguments and to the result. The engine would put a function like that before it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mlir_gs.execution.checks import RECORD_HEAD, ArrayPlan, plan_words
from mlir_gs.execution.messages import string_global
from mlir_gs.execution.signature import Parameter, Result
from mlir_gs.execution.sizes import Size, llvm_value
from mlir_gs.execution.text import Text, reference, words_global

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


def wrapper_text(entry: Entry, packed: bool) -> str:
    """LLVM dialect text of the wrapper and its constants, to append to the lowered module.

    `packed`: for MLIR's execution engine, which finds it under the name that it would have made.
    """
    text = Text()
    destinations = entry.destinations
    parameters = [*entry.arguments, *(result.parameter for result in destinations)]
    frame = _Frame()
    offsets = [frame.take(_words(parameter)) for parameter in parameters]
    checks = _Checks(text, entry, len(parameters))
    for number, argument in enumerate(entry.arguments):
        if argument.is_array:
            checks.array(argument, number, offsets[number])
        else:
            checks.flush()
            _check_scalar(text, number, argument, offsets[number])

    def leaf(size: Size) -> str:
        if size.op == "scalar":
            return text.load(FRAME, offsets[size.values[0]])
        argument, dim = size.values
        return text.load(FRAME, offsets[argument] + RECORD_HEAD + dim)

    for offset, result in enumerate(destinations):
        number = len(entry.arguments) + offset
        sizes, wanted = result.sizes or (), None
        if any(size.op != "constant" for size in sizes):
            checks.flush()
            wanted = frame.take(result.parameter.rank)
            for dim, size in enumerate(sizes):
                text.store(llvm_value(size, text.emit, leaf), FRAME, wanted + dim)
        checks.array(result.parameter, number, offsets[number], wanted)
    if entry.checked_apart:
        checks.apart(parameters, offsets)
    checks.flush()
    checks.define()

    operands: list[tuple[str, str]] = []
    numbers: dict[int, str] = {}
    for parameter, place in zip(parameters, offsets, strict=True):
        operands += _operands(text, parameter, place, numbers)
    owned = entry.owned
    room = text.stack(sum(3 + 2 * result.parameter.rank for result in owned)) if owned else ""
    if owned:
        operands.append((room, "!llvm.ptr"))
    names = ", ".join(name for name, _ in operands)
    types = ", ".join(kind for _, kind in operands)
    text.check(f"{reference(entry.name)}({names}) : ({types})")
    if owned:
        _hand_over(text, owned, room, entry.tracked)
    text.do((_END_PACKED if packed else _END).strip())
    symbol = SYMBOL_PREFIX + entry.name
    head = _HEAD_PACKED if packed else _HEAD
    return (
        "".join(text.globals)
        + (_ALIAS.format(name=reference(PACKED_PREFIX + symbol), of=reference(symbol)) * packed)
        + head.format(name=reference(symbol), attributes=_attributes(types))
        + "".join(text.frame)
        + frame.text
        + "\n".join(text.lines)
        + "\n}\n"
    )


def _attributes(kinds: str) -> str:
    """What is done with the wrapper, whose operands are of these types: to optimize what runs once
    in a call takes longer than it saves. But to pass a narrow float, LLVM then calls a library."""
    return "no_inline" if "f16" in kinds else "no_inline, optimize_none"


_HEAD = """
llvm.func {name}(%handle: !llvm.ptr, %args: !llvm.ptr, %count: i32, %result: !llvm.ptr) -> i32
    attributes {{{attributes}}} {{
"""

_END = """
  %ok = llvm.mlir.constant(0 : i32) : i32
  llvm.return %ok : i32
^stop(%status: i32):
  %sign = llvm.mlir.constant(31 : i32) : i32
  %failed = llvm.ashr %status, %sign : i32
  llvm.return %failed : i32
"""
"""What stops a call is -1, an error, or 1, after which a result says the rest."""

_HEAD_PACKED = """
llvm.func internal {name}(%packed: !llvm.ptr) attributes {{{attributes}}} {{
  %args_at = llvm.getelementptr %packed[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %count_at = llvm.getelementptr %packed[2] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %result_at = llvm.getelementptr %packed[3] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %status_at = llvm.getelementptr %packed[4] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %args_cell = llvm.load %args_at : !llvm.ptr -> !llvm.ptr
  %count_cell = llvm.load %count_at : !llvm.ptr -> !llvm.ptr
  %result_cell = llvm.load %result_at : !llvm.ptr -> !llvm.ptr
  %status_cell = llvm.load %status_at : !llvm.ptr -> !llvm.ptr
  %args = llvm.load %args_cell : !llvm.ptr -> !llvm.ptr
  %count = llvm.load %count_cell : !llvm.ptr -> i32
  %result = llvm.load %result_cell : !llvm.ptr -> !llvm.ptr
"""

_END_PACKED = """
  %ok = llvm.mlir.constant(0 : i32) : i32
  llvm.store %ok, %status_cell : i32, !llvm.ptr
  llvm.return
^stop(%status: i32):
  %sign = llvm.mlir.constant(31 : i32) : i32
  %failed = llvm.ashr %status, %sign : i32
  llvm.store %failed, %status_cell : i32, !llvm.ptr
  llvm.return
"""

PACKED_PREFIX = "_mlir_"
"""What MLIR's execution engine puts before the names of functions that take pointers."""

_ALIAS = """
llvm.mlir.alias external {name} : !llvm.func<void (ptr)> {{
  %function = llvm.mlir.addressof {of} : !llvm.ptr
  llvm.return %function : !llvm.ptr
}}
"""

FRAME = "%frame"
"""The words of a call's records, and of sizes that are computed for them."""


class _Frame:
    """Room in `FRAME`, given out word by word."""

    def __init__(self) -> None:
        self._words = 0

    def take(self, words: int) -> int:
        """The number of the first of so many words."""
        self._words += words
        return self._words - words

    @property
    def text(self) -> str:
        return (
            f"  {FRAME}_size = llvm.mlir.constant({max(self._words, 1)} : i64) : i64\n"
            f"  {FRAME} = llvm.alloca {FRAME}_size x i64 : (i64) -> !llvm.ptr\n"
        )


def _words(parameter: Parameter) -> int:
    return RECORD_HEAD + 2 * parameter.rank if parameter.is_array else 1


class _Checks:
    """Checks of arrays that follow each other, one plan and one call for all of them."""

    def __init__(self, text: Text, entry: Entry, count: int) -> None:
        self._text = text
        self._count = count
        self._strings: list[str] = []
        self._length = 0
        self._title = self._string(f"{entry.name}: expected {count} arguments")
        self._words: list[int] = []
        self._arrays: list[ArrayPlan] = []
        self._pairs: list[tuple[int, int, int]] = []

    def array(self, one: Parameter, number: int, place: int, sizes: int | None = None) -> None:
        """Check value `number` of the call; `sizes` says where in the frame its sizes are."""
        title = self._string(one.expected)
        self._arrays.append(ArrayPlan(one, number, title, place, sizes))

    def apart(self, parameters: Sequence[Parameter], places: Sequence[int]) -> None:
        """Check that written arrays share no memory with others."""
        for a, first in enumerate(parameters):
            for b, second in enumerate(parameters):
                if not (first.written and first.is_array and second.is_array) or a == b:
                    continue
                if second.written and b < a:
                    continue
                title = self._string(f"{first.label} and {second.label} share memory")
                self._pairs.append((title, places[a], places[b]))

    def flush(self) -> None:
        """Check what has come together; the first check counts the values as well."""
        if self._words and not self._arrays and not self._pairs:
            return
        text, start = self._text, len(self._words)
        self._words += plan_words(self._count, self._title, self._arrays, self._pairs)
        self._arrays, self._pairs = [], []
        texts = text.emit(f"llvm.mlir.addressof @{_TEXTS} : !llvm.ptr")
        plan = text.emit(f"llvm.mlir.addressof @{_PLAN} : !llvm.ptr")
        if start:
            plan = text.word_at(plan, start)
        text.check(
            f"@__gs_check(%args, %count, {plan}, {texts}, {FRAME}, %result)"
            " : (!llvm.ptr, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr)"
        )

    def define(self) -> None:
        """Define the constants that all plans are in."""
        self._text.globals += [
            string_global(_TEXTS, "\0".join(self._strings)),
            words_global(_PLAN, self._words),
        ]

    def _string(self, text: str) -> int:
        start = self._length
        self._strings.append(text)
        self._length += len(text.encode()) + 1
        return start


_TEXTS, _PLAN = "__gs_texts", "__gs_plan"


def _check_scalar(text: Text, number: int, parameter: Parameter, place: int) -> None:
    """Check value `number` of the call, a number, and put it into the frame."""
    value = text.emit(f"llvm.getelementptr %args[{16 * number}] : (!llvm.ptr) -> !llvm.ptr, i8")
    title = text.string(parameter.expected)
    cell = text.word_at(FRAME, place)
    if parameter.element.mlir in ("f64", "f32"):
        text.check(f"@__gs_float({value}, {title}, {cell}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr)")
        return
    low, high = _range(parameter)
    bounds = f"{text.number(low)}, {text.number(high)}"
    text.check(
        f"@__gs_int({value}, {title}, {bounds}, {cell})"
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


def _operands(
    text: Text, parameter: Parameter, place: int, numbers: dict[int, str]
) -> list[tuple[str, str]]:
    """What the compiled function takes for a parameter: names and types. `numbers` are the
    constants that there are by now, by value."""
    if not parameter.is_array:
        return [_scalar(text, parameter, place)]
    address = text.load(FRAME, place)
    if parameter.shape is None:
        pointer = text.emit(f"llvm.inttoptr {address} : i64 to !llvm.ptr")
        kind = scalar_type(parameter)
        return [(text.emit(f"llvm.load {pointer} : !llvm.ptr -> {kind}"), kind)]
    if parameter.offset:
        back = text.number(parameter.offset * parameter.element.bytes)
        address = text.emit(f"llvm.sub {address}, {back} : i64")
    data = text.emit(f"llvm.inttoptr {address} : i64 to !llvm.ptr")
    sizes: list[int | str] = [
        text.load(FRAME, place + RECORD_HEAD + d) if n is None else n
        for d, n in enumerate(parameter.shape)
    ]
    words = [parameter.offset, *sizes, *_strides(text, parameter, place, sizes)]
    for word in words:
        if isinstance(word, int) and word not in numbers:
            numbers[word] = text.number(word)
    named = [numbers[word] if isinstance(word, int) else word for word in words]
    return [(data, "!llvm.ptr"), (data, "!llvm.ptr"), *((word, "i64") for word in named)]


def _strides(
    text: Text, parameter: Parameter, place: int, sizes: Sequence[int | str]
) -> Sequence[int | str]:
    """Numbers, and names of what is known when the kernel is called."""
    if parameter.strides is not None:
        return [
            text.load(FRAME, place + RECORD_HEAD + parameter.rank + d) if s is None else s
            for d, s in enumerate(parameter.strides)
        ]
    strides: list[int | str] = [1] if sizes else []
    for size in reversed(sizes[1:]):
        inner = strides[0]
        if isinstance(size, int) and isinstance(inner, int):
            strides.insert(0, size * inner)
        elif inner == 1:
            strides.insert(0, size)
        else:
            named = [text.number(n) if isinstance(n, int) else n for n in (inner, size)]
            strides.insert(0, text.emit(f"llvm.mul {named[0]}, {named[1]} : i64"))
    return strides


def _scalar(text: Text, parameter: Parameter, place: int) -> tuple[str, str]:
    kind = scalar_type(parameter)
    if not kind.startswith("i"):
        cell = text.word_at(FRAME, place)
        value = text.emit(f"llvm.load {cell} : !llvm.ptr -> f64")
        narrow = value if kind == "f64" else text.emit(f"llvm.fptrunc {value} : f64 to {kind}")
        return narrow, kind
    value = text.load(FRAME, place)
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
