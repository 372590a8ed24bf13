// RUN: gs-opt %s --convert-tcp-to-gs --cse --canonicalize \
// RUN:   --mlir-print-local-scope | FileCheck %s

// torch.gather
// CHECK-LABEL: func @torch_gather
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>, %[[I:.+]]: tensor<3x2xi64>
func.func @torch_gather(%input: tensor<3x4xf32>, %indices: tensor<3x2xi64>) -> tensor<3x2xf32> {
  // CHECK: gs.gather_elements %[[X]][%[[I]]] dim(1)
  // CHECK-SAME: (tensor<3x4xf32>, tensor<3x2xi64>) -> tensor<3x2xf32>
  %x = "tcp.gather"(%input, %indices) {dim = 1 : index}
      : (tensor<3x4xf32>, tensor<3x2xi64>) -> tensor<3x2xf32>
  return %x : tensor<3x2xf32>
}

// onnx.GatherElements; the seed writes `dim = 0`.
// CHECK-LABEL: func @gather_elements
func.func @gather_elements(%input: tensor<3x3xf32>, %indices: tensor<2x3xi64>) -> tensor<2x3xf32> {
  // CHECK: gs.gather_elements {{.*}} dim(0)
  %x = "tcp.gather"(%input, %indices) {dim = 0}
      : (tensor<3x3xf32>, tensor<2x3xi64>) -> tensor<2x3xf32>
  return %x : tensor<2x3xf32>
}

// CHECK-LABEL: func @index_select
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>, %[[I:.+]]: tensor<2xi64>
func.func @index_select(%input: tensor<3x4xf32>, %indices: tensor<2xi64>) -> tensor<2x4xf32> {
  // CHECK-NOT: broadcast
  // CHECK: %[[T:.+]] = tensor.expand_shape %[[I]]
  // CHECK-SAME: into tensor<2x1xi64>
  // CHECK: gs.gather %[[X]][%[[T]]] gather_dims([0])
  // CHECK-SAME: -> tensor<2x4xf32>
  // CHECK-NOT: broadcast
  %indices_2d = tensor.expand_shape %indices [[0, 1]] output_shape [2, 1]
      : tensor<2xi64> into tensor<2x1xi64>
  %cst4 = arith.constant 4 : index
  %indices_bcast = "tcp.broadcast_to"(%indices_2d, %cst4) {axes = [1]}
      : (tensor<2x1xi64>, index) -> tensor<2x4xi64>
  %x = "tcp.gather"(%input, %indices_bcast) {dim = 0 : index}
      : (tensor<3x4xf32>, tensor<2x4xi64>) -> tensor<2x4xf32>
  return %x : tensor<2x4xf32>
}

// CHECK-LABEL: func @tf_gather
// CHECK-SAME: %[[X:.+]]: tensor<3x4x5xf32>, %[[I:.+]]: tensor<3xi64>
func.func @tf_gather(%input: tensor<3x4x5xf32>, %indices: tensor<3xi64>) -> tensor<3x3x5xf32> {
  // CHECK-NOT: broadcast
  // CHECK: gs.generic (d0, d1, d2) [s0 = %[[I]][d1]{{.*}}] ins(%[[X]][d0, s0, d2])
  // CHECK-SAME: -> tensor<3x3x5xf32>
  // CHECK-NOT: broadcast
  %indices_3d = tensor.expand_shape %indices [[0, 1, 2]] output_shape [1, 3, 1]
      : tensor<3xi64> into tensor<1x3x1xi64>
  %cst3 = arith.constant 3 : index
  %cst5 = arith.constant 5 : index
  %indices_bcast = "tcp.broadcast_to"(%indices_3d, %cst3, %cst5) {axes = [0, 2]}
      : (tensor<1x3x1xi64>, index, index) -> tensor<3x3x5xi64>
  %x = "tcp.gather"(%input, %indices_bcast) {dim = 1 : index}
      : (tensor<3x4x5xf32>, tensor<3x3x5xi64>) -> tensor<3x3x5xf32>
  return %x : tensor<3x3x5xf32>
}

// Both operands broadcast, all sizes dynamic: [a, b, c] at [x, y] along dim 0.
// CHECK-LABEL: func @gather_slices_2d
// CHECK-SAME: %[[X:.+]]: tensor<?x?x?xf32>, %[[I:.+]]: tensor<?x?xi64>
func.func @gather_slices_2d(%input: tensor<?x?x?xf32>, %indices: tensor<?x?xi64>)
    -> tensor<?x?x?x?xf32> {
  // CHECK-NOT: {{broadcast|extract_slice}}
  // CHECK: %[[T:.+]] = tensor.expand_shape %[[I]]
  // CHECK: gs.gather %[[X]][%[[T]]] gather_dims([0])
  // CHECK-NOT: broadcast
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = tensor.dim %input, %c0 : tensor<?x?x?xf32>
  %b = tensor.dim %input, %c1 : tensor<?x?x?xf32>
  %c = tensor.dim %input, %c2 : tensor<?x?x?xf32>
  %x = tensor.dim %indices, %c0 : tensor<?x?xi64>
  %y = tensor.dim %indices, %c1 : tensor<?x?xi64>
  %input_4d = tensor.expand_shape %input [[0, 1], [2], [3]] output_shape [%a, 1, %b, %c]
      : tensor<?x?x?xf32> into tensor<?x1x?x?xf32>
  %input_bcast = "tcp.broadcast_to"(%input_4d, %y) {axes = [1]}
      : (tensor<?x1x?x?xf32>, index) -> tensor<?x?x?x?xf32>
  %indices_4d = tensor.expand_shape %indices [[0], [1, 2, 3]] output_shape [%x, %y, 1, 1]
      : tensor<?x?xi64> into tensor<?x?x1x1xi64>
  %indices_bcast = "tcp.broadcast_to"(%indices_4d, %b, %c) {axes = [2, 3]}
      : (tensor<?x?x1x1xi64>, index, index) -> tensor<?x?x?x?xi64>
  %r = "tcp.gather"(%input_bcast, %indices_bcast) {dim = 0 : index}
      : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xi64>) -> tensor<?x?x?x?xf32>
  return %r : tensor<?x?x?x?xf32>
}

