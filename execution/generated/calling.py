"""Generated code that calls a kernel by its plan, in the LLVM dialect.

`__gs_enter` is a safe call of tvm-ffi with a block for its handle: {kernel, plan, messages}. Values
are checked in the order of the plan, into a frame of words; the kernel computes from there; what
it allocated is handed over. A call returns 0, or -1 with an error set; a result of the integer 1
instead of None says that an array is not C-contiguous where the code relies on it.

What few kernels need is called through a table in this process, and compiled when the first one
needs it.
"""

import re

from mlir_gs.execution.generated.plan import APART, ARRAY, FLOAT, HEAD, INTEGER, POINTERS
from mlir_gs.execution.generated.text import Text
from mlir_gs.execution.signature.sizes import OPERATIONS, PREDICATES, Size, llvm_value

_KERNEL_TYPES = ", ".join(["!llvm.ptr"] * (2 + POINTERS))
"""A kernel takes where errors go, in code that travels (`aot_sink.py`), its frame and `POINTERS`
addresses, and returns 0, or -1."""

TABLE = "__gs_later"
"""The table of the functions `LATER`, in their order."""

LATER = ("__gs_int", "__gs_float", "__gs_size", "__gs_results")


def _words(names: str, base: str, first: int = 0) -> str:
    """Load words one after the other; `_` is for one that is not wanted."""
    text = ""
    for number, name in enumerate(names.split(), first):
        if name != "_":
            text += (
                f"  %{name}_at = llvm.getelementptr {base}[{number}] : (!llvm.ptr) -> !llvm.ptr,"
                f" i64\n  %{name} = llvm.load %{name}_at : !llvm.ptr -> i64\n"
            )
    return text


def _at(name: str, base: str, index: str, kind: str = "i64") -> str:
    """The address `name` of element `index` behind `base`."""
    return (
        f"  %{name} = llvm.getelementptr {base}[{index}] : (!llvm.ptr, i64) -> !llvm.ptr, {kind}\n"
    )


_ENTER = (
    """
llvm.func @__gs_enter(%block: !llvm.ptr, %args: !llvm.ptr, %found: i32, %result: !llvm.ptr)
    -> i32 attributes {no_inline} {
  %i0 = llvm.mlir.constant(0 : i32) : i32
  %plan_at = llvm.getelementptr %block[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %texts_at = llvm.getelementptr %block[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %kernel = llvm.load %block : !llvm.ptr -> !llvm.ptr
  %plan = llvm.load %plan_at : !llvm.ptr -> !llvm.ptr
  %texts = llvm.load %texts_at : !llvm.ptr -> !llvm.ptr
"""
    + _words("size", "%plan")
    + """
  %frame = llvm.alloca %size x i64 : (i64) -> !llvm.ptr
  %checked = llvm.call @__gs_check(%args, %found, %plan, %texts, %frame, %result)
    : (!llvm.ptr, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  %good = llvm.icmp "eq" %checked, %i0 : i32
  llvm.cond_br %good, ^run, ^stop(%checked : i32)
^run:
"""
    + _words(" ".join(f"w{k}" for k in range(POINTERS)), "%plan", 4)
    + "".join(
        _at(f"a{k}", "%frame", f"%w{k}") + f"  %p{k} = llvm.load %a{k} : !llvm.ptr -> !llvm.ptr\n"
        for k in range(POINTERS)
    )
    + f"""
  %ran = llvm.call %kernel(%block, %frame, {", ".join(f"%p{k}" for k in range(POINTERS))})
    : !llvm.ptr, ({_KERNEL_TYPES}) -> i32
  %fine = llvm.icmp "eq" %ran, %i0 : i32
  llvm.cond_br %fine, ^results, ^stop(%ran : i32)
^results:
"""
    + _words("_ _ _ offset", "%plan")
    + _at("results", "%plan", "%offset")
    + """
  %count = llvm.load %results : !llvm.ptr -> i64
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %none = llvm.icmp "eq" %count, %c0 : i64
  llvm.cond_br %none, ^done(%i0 : i32), ^own
^own:
  %owned = llvm.call @__gs_results(%results, %frame, %result)
    : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  llvm.br ^done(%owned : i32)
^stop(%status: i32):
  %c31 = llvm.mlir.constant(31 : i32) : i32
  %failed = llvm.ashr %status, %c31 : i32
  llvm.br ^done(%failed : i32)
^done(%returned: i32):
  llvm.return %returned : i32
}
"""
)

