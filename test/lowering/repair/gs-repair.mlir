// RUN: gs-opt %s --gs-repair --split-input-file | filecheck %s

// CHECK-LABEL: func.func @padded_as_it_is
// CHECK-NEXT: arith.constant
// CHECK-NEXT: tensor.pad %{{.*}} low[1] high[0]
func.func @padded_as_it_is(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @cut_and_padded
// CHECK-SAME: (%[[X:.*]]: tensor<3x4xf32>)
// CHECK: %[[S:.*]] = tensor.extract_slice %[[X]][1, 0] [2, 3] [1, 1]
// CHECK: tensor.pad %[[S]] low[0, 2] high[1, 0]
func.func @cut_and_padded(%x: tensor<3x4xf32>) -> tensor<3x5xf32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[-1, 2] high[1, -1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<3x4xf32> to tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

// Amounts that are known at run time only.
// CHECK-LABEL: func.func @dynamic
// CHECK: cf.assert %{{.*}}, "{{.*}} error: 'tensor.pad' op dim 0 of the result has a negative size"
// CHECK: tensor.extract_slice
// CHECK: tensor.pad
func.func @dynamic(%x: tensor<?xf32>, %low: index) -> tensor<?xf32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[%low] high[0] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @nothing_is_left
// CHECK: %[[C:.*]] = arith.constant 0.000000e+00
// CHECK: tensor.generate
// CHECK: tensor.yield %[[C]]
// CHECK: tensor<3xf32>
// CHECK-NOT: tensor.pad
func.func @nothing_is_left(%x: tensor<2xf32>) -> tensor<3xf32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[-3] high[4] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<2xf32> to tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK-LABEL: func.func @one_empty_tensor_twice
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4xindex>
// CHECK: %[[F:.*]] = tensor.empty() : tensor<4xindex>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[E]], %{{.*}} = %[[F]])
func.func @one_empty_tensor_twice() -> tensor<4xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<4xindex>
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %e, %b = %e)
      -> (tensor<4xindex>, tensor<4xindex>) {
    %a2 = tensor.insert %i into %a[%i] : tensor<4xindex>
    %x = tensor.extract %a2[%c0] : tensor<4xindex>
    %b2 = tensor.insert %x into %b[%i] : tensor<4xindex>
    scf.yield %a2, %b2 : tensor<4xindex>, tensor<4xindex>
  }
  return %r#0 : tensor<4xindex>
}

// -----

