// RUN: gs-opt %s --convert-stablehlo-to-gs | filecheck %s

// CHECK-LABEL: func @slice
func.func @slice(%t: tensor<8x6xf32>) -> tensor<3x4xf32> {
  // CHECK: gs.strided_slice %{{.*}}[1, 2] [5, 4] [2, 1] :
  %r = stablehlo.slice %t [1:6:2, 2:6] : (tensor<8x6xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func @empty_slice
func.func @empty_slice(%t: tensor<8x6xf32>) -> tensor<0x4xf32> {
  // CHECK: tensor.empty() : tensor<0x4xf32>
  %r = stablehlo.slice %t [1:1, 2:6] : (tensor<8x6xf32>) -> tensor<0x4xf32>
  return %r : tensor<0x4xf32>
}

// The start of a window over the whole dim does not count.
// CHECK-LABEL: func @dynamic_slice
// CHECK-SAME: %[[T:.+]]: tensor<8x6xf32>, %[[I:.+]]: tensor<i32>, %{{.+}}: tensor<i32>
func.func @dynamic_slice(%t: tensor<8x6xf32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<3x6xf32> {
  // CHECK: %[[E:.+]] = tensor.empty() : tensor<3x6xf32>
  // CHECK: gs.generic (d0, d1) [s0 = %[[I]][] mode(clip)] ins(%[[T]][d0 + s0, d1]) outs(%[[E]][d0, d1])
  %r = stablehlo.dynamic_slice %t, %i, %j, sizes = [3, 6]
      : (tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> tensor<3x6xf32>
  return %r : tensor<3x6xf32>
}

// CHECK-LABEL: func @dynamic_update_slice
// CHECK-SAME: %[[T:.+]]: tensor<8x6xf32>, %[[U:.+]]: tensor<3x6xf32>, %[[I:.+]]: tensor<i32>
func.func @dynamic_update_slice(%t: tensor<8x6xf32>, %u: tensor<3x6xf32>, %i: tensor<i32>)
    -> tensor<8x6xf32> {
  // CHECK: gs.generic (d0, d1) [s0 = %[[I]][] mode(clip)] ins(%[[U]][d0, d1]) outs(%[[T]][d0 + s0, d1]) {{.*}} unique :
  %r = stablehlo.dynamic_update_slice %t, %u, %i, %i
      : (tensor<8x6xf32>, tensor<3x6xf32>, tensor<i32>, tensor<i32>) -> tensor<8x6xf32>
  return %r : tensor<8x6xf32>
}

// More starts than gs.generic has operands for.
// CHECK-LABEL: func @nine_starts
func.func @nine_starts(%t: tensor<2x2x2x2x2x2x2x2x2xf32>, %i: tensor<i32>)
    -> tensor<1x1x1x1x1x1x1x1x1xf32> {
  // CHECK: %[[S:.+]] = tensor.from_elements {{.*}} : tensor<9xi32>
  // CHECK: gs.generic {{.*}} = %[[S]][{{.*}} ins(%{{.+}}[{{.*}} outs(%{{.+}}[
  %r = stablehlo.dynamic_slice %t, %i, %i, %i, %i, %i, %i, %i, %i, %i,
      sizes = [1, 1, 1, 1, 1, 1, 1, 1, 1]
      : (tensor<2x2x2x2x2x2x2x2x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>,
         tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
      -> tensor<1x1x1x1x1x1x1x1x1xf32>
  return %r : tensor<1x1x1x1x1x1x1x1x1xf32>
}

// The order of each line is found once, for all operands.
// CHECK-LABEL: func @sort
// CHECK-SAME: %[[K:.+]]: tensor<4x6xf32>, %[[V:.+]]: tensor<4x6xi32>
func.func @sort(%k: tensor<4x6xf32>, %v: tensor<4x6xi32>) -> (tensor<4x6xf32>, tensor<4x6xi32>) {
  // CHECK: %[[O:.+]] = scf.for
  // CHECK: scf.while
  // CHECK: arith.cmpf olt
  // CHECK: gs.gather_elements %[[K]][%[[O]]] dim(1) unique
  // CHECK: gs.gather_elements %[[V]][%[[O]]] dim(1) unique
  %r:2 = "stablehlo.sort"(%k, %v) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %l = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }) : (tensor<4x6xf32>, tensor<4x6xi32>) -> (tensor<4x6xf32>, tensor<4x6xi32>)
  return %r#0, %r#1 : tensor<4x6xf32>, tensor<4x6xi32>
}
