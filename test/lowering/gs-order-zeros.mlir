// RUN: gs-opt %s --gs-order-zeros | filecheck %s

// CHECK-LABEL: func @greater
// CHECK-SAME: %[[A:.*]]: f32, %[[B:.*]]: f32
func.func @greater(%a: f32, %b: f32) -> f32 {
  // CHECK: %[[MAX:.*]] = arith.maximumf %[[A]], %[[B]] : f32
  // CHECK: %[[NO_B:.*]] = arith.cmpf uno, %[[B]], %[[B]]
  // CHECK: %[[ONE:.*]] = arith.select %[[NO_B]], %[[A]], %[[MAX]]
  // CHECK: %[[NO_A:.*]] = arith.cmpf uno, %[[A]], %[[A]]
  // CHECK: %[[R:.*]] = arith.select %[[NO_A]], %[[B]], %[[ONE]]
  // CHECK: return %[[R]]
  %r = arith.maxnumf %a, %b : f32
  return %r : f32
}

// CHECK-LABEL: func @less_of_vectors
// CHECK-SAME: %[[A:.*]]: vector<4xf16>, %[[B:.*]]: vector<4xf16>
func.func @less_of_vectors(%a: vector<4xf16>, %b: vector<4xf16>) -> vector<4xf16> {
  // CHECK: arith.minimumf %[[A]], %[[B]] : vector<4xf16>
  // CHECK-NOT: minnumf
  %r = arith.minnumf %a, %b : vector<4xf16>
  return %r : vector<4xf16>
}

// CHECK-LABEL: func @any_zero
func.func @any_zero(%a: f32, %b: f32) -> (f32, f32) {
  // CHECK: arith.maxnumf %{{.*}}, %{{.*}} fastmath<nsz> : f32
  %r = arith.maxnumf %a, %b fastmath<nsz> : f32
  // CHECK: arith.minnumf %{{.*}}, %{{.*}} fastmath<fast> : f32
  %s = arith.minnumf %a, %b fastmath<fast> : f32
  return %r, %s : f32, f32
}
