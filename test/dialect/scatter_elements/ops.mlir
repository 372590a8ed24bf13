// RUN: gs-opt %s --verify-roundtrip | gs-opt | filecheck %s
// RUN: gs-opt %s --emit-bytecode | gs-opt | filecheck %s

// CHECK-LABEL: func.func @overwrite
// CHECK-SAME: %[[UPDATES:[^:]*]]: {{.*}} %[[DEST:[^:]*]]: {{.*}} %[[INDICES:[^:]*]]:
// CHECK: gs.scatter_elements %[[UPDATES]] into %[[DEST]][%[[INDICES]]]
// CHECK-SAME: dim(0) :
// CHECK-SAME: (tensor<2x4xf32>, tensor<8x4xf32>, tensor<2x4xi64>) -> tensor<8x4xf32>
func.func @overwrite(%updates: tensor<2x4xf32>, %dest: tensor<8x4xf32>, %indices: tensor<2x4xi64>)
    -> tensor<8x4xf32> {
  %0 = gs.scatter_elements %updates into %dest[%indices] dim(0)
      : (tensor<2x4xf32>, tensor<8x4xf32>, tensor<2x4xi64>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// CHECK-LABEL: func.func @combine
// CHECK: dim(1) combine(max) :
func.func @combine(%updates: tensor<8x9xi32>, %dest: tensor<8x4xi32>, %indices: tensor<8x9xindex>)
    -> tensor<8x4xi32> {
  %0 = gs.scatter_elements %updates into %dest[%indices] dim(1) combine(max)
      : (tensor<8x9xi32>, tensor<8x4xi32>, tensor<8x9xindex>) -> tensor<8x4xi32>
  return %0 : tensor<8x4xi32>
}

// CHECK-LABEL: func.func @dynamic_sizes
// CHECK: (tensor<?x4xf32>, tensor<?x?xf32>, tensor<2x?xi8>) -> tensor<?x?xf32>
func.func @dynamic_sizes(%updates: tensor<?x4xf32>, %dest: tensor<?x?xf32>,
    %indices: tensor<2x?xi8>) -> tensor<?x?xf32> {
  %0 = gs.scatter_elements %updates into %dest[%indices] dim(0)
      : (tensor<?x4xf32>, tensor<?x?xf32>, tensor<2x?xi8>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @promises_and_modes
// CHECK: dim(0) unique sorted :
// CHECK: dim(0) mode(clip) wrap_negative :
// CHECK: dim(0) mode(drop) :
// CHECK: dim(0) mode(error) :
func.func @promises_and_modes(%u: tensor<4xf32>, %d: tensor<9xf32>, %i: tensor<4xindex>)
    -> tensor<9xf32> {
  %0 = gs.scatter_elements %u into %d[%i] dim(0) unique sorted
      : (tensor<4xf32>, tensor<9xf32>, tensor<4xindex>) -> tensor<9xf32>
  %1 = gs.scatter_elements %u into %0[%i] dim(0) mode(clip) wrap_negative
      : (tensor<4xf32>, tensor<9xf32>, tensor<4xindex>) -> tensor<9xf32>
  %2 = gs.scatter_elements %u into %1[%i] dim(0) mode(drop)
      : (tensor<4xf32>, tensor<9xf32>, tensor<4xindex>) -> tensor<9xf32>
  %3 = gs.scatter_elements %u into %2[%i] dim(0) mode(error)
      : (tensor<4xf32>, tensor<9xf32>, tensor<4xindex>) -> tensor<9xf32>
  return %3 : tensor<9xf32>
}

// Updates of which there are none need no room to be clipped into.
// CHECK-LABEL: func.func @clip_nothing
// CHECK: gs.scatter_elements %
func.func @clip_nothing(%updates: tensor<?x0xf32>, %dest: tensor<?x0xf32>,
                        %indices: tensor<?x?xi16>) -> tensor<?x0xf32> {
  %0 = gs.scatter_elements %updates into %dest[%indices] dim(1) mode(clip)
      : (tensor<?x0xf32>, tensor<?x0xf32>, tensor<?x?xi16>) -> tensor<?x0xf32>
  return %0 : tensor<?x0xf32>
}
