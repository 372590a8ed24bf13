func.func @f(%from: memref<?x$element>, %to: memref<?x$element>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %width = arith.constant $width : index
  %used = arith.constant $used : index
  %spare = arith.constant $spare : index
  %block = arith.constant $block : index
  %total = memref.dim %to, %c0 : memref<?x$element>
  scf.parallel (%start) = (%c0) to (%total) step (%block) {
    %next = arith.addi %start, %block : index
    %stop = arith.minui %next, %total : index
    // Where a whole vector is left.
    %most = arith.subi %stop, %spare : index
    %whole = arith.maxsi %most, %start : index
    %end = scf.for %k = %start to %whole step %used iter_args(%at = %start) -> (index) {
      %row = vector.load %from[%k] : memref<?x$element>, vector<${lanes}x$element>
      %turned = vector.shuffle %row, %row $order
        : vector<${lanes}x$element>, vector<${lanes}x$element>
      vector.store %turned, %to[%k] : memref<?x$element>, vector<${lanes}x$element>
      %after = arith.addi %k, %used : index
      scf.yield %after : index
    }
    scf.for %k = %end to %stop step %width {
      %row = vector.load %from[%k] : memref<?x$element>, vector<${width}x$element>
      %turned = vector.shuffle %row, %row $short
        : vector<${width}x$element>, vector<${width}x$element>
      vector.store %turned, %to[%k] : memref<?x$element>, vector<${width}x$element>
    }
    scf.reduce
  }
  return
}
