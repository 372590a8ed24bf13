// RUN: gs-opt %s --convert-stablehlo-to-gs | filecheck %s


// CHECK-LABEL: func @add_rows
// CHECK-SAME: %[[D:.+]]: tensor<100x8xf32>, %[[I:.+]]: tensor<5x1xi32>, %[[U:.+]]: tensor<5x8xf32>
func.func @add_rows(%d: tensor<100x8xf32>, %i: tensor<5x1xi32>, %u: tensor<5x8xf32>)
    -> tensor<100x8xf32> {
  // CHECK: gs.scatter %[[U]] into %[[D]][%[[I]]] scatter_dims([0]) mode(drop) combine(add) :
  %r = "stablehlo.scatter"(%d, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
      index_vector_dim = 1>}> ({
  ^bb0(%c: tensor<f32>, %n: tensor<f32>):
    %s = stablehlo.add %c, %n : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<100x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<100x8xf32>
  return %r : tensor<100x8xf32>
}

// CHECK-LABEL: func @overwrite
func.func @overwrite(%d: tensor<9xi8>, %i: tensor<5xi32>, %u: tensor<5xi8>) -> tensor<9xi8> {
  // CHECK: gs.scatter {{.*}} scatter_dims([0]) unique sorted mode(drop) :
  %r = "stablehlo.scatter"(%d, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>,
      indices_are_sorted = true, unique_indices = true}> ({
  ^bb0(%c: tensor<i8>, %n: tensor<i8>):
    stablehlo.return %n : tensor<i8>
  }) : (tensor<9xi8>, tensor<5xi32>, tensor<5xi8>) -> tensor<9xi8>
  return %r : tensor<9xi8>
}

// Sums of booleans are logical, unsigned numbers compare as such.
// CHECK-LABEL: func @elements_of_all_kinds
func.func @elements_of_all_kinds(%d: tensor<9xui8>, %b: tensor<9xi1>, %z: tensor<9xcomplex<f32>>,
    %i: tensor<5x1xi32>, %u: tensor<5xui8>, %v: tensor<5xi1>, %w: tensor<5xcomplex<f32>>)
    -> (tensor<9xui8>, tensor<9xi1>, tensor<9xcomplex<f32>>) {
  // CHECK: gs.scatter %
  // CHECK: arith.maxui
  // CHECK: gs.scatter {{.*}} combine(or) :
  // CHECK: gs.scatter {{.*}} combine(mul) : (tensor<5xcomplex<f32>>
  %r:3 = "stablehlo.scatter"(%d, %b, %z, %i, %u, %v, %w) <{
      scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%c0: tensor<ui8>, %c1: tensor<i1>, %c2: tensor<complex<f32>>,
       %n0: tensor<ui8>, %n1: tensor<i1>, %n2: tensor<complex<f32>>):
    %s0 = stablehlo.maximum %c0, %n0 : tensor<ui8>
    %s1 = stablehlo.add %c1, %n1 : tensor<i1>
    %s2 = stablehlo.multiply %c2, %n2 : tensor<complex<f32>>
    stablehlo.return %s0, %s1, %s2 : tensor<ui8>, tensor<i1>, tensor<complex<f32>>
  }) : (tensor<9xui8>, tensor<9xi1>, tensor<9xcomplex<f32>>, tensor<5x1xi32>, tensor<5xui8>,
        tensor<5xi1>, tensor<5xcomplex<f32>>)
      -> (tensor<9xui8>, tensor<9xi1>, tensor<9xcomplex<f32>>)
  return %r#0, %r#1, %r#2 : tensor<9xui8>, tensor<9xi1>, tensor<9xcomplex<f32>>
}

