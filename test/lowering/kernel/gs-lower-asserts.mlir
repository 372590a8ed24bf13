// RUN: gs-opt %s --gs-choose-kernel --gs-lower-asserts --gs-run-in-sequence | FileCheck %s
// RUN: gs-opt %s --gs-choose-kernel --gs-run-in-sequence | FileCheck %s --check-prefix=NOTHING

// NOTHING-NOT: gs.sequential
// CHECK: gs.assertions = ["too small", "wrong"]
// CHECK: func.func private @__gs_assert(i64)

// CHECK-LABEL: func.func @f
// CHECK-SAME: gs.sequential
// CHECK: %[[NOT:.*]] = arith.xori %{{.*}}, %{{.*}} : i1
// CHECK: scf.if %[[NOT]] {
// CHECK: call @__gs_assert(%{{.*}}) : (i64) -> ()
// CHECK: scf.parallel
// CHECK: call @__gs_assert
// CHECK-NOT: cf.assert
func.func @f(%c: i1, %n: index) {
  cf.assert %c, "too small"
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    cf.assert %c, "wrong"
  }
  return
}
