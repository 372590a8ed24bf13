func.func @f($scales%table: $table, %numbers: $list, %starts: $bounds, %result: $result) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %result, %c0 : $result
  $width
  scf.parallel (%r) = (%c0) to (%rows) step (%c1) {
    %next = arith.addi %r, %c1 : index
    %a = memref.load %starts[%r] : $bounds
    %b = memref.load %starts[%next] : $bounds
    %first = arith.index_cast %a : $start to index
    %end = arith.index_cast %b : $start to index
    %size = arith.subi %end, %first : index
    %row = memref.subview %result$place : $result to $row
    %part = memref.subview %numbers[%first] [%size] [1] : $list to memref<?x$number, $strided>
    $scaling
    scf.reduce
  }
  return
}
