"""Generated code that reports errors: LLVM dialect text that sets tvm-ffi's raised error.

Messages are formatted by `snprintf` from the compiled code itself, so that a kernel without
Python around it (C++, Rust) reports the same texts.
"""

import re

DECLARATIONS = """
llvm.func @snprintf(!llvm.ptr, i64, !llvm.ptr, ...) -> i32
llvm.func @TVMFFIErrorSetRaisedFromCStr(!llvm.ptr, !llvm.ptr)
"""

_OBJECT_NAMES = {
    0: "None",
    1: "int",
    2: "bool",
    3: "float",
    4: "pointer",
    5: "dtype",
    6: "device",
    8: "str",
    9: "bytes",
    11: "str",
    12: "bytes",
    65: "str",
    66: "bytes",
    67: "error",
    68: "function",
    69: "shape",
    71: "list",
    72: "dict",
    73: "module",
    75: "list",
    76: "dict",
    78: "large int",
}
"""What messages call tvm-ffi's kinds of values, by type index."""

_DTYPE_FORMATS = [
    *("int%d", "uint%d", "float%d", "handle%d", "bfloat%d", "complex%d", "bool"),
    *("float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fn", "float8_e4m3fnuz"),
    *("float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu"),
    *("float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn"),
]
"""`snprintf` formats for DLPack's type codes, given the width in bits."""

_NAME_WIDTH = 24


_ODD = re.compile(rb'[^ -~]|["\\]')


def escaped(text: str) -> str:
    """`text` as the inside of an MLIR string literal."""
    return _ODD.sub(lambda found: b"\\%02X" % ord(found[0]), text.encode()).decode()


def string_global(name: str, text: str) -> str:
    """A private zero-terminated string constant."""
    return f'llvm.mlir.global internal constant @{name}("{escaped(text)}\\00")\n'


def _table(name: str, entries: list[str]) -> str:
    """Strings at a fixed distance of `_NAME_WIDTH` bytes from each other."""
    cells = "".join(escaped(entry) + "\\00" * (_NAME_WIDTH - len(entry)) for entry in entries)
    return f'llvm.mlir.global internal constant @{name}("{cells}")\n'


