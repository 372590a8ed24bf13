// RUN: gs-opt %s --gs-import-stablehlo | filecheck %s

// The cosine that the derivative of a sine calls is there already, of an angle that is computed
// twice; what is cheap stays twice.
// CHECK-LABEL: func.func @angles
// CHECK: math.cos
// CHECK-NOT: math.cos
// CHECK: return
func.func @angles(%x: tensor<8x9xf32>, %y: tensor<8x9xf32>) -> (tensor<8x9xf32>, tensor<8x9xf32>) {
  %a = stablehlo.multiply %x, %y : tensor<8x9xf32>
  %c = stablehlo.cosine %a : tensor<8x9xf32>
  %b = stablehlo.multiply %x, %y : tensor<8x9xf32>
  %d = stablehlo.cosine %b : tensor<8x9xf32>
  %e = stablehlo.add %d, %x : tensor<8x9xf32>
  return %c, %e : tensor<8x9xf32>, tensor<8x9xf32>
}

// Of other elements, or in another way, it is another call.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-2: math.cos
// CHECK: return
func.func @others(%x: tensor<8x9xf32>, %y: tensor<8x9xf32>) -> (tensor<8x9xf32>, tensor<8x9xf32>) {
  %a = stablehlo.multiply %x, %y : tensor<8x9xf32>
  %c = stablehlo.cosine %a : tensor<8x9xf32>
  %b = stablehlo.add %x, %y : tensor<8x9xf32>
  %d = stablehlo.cosine %b : tensor<8x9xf32>
  return %c, %d : tensor<8x9xf32>, tensor<8x9xf32>
}

// Complex numbers stay as they are.
// CHECK-LABEL: func.func @complex
// CHECK: return
func.func @complex(%x: tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>> {
  %c = stablehlo.constant dense<(1.0, 0.0)> : tensor<3xcomplex<f32>>
  %a = stablehlo.exponential %x : tensor<3xcomplex<f32>>
  %b = stablehlo.exponential %x : tensor<3xcomplex<f32>>
  %d = stablehlo.multiply %a, %b : tensor<3xcomplex<f32>>
  %e = stablehlo.add %d, %c : tensor<3xcomplex<f32>>
  return %e : tensor<3xcomplex<f32>>
}
