// How many rows with the same id come before each: `start` is 0 for each id.
func.func @f(%ids: tensor<?x$ids>, %start: tensor<?xi64>) -> (tensor<?xi64>, tensor<?xi64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %n = tensor.dim %ids, %c0 : tensor<?x$ids>
  %y = tensor.empty(%n) : tensor<?xi64>
  %last, %all = gs.generic (i) [s = %ids[i]] ins() outs(%start[s], %y[i])
      iterators(i = reduction)
      : (tensor<?x$ids>, tensor<?xi64>, tensor<?xi64>) -> (tensor<?xi64>, tensor<?xi64>) {
  ^bb0(%before: i64, %old: i64):
    %now = arith.addi %before, %one : i64
    gs.yield %now, %before : i64, i64
  }
  return %last, %all : tensor<?xi64>, tensor<?xi64>
}