def _gs_describe() -> str:
    """`__gs_describe(any, buffer, size)` writes what a value is, such as `float64[10, 64]`."""
    names = [_OBJECT_NAMES.get(index, "object") for index in range(79)] + ["object"]
    return (
        _table("__gs_objects", names)
        + _table("__gs_dtypes", [*_DTYPE_FORMATS, "unknown dtype"])
        + string_global("__gs_int_format", "int %lld")
        + string_global("__gs_float_format", "float %g")
        + string_global("__gs_open", "[")
        + string_global("__gs_first", "%lld")
        + string_global("__gs_next", ", %lld")
        + string_global("__gs_close", "]")
        + string_global("__gs_device", "] on device %d")
        + f"""
llvm.func internal @__gs_describe(%any: !llvm.ptr, %buffer: !llvm.ptr, %size: i64)
    attributes {{no_inline, cold}} {{
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c3 = llvm.mlir.constant(3 : i32) : i32
  %c7 = llvm.mlir.constant(7 : i32) : i32
  %c70 = llvm.mlir.constant(70 : i32) : i32
  %c79 = llvm.mlir.constant(79 : i32) : i32
  %width = llvm.mlir.constant({_NAME_WIDTH} : i64) : i64
  %kind = llvm.load %any : !llvm.ptr -> i32
  %slot = llvm.getelementptr %any[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %is_int = llvm.icmp "eq" %kind, %c1 : i32
  llvm.cond_br %is_int, ^integer, ^not_int
^integer:
  %int = llvm.load %slot : !llvm.ptr -> i64
  %int_format = llvm.mlir.addressof @__gs_int_format : !llvm.ptr
  %r0 = llvm.call @snprintf(%buffer, %size, %int_format, %int)
    vararg(!llvm.func<i32 (ptr, i64, ptr, ...)>) : (!llvm.ptr, i64, !llvm.ptr, i64) -> i32
  llvm.return
^not_int:
  %is_float = llvm.icmp "eq" %kind, %c3 : i32
  llvm.cond_br %is_float, ^floating, ^not_float
^floating:
  %float = llvm.load %slot : !llvm.ptr -> f64
  %float_format = llvm.mlir.addressof @__gs_float_format : !llvm.ptr
  %r1 = llvm.call @snprintf(%buffer, %size, %float_format, %float)
    vararg(!llvm.func<i32 (ptr, i64, ptr, ...)>) : (!llvm.ptr, i64, !llvm.ptr, f64) -> i32
  llvm.return
^not_float:
  %value = llvm.load %slot : !llvm.ptr -> !llvm.ptr
  %is_tensor = llvm.icmp "eq" %kind, %c70 : i32
  %is_dltensor = llvm.icmp "eq" %kind, %c7 : i32
  %is_array = llvm.or %is_tensor, %is_dltensor : i1
  llvm.cond_br %is_array, ^array, ^object
^object:
  %known = llvm.icmp "ult" %kind, %c79 : i32
  %index = llvm.select %known, %kind, %c79 : i1, i32
  %index64 = llvm.zext %index : i32 to i64
  %offset = llvm.mul %index64, %width : i64
  %objects = llvm.mlir.addressof @__gs_objects : !llvm.ptr
  %name = llvm.getelementptr %objects[%offset] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %r2 = llvm.call @snprintf(%buffer, %size, %name)
    vararg(!llvm.func<i32 (ptr, i64, ptr, ...)>) : (!llvm.ptr, i64, !llvm.ptr) -> i32
  llvm.return
^array:
  %cell = llvm.getelementptr %value[24] : (!llvm.ptr) -> !llvm.ptr, i8
  %dl = llvm.select %is_tensor, %cell, %value : i1, !llvm.ptr
  %code_at = llvm.getelementptr %dl[20] : (!llvm.ptr) -> !llvm.ptr, i8
  %bits_at = llvm.getelementptr %dl[21] : (!llvm.ptr) -> !llvm.ptr, i8
  %code8 = llvm.load %code_at : !llvm.ptr -> i8
  %bits8 = llvm.load %bits_at : !llvm.ptr -> i8
  %code = llvm.zext %code8 : i8 to i64
  %bits = llvm.zext %bits8 : i8 to i32
  %codes = llvm.mlir.constant({len(_DTYPE_FORMATS)} : i64) : i64
  %code_known = llvm.icmp "ult" %code, %codes : i64
  %code_index = llvm.select %code_known, %code, %codes : i1, i64
  %code_offset = llvm.mul %code_index, %width : i64
  %dtypes = llvm.mlir.addressof @__gs_dtypes : !llvm.ptr
  %format = llvm.getelementptr %dtypes[%code_offset] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %n0 = llvm.call @snprintf(%buffer, %size, %format, %bits)
    vararg(!llvm.func<i32 (ptr, i64, ptr, ...)>) : (!llvm.ptr, i64, !llvm.ptr, i32) -> i32
  %after_name = llvm.call @__gs_advance(%buffer, %n0) : (!llvm.ptr, i32) -> !llvm.ptr
  %open = llvm.mlir.addressof @__gs_open : !llvm.ptr
  // A rank above 20 would not fit; DLPack's arrays have fewer in practice.
  %room = llvm.mlir.constant(24 : i64) : i64
  %n1 = llvm.call @snprintf(%after_name, %room, %open)
    vararg(!llvm.func<i32 (ptr, i64, ptr, ...)>) : (!llvm.ptr, i64, !llvm.ptr) -> i32
  %start = llvm.call @__gs_advance(%after_name, %n1) : (!llvm.ptr, i32) -> !llvm.ptr
  %rank_at = llvm.getelementptr %dl[16] : (!llvm.ptr) -> !llvm.ptr, i8
  %shape_at = llvm.getelementptr %dl[24] : (!llvm.ptr) -> !llvm.ptr, i8
  %rank_full = llvm.load %rank_at : !llvm.ptr -> i32
  %most = llvm.mlir.constant(20 : i32) : i32
  %rank = llvm.intr.smin(%rank_full, %most) : (i32, i32) -> i32
  %shape = llvm.load %shape_at : !llvm.ptr -> !llvm.ptr
  %first_format = llvm.mlir.addressof @__gs_first : !llvm.ptr
  %next_format = llvm.mlir.addressof @__gs_next : !llvm.ptr
  llvm.br ^head(%c0, %start : i32, !llvm.ptr)
^head(%d: i32, %at: !llvm.ptr):
  %more = llvm.icmp "slt" %d, %rank : i32
  llvm.cond_br %more, ^body, ^end
^body:
  %n_at = llvm.getelementptr %shape[%d] : (!llvm.ptr, i32) -> !llvm.ptr, i64
  %n = llvm.load %n_at : !llvm.ptr -> i64
  %is_first = llvm.icmp "eq" %d, %c0 : i32
  %dim_format = llvm.select %is_first, %first_format, %next_format : i1, !llvm.ptr
  %n2 = llvm.call @snprintf(%at, %room, %dim_format, %n)
    vararg(!llvm.func<i32 (ptr, i64, ptr, ...)>) : (!llvm.ptr, i64, !llvm.ptr, i64) -> i32
  %then = llvm.call @__gs_advance(%at, %n2) : (!llvm.ptr, i32) -> !llvm.ptr
  %d1 = llvm.add %d, %c1 : i32
  llvm.br ^head(%d1, %then : i32, !llvm.ptr)
^end:
  %device_at = llvm.getelementptr %dl[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %device = llvm.load %device_at : !llvm.ptr -> i32
  %on_cpu = llvm.icmp "eq" %device, %c1 : i32
  %close = llvm.mlir.addressof @__gs_close : !llvm.ptr
  %elsewhere = llvm.mlir.addressof @__gs_device : !llvm.ptr
  %end_format = llvm.select %on_cpu, %close, %elsewhere : i1, !llvm.ptr
  %n3 = llvm.call @snprintf(%at, %room, %end_format, %device)
    vararg(!llvm.func<i32 (ptr, i64, ptr, ...)>) : (!llvm.ptr, i64, !llvm.ptr, i32) -> i32
  llvm.return
}}
llvm.func internal @__gs_advance(%at: !llvm.ptr, %count: i32) -> !llvm.ptr {{
  %next = llvm.getelementptr %at[%count] : (!llvm.ptr, i32) -> !llvm.ptr, i8
  llvm.return %next : !llvm.ptr
}}
"""
    )


