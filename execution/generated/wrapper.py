"""The functions around a compiled one, generated in the LLVM dialect.

The kernel takes its arguments from the words that a call was checked into: `calls.c` calls it by a
plan. In this process that is all; in code that travels, tvm-ffi's safe-call ABI is around it.
"""

from collections.abc import Sequence

from mlir_gs.execution.generated.messages import string_global
from mlir_gs.execution.generated.plan import (
    ENGINE_PREFIX,
    KERNEL_PREFIX,
    POINTERS,
    RECORD_HEAD,
    Plan,
    layout,
    pointers,
)
from mlir_gs.execution.generated.text import Text, reference, words_global
from mlir_gs.execution.signature.signature import Entry, Parameter
from mlir_gs.execution.switches import is_on

SYMBOL_PREFIX = "__tvm_ffi_"
"""What tvm-ffi puts before a function's name in a library."""

SIZES_PREFIX = "__gs_sizes_"
"""Before a function's name: what stores the sizes of its results."""

_FRAME = "%frame"


def alias_text(name: str) -> str:
    """The function `name` under the name by which MLIR's execution engine looks for its own entry,
    so that it makes none."""
    return f"""
llvm.mlir.alias external {reference(ENGINE_PREFIX + name)} : !llvm.func<void (ptr)> {{
  %function = llvm.mlir.addressof {reference(name)} : !llvm.ptr
  llvm.return %function : !llvm.ptr
}}
"""


def kernel_text(entry: Entry) -> str:
    """The kernel: it calls the compiled function with what its frame says."""
    text = Text()
    places, room = layout(entry)
    taken = pointers(entry)
    operands: list[tuple[str, str]] = []
    numbers: dict[int, str] = {}
    for number, (parameter, place) in enumerate(zip(entry.parameters, places, strict=True)):
        if not parameter.is_array:
            operands.append(_scalar(text, parameter, place))
            continue
        pointer = f"%p{taken.index(number)}" if number in taken else _pointer(text, place)
        operands += _operands(text, parameter, place, pointer, numbers)
    if entry.owned:
        operands.append((text.word_at(_FRAME, room), "!llvm.ptr"))
    names = ", ".join(name for name, _ in operands)
    types = ", ".join(kind for _, kind in operands)
    status = text.emit(f"llvm.call {reference(entry.name)}({names}) : ({types}) -> i32")
    text.do(f"llvm.return {status} : i32")
    disjoint = {k for k, number in enumerate(taken) if _is_disjoint(entry, number)}
    marked = (f"%p{k}: !llvm.ptr{_NOALIAS * (k in disjoint)}" for k in range(POINTERS))
    head = f"%sink: !llvm.ptr, {_FRAME}: !llvm.ptr, {', '.join(marked)}"
    name = reference(KERNEL_PREFIX + entry.name)
    body = "\n".join(text.lines)
    return f"llvm.func internal {name}({head}) -> i32 {{\n{body}\n}}\n"


_NOALIAS = " {llvm.noalias}"


def _is_disjoint(entry: Entry, number: int) -> bool:
    """Whether a call is checked to share the memory of a parameter with no other."""
    return entry.checked_disjoint and entry.parameters[number].written and is_on("alias-marks")


def wrapper_text(entry: Entry) -> str:
    """For code that travels: tvm-ffi's function, and one that finds the sizes of results. Both
    call by the kernel's block, and take where errors go first."""
    plan = Plan(entry)
    names = {SYMBOL_PREFIX: "__gs_enter", SIZES_PREFIX: "__gs_sizes"}
    return (
        string_global(_MESSAGES, plan.messages.decode())
        + words_global(_PLAN, plan.words)
        + "".join(_by_block(prefix, entry.name, called) for prefix, called in names.items())
    )


_MESSAGES, _PLAN = "__gs_messages", "__gs_plan"


def _by_block(prefix: str, name: str, called: str) -> str:
    return f"""
llvm.func @{called}(!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, !llvm.ptr) -> i32
llvm.func {reference(prefix + name)}(%sink: !llvm.ptr, %args: !llvm.ptr,
    %count: i32, %result: !llvm.ptr) -> i32 attributes {{no_inline, optimize_none}} {{
  %c3 = llvm.mlir.constant(3 : i64) : i64
  %block = llvm.alloca %c3 x i64 : (i64) -> !llvm.ptr
  %plan_at = llvm.getelementptr %block[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %messages_at = llvm.getelementptr %block[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %kernel = llvm.mlir.addressof {reference(KERNEL_PREFIX + name)} : !llvm.ptr
  %plan = llvm.mlir.addressof @{_PLAN} : !llvm.ptr
  %messages = llvm.mlir.addressof @{_MESSAGES} : !llvm.ptr
  llvm.store %kernel, %block : !llvm.ptr, !llvm.ptr
  llvm.store %plan, %plan_at : !llvm.ptr, !llvm.ptr
  llvm.store %messages, %messages_at : !llvm.ptr, !llvm.ptr
  %status = llvm.call @{called}(%block, %args, %count, %result, %sink)
    : (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, !llvm.ptr) -> i32
  llvm.return %status : i32
}}
"""


def _pointer(text: Text, place: int) -> str:
    return text.emit(f"llvm.load {text.word_at(_FRAME, place)} : !llvm.ptr -> !llvm.ptr")


def _operands(
    text: Text, parameter: Parameter, place: int, data: str, numbers: dict[int, str]
) -> list[tuple[str, str]]:
    """What the compiled function takes for an array at `data`: names and types. `numbers` are the
    constants that there are by now, by value."""
    if parameter.shape is None:
        kind = scalar_type(parameter)
        return [(text.emit(f"llvm.load {data} : !llvm.ptr -> {kind}"), kind)]
    if parameter.offset:
        back = -parameter.offset * parameter.element.bytes
        data = text.emit(f"llvm.getelementptr {data}[{back}] : (!llvm.ptr) -> !llvm.ptr, i8")
    sizes: list[int | str] = [
        text.load(_FRAME, place + RECORD_HEAD + d) if n is None else n
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
            text.load(_FRAME, place + RECORD_HEAD + parameter.rank + d) if s is None else s
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
        cell = text.word_at(_FRAME, place)
        value = text.emit(f"llvm.load {cell} : !llvm.ptr -> f64")
        narrow = value if kind == "f64" else text.emit(f"llvm.fptrunc {value} : f64 to {kind}")
        return narrow, kind
    value = text.load(_FRAME, place)
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
