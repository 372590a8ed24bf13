// RUN: gs-opt %s --gs-check-allocations | FileCheck %s

// CHECK: func.func private @__gs_no_memory()
// CHECK-LABEL: func.func @f
// CHECK: %[[LARGE:.*]] = arith.cmpf ogt
// CHECK: scf.if %[[LARGE]] {
// CHECK-NEXT: call @__gs_no_memory()
// CHECK: memref.alloc(%arg0)
// CHECK-NOT: scf.if
// CHECK: memref.alloc() : memref<8xf32>
func.func @f(%n: index) attributes {gs.kernel} {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc() : memref<8xf32>
  return
}