_GS_FAIL = (
    string_global("__gs_fail_format", "%s, found %s%s")
    + """
llvm.func internal @__gs_fail(
    %kind: !llvm.ptr, %text: !llvm.ptr, %any: !llvm.ptr, %note: !llvm.ptr) -> i32
    attributes {no_inline, cold} {
  %size = llvm.mlir.constant(1024 : i64) : i64
  %found = llvm.alloca %size x i8 : (i64) -> !llvm.ptr
  %message = llvm.alloca %size x i8 : (i64) -> !llvm.ptr
  llvm.call @__gs_describe(%any, %found, %size) : (!llvm.ptr, !llvm.ptr, i64) -> ()
  %format = llvm.mlir.addressof @__gs_fail_format : !llvm.ptr
  %n = llvm.call @snprintf(%message, %size, %format, %text, %found, %note)
    vararg(!llvm.func<i32 (ptr, i64, ptr, ...)>)
    : (!llvm.ptr, i64, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  llvm.call @TVMFFIErrorSetRaisedFromCStr(%kind, %message) : (!llvm.ptr, !llvm.ptr) -> ()
  %status = llvm.mlir.constant(-1 : i32) : i32
  llvm.return %status : i32
}
"""
)

_GS_MISCOUNT = (
    string_global("__gs_count_format", "%s, found %d")
    + """
llvm.func internal @__gs_miscount(%text: !llvm.ptr, %found: i32) -> i32
    attributes {no_inline, cold} {
  %size = llvm.mlir.constant(1024 : i64) : i64
  %message = llvm.alloca %size x i8 : (i64) -> !llvm.ptr
  %format = llvm.mlir.addressof @__gs_count_format : !llvm.ptr
  %n = llvm.call @snprintf(%message, %size, %format, %text, %found)
    vararg(!llvm.func<i32 (ptr, i64, ptr, ...)>)
    : (!llvm.ptr, i64, !llvm.ptr, !llvm.ptr, i32) -> i32
  %kind = llvm.mlir.addressof @__gs_type_error : !llvm.ptr
  llvm.call @TVMFFIErrorSetRaisedFromCStr(%kind, %message) : (!llvm.ptr, !llvm.ptr) -> ()
  %status = llvm.mlir.constant(-1 : i32) : i32
  llvm.return %status : i32
}
"""
)

CONSTANTS = (
    string_global("__gs_type_error", "TypeError")
    + string_global("__gs_value_error", "ValueError")
    + string_global("__gs_no_note", "")
    + string_global("__gs_unaligned", " at an address that is not aligned to the element size")
    + string_global("__gs_strides", " with other strides")
    + string_global("__gs_wanted_format", "; with these arguments it is %s")
)
"""What checks and messages refer to."""

TEXT = _gs_describe() + _GS_FAIL + _GS_MISCOUNT
"""`__gs_fail(kind, expected, any, note)` raises `expected, found ...` and returns -1;
`__gs_miscount(text, found)` does for a wrong number of arguments."""


NO_MEMORY = "__gs_no_memory"
