// RUN: gs-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func @ops
func.func @ops(%x: tensor<3x4xf32>, %i: tensor<3x2xi64>, %n: index, %one: tensor<1x1xcomplex<f32>>) {
  // CHECK: "tcp.gather"(%{{.+}}, %{{.+}}) {dim = 1 : index}
  %0 = "tcp.gather"(%x, %i) {dim = 1 : index}
      : (tensor<3x4xf32>, tensor<3x2xi64>) -> tensor<3x2xf32>
  // CHECK: "tcp.gather_slice"
  %1 = "tcp.gather_slice"(%x, %i) {dim = 1 : index}
      : (tensor<3x4xf32>, tensor<3x2xi64>) -> tensor<3x3x2xf32>
  // CHECK: "tcp.gather_nd"
  %2 = "tcp.gather_nd"(%x, %i) : (tensor<3x4xf32>, tensor<3x2xi64>) -> tensor<3xf32>
  // CHECK: "tcp.broadcast_to"(%{{.+}}, %{{.+}}, %{{.+}}) {axes = [0, 1]}
  %3 = "tcp.broadcast_to"(%one, %n, %n) {axes = [0, 1]}
      : (tensor<1x1xcomplex<f32>>, index, index) -> tensor<?x7xcomplex<f32>>
  // CHECK: "tcp.broadcast_to"(%{{.+}}) {axes = []}
  %4 = "tcp.broadcast_to"(%x) {axes = []} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}
