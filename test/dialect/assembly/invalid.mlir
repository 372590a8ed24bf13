// RUN: gs-opt %s --split-input-file --verify-diagnostics

func.func @no_such_op(%x: tensor<4xf32>, %i: tensor<3x1xi32>) {
  // expected-error @+1 {{there is no op 'gs.gathr'; did you mean 'gs.gather'?}}
  %0 = gs.gathr %x[%i] gather_dims([0]) : (tensor<4xf32>, tensor<3x1xi32>) -> tensor<3xf32>
  return
}

// -----

func.func @no_operand(%x: tensor<4xf32>, %i: tensor<3x1xi32>) {
  // expected-error @+1 {{'gs.gather' op expected the name of a value (operand 'source'), found 'x'}}
  %0 = gs.gather x[%i] gather_dims([0]) : (tensor<4xf32>, tensor<3x1xi32>) -> tensor<3xf32>
  return
}

// -----

func.func @no_bracket(%x: tensor<4xf32>, %i: tensor<3x1xi32>) {
  %0 = gs.gather %x
      // expected-error @+1 {{'gs.gather' op expected '[', found '%i'}}
      %i gather_dims([0]) : (tensor<4xf32>, tensor<3x1xi32>) -> tensor<3xf32>
  return
}

// -----

func.func @no_such_clause(%x: tensor<4xf32>, %i: tensor<3x1xi32>) {
  %0 = gs.gather %x[%i]
    // expected-error @+1 {{'gs.gather' op has no clause 'mod'; did you mean 'mode'?}}
    gather_dims([0]) mod(clip) : (tensor<4xf32>, tensor<3x1xi32>) -> tensor<3xf32>
  return
}

// -----

func.func @clause_of_another_op(%x: tensor<4xf32>, %i: tensor<3x1xi32>) {
  %0 = gs.gather %x[%i] gather_dims([0])
    // expected-error @+1 {{'gs.gather' op expected ':' and the types, or a clause (batch_dims, fill_value, mode, sorted, unique, wrap_negative), found 'dim'}}
    dim(0) : (tensor<4xf32>, tensor<3x1xi32>) -> tensor<3xf32>
  return
}

// -----

func.func @clause_twice(%x: tensor<4xf32>, %i: tensor<3x1xi32>) {
  %0 = gs.gather %x[%i] gather_dims([0]) mode(clip)
    // expected-error @+1 {{'gs.gather' op has 'mode' twice}}
    mode(error) : (tensor<4xf32>, tensor<3x1xi32>) -> tensor<3xf32>
  return
}

// -----

