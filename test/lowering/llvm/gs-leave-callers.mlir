// RUN: gs-opt %s --gs-leave-callers | FileCheck %s

llvm.func @part(i64)

// CHECK-LABEL: llvm.func @f
// CHECK-SAME: no_inline, optimize_none
llvm.func @f(%one: i64) attributes {gs.kernel} {
  omp.parallel {
    llvm.call @part(%one) : (i64) -> ()
    omp.terminator
  }
  llvm.return
}
