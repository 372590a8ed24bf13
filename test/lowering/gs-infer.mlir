// RUN: gs-opt %s --gs-infer --gs-explain 2>%t.notes | filecheck %s
// RUN: filecheck %s --check-prefix=CHECK-REMARK --input-file=%t.notes

// CHECK-LABEL: func.func @constants
// CHECK: {gather_dims = array<i64: 0>, sorted, unique}
// CHECK-REMARK: remark: 'gs.gather' proved: in bounds, so no mode: known coordinates
// CHECK-REMARK: remark: 'gs.gather' proved: unique: known coordinates
// CHECK-REMARK: remark: 'gs.gather' proved: sorted: known coordinates
func.func @constants(%x: tensor<9x4xf32>) -> tensor<3x4xf32> {
  %i = arith.constant dense<[[1], [4], [8]]> : tensor<3x1xi32>
  %g = "gs.gather"(%x, %i) {gather_dims = array<i64: 0>, mode = "error"} : (tensor<9x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  return %g : tensor<3x4xf32>
}

// 2 * iota + 1
// CHECK-LABEL: func.func @affine
// CHECK: {gather_dims = array<i64: 0>, sorted, unique}
func.func @affine(%x: tensor<9x4xf32>) -> tensor<4x4xf32> {
  %iota = tensor.generate {
  ^bb0(%n: index):
    tensor.yield %n : index
  } : tensor<4xindex>
  %two = arith.constant dense<2> : tensor<4xindex>
  %one = arith.constant dense<1> : tensor<4xindex>
  %p = arith.muli %iota, %two : tensor<4xindex>
  %q = arith.addi %p, %one : tensor<4xindex>
  %i = tensor.expand_shape %q [[0, 1]] output_shape [4, 1] : tensor<4xindex> into tensor<4x1xindex>
  %g = "gs.gather"(%x, %i) {gather_dims = array<i64: 0>, mode = "clip"} : (tensor<9x4xf32>, tensor<4x1xindex>) -> tensor<4x4xf32>
  return %g : tensor<4x4xf32>
}

// One is out of bounds, and one comes twice.
// CHECK-LABEL: func.func @not_proved
// CHECK: {gather_dims = array<i64: 0>, mode = "clip"}
// CHECK: {gather_dims = array<i64: 0>, sorted}
func.func @not_proved(%x: tensor<9x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %i = arith.constant dense<[[1], [9], [8]]> : tensor<3x1xi32>
  %g = "gs.gather"(%x, %i) {gather_dims = array<i64: 0>, mode = "clip"} : (tensor<9x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  %k = arith.constant dense<[[1], [8], [8]]> : tensor<3x1xi32>
  %h = "gs.gather"(%x, %k) {gather_dims = array<i64: 0>, mode = "clip"} : (tensor<9x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  return %g, %h : tensor<3x4xf32>, tensor<3x4xf32>
}

// -1 is the last row, which also is 8.
// CHECK-LABEL: func.func @wrapped
// CHECK: {gather_dims = array<i64: 0>, wrap_negative}
func.func @wrapped(%x: tensor<9x4xf32>) -> tensor<2x4xf32> {
  %i = arith.constant dense<[[8], [-1]]> : tensor<2x1xi8>
  %g = "gs.gather"(%x, %i) {gather_dims = array<i64: 0>, wrap_negative} : (tensor<9x4xf32>, tensor<2x1xi8>) -> tensor<2x4xf32>
  return %g : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @of_histogram
// CHECK: "gs.scatter"
// CHECK: {scatter_dims = array<i64: 0>, sorted, unique}
// CHECK: "gs.scatter"
// CHECK: {mode = "clip", scatter_dims = array<i64: 0>}
func.func @of_histogram(%u: tensor<?xf32>, %i: tensor<?x1xi32>, %y: tensor<9xf32>) -> (tensor<9xf32>, tensor<9xf32>) {
  %c, %b = "gs.histogram"(%u, %i) ({
  ^bb0(%a: f32, %v: f32):
    %s = arith.addf %a, %v : f32
    "gs.yield"(%s) : (f32) -> ()
  }) : (tensor<?xf32>, tensor<?x1xi32>) -> (tensor<?xf32>, tensor<?x1xi32>)
  %r = "gs.scatter"(%c, %y, %b) ({}) {scatter_dims = array<i64: 0>} : (tensor<?xf32>, tensor<9xf32>, tensor<?x1xi32>) -> tensor<9xf32>
  %t = "gs.scatter"(%c, %y, %b) ({}) {scatter_dims = array<i64: 0>, mode = "clip"} : (tensor<?xf32>, tensor<9xf32>, tensor<?x1xi32>) -> tensor<9xf32>
  return %r, %t : tensor<9xf32>, tensor<9xf32>
}

// Along a dim each line counts for itself.
// CHECK-LABEL: func.func @lines
// CHECK: {dim = 1 : i64, unique}
func.func @lines(%x: tensor<2x5xf32>) -> tensor<2x2xf32> {
  %i = arith.constant dense<[[3, 0], [0, 3]]> : tensor<2x2xi64>
  %g = "gs.gather_elements"(%x, %i) {dim = 1 : i64, mode = "error"} : (tensor<2x5xf32>, tensor<2x2xi64>) -> tensor<2x2xf32>
  return %g : tensor<2x2xf32>
}
