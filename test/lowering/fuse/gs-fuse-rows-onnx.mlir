// RUN: gs-opt %s --gs-import-onnx --gs-optimize --split-input-file | filecheck %s

// What ONNX models compute with gathered rows is one op, without an array of the rows.

// CHECK-LABEL: func.func @product
// CHECK: gs.generic (d0, d1, d2) [s0 = %{{.*}}[d0, 0] mode(error) wrap_negative]
// CHECK-SAME: ins(%arg0[s0, d2], %arg2[d2, d1]) outs(%{{.*}}[d0, d1])
// CHECK-SAME: iterators(d0 = parallel, d1 = parallel, d2 = reduction)
// CHECK: gs.yield
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @product(%x: !torch.vtensor<[1000,512],f32>, %i: !torch.vtensor<[64],si64>,
    %w: !torch.vtensor<[512,256],f32>) -> !torch.vtensor<[64,256],f32>
    attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %0 = torch.operator "onnx.Gather"(%x, %i) {torch.onnx.axis = 0 : si64}
      : (!torch.vtensor<[1000,512],f32>, !torch.vtensor<[64],si64>) -> !torch.vtensor<[64,512],f32>
  %1 = torch.operator "onnx.MatMul"(%0, %w)
      : (!torch.vtensor<[64,512],f32>, !torch.vtensor<[512,256],f32>) -> !torch.vtensor<[64,256],f32>
  return %1 : !torch.vtensor<[64,256],f32>
}

// -----

// One scale for all rows.
// CHECK-LABEL: func.func @dequantized
// CHECK: gs.generic (d0, d1) {{.*}} ins(%arg0[s0, d1]) outs(%{{.*}}[d0, d1])
// CHECK-SAME: tensor<1000x64xi8>, tensor<7x1xi64>, tensor<7x64xf32>
// CHECK: arith.subi
// CHECK: arith.sitofp
// CHECK: arith.mulf
// CHECK-NEXT: gs.yield
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @dequantized(%x: !torch.vtensor<[1000,64],si8>, %i: !torch.vtensor<[7],si64>,
    %s: !torch.vtensor<[],f32>, %z: !torch.vtensor<[],si8>) -> !torch.vtensor<[7,64],f32>
    attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %0 = torch.operator "onnx.Gather"(%x, %i) {torch.onnx.axis = 0 : si64}
      : (!torch.vtensor<[1000,64],si8>, !torch.vtensor<[7],si64>) -> !torch.vtensor<[7,64],si8>
  %1 = torch.operator "onnx.DequantizeLinear"(%0, %s, %z)
      : (!torch.vtensor<[7,64],si8>, !torch.vtensor<[],f32>, !torch.vtensor<[],si8>) -> !torch.vtensor<[7,64],f32>
  return %1 : !torch.vtensor<[7,64],f32>
}

// -----

// A scale and a zero point for each row; the table is not widened.
// CHECK-LABEL: func.func @of_a_dequantized_table
// CHECK-NOT: tensor<1000x64xf32>
// CHECK: gs.generic (d0, d1) {{.*}} ins(%arg0[s0, d1], %arg2[s0], %arg3[s0]) outs(%{{.*}}[d0, d1])
// CHECK: arith.mulf
// CHECK-NEXT: gs.yield
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @of_a_dequantized_table(%x: !torch.vtensor<[1000,64],si8>, %i: !torch.vtensor<[7],si64>,
    %s: !torch.vtensor<[1000],f32>, %z: !torch.vtensor<[1000],si8>) -> !torch.vtensor<[7,64],f32>
    attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %0 = torch.operator "onnx.DequantizeLinear"(%x, %s, %z) {torch.onnx.axis = 0 : si64}
      : (!torch.vtensor<[1000,64],si8>, !torch.vtensor<[1000],f32>, !torch.vtensor<[1000],si8>) -> !torch.vtensor<[1000,64],f32>
  %1 = torch.operator "onnx.Gather"(%0, %i) {torch.onnx.axis = 0 : si64}
      : (!torch.vtensor<[1000,64],f32>, !torch.vtensor<[7],si64>) -> !torch.vtensor<[7,64],f32>
  return %1 : !torch.vtensor<[7,64],f32>
}

// -----

// A scale and a zero point for each block of 16: their rows are read at the same coordinate.
// CHECK-LABEL: func.func @of_a_table_in_blocks
// CHECK-NOT: tensor<1000x64xf32>
// CHECK: gs.generic (d0, d1) {{.*}} ins(%arg0[s0, d1], %arg2[s0, d1 floordiv 16], %arg3[s0, d1 floordiv 16])
// CHECK: gs.yield
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @of_a_table_in_blocks(%x: !torch.vtensor<[1000,64],ui8>, %i: !torch.vtensor<[7],si64>,
    %s: !torch.vtensor<[1000,4],f32>, %z: !torch.vtensor<[1000,4],ui8>) -> !torch.vtensor<[7,64],f32>
    attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %0 = torch.operator "onnx.DequantizeLinear"(%x, %s, %z) {torch.onnx.axis = -1 : si64, torch.onnx.block_size = 16 : si64}
      : (!torch.vtensor<[1000,64],ui8>, !torch.vtensor<[1000,4],f32>, !torch.vtensor<[1000,4],ui8>) -> !torch.vtensor<[1000,64],f32>
  %1 = torch.operator "onnx.Gather"(%0, %i) {torch.onnx.axis = 0 : si64}
      : (!torch.vtensor<[1000,64],f32>, !torch.vtensor<[7],si64>) -> !torch.vtensor<[7,64],f32>
  return %1 : !torch.vtensor<[7,64],f32>
}

// -----

// Bytes of two numbers are read as they are stored, once.
// CHECK-LABEL: func.func @gather_block_quantized
// CHECK-COUNT-1: tensor.empty() : tensor<7x64xf32>
// CHECK-NEXT: gs.generic (d0, d1) [s0 = %arg1[d0] mode(fill_or_drop) wrap_negative]
// CHECK-SAME: ins(%arg0[s0, d1 floordiv 2] fill(0 : i8), %arg2[s0, d1 floordiv 16] fill({{.*}}), %{{.*}}[d1 mod 2])
// CHECK: gs.yield
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @gather_block_quantized(%x: !torch.vtensor<[1000,32],ui8>, %i: !torch.vtensor<[7],si64>,
    %s: !torch.vtensor<[1000,4],f32>) -> !torch.vtensor<[7,64],f32>
    attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %0 = torch.operator "onnx.GatherBlockQuantized"(%x, %i, %s) {torch.onnx.quantize_axis = 1 : si64, torch.onnx.block_size = 16 : si64}
      : (!torch.vtensor<[1000,32],ui8>, !torch.vtensor<[7],si64>, !torch.vtensor<[1000,4],f32>) -> !torch.vtensor<[7,64],f32>
  return %0 : !torch.vtensor<[7,64],f32>
}