// The greatest element and where it comes from: two results that depend on each other.
// CHECK-LABEL: func @argmax
func.func @argmax(%d: tensor<9xf32>, %a: tensor<9xi32>, %i: tensor<5x1xi32>, %u: tensor<5xf32>,
    %v: tensor<5xi32>) -> (tensor<9xf32>, tensor<9xi32>) {
  // CHECK: %{{.+}}:2 = gs.generic (d0) [s0 = %{{.+}} mode(fill_or_drop)] {{.*}} iterators(d0 = reduction) :
  // CHECK: %[[G:.+]] = arith.cmpf ogt
  // CHECK: arith.select %[[G]], {{.*}} : f32
  // CHECK: arith.select {{.*}} : i32
  %r:2 = "stablehlo.scatter"(%d, %a, %i, %u, %v) <{
      scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%c0: tensor<f32>, %c1: tensor<i32>, %n0: tensor<f32>, %n1: tensor<i32>):
    %g = stablehlo.compare GT, %n0, %c0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %s0 = stablehlo.select %g, %n0, %c0 : tensor<i1>, tensor<f32>
    %s1 = stablehlo.select %g, %n1, %c1 : tensor<i1>, tensor<i32>
    stablehlo.return %s0, %s1 : tensor<f32>, tensor<i32>
  }) : (tensor<9xf32>, tensor<9xi32>, tensor<5x1xi32>, tensor<5xf32>, tensor<5xi32>)
      -> (tensor<9xf32>, tensor<9xi32>)
  return %r#0, %r#1 : tensor<9xf32>, tensor<9xi32>
}

// Windows that may overlap are written one after the other: the dim of positions runs outside.
// CHECK-LABEL: func @windows
func.func @windows(%d: tensor<9xf32>, %i: tensor<5x1xi32>, %u: tensor<3x5xf32>) -> tensor<9xf32> {
  // CHECK: gs.generic (d0, d1) [s0 = %{{.+}}[d0, 0] mode(fill_or_drop)] ins(%{{.+}}[d1, d0]) outs(%{{.+}}[d1 + s0]) iterators(d0 = reduction, d1 = reduction) :
  %r = "stablehlo.scatter"(%d, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%c: tensor<f32>, %n: tensor<f32>):
    stablehlo.return %n : tensor<f32>
  }) : (tensor<9xf32>, tensor<5x1xi32>, tensor<3x5xf32>) -> tensor<9xf32>
  return %r : tensor<9xf32>
}

// put_along_axis
// CHECK-LABEL: func @elements
func.func @elements(%d: tensor<4x6xf32>, %i: tensor<2x6x1xi32>, %u: tensor<2x6xf32>)
    -> tensor<4x6xf32> {
  // CHECK: gs.scatter_elements {{.*}} dim(0) mode(drop) :
  %r = "stablehlo.scatter"(%d, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], input_batching_dims = [1], scatter_indices_batching_dims = [1],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%c: tensor<f32>, %n: tensor<f32>):
    stablehlo.return %n : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x6x1xi32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// Sums in a wider type: the operands are converted first.
// CHECK-LABEL: func @promoted
func.func @promoted(%d: tensor<9xbf16>, %i: tensor<5x1xi32>, %u: tensor<5xbf16>) -> tensor<9xf32> {
  // CHECK: %[[D:.+]] = stablehlo.convert %{{.+}} : (tensor<9xbf16>) -> tensor<9xf32>
  // CHECK: %[[U:.+]] = stablehlo.convert %{{.+}} : (tensor<5xbf16>) -> tensor<5xf32>
  // CHECK: gs.scatter %[[U]] into %[[D]][
  %r = "stablehlo.scatter"(%d, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%c: tensor<f32>, %n: tensor<f32>):
    %s = stablehlo.add %c, %n : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<9xbf16>, tensor<5x1xi32>, tensor<5xbf16>) -> tensor<9xf32>
  return %r : tensor<9xf32>
}

// One window at a known place: what is in it is added up and put back.
// CHECK-LABEL: func @placed
// CHECK-SAME: %[[D:.+]]: tensor<9x8xf32>, %[[U:.+]]: tensor<7x6xf32>
func.func @placed(%d: tensor<9x8xf32>, %u: tensor<7x6xf32>) -> tensor<9x8xf32> {
  // CHECK: %[[C:.+]] = tensor.extract_slice %[[D]][1, 2] [7, 6] [1, 1]
  // CHECK: %[[S:.+]] = linalg.generic {{.*}} ins(%[[C]], %[[U]]
  // CHECK: tensor.insert_slice %[[S]] into %[[D]][1, 2] [7, 6] [1, 1]
  %i = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r = "stablehlo.scatter"(%d, %i, %u) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1],
      scatter_dims_to_operand_dims = [0, 1]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<9x8xf32>, tensor<2xi32>, tensor<7x6xf32>) -> tensor<9x8xf32>
  return %r : tensor<9x8xf32>
}
