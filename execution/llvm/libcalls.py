"""Float conversions that LLVM calls by name and that not every C runtime carries.

A double goes to 16 bits by way of a float rounded to odd, so that it is rounded once.
"""

NAMES = ("__truncsfbf2", "__truncdfbf2", "__truncdfhf2")

TEXT = """
llvm.func @__truncsfbf2(%x: f32) -> bf16 {
  %bits = llvm.bitcast %x : f32 to i32
  %high = llvm.lshr %bits, %i16 : i32
  %odd = llvm.and %high, %i1 : i32
  %bias = llvm.add %i32767, %odd : i32
  %raised = llvm.add %bits, %bias : i32
  %rounded = llvm.lshr %raised, %i16 : i32
  %nan = llvm.or %high, %i64 : i32
  %is_nan = llvm.fcmp "uno" %x, %x : f32
  %chosen = llvm.select %is_nan, %nan, %rounded : i1, i32
  %short = llvm.trunc %chosen : i32 to i16
  %result = llvm.bitcast %short : i16 to bf16
  llvm.return %result : bf16
}
llvm.func internal @__gs_to_odd(%x: f64) -> f32 {
  %nearest = llvm.fptrunc %x : f64 to f32
  %back = llvm.fpext %nearest : f32 to f64
  %inexact = llvm.fcmp "one" %back, %x : f64
  %back_size = llvm.intr.fabs(%back) : (f64) -> f64
  %x_size = llvm.intr.fabs(%x) : (f64) -> f64
  %beyond = llvm.fcmp "ogt" %back_size, %x_size : f64
  %bits = llvm.bitcast %nearest : f32 to i32
  %step = llvm.zext %beyond : i1 to i32
  %toward_zero = llvm.sub %bits, %step : i32
  %odd = llvm.or %toward_zero, %i1 : i32
  %chosen = llvm.select %inexact, %odd, %bits : i1, i32
  %result = llvm.bitcast %chosen : i32 to f32
  llvm.return %result : f32
}
llvm.func @__truncdfbf2(%x: f64) -> bf16 {
  %odd = call @__gs_to_odd(%x)
  %result = call @__truncsfbf2(%odd)
  llvm.return %result : bf16
}
llvm.func @__truncdfhf2(%x: f64) -> f16 {
  %odd = call @__gs_to_odd(%x)
  %result = llvm.fptrunc %odd : f32 to f16
  llvm.return %result : f16
}
"""