_CHECK = (
    """
llvm.func internal @__gs_check(%args: !llvm.ptr, %found: i32, %plan: !llvm.ptr,
    %texts: !llvm.ptr, %frame: !llvm.ptr, %result: !llvm.ptr) -> i32 attributes {no_inline} {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %i0 = llvm.mlir.constant(0 : i32) : i32
  %i1 = llvm.mlir.constant(1 : i32) : i32
"""
    + _words("_ count title", "%plan")
    + _words("steps", "%plan", HEAD - 1)
    + f"  %first = llvm.getelementptr %plan[{HEAD}] : (!llvm.ptr) -> !llvm.ptr, i64\n"
    + """
  %given = llvm.sext %found : i32 to i64
  %same = llvm.icmp "eq" %given, %count : i64
  llvm.cond_br %same, ^next(%c0, %first : i64, !llvm.ptr), ^miscount
^miscount:
"""
    + _at("wanted", "%texts", "%title", "i8")
    + """
  %miscount = llvm.call @__gs_miscount(%wanted, %found) : (!llvm.ptr, i32) -> i32
  llvm.return %miscount : i32
^next(%k: i64, %at: !llvm.ptr):
  %more = llvm.icmp "slt" %k, %steps : i64
  llvm.cond_br %more, ^step, ^done
^step:
"""
    # Of an array and a number; other steps have more than one word here, too.
    + _words("words kind number text_offset place", "%at")
    + _at("any", "%args", "%number", "!llvm.array<2 x i64>")
    + _at("text", "%texts", "%text_offset", "i8")
    + _at("cell", "%frame", "%place")
    + f"""
  llvm.switch %kind : i64, ^size [
    {ARRAY}: ^array,
    {INTEGER}: ^integer,
    {FLOAT}: ^float,
    {APART}: ^apart
  ]
^array:
"""
    + _words("sizes_place has_layout _ _ rank", "%at", 5)
    + """
  %null = llvm.mlir.zero : !llvm.ptr
  %spec = llvm.getelementptr %at[7] : (!llvm.ptr) -> !llvm.ptr, i64
  %static = llvm.getelementptr %spec[5] : (!llvm.ptr) -> !llvm.ptr, i64
"""
    + _at("computed", "%frame", "%sizes_place")
    + """
  %is_computed = llvm.icmp "sge" %sizes_place, %c0 : i64
  %sizes = llvm.select %is_computed, %computed, %static : i1, !llvm.ptr
"""
    + _at("strides", "%static", "%rank")
    + """
  %any_layout = llvm.icmp "eq" %has_layout, %c0 : i64
  %layout = llvm.select %any_layout, %null, %strides : i1, !llvm.ptr
  %fits = llvm.call @__gs_tensor(%any, %text, %spec, %sizes, %layout, %cell)
    : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  llvm.br ^checked(%fits : i32)
^integer:
"""
    + _words("lowest highest", "%at", 5)
    + """
  %is_integer = llvm.call @__gs_int(%any, %text, %lowest, %highest, %cell)
    : (!llvm.ptr, !llvm.ptr, i64, i64, !llvm.ptr) -> i32
  llvm.br ^checked(%is_integer : i32)
^float:
  %is_float = llvm.call @__gs_float(%any, %text, %cell) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  llvm.br ^checked(%is_float : i32)
^apart:
"""
    + _at("shared", "%texts", "%number", "i8")
    + _at("a", "%frame", "%text_offset")
    + _at("b", "%frame", "%place")
    + """
  %are_apart = llvm.call @__gs_apart(%shared, %a, %b) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  llvm.br ^checked(%are_apart : i32)
^size:
  llvm.call @__gs_size(%at, %frame) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.br ^checked(%i0 : i32)
^checked(%status: i32):
  %k1 = llvm.add %k, %c1 : i64
"""
    + _at("after", "%at", "%words")
    + """
  %good = llvm.icmp "eq" %status, %i0 : i32
  llvm.cond_br %good, ^next(%k1, %after : i64, !llvm.ptr), ^stop
^stop:
  %strided = llvm.icmp "eq" %status, %i1 : i32
  llvm.cond_br %strided, ^report, ^failed
^report:
  %value_at = llvm.getelementptr %result[8] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %i1, %result : i32, !llvm.ptr
  llvm.store %c1, %value_at : i64, !llvm.ptr
  llvm.br ^failed
^failed:
  llvm.return %status : i32
^done:
  llvm.return %i0 : i32
}
"""
)


