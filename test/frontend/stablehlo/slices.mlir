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

// Starts that are constants are clamped here; negative ones count from the end where JAX says so.
// CHECK-LABEL: func @known_starts
// CHECK-SAME: %[[T:.+]]: tensor<8x6xf32>, %[[U:.+]]: tensor<3x4xf32>, %[[I:.+]]: tensor<i32>
func.func @known_starts(%t: tensor<8x6xf32>, %u: tensor<3x4xf32>, %i: tensor<i32>)
    -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<8x6xf32>, tensor<0x4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %minus = stablehlo.constant dense<-7> : tensor<i32>
  %many = stablehlo.constant dense<9> : tensor<i32>
  %size = stablehlo.constant dense<8> : tensor<i32>
  %below = stablehlo.compare LT, %minus, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %plus = stablehlo.add %minus, %size : tensor<i32>
  %wrapped = stablehlo.select %below, %plus, %minus : tensor<i1>, tensor<i32>
  // CHECK: gs.strided_slice %[[T]][1, 2] [3, 4] [1, 1]
  %a = stablehlo.dynamic_slice %t, %wrapped, %many, sizes = [3, 4]
      : (tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
  // CHECK: gs.generic (d0, d1) [s0 = %[[I]][] mode(clip), s1 = %{{.*}}[] mode(clip)] ins(%[[T]][d0 + s0, d1 + s1])
  %b = stablehlo.dynamic_slice %t, %i, %many, sizes = [3, 4]
      : (tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
  // CHECK: tensor.insert_slice %[[U]] into %[[T]][0, 2] [3, 4] [1, 1]
  %c = stablehlo.dynamic_update_slice %t, %u, %minus, %many
      : (tensor<8x6xf32>, tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x6xf32>
  // CHECK: gs.generic {{.*}} ins(%[[T]][d0 + s0, d1 + s1])
  %d = stablehlo.dynamic_slice %t, %many, %many, sizes = [0, 4]
      : (tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> tensor<0x4xf32>
  return %a, %b, %c, %d : tensor<3x4xf32>, tensor<3x4xf32>, tensor<8x6xf32>, tensor<0x4xf32>
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
