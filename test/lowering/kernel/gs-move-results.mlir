// RUN: gs-opt %s --split-input-file --gs-choose-kernel --gs-describe-kernel --gs-move-results | FileCheck %s
// RUN: gs-opt %s --split-input-file --gs-choose-kernel --gs-describe-kernel --gs-move-results=strided | FileCheck %s --check-prefix=STRIDED
// RUN: gs-opt %s --split-input-file --gs-move-results | FileCheck %s --check-prefix=NONE

// A result in the place of its allocation, and a scalar.
// CHECK-LABEL: func.func @made(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<index>)
// CHECK-SAME: gs.results = [{sizes = {{\[\[}}"mul", ["scalar", 0], 2]], type = memref<?xf32>}, {scalar, sizes = [], type = index}]
// CHECK-NOT: memref.alloc
// CHECK: memref.store %arg0, %arg2[] : memref<index>
// STRIDED-LABEL: func.func @made(%arg0: index, %arg1: memref<?xf32, strided<[?]>>
// NONE-LABEL: func.func @made(%arg0: index) -> (memref<?xf32>, index)
func.func @made(%n: index) -> (memref<?xf32>, index) {
  %c2 = arith.constant 2 : index
  %twice = arith.muli %n, %c2 : index
  %r = memref.alloc(%twice) : memref<?xf32>
  return %r, %n : memref<?xf32>, index
}

// -----

// What a caller gives, and what only the function knows the size of.
// CHECK-LABEL: func.func @given(%arg0: memref<4xi32>, %arg1: memref<index>) -> memref<?xi32>
// CHECK-SAME: gs.results = [{argument = 0 : i64, type = memref<4xi32>}, {type = memref<?xi32>}]
func.func @given(%x: memref<4xi32>, %n: memref<index>) -> (memref<4xi32>, memref<?xi32>) {
  %size = memref.load %n[] : memref<index>
  %r = memref.alloc(%size) : memref<?xi32>
  return %x, %r : memref<4xi32>, memref<?xi32>
}
