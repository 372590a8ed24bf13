// RUN: gs-opt %s --gs-expand-math | filecheck %s

// Exponentials and logarithms of f32 are arithmetic of f64, alone and in vectors; others stay.
// CHECK-LABEL: func.func @scalar
// CHECK: arith.extf %{{.*}} : f32 to f64
// CHECK-NOT: math.
// CHECK: %[[BITS:.*]] = arith.bitcast %{{.*}} : f64 to i64
// CHECK: arith.shli %[[BITS]], %{{.*}} : i64
// CHECK-NOT: math.
// CHECK: arith.truncf %{{.*}} : f64 to f32
func.func @scalar(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  return %0 : f32
}

// CHECK-LABEL: func.func @vectors
// CHECK: arith.extf %{{.*}} : vector<8xf32> to vector<8xf64>
// CHECK: arith.truncf %{{.*}} : vector<8xf64> to vector<8xf32>
// CHECK-NOT: math.
// CHECK: return
func.func @vectors(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.tanh %x : vector<8xf32>
  %1 = math.log %0 : vector<8xf32>
  return %1 : vector<8xf32>
}

// CHECK-LABEL: func.func @others
// CHECK: math.exp %arg0 : f64
// CHECK: math.sin %arg1 : f32
// CHECK: math.exp %arg2 : f16
func.func @others(%x: f64, %y: f32, %z: f16) -> (f64, f32, f16) {
  %0 = math.exp %x : f64
  %1 = math.sin %y : f32
  %2 = math.exp %z : f16
  return %0, %1, %2 : f64, f32, f16
}
