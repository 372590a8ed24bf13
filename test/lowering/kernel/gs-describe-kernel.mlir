// RUN: gs-opt %s --gs-choose-kernel --gs-describe-kernel | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK-SAME: gs.arguments = [{donated, name = "x", type = tensor<?xf32>},
// CHECK-SAME: {type = tensor<4xi8>, unsigned}, {memref, type = memref<2xf32>}, {type = index}]
func.func @f(%x: tensor<?xf32> {bufferization.writable = true} loc("x"),
    %y: tensor<4xi8> {gs.unsigned}, %m: memref<2xf32>, %n: index) {
  return
}