func.func @types_of_too_few_operands(%x: tensor<4xf32>, %i: tensor<3x1xi32>) {
  %0 = gs.gather %x[%i] gather_dims([0])
    // expected-error @+1 {{'gs.gather' op expected 2 types of operands, found 1}}
    : (tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @types_of_too_many_operands(%x: tensor<4xf32>, %i: tensor<3x1xi32>) {
  %0 = gs.gather_elements %x[%i] dim(0)
    // expected-error @+1 {{'gs.gather_elements' op expected 2 types of operands, found 3}}
    : (tensor<4xf32, 1 : i8>, tensor<3xi32>, f32) -> tensor<3xf32>
  return
}

// -----

func.func @combiner_twice(%u: tensor<3xf32>, %x: tensor<4xf32>, %i: tensor<3x1xi32>) {
  %0 = gs.scatter %u into %x[%i] scatter_dims([0]) combine(add)
    // expected-error @+1 {{'gs.scatter' op has 'combine' twice}}
    combine(mul) : (tensor<3xf32>, tensor<4xf32>, tensor<3x1xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @combiner_and_region(%u: tensor<3xf32>, %x: tensor<4xf32>, %i: tensor<3x1xi32>) {
  %0 = gs.scatter %u into %x[%i] scatter_dims([0]) combine(add)
    : (tensor<3xf32>, tensor<4xf32>, tensor<3x1xi32>) -> tensor<4xf32>
  // expected-error @+1 {{'gs.scatter' op has both combine(add) and a region: write one}}
  {
  ^bb0(%a: f32, %b: f32):
    gs.yield %b : f32
  }
  return
}

// -----

func.func @no_types(%x: tensor<4xf32>, %i: tensor<3x1xi32>) {
  %0 = gs.gather %x[%i] gather_dims([0])
  // expected-error @+1 {{'gs.gather' op expected ':' and the types, or a clause (batch_dims, fill_value, mode, sorted, unique, wrap_negative), found 'return'}}
  return
}

// -----

func.func @one_type(%x: tensor<4xf32>, %i: tensor<3x1xi32>) {
  // expected-error @+1 {{'gs.gather' op expected '(' before the types of operands or results, found 'tensor'}}
  %0 = gs.gather %x[%i] gather_dims([0]) : tensor<3xf32>
  return
}

// -----

func.func @no_combiner(%u: tensor<3xf32>, %x: tensor<4xf32>, %i: tensor<3x1xi32>) {
  // expected-error @+1 {{'gs.scatter' op has no combiner 'sum'; it has add, and, max, maxnum, maxui, min, minnum, minui, mul, or, xor}}
  %0 = gs.scatter %u into %x[%i] scatter_dims([0]) combine(sum) : (tensor<3xf32>, tensor<4xf32>, tensor<3x1xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @combiner_of_type(%u: tensor<3xf32>, %x: tensor<4xf32>, %i: tensor<3x1xi32>) {
  // expected-error @+1 {{'gs.scatter' op combine(xor) has no meaning for elements of f32: write the combiner's region}}
  %0 = gs.scatter %u into %x[%i] scatter_dims([0]) combine(xor) : (tensor<3xf32>, tensor<4xf32>, tensor<3x1xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @no_region_end(%u: tensor<3xf32>, %x: tensor<4xf32>, %i: tensor<3x1xi32>) {
  %0 = gs.scatter %u into %x[%i] scatter_dims([0])
    // expected-error @+1 {{'gs.scatter' op the region is not closed}}
    : (tensor<3xf32>, tensor<4xf32>, tensor<3x1xi32>) -> tensor<4xf32> {
  ^bb0(%a: f32, %b: f32):
    gs.yield %b : f32
  return

// -----

func.func @two_names(%x: tensor<4xf32>, %i: tensor<3xi32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{'gs.generic' op 'd' names two things}}
  %0 = gs.generic (d) [d = %i[d]] ins(%x[d]) outs(%y[d]) : (tensor<4xf32>, tensor<3xi32>, tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  return
}

// -----

func.func @no_such_name(%x: tensor<4xf32>, %i: tensor<3xi32>, %y: tensor<3xf32>) {
  %0 = gs.generic (d) [s = %i[d]]
    // expected-error @+1 {{'gs.generic' op has no dim or symbol 't'; it has d, s}}
    ins(%x[t]) outs(%y[d]) : (tensor<4xf32>, tensor<3xi32>, tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  return
}

// -----

func.func @no_such_dim(%x: tensor<4xf32>, %i: tensor<3xi32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{'gs.generic' op has no iteration dim 'e'; it has d}}
  %0 = gs.generic (d) [s = %i[d]] ins(%x[s]) outs(%y[d]) iterators(e = parallel) : (tensor<4xf32>, tensor<3xi32>, tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  return
}

// -----

func.func @mode_of_a_symbol_twice(%x: tensor<4xf32>, %i: tensor<3xi32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{'gs.generic' op has 'mode' of the symbol 's' twice}}
  %0 = gs.generic (d) [s = %i[d] mode(clip) mode(clip)] ins(%x[s]) outs(%y[d]) : (tensor<4xf32>, tensor<3xi32>, tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  return
}

// -----

func.func @iterator_twice(%x: tensor<4xf32>, %i: tensor<3xi32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{'gs.generic' op has the iterator of 'd' twice}}
  %0 = gs.generic (d) [s = %i[d]] ins(%x[s]) outs(%y[d]) iterators(d = parallel, d = reduction) : (tensor<4xf32>, tensor<3xi32>, tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  return
}

// -----

func.func @attribute_of_the_notation(%x: tensor<4xf32>, %i: tensor<3xi32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{'gs.generic' op has 'iterator_types' twice}}
  %0 = gs.generic (d) [s = %i[d]] ins(%x[s]) outs(%y[d]) iterator_types(["parallel"]) : (tensor<4xf32>, tensor<3xi32>, tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  return
}

// -----

func.func @no_value_of_a_mode(%x: tensor<4xf32>, %i: tensor<3xi32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{attribute 'modes' must hold promise_in_bounds, clip, fill_or_drop, error, found "wrap"}}
  %0 = gs.generic (d) [s = %i[d] mode(wrap)] ins(%x[s]) outs(%y[d]) : (tensor<4xf32>, tensor<3xi32>, tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  return
}

// -----

// What MLIR reads stays its own, at the user's line.
func.func @of_upstream(%x: tensor<4xf32>, %i: tensor<3x1xi32>) {
  %0 = gs.gather
      // expected-error @+1 {{use of undeclared SSA value name}}
      %z[%i] gather_dims([0])
      : (tensor<4xf32>, tensor<3x1xi32>) -> tensor<3xf32>
  return
}

// -----

func.func @of_an_attribute(%x: tensor<4xf32>, %i: tensor<3x1xi32>) {
  %0 = gs.gather %x[%i]
      // expected-error @+1 {{expected integer literal}}
      gather_dims([a])
      : (tensor<4xf32>, tensor<3x1xi32>) -> tensor<3xf32>
  return
}

// -----

func.func @of_a_type(%x: tensor<4xf32>, %i: tensor<3x1xi32>) {
  %0 = gs.gather %x[%i] gather_dims([0])
      // expected-error @+1 {{expected non-function type}}
      : (tensor<4xf32>, tensoor<3x2xi32>)
      -> tensor<3xf32>
  return
}

// -----

// expected-note @+1 {{prior use here}}
func.func @behind_it(%u: tensor<3xf32>, %x: tensor<4xf32>, %i: tensor<3x1xi32>) {
  %0 = gs.scatter %u into %x[%i] scatter_dims([0])
    : (tensor<3xf32>, tensor<4xf32>,
       tensor<3x1xi32>) -> tensor<4xf32> {
  ^bb0(%a: f32, %b: f32):
    // expected-error @+1 {{use of value '%i' expects different type}}
    %c = "arith.negf"(%i) : (f32) -> f32
    gs.yield %b : f32
  }
  return
}
