// Rows that only move come to the second-level cache, from further ahead, but for short ones.
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:moved-ahead=32768" --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf --canonicalize --cse | filecheck %s --check-prefix=USUAL
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:moved-ahead=32768" --gs-explain -o /dev/null 2>&1 | filecheck %s --check-prefix=WHY

// Of 512 bytes: 32 KiB would be 64 rows, more than are asked for.
// CHECK-LABEL: func.func @take
// CHECK: arith.addi %{{.*}}, %c32
// CHECK-COUNT-4: memref.prefetch %arg0[%{{.*}}], read, locality<2>
// CHECK-NOT: locality<3>
// CHECK: return
// USUAL-LABEL: func.func @take
// USUAL: arith.addi %{{.*}}, %c16
// USUAL-COUNT-4: memref.prefetch %arg0[%{{.*}}], read, locality<3>
// USUAL: return
// WHY: runs: asks for the rows of input #0 32 ahead, where sizes speak for it: coordinates say where they are
func.func @take(%table: memref<?x128xf32>, %places: memref<?xi64>, %out: memref<?x128xf32>) {
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

// Of 256 bytes: those that are read come to the first-level cache, from 8 KiB ahead.
// CHECK-LABEL: func.func @short
// CHECK-COUNT-4: memref.prefetch %arg0[%{{.*}}], read, locality<3>
// CHECK-NOT: locality<2>
// CHECK: return
func.func @short(%table: memref<?x64xf32>, %places: memref<?xi64>, %out: memref<?x64xf32>) {
  "gs.generic"(%table, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1)[s0] -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?x64xf32>, memref<?xi64>, memref<?x64xf32>) -> ()
  return
}

// -----

// As many that are only written to the second-level one: their lines come as if to read them.
// CHECK-LABEL: func.func @set
// CHECK-COUNT-4: memref.prefetch %arg2[%{{.*}}], read, locality<2>
// CHECK: return
// USUAL-LABEL: func.func @set
// USUAL-COUNT-4: memref.prefetch %arg2[%{{.*}}], write, locality<3>
// USUAL: return
func.func @set(%updates: memref<?x64xf32>, %places: memref<?xi64>, %out: memref<?x64xf32>) {
  "gs.generic"(%updates, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (d0, d1)>, affine_map<(d0, d1)[s0] -> (s0, d1)>],
      iterator_types = ["parallel", "parallel"], unique,
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?x64xf32>, memref<?xi64>, memref<?x64xf32>) -> ()
  return
}

// -----

// Sums of as many come to the first-level one, as ever.
// CHECK-LABEL: func.func @sum
// CHECK-COUNT-8: memref.prefetch %arg2[%{{.*}}], write, locality<3>
// CHECK-NOT: locality<2>
// CHECK: return
func.func @sum(%updates: memref<?x128xf32>, %places: memref<?xi64>, %out: memref<?x128xf32>) {
  "gs.generic"(%updates, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    %s = arith.addf %current, %x : f32
    "gs.yield"(%s) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (d0, d1)>, affine_map<(d0, d1)[s0] -> (s0, d1)>],
      iterator_types = ["reduction", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?x128xf32>, memref<?xi64>, memref<?x128xf32>) -> ()
  return
}

// -----

// Of a length that is known when it runs: as ever below 384 bytes, from there on into the
// second-level cache, from 2 KiB on line by line, 32 KiB ahead.
// CHECK-LABEL: func.func @any_length
// CHECK: %[[BYTES:.*]] = arith.muli %{{.*}}, %c4
// CHECK-DAG: arith.cmpi slt, %[[BYTES]], %c384
// CHECK-DAG: arith.cmpi sge, %[[BYTES]], %c384
// CHECK-DAG: arith.cmpi slt, %[[BYTES]], %c2048
// CHECK-DAG: arith.cmpi sge, %[[BYTES]], %c2048
// CHECK: memref.prefetch %arg0[%{{.*}}], read, locality<3>
// CHECK: memref.prefetch %arg0[%{{.*}}], read, locality<2>
// CHECK: arith.minsi %{{.*}}, %c8192
// CHECK: memref.prefetch %arg0[%{{.*}}], read, locality<2>
// CHECK: return
// WHY: runs: asks for the rows of input #0 up to 8192 bytes ahead, where sizes speak for it
// WHY: runs: asks for the rows of input #0 up to 32768 bytes ahead, where sizes speak for it
func.func @any_length(%table: memref<?x?xf32>, %places: memref<?xi64>, %out: memref<?x?xf32>) {
  "gs.generic"(%table, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1)[s0] -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?x?xf32>, memref<?xi64>, memref<?x?xf32>) -> ()
  return
}

// -----

// Where memcpy copies long rows and the next one is asked for before, nothing is asked for ahead of
// the stores.
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:copied-ahead=4096:write-ahead=4096" --canonicalize --cse | filecheck %s --check-prefix=COPY
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:write-ahead=4096" --canonicalize --cse | filecheck %s --check-prefix=STORES
// COPY-LABEL: func.func @long
// COPY-NOT: memref.prefetch %{{.*}}, write
// COPY: memref.copy
// STORES-LABEL: func.func @long
// STORES: memref.prefetch %{{.*}}, write
func.func @long(%table: memref<?x4096xf32>, %places: memref<?xi64>, %out: memref<?x4096xf32>) {
  "gs.generic"(%table, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1)[s0] -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?x4096xf32>, memref<?xi64>, memref<?x4096xf32>) -> ()
  return
}

// -----

// But where rows may be out of bounds: memcpy does not copy those.
// COPY-LABEL: func.func @long_or_fill
// COPY: memref.prefetch %{{.*}}, write
// COPY-NOT: memref.copy
// COPY: return
func.func @long_or_fill(%table: memref<?x4096xf32>, %places: memref<?xi64>, %out: memref<?x4096xf32>) {
  "gs.generic"(%table, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]], modes = ["fill_or_drop"], fill_values = [7.0 : f32],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1)[s0] -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?x4096xf32>, memref<?xi64>, memref<?x4096xf32>) -> ()
  return
}

// -----

// Long rows that memcpy copies as well go past the caches where more moves than of others; rows of
// 256 bytes do not wait for it.
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:copied-stream-share=2.5:stream-share=1.40625" --canonicalize --cse | filecheck %s --check-prefix=PAST
// PAST-LABEL: func.func @longer
// PAST-DAG: %[[MOST:.*]] = arith.constant 83886080
// PAST: %[[PAST:.*]] = arith.cmpi sge, %{{.*}}, %[[MOST]]
// PAST: nontemporal = true
// PAST: memref.copy
// PAST-LABEL: func.func @short
// PAST-NOT: 83886080
// PAST-DAG: arith.constant 47185920
// PAST: nontemporal = true
func.func @longer(%table: memref<?x4096xf32>, %places: memref<?xi64>, %out: memref<?x4096xf32>) {
  "gs.generic"(%table, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1)[s0] -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?x4096xf32>, memref<?xi64>, memref<?x4096xf32>) -> ()
  return
}

// -----

func.func @short(%table: memref<?x64xf32>, %places: memref<?xi64>, %out: memref<?x64xf32>) {
  "gs.generic"(%table, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1)[s0] -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?x64xf32>, memref<?xi64>, memref<?x64xf32>) -> ()
  return
}
