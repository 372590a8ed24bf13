"""Generated code that calls a kernel by its plan, in the LLVM dialect.

`__gs_enter` is a safe call of tvm-ffi with a block for its handle: {kernel, plan, messages}. Values
are checked in the order of the plan, into a frame of words; the kernel computes from there; what
it allocated is handed over. A call returns 0, or -1 with an error set; a result of the integer 1
instead of None says that an array is not C-contiguous where the code relies on it.

What few kernels need is called through a table in this process, and compiled when the first one
needs it.
"""

import re

from mlir_gs.execution.generated.plan import ARRAY, DISJOINT, FLOAT, HEAD, INTEGER, POINTERS
from mlir_gs.execution.generated.short import Types, signature
from mlir_gs.execution.generated.text import Text
from mlir_gs.execution.signature.sizes import OPERATIONS, PREDICATES, Size, llvm_value

_KERNEL_TYPES = ", ".join(["!llvm.ptr"] * (2 + POINTERS))
"""A kernel takes where errors go, in code that travels (`aot_sink.py`), its frame and `POINTERS`
addresses, and returns 0, or -1."""

TABLE = "__gs_later"
"""The table of the functions `LATER`, in their order."""

LATER = ("__gs_int", "__gs_float", "__gs_size", "__gs_results")


_POINTERS = range(POINTERS)

CALL_TEXT = f"""
llvm.func @__gs_enter(%block: !llvm.ptr, %args: !llvm.ptr, %found: i32, %result: !llvm.ptr)
    -> i32 attributes {{no_inline}} {{
  %kernel, %plan, %texts = load %block[0] : ptr
  %size = load %plan : i64
  %frame = llvm.alloca %size x i64 : (i64) -> !llvm.ptr
  %checked = call @__gs_check(%args, %found, %plan, %texts, %frame, %result)
  %good = llvm.icmp "eq" %checked, %i0 : i32
  llvm.cond_br %good, ^run, ^stop(%checked : i32)
^run:
  {", ".join(f"%w{k}" for k in _POINTERS)} = load %plan[4] : i64
{"".join(f"  %p{k} = load %frame[%w{k}] : ptr{chr(10)}" for k in _POINTERS)}
  %ran = llvm.call %kernel(%block, %frame, {", ".join(f"%p{k}" for k in _POINTERS)})
    : !llvm.ptr, ({_KERNEL_TYPES}) -> i32
  %fine = llvm.icmp "eq" %ran, %i0 : i32
  llvm.cond_br %fine, ^results, ^stop(%ran : i32)
^results:
  %offset = load %plan[3] : i64
  %results = at %plan[%offset]
  %count = load %results : i64
  %none = llvm.icmp "eq" %count, %c0 : i64
  llvm.cond_br %none, ^done(%i0 : i32), ^own
^own:
  %owned = call @__gs_results(%results, %frame, %result)
  llvm.br ^done(%owned : i32)
^stop(%status: i32):
  %failed = llvm.ashr %status, %i31 : i32
  llvm.br ^done(%failed : i32)
^done(%returned: i32):
  llvm.return %returned : i32
}}
llvm.func internal @__gs_check(%args: !llvm.ptr, %found: i32, %plan: !llvm.ptr,
    %texts: !llvm.ptr, %frame: !llvm.ptr, %result: !llvm.ptr) -> i32 attributes {{no_inline}} {{
  %count, %title = load %plan[1] : i64
  %steps = load %plan[{HEAD - 1}] : i64
  %first = at %plan[{HEAD}]
  %given = llvm.sext %found : i32 to i64
  %same = llvm.icmp "eq" %given, %count : i64
  llvm.cond_br %same, ^next(%c0, %first : i64, !llvm.ptr), ^miscount
^miscount:
  %wanted = at %texts[%title x i8]
  %miscount = call @__gs_miscount(%wanted, %found)
  llvm.return %miscount : i32
^next(%k: i64, %at: !llvm.ptr):
  %more = llvm.icmp "slt" %k, %steps : i64
  llvm.cond_br %more, ^step, ^done
^step:
  // Of an array and a number; other steps have more than one word here, too.
  %words, %kind, %number, %text_offset, %place = load %at[0] : i64
  %any = at %args[%number x any]
  %text = at %texts[%text_offset x i8]
  %cell = at %frame[%place]
  llvm.switch %kind : i64, ^size [
    {ARRAY}: ^array,
    {INTEGER}: ^integer,
    {FLOAT}: ^float,
    {DISJOINT}: ^disjoint
  ]
^array:
  %sizes_place, %has_layout = load %at[5] : i64
  %rank = load %at[9] : i64
  %spec = at %at[7]
  %static = at %spec[5]
  %computed = at %frame[%sizes_place]
  %is_computed = llvm.icmp "sge" %sizes_place, %c0 : i64
  %sizes = llvm.select %is_computed, %computed, %static : i1, !llvm.ptr
  %strides = at %static[%rank]
  %any_layout = llvm.icmp "eq" %has_layout, %c0 : i64
  %layout = llvm.select %any_layout, %null, %strides : i1, !llvm.ptr
  %fits = call @__gs_tensor(%any, %text, %spec, %sizes, %layout, %cell)
  llvm.br ^checked(%fits : i32)
^integer:
  %lowest, %highest = load %at[5] : i64
  %is_integer = call @__gs_int(%any, %text, %lowest, %highest, %cell)
  llvm.br ^checked(%is_integer : i32)
^float:
  %is_float = call @__gs_float(%any, %text, %cell)
  llvm.br ^checked(%is_float : i32)
^disjoint:
  %shared = at %texts[%number x i8]
  %a = at %frame[%text_offset]
  %b = at %frame[%place]
  %are_disjoint = call @__gs_disjoint(%shared, %a, %b)
  llvm.br ^checked(%are_disjoint : i32)
^size:
  call @__gs_size(%at, %frame)
  llvm.br ^checked(%i0 : i32)
^checked(%status: i32):
  %k1 = llvm.add %k, %c1 : i64
  %after = at %at[%words]
  %good = llvm.icmp "eq" %status, %i0 : i32
  llvm.cond_br %good, ^next(%k1, %after : i64, !llvm.ptr), ^stop
^stop:
  %strided = llvm.icmp "eq" %status, %i1 : i32
  llvm.cond_br %strided, ^report, ^failed
^report:
  store %i1, %result : i32
  store %c1, %result[1] : i64
  llvm.br ^failed
^failed:
  llvm.return %status : i32
^done:
  llvm.return %i0 : i32
}}
"""


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
        "  %op, %place, %x, %y, %z = load %at[2] : i64\n"
        "  %cell = at %frame[%place]\n"
        f"  llvm.switch %op : i64, ^{OPERATIONS[0]} [{cases}]\n" + "\n".join(text.lines) + "\n}\n"
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


