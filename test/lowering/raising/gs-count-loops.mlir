// RUN: gs-opt %s --gs-count-loops --canonicalize | filecheck %s

// What is passed on is in another order, and a second integer grows.
// CHECK-LABEL: func.func @counts
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[LO:.*]]: i32, %[[HI:.*]]: i32, %[[Q:.*]]: i32)
// CHECK-DAG: %[[L:.*]] = arith.index_cast %[[LO]]
// CHECK-DAG: %[[H:.*]] = arith.index_cast %[[HI]]
// CHECK: %[[R:.*]] = scf.for %[[K:.*]] = %[[L]] to %[[H]] step %{{.*}} iter_args(%[[A:.*]] = %[[X]]) -> (tensor<4xf32>)
// CHECK: %[[TURN:.*]] = arith.subi %[[K]], %[[L]]
// CHECK: %[[T:.*]] = arith.index_cast %[[TURN]] : index to i32
// CHECK: %[[S:.*]] = arith.muli %[[T]], %[[HI]]
// CHECK: %[[J:.*]] = arith.addi %[[Q]], %[[S]]
// CHECK: %[[Y:.*]] = tensor.insert %{{.*}} into %[[A]]
// CHECK: scf.yield %[[Y]]
// CHECK: %[[M:.*]] = arith.maxsi %[[L]], %[[H]]
// CHECK: %[[TURNS:.*]] = arith.subi %[[M]], %[[L]]
// CHECK: return %[[R]],
func.func @counts(%x: tensor<4xf32>, %lo: i32, %hi: i32, %q: i32) -> (tensor<4xf32>, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i32
  %r:3 = scf.while (%j = %q, %a = %x, %i = %lo) : (i32, tensor<4xf32>, i32) -> (tensor<4xf32>, i32, i32) {
    %c = arith.cmpi slt, %i, %hi : i32
    scf.condition(%c) %a, %i, %j : tensor<4xf32>, i32, i32
  } do {
  ^bb0(%a: tensor<4xf32>, %i: i32, %j: i32):
    %f = arith.sitofp %j : i32 to f32
    %y = tensor.insert %f into %a[%c0] : tensor<4xf32>
    %i2 = arith.addi %i, %c1 : i32
    %j2 = arith.addi %hi, %j : i32
    scf.yield %j2, %y, %i2 : i32, tensor<4xf32>, i32
  }
  return %r#0, %r#1, %r#2 : tensor<4xf32>, i32, i32
}

// Steps of 2 may pass the end of the type, the end changes, the counter is passed on as another,
// the condition asks for more, and the condition is passed on: these stay.
// CHECK-LABEL: func.func @stays
// CHECK-COUNT-5: scf.while
// CHECK-NOT: scf.for
func.func @stays(%n: i8, %p: i1) -> (i8, i8, i8, i8, i8, i1) {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  %c2 = arith.constant 2 : i8
  %a = scf.while (%i = %c0) : (i8) -> i8 {
    %c = arith.cmpi slt, %i, %n : i8
    scf.condition(%c) %i : i8
  } do {
  ^bb0(%i: i8):
    %k = arith.addi %i, %c2 : i8
    scf.yield %k : i8
  }
  %b = scf.while (%i = %c0, %m = %n) : (i8, i8) -> i8 {
    %c = arith.cmpi slt, %i, %m : i8
    scf.condition(%c) %i : i8
  } do {
  ^bb0(%i: i8):
    %k = arith.addi %i, %c1 : i8
    %l = arith.xori %i, %n : i8
    scf.yield %k, %l : i8, i8
  }
  %d:2 = scf.while (%i = %c0, %j = %n) : (i8, i8) -> (i8, i8) {
    %c = arith.cmpi slt, %i, %n : i8
    scf.condition(%c) %j, %i : i8, i8
  } do {
  ^bb0(%i: i8, %j: i8):
    %k = arith.addi %i, %c1 : i8
    scf.yield %k, %j : i8, i8
  }
  %e = scf.while (%i = %c0) : (i8) -> i8 {
    %c = arith.cmpi slt, %i, %n : i8
    %both = arith.andi %c, %p : i1
    scf.condition(%both) %i : i8
  } do {
  ^bb0(%i: i8):
    %k = arith.addi %i, %c1 : i8
    scf.yield %k : i8
  }
  %f:2 = scf.while (%i = %c0) : (i8) -> (i1, i8) {
    %c = arith.cmpi slt, %i, %n : i8
    scf.condition(%c) %c, %i : i1, i8
  } do {
  ^bb0(%c: i1, %i: i8):
    %k = arith.addi %i, %c1 : i8
    scf.yield %k : i8
  }
  return %a, %b, %d#0, %d#1, %e, %f#0 : i8, i8, i8, i8, i8, i1
}
