"""Generated code that checks and converts the numbers of a call, in the LLVM dialect."""

TEXT = """
llvm.func internal @__gs_int(%any: !llvm.ptr, %text: !llvm.ptr, %low: i64, %high: i64,
    %out: !llvm.ptr) -> i32 attributes {no_inline} {
  %note = llvm.mlir.addressof @__gs_no_note : !llvm.ptr
  %kind = load %any : i32
  %is_int = llvm.icmp "eq" %kind, %i1 : i32
  %is_bool = llvm.icmp "eq" %kind, %i2 : i32
  %kind_ok = llvm.or %is_int, %is_bool : i1
  llvm.cond_br %kind_ok, ^value, ^type_error
^type_error:
  %s0 = call @__gs_fail(@__gs_type_error, %text, %any, %note)
  llvm.return %s0 : i32
^value:
  %int = load %any[8 x i8] : i64
  store %int, %out : i64
  %above = llvm.icmp "sge" %int, %low : i64
  %below = llvm.icmp "sle" %int, %high : i64
  %fits = llvm.and %above, %below : i1
  llvm.cond_br %fits, ^done, ^value_error
^value_error:
  %s1 = call @__gs_fail(@__gs_value_error, %text, %any, %note)
  llvm.return %s1 : i32
^done:
  llvm.return %i0 : i32
}
llvm.func internal @__gs_float(%any: !llvm.ptr, %text: !llvm.ptr, %out: !llvm.ptr) -> i32
    attributes {no_inline} {
  %kind = load %any : i32
  %slot = at %any[8 x i8]
  %is_float = llvm.icmp "eq" %kind, %i3 : i32
  llvm.cond_br %is_float, ^float, ^not_float
^float:
  %float = load %slot : f64
  store %float, %out : f64
  llvm.return %i0 : i32
^not_float:
  %is_int = llvm.icmp "eq" %kind, %i1 : i32
  %is_bool = llvm.icmp "eq" %kind, %i2 : i32
  %kind_ok = llvm.or %is_int, %is_bool : i1
  llvm.cond_br %kind_ok, ^int, ^type_error
^int:
  %int = load %slot : i64
  %converted = llvm.sitofp %int : i64 to f64
  store %converted, %out : f64
  llvm.return %i0 : i32
^type_error:
  %s0 = call @__gs_fail(@__gs_type_error, %text, %any, @__gs_no_note)
  llvm.return %s0 : i32
}
"""
"""`__gs_int(any, expected, lowest, highest, out)` stores an i64, `__gs_float(any, expected, out)`
an f64; both return 0, or -1 with an error set."""
