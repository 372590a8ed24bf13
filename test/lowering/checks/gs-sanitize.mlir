// RUN: gs-opt %s --gs-sanitize --canonicalize --cse | FileCheck %s
// RUN: gs-opt %s --gs-generalize --gs-sanitize | FileCheck %s --check-prefix GENERIC

// CHECK: module attributes {gs.sites = [
// CHECK-SAME: 'gs.gather' op, into dimension 0 of 'source'"
// CHECK-SAME: 'gs.scatter' op, into dimension 0 of 'dest'"
// GENERIC: module attributes {gs.sites = [
// GENERIC-SAME: 'gs.generic' op, s0 into dimension 0 of 'inputs #0'"

// CHECK-LABEL: func.func @in_bounds
// CHECK: %[[FARTHEST:.*]] = scf.for %{{.*}} iter_args
// CHECK: arith.maxui
// CHECK: arith.cmpi ugt, %[[FARTHEST]]
// CHECK: scf.if
// CHECK: scf.for %[[I:.*]] =
// CHECK: %[[C:.*]] = tensor.extract %{{.*}}[%[[I]], %{{.*}}]
// CHECK: %[[OUTSIDE:.*]] = arith.cmpi uge, %[[C]], %c8
// CHECK: scf.if %[[OUTSIDE]]
// CHECK: call @__gs_raise_2(
// CHECK-NOT: memref.alloc
// CHECK: gs.gather %
// GENERIC-LABEL: func.func @in_bounds
// GENERIC: call @__gs_raise_2(
// GENERIC: gs.generic (
func.func @in_bounds(%t: tensor<8x4xf32>, %r: tensor<?x1xindex>) -> tensor<?x4xf32> {
  %0 = gs.gather %t[%r] gather_dims([0]) : (tensor<8x4xf32>, tensor<?x1xindex>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// What a mode already decides needs no check.
// CHECK-LABEL: func.func @decided
// CHECK-NOT: call
// CHECK: gs.gather %
func.func @decided(%t: tensor<8x4xf32>, %r: tensor<?x1xindex>) -> tensor<?x4xf32> {
  %0 = gs.gather %t[%r] gather_dims([0]) mode(clip)
      : (tensor<8x4xf32>, tensor<?x1xindex>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @unique_and_sorted
// CHECK: call @__gs_raise_2(
// CHECK: scf.for {{.*}} iter_args
// CHECK: call @__gs_raise_sorted_1_1_1_1(
// CHECK: %[[TABLE:.*]] = memref.alloc({{.*}}) : memref<?x2xindex>
// CHECK: scf.while
// CHECK: memref.load %[[TABLE]]
// CHECK: call @__gs_raise_unique_1_1_1(
// CHECK: gs.scatter %
func.func @unique_and_sorted(
    %u: tensor<?x4xf32>, %d: tensor<8x4xf32>, %r: tensor<?x1xi32>) -> tensor<8x4xf32> {
  %0 = gs.scatter %u into %d[%r] scatter_dims([0]) unique sorted
      : (tensor<?x4xf32>, tensor<8x4xf32>, tensor<?x1xi32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// CHECK-LABEL: func.func @window
// CHECK: tensor.dim %{{.*}}, %{{.*}}
// CHECK: scf.if
// CHECK-NEXT: arith.index_cast
// CHECK-NEXT: call @__gs_raise_address(
// CHECK: gs.strided_slice %
func.func @window(%x: tensor<?xf32>) -> tensor<2xf32> {
  %0 = gs.strided_slice %x[1] [4] [-2] : (tensor<?xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// Buffers that are freed by hand: so is the table.
// CHECK-LABEL: func.func @buffers
// CHECK: memref.extract_aligned_pointer_as_index
// CHECK: call @__gs_raise_overlap_1_1(
// CHECK: memref.dealloc
// CHECK: gs.generic (
// CHECK: memref.dealloc
func.func @buffers(%x: memref<?xf32>, %y: memref<?xf32>) {
  gs.generic (d0) ins(%x[d0]) outs(%y[d0]) iterators(d0 = parallel)
      : (memref<?xf32>, memref<?xf32>) -> () {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  memref.dealloc %x : memref<?xf32>
  return
}

// An error leaves no function that may not be inlined.
// CHECK-LABEL: func private @body_of_a_loop
// CHECK-NOT: cf.assert
// CHECK: memref.load
func.func private @body_of_a_loop(%a: memref<?xf32>, %i: index) -> f32 attributes {no_inline} {
  %x = memref.load %a[%i] : memref<?xf32>
  return %x : f32
}
