// RUN: gs-opt %s --gs-narrow-coordinates --canonicalize --gs-explain 2>%t.notes | filecheck %s
// RUN: gs-opt %s --pass-pipeline='builtin.module(gs-narrow-coordinates{least=32},canonicalize)' | filecheck %s --check-prefix=CHECK-32
// RUN: filecheck %s --check-prefix=CHECK-REMARK --input-file=%t.notes

// 4 i + 1 with i in [-128, 127].
// CHECK-LABEL: func.func @arithmetic
// CHECK: %[[I:.*]] = arith.extsi %arg1 : tensor<5x1xi8> to tensor<5x1xi16>
// CHECK: %[[M:.*]] = arith.muli %[[I]]
// CHECK: %[[N:.*]] = arith.addi %[[M]]
// CHECK: gs.gather %arg0[%[[N]]] {{.*}} tensor<5x1xi16>
// CHECK-32-LABEL: func.func @arithmetic
// CHECK-32: gs.gather {{.*}} tensor<5x1xi32>
// CHECK-REMARK: 'gs.gather' proved: coordinates fit in i16, not i64
func.func @arithmetic(%x: tensor<900x4xf32>, %i: tensor<5x1xi8>) -> tensor<5x4xf32> {
  %a = arith.extsi %i : tensor<5x1xi8> to tensor<5x1xi64>
  %c = arith.constant dense<4> : tensor<5x1xi64>
  %d = arith.constant dense<1> : tensor<5x1xi64>
  %m = arith.muli %a, %c : tensor<5x1xi64>
  %n = arith.addi %m, %d : tensor<5x1xi64>
  %g = gs.gather %x[%n] gather_dims([0]) mode(clip)
      : (tensor<900x4xf32>, tensor<5x1xi64>) -> tensor<5x4xf32>
  return %g : tensor<5x4xf32>
}

// Constants and iotas, through shapes.
// CHECK-LABEL: func.func @made_here
// CHECK: arith.constant dense<{{\[\[}}800], [-1], [7]]> : tensor<3x1xi16>
// CHECK: gs.gather {{.*}} tensor<3x1xi16>
// CHECK: tensor.generate
// CHECK: arith.index_cast %{{.*}} : index to i8
// CHECK: gs.gather {{.*}} tensor<100x1xi8>
func.func @made_here(%x: tensor<900x4xf32>) -> (tensor<3x4xf32>, tensor<100x4xf32>) {
  %k = arith.constant dense<[[800], [-1], [7]]> : tensor<3x1xindex>
  %j = gs.gather %x[%k] gather_dims([0]) wrap_negative
      : (tensor<900x4xf32>, tensor<3x1xindex>) -> tensor<3x4xf32>
  %t = tensor.generate {
  ^bb0(%p: index):
    tensor.yield %p : index
  } : tensor<100xindex>
  %e = tensor.expand_shape %t [[0, 1]] output_shape [100, 1] : tensor<100xindex> into tensor<100x1xindex>
  %l = gs.gather %x[%e] gather_dims([0])
      : (tensor<900x4xf32>, tensor<100x1xindex>) -> tensor<100x4xf32>
  return %j, %l : tensor<3x4xf32>, tensor<100x4xf32>
}

// From outside in a wide type; wide for another use too; a product that may need all bits.
// CHECK-LABEL: func.func @stays
// CHECK: gs.gather {{.*}} tensor<5x1xi64>
// CHECK: gs.gather {{.*}} tensor<5x1xi64>
// CHECK: gs.gather {{.*}} tensor<5x1xi64>
func.func @stays(%x: tensor<900x4xf32>, %w: tensor<5x1xi64>, %i: tensor<5x1xi8>, %big: tensor<5x1xi32>) -> (tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x1xi64>, tensor<5x4xf32>) {
  %d = arith.constant dense<1> : tensor<5x1xi64>
  %wn = arith.addi %w, %d : tensor<5x1xi64>
  %g = gs.gather %x[%wn] gather_dims([0]) mode(clip)
      : (tensor<900x4xf32>, tensor<5x1xi64>) -> tensor<5x4xf32>
  %a = arith.extsi %i : tensor<5x1xi8> to tensor<5x1xi64>
  %n = arith.addi %a, %d : tensor<5x1xi64>
  %h = gs.gather %x[%n] gather_dims([0]) mode(clip)
      : (tensor<900x4xf32>, tensor<5x1xi64>) -> tensor<5x4xf32>
  %b = arith.extsi %big : tensor<5x1xi32> to tensor<5x1xi64>
  %m = arith.muli %b, %b : tensor<5x1xi64>
  %j = gs.gather %x[%m] gather_dims([0]) mode(clip)
      : (tensor<900x4xf32>, tensor<5x1xi64>) -> tensor<5x4xf32>
  return %g, %h, %n, %j : tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x1xi64>, tensor<5x4xf32>
}
