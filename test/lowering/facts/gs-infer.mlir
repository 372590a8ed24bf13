// RUN: gs-opt %s --gs-infer --gs-explain 2>%t.notes | filecheck %s
// RUN: filecheck %s --check-prefix=CHECK-REMARK --input-file=%t.notes

// CHECK-LABEL: func.func @constants
// CHECK: gather_dims([0]) unique sorted :
// CHECK-REMARK: remark: 'gs.gather' proved: sorted: its coordinates ascend
// CHECK-REMARK: remark: 'gs.gather' proved: in bounds, so no mode: range of its coordinates, from 1 to 8
// CHECK-REMARK: remark: 'gs.gather' proved: unique: no two coordinates are equal
func.func @constants(%x: tensor<9x4xf32>) -> tensor<3x4xf32> {
  %i = arith.constant dense<[[1], [4], [8]]> : tensor<3x1xi32>
  %g = gs.gather %x[%i] gather_dims([0]) mode(error)
      : (tensor<9x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  return %g : tensor<3x4xf32>
}

// 2 * iota + 1
// CHECK-LABEL: func.func @affine
// CHECK: gather_dims([0]) unique sorted :
func.func @affine(%x: tensor<9x4xf32>) -> tensor<4x4xf32> {
  %iota = tensor.generate {
  ^bb0(%n: index):
    tensor.yield %n : index
  } : tensor<4xindex>
  %two = arith.constant dense<2> : tensor<4xindex>
  %one = arith.constant dense<1> : tensor<4xindex>
  %p = arith.muli %iota, %two : tensor<4xindex>
  %q = arith.addi %p, %one : tensor<4xindex>
  %i = tensor.expand_shape %q [[0, 1]] output_shape [4, 1] : tensor<4xindex> into tensor<4x1xindex>
  %g = gs.gather %x[%i] gather_dims([0]) mode(clip)
      : (tensor<9x4xf32>, tensor<4x1xindex>) -> tensor<4x4xf32>
  return %g : tensor<4x4xf32>
}

// One is out of bounds, and one comes twice.
// CHECK-LABEL: func.func @not_proved
// CHECK: gather_dims([0]) mode(clip) :
// CHECK: gather_dims([0]) sorted :
func.func @not_proved(%x: tensor<9x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %i = arith.constant dense<[[1], [9], [8]]> : tensor<3x1xi32>
  %g = gs.gather %x[%i] gather_dims([0]) mode(clip)
      : (tensor<9x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  %k = arith.constant dense<[[1], [8], [8]]> : tensor<3x1xi32>
  %h = gs.gather %x[%k] gather_dims([0]) mode(clip)
      : (tensor<9x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  return %g, %h : tensor<3x4xf32>, tensor<3x4xf32>
}

// -1 is the last row, which also is 8.
// CHECK-LABEL: func.func @wrapped
// CHECK: gather_dims([0]) wrap_negative :
func.func @wrapped(%x: tensor<9x4xf32>) -> tensor<2x4xf32> {
  %i = arith.constant dense<[[8], [-1]]> : tensor<2x1xi8>
  %g = gs.gather %x[%i] gather_dims([0]) wrap_negative
      : (tensor<9x4xf32>, tensor<2x1xi8>) -> tensor<2x4xf32>
  return %g : tensor<2x4xf32>
}

// Ascending, but for what -1 stands for.
// CHECK-LABEL: func.func @wrapped_in_order
// CHECK: gather_dims([0]) wrap_negative :
func.func @wrapped_in_order(%x: tensor<9x4xf32>) -> tensor<2x4xf32> {
  %i = arith.constant dense<[[-1], [0]]> : tensor<2x1xi8>
  %g = gs.gather %x[%i] gather_dims([0]) wrap_negative
      : (tensor<9x4xf32>, tensor<2x1xi8>) -> tensor<2x4xf32>
  return %g : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @of_histogram
// CHECK: gs.scatter {{.*}} scatter_dims([0]) unique sorted :
// CHECK: gs.scatter {{.*}} scatter_dims([0]) sorted mode(clip) :
func.func @of_histogram(%u: tensor<?xf32>, %i: tensor<?x1xi32>, %y: tensor<9xf32>) -> (tensor<9xf32>, tensor<9xf32>) {
  %c, %b = gs.histogram %u at %i combine(add)
      : (tensor<?xf32>, tensor<?x1xi32>) -> (tensor<?xf32>, tensor<?x1xi32>)
  %r = gs.scatter %c into %y[%b] scatter_dims([0])
      : (tensor<?xf32>, tensor<9xf32>, tensor<?x1xi32>) -> tensor<9xf32>
  %t = gs.scatter %c into %y[%b] scatter_dims([0]) mode(clip)
      : (tensor<?xf32>, tensor<9xf32>, tensor<?x1xi32>) -> tensor<9xf32>
  return %r, %t : tensor<9xf32>, tensor<9xf32>
}

// Along a dim each line counts for itself.
// CHECK-LABEL: func.func @lines
// CHECK: dim(1) unique :
func.func @lines(%x: tensor<2x5xf32>) -> tensor<2x2xf32> {
  %i = arith.constant dense<[[3, 0], [0, 3]]> : tensor<2x2xi64>
  %g = gs.gather_elements %x[%i] dim(1) mode(error)
      : (tensor<2x5xf32>, tensor<2x2xi64>) -> tensor<2x2xf32>
  return %g : tensor<2x2xf32>
}

// Whatever k is, k mod 64 is in bounds; it may come twice.
// CHECK-LABEL: func.func @remainder
// CHECK: gather_dims([0]) : (tensor<64x4xf32>
// CHECK-REMARK: remark: 'gs.gather' proved: in bounds, so no mode: range of its coordinates
func.func @remainder(%x: tensor<64x4xf32>, %k: tensor<?x1xi64>, %n: index) -> tensor<?x4xf32> {
  %o = tensor.empty(%n) : tensor<?x1xi64>
  %m = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%k : tensor<?x1xi64>) outs(%o : tensor<?x1xi64>) {
  ^bb0(%a: i64, %b: i64):
    %s = arith.constant 64 : i64
    %r = arith.remui %a, %s : i64
    linalg.yield %r : i64
  } -> tensor<?x1xi64>
  %g = gs.gather %x[%m] gather_dims([0]) mode(error)
      : (tensor<64x4xf32>, tensor<?x1xi64>) -> tensor<?x4xf32>
  return %g : tensor<?x4xf32>
}

// The remainder by 65 is 64 at times; a signed one is negative.
// CHECK-LABEL: func.func @remainder_not
// CHECK-COUNT-2: mode(error)
func.func @remainder_not(%x: tensor<64x4xf32>, %k: tensor<5x1xi64>) -> (tensor<5x4xf32>, tensor<5x4xf32>) {
  %s = arith.constant dense<65> : tensor<5x1xi64>
  %t = arith.constant dense<64> : tensor<5x1xi64>
  %m = arith.remui %k, %s : tensor<5x1xi64>
  %n = arith.remsi %k, %t : tensor<5x1xi64>
  %g = gs.gather %x[%m] gather_dims([0]) mode(error)
      : (tensor<64x4xf32>, tensor<5x1xi64>) -> tensor<5x4xf32>
  %h = gs.gather %x[%n] gather_dims([0]) mode(error)
      : (tensor<64x4xf32>, tensor<5x1xi64>) -> tensor<5x4xf32>
  return %g, %h : tensor<5x4xf32>, tensor<5x4xf32>
}

// An iota over a size that is known at run time only is less than it, and so are positions of it.
// CHECK-LABEL: func.func @dynamic_iota
// CHECK: gs.gather {{.*}} gather_dims([0]) unique sorted : (tensor<?x4xf32>
// CHECK: gs.gather {{.*}} gather_dims([0]) : (tensor<?x1xi64>
// CHECK: gs.gather {{.*}} gather_dims([0]) : (tensor<?x4xf32>
func.func @dynamic_iota(%x: tensor<?x4xf32>, %k: tensor<?x1xi32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %i = tensor.generate %n {
  ^bb0(%a: index, %b: index):
    %r = arith.index_cast %a : index to i64
    tensor.yield %r : i64
  } : tensor<?x1xi64>
  %g = gs.gather %x[%i] gather_dims([0]) mode(clip)
      : (tensor<?x4xf32>, tensor<?x1xi64>) -> tensor<?x4xf32>
  %p = gs.gather %i[%k] gather_dims([0]) : (tensor<?x1xi64>, tensor<?x1xi32>) -> tensor<?x1xi64>
  %h = gs.gather %x[%p] gather_dims([0]) mode(error)
      : (tensor<?x4xf32>, tensor<?x1xi64>) -> tensor<?x4xf32>
  return %g, %h : tensor<?x4xf32>, tensor<?x4xf32>
}

// Another size; an iota that starts at 1.
// CHECK-LABEL: func.func @dynamic_iota_not
// CHECK: mode(clip)
// CHECK: mode(clip)
func.func @dynamic_iota_not(%x: tensor<?x4xf32>, %n: index) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = tensor.generate %n {
  ^bb0(%a: index, %b: index):
    tensor.yield %a : index
  } : tensor<?x1xindex>
  %g = gs.gather %x[%i] gather_dims([0]) mode(clip)
      : (tensor<?x4xf32>, tensor<?x1xindex>) -> tensor<?x4xf32>
  %m = tensor.dim %x, %c0 : tensor<?x4xf32>
  %k = tensor.generate %m {
  ^bb0(%a: index, %b: index):
    %s = arith.addi %a, %c1 : index
    tensor.yield %s : index
  } : tensor<?x1xindex>
  %h = gs.gather %x[%k] gather_dims([0]) mode(clip)
      : (tensor<?x4xf32>, tensor<?x1xindex>) -> tensor<?x4xf32>
  return %g, %h : tensor<?x4xf32>, tensor<?x4xf32>
}

// As JAX normalizes coordinates; -1 and 0 may be negative.
// CHECK-LABEL: func.func @never_negative
// CHECK: gather_dims([0]) :
// CHECK: gather_dims([0]) mode(clip) :
func.func @never_negative(%x: tensor<9x4xf32>, %i: tensor<5x1xi32>) -> (tensor<5x4xf32>, tensor<5x4xf32>) {
  %zero = arith.constant dense<0> : tensor<5x1xi32>
  %seven = arith.constant dense<7> : tensor<5x1xi32>
  %nine = arith.constant dense<9> : tensor<5x1xi32>
  %k = arith.andi %i, %seven : tensor<5x1xi32>
  %n = arith.cmpi slt, %k, %zero : tensor<5x1xi32>
  %m = arith.addi %k, %nine : tensor<5x1xi32>
  %s = arith.select %n, %m, %k : tensor<5x1xi1>, tensor<5x1xi32>
  %g = gs.gather %x[%s] gather_dims([0]) mode(clip)
      : (tensor<9x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  %l = arith.cmpi sle, %k, %zero : tensor<5x1xi32>
  %t = arith.select %l, %m, %k : tensor<5x1xi1>, tensor<5x1xi32>
  %h = gs.gather %x[%t] gather_dims([0]) mode(clip)
      : (tensor<9x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  return %g, %h : tensor<5x4xf32>, tensor<5x4xf32>
}

// Coordinates in the order of a sort, and sorted ones, some of which are dropped.
// CHECK-LABEL: func.func @sorted
// CHECK: gs.gather_elements {{.*}} dim(0) unique {gs.ascending}
// CHECK: scatter_dims([0]) sorted mode(drop)
// CHECK: scatter_dims([0]) mode(drop) wrap_negative
func.func @sorted(%u: tensor<5xf32>, %y: tensor<9xf32>, %i: tensor<5xi32>, %o: tensor<5xindex>) -> (tensor<9xf32>, tensor<9xf32>) {
  %s = gs.gather_elements %i[%o] dim(0) unique {gs.ascending}
      : (tensor<5xi32>, tensor<5xindex>) -> tensor<5xi32>
  %k = tensor.expand_shape %s [[0, 1]] output_shape [5, 1] : tensor<5xi32> into tensor<5x1xi32>
  %r = gs.scatter %u into %y[%k] scatter_dims([0]) mode(drop) combine(add)
      : (tensor<5xf32>, tensor<9xf32>, tensor<5x1xi32>) -> tensor<9xf32>
  %t = gs.scatter %u into %y[%k] scatter_dims([0]) mode(drop) wrap_negative
      : (tensor<5xf32>, tensor<9xf32>, tensor<5x1xi32>) -> tensor<9xf32>
  return %r, %t : tensor<9xf32>, tensor<9xf32>
}
