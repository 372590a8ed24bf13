// RUN: gs-opt %s --split-input-file --verify-diagnostics

func.func @yield_attribute(%updates: tensor<7xf32>, %indices: tensor<7x1xindex>) {
  %0:2 = gs.histogram %updates at %indices
      : (tensor<7xf32>, tensor<7x1xindex>) -> (tensor<?xf32>, tensor<?x1xindex>) {
  ^bb0(%current: f32, %update: f32):
    // expected-error@+1 {{'gs.yield' op has no attribute 'unique'; it has none}}
    gs.yield %current {unique} : f32
  }
  return
}

// -----

func.func @yield_c1_no_operand(%updates: tensor<7xf32>, %indices: tensor<7x1xindex>) {
  %0:2 = "gs.histogram"(%updates, %indices) ({
  ^bb0(%current: f32, %update: f32):
    // expected-error@+1 {{'gs.yield' op expects 1 operand or more, found 0}}
    "gs.yield"() : () -> ()
  }) : (tensor<7xf32>, tensor<7x1xindex>) -> (tensor<?xf32>, tensor<?x1xindex>)
  return
}

// -----

func.func @yield_c2_types_differ(%updates: tensor<7xf32>, %indices: tensor<7x1xindex>, %more: i32) {
  %0:2 = gs.histogram %updates at %indices
      : (tensor<7xf32>, tensor<7x1xindex>) -> (tensor<?xf32>, tensor<?x1xindex>) {
  ^bb0(%current: f32, %update: f32):
    // expected-error@+1 {{'gs.yield' op operands after the first must share one type, found f32, f32, i32}}
    gs.yield %current, %update, %more : f32, f32, i32
  }
  return
}

// -----

func.func @yield_c3_in_function(%x: f32) {
  // expected-error@+1 {{'gs.yield' op expects a gs op around it, found 'func.func'}}
  gs.yield %x : f32
}

// -----

func.func @yield_c3_in_loop(%n: index, %x: f32) {
  scf.for %i = %n to %n step %n {
    // expected-error@+1 {{'gs.yield' op expects a gs op around it, found 'scf.for'}}
    gs.yield %x : f32
  }
  return
}

// -----

func.func @yield_not_last(%updates: tensor<7xf32>, %indices: tensor<7x1xindex>) {
  %0:2 = gs.histogram %updates at %indices
      : (tensor<7xf32>, tensor<7x1xindex>) -> (tensor<?xf32>, tensor<?x1xindex>) {
  ^bb0(%current: f32, %update: f32):
    // expected-note@+2 {{see current operation}}
    // expected-error@+1 {{'gs.yield' op must be the last operation in the parent block}}
    gs.yield %current : f32
    gs.yield %current : f32
  }
  return
}
