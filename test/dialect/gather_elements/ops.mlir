// RUN: gs-opt %s --verify-roundtrip | gs-opt | filecheck %s
// RUN: gs-opt %s --emit-bytecode | gs-opt | filecheck %s

// CHECK-LABEL: func.func @along_each_dim
// CHECK-SAME: %[[SOURCE:[^:]*]]: {{.*}} %[[INDICES:[^:]*]]:
// CHECK: gs.gather_elements %[[SOURCE]][%[[INDICES]]] dim(0)
// CHECK-SAME: (tensor<3x4xf32>, tensor<3x2xi64>) -> tensor<3x2xf32>
// CHECK: gs.gather_elements %[[SOURCE]][%[[INDICES]]] dim(1)
func.func @along_each_dim(%source: tensor<3x4xf32>, %indices: tensor<3x2xi64>)
    -> (tensor<3x2xf32>, tensor<3x2xf32>) {
  %0 = gs.gather_elements %source[%indices] dim(0)
      : (tensor<3x4xf32>, tensor<3x2xi64>) -> tensor<3x2xf32>
  %1 = gs.gather_elements %source[%indices] dim(1)
      : (tensor<3x4xf32>, tensor<3x2xi64>) -> tensor<3x2xf32>
  return %0, %1 : tensor<3x2xf32>, tensor<3x2xf32>
}

// Along `dim` there may be more coordinates than elements.
// CHECK-LABEL: func.func @more_than_source
// CHECK: (tensor<2x4xf32>, tensor<9x3xindex>) -> tensor<9x3xf32>
func.func @more_than_source(%source: tensor<2x4xf32>, %indices: tensor<9x3xindex>)
    -> tensor<9x3xf32> {
  %0 = gs.gather_elements %source[%indices] dim(0)
      : (tensor<2x4xf32>, tensor<9x3xindex>) -> tensor<9x3xf32>
  return %0 : tensor<9x3xf32>
}

// CHECK-LABEL: func.func @dynamic_sizes
// CHECK: (tensor<?x?xf32>, tensor<?x5xi32>) -> tensor<?x5xf32>
func.func @dynamic_sizes(%source: tensor<?x?xf32>, %indices: tensor<?x5xi32>) -> tensor<?x5xf32> {
  %0 = gs.gather_elements %source[%indices] dim(0)
      : (tensor<?x?xf32>, tensor<?x5xi32>) -> tensor<?x5xf32>
  return %0 : tensor<?x5xf32>
}

// CHECK-LABEL: func.func @promises_and_modes
// CHECK: dim(0) unique sorted :
// CHECK: dim(0) mode(clip) wrap_negative :
// CHECK: dim(0) mode(fill) :
// CHECK: dim(0) mode(fill) fill_value(7 : ui8) :
// CHECK: dim(0) mode(error) :
func.func @promises_and_modes(%source: tensor<9xui8>, %i: tensor<4xui16>) -> tensor<4xui8> {
  %0 = gs.gather_elements %source[%i] dim(0) unique sorted
      : (tensor<9xui8>, tensor<4xui16>) -> tensor<4xui8>
  %1 = gs.gather_elements %source[%i] dim(0) mode(clip) wrap_negative
      : (tensor<9xui8>, tensor<4xui16>) -> tensor<4xui8>
  %2 = gs.gather_elements %source[%i] dim(0) mode(fill)
      : (tensor<9xui8>, tensor<4xui16>) -> tensor<4xui8>
  %3 = gs.gather_elements %source[%i] dim(0) mode(fill) fill_value(7 : ui8)
      : (tensor<9xui8>, tensor<4xui16>) -> tensor<4xui8>
  %4 = gs.gather_elements %source[%i] dim(0) mode(error)
      : (tensor<9xui8>, tensor<4xui16>) -> tensor<4xui8>
  return %4 : tensor<4xui8>
}
