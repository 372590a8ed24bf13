    scf.for %first = %begin to %end step %block {
      %rest = arith.subi %end, %first : index
      %size = arith.minsi %rest, %block : index
      %rows = memref.subview %all_rows[%first] [%size] [1] : memref<?x$i> to $list
      %tos = memref.subview %to[%first] [%size] [1] : memref<?xi64> to memref<?xi64, $strided>
      %factors = memref.subview %by[%first] [%size] [1] : memref<?x$s> to memref<?x$s, $strided>
      %sums = memref.subview %all[0, 0] [%size, %n] [1, 1] : $y to $sums
      $product
      // In order: rows of the result may be met again.
      gs.generic (m, n) [row = %tos[m]] ins(%factors[m], %sums[m, n]) outs(%y[row, n])
          iterators(m = reduction, n = parallel)
          : (memref<?x$s, $strided>, $sums, memref<?xi64, $strided>, $y) -> () {
      ^bb0(%factor: $s, %product: $s, %current: $s):
        %added = math.fma %factor, %product, %current : $s
        gs.yield %added : $s
      }
    }
