// RUN: gs-opt %s --gs-to-llvm | filecheck %s

// What a step needs is allocated once, before the loop.
// CHECK-LABEL: llvm.func @main
// CHECK: llvm.call @{{.*}}alloc
// CHECK: llvm.cond_br
// CHECK-NOT: llvm.call @{{.*}}alloc
// CHECK: llvm.return
func.func @main(%x: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<64xf32>
    linalg.map {arith.addf} ins(%x, %x : memref<64xf32>, memref<64xf32>) outs(%a : memref<64xf32>)
    linalg.map {math.absf} ins(%a : memref<64xf32>) outs(%x : memref<64xf32>)
  }
  return
}