def _size_text() -> str:
    text = Text()
    cases = ", ".join(f"{number}: ^{op}" for number, op in enumerate(OPERATIONS) if number)
    for number, op in enumerate(OPERATIONS):
        text.do(f"^{op}:")
        value = _operation(text, op) if number else "%x"
        text.do(f"llvm.store {value}, %cell : i64, !llvm.ptr")
        text.do("llvm.return")
    return (
        "llvm.func internal @__gs_size(%at: !llvm.ptr, %frame: !llvm.ptr)"
        " attributes {no_inline} {\n"
        + _words("op place x y z", "%at", 2)
        + _at("cell", "%frame", "%place")
        + f"  llvm.switch %op : i64, ^{OPERATIONS[0]} [{cases}]\n"
        + "\n".join(text.lines)
        + "\n}\n"
    )


def _operation(text: Text, op: str) -> str:
    names: list[Size] = [Size("scalar", (k,)) for k in range(3)]

    def operand(size: Size) -> str:
        base = text.emit(
            f"llvm.getelementptr %frame[%{'xyz'[size.values[0]]}]"
            " : (!llvm.ptr, i64) -> !llvm.ptr, i64"
        )
        value = text.emit(f"llvm.load {base} : !llvm.ptr -> i64")
        if op == "select" and size.values[0] == 0:
            return text.emit(f'llvm.icmp "ne" {value}, {text.number(0)} : i64')
        return value

    if op == "copy":
        return operand(names[0])
    count = 3 if op == "select" else 2
    value = llvm_value(Size(op, operands=tuple(names[:count])), text.emit, operand)
    if op in PREDICATES.values():
        return text.emit(f"llvm.zext {value} : i1 to i64")
    return value


RESULTS_TEXT = (
    """
llvm.func internal @__gs_results(%results: !llvm.ptr, %frame: !llvm.ptr, %result: !llvm.ptr)
    -> i32 attributes {no_inline} {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %i0 = llvm.mlir.constant(0 : i32) : i32
"""
    + _words("count values_place", "%results")
    + _at("values", "%frame", "%values_place")
    + """
  %first = llvm.getelementptr %results[2] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.br ^next(%c0, %first : i64, !llvm.ptr)
^next(%k: i64, %at: !llvm.ptr):
  %more = llvm.icmp "slt" %k, %count : i64
  llvm.cond_br %more, ^own, ^give
^own:
"""
    + _words("place dtype rank bytes head", "%at")
    + _at("descriptor", "%frame", "%place")
    + _at("slot", "%values", "%k", "!llvm.array<2 x i64>")
    + """
  %status = llvm.call @__gs_own(%descriptor, %dtype, %rank, %bytes, %head, %slot)
    : (!llvm.ptr, i64, i64, i64, i64, !llvm.ptr) -> i32
  %k1 = llvm.add %k, %c1 : i64
  %after = llvm.getelementptr %at[5] : (!llvm.ptr) -> !llvm.ptr, i64
  %good = llvm.icmp "eq" %status, %i0 : i32
  llvm.cond_br %good, ^next(%k1, %after : i64, !llvm.ptr), ^done(%status : i32)
^give:
  %one = llvm.icmp "eq" %count, %c1 : i64
  llvm.cond_br %one, ^single, ^several
^single:
"""
    + _words("kind value", "%values")
    + """
  %value_to = llvm.getelementptr %result[1] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.store %kind, %result : i64, !llvm.ptr
  llvm.store %value, %value_to : i64, !llvm.ptr
  llvm.br ^done(%i0 : i32)
^several:
  %count32 = llvm.trunc %count : i64 to i32
  %listed = llvm.call @__gs_list(%values, %count32, %result) : (!llvm.ptr, i32, !llvm.ptr) -> i32
  llvm.br ^done(%listed : i32)
^done(%returned: i32):
  llvm.return %returned : i32
}
"""
)
"""`__gs_results(results, frame, result)` hands over what a kernel has allocated."""

