// Rows of a width known when they are read come early from L3 where they have a line, else from memory
// alone.
// RUN: gs-opt %s --convert-gs-to-scf=target=generic --gs-prefetch=target=generic --canonicalize --cse | filecheck %s

// CHECK-LABEL: func.func @rows
// CHECK-DAG: %[[MEMORY:.*]] = arith.constant 16777217 : index
// CHECK-DAG: %[[L3:.*]] = arith.constant 1048577 : index
// CHECK: %[[LINE:.*]] = arith.cmpi sge, %[[WIDTH:.*]], %c64
// CHECK-NEXT: %[[LEAST:.*]] = arith.select %[[LINE]], %[[L3]], %[[MEMORY]]
// CHECK: arith.cmpi sge, %{{.*}}, %[[LEAST]]
// CHECK: arith.cmpi sle, %[[WIDTH]]
func.func @rows(%table: memref<?x?xf32>, %ids: memref<?xi32>, %y: memref<?x?xf32>) {
  gs.generic (e, d) [s = %ids[e] mode(promise_in_bounds)] ins(%table[s, d]) outs(%y[e, d]) iterators(e = parallel, d = parallel)
      : (memref<?x?xf32>, memref<?xi32>, memref<?x?xf32>) -> () {
  ^bb0(%a: f32, %o: f32):
    gs.yield %a : f32
  }
  return
}
