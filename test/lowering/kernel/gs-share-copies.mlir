// RUN: gs-opt %s --gs-share-copies="threads=2 target=generic:serial-bytes=0" | FileCheck %s
// RUN: gs-opt %s --gs-share-copies="threads=2" | FileCheck %s --check-prefix=LITTLE
// RUN: gs-opt %s --gs-share-copies="threads=1 target=generic:serial-bytes=0" | FileCheck %s --check-prefix=LITTLE

// CHECK-LABEL: func.func @f
// CHECK: scf.parallel
// CHECK: linalg.copy
// CHECK: memref.copy %arg0, %arg2
// LITTLE-NOT: scf.parallel
func.func @f(%x: memref<4x6xf32>, %r: memref<4x6xf32>, %s: memref<4x6xf32, strided<[8, 1]>>)
    attributes {gs.kernel} {
  memref.copy %x, %r : memref<4x6xf32> to memref<4x6xf32>
  memref.copy %x, %s : memref<4x6xf32> to memref<4x6xf32, strided<[8, 1]>>
  return
}
