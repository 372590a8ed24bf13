// RUN: gs-opt %s --verify-roundtrip | gs-opt | filecheck %s
// RUN: gs-opt %s --emit-bytecode | gs-opt | filecheck %s

// CHECK-LABEL: func.func @full_coordinates
// CHECK-SAME: (%[[SOURCE:.*]]: tensor<4x4x4xf32>, %[[INDICES:.*]]: tensor<1x2x3xindex>)
// CHECK: gs.gather %[[SOURCE]][%[[INDICES]]] gather_dims([0, 1, 2])
// CHECK-SAME: (tensor<4x4x4xf32>, tensor<1x2x3xindex>) -> tensor<1x2xf32>
func.func @full_coordinates(%source: tensor<4x4x4xf32>, %indices: tensor<1x2x3xindex>)
    -> tensor<1x2xf32> {
  %0 = gs.gather %source[%indices] gather_dims([0, 1, 2])
      : (tensor<4x4x4xf32>, tensor<1x2x3xindex>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// CHECK-LABEL: func.func @one_dim_dropped
// CHECK: gs.gather {{.*}} gather_dims([1])
// CHECK-SAME: -> tensor<6x7x3x5xf32>
func.func @one_dim_dropped(%source: tensor<3x4x5xf32>, %indices: tensor<6x7x1xi32>)
    -> tensor<6x7x3x5xf32> {
  %0 = gs.gather %source[%indices] gather_dims([1])
      : (tensor<3x4x5xf32>, tensor<6x7x1xi32>) -> tensor<6x7x3x5xf32>
  return %0 : tensor<6x7x3x5xf32>
}

// CHECK-LABEL: func.func @one_dim_kept_as_1
// CHECK: gs.gather {{.*}} gather_dims([1])
// CHECK-SAME: -> tensor<6x7x3x1x5xf32>
func.func @one_dim_kept_as_1(%source: tensor<3x4x5xf32>, %indices: tensor<6x7x1xi32>)
    -> tensor<6x7x3x1x5xf32> {
  %0 = gs.gather %source[%indices] gather_dims([1])
      : (tensor<3x4x5xf32>, tensor<6x7x1xi32>) -> tensor<6x7x3x1x5xf32>
  return %0 : tensor<6x7x3x1x5xf32>
}

// CHECK-LABEL: func.func @dims_apart
// CHECK: gs.gather {{.*}} gather_dims([0, 2])
// CHECK-SAME: -> tensor<6x4xf32>
func.func @dims_apart(%source: tensor<3x4x5xf32>, %indices: tensor<6x2xi64>) -> tensor<6x4xf32> {
  %0 = gs.gather %source[%indices] gather_dims([0, 2])
      : (tensor<3x4x5xf32>, tensor<6x2xi64>) -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
}

// CHECK-LABEL: func.func @dynamic_sizes
// CHECK: (tensor<?x8xf32>, tensor<?x1xindex>) -> tensor<?x8xf32>
func.func @dynamic_sizes(%source: tensor<?x8xf32>, %indices: tensor<?x1xindex>)
    -> tensor<?x8xf32> {
  %0 = gs.gather %source[%indices] gather_dims([0])
      : (tensor<?x8xf32>, tensor<?x1xindex>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// One coordinate tuple: no index dims are left, and without a rest the result has rank 0.
// CHECK-LABEL: func.func @one_tuple
// CHECK: (tensor<3x4xf32>, tensor<2xindex>) -> tensor<f32>
// CHECK: (tensor<3x4xf32>, tensor<1xindex>) -> tensor<4xf32>
func.func @one_tuple(%source: tensor<3x4xf32>, %pair: tensor<2xindex>, %row: tensor<1xindex>)
    -> (tensor<f32>, tensor<4xf32>) {
  %0 = gs.gather %source[%pair] gather_dims([0, 1])
      : (tensor<3x4xf32>, tensor<2xindex>) -> tensor<f32>
  %1 = gs.gather %source[%row] gather_dims([0])
      : (tensor<3x4xf32>, tensor<1xindex>) -> tensor<4xf32>
  return %0, %1 : tensor<f32>, tensor<4xf32>
}

// A batch dim takes its size from the operand that knows it.
// CHECK-LABEL: func.func @batch
// CHECK: gs.gather {{.*}} gather_dims([2]) batch_dims(1)
// CHECK-SAME: (tensor<?x4x5xf32>, tensor<2x6x1xi32>) -> tensor<2x6x4xf32>
// CHECK: gs.gather {{.*}} gather_dims([2]) batch_dims(2)
// CHECK-SAME: (tensor<2x4x5xf32>, tensor<2x4x1xi32>) -> tensor<2x4xf32>
func.func @batch(%x: tensor<?x4x5xf32>, %i: tensor<2x6x1xi32>, %y: tensor<2x4x5xf32>,
    %j: tensor<2x4x1xi32>) -> (tensor<2x6x4xf32>, tensor<2x4xf32>) {
  %0 = gs.gather %x[%i] gather_dims([2]) batch_dims(1)
      : (tensor<?x4x5xf32>, tensor<2x6x1xi32>) -> tensor<2x6x4xf32>
  %1 = gs.gather %y[%j] gather_dims([2]) batch_dims(2)
      : (tensor<2x4x5xf32>, tensor<2x4x1xi32>) -> tensor<2x4xf32>
  return %0, %1 : tensor<2x6x4xf32>, tensor<2x4xf32>
}

// CHECK-LABEL: func.func @promises
// CHECK: gather_dims([0]) unique sorted :
func.func @promises(%source: tensor<9xf32>, %indices: tensor<4x1xindex>) -> tensor<4xf32> {
  %0 = gs.gather %source[%indices] gather_dims([0]) unique sorted
      : (tensor<9xf32>, tensor<4x1xindex>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @modes
// CHECK: mode(promise_in_bounds)
// CHECK: mode(clip) wrap_negative
// CHECK: mode(error)
// CHECK: mode(fill) :
// CHECK: mode(fill) fill_value(-1.000000e+00 : f32)
func.func @modes(%source: tensor<9xf32>, %i: tensor<4x1xindex>) -> tensor<4xf32> {
  %0 = gs.gather %source[%i] gather_dims([0]) mode(promise_in_bounds)
      : (tensor<9xf32>, tensor<4x1xindex>) -> tensor<4xf32>
  %1 = gs.gather %source[%i] gather_dims([0]) mode(clip) wrap_negative
      : (tensor<9xf32>, tensor<4x1xindex>) -> tensor<4xf32>
  %2 = gs.gather %source[%i] gather_dims([0]) mode(error)
      : (tensor<9xf32>, tensor<4x1xindex>) -> tensor<4xf32>
  %3 = gs.gather %source[%i] gather_dims([0]) mode(fill)
      : (tensor<9xf32>, tensor<4x1xindex>) -> tensor<4xf32>
  %4 = gs.gather %source[%i] gather_dims([0]) mode(fill) fill_value(-1.0 : f32)
      : (tensor<9xf32>, tensor<4x1xindex>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// CHECK-LABEL: func.func @fill_values
// CHECK: fill_value([0.000000e+00 : f32, 1.000000e+00 : f32])
// CHECK: fill_value(255 : ui8)
// CHECK: fill_value(false)
// CHECK: fill_value(-1 : index)
// CHECK: fill_value(1.000000e+00 : f4E2M1FN)
func.func @fill_values(%c: tensor<9xcomplex<f32>>, %u: tensor<9xui8>, %b: tensor<9xi1>,
    %n: tensor<9xindex>, %f: tensor<9xf4E2M1FN>, %i: tensor<4x1xindex>) -> tensor<4xf4E2M1FN> {
  %0 = gs.gather %c[%i] gather_dims([0]) mode(fill) fill_value([0.0 : f32, 1.0 : f32])
      : (tensor<9xcomplex<f32>>, tensor<4x1xindex>) -> tensor<4xcomplex<f32>>
  %1 = gs.gather %u[%i] gather_dims([0]) mode(fill) fill_value(255 : ui8)
      : (tensor<9xui8>, tensor<4x1xindex>) -> tensor<4xui8>
  %2 = gs.gather %b[%i] gather_dims([0]) mode(fill) fill_value(false)
      : (tensor<9xi1>, tensor<4x1xindex>) -> tensor<4xi1>
  %3 = gs.gather %n[%i] gather_dims([0]) mode(fill) fill_value(-1 : index)
      : (tensor<9xindex>, tensor<4x1xindex>) -> tensor<4xindex>
  %4 = gs.gather %f[%i] gather_dims([0]) mode(fill) fill_value(1.0 : f4E2M1FN)
      : (tensor<9xf4E2M1FN>, tensor<4x1xindex>) -> tensor<4xf4E2M1FN>
  return %4 : tensor<4xf4E2M1FN>
}

// CHECK-LABEL: func.func @coordinate_types
// CHECK: tensor<4x1xi1>
// CHECK: tensor<4x1xui8>
// CHECK: tensor<4x1xsi16>
// CHECK: tensor<4x1xi7>
func.func @coordinate_types(%source: tensor<9xi4>, %b: tensor<4x1xi1>, %u: tensor<4x1xui8>,
    %s: tensor<4x1xsi16>, %odd: tensor<4x1xi7>) {
  %0 = gs.gather %source[%b] gather_dims([0]) : (tensor<9xi4>, tensor<4x1xi1>) -> tensor<4xi4>
  %1 = gs.gather %source[%u] gather_dims([0]) : (tensor<9xi4>, tensor<4x1xui8>) -> tensor<4xi4>
  %2 = gs.gather %source[%s] gather_dims([0]) : (tensor<9xi4>, tensor<4x1xsi16>) -> tensor<4xi4>
  %3 = gs.gather %source[%odd] gather_dims([0]) : (tensor<9xi4>, tensor<4x1xi7>) -> tensor<4xi4>
  return
}

// Nothing is read: then a coordinate may be clipped into an empty dimension.
// CHECK-LABEL: func.func @clip_reads_nothing
// CHECK: mode(clip)
// CHECK-SAME: (tensor<0x3xf32>, tensor<0x1xindex>) -> tensor<0x3xf32>
func.func @clip_reads_nothing(%source: tensor<0x3xf32>, %indices: tensor<0x1xindex>)
    -> tensor<0x3xf32> {
  %0 = gs.gather %source[%indices] gather_dims([0]) mode(clip)
      : (tensor<0x3xf32>, tensor<0x1xindex>) -> tensor<0x3xf32>
  return %0 : tensor<0x3xf32>
}

// A name with a dot belongs to some dialect and is kept.
// CHECK-LABEL: func.func @discardable_attribute
// CHECK: {gs.note = "kept"}
func.func @discardable_attribute(%source: tensor<9xf32>, %indices: tensor<4x1xindex>)
    -> tensor<4xf32> {
  %0 = gs.gather %source[%indices] gather_dims([0]) {gs.note = "kept"}
      : (tensor<9xf32>, tensor<4x1xindex>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
