// RUN: gs-opt %s --gs-canonicalize | filecheck %s

// CHECK-LABEL: func.func @slice_at_known_run
// CHECK-SAME: (%[[X:.*]]: tensor<9x4xf32>, %[[Y:.*]]: tensor<9x?xf32>)
// CHECK: %[[S:.*]] = tensor.extract_slice %[[X]][1, 0] [3, 4] [2, 1]
// CHECK: %[[T:.*]] = tensor.extract_slice %[[X]][8, 0] [1, 4] [1, 1]
// CHECK: %[[B:.*]] = gs.strided_slice %[[X]][1, 0] [5, 4] [-2, 1]
// CHECK: %[[N:.*]] = tensor.dim %[[Y]]
// CHECK: %[[D:.*]] = tensor.extract_slice %[[Y]][1, 0] [6, %[[N]]] [1, 1]
// CHECK: %[[E:.*]] = tensor.expand_shape %[[D]] {{\[\[}}0, 1], [2]] output_shape [2, 3,
// CHECK: return %[[S]], %[[T]], %[[X]], %[[B]], %[[E]]
func.func @slice_at_known_run(%x: tensor<9x4xf32>, %y: tensor<9x?xf32>) -> (tensor<3x4xf32>, tensor<1x4xf32>, tensor<9x4xf32>, tensor<3x4xf32>, tensor<2x3x?xf32>) {
  %i = arith.constant dense<[[1], [3], [5]]> : tensor<3x1xi32>
  %r = gs.gather %x[%i] gather_dims([0]) : (tensor<9x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  %k = arith.constant dense<8> : tensor<1x1xi32>
  %s = gs.gather %x[%k] gather_dims([0]) mode(error)
      : (tensor<9x4xf32>, tensor<1x1xi32>) -> tensor<1x4xf32>
  %iota = tensor.generate {
  ^bb0(%n: index, %m: index):
    tensor.yield %n : index
  } : tensor<9x1xindex>
  %t = gs.gather %x[%iota] gather_dims([0])
      : (tensor<9x4xf32>, tensor<9x1xindex>) -> tensor<9x4xf32>
  %b = arith.constant dense<[[5], [3], [1]]> : tensor<3x1xi32>
  %u = gs.gather %x[%b] gather_dims([0]) : (tensor<9x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  %e = arith.constant dense<[[[1], [2], [3]], [[4], [5], [6]]]> : tensor<2x3x1xi32>
  %v = gs.gather %y[%e] gather_dims([0]) mode(clip)
      : (tensor<9x?xf32>, tensor<2x3x1xi32>) -> tensor<2x3x?xf32>
  return %r, %s, %t, %u, %v : tensor<3x4xf32>, tensor<1x4xf32>, tensor<9x4xf32>, tensor<3x4xf32>, tensor<2x3x?xf32>
}

// One slice, of any dims, dropped or kept.
// CHECK-LABEL: func.func @slice_at_known_place
// CHECK-SAME: (%[[Z:.*]]: tensor<6x?x7xf32>)
// CHECK: %[[S:.*]] = tensor.extract_slice %[[Z]][5, 0, 2] [1, %{{.*}}, 1] [1, 1, 1] : tensor<6x?x7xf32> to tensor<1x?x1xf32>
// CHECK: tensor.collapse_shape %[[S]] {{\[\[}}0, 1, 2]]
// CHECK: tensor.expand_shape {{.*}} into tensor<1x?xf32>
// CHECK: tensor.expand_shape {{.*}} into tensor<1x1x?x1xf32>
// CHECK-NOT: gs.gather %
// CHECK: return
func.func @slice_at_known_place(%z: tensor<6x?x7xf32>) -> (tensor<1x?xf32>, tensor<1x1x?x1xf32>) {
  %k = arith.constant dense<[[5, 2]]> : tensor<1x2xi32>
  %u = gs.gather %z[%k] gather_dims([0, 2])
      : (tensor<6x?x7xf32>, tensor<1x2xi32>) -> tensor<1x?xf32>
  %v = gs.gather %z[%k] gather_dims([0, 2])
      : (tensor<6x?x7xf32>, tensor<1x2xi32>) -> tensor<1x1x?x1xf32>
  return %u, %v : tensor<1x?xf32>, tensor<1x1x?x1xf32>
}

// The same run, or the same place, in each batch.
// CHECK-LABEL: func.func @slice_of_each_batch
// CHECK-SAME: (%[[X:.*]]: tensor<2x9x4xf32>, %[[U:.*]]: tensor<2x3x4xf32>)
// CHECK: %[[R:.*]] = tensor.extract_slice %[[X]][0, 1, 0] [2, 4, 4] [1, 2, 1]
// CHECK: %[[E:.*]] = tensor.expand_shape %[[R]] {{\[\[}}0], [1, 2], [3]]
// CHECK: %[[S:.*]] = tensor.extract_slice %[[X]][0, 0, 3] [2, 9, 1] [1, 1, 1]
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[S]] {{\[\[}}0], [1, 2]]
// CHECK: %[[W:.*]] = tensor.insert_slice %[[U]] into %[[X]][0, 2, 0] [2, 3, 4] [1, 1, 1]
// CHECK: return %[[E]], %[[C]], %[[W]]
func.func @slice_of_each_batch(%x: tensor<2x9x4xf32>, %u: tensor<2x3x4xf32>) -> (tensor<2x2x2x4xf32>, tensor<2x9xf32>, tensor<2x9x4xf32>) {
  %i = arith.constant dense<[[[[1], [3]], [[5], [7]]], [[[1], [3]], [[5], [7]]]]> : tensor<2x2x2x1xi32>
  %r = gs.gather %x[%i] gather_dims([1]) batch_dims(1)
      : (tensor<2x9x4xf32>, tensor<2x2x2x1xi32>) -> tensor<2x2x2x4xf32>
  %k = arith.constant dense<3> : tensor<2x1xi32>
  %s = gs.gather %x[%k] gather_dims([2]) batch_dims(1)
      : (tensor<2x9x4xf32>, tensor<2x1xi32>) -> tensor<2x9xf32>
  %j = arith.constant dense<[[[2], [3], [4]], [[2], [3], [4]]]> : tensor<2x3x1xi32>
  %t = gs.scatter %u into %x[%j] scatter_dims([1]) batch_dims(1)
      : (tensor<2x3x4xf32>, tensor<2x9x4xf32>, tensor<2x3x1xi32>) -> tensor<2x9x4xf32>
  return %r, %s, %t : tensor<2x2x2x4xf32>, tensor<2x9xf32>, tensor<2x9x4xf32>
}

// Another run in each batch.
// CHECK-LABEL: func.func @slice_of_each_batch_not
// CHECK: gs.gather %
func.func @slice_of_each_batch_not(%x: tensor<2x9x4xf32>) -> tensor<2x2x4xf32> {
  %i = arith.constant dense<[[[1], [2]], [[2], [3]]]> : tensor<2x2x1xi32>
  %r = gs.gather %x[%i] gather_dims([1]) batch_dims(1)
      : (tensor<2x9x4xf32>, tensor<2x2x1xi32>) -> tensor<2x2x4xf32>
  return %r : tensor<2x2x4xf32>
}

// Out of bounds, uneven, in another dim, backwards in a tensor of unknown size.
// CHECK-LABEL: func.func @slice_at_known_run_not
// CHECK-COUNT-4: gs.gather %
func.func @slice_at_known_run_not(%x: tensor<9x4xf32>, %y: tensor<9x?xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x9xf32>, tensor<2x?xf32>) {
  %i = arith.constant dense<[[1], [5], [9]]> : tensor<3x1xi32>
  %r = gs.gather %x[%i] gather_dims([0]) mode(clip)
      : (tensor<9x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  %m = arith.constant dense<[[1], [2], [4]]> : tensor<3x1xi32>
  %s = gs.gather %x[%m] gather_dims([0]) : (tensor<9x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  %n = arith.constant dense<[[1], [2], [3]]> : tensor<3x1xi32>
  %t = gs.gather %x[%n] gather_dims([1]) : (tensor<9x4xf32>, tensor<3x1xi32>) -> tensor<3x9xf32>
  %b = arith.constant dense<[[2], [1]]> : tensor<2x1xi32>
  %u = gs.gather %y[%b] gather_dims([0]) : (tensor<9x?xf32>, tensor<2x1xi32>) -> tensor<2x?xf32>
  return %r, %s, %t, %u : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x9xf32>, tensor<2x?xf32>
}

// CHECK-LABEL: func.func @insert_at_known_run
// CHECK-SAME: (%[[X:.*]]: tensor<9x4xf32>, %[[U:.*]]: tensor<3x4xf32>, %[[W:.*]]: tensor<1x4xf32>, %[[ALL:.*]]: tensor<9x4xf32>)
// CHECK: %[[R:.*]] = tensor.insert_slice %[[U]] into %[[X]][1, 0] [3, 4] [2, 1]
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[W]]
// CHECK: %[[S:.*]] = tensor.insert_slice %[[C]] into %[[X]][5, 0] [1, 4] [1, 1]
// CHECK: return %[[R]], %[[S]], %[[ALL]]
func.func @insert_at_known_run(%x: tensor<9x4xf32>, %u: tensor<3x4xf32>, %w: tensor<1x4xf32>, %all: tensor<9x4xf32>) -> (tensor<9x4xf32>, tensor<9x4xf32>, tensor<9x4xf32>) {
  %i = arith.constant dense<[[1], [3], [5]]> : tensor<3x1xi32>
  %r = gs.scatter %u into %x[%i] scatter_dims([0])
      : (tensor<3x4xf32>, tensor<9x4xf32>, tensor<3x1xi32>) -> tensor<9x4xf32>
  %k = arith.constant dense<[[5]]> : tensor<1x1xi32>
  %s = gs.scatter %w into %x[%k] scatter_dims([0])
      : (tensor<1x4xf32>, tensor<9x4xf32>, tensor<1x1xi32>) -> tensor<9x4xf32>
  %iota = arith.constant dense<[[0], [1], [2], [3], [4], [5], [6], [7], [8]]> : tensor<9x1xi32>
  %t = gs.scatter %all into %x[%iota] scatter_dims([0])
      : (tensor<9x4xf32>, tensor<9x4xf32>, tensor<9x1xi32>) -> tensor<9x4xf32>
  return %r, %s, %t : tensor<9x4xf32>, tensor<9x4xf32>, tensor<9x4xf32>
}

// Backwards, dropped, added.
// CHECK-LABEL: func.func @insert_at_known_run_not
// CHECK-COUNT-3: gs.scatter %
func.func @insert_at_known_run_not(%x: tensor<9x4xf32>, %u: tensor<2x4xf32>) -> (tensor<9x4xf32>, tensor<9x4xf32>, tensor<9x4xf32>) {
  %i = arith.constant dense<[[3], [1]]> : tensor<2x1xi32>
  %r = gs.scatter %u into %x[%i] scatter_dims([0])
      : (tensor<2x4xf32>, tensor<9x4xf32>, tensor<2x1xi32>) -> tensor<9x4xf32>
  %k = arith.constant dense<[[8], [9]]> : tensor<2x1xi32>
  %s = gs.scatter %u into %x[%k] scatter_dims([0]) mode(drop)
      : (tensor<2x4xf32>, tensor<9x4xf32>, tensor<2x1xi32>) -> tensor<9x4xf32>
  %m = arith.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %t = gs.scatter %u into %x[%m] scatter_dims([0]) combine(add)
      : (tensor<2x4xf32>, tensor<9x4xf32>, tensor<2x1xi32>) -> tensor<9x4xf32>
  return %r, %s, %t : tensor<9x4xf32>, tensor<9x4xf32>, tensor<9x4xf32>
}

// CHECK-LABEL: func.func @known_lines
// CHECK-SAME: (%[[X:.*]]: tensor<3x4xf32>, %[[U:.*]]: tensor<3x2xf32>)
// CHECK: %[[S:.*]] = tensor.extract_slice %[[X]][0, 1] [3, 2] [1, 2]
// CHECK: %[[B:.*]] = gs.strided_slice %[[X]][0, 1] [3, 3] [1, -2]
// CHECK: %[[T:.*]] = tensor.insert_slice %[[U]] into %[[X]][0, 1] [3, 2] [1, 2]
// CHECK: return %[[S]], %[[B]], %[[T]]
func.func @known_lines(%x: tensor<3x4xf32>, %u: tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x4xf32>) {
  %i = arith.constant dense<[[1, 3], [1, 3], [1, 3]]> : tensor<3x2xi32>
  %r = gs.gather_elements %x[%i] dim(1) : (tensor<3x4xf32>, tensor<3x2xi32>) -> tensor<3x2xf32>
  %k = arith.constant dense<[[3, 1], [3, 1], [3, 1]]> : tensor<3x2xi32>
  %b = gs.gather_elements %x[%k] dim(1) : (tensor<3x4xf32>, tensor<3x2xi32>) -> tensor<3x2xf32>
  %s = gs.scatter_elements %u into %x[%i] dim(1)
      : (tensor<3x2xf32>, tensor<3x4xf32>, tensor<3x2xi32>) -> tensor<3x4xf32>
  return %r, %b, %s : tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x4xf32>
}

// Lines that differ; backwards.
// CHECK-LABEL: func.func @known_lines_not
// CHECK: gs.gather_elements %
// CHECK: gs.scatter_elements %
func.func @known_lines_not(%x: tensor<2x4xf32>, %u: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x4xf32>) {
  %i = arith.constant dense<[[1, 3], [1, 2]]> : tensor<2x2xi32>
  %r = gs.gather_elements %x[%i] dim(1) : (tensor<2x4xf32>, tensor<2x2xi32>) -> tensor<2x2xf32>
  %k = arith.constant dense<[[3, 1], [3, 1]]> : tensor<2x2xi32>
  %s = gs.scatter_elements %u into %x[%k] dim(1)
      : (tensor<2x2xf32>, tensor<2x4xf32>, tensor<2x2xi32>) -> tensor<2x4xf32>
  return %r, %s : tensor<2x2xf32>, tensor<2x4xf32>
}

// CHECK-LABEL: func.func @gather_of_constants
// CHECK: %[[C:.*]] = arith.constant dense<{{\[\[}}5], [1]]> : tensor<2x1xi32>
// CHECK: return %[[C]]
func.func @gather_of_constants() -> tensor<2x1xi32> {
  %c = arith.constant dense<[[1], [7], [5]]> : tensor<3x1xi32>
  %k = arith.constant dense<[[2], [0]]> : tensor<2x1xi32>
  %t = gs.gather %c[%k] gather_dims([0]) : (tensor<3x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
  return %t : tensor<2x1xi32>
}

// One is out of bounds.
// CHECK-LABEL: func.func @gather_of_constants_not
// CHECK: gs.gather %
func.func @gather_of_constants_not() -> tensor<2x1xi32> {
  %c = arith.constant dense<[[1], [7], [5]]> : tensor<3x1xi32>
  %k = arith.constant dense<[[2], [3]]> : tensor<2x1xi32>
  %t = gs.gather %c[%k] gather_dims([0]) mode(fill)
      : (tensor<3x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
  return %t : tensor<2x1xi32>
}

// Wrapped and clipped; batches; slices of the last dim; floats, element by element.
// CHECK-LABEL: func.func @gather_of_known
// CHECK-DAG: %[[W:.*]] = arith.constant dense<[30, 10, 30]> : tensor<3xi32>
// CHECK-DAG: %[[B:.*]] = arith.constant dense<{{\[\[}}2, 1], [3, 3{{\]\]}}> : tensor<2x2xi32>
// CHECK-DAG: %[[C:.*]] = arith.constant dense<{{\[\[}}2.000000e+00, 4.000000e+00], [1.000000e+00, 3.000000e+00{{\]\]}}> : tensor<2x2xf32>
// CHECK-DAG: %[[E:.*]] = arith.constant dense<{{\[\[}}3.000000e+00, 2.000000e+00{{\]\]}}> : tensor<1x2xf32>
// CHECK: return %[[W]], %[[B]], %[[C]], %[[E]]
func.func @gather_of_known() -> (tensor<3xi32>, tensor<2x2xi32>, tensor<2x2xf32>, tensor<1x2xf32>) {
  %x = arith.constant dense<[10, 20, 30]> : tensor<3xi32>
  %i = arith.constant dense<[[-1], [-9], [7]]> : tensor<3x1xi32>
  %w = gs.gather %x[%i] gather_dims([0]) mode(clip) wrap_negative
      : (tensor<3xi32>, tensor<3x1xi32>) -> tensor<3xi32>
  %y = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %k = arith.constant dense<[[[1], [0]], [[0], [0]]]> : tensor<2x2x1xi32>
  %b = gs.gather %y[%k] gather_dims([1]) mode(error) batch_dims(1)
      : (tensor<2x2xi32>, tensor<2x2x1xi32>) -> tensor<2x2xi32>
  %z = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %l = arith.constant dense<[[1], [0]]> : tensor<2x1xi32>
  %c = gs.gather %z[%l] gather_dims([1]) : (tensor<2x2xf32>, tensor<2x1xi32>) -> tensor<2x2xf32>
  %m = arith.constant dense<[[1, 0]]> : tensor<1x2xi32>
  %e = gs.gather_elements %z[%m] dim(0) mode(fill)
      : (tensor<2x2xf32>, tensor<1x2xi32>) -> tensor<1x2xf32>
  return %w, %b, %c, %e : tensor<3xi32>, tensor<2x2xi32>, tensor<2x2xf32>, tensor<1x2xf32>
}

// Out of bounds; elements that NumPy does not have.
// CHECK-LABEL: func.func @gather_of_known_not
// CHECK-COUNT-3: gs.gather %
// CHECK: return
func.func @gather_of_known_not() -> (tensor<2xi32>, tensor<2xi32>, tensor<3xbf16>) {
  %x = arith.constant dense<[10, 20, 30]> : tensor<3xi32>
  %i = arith.constant dense<[[-1], [2]]> : tensor<2x1xi32>
  %f = gs.gather %x[%i] gather_dims([0]) mode(fill)
      : (tensor<3xi32>, tensor<2x1xi32>) -> tensor<2xi32>
  %e = gs.gather %x[%i] gather_dims([0]) mode(error)
      : (tensor<3xi32>, tensor<2x1xi32>) -> tensor<2xi32>
  %y = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xbf16>
  %k = arith.constant dense<[[0], [2], [0]]> : tensor<3x1xi32>
  %g = gs.gather %y[%k] gather_dims([0]) : (tensor<3xbf16>, tensor<3x1xi32>) -> tensor<3xbf16>
  return %f, %e, %g : tensor<2xi32>, tensor<2xi32>, tensor<3xbf16>
}
