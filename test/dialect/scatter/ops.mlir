// RUN: gs-opt %s --verify-roundtrip | gs-opt | filecheck %s
// RUN: gs-opt %s --emit-bytecode | gs-opt | filecheck %s

// CHECK-LABEL: func.func @overwrite
// CHECK-SAME: %[[UPDATES:[^:]*]]: {{.*}} %[[DEST:[^:]*]]: {{.*}} %[[INDICES:[^:]*]]:
// CHECK: gs.scatter %[[UPDATES]] into %[[DEST]][%[[INDICES]]]
// CHECK-SAME: scatter_dims([0]) :
// CHECK-SAME: (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32>
func.func @overwrite(%updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>)
    -> tensor<4x5xf32> {
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// CHECK-LABEL: func.func @combine
// CHECK: gs.scatter {{.*}} scatter_dims([0]) combine(add) :
func.func @combine(%updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>)
    -> tensor<4x5xf32> {
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0]) combine(add)
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// A combiner may use values from around the op, and hold control flow.
// CHECK-LABEL: func.func @combine_with_captured
// CHECK-SAME: %[[SCALE:[^:]*]]: f32
// CHECK: gs.scatter %
// CHECK: %[[SCALED:.*]] = arith.mulf %{{.*}}, %[[SCALE]]
// CHECK: scf.if
// CHECK: gs.yield
func.func @combine_with_captured(%scale: f32, %updates: tensor<7xf32>, %dest: tensor<4xf32>,
    %indices: tensor<7x1xindex>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7xf32>, tensor<4xf32>, tensor<7x1xindex>) -> tensor<4xf32> {
  ^bb0(%current: f32, %update: f32):
    %scaled = arith.mulf %update, %scale : f32
    %positive = arith.cmpf ogt, %scaled, %zero : f32
    %new = scf.if %positive -> f32 {
      %sum = arith.addf %current, %scaled : f32
      scf.yield %sum : f32
    } else {
      scf.yield %current : f32
    }
    gs.yield %new : f32
  }
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @dims_apart_and_kept_as_1
// CHECK: scatter_dims([0, 2]) :
// CHECK-SAME: (tensor<6x1x4x1xf32>, tensor<3x4x5xf32>, tensor<6x2xindex>) -> tensor<3x4x5xf32>
func.func @dims_apart_and_kept_as_1(%updates: tensor<6x1x4x1xf32>, %dest: tensor<3x4x5xf32>,
    %indices: tensor<6x2xindex>) -> tensor<3x4x5xf32> {
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0, 2])
      : (tensor<6x1x4x1xf32>, tensor<3x4x5xf32>, tensor<6x2xindex>) -> tensor<3x4x5xf32>
  return %0 : tensor<3x4x5xf32>
}

// CHECK-LABEL: func.func @dynamic_sizes
// CHECK: (tensor<?x?xf32>, tensor<?x8xf32>, tensor<9x1xindex>) -> tensor<?x8xf32>
func.func @dynamic_sizes(%updates: tensor<?x?xf32>, %dest: tensor<?x8xf32>,
    %indices: tensor<9x1xindex>) -> tensor<?x8xf32> {
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<?x?xf32>, tensor<?x8xf32>, tensor<9x1xindex>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @one_element
// CHECK: (tensor<f32>, tensor<3x4xf32>, tensor<2xindex>) -> tensor<3x4xf32>
func.func @one_element(%update: tensor<f32>, %dest: tensor<3x4xf32>, %indices: tensor<2xindex>)
    -> tensor<3x4xf32> {
  %0 = gs.scatter %update into %dest[%indices] scatter_dims([0, 1])
      : (tensor<f32>, tensor<3x4xf32>, tensor<2xindex>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @batch
// CHECK: scatter_dims([2]) batch_dims(1) :
func.func @batch(%updates: tensor<2x6x4xf32>, %dest: tensor<2x4x5xf32>, %i: tensor<?x6x1xi32>)
    -> tensor<2x4x5xf32> {
  %0 = gs.scatter %updates into %dest[%i] scatter_dims([2]) batch_dims(1)
      : (tensor<2x6x4xf32>, tensor<2x4x5xf32>, tensor<?x6x1xi32>) -> tensor<2x4x5xf32>
  return %0 : tensor<2x4x5xf32>
}

// CHECK-LABEL: func.func @promises_and_modes
// CHECK: scatter_dims([0]) unique sorted :
// CHECK: mode(promise_in_bounds)
// CHECK: mode(clip) wrap_negative
// CHECK: mode(drop)
// CHECK: mode(error)
func.func @promises_and_modes(%u: tensor<7xf32>, %dest: tensor<4xf32>, %i: tensor<7x1xindex>)
    -> tensor<4xf32> {
  %0 = gs.scatter %u into %dest[%i] scatter_dims([0]) unique sorted
      : (tensor<7xf32>, tensor<4xf32>, tensor<7x1xindex>) -> tensor<4xf32>
  %1 = gs.scatter %u into %0[%i] scatter_dims([0]) mode(promise_in_bounds)
      : (tensor<7xf32>, tensor<4xf32>, tensor<7x1xindex>) -> tensor<4xf32>
  %2 = gs.scatter %u into %1[%i] scatter_dims([0]) mode(clip) wrap_negative
      : (tensor<7xf32>, tensor<4xf32>, tensor<7x1xindex>) -> tensor<4xf32>
  %3 = gs.scatter %u into %2[%i] scatter_dims([0]) mode(drop)
      : (tensor<7xf32>, tensor<4xf32>, tensor<7x1xindex>) -> tensor<4xf32>
  %4 = gs.scatter %u into %3[%i] scatter_dims([0]) mode(error)
      : (tensor<7xf32>, tensor<4xf32>, tensor<7x1xindex>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// Nothing is written: then a coordinate may be clipped into an empty dimension.
// CHECK-LABEL: func.func @clip_writes_nothing
// CHECK: mode(clip)
func.func @clip_writes_nothing(%u: tensor<0x5xf32>, %dest: tensor<0x5xf32>, %i: tensor<0x1xindex>)
    -> tensor<0x5xf32> {
  %0 = gs.scatter %u into %dest[%i] scatter_dims([0]) mode(clip)
      : (tensor<0x5xf32>, tensor<0x5xf32>, tensor<0x1xindex>) -> tensor<0x5xf32>
  return %0 : tensor<0x5xf32>
}
