func.func @f(%rows: $matrix, %mask: memref<?xi8>, %starts: memref<?xi64>, %result: $matrix) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %none = arith.constant 0 : i8
  %clear = arith.constant 0 : i64
  %width = memref.dim %rows, %c1 : $matrix
  %found = memref.dim %result, %c0 : $matrix
  %most = arith.subi %found, %c1 : index
  %total = memref.dim %mask, %c0 : memref<?xi8>
  %ends = memref.dim %starts, %c0 : memref<?xi64>
  %pieces = arith.subi %ends, %c1 : index
  %length = arith.ceildivui %total, %pieces : index
  scf.parallel (%p) = (%c0) to (%pieces) step (%c1) {
    %start = arith.muli %p, %length : index
    %next = arith.addi %start, %length : index
    %limit = arith.minui %next, %total : index
    // The last one of the piece: from there on nothing may be written.
    %stop = scf.while (%k = %limit) : (index) -> index {
      %more = arith.cmpi ugt, %k, %start : index
      %goes = scf.if %more -> (i1) {
        %before = arith.subi %k, %c1 : index
        %flag = memref.load %mask[%before] : memref<?xi8>
        %unset = arith.cmpi eq, %flag, %none : i8
        scf.yield %unset : i1
      } else {
        scf.yield %more : i1
      }
      scf.condition(%goes) %k : index
    } do {
    ^bb0(%k: index):
      %before = arith.subi %k, %c1 : index
      scf.yield %before : index
    }
    %first = memref.load %starts[%p] : memref<?xi64>
    %from = arith.index_cast %first : i64 to index
    %some = arith.cmpi sgt, %stop, %start : index
    scf.if %some {
      $vectors
      %size = arith.subi %stop, %begin : index
      %rest = arith.remui %size, %c8 : index
      %whole = arith.subi %stop, %rest : index
      %mid = scf.for %k = %begin to %whole step %c8 iter_args(%at = %room) -> (index) {
        %flags = vector.load %mask[%k] : memref<?xi8>, vector<8xi8>
        %word = vector.bitcast %flags : vector<8xi8> to vector<1xi64>
        %all = vector.extract %word[0] : i64 from vector<1xi64>
        %any = arith.cmpi ne, %all, %clear : i64
        %then = scf.if %any -> (index) {
          %c8b = arith.addi %k, %c8 : index
          %on = scf.for %i = %k to %c8b step %c1 iter_args(%place = %at) -> (index) {
            $step
            scf.yield %after : index
          }
          scf.yield %on : index
        } else {
          scf.yield %at : index
        }
        scf.yield %then : index
      }
      %last = scf.for %i = %whole to %stop step %c1 iter_args(%place = %mid) -> (index) {
        $step
        scf.yield %after : index
      }
    }
    scf.reduce
  }
  return
}
