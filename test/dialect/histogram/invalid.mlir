// RUN: gs-opt %s --split-input-file --verify-diagnostics

func.func @histogram_one_operand(%updates: tensor<9x6xf32>) {
  // expected-error@+1 {{'gs.histogram' op expects 2 operands, found 1}}
  %0:2 = "gs.histogram"(%updates) ({
  ^bb0(%current: f32, %update: f32):
    gs.yield %current : f32
  }) : (tensor<9x6xf32>) -> (tensor<?x6xf32>, tensor<?x2xindex>)
  return
}

// -----

func.func @histogram_one_result(%updates: tensor<9x6xf32>, %indices: tensor<9x2xindex>) {
  // expected-error@+1 {{'gs.histogram' op expects 2 results, found 1}}
  %0 = gs.histogram %updates at %indices : (tensor<9x6xf32>, tensor<9x2xindex>) -> tensor<?x6xf32> {
  ^bb0(%current: f32, %update: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @histogram_without_region(%updates: tensor<9x6xf32>, %indices: tensor<9x2xindex>) {
  // expected-error@+1 {{'gs.histogram' op expects 1 region, found 0}}
  %0:2 = "gs.histogram"(%updates, %indices)
      : (tensor<9x6xf32>, tensor<9x2xindex>) -> (tensor<?x6xf32>, tensor<?x2xindex>)
  return
}

// -----

func.func @histogram_unique(%updates: tensor<9x6xf32>, %indices: tensor<9x2xindex>) {
  // expected-error@+1 {{'gs.histogram' op has no attribute 'unique'; it has sorted}}
  %0:2 = gs.histogram %updates at %indices {unique}
      : (tensor<9x6xf32>, tensor<9x2xindex>) -> (tensor<?x6xf32>, tensor<?x2xindex>) {
  ^bb0(%current: f32, %update: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @histogram_sorted_boolean(%updates: tensor<9x6xf32>, %indices: tensor<9x2xindex>) {
  // expected-error@+1 {{'gs.histogram' op attribute 'sorted' must be a unit attribute (no value), found true}}
  %0:2 = gs.histogram %updates at %indices {sorted = true}
      : (tensor<9x6xf32>, tensor<9x2xindex>) -> (tensor<?x6xf32>, tensor<?x2xindex>) {
  ^bb0(%current: f32, %update: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @histogram_c1_updates_scalar(%updates: f32, %indices: tensor<9x2xindex>) {
  // expected-error@+1 {{'gs.histogram' op operand 'updates' must be a ranked tensor, found f32}}
  %0:2 = gs.histogram %updates at %indices
      : (f32, tensor<9x2xindex>) -> (tensor<?x6xf32>, tensor<?x2xindex>) {
  ^bb0(%current: f32, %update: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @histogram_c1_updates_unranked(%updates: tensor<*xf32>, %indices: tensor<9x2xindex>) {
  // expected-error@+1 {{'gs.histogram' op operand 'updates' must be a ranked tensor, found tensor<*xf32>}}
  %0:2 = gs.histogram %updates at %indices
      : (tensor<*xf32>, tensor<9x2xindex>) -> (tensor<?x6xf32>, tensor<?x2xindex>) {
  ^bb0(%current: f32, %update: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @histogram_c1_updates_vector_elements(
    %updates: tensor<9x6xvector<2xf32>>, %indices: tensor<9x2xindex>) {
  // expected-error@+1 {{'gs.histogram' op operand 'updates' must have integer, float, complex or index elements, found vector<2xf32>}}
  %0:2 = gs.histogram %updates at %indices
      : (tensor<9x6xvector<2xf32>>, tensor<9x2xindex>) -> (tensor<?x6xf32>, tensor<?x2xindex>) {
  ^bb0(%current: f32, %update: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @histogram_c2_indices_memref(%updates: tensor<9x6xf32>, %indices: memref<9x2xindex>) {
  // expected-error@+1 {{'gs.histogram' op operand 'indices' must be a ranked tensor, found memref<9x2xindex>}}
  %0:2 = gs.histogram %updates at %indices
      : (tensor<9x6xf32>, memref<9x2xindex>) -> (tensor<?x6xf32>, tensor<?x2xindex>) {
  ^bb0(%current: f32, %update: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @histogram_c2_indices_rank_0(%updates: tensor<9x6xf32>, %indices: tensor<index>) {
  // expected-error@+1 {{'gs.histogram' op operand 'indices' must have rank 1 or more, found rank 0}}
  %0:2 = gs.histogram %updates at %indices
      : (tensor<9x6xf32>, tensor<index>) -> (tensor<?x6xf32>, tensor<?x2xindex>) {
  ^bb0(%current: f32, %update: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @histogram_c2_indices_float(%updates: tensor<9x6xf32>, %indices: tensor<9x2xf32>) {
  // expected-error@+1 {{'gs.histogram' op operand 'indices' must have index or integer elements (coordinates), found f32}}
  %0:2 = gs.histogram %updates at %indices
      : (tensor<9x6xf32>, tensor<9x2xf32>) -> (tensor<?x6xf32>, tensor<?x2xindex>) {
  ^bb0(%current: f32, %update: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @histogram_c2_tuple_dynamic(%updates: tensor<9x6xf32>, %indices: tensor<9x?xindex>) {
  // expected-error@+1 {{'gs.histogram' op last dimension of operand 'indices' must be static and 1 or more, found a dynamic size}}
  %0:2 = gs.histogram %updates at %indices
      : (tensor<9x6xf32>, tensor<9x?xindex>) -> (tensor<?x6xf32>, tensor<?x2xindex>) {
  ^bb0(%current: f32, %update: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @histogram_c2_tuple_empty(%updates: tensor<9x6xf32>, %indices: tensor<9x0xindex>) {
  // expected-error@+1 {{'gs.histogram' op last dimension of operand 'indices' must be static and 1 or more, found 0}}
  %0:2 = gs.histogram %updates at %indices
      : (tensor<9x6xf32>, tensor<9x0xindex>) -> (tensor<?x6xf32>, tensor<?x2xindex>) {
  ^bb0(%current: f32, %update: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @histogram_c3_updates_leading_size(
    %updates: tensor<8x6xf32>, %indices: tensor<9x2xindex>) {
  // expected-error@+1 {{'gs.histogram' op leading dims of operand 'updates' must be tensor<9xf32>, found tensor<8x6xf32>}}
  %0:2 = gs.histogram %updates at %indices
      : (tensor<8x6xf32>, tensor<9x2xindex>) -> (tensor<?x6xf32>, tensor<?x2xindex>) {
  ^bb0(%current: f32, %update: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @histogram_c3_updates_rank(%updates: tensor<f32>, %indices: tensor<9x2xindex>) {
  // expected-error@+1 {{'gs.histogram' op leading dims of operand 'updates' must be tensor<9xf32>, found tensor<f32>}}
  %0:2 = gs.histogram %updates at %indices
      : (tensor<f32>, tensor<9x2xindex>) -> (tensor<?x6xf32>, tensor<?x2xindex>) {
  ^bb0(%current: f32, %update: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @histogram_c4_combined_static(%updates: tensor<9x6xf32>, %indices: tensor<9x2xindex>) {
  // expected-error@+1 {{'gs.histogram' op result 'combined' must be tensor<?x6xf32>, found tensor<9x6xf32>}}
  %0:2 = gs.histogram %updates at %indices
      : (tensor<9x6xf32>, tensor<9x2xindex>) -> (tensor<9x6xf32>, tensor<?x2xindex>) {
  ^bb0(%current: f32, %update: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @histogram_c4_combined_element_type(
    %updates: tensor<9x6xf32>, %indices: tensor<9x2xindex>) {
  // expected-error@+1 {{'gs.histogram' op result 'combined' must be tensor<?x6xf32>, found tensor<?x6xf64>}}
  %0:2 = gs.histogram %updates at %indices
      : (tensor<9x6xf32>, tensor<9x2xindex>) -> (tensor<?x6xf64>, tensor<?x2xindex>) {
  ^bb0(%current: f32, %update: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @histogram_c5_unique_indices_static(
    %updates: tensor<9x6xf32>, %indices: tensor<9x2xindex>) {
  // expected-error@+1 {{'gs.histogram' op result 'unique_indices' must be tensor<?x2xindex>, found tensor<9x2xindex>}}
  %0:2 = gs.histogram %updates at %indices
      : (tensor<9x6xf32>, tensor<9x2xindex>) -> (tensor<?x6xf32>, tensor<9x2xindex>) {
  ^bb0(%current: f32, %update: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @histogram_c5_unique_indices_element_type(
    %updates: tensor<9x6xf32>, %indices: tensor<9x2xindex>) {
  // expected-error@+1 {{'gs.histogram' op result 'unique_indices' must be tensor<?x2xindex>, found tensor<?x2xi64>}}
  %0:2 = gs.histogram %updates at %indices
      : (tensor<9x6xf32>, tensor<9x2xindex>) -> (tensor<?x6xf32>, tensor<?x2xi64>) {
  ^bb0(%current: f32, %update: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @histogram_c6_combiner_empty(%updates: tensor<9x6xf32>, %indices: tensor<9x2xindex>) {
  // expected-error@+1 {{'gs.histogram' op requires a combiner region: (current, update) -> new}}
  %0:2 = gs.histogram %updates at %indices
      : (tensor<9x6xf32>, tensor<9x2xindex>) -> (tensor<?x6xf32>, tensor<?x2xindex>)
  return
}

// -----

func.func @histogram_c6_combiner_arguments(%updates: tensor<9x6xf32>, %indices: tensor<9x2xindex>) {
  // expected-error@+1 {{'gs.histogram' op combiner region must take (f32, f32), found (f32)}}
  %0:2 = gs.histogram %updates at %indices
      : (tensor<9x6xf32>, tensor<9x2xindex>) -> (tensor<?x6xf32>, tensor<?x2xindex>) {
  ^bb0(%current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @histogram_c6_combiner_yield(%updates: tensor<9x6xf32>, %indices: tensor<9x2xindex>) {
  // expected-error@+1 {{'gs.histogram' op combiner region must yield (f32), found (f64)}}
  %0:2 = gs.histogram %updates at %indices
      : (tensor<9x6xf32>, tensor<9x2xindex>) -> (tensor<?x6xf32>, tensor<?x2xindex>) {
  ^bb0(%current: f32, %update: f32):
    %wide = arith.extf %current : f32 to f64
    gs.yield %wide : f64
  }
  return
}