// The sum over a dim that may be empty leaves the output, which One-Shot Bufferize would not copy.
// CHECK-LABEL: func.func @kept_output
// CHECK-SAME: (%[[X:.*]]: tensor<2x?xf32>, %[[Y:.*]]: tensor<2xf32>)
// CHECK: %[[C:.*]] = bufferization.alloc_tensor() copy(%[[Y]])
// CHECK: outs(%[[C]] : tensor<2xf32>)
#rows = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @kept_output(%x: tensor<2x?xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x?xf32>) outs(%y : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// An output that is read is kept; one whose every element is written has nothing to keep.
// CHECK-LABEL: func.func @written_output
// CHECK-NOT: alloc_tensor
#rows = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @written_output(%x: tensor<2x?xf32>, %y: tensor<2xf32>, %z: tensor<?x3xf32>,
    %w: tensor<?xf32>) -> (tensor<2xf32>, tensor<?xf32>) {
  %0 = linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x?xf32>) outs(%y : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<2xf32>
  %1 = linalg.reduce ins(%z : tensor<?x3xf32>) outs(%w : tensor<?xf32>) dimensions = [1]
      (%a: f32, %b: f32) {
        linalg.yield %a : f32
      }
  return %0, %1 : tensor<2xf32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @divided
// CHECK-SAME: %[[X:.*]]: i32, %[[Y:.*]]: i32
// CHECK: %[[ZERO:.*]] = arith.cmpi eq, %[[Y]]
// CHECK: %[[SAFE:.*]] = arith.select %{{.*}}, %{{.*}}, %[[Y]]
// CHECK: arith.divsi %[[X]], %[[SAFE]]
// CHECK: arith.divui %[[X]], %c3
func.func @divided(%x: i32, %y: i32) -> (i32, i32) {
  %c3 = arith.constant 3 : i32
  %0 = arith.divsi %x, %y : i32
  %1 = arith.divui %x, %c3 : i32
  return %0, %1 : i32, i32
}

// -----

// CHECK-LABEL: func.func @steps_of_one_and_up_to_a_size
// CHECK-NOT: arith.ceildivui
// CHECK-NOT: cf.assert
func.func @steps_of_one_and_up_to_a_size(%x: memref<?xf32>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %eight = arith.constant 8 : index
  %f = arith.constant 0.0 : f32
  %size = memref.dim %x, %zero : memref<?xf32>
  scf.for %i = %zero to %n step %one {
    memref.store %f, %x[%i] : memref<?xf32>
  }
  scf.for %i = %zero to %size step %eight {
    memref.store %f, %x[%i] : memref<?xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @steps_that_may_go_too_far
// CHECK-SAME: (%[[X:.*]]: memref<?xf32>, %[[LOW:.*]]: index, %{{.*}}: index, %[[STEP:.*]]: index)
// CHECK: cf.assert %{{.*}}, "{{.*}} error: 'scf.for' op step must be positive"
// CHECK: %[[TURNS:.*]] = arith.ceildivui
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %[[TURNS]] step
// CHECK-NEXT: %[[BY:.*]] = arith.muli %[[K]], %[[STEP]]
// CHECK-NEXT: %[[I:.*]] = arith.addi %[[LOW]], %[[BY]]
// CHECK-NEXT: memref.store %{{.*}}, %[[X]][%[[I]]]
func.func @steps_that_may_go_too_far(%x: memref<?xf32>, %low: index, %high: index, %step: index) {
  %f = arith.constant 0.0 : f32
  scf.for %i = %low to %high step %step {
    memref.store %f, %x[%i] : memref<?xf32>
  }
  return
}

// -----

// linalg-fuse-elementwise-ops would add once for each step of the third loop.
// CHECK-LABEL: func.func @added_to_what_is_there
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<?x4xf32>, %{{.*}}: tensor<?x4x3xf32>, %[[INIT:[a-z0-9]*]]:
// CHECK: %[[N:.*]] = tensor.dim %[[INIT]]
// CHECK: %[[E:.*]] = tensor.empty(%[[N]]) : tensor<?x4xf32>
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[INIT]] : {{.*}}) outs(%[[E]] :
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: arith.addf %[[B]], %[[A]]
#ij = affine_map<(i, j) -> (i, j)>
func.func @added_to_what_is_there(%x: tensor<?x4xf32>, %y: tensor<?x4x3xf32>, %init: tensor<?x4xf32>)
    -> tensor<?x4x3xf32> {
  %0 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x4xf32>) outs(%init : tensor<?x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<?x4xf32>
  %1 = linalg.broadcast ins(%0 : tensor<?x4xf32>) outs(%y : tensor<?x4x3xf32>) dimensions = [2]
  return %1 : tensor<?x4x3xf32>
}

// -----

// CHECK-LABEL: func.func @added_to_a_number
// CHECK: %[[C:.*]] = arith.constant 2.0
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<4xf32>)
// CHECK: arith.addf %[[C]]
#i = affine_map<(i) -> (i)>
func.func @added_to_a_number(%x: tensor<4xf32>, %y: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %c = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %1 = linalg.broadcast ins(%0 : tensor<4xf32>) outs(%y : tensor<4x3xf32>) dimensions = [1]
  return %1 : tensor<4x3xf32>
}

// -----

// Nothing reads the sum: it is added in place.
// CHECK-LABEL: func.func @added_in_place
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<4xf32>) outs(%{{.*}} : tensor<4xf32>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32):
// CHECK-NEXT: arith.addf %[[B]], %[[A]]
#i = affine_map<(i) -> (i)>
func.func @added_in_place(%x: tensor<4xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @index_is_arith
// CHECK-SAME: (%[[X:.*]]: index, %[[Y:.*]]: index)
// CHECK: %[[C:.*]] = arith.constant 3 : index
// CHECK: %[[D:.*]] = arith.subi %[[X]], %[[Y]] : index
// CHECK: %[[LESS:.*]] = arith.cmpi slt, %[[D]], %[[C]] : index
// CHECK: %[[Q:.*]] = arith.ceildivsi %[[X]], %[[C]] : index
// CHECK: %[[W:.*]] = arith.index_castui %[[Q]] : index to i32
// CHECK: %[[DIVISOR:.*]] = arith.select
// CHECK: arith.floordivsi %[[X]], %[[DIVISOR]] : index
func.func @index_is_arith(%x: index, %y: index) -> (i1, i32, index) {
  %c = index.constant 3
  %d = index.sub %x, %y
  %less = index.cmp slt(%d, %c)
  %q = index.ceildivs %x, %c
  %w = index.castu %q : index to i32
  %f = index.floordivs %x, %y
  return %less, %w, %f : i1, i32, index
}

// -----

// The folder divides by a size that is a constant 0.

// CHECK-LABEL: func.func @parts_of_nothing
// CHECK-SAME: (%[[N:.*]]: index)
// CHECK: %[[AT_LEAST:.*]] = arith.maxsi %[[N]],
// CHECK: affine.delinearize_index %{{.*}} into (%[[AT_LEAST]], %{{.*}}, 4)
func.func @parts_of_nothing(%n: index) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %r:3 = affine.delinearize_index %c5 into (%n, %c0, 4) : index, index, index
  return %r#0, %r#1, %r#2 : index, index, index
}

