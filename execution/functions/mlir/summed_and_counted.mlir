// Sums of the values that have the same id, and in the same loop how many these are.
func.func @f(%x: tensor<?x$t>, %ids: tensor<?x$ids>,
    %sums: tensor<?x$t> {bufferization.writable = true},
    %counts: tensor<?xi64> {bufferization.writable = true}) -> (tensor<?x$t>, tensor<?xi64>) {
  %one = arith.constant 1 : i64
  %s, %c = gs.generic (i) [s = %ids[i]] ins(%x[i]) outs(%sums[s], %counts[s])
      iterators(i = reduction)
      : (tensor<?x$t>, tensor<?x$ids>, tensor<?x$t>, tensor<?xi64>)
      -> (tensor<?x$t>, tensor<?xi64>) {
  ^bb0(%value: $t, %sum: $t, %count: i64):
    %added = arith.addf %sum, %value : $t
    %counted = arith.addi %count, %one : i64
    gs.yield %added, %counted : $t, i64
  }
  return %s, %c : tensor<?x$t>, tensor<?xi64>
}
