// On some cores what is read in order is asked for only where little else goes to memory.
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:read-ahead=2048:sparing-reads=true" --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:read-ahead=2048" --canonicalize --cse | filecheck %s --check-prefix=FREELY
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="threads=2 target=generic:read-ahead=2048:sparing-reads=true" --canonicalize --cse | filecheck %s --check-prefix=OWNED

// Coordinates of elements that are read.
// CHECK-LABEL: func.func @take
// CHECK: memref.prefetch %arg1[%{{.*}}], read
// CHECK: return
func.func @take(%table: memref<?xf32>, %places: memref<?xi64>, %out: memref<?xf32>) {
  "gs.generic"(%table, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (s0)>,
                       affine_map<(d0)[s0] -> (d0)>],
      iterator_types = ["parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?xf32>, memref<?xi64>, memref<?xf32>) -> ()
  return
}

// -----

// Not where the next row of the table is asked for as well.
// CHECK-LABEL: func.func @along
// CHECK-NOT: memref.prefetch %arg1
// CHECK: memref.prefetch %arg0[%{{.*}}], read
// CHECK-NOT: memref.prefetch %arg1
// CHECK: return
// FREELY-LABEL: func.func @along
// FREELY: memref.prefetch %arg1[%{{.*}}], read
// FREELY: return
func.func @along(%table: memref<?x4096xf32>, %places: memref<?x1024xi64>, %out: memref<?x1024xf32>) {
  "gs.generic"(%table, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0, d1)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (d0, s0)>,
                       affine_map<(d0, d1)[s0] -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?x4096xf32>, memref<?x1024xi64>, memref<?x1024xf32>) -> ()
  return
}

// -----

// Sums into few elements wait for each other.
// CHECK-LABEL: func.func @into_few
// CHECK-NOT: memref.prefetch
// CHECK: return
// FREELY-LABEL: func.func @into_few
// FREELY: memref.prefetch %arg1[%{{.*}}], read
// FREELY: return
func.func @into_few(%updates: memref<?xf32>, %places: memref<?xi64>, %out: memref<256xf32>) {
  "gs.generic"(%updates, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x : f32
    "gs.yield"(%sum) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>,
                       affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?xf32>, memref<?xi64>, memref<256xf32>) -> ()
  return
}

// -----

// Into many they wait for coordinates.
// CHECK-LABEL: func.func @into_many
// CHECK: %[[MANY:.*]] = arith.cmpi sge, %{{.*}}, %c8192
// CHECK: scf.if %[[MANY]]
// CHECK-NEXT: arith.addi
// CHECK-NEXT: memref.prefetch %arg0[%{{.*}}], read
// CHECK: memref.prefetch %arg1[%{{.*}}], read
// CHECK: return
func.func @into_many(%updates: memref<?xf32>, %places: memref<?xi64>, %out: memref<?xf32>) {
  "gs.generic"(%updates, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x : f32
    "gs.yield"(%sum) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>,
                       affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?xf32>, memref<?xi64>, memref<?xf32>) -> ()
  return
}

// -----

// An owner of a part of the output asks for the coordinates and updates of the next block while the
// points of this one run, if these are found by their positions.
// OWNED-LABEL: func.func @into_many_halves
// OWNED: func.func private @gs_kernel_0
// OWNED-NOT: memref.prefetch %{{.*}}, read
// OWNED: llvm.experimental.vector.compress
// OWNED: %[[LATER:.*]] = arith.addi %[[POSITION:.*]], %c1024
// OWNED-NEXT: memref.prefetch %arg0[%[[LATER]]], read, locality<3>
// OWNED-NEXT: memref.prefetch %arg1[%[[LATER]]], read, locality<3>
// OWNED-NOT: memref.prefetch %{{.*}}, read
// OWNED: memref.load %arg1[%[[POSITION]]]
// OWNED: return
func.func @into_many_halves(%updates: memref<?xf16>, %places: memref<?xi64>, %out: memref<?xf16>) {
  "gs.generic"(%updates, %places, %out) ({
  ^bb0(%x: f16, %current: f16):
    %sum = arith.addf %current, %x : f16
    "gs.yield"(%sum) : (f16) -> ()
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>,
                       affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?xf16>, memref<?xi64>, memref<?xf16>) -> ()
  return
}