// -----

// canonicalize would move the branch into the body, and give %c20 for the second of its results.
// CHECK-LABEL: func.func @branch_in_a_condition
// CHECK: scf.while
// CHECK: %[[MORE:.*]] = arith.cmpi
// CHECK-NEXT: %[[CASE:.*]] = arith.index_castui %[[MORE]] : i1 to index
// CHECK-NEXT: %[[V:.*]] = scf.index_switch %[[CASE]] -> index
// CHECK-NEXT: case 1 {
// CHECK-NEXT: %[[T:.*]] = arith.addi
// CHECK-NEXT: scf.yield %[[T]]
// CHECK: default {
// CHECK-NEXT: scf.yield %c20
// CHECK: scf.index_switch %
// CHECK: default {
// CHECK-NEXT: }
// CHECK: scf.condition(%[[MORE]]) %[[V]], %[[V]]
// CHECK: } do {
// CHECK: scf.if
func.func @branch_in_a_condition(%m: memref<index>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %r:3 = scf.while (%s = %c0) : (index) -> (index, index, index) {
    %more = arith.cmpi slt, %s, %c1 : index
    %v = scf.if %more -> index {
      %t = arith.addi %s, %c1 : index
      scf.yield %t : index
    } else {
      scf.yield %c20 : index
    }
    scf.if %more {
      memref.store %v, %m[] : memref<index>
    }
    scf.condition(%more) %v, %v, %s : index, index, index
  } do {
  ^bb0(%a: index, %b: index, %c: index):
    %less = arith.cmpi slt, %a, %b : index
    %d = scf.if %less -> index {
      scf.yield %a : index
    } else {
      scf.yield %b : index
    }
    scf.yield %d : index
  }
  return %r#1, %r#2 : index, index
}

// What may fold to upstream's mark of a dynamic number; what is computed from an argument may not.
// CHECK-LABEL: func.func @offsets
// CHECK-SAME: %[[N:[a-z0-9]+]]: index)
// CHECK: %[[SUM:.*]] = arith.addi
// CHECK: %[[OTHER:.*]] = arith.addi %[[N]]
// CHECK: %[[NEXT:.*]] = arith.constant -9223372036854775807 : index
// CHECK: %[[MOST:.*]] = arith.maxsi %[[SUM]], %[[NEXT]]
// CHECK: tensor.extract_slice %{{.*}}[%[[MOST]]]
// CHECK-NOT: arith.maxsi
// CHECK: tensor.extract_slice %{{.*}}[%[[OTHER]]]
// CHECK: %[[CONSTANT:.*]] = arith.constant -9223372036854775807 : index
// CHECK: memref.subview %{{.*}}[0] [2] [%[[CONSTANT]]]
func.func @offsets(%x: tensor<4xf32>, %m: memref<4xf32>, %n: index)
    -> (tensor<2xf32>, tensor<2xf32>, memref<2xf32, strided<[?]>>) {
  %half = arith.constant -4611686018427387904 : index
  %least = arith.constant -9223372036854775808 : index
  %sum = arith.addi %half, %half : index
  %other = arith.addi %n, %half : index
  %r = tensor.extract_slice %x[%sum] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %s = tensor.extract_slice %x[%other] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %t = memref.subview %m[0] [2] [%least] : memref<4xf32> to memref<2xf32, strided<[?]>>
  return %r, %s, %t : tensor<2xf32>, tensor<2xf32>, memref<2xf32, strided<[?]>>
}