// The coordinates are repeated to fewer columns than the input has: a view of the input.
// CHECK-LABEL: func @fewer_columns
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>
func.func @fewer_columns(%input: tensor<3x4xf32>, %indices: tensor<2x1xi64>) -> tensor<2x3xf32> {
  // CHECK-NOT: broadcast
  // CHECK: %[[V:.+]] = tensor.extract_slice %[[X]][0, 0] [3, 3] [1, 1]
  // CHECK: gs.generic (d0, d1) [s0 = %{{.+}}[d0, 0]{{.*}}] ins(%[[V]][s0, d1])
  %cst3 = arith.constant 3 : index
  %indices_bcast = "tcp.broadcast_to"(%indices, %cst3) {axes = [1]}
      : (tensor<2x1xi64>, index) -> tensor<2x3xi64>
  %x = "tcp.gather"(%input, %indices_bcast) {dim = 0 : index}
      : (tensor<3x4xf32>, tensor<2x3xi64>) -> tensor<2x3xf32>
  return %x : tensor<2x3xf32>
}

// A broadcast that feeds something else stays one; the gather still looks through it.
// CHECK-LABEL: func @other_use
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>, %[[I:.+]]: tensor<?x1xi64>, %[[N:.+]]: index
func.func @other_use(%input: tensor<3x4xf32>, %indices: tensor<?x1xi64>, %n: index)
    -> (tensor<?x4xf32>, tensor<?x?xi64>) {
  // CHECK: %[[G:.+]] = gs.generic (d0, d1) [s0 = %[[I]][d0, 0]] ins(%[[X]][s0, d1])
  // CHECK: %[[C:.+]] = tensor.collapse_shape %[[I]]
  // CHECK-SAME: into tensor<?xi64>
  // CHECK: %[[B:.+]] = linalg.broadcast ins(%[[C]] : tensor<?xi64>)
  // CHECK-SAME: outs(%{{.+}} : tensor<?x?xi64>) dimensions = [1]
  // CHECK: return %[[G]], %[[B]]
  %cst4 = arith.constant 4 : index
  %four = "tcp.broadcast_to"(%indices, %cst4) {axes = [1]}
      : (tensor<?x1xi64>, index) -> tensor<?x4xi64>
  %x = "tcp.gather"(%input, %four) {dim = 0 : index}
      : (tensor<3x4xf32>, tensor<?x4xi64>) -> tensor<?x4xf32>
  %b = "tcp.broadcast_to"(%indices, %n) {axes = array<i64: 1>}
      : (tensor<?x1xi64>, index) -> tensor<?x?xi64>
  return %x, %b : tensor<?x4xf32>, tensor<?x?xi64>
}

// A reshape that splits a dim is no broadcast: the chain ends there.
// CHECK-LABEL: func @split_dim
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>, %[[I:.+]]: tensor<6xi64>
func.func @split_dim(%input: tensor<3x4xf32>, %indices: tensor<6xi64>) -> tensor<2x3xf32> {
  // CHECK: %[[E:.+]] = tensor.expand_shape %[[I]]
  // CHECK: gs.gather_elements %[[X]][%[[E]]] dim(0)
  %e = tensor.expand_shape %indices [[0, 1]] output_shape [2, 3] : tensor<6xi64> into tensor<2x3xi64>
  %x = "tcp.gather"(%input, %e) {dim = 0 : index}
      : (tensor<3x4xf32>, tensor<2x3xi64>) -> tensor<2x3xf32>
  return %x : tensor<2x3xf32>
}

// CHECK-LABEL: func @gather_slice_middle
func.func @gather_slice_middle(%input: tensor<3x4x5xf32>, %indices: tensor<6x7xi64>)
    -> tensor<3x6x7x5xf32> {
  // CHECK: gs.generic (d0, d1, d2, d3) [s0 = %{{.+}}[d1, d2]{{.*}}] ins(%{{.+}}[d0, s0, d3])
  %x = "tcp.gather_slice"(%input, %indices) {dim = 1 : index}
      : (tensor<3x4x5xf32>, tensor<6x7xi64>) -> tensor<3x6x7x5xf32>
  return %x : tensor<3x6x7x5xf32>
}

// CHECK-LABEL: func @gather_slice_first
func.func @gather_slice_first(%input: tensor<3x4xf32>, %indices: tensor<i64>) -> tensor<4xf32> {
  // CHECK: gs.gather {{.*}} : (tensor<3x4xf32>, tensor<1xi64>) -> tensor<4xf32>
  %x = "tcp.gather_slice"(%input, %indices) {dim = 0 : index}
      : (tensor<3x4xf32>, tensor<i64>) -> tensor<4xf32>
  return %x : tensor<4xf32>
}

// CHECK-LABEL: func @gather_nd
func.func @gather_nd(%input: tensor<5x7x3xf32>, %indices: tensor<4x2xi64>) -> tensor<4x3xf32> {
  // CHECK: gs.gather {{.*}} gather_dims([0, 1])
  // CHECK-SAME: (tensor<5x7x3xf32>, tensor<4x2xi64>) -> tensor<4x3xf32>
  %x = "tcp.gather_nd"(%input, %indices)
      : (tensor<5x7x3xf32>, tensor<4x2xi64>) -> tensor<4x3xf32>
  return %x : tensor<4x3xf32>
}
