func.func @f(%rows: $matrix, %mask: memref<?xi8>, %value: memref<$element>, %result: $matrix) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %block = arith.constant 4096 : index
  %none = arith.constant 0 : i8
  %new = memref.load %value[] : memref<$element>
  %width = memref.dim %rows, %c1 : $matrix
  %total = memref.dim %mask, %c0 : memref<?xi8>
  scf.parallel (%start) = (%c0) to (%total) step (%block) {
    %next = arith.addi %start, %block : index
    %stop = arith.minui %next, %total : index
    scf.for %k = %start to %stop step %c1 {
      %flag = memref.load %mask[%k] : memref<?xi8>
      %is = arith.cmpi ne, %flag, %none : i8
      scf.for %j = %c0 to %width step %c1 {
        %old = memref.load %rows[%k, %j] : $matrix
        %element = $select
        memref.store %element, %result[%k, %j] : $matrix
      }
    }
    scf.reduce
  }
  return
}
