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

// -----

// A result of any layout: the argument takes the place of its allocation, and is not copied to.
// STRIDED-LABEL: func.func @any_layout(%arg0: memref<?xf32, strided<[?]>>, %arg1: memref<?xf32, strided<[?]>>
// STRIDED-NOT: memref.alloc
// STRIDED: linalg.fill {{.*}} outs(%arg1 : memref<?xf32, strided<[?]>>)
// STRIDED-NOT: memref.copy
// STRIDED: return
func.func @any_layout(%x: memref<?xf32, strided<[?]>>) -> memref<?xf32, strided<[?], offset: ?>> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32, strided<[?]>>
  %r = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%r : memref<?xf32>)
  %y = memref.cast %r : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
  return %y : memref<?xf32, strided<[?], offset: ?>>
}

// -----

// One of a known layout is copied.
// STRIDED-LABEL: func.func @known_layout
// STRIDED: %[[MADE:.*]] = memref.alloc
// STRIDED: memref.copy %{{.*}}, %arg1
func.func @known_layout(%x: memref<?xf32, strided<[?]>>) -> memref<?xf32, strided<[1], offset: ?>> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32, strided<[?]>>
  %r = memref.alloc(%n) : memref<?xf32>
  %y = memref.cast %r : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  return %y : memref<?xf32, strided<[1], offset: ?>>
}

// -----

// So is one whose rank is left out: who gets it may take any layout for it.
// STRIDED-LABEL: func.func @unranked
// STRIDED: %[[MADE:.*]] = memref.alloc
// STRIDED: memref.copy %[[MADE]], %arg1
func.func @unranked(%x: memref<4xf32, strided<[?]>>) -> memref<4xf32> {
  %r = memref.alloc() : memref<4xf32>
  %c = memref.cast %r : memref<4xf32> to memref<*xf32>
  %d = memref.cast %c : memref<*xf32> to memref<4xf32>
  memref.copy %x, %d : memref<4xf32, strided<[?]>> to memref<4xf32>
  return %r : memref<4xf32>
}

// -----

// An allocation that the function returns in another shape is the caller's memory, too.
// CHECK-LABEL: func.func @reshaped(%arg0: memref<12xf32>, %arg1: memref<3x4xf32>)
// CHECK: %[[FLAT:.*]] = memref.collapse_shape %arg1 {{.*}} : memref<3x4xf32> into memref<12xf32>
// CHECK-NEXT: %[[TALL:.*]] = memref.expand_shape %[[FLAT]] {{.*}} into memref<6x2xf32>
// CHECK-NEXT: linalg.fill {{.*}} outs(%[[TALL]] : memref<6x2xf32>)
// CHECK-NOT: memref.copy
// STRIDED-LABEL: func.func @reshaped
// STRIDED: memref.copy
func.func @reshaped(%x: memref<12xf32>) -> memref<3x4xf32> {
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<6x2xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<6x2xf32>)
  %flat = memref.collapse_shape %a [[0, 1]] : memref<6x2xf32> into memref<12xf32>
  %r = memref.expand_shape %flat [[0, 1]] output_shape [3, 4] : memref<12xf32> into memref<3x4xf32>
  return %r : memref<3x4xf32>
}
