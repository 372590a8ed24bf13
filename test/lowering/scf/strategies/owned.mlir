// Updates in no order, of which each thread runs those that reach its own part of the output.
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="threads=2" --canonicalize --cse | filecheck %s

// The positions of a thread's points are listed, eight at a time.
// CHECK-LABEL: func.func private @gs_kernel_0
// CHECK: %[[FOUND:.*]] = memref.alloca() : memref<1032xi32>
// CHECK: vector.load {{.*}} vector<8xi64>
// CHECK: arith.cmpi ult, {{.*}} : vector<8xi64>
// CHECK: llvm.call_intrinsic "llvm.experimental.vector.compress"
// CHECK: vector.store {{.*}}, %[[FOUND]]
// CHECK: math.ctpop
// CHECK: memref.load %[[FOUND]]
func.func @owned(%updates: memref<?xf16>, %indices: memref<?xi64>, %dest: memref<?xf16>) {
  gs.generic (d0) [s0 = %indices[d0]] ins(%updates[d0]) outs(%dest[s0]) iterators(d0 = reduction)
      : (memref<?xf16>, memref<?xi64>, memref<?xf16>) -> () {
  ^bb0(%update: f16, %current: f16):
    %new = arith.addf %current, %update : f16
    gs.yield %new : f16
  }
  return
}
