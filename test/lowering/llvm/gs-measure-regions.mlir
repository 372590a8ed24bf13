// RUN: gs-opt %s --gs-measure-regions=clock=steady | FileCheck %s
// RUN: gs-opt %s --gs-measure-regions --gs-measure-regions | FileCheck %s --check-prefix=ONCE

// ONCE-COUNT-2: call @__gs_threads
// ONCE-NOT: call @__gs_threads

// CHECK-LABEL: llvm.func @f
// CHECK: %[[STATE:.*]] = llvm.mlir.addressof @__gs_turns
// CHECK: %[[USED:.*]] = llvm.call @__gs_threads(%{{.*}}, %arg0)
// CHECK: llvm.call_intrinsic "llvm.readsteadycounter"
// CHECK: omp.parallel num_threads(%[[USED]] : i32)
// CHECK: llvm.atomicrmw
// CHECK: llvm.call @__gs_took
llvm.func @part()
llvm.func @f(%n: i32) {
  omp.parallel num_threads(%n : i32) {
    llvm.call @part() : () -> ()
    omp.terminator
  }
  llvm.return
}

// Loops that are faster on one thread than the parts of the region, one after the other: which of
// them run is asked before.
// CHECK-LABEL: llvm.func @asked
// CHECK-NOT: @__gs_loses
// CHECK: %[[ALONE:.*]] = llvm.call @__gs_threads
// CHECK: %[[LOSES:.*]] = llvm.icmp "eq" %[[ALONE]]
// CHECK: llvm.cond_br %[[LOSES]]
// CHECK-NOT: @__gs_threads
// CHECK: omp.parallel num_threads(%arg0 : i32)
// CHECK: llvm.call @__gs_took
// CHECK: llvm.mlir.global internal @__gs_turns
llvm.func @asked(%n: i32) {
  %loses = llvm.call @__gs_loses() : () -> i1
  llvm.cond_br %loses, ^alone, ^together
^alone:
  llvm.call @part() : () -> ()
  llvm.br ^end
^together:
  omp.parallel num_threads(%n : i32) {
    llvm.call @part() : () -> ()
    omp.terminator
  }
  llvm.br ^end
^end:
  llvm.return
}
llvm.func internal @__gs_loses() -> i1 {
  %no = llvm.mlir.constant(false) : i1
  llvm.return %no : i1
}
