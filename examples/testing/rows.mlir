// The loops that a gather of rows becomes, and their results.
// RUN: gs-opt %s --gs-generalize --convert-gs-to-linalg | filecheck %s
// RUN: gs-run %s --shape 0=9x8 --shape 1=5x1 --check

// CHECK-LABEL: func.func @rows
//  CHECK-SAME:   %[[TABLE:[^:]*]]: tensor<?x8xf32>, %[[IDS:[^:]*]]: tensor<?x1xi64>
//       CHECK:   linalg.generic
//  CHECK-SAME:     ins(%[[IDS]]
//       CHECK:     tensor.extract %[[TABLE]]
func.func @rows(%table: tensor<?x8xf32>, %ids: tensor<?x1xi64>) -> tensor<?x8xf32> {
  %0 = gs.gather %table[%ids] gather_dims([0]) mode(clip)
      : (tensor<?x8xf32>, tensor<?x1xi64>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
