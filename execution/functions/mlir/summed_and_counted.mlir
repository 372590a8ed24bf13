// Adds up the values that have the same id, and in the same loop counts them. Blocks of ids are
// looked at in the first cache, so that dropping those out of bounds costs little.
func.func @f(%x: memref<?x$t>, %ids: memref<?x$ids>, %sums: memref<?x$t>, %counts: memref<?xi64>) {
  %one = arith.constant 1 : i64
  gs.generic (i) [s = %ids[i] mode(fill_or_drop)] ins(%x[i]) outs(%sums[s], %counts[s])
      iterators(i = reduction)
      : (memref<?x$t>, memref<?x$ids>, memref<?x$t>, memref<?xi64>) -> () {
  ^bb0(%value: $t, %sum: $t, %count: i64):
    %added = arith.addf %sum, %value : $t
    %counted = arith.addi %count, %one : i64
    gs.yield %added, %counted : $t, i64
  }
  return
}
