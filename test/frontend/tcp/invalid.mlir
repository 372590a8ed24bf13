// RUN: gs-opt %s --split-input-file --verify-diagnostics

func.func @gather_c1_rank_0(%x: tensor<f32>, %i: tensor<i64>) {
  // expected-error @+1 {{'tcp.gather' op operand 'input' must have rank 1 or more, found rank 0}}
  %r = "tcp.gather"(%x, %i) {dim = 0 : index} : (tensor<f32>, tensor<i64>) -> tensor<f32>
  return
}

// -----

func.func @gather_c2_i32(%x: tensor<3x4xf32>, %i: tensor<3x2xi32>) {
  // expected-error @+1 {{'tcp.gather' op operand 'indices' must have i64 elements, found i32}}
  %r = "tcp.gather"(%x, %i) {dim = 1 : index}
      : (tensor<3x4xf32>, tensor<3x2xi32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @gather_c2_rank(%x: tensor<3x4xf32>, %i: tensor<2xi64>) {
  // expected-error @+1 {{'tcp.gather' op operand 'indices' must have the rank of 'input' (2), found rank 1}}
  %r = "tcp.gather"(%x, %i) {dim = 1 : index} : (tensor<3x4xf32>, tensor<2xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @gather_c3_dim(%x: tensor<3x4xf32>, %i: tensor<3x2xi64>) {
  // expected-error @+1 {{'tcp.gather' op attribute 'dim' must be in [0, 2), found 2}}
  %r = "tcp.gather"(%x, %i) {dim = 2 : index}
      : (tensor<3x4xf32>, tensor<3x2xi64>) -> tensor<3x2xf32>
  return
}

// -----

func.func @gather_c3_missing(%x: tensor<3x4xf32>, %i: tensor<3x2xi64>) {
  // expected-error @+1 {{'tcp.gather' op requires attribute 'dim'}}
  %r = "tcp.gather"(%x, %i) : (tensor<3x4xf32>, tensor<3x2xi64>) -> tensor<3x2xf32>
  return
}

// -----

func.func @gather_misspelt(%x: tensor<3x4xf32>, %i: tensor<3x2xi64>) {
  // expected-error @+1 {{'tcp.gather' op has no attribute 'dims'; did you mean 'dim'?}}
  %r = "tcp.gather"(%x, %i) {dims = 1 : index}
      : (tensor<3x4xf32>, tensor<3x2xi64>) -> tensor<3x2xf32>
  return
}

// -----

func.func @gather_c4_larger(%x: tensor<3x4xf32>, %i: tensor<5x2xi64>) {
  // expected-error @+1 {{'tcp.gather' op operand 'indices' must be no larger than 'input' in dim 0 (3), found 5}}
  %r = "tcp.gather"(%x, %i) {dim = 1 : index}
      : (tensor<3x4xf32>, tensor<5x2xi64>) -> tensor<5x2xf32>
  return
}

// -----

func.func @gather_c5_shape(%x: tensor<3x4xf32>, %i: tensor<3x2xi64>) {
  // expected-error @+1 {{'tcp.gather' op result must be tensor<3x2xf32>, found tensor<3x4xf32>}}
  %r = "tcp.gather"(%x, %i) {dim = 1 : index}
      : (tensor<3x4xf32>, tensor<3x2xi64>) -> tensor<3x4xf32>
  return
}

// -----

func.func @gather_c5_element(%x: tensor<3x4xf32>, %i: tensor<3x2xi64>) {
  // expected-error @+1 {{'tcp.gather' op result must be a ranked tensor with the elements of 'input' (f32), found tensor<3x2xf64>}}
  %r = "tcp.gather"(%x, %i) {dim = 1 : index}
      : (tensor<3x4xf32>, tensor<3x2xi64>) -> tensor<3x2xf64>
  return
}

// -----

func.func @gather_slice_c1_unranked(%x: tensor<*xf32>, %i: tensor<2xi64>) {
  // expected-error @+1 {{'tcp.gather_slice' op operand 'input' must be a ranked tensor, found tensor<*xf32>}}
  %r = "tcp.gather_slice"(%x, %i) {dim = 0 : index}
      : (tensor<*xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @gather_slice_c2_index(%x: tensor<3x4xf32>, %i: tensor<2xindex>) {
  // expected-error @+1 {{'tcp.gather_slice' op operand 'indices' must have i64 elements, found index}}
  %r = "tcp.gather_slice"(%x, %i) {dim = 0 : index}
      : (tensor<3x4xf32>, tensor<2xindex>) -> tensor<2x4xf32>
  return
}

// -----

func.func @gather_slice_c3_dim(%x: tensor<3x4xf32>, %i: tensor<3x2xi64>) {
  // expected-error @+1 {{'tcp.gather_slice' op attribute 'dim' must be in [0, 2), found -1}}
  %r = "tcp.gather_slice"(%x, %i) {dim = -1 : index}
      : (tensor<3x4xf32>, tensor<3x2xi64>) -> tensor<3x3x2xf32>
  return
}

// -----

func.func @gather_slice_c4_shape(%x: tensor<3x4xf32>, %i: tensor<3x2xi64>) {
  // expected-error @+1 {{'tcp.gather_slice' op result must be tensor<3x3x2xf32>, found tensor<3x2x4xf32>}}
  %r = "tcp.gather_slice"(%x, %i) {dim = 1 : index}
      : (tensor<3x4xf32>, tensor<3x2xi64>) -> tensor<3x2x4xf32>
  return
}

// -----

func.func @gather_nd_c1_rank_0(%x: tensor<f32>, %i: tensor<2x1xi64>) {
  // expected-error @+1 {{'tcp.gather_nd' op operand 'input' must have rank 1 or more, found rank 0}}
  %r = "tcp.gather_nd"(%x, %i) : (tensor<f32>, tensor<2x1xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @gather_nd_c2_rank_0(%x: tensor<3x4xf32>, %i: tensor<i64>) {
  // expected-error @+1 {{'tcp.gather_nd' op operand 'indices' must have rank 1 or more, found rank 0}}
  %r = "tcp.gather_nd"(%x, %i) : (tensor<3x4xf32>, tensor<i64>) -> tensor<4xf32>
  return
}

// -----

func.func @gather_nd_c3_too_many(%x: tensor<3x4xf32>, %i: tensor<2x3xi64>) {
  // expected-error @+1 {{'tcp.gather_nd' op last dimension of operand 'indices' must be static and in [1, rank of 'input' = 2], found 3}}
  %r = "tcp.gather_nd"(%x, %i) : (tensor<3x4xf32>, tensor<2x3xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @gather_nd_c3_dynamic(%x: tensor<3x4xf32>, %i: tensor<2x?xi64>) {
  // expected-error @+1 {{'tcp.gather_nd' op last dimension of operand 'indices' must be static and in [1, rank of 'input' = 2], found a dynamic size}}
  %r = "tcp.gather_nd"(%x, %i) : (tensor<3x4xf32>, tensor<2x?xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @gather_nd_c4_rank(%x: tensor<3x4xf32>, %i: tensor<3x2xi64>) {
  // expected-error @+1 {{'tcp.gather_nd' op result must be tensor<3xf32>, found tensor<3x4xf32>}}
  %r = "tcp.gather_nd"(%x, %i) : (tensor<3x4xf32>, tensor<3x2xi64>) -> tensor<3x4xf32>
  return
}

// -----

func.func @broadcast_to_c1_unranked(%x: tensor<*xf32>) {
  // expected-error @+1 {{'tcp.broadcast_to' op operand 'input' must be a ranked tensor, found tensor<*xf32>}}
  %r = "tcp.broadcast_to"(%x) {axes = []} : (tensor<*xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @broadcast_to_c2_order(%x: tensor<1x1xf32>, %n: index) {
  // expected-error @+1 {{'tcp.broadcast_to' op attribute 'axes' must be strictly increasing in [0, 2), found [1, 0]}}
  %r = "tcp.broadcast_to"(%x, %n, %n) {axes = [1, 0]}
      : (tensor<1x1xf32>, index, index) -> tensor<?x?xf32>
  return
}

// -----

func.func @broadcast_to_c2_kind(%x: tensor<1xf32>, %n: index) {
  // expected-error @+1 {{'tcp.broadcast_to' op attribute 'axes' must be an array of integers, found "0"}}
  %r = "tcp.broadcast_to"(%x, %n) {axes = "0"} : (tensor<1xf32>, index) -> tensor<?xf32>
  return
}

// -----

func.func @broadcast_to_c3_count(%x: tensor<1x1xf32>, %n: index) {
  // expected-error @+1 {{'tcp.broadcast_to' op expects 2 sizes of type index, one per axis, found (index)}}
  %r = "tcp.broadcast_to"(%x, %n) {axes = [0, 1]} : (tensor<1x1xf32>, index) -> tensor<?x?xf32>
  return
}

// -----

func.func @broadcast_to_c3_type(%x: tensor<1xf32>, %n: i64) {
  // expected-error @+1 {{'tcp.broadcast_to' op expects 1 size of type index, one per axis, found (i64)}}
  %r = "tcp.broadcast_to"(%x, %n) {axes = [0]} : (tensor<1xf32>, i64) -> tensor<?xf32>
  return
}

// -----

func.func @broadcast_to_c4_size(%x: tensor<2xf32>, %n: index) {
  // expected-error @+1 {{'tcp.broadcast_to' op operand 'input' must have size 1 in axis 0, found 2}}
  %r = "tcp.broadcast_to"(%x, %n) {axes = [0]} : (tensor<2xf32>, index) -> tensor<?xf32>
  return
}

// -----

func.func @broadcast_to_c4_dynamic(%x: tensor<?xf32>, %n: index) {
  // expected-error @+1 {{'tcp.broadcast_to' op operand 'input' must have size 1 in axis 0, found a dynamic size}}
  %r = "tcp.broadcast_to"(%x, %n) {axes = [0]} : (tensor<?xf32>, index) -> tensor<?xf32>
  return
}

// -----

func.func @broadcast_to_c5_shape(%x: tensor<1x3xf32>, %n: index) {
  // expected-error @+1 {{'tcp.broadcast_to' op result must be tensor<?x3xf32>, found tensor<?x4xf32>}}
  %r = "tcp.broadcast_to"(%x, %n) {axes = [0]} : (tensor<1x3xf32>, index) -> tensor<?x4xf32>
  return
}
