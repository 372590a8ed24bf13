// RUN: gs-opt %s --convert-onnx-to-gs --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @gather_rows
func.func @gather_rows(%x: !torch.vtensor<[9,?],f32>, %i: !torch.vtensor<[2,3],si64>)
    -> !torch.vtensor<[2,3,?],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // CHECK: %[[X:.*]] = torch_c.to_builtin_tensor %{{.*}} -> tensor<9x?xf32>
  // CHECK: %[[I:.*]] = torch_c.to_builtin_tensor %{{.*}} -> tensor<2x3xi64>
  // CHECK: %[[E:.*]] = tensor.expand_shape %[[I]] {{.*}} into tensor<2x3x1xi64>
  // CHECK: gs.gather %[[X]][%[[E]]]
  // CHECK-SAME: gather_dims([0]) mode(error) wrap_negative
  // CHECK: torch_c.from_builtin_tensor
  %0 = torch.operator "onnx.Gather"(%x, %i)
      : (!torch.vtensor<[9,?],f32>, !torch.vtensor<[2,3],si64>) -> !torch.vtensor<[2,3,?],f32>
  return %0 : !torch.vtensor<[2,3,?],f32>
}

// -----

// CHECK-LABEL: func.func @gather_in_the_middle
func.func @gather_in_the_middle(%x: !torch.vtensor<[4,9,5],f32>, %i: !torch.vtensor<[3],si32>)
    -> !torch.vtensor<[4,3,5],f32> {
  // CHECK: gs.generic (d0, d1, d2) [s0 = %{{.*}}[d1] mode(error) wrap_negative] ins(%{{.*}}[d0, s0, d2])
  %0 = torch.operator "onnx.Gather"(%x, %i) {torch.onnx.axis = -2 : si64}
      : (!torch.vtensor<[4,9,5],f32>, !torch.vtensor<[3],si32>) -> !torch.vtensor<[4,3,5],f32>
  return %0 : !torch.vtensor<[4,3,5],f32>
}

// -----

// CHECK-LABEL: func.func @gather_nd_in_batches
func.func @gather_nd_in_batches(%x: !torch.vtensor<[2,7,6,5],f16>,
    %i: !torch.vtensor<[2,3,2],si64>) -> !torch.vtensor<[2,3,5],f16> {
  // CHECK: gs.gather {{.*}} gather_dims([1, 2]) {{.*}}batch_dims(1)
  %0 = torch.operator "onnx.GatherND"(%x, %i) {torch.onnx.batch_dims = 1 : si64}
      : (!torch.vtensor<[2,7,6,5],f16>, !torch.vtensor<[2,3,2],si64>)
      -> !torch.vtensor<[2,3,5],f16>
  return %0 : !torch.vtensor<[2,3,5],f16>
}

// -----

// The sign of the elements chooses the op of the combiner.
// CHECK-LABEL: func.func @scatter_elements_max
func.func @scatter_elements_max(%x: !torch.vtensor<[4],ui8>, %i: !torch.vtensor<[3],si64>,
    %u: !torch.vtensor<[3],ui8>) -> !torch.vtensor<[4],ui8> {
  // CHECK: gs.scatter_elements {{.*}} dim(0) mode(error) wrap_negative combine(maxui) {gs.origin = ["onnx.ScatterElements", "operand #0"]} : (tensor<{{.*}}xi8>
  %0 = torch.operator "onnx.ScatterElements"(%x, %i, %u) {torch.onnx.reduction = "max"}
      : (!torch.vtensor<[4],ui8>, !torch.vtensor<[3],si64>, !torch.vtensor<[3],ui8>)
      -> !torch.vtensor<[4],ui8>
  return %0 : !torch.vtensor<[4],ui8>
}

// -----

// CHECK-LABEL: func.func @slice_of_constants
func.func @slice_of_constants(%x: !torch.vtensor<[20,10],f32>) -> !torch.vtensor<[4,10],f32>
    attributes {torch.onnx_meta.opset_version = 1 : si64} {
  // CHECK: gs.strided_slice %{{.*}}[16, 0] [4, 10] [1, 1]
  // CHECK-SAME: -> tensor<4x10xf32>
  %0 = torch.operator "onnx.Slice"(%x) {torch.onnx.axes = [0 : si64],
      torch.onnx.starts = [-4 : si64], torch.onnx.ends = [1000 : si64]}
      : (!torch.vtensor<[20,10],f32>) -> !torch.vtensor<[4,10],f32>
  return %0 : !torch.vtensor<[4,10],f32>
}

// -----

// Sizes are torch-mlir's to fold: a gather among them stays.
// CHECK-LABEL: func.func @shape_arithmetic
func.func @shape_arithmetic(%x: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[],si64> {
  // CHECK: torch.operator "onnx.Gather"
  // CHECK-NOT: gs.
  %0 = torch.operator "onnx.Shape"(%x) : (!torch.vtensor<[?,?],f32>) -> !torch.vtensor<[2],si64>
  %1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<si64>}
      : () -> !torch.vtensor<[],si64>
  %2 = torch.operator "onnx.Gather"(%0, %1)
      : (!torch.vtensor<[2],si64>, !torch.vtensor<[],si64>) -> !torch.vtensor<[],si64>
  return %2 : !torch.vtensor<[],si64>
}