SIZE_TEXT = _size_text()
"""`__gs_size(step, frame)` computes one operation of a size."""


CALL_TEXT = _ENTER + _CHECK


def through_table(text: str) -> str:
    """`text` with calls of the functions `LATER` through `TABLE`."""
    found = []
    for function in text.split("\nllvm.func "):
        head, brace, body = function.partition(" {\n")
        looked_up = ""
        for number, name in enumerate(LATER):
            call = rf"@({name}\([^)]*\)\s*):"
            if re.search(call, body):
                body = re.sub(call, r"%\1: !llvm.ptr,", body)
                looked_up += (
                    f"  %at_{name} = llvm.getelementptr %table[{number}]"
                    " : (!llvm.ptr) -> !llvm.ptr, i64\n"
                    f"  %{name} = llvm.load %at_{name} : !llvm.ptr -> !llvm.ptr\n"
                )
        if looked_up:
            looked_up = f"  %table = llvm.mlir.addressof @{TABLE} : !llvm.ptr\n{looked_up}"
        found.append(head + brace + looked_up + body)
    table = f"llvm.mlir.global external @{TABLE}() : !llvm.array<{len(LATER)} x ptr>\n"
    return table + "\nllvm.func ".join(found)


FUNCTIONS = """
llvm.func @TVMFFIFunctionCreate(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
llvm.func internal @__gs_release(%block: !llvm.ptr) attributes {no_inline} {
  %release_at = llvm.getelementptr %block[3] : (!llvm.ptr) -> !llvm.ptr, i64
  %release = llvm.load %release_at : !llvm.ptr -> !llvm.ptr
  %null = llvm.mlir.zero : !llvm.ptr
  %ended = llvm.icmp "eq" %release, %null : !llvm.ptr
  llvm.cond_br %ended, ^done, ^release
^release:
  llvm.call %release(%block) : !llvm.ptr, (!llvm.ptr) -> ()
  llvm.br ^done
^done:
  llvm.return
}
llvm.func @__gs_function(%handle: !llvm.ptr, %args: !llvm.ptr, %count: i32, %result: !llvm.ptr)
    -> i32 attributes {no_inline} {
  %block_at = llvm.getelementptr %args[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %block = llvm.load %block_at : !llvm.ptr -> !llvm.ptr
  %call = llvm.mlir.addressof @__gs_enter : !llvm.ptr
  %release = llvm.mlir.addressof @__gs_release : !llvm.ptr
  %function_at = llvm.getelementptr %result[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %status = llvm.call @TVMFFIFunctionCreate(%block, %call, %release, %function_at)
    : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  %function = llvm.mlir.constant(68 : i64) : i64
  llvm.store %function, %result : i64, !llvm.ptr
  llvm.return %status : i32
}
"""
"""For this process: `__gs_function` is tvm-ffi's function from the address of a block to tvm-ffi's
function `__gs_enter` of it. A block has a fourth word, the function that is called with the block
when tvm-ffi's is freed, or null."""
