// RUN: gs-opt %s --gs-optimize --gs-explain --split-input-file 2>%t.notes | filecheck %s
// RUN: filecheck %s --check-prefix=NOTES --input-file=%t.notes

// What each op that is not merged is, where it stands, and why.

// CHECK-LABEL: func.func @offset_at_run_time
// CHECK: tensor.extract_slice
// NOTES: gs-fuse-explain.mlir:13:8: remark: 'gs.generic' refused: 'tensor.extract_slice' at {{.*}}gs-fuse-explain.mlir:12:8 is not merged: where it lies is known at run time only
// What shows an argument is no loss.
func.func @offset_at_run_time(%x: tensor<9xf32>, %k: tensor<7x1xi64>, %n: index) -> (tensor<7xf32>, tensor<7xf32>) {
  %a = math.absf %x : tensor<9xf32>
  %s = tensor.extract_slice %a[%n] [4] [1] : tensor<9xf32> to tensor<4xf32>
  %r = gs.gather %s[%k] gather_dims([0]) : (tensor<4xf32>, tensor<7x1xi64>) -> tensor<7xf32>
  %t = tensor.extract_slice %x[%n] [4] [1] : tensor<9xf32> to tensor<4xf32>
  %u = gs.gather %t[%k] gather_dims([0]) : (tensor<4xf32>, tensor<7x1xi64>) -> tensor<7xf32>
  return %r, %u : tensor<7xf32>, tensor<7xf32>
}

// -----

// CHECK-LABEL: func.func @no_loops
// CHECK: tensor.pad
// NOTES-NEXT: gs-fuse-explain.mlir:29:8: remark: 'gs.generic' refused: 'tensor.pad' at {{.*}} is not merged: it is no loop nest whose elements can be computed one by one
func.func @no_loops(%x: tensor<9xf32>, %k: tensor<7x1xi64>, %v: f32) -> tensor<7xf32> {
  %p = tensor.pad %x low[2] high[0] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<9xf32> to tensor<11xf32>
  %r = gs.gather %p[%k] gather_dims([0]) : (tensor<11xf32>, tensor<7x1xi64>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

// CHECK-LABEL: func.func @positions
// CHECK: linalg.index
// NOTES: remark: 'gs.generic' refused: 'linalg.generic' at {{.*}} is not merged: its body is more than arithmetic on elements
func.func @positions(%e: tensor<9xi32>, %k: tensor<7x1xi64>) -> tensor<7xi32> {
  %p = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<9xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %c = arith.index_cast %i : index to i32
    linalg.yield %c : i32
  } -> tensor<9xi32>
  %r = gs.gather %p[%k] gather_dims([0]) : (tensor<9xi32>, tensor<7x1xi64>) -> tensor<7xi32>
  return %r : tensor<7xi32>
}

// -----

// CHECK-LABEL: func.func @outside_a_loop
// CHECK: math.absf
// CHECK: scf.for
// CHECK: gs.generic (
// NOTES: remark: 'linalg.generic' refused: 'linalg.generic' at {{.*}} is not merged: it is in another block
func.func @outside_a_loop(%x: tensor<9xf32>, %y: tensor<9xf32>, %k: tensor<9x1xi64>, %n: index) -> tensor<9xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = math.absf %x : tensor<9xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%z = %y) -> tensor<9xf32> {
    %g = gs.gather %a[%k] gather_dims([0]) : (tensor<9xf32>, tensor<9x1xi64>) -> tensor<9xf32>
    %s = arith.addf %g, %z : tensor<9xf32>
    scf.yield %s : tensor<9xf32>
  }
  return %r : tensor<9xf32>
}

// -----

// Sorted coordinates that are repeated: the ends of segments are looked for in them.
// CHECK-LABEL: func.func @segments
// CHECK: gs.generic {{.*}} = %arg2[{{.*}} ins(%arg1[{{.*}} outs(%{{.*}}[
// CHECK: sorted
// NOTES: remark: 'gs.generic' refused: 'tensor.expand_shape' at {{.*}} is not merged: the ends of segments are looked for in coordinates as they are
func.func @segments(%u: tensor<5xf32>, %i: tensor<9xi32>, %o: tensor<5xi64>, %y: tensor<9xf32>) -> tensor<9xf32> {
  %s = gs.gather_elements %i[%o] dim(0) : (tensor<9xi32>, tensor<5xi64>) -> tensor<5xi32>
  %k = tensor.expand_shape %s [[0, 1]] output_shape [5, 1] : tensor<5xi32> into tensor<5x1xi32>
  %r = gs.scatter %u into %y[%k] scatter_dims([0]) sorted combine(add)
      : (tensor<5xf32>, tensor<9xf32>, tensor<5x1xi32>) -> tensor<9xf32>
  return %r : tensor<9xf32>
}
