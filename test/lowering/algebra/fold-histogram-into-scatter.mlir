// RUN: gs-opt %s --gs-canonicalize | filecheck %s

// An idempotent update of repeated coordinates (the RFC's gather, compute, histogram, scatter) is
// one scatter with a combiner.

// CHECK-LABEL: func.func @rfc_max
// CHECK-SAME: (%[[U:.*]]: tensor<?x6xf32>, %[[DEST:.*]]: tensor<4x?x6xf32>, %[[I:.*]]: tensor<?x2xindex>)
// CHECK-NOT: gs.gather %
// CHECK-NOT: gs.histogram %
// CHECK: %[[R:.*]] = gs.scatter %[[U]] into %[[DEST]][%[[I]]] scatter_dims([0, 1]) combine(max) :
// CHECK: return %[[R]]
func.func @rfc_max(%u: tensor<?x6xf32>, %dest: tensor<4x?x6xf32>, %i: tensor<?x2xindex>) -> tensor<4x?x6xf32> {
  %g = gs.gather %dest[%i] gather_dims([0, 1])
      : (tensor<4x?x6xf32>, tensor<?x2xindex>) -> tensor<?x6xf32>
  %n = arith.maximumf %u, %g : tensor<?x6xf32>
  %c, %ui = gs.histogram %n at %i combine(max)
      : (tensor<?x6xf32>, tensor<?x2xindex>) -> (tensor<?x6xf32>, tensor<?x2xindex>)
  %r = gs.scatter %c into %dest[%ui] scatter_dims([0, 1]) unique
      : (tensor<?x6xf32>, tensor<4x?x6xf32>, tensor<?x2xindex>) -> tensor<4x?x6xf32>
  return %r : tensor<4x?x6xf32>
}

// A sum of floats depends on its grouping: nothing is folded.

// CHECK-LABEL: func.func @rfc_add
// CHECK: gs.gather
// CHECK: gs.histogram
// CHECK: gs.scatter
func.func @rfc_add(%u: tensor<?x6xf32>, %dest: tensor<4x?x6xf32>, %i: tensor<?x2xindex>) -> tensor<4x?x6xf32> {
  %g = gs.gather %dest[%i] gather_dims([0, 1])
      : (tensor<4x?x6xf32>, tensor<?x2xindex>) -> tensor<?x6xf32>
  %n = arith.addf %u, %g : tensor<?x6xf32>
  %c, %ui = gs.histogram %n at %i combine(add)
      : (tensor<?x6xf32>, tensor<?x2xindex>) -> (tensor<?x6xf32>, tensor<?x2xindex>)
  %r = gs.scatter %c into %dest[%ui] scatter_dims([0, 1]) unique
      : (tensor<?x6xf32>, tensor<4x?x6xf32>, tensor<?x2xindex>) -> tensor<4x?x6xf32>
  return %r : tensor<4x?x6xf32>
}

// Integers: bins that are added to dest are the updates that are added to dest.

// CHECK-LABEL: func.func @count
// CHECK-SAME: (%[[U:.*]]: tensor<?xi64>, %[[DEST:.*]]: tensor<256xi64>, %[[I:.*]]: tensor<?x1xi64>)
// CHECK-NOT: gs.histogram %
// CHECK: gs.scatter %[[U]] into %[[DEST]][%[[I]]] scatter_dims([0]) mode(drop) combine(add) :
func.func @count(%u: tensor<?xi64>, %dest: tensor<256xi64>, %i: tensor<?x1xi64>)
    -> tensor<256xi64> {
  %c, %ui = gs.histogram %u at %i combine(add)
      : (tensor<?xi64>, tensor<?x1xi64>) -> (tensor<?xi64>, tensor<?x1xi64>)
  %r = gs.scatter %c into %dest[%ui] scatter_dims([0]) unique mode(drop) combine(add)
      : (tensor<?xi64>, tensor<256xi64>, tensor<?x1xi64>) -> tensor<256xi64>
  return %r : tensor<256xi64>
}

// The bins have another use.

// CHECK-LABEL: func.func @bins_used
// CHECK: gs.histogram
func.func @bins_used(%u: tensor<?xi64>, %dest: tensor<256xi64>, %i: tensor<?x1xi64>)
    -> (tensor<256xi64>, tensor<?x1xi64>) {
  %c, %ui = gs.histogram %u at %i combine(add)
      : (tensor<?xi64>, tensor<?x1xi64>) -> (tensor<?xi64>, tensor<?x1xi64>)
  %r = gs.scatter %c into %dest[%ui] scatter_dims([0]) unique combine(add)
      : (tensor<?xi64>, tensor<256xi64>, tensor<?x1xi64>) -> tensor<256xi64>
  return %r, %ui : tensor<256xi64>, tensor<?x1xi64>
}