RESULTS_TEXT = """
llvm.func internal @__gs_results(%results: !llvm.ptr, %frame: !llvm.ptr, %result: !llvm.ptr)
    -> i32 attributes {no_inline} {
  %count, %values_place = load %results[0] : i64
  %values = at %frame[%values_place]
  %first = at %results[2]
  llvm.br ^next(%c0, %first : i64, !llvm.ptr)
^next(%k: i64, %at: !llvm.ptr):
  %more = llvm.icmp "slt" %k, %count : i64
  llvm.cond_br %more, ^own, ^give
^own:
  %place, %dtype, %rank, %bytes, %head = load %at[0] : i64
  %descriptor = at %frame[%place]
  %slot = at %values[%k x any]
  %status = call @__gs_own(%descriptor, %dtype, %rank, %bytes, %head, %slot)
  %k1 = llvm.add %k, %c1 : i64
  %after = at %at[5]
  %good = llvm.icmp "eq" %status, %i0 : i32
  llvm.cond_br %good, ^next(%k1, %after : i64, !llvm.ptr), ^done(%status : i32)
^give:
  %one = llvm.icmp "eq" %count, %c1 : i64
  llvm.cond_br %one, ^single, ^several
^single:
  %kind, %value = load %values[0] : i64
  store %kind, %result : i64
  store %value, %result[1] : i64
  llvm.br ^done(%i0 : i32)
^several:
  %count32 = llvm.trunc %count : i64 to i32
  %listed = call @__gs_list(%values, %count32, %result)
  llvm.br ^done(%listed : i32)
^done(%returned: i32):
  llvm.return %returned : i32
}
"""
"""`__gs_results(results, frame, result)` hands over what a kernel has allocated."""

SIZE_TEXT = _size_text()
"""`__gs_size(step, frame)` computes one operation of a size."""


def through_table(text: str, types: Types) -> str:
    """`text` with calls of the functions `LATER`, of these types, through `TABLE`."""
    found = []
    for function in text.split("\nllvm.func "):
        head, brace, body = function.partition(" {\n")
        looked_up = ""
        for number, name in enumerate(LATER):
            call = rf"call @{name}\(([^)]*)\)"
            if re.search(call, body):
                kinds = signature(types[name])
                body = re.sub(call, rf"llvm.call %{name}(\1) : !llvm.ptr, {kinds}", body)
                looked_up += f"  %{name} = load %table[{number}] : ptr\n"
        if looked_up:
            looked_up = f"  %table = llvm.mlir.addressof @{TABLE} : !llvm.ptr\n{looked_up}"
        found.append(head + brace + looked_up + body)
    table = f"llvm.mlir.global external @{TABLE}() : !llvm.array<{len(LATER)} x ptr>\n"
    return table + "\nllvm.func ".join(found)


FUNCTIONS = """
llvm.func @TVMFFIFunctionCreate(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
llvm.func internal @__gs_release(%block: !llvm.ptr) attributes {no_inline} {
  %release = load %block[3] : ptr
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
  %block = load %args[1] : ptr
  %function_at = at %result[1]
  %status = call @TVMFFIFunctionCreate(%block, @__gs_enter, @__gs_release, %function_at)
  store %c68, %result : i64
  llvm.return %status : i32
}
"""
"""For this process: `__gs_function` is tvm-ffi's function from the address of a block to tvm-ffi's
function `__gs_enter` of it. A block has a fourth word, the function that is called with the block
when tvm-ffi's is freed, or null."""
