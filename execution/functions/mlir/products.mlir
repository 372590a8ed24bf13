func.func @f(%x: $x, %all_w: $ws, %all_rows: memref<?x$i>, %starts: memref<?xi64>,
    $more%y: $y) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : $s
  %groups = memref.dim %all_w, %c0 : $ws
  %k = memref.dim %all_w, %c1 : $ws
  %n = memref.dim %all_w, %c2 : $ws
  $buffer
  scf.for %g = %c0 to %groups step %c1 {
    %next = arith.addi %g, %c1 : index
    %from = memref.load %starts[%g] : memref<?xi64>
    %to_next = memref.load %starts[%next] : memref<?xi64>
    %begin = arith.index_cast %from : i64 to index
    %end = arith.index_cast %to_next : i64 to index
    %w = memref.subview %all_w[%g, 0, 0] [1, %k, %n] [1, 1, 1] : $ws to $w
    $blocks
  }
  $free
  return
}
