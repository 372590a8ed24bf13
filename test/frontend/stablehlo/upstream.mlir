// RUN: gs-opt %s --convert-stablehlo-to-upstream | filecheck %s

// 0-d tensors are carried as scalars.
// CHECK-LABEL: func @while
func.func @while(%n: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[N:.+]] = tensor.extract %{{.+}}[] : tensor<i32>
  // CHECK: scf.while (%{{.+}} = %[[N]], %{{.+}} = %{{.+}}) : (i32, tensor<4xf32>) -> (i32, tensor<4xf32>)
  // CHECK: scf.condition
  // CHECK: scf.yield
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%k = %n, %v = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %more = stablehlo.compare GT, %k, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.subtract %k, %one : tensor<i32>
    %sum = stablehlo.add %v, %v : tensor<4xf32>
    stablehlo.return %next, %sum : tensor<i32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}

// CHECK-LABEL: func @branches
func.func @branches(%c: tensor<i1>, %k: tensor<i32>, %x: tensor<4xf32>, %y: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: scf.if %{{.+}} -> (tensor<4xf32>)
  %a = "stablehlo.if"(%c) ({
    stablehlo.return %x : tensor<4xf32>
  }, {
    stablehlo.return %y : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  // CHECK: scf.index_switch %{{.+}} -> tensor<4xf32>
  // CHECK: case 0
  // CHECK: default
  %b = "stablehlo.case"(%k) ({
    stablehlo.return %x : tensor<4xf32>
  }, {
    stablehlo.return %y : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// Whether an unknown dim is expanded shows at run time; the upstream pass takes the others.
// CHECK-LABEL: func @sizes
func.func @sizes(%x: tensor<?xf32>, %s: tensor<2xi32>) -> (tensor<i32>, tensor<?x?xf32>) {
  // CHECK: tensor.dim
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  // CHECK: linalg.generic
  // CHECK: arith.select
  // CHECK: tensor.extract
  %b = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1]
      : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  // CHECK: stablehlo.dynamic_broadcast_in_dim
  %k = "stablehlo.dynamic_broadcast_in_dim"(%x, %s) <{broadcast_dimensions = array<i64: 1>,
      known_nonexpanding_dimensions = array<i64: 0>}>
      : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %r = stablehlo.add %b, %k : tensor<?x?xf32>
  return %n, %r : tensor<i32>, tensor<?x?xf32>
}

// CHECK-LABEL: func @assertion
func.func @assertion(%c: tensor<i1>, %n: tensor<i32>) {
  // CHECK: cf.assert %{{.+}}, "Input shapes do not match. Expected value >= 1."
  stablehlo.custom_call @shape_assertion(%c, %n) {error_message = "Input shapes do not match. Expected value >= 1. Using the following specifications: (a,). Obtained {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  return
}

// CHECK-LABEL: func @repairs
func.func @repairs(%b: tensor<4xi1>, %z: tensor<0x3xf32>, %init: tensor<f32>, %m: tensor<2x2xbf16>)
    -> (tensor<4xi1>, tensor<3xf32>, tensor<2x2xbf16>) {
  // CHECK: stablehlo.or
  %s = stablehlo.add %b, %b : tensor<4xi1>
  // CHECK: stablehlo.broadcast_in_dim %{{.+}}, dims = [] : (tensor<f32>) -> tensor<3xf32>
  %r = stablehlo.reduce(%z init: %init) applies stablehlo.add across dimensions = [0]
      : (tensor<0x3xf32>, tensor<f32>) -> tensor<3xf32>
  // CHECK: stablehlo.dot_general {{.*}} -> tensor<2x2xf32>
  // CHECK: stablehlo.convert {{.*}} -> tensor<2x2xbf16>
  %p = stablehlo.dot_general %m, %m, contracting_dims = [1] x [0]
      : (tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
  return %s, %r, %p : tensor<4xi1>, tensor<3xf32>, tensor<2x2xbf16>
}

// Rows of a cache line and more are copied; others are put together element by element.
// CHECK-LABEL: func @concatenate
func.func @concatenate(%a: tensor<?x16xf32>, %b: tensor<?x32xf32>, %c: tensor<?x1xf32>)
    -> (tensor<?x48xf32>, tensor<?x2xf32>) {
  // CHECK: %[[E:.+]] = tensor.empty(%{{.+}}) : tensor<?x48xf32>
  // CHECK: %[[A:.+]] = tensor.insert_slice %arg0 into %[[E]][0, 0] [%{{.+}}, 16] [1, 1]
  // CHECK: tensor.insert_slice %arg1 into %[[A]][0, 16] [%{{.+}}, 32] [1, 1]
  %0 = stablehlo.concatenate %a, %b, dim = 1
      : (tensor<?x16xf32>, tensor<?x32xf32>) -> tensor<?x48xf32>
  // CHECK: stablehlo.concatenate
  %1 = stablehlo.concatenate %c, %c, dim = 1
      : (tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x2xf32>
  return %0, %1 : tensor<?x48xf32>, tensor<?x2xf32>
}

// Narrow parts of wide rows are copied, too, and parts of nothing are left out.
// CHECK-LABEL: func @rolled
func.func @rolled(%a: tensor<?x1xf32>, %b: tensor<?x31xf32>, %c: tensor<?x0xf32>) -> tensor<?x32xf32> {
  // CHECK: %[[A:.+]] = tensor.insert_slice %arg1 into %{{.+}}[0, 0] [%{{.+}}, 31] [1, 1]
  // CHECK: %[[B:.+]] = tensor.insert_slice %arg0 into %[[A]][0, 31] [%{{.+}}, 1] [1, 1]
  // CHECK: return %[[B]]
  %0 = stablehlo.concatenate %b, %a, %c, dim = 1
      : (tensor<?x31xf32>, tensor<?x1xf32>, tensor<?x0xf32>) -> tensor<?x32xf32>
  return %0 : tensor<?x32xf32>
}

// CHECK-LABEL: func @bools
func.func @bools(%x: tensor<?x4xi1>, %init: tensor<i1>) -> tensor<4xi1> {
  // CHECK: stablehlo.convert %{{.+}} : (tensor<?x4xi1>) -> tensor<?x4xui8>
  // CHECK: stablehlo.reduce({{.*}}) applies stablehlo.and {{.*}} -> tensor<4xui8>
  // CHECK: stablehlo.convert %{{.+}} : (tensor<4xui8>) -> tensor<4xi1>
  %r = stablehlo.reduce(%x init: %init) applies stablehlo.and across dimensions = [0]
      : (tensor<?x4xi1>, tensor<i1>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}
