"""Generated code that checks and converts the numbers of a call, in the LLVM dialect."""

TEXT = """
llvm.func internal @__gs_int(%any: !llvm.ptr, %text: !llvm.ptr, %low: i64, %high: i64,
    %out: !llvm.ptr) -> i32 attributes {no_inline} {
  %note = llvm.mlir.addressof @__gs_no_note : !llvm.ptr
  %i0 = llvm.mlir.constant(0 : i32) : i32
  %i1 = llvm.mlir.constant(1 : i32) : i32
  %i2 = llvm.mlir.constant(2 : i32) : i32
  %kind = llvm.load %any : !llvm.ptr -> i32
  %slot = llvm.getelementptr %any[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %is_int = llvm.icmp "eq" %kind, %i1 : i32
  %is_bool = llvm.icmp "eq" %kind, %i2 : i32
  %kind_ok = llvm.or %is_int, %is_bool : i1
  llvm.cond_br %kind_ok, ^value, ^type_error
^type_error:
  %te = llvm.mlir.addressof @__gs_type_error : !llvm.ptr
  %s0 = llvm.call @__gs_fail(%te, %text, %any, %note)
    : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  llvm.return %s0 : i32
^value:
  %int = llvm.load %slot : !llvm.ptr -> i64
  llvm.store %int, %out : i64, !llvm.ptr
  %above = llvm.icmp "sge" %int, %low : i64
  %below = llvm.icmp "sle" %int, %high : i64
  %fits = llvm.and %above, %below : i1
  llvm.cond_br %fits, ^done, ^value_error
^value_error:
  %ve = llvm.mlir.addressof @__gs_value_error : !llvm.ptr
  %s1 = llvm.call @__gs_fail(%ve, %text, %any, %note)
    : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  llvm.return %s1 : i32
^done:
  llvm.return %i0 : i32
}
llvm.func internal @__gs_float(%any: !llvm.ptr, %text: !llvm.ptr, %out: !llvm.ptr) -> i32
    attributes {no_inline} {
  %note = llvm.mlir.addressof @__gs_no_note : !llvm.ptr
  %i0 = llvm.mlir.constant(0 : i32) : i32
  %i1 = llvm.mlir.constant(1 : i32) : i32
  %i2 = llvm.mlir.constant(2 : i32) : i32
  %i3 = llvm.mlir.constant(3 : i32) : i32
  %kind = llvm.load %any : !llvm.ptr -> i32
  %slot = llvm.getelementptr %any[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %is_float = llvm.icmp "eq" %kind, %i3 : i32
  llvm.cond_br %is_float, ^float, ^not_float
^float:
  %float = llvm.load %slot : !llvm.ptr -> f64
  llvm.store %float, %out : f64, !llvm.ptr
  llvm.return %i0 : i32
^not_float:
  %is_int = llvm.icmp "eq" %kind, %i1 : i32
  %is_bool = llvm.icmp "eq" %kind, %i2 : i32
  %kind_ok = llvm.or %is_int, %is_bool : i1
  llvm.cond_br %kind_ok, ^int, ^type_error
^int:
  %int = llvm.load %slot : !llvm.ptr -> i64
  %converted = llvm.sitofp %int : i64 to f64
  llvm.store %converted, %out : f64, !llvm.ptr
  llvm.return %i0 : i32
^type_error:
  %te = llvm.mlir.addressof @__gs_type_error : !llvm.ptr
  %s0 = llvm.call @__gs_fail(%te, %text, %any, %note)
    : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  llvm.return %s0 : i32
}
"""
"""`__gs_int(any, expected, lowest, highest, out)` stores an i64, `__gs_float(any, expected, out)`
an f64; both return 0, or -1 with an error set."""
