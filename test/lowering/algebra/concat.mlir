// RUN: gs-opt %s --gs-canonicalize | filecheck %s

// CHECK-LABEL: func.func @gather_in_one_part
// CHECK-SAME: (%[[A:[a-z0-9]+]]: tensor<9x4xf32>, %[[B:[a-z0-9]+]]: tensor<7x4xf32>
// CHECK: %[[I:.*]] = arith.constant dense<{{\[\[}}1], [6], [1{{\]\]}}> : tensor<3x1xi32>
// CHECK-NOT: tensor.concat
// CHECK: gs.gather %[[B]][%[[I]]] gather_dims([0])
func.func @gather_in_one_part(%a: tensor<9x4xf32>, %b: tensor<7x4xf32>) -> tensor<3x4xf32> {
  %c = tensor.concat dim(0) %a, %b : (tensor<9x4xf32>, tensor<7x4xf32>) -> tensor<16x4xf32>
  %i = arith.constant dense<[[10], [15], [10]]> : tensor<3x1xi32>
  %g = gs.gather %c[%i] gather_dims([0]) mode(clip)
      : (tensor<16x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  return %g : tensor<3x4xf32>
}

// A range that is bounded; two dims, of which only one is known to be in bounds.
// CHECK-LABEL: func.func @gather_in_first_part
// CHECK-SAME: (%[[A:[a-z0-9]+]]: tensor<9x4xf32>,
// CHECK-NOT: tensor.concat
// CHECK: gs.gather %[[A]][%{{.*}}] gather_dims([0])
// CHECK: gs.gather_elements %[[A]][%{{.*}}] dim(0)
// CHECK: gs.gather %[[A]][%{{.*}}] gather_dims([0, 1]) mode(fill)
func.func @gather_in_first_part(%a: tensor<9x4xf32>, %b: tensor<?x4xf32>, %i: tensor<3x1xi32>, %k: tensor<5x4xi32>) -> (tensor<3x4xf32>, tensor<5x4xf32>, tensor<2xf32>) {
  %c = tensor.concat dim(0) %a, %b : (tensor<9x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %zero = arith.constant dense<0> : tensor<3x1xi32>
  %eight = arith.constant dense<8> : tensor<3x1xi32>
  %low = arith.maxsi %i, %zero : tensor<3x1xi32>
  %in = arith.minsi %low, %eight : tensor<3x1xi32>
  %g = gs.gather %c[%in] gather_dims([0]) : (tensor<?x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  %seven = arith.constant dense<7> : tensor<5x4xi32>
  %m = arith.andi %k, %seven : tensor<5x4xi32>
  %e = gs.gather_elements %c[%m] dim(0) : (tensor<?x4xf32>, tensor<5x4xi32>) -> tensor<5x4xf32>
  %two = arith.constant dense<[[3, 4], [0, 1]]> : tensor<2x2xi32>
  %h = gs.gather %c[%two] gather_dims([0, 1]) mode(fill)
      : (tensor<?x4xf32>, tensor<2x2xi32>) -> tensor<2xf32>
  return %g, %e, %h : tensor<3x4xf32>, tensor<5x4xf32>, tensor<2xf32>
}

// The concatenated tensor tells a size that its part does not.
// CHECK-LABEL: func.func @gather_in_dynamic_part
// CHECK-SAME: (%[[A:[a-z0-9]+]]: tensor<?x3xf32>,
// CHECK: %[[C:.*]] = tensor.cast %[[A]] : tensor<?x3xf32> to tensor<5x3xf32>
// CHECK: gs.gather %[[C]][%{{.*}}] gather_dims([1]) : {{.*}} -> tensor<2x5xf32>
func.func @gather_in_dynamic_part(%a: tensor<?x3xf32>, %b: tensor<5x1xf32>) -> tensor<2x5xf32> {
  %c = tensor.concat dim(1) %a, %b : (tensor<?x3xf32>, tensor<5x1xf32>) -> tensor<5x4xf32>
  %i = arith.constant dense<[[2], [0]]> : tensor<2x1xi32>
  %g = gs.gather %c[%i] gather_dims([1]) mode(error)
      : (tensor<5x4xf32>, tensor<2x1xi32>) -> tensor<2x5xf32>
  return %g : tensor<2x5xf32>
}

// Coordinates in both parts; of any kind; a part that starts nobody knows where; more coordinates
// to compute than there are elements.
// CHECK-LABEL: func.func @gather_in_one_part_not
// CHECK-COUNT-4: tensor.concat
// CHECK: return
func.func @gather_in_one_part_not(%a: tensor<9xf32>, %b: tensor<7xf32>, %d: tensor<?xf32>, %i: tensor<30x1xi32>) -> (tensor<2xf32>, tensor<30xf32>, tensor<2xf32>, tensor<30xf32>) {
  %c = tensor.concat dim(0) %a, %b : (tensor<9xf32>, tensor<7xf32>) -> tensor<16xf32>
  %both = arith.constant dense<[[8], [9]]> : tensor<2x1xi32>
  %g = gs.gather %c[%both] gather_dims([0]) : (tensor<16xf32>, tensor<2x1xi32>) -> tensor<2xf32>
  %c1 = tensor.concat dim(0) %a, %b : (tensor<9xf32>, tensor<7xf32>) -> tensor<16xf32>
  %h = gs.gather %c1[%i] gather_dims([0]) : (tensor<16xf32>, tensor<30x1xi32>) -> tensor<30xf32>
  %c2 = tensor.concat dim(0) %d, %b : (tensor<?xf32>, tensor<7xf32>) -> tensor<?xf32>
  %k = gs.gather %c2[%both] gather_dims([0]) : (tensor<?xf32>, tensor<2x1xi32>) -> tensor<2xf32>
  %c3 = tensor.concat dim(0) %b, %a : (tensor<7xf32>, tensor<9xf32>) -> tensor<16xf32>
  %seven = arith.constant dense<7> : tensor<30x1xi32>
  %eight = arith.constant dense<8> : tensor<30x1xi32>
  %m = arith.andi %i, %seven : tensor<30x1xi32>
  %n = arith.addi %m, %eight : tensor<30x1xi32>
  %l = gs.gather %c3[%n] gather_dims([0]) : (tensor<16xf32>, tensor<30x1xi32>) -> tensor<30xf32>
  return %g, %h, %k, %l : tensor<2xf32>, tensor<30xf32>, tensor<2xf32>, tensor<30xf32>
}

// CHECK-LABEL: func.func @gather_of_each_part
// CHECK-SAME: (%[[A:[a-z0-9]+]]: tensor<9x4xf32>, %[[B:[a-z0-9]+]]: tensor<9x2xf32>, %[[I:[a-z0-9]+]]: tensor<5x1xi32>)
// CHECK: %[[GA:.*]] = gs.gather %[[A]][%[[I]]] gather_dims([0]) mode(clip) : {{.*}} -> tensor<5x4xf32>
// CHECK: %[[GB:.*]] = gs.gather %[[B]][%[[I]]] gather_dims([0]) mode(clip) : {{.*}} -> tensor<5x2xf32>
// CHECK: tensor.concat dim(1) %[[GA]], %[[GB]]
func.func @gather_of_each_part(%a: tensor<9x4xf32>, %b: tensor<9x2xf32>, %i: tensor<5x1xi32>) -> tensor<5x6xf32> {
  %c = tensor.concat dim(1) %a, %b : (tensor<9x4xf32>, tensor<9x2xf32>) -> tensor<9x6xf32>
  %g = gs.gather %c[%i] gather_dims([0]) mode(clip)
      : (tensor<9x6xf32>, tensor<5x1xi32>) -> tensor<5x6xf32>
  return %g : tensor<5x6xf32>
}

// More elements are gathered than there are; what is concatenated is needed; an error names one op.
// CHECK-LABEL: func.func @gather_of_each_part_not
// CHECK-COUNT-3: gs.gather %
// CHECK-NOT: gs.gather %
// CHECK: return
func.func @gather_of_each_part_not(%a: tensor<9x4xf32>, %b: tensor<9x2xf32>, %i: tensor<5x1xi32>, %k: tensor<10x1xi32>) -> (tensor<10x6xf32>, tensor<5x6xf32>, tensor<9x6xf32>, tensor<5x6xf32>) {
  %c = tensor.concat dim(1) %a, %b : (tensor<9x4xf32>, tensor<9x2xf32>) -> tensor<9x6xf32>
  %g = gs.gather %c[%k] gather_dims([0]) : (tensor<9x6xf32>, tensor<10x1xi32>) -> tensor<10x6xf32>
  %d = tensor.concat dim(1) %b, %a : (tensor<9x2xf32>, tensor<9x4xf32>) -> tensor<9x6xf32>
  %h = gs.gather %d[%i] gather_dims([0]) : (tensor<9x6xf32>, tensor<5x1xi32>) -> tensor<5x6xf32>
  %e = tensor.concat dim(1) %b, %a : (tensor<9x2xf32>, tensor<9x4xf32>) -> tensor<9x6xf32>
  %l = gs.gather %e[%i] gather_dims([0]) mode(error)
      : (tensor<9x6xf32>, tensor<5x1xi32>) -> tensor<5x6xf32>
  return %g, %h, %d, %l : tensor<10x6xf32>, tensor<5x6xf32>, tensor<9x6xf32>, tensor<5x6xf32>
}

// CHECK-LABEL: func.func @concat_of_gathers
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<9x4xf32>, %[[I:[a-z0-9]+]]: tensor<5x1xi32>, %[[K:[a-z0-9]+]]: tensor<?x1xi32>)
// CHECK: %[[C:.*]] = tensor.concat dim(0) %[[I]], %[[K]] : (tensor<5x1xi32>, tensor<?x1xi32>) -> tensor<?x1xi32>
// CHECK: gs.gather %[[X]][%[[C]]] gather_dims([0]) mode(clip)
func.func @concat_of_gathers(%x: tensor<9x4xf32>, %i: tensor<5x1xi32>, %k: tensor<?x1xi32>) -> tensor<?x4xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) sorted mode(clip)
      : (tensor<9x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  %h = gs.gather %x[%k] gather_dims([0]) mode(clip)
      : (tensor<9x4xf32>, tensor<?x1xi32>) -> tensor<?x4xf32>
  %c = tensor.concat dim(0) %g, %h : (tensor<5x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %c : tensor<?x4xf32>
}

// Along the slices; two modes; slices of fewer bytes than coordinates.
// CHECK-LABEL: func.func @concat_of_gathers_not
// CHECK-COUNT-6: gs.gather %
// CHECK: return
func.func @concat_of_gathers_not(%x: tensor<9x4xf32>, %y: tensor<9xi8>, %i: tensor<5x1xi32>, %k: tensor<5x1xi32>) -> (tensor<5x8xf32>, tensor<10x4xf32>, tensor<10xi8>) {
  %g = gs.gather %x[%i] gather_dims([0]) : (tensor<9x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  %h = gs.gather %x[%k] gather_dims([0]) : (tensor<9x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  %c = tensor.concat dim(1) %g, %h : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<5x8xf32>
  %l = gs.gather %x[%i] gather_dims([0]) mode(clip)
      : (tensor<9x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  %m = gs.gather %x[%k] gather_dims([0]) mode(fill)
      : (tensor<9x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  %d = tensor.concat dim(0) %l, %m : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<10x4xf32>
  %n = gs.gather %y[%i] gather_dims([0]) : (tensor<9xi8>, tensor<5x1xi32>) -> tensor<5xi8>
  %o = gs.gather %y[%k] gather_dims([0]) : (tensor<9xi8>, tensor<5x1xi32>) -> tensor<5xi8>
  %e = tensor.concat dim(0) %n, %o : (tensor<5xi8>, tensor<5xi8>) -> tensor<10xi8>
  return %c, %d, %e : tensor<5x8xf32>, tensor<10x4xf32>, tensor<10xi8>
}
