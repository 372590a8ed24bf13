// What lies at coordinates comes to the first or the second cache, from twice as far there; lines
// that are read in order to the first one.
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:prefetch-level=2:element-level=2:row-ahead=16384:read-ahead=2048" --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:read-ahead=2048" --canonicalize --cse | filecheck %s --check-prefix=FIRST
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:element-level=2" --canonicalize --cse | filecheck %s --check-prefix=APART
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:element-level=2:element-near-bytes=62914560" --canonicalize --cse | filecheck %s --check-prefix=NEAR
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:element-level=2:element-near-bytes=62914560" --gs-explain -o /dev/null 2>&1 | filecheck %s --check-prefix=TOLD
// RUN: not gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:prefetch-level=3" 2>&1 | filecheck %s --check-prefix=WRONG
// RUN: not gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:element-level=0" 2>&1 | filecheck %s --check-prefix=NONE

// WRONG: prefetch-level must be 1 or 2, found 3
// NONE: element-level must be 1 or 2, found 0

// TOLD: asks for elements of input #0 64 points ahead into the first-level cache, or the second-level one, where sizes speak for it

// Elements, in blocks that end where coordinates do.
// CHECK-LABEL: func.func @take
// CHECK: %[[END:.*]] = arith.subi %{{.*}}, %c64
// CHECK: %[[UNTIL:.*]] = arith.select %{{.*}}, %[[END]], %c0
// CHECK: memref.prefetch %arg1[%{{.*}}], read, locality<3>
// CHECK: %[[LAST:.*]] = arith.subi %[[UNTIL]], %c16
// CHECK: arith.cmpi sle, %{{.*}}, %[[LAST]]
// CHECK: memref.prefetch %arg0[%{{.*}}], read, locality<2>
// CHECK: return
// FIRST-LABEL: func.func @take
// FIRST: %[[END:.*]] = arith.subi %{{.*}}, %c32
// FIRST: %[[UNTIL:.*]] = arith.select %{{.*}}, %[[END]], %c0
// FIRST: memref.prefetch %arg1[%{{.*}}], read, locality<3>
// FIRST: %[[LAST:.*]] = arith.subi %[[UNTIL]], %c16
// FIRST: arith.cmpi sle, %{{.*}}, %[[LAST]]
// FIRST: memref.prefetch %arg0[%{{.*}}], read, locality<3>
// FIRST: return
// APART-LABEL: func.func @take
// APART: memref.prefetch %arg0[%{{.*}}], read, locality<2>
// APART: return
// What a cache that is shared holds comes to the first one from as far.
// NEAR-LABEL: func.func @take
// NEAR: %[[NEAR:.*]] = arith.cmpi sle, %{{.*}}, %c62914560
// NEAR: scf.if %[[NEAR]] {
// NEAR: memref.prefetch %arg0[%{{.*}}], read, locality<3>
// NEAR: } else {
// NEAR: memref.prefetch %arg0[%{{.*}}], read, locality<2>
// NEAR: return
func.func @take(%table: memref<?xf32>, %places: memref<?xi64>, %out: memref<?xf32>) {
  "gs.generic"(%table, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0)[s0] -> (d0)>],
      iterator_types = ["parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?xf32>, memref<?xi64>, memref<?xf32>) -> ()
  return
}

// -----

// Rows of 512 bytes: 8 and 16 KiB ahead.
// CHECK-LABEL: func.func @rows
// CHECK: arith.addi %{{.*}}, %c32
// CHECK-COUNT-4: memref.prefetch %arg0[%{{.*}}], read, locality<2>
// CHECK: return
// FIRST-LABEL: func.func @rows
// FIRST: arith.addi %{{.*}}, %c16
// FIRST-COUNT-4: memref.prefetch %arg0[%{{.*}}], read, locality<3>
// FIRST: return
// APART-LABEL: func.func @rows
// APART: arith.addi %{{.*}}, %c16
// APART-COUNT-4: memref.prefetch %arg0[%{{.*}}], read, locality<3>
// APART: return
func.func @rows(%table: memref<?x128xf32>, %places: memref<?xi64>, %out: memref<?x128xf32>) {
  "gs.generic"(%table, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1)[s0] -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?x128xf32>, memref<?xi64>, memref<?x128xf32>) -> ()
  return
}

