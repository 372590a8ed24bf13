// RUN: gs-opt %s --gs-measure-regions=clock=steady | FileCheck %s
// RUN: gs-opt %s --gs-measure-regions --gs-measure-regions | FileCheck %s --check-prefix=ONCE

// ONCE-COUNT-1: call @__gs_threads
// ONCE-NOT: call @__gs_threads

// CHECK-LABEL: llvm.func @f
// CHECK: %[[STATE:.*]] = llvm.mlir.addressof @__gs_turns
// CHECK: %[[USED:.*]] = llvm.call @__gs_threads(%{{.*}}, %arg0)
// CHECK: llvm.call_intrinsic "llvm.readsteadycounter"
// CHECK: omp.parallel num_threads(%[[USED]] : i32)
// CHECK: llvm.atomicrmw
// CHECK: llvm.call @__gs_took
// CHECK: llvm.mlir.global internal @__gs_turns
llvm.func @part()
llvm.func @f(%n: i32) {
  omp.parallel num_threads(%n : i32) {
    llvm.call @part() : () -> ()
    omp.terminator
  }
  llvm.return
}
