// RUN: gs-opt %s --gs-generalize --gs-tile="sizes=4,8" --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --gs-generalize --gs-tile="sizes=4 loops=forall" --canonicalize --cse \
// RUN:   | filecheck %s --check-prefix=FORALL

// Coordinates are tiled along, and so are columns; the last tile of rows may be smaller.

// CHECK-LABEL: func.func @rows
// CHECK-SAME: (%[[TABLE:.*]]: tensor<1000x64xf32>, %[[IDS:.*]]: tensor<?x1xi64>)
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N:.*]] step %c4
// CHECK: scf.for %[[J:.*]] = %c0 to %c64 step %c8
// CHECK: %[[LEFT_OVER:.*]] = arith.subi %[[N]], %[[I]]
// CHECK: %[[SIZE:.*]] = arith.minsi %[[LEFT_OVER]], %c4
// CHECK: %[[COLUMNS:.*]] = tensor.extract_slice %[[TABLE]][0, %[[J]]] [1000, 8] [1, 1]
// CHECK: %[[SOME:.*]] = tensor.extract_slice %[[IDS]][%[[I]], 0] [%[[SIZE]], 1] [1, 1]
// CHECK: %[[OUT:.*]] = tensor.extract_slice %[[ALL:.*]][%[[I]], %[[J]]] [%[[SIZE]], 8] [1, 1]
// CHECK: %[[TILE:.*]] = gs.generic (d0, d1) [s0 = %[[SOME]][d0, 0] mode(clip)] ins(%[[COLUMNS]][s0, d1]) outs(%[[OUT]][d0, d1])
// CHECK: tensor.insert_slice %[[TILE]] into %[[ALL]][%[[I]], %[[J]]] [%[[SIZE]], 8] [1, 1]
// FORALL-LABEL: func.func @rows
// FORALL: scf.forall (%[[I:.*]]) = (0) to (%{{.*}}) step (4) shared_outs(%[[ALL:.*]] = %{{.*}})
// FORALL: %[[TILE:.*]] = gs.generic (
// FORALL: scf.forall.in_parallel
// FORALL: tensor.parallel_insert_slice %[[TILE]] into %[[ALL]][%[[I]], 0]
func.func @rows(%table: tensor<1000x64xf32>, %ids: tensor<?x1xi64>) -> tensor<?x64xf32> {
  %r = gs.gather %table[%ids] gather_dims([0]) mode(clip)
      : (tensor<1000x64xf32>, tensor<?x1xi64>) -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}

// Nothing is written before an error: it is looked for before the loop.

// CHECK-LABEL: func.func @checked
// CHECK: scf.if
// CHECK: call @__gs_raise_2
// CHECK: scf.for
// CHECK: gs.generic (
// CHECK-NOT: mode(error)
// CHECK: return
// FORALL-LABEL: func.func @checked
// FORALL: call @__gs_raise_2
// FORALL: scf.forall
func.func @checked(%table: tensor<?xf32>, %ids: tensor<12x1xi64>) -> tensor<12xf32> {
  %r = gs.gather %table[%ids] gather_dims([0]) mode(error)
      : (tensor<?xf32>, tensor<12x1xi64>) -> tensor<12xf32>
  return %r : tensor<12xf32>
}

// Two maps of one operand: what lies one further on is in a slice of its own. Every second element
// is read from where the tile begins.

// CHECK-LABEL: func.func @windows
// CHECK-SAME: (%[[X:.*]]: tensor<16xf32>, %[[AT:.*]]: tensor<9xi64>, %{{.*}}: tensor<8xf32>)
// CHECK: scf.for %[[I:.*]] = %c0 to %c8 step %c4
// CHECK: %[[TWICE:.*]] = arith.muli %[[I]], %c2
// CHECK: %[[PLACE:.*]] = arith.minsi %[[TWICE]], %c16
// CHECK: %[[SIZE:.*]] = arith.subi %c16, %[[PLACE]]
// CHECK: tensor.extract_slice %[[X]][%[[PLACE]]] [%[[SIZE]]] [1] : tensor<16xf32> to tensor<?xf32>
// CHECK: tensor.extract_slice %[[AT]][%[[I]]] [4] [1] : tensor<9xi64> to tensor<4xi64>
// CHECK: %[[REST:.*]] = arith.subi %c9, %{{.*}}
// CHECK: tensor.extract_slice %[[AT]][%{{.*}}] [%[[REST]]] [1] : tensor<9xi64> to tensor<?xi64>
// CHECK: gs.generic (d0) [s0 = %{{.*}}[d0], s1 = %{{.*}}[d0 + 1]] ins(%{{.*}}[d0 * 2], %[[X]][s1]) outs(
// FORALL-LABEL: func.func @windows
// FORALL: scf.forall
func.func @windows(%x: tensor<16xf32>, %at: tensor<9xi64>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %r = gs.generic (d0) [s0 = %at[d0], s1 = %at[d0 + 1]]
      ins(%x[d0 * 2], %x[s1]) outs(%y[d0]) iterators(d0 = parallel)
      : (tensor<16xf32>, tensor<16xf32>, tensor<9xi64>, tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %sum = arith.addf %a, %b : f32
    gs.yield %sum : f32
  }
  return %r : tensor<8xf32>
}