// -----

// The next row of a table.
// CHECK-LABEL: func.func @along
// CHECK: memref.prefetch %arg0[%{{.*}}], read, locality<2>
// CHECK: return
// FIRST-LABEL: func.func @along
// FIRST-NOT: locality<2>
// FIRST: return
// APART-LABEL: func.func @along
// APART-NOT: locality<2>
// APART: return
func.func @along(%table: memref<?x4096xf32>, %places: memref<?x1024xi64>,
    %out: memref<?x1024xf32>) {
  "gs.generic"(%table, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0, d1)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (d0, s0)>, affine_map<(d0, d1)[s0] -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?x4096xf32>, memref<?x1024xi64>, memref<?x1024xf32>) -> ()
  return
}

// -----

// Strips of columns: rows of a few elements, 32 rows ahead; what is written comes to the second cache
// as if it were read.
// CHECK-LABEL: func.func @columns
// CHECK: %[[AHEAD:.*]] = arith.addi %{{.*}}, %c32
// CHECK: memref.prefetch %{{.*}}, read, locality<2>
// CHECK: memref.prefetch %{{.*}}, read, locality<2>
// CHECK-NOT: write
// CHECK: return
// FIRST-LABEL: func.func @columns
// FIRST-NOT: locality<2>
// FIRST: return
// APART-LABEL: func.func @columns
// APART: %[[AHEAD:.*]] = arith.addi %{{.*}}, %c32
// APART: memref.prefetch %{{.*}}, read, locality<2>
// APART: return
func.func @columns(%table: memref<4096x1024xf32>, %places: memref<1024x1024xi64>,
    %out: memref<1024x1024xf32>) {
  "gs.generic"(%table, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0, d1)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1)[s0] -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<4096x1024xf32>, memref<1024x1024xi64>, memref<1024x1024xf32>) -> ()
  return
}

// -----

// Whole rows in segments are the one kind of what is read in order that comes to the second cache.
// CHECK-LABEL: func.func @segments
// CHECK-COUNT-4: memref.prefetch %arg0[%{{.*}}], read, locality<2>
// CHECK: return
// FIRST-LABEL: func.func @segments
// FIRST-COUNT-4: memref.prefetch %arg0[%{{.*}}], read, locality<3>
// FIRST: return
func.func @segments(%rows: memref<?x64xf32>, %places: memref<?xi64>, %out: memref<?x64xf32>) {
  "gs.generic"(%rows, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x : f32
    "gs.yield"(%sum) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (d0, d1)>, affine_map<(d0, d1)[s0] -> (s0, d1)>],
      iterator_types = ["reduction", "parallel"], sorted,
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?x64xf32>, memref<?xi64>, memref<?x64xf32>) -> ()
  return
}

// -----

// Sizes that are known decide now; what is written comes to the second cache, whatever its size.
// NEAR-LABEL: func.func @known
// NEAR-NOT: locality<2>
// NEAR: memref.prefetch %arg0[%{{.*}}], read, locality<3>
// NEAR-NOT: locality<2>
// NEAR: return
func.func @known(%table: memref<5000000xf32>, %places: memref<?xi64>, %out: memref<?xf32>) {
  "gs.generic"(%table, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0)[s0] -> (d0)>],
      iterator_types = ["parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<5000000xf32>, memref<?xi64>, memref<?xf32>) -> ()
  return
}

// -----

// NEAR-LABEL: func.func @set
// NEAR-NOT: locality<3>
// NEAR: memref.prefetch %arg2[%{{.*}}], read, locality<2>
// NEAR-NOT: locality<3>
// NEAR: return
func.func @set(%new: memref<?xf32>, %places: memref<?xi64>, %out: memref<?xf32>) {
  "gs.generic"(%new, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?xf32>, memref<?xi64>, memref<?xf32>) -> ()
  return
}
