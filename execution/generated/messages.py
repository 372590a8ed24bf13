"""Generated code that reports errors: LLVM dialect text that sets tvm-ffi's raised error.

Messages are formatted by `snprintf` from the compiled code itself, so that a kernel without
Python around it (C++, Rust) reports what Python reports.
"""

import re

DECLARATIONS = """
llvm.func @snprintf(!llvm.ptr, i64, !llvm.ptr, ...) -> i32
llvm.func @strlen(!llvm.ptr) -> i64
llvm.func @TVMFFIErrorCreate(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
llvm.func @TVMFFIErrorSetRaised(!llvm.ptr)
llvm.func @TVMFFIObjectDecRef(!llvm.ptr) -> i32
"""

SET_ERROR = """
llvm.func internal @__gs_set_error(%kind: !llvm.ptr, %message: !llvm.ptr)
    attributes {no_inline, cold} {
  %kind_array = llvm.alloca %c2 x i64 : (i64) -> !llvm.ptr
  %message_array = llvm.alloca %c2 x i64 : (i64) -> !llvm.ptr
  %no_backtrace = llvm.alloca %c2 x i64 : (i64) -> !llvm.ptr
  %error_at = llvm.alloca %c1 x !llvm.ptr : (i64) -> !llvm.ptr
  %kind_length = call @strlen(%kind)
  %message_length = call @strlen(%message)
  store %kind, %kind_array : ptr
  store %kind_length, %kind_array[1] : i64
  store %message, %message_array : ptr
  store %message_length, %message_array[1] : i64
  store %kind, %no_backtrace : ptr
  store %c0, %no_backtrace[1] : i64
  %failed = call @TVMFFIErrorCreate(%kind_array, %message_array, %no_backtrace, %error_at)
  %error = load %error_at : ptr
  %made = llvm.icmp "eq" %failed, %i0 : i32
  llvm.cond_br %made, ^raise, ^done
^raise:
  call @TVMFFIErrorSetRaised(%error)
  %released = call @TVMFFIObjectDecRef(%error)
  llvm.br ^done
^done:
  llvm.return
}
"""
"""`__gs_set_error(kind, message)` sets tvm-ffi's raised error.

`TVMFFIErrorSetRaisedFromCStr` walks the stack for a backtrace, under a lock that a child of a fork
may find held, and reads the symbols of every loaded library for it.
"""

