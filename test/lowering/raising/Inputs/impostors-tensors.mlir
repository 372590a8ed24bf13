// What looks like a form that is raised: test_strangers.py has the arguments.

// raised
func.func @old_tensor_is_read(%c: tensor<16xi32>, %y: tensor<16xf32>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = scf.for %i = %c0 to %c16 step %c1 iter_args(%t = %y) -> tensor<16xf32> {
    %k = tensor.extract %c[%i] : tensor<16xi32>
    %q = arith.index_cast %k : i32 to index
    %e = tensor.extract %y[%q] : tensor<16xf32>
    %w = tensor.insert %e into %t[%i] : tensor<16xf32>
    scf.yield %w : tensor<16xf32>
  }
 return %z : tensor<16xf32>
}

// -----

// stays: the loops read what they write, at another place or later
func.func @new_tensor_is_read(%c: tensor<16xi32>, %y: tensor<16xf32>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = scf.for %i = %c0 to %c16 step %c1 iter_args(%t = %y) -> tensor<16xf32> {
    %k = tensor.extract %c[%i] : tensor<16xi32>
    %q = arith.index_cast %k : i32 to index
    %e = tensor.extract %t[%q] : tensor<16xf32>
    %w = tensor.insert %e into %t[%i] : tensor<16xf32>
    scf.yield %w : tensor<16xf32>
  }
 return %z : tensor<16xf32>
}

// -----

// stays: the loops read coordinates from what they write
func.func @coordinates_carried(%c: tensor<16xi32>) -> tensor<16xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %o32 = arith.constant 1 : i32
  %z = scf.for %i = %c0 to %c16 step %c1 iter_args(%t = %c) -> tensor<16xi32> {
    %k = tensor.extract %t[%i] : tensor<16xi32>
    %q = arith.index_cast %k : i32 to index
    %w = tensor.insert %o32 into %t[%q] : tensor<16xi32>
    scf.yield %w : tensor<16xi32>
  }
 return %z : tensor<16xi32>
}

// -----

// raised
func.func @coordinates_of_before(%c: tensor<16xi32>) -> tensor<16xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %o32 = arith.constant 1 : i32
  %z = scf.for %i = %c0 to %c16 step %c1 iter_args(%t = %c) -> tensor<16xi32> {
    %k = tensor.extract %c[%i] : tensor<16xi32>
    %q = arith.index_cast %k : i32 to index
    %w = tensor.insert %o32 into %t[%q] : tensor<16xi32>
    scf.yield %w : tensor<16xi32>
  }
 return %z : tensor<16xi32>
}