_OBJECT_NAMES = {
    **dict(enumerate(("None", "int", "bool", "float", "pointer", "dtype", "device"))),
    **dict.fromkeys((8, 11, 65), "str"),
    **dict.fromkeys((9, 12, 66), "bytes"),
    **{67: "error", 68: "function", 69: "shape", 71: "list", 72: "dict", 73: "module"},
    **{75: "list", 76: "dict", 78: "large int"},
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
  %width = llvm.mlir.constant({_NAME_WIDTH} : i64) : i64
  %kind = load %any : i32
  %slot = at %any[8 x i8]
  %is_int = llvm.icmp "eq" %kind, %i1 : i32
  llvm.cond_br %is_int, ^integer, ^not_int
^integer:
  %int = load %slot : i64
  %r0 = call @snprintf(%buffer, %size, @__gs_int_format, %int : i64)
  llvm.return
^not_int:
  %is_float = llvm.icmp "eq" %kind, %i3 : i32
  llvm.cond_br %is_float, ^floating, ^not_float
^floating:
  %float = load %slot : f64
  %r1 = call @snprintf(%buffer, %size, @__gs_float_format, %float : f64)
  llvm.return
^not_float:
  %value = load %slot : ptr
  %is_tensor = llvm.icmp "eq" %kind, %i70 : i32
  %is_dltensor = llvm.icmp "eq" %kind, %i7 : i32
  %is_array = llvm.or %is_tensor, %is_dltensor : i1
  llvm.cond_br %is_array, ^array, ^object
^object:
  %known = llvm.icmp "ult" %kind, %i79 : i32
  %index = llvm.select %known, %kind, %i79 : i1, i32
  %index64 = llvm.zext %index : i32 to i64
  %offset = llvm.mul %index64, %width : i64
  %objects = llvm.mlir.addressof @__gs_objects : !llvm.ptr
  %name = at %objects[%offset x i8]
  %r2 = call @snprintf(%buffer, %size, %name)
  llvm.return
^array:
  %cell = at %value[24 x i8]
  %dl = llvm.select %is_tensor, %cell, %value : i1, !llvm.ptr
  %code8 = load %dl[20 x i8] : i8
  %bits8 = load %dl[21 x i8] : i8
  %code = llvm.zext %code8 : i8 to i64
  %bits = llvm.zext %bits8 : i8 to i32
  %codes = llvm.mlir.constant({len(_DTYPE_FORMATS)} : i64) : i64
  %code_known = llvm.icmp "ult" %code, %codes : i64
  %code_index = llvm.select %code_known, %code, %codes : i1, i64
  %code_offset = llvm.mul %code_index, %width : i64
  %dtypes = llvm.mlir.addressof @__gs_dtypes : !llvm.ptr
  %format = at %dtypes[%code_offset x i8]
  %n0 = call @snprintf(%buffer, %size, %format, %bits : i32)
  %after_name = call @__gs_advance(%buffer, %n0)
  // A rank above 20 would not fit; DLPack's arrays have fewer in practice.
  %n1 = call @snprintf(%after_name, %c24, @__gs_open)
  %start = call @__gs_advance(%after_name, %n1)
  %rank_full = load %dl[16 x i8] : i32
  %rank = llvm.intr.smin(%rank_full, %i20) : (i32, i32) -> i32
  %shape = load %dl[24 x i8] : ptr
  %first_format = llvm.mlir.addressof @__gs_first : !llvm.ptr
  %next_format = llvm.mlir.addressof @__gs_next : !llvm.ptr
  llvm.br ^head(%i0, %start : i32, !llvm.ptr)
^head(%d: i32, %at: !llvm.ptr):
  %more = llvm.icmp "slt" %d, %rank : i32
  llvm.cond_br %more, ^body, ^end
^body:
  %n_at = llvm.getelementptr %shape[%d] : (!llvm.ptr, i32) -> !llvm.ptr, i64
  %n = load %n_at : i64
  %is_first = llvm.icmp "eq" %d, %i0 : i32
  %dim_format = llvm.select %is_first, %first_format, %next_format : i1, !llvm.ptr
  %n2 = call @snprintf(%at, %c24, %dim_format, %n : i64)
  %then = call @__gs_advance(%at, %n2)
  %d1 = llvm.add %d, %i1 : i32
  llvm.br ^head(%d1, %then : i32, !llvm.ptr)
^end:
  %device = load %dl[8 x i8] : i32
  %on_cpu = llvm.icmp "eq" %device, %i1 : i32
  %close = llvm.mlir.addressof @__gs_close : !llvm.ptr
  %elsewhere = llvm.mlir.addressof @__gs_device : !llvm.ptr
  %end_format = llvm.select %on_cpu, %close, %elsewhere : i1, !llvm.ptr
  %n3 = call @snprintf(%at, %c24, %end_format, %device : i32)
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
  %found = llvm.alloca %c1024 x i8 : (i64) -> !llvm.ptr
  %message = llvm.alloca %c1024 x i8 : (i64) -> !llvm.ptr
  call @__gs_describe(%any, %found, %c1024)
  %n = call @snprintf(%message, %c1024, @__gs_fail_format, %text, %found, %note : ptr, ptr, ptr)
  call @__gs_set_error(%kind, %message)
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
  %message = llvm.alloca %c1024 x i8 : (i64) -> !llvm.ptr
  %n = call @snprintf(%message, %c1024, @__gs_count_format, %text, %found : ptr, i32)
  call @__gs_set_error(@__gs_type_error, %message)
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

TEXT = SET_ERROR + _gs_describe() + _GS_FAIL + _GS_MISCOUNT
"""`__gs_fail(kind, expected, any, note)` raises `expected, found ...` and returns -1;
`__gs_miscount(text, found)` does for a wrong number of arguments."""
