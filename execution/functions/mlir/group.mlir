func.func @f(%keys: memref<?x$key>, $sources%counts: memref<?x?x$count>, $targets
             %offsets: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : $count
  %one = arith.constant 1 : $count
  %total = memref.dim %keys, %c0 : memref<?x$key>
  $sizes
  %pieces = memref.dim %counts, %c0 : memref<?x?x$count>
  %bins = memref.dim %counts, %c1 : memref<?x?x$count>
  %ends = memref.dim %offsets, %c0 : memref<?xi64>
  %same = arith.cmpi eq, %bins, %ends : index
  cf.assert %same, "an offset for each count"
  %some = arith.cmpi uge, %bins, %c1 : index
  cf.assert %some, "a count for keys in no group"
  %groups = arith.subi %bins, %c1 : index
  %length = arith.ceildivui %total, %pieces : index
  %greatest = arith.subi %total, %c1 : index
  %false = arith.constant false
  %falls = memref.alloca(%pieces) : memref<?xi1>
  scf.parallel (%p) = (%c0) to (%pieces) step (%c1) {
    %start = arith.muli %p, %length : index
    %next = arith.addi %start, %length : index
    %stop = arith.minui %next, %total : index
    scf.for %b = %c0 to %bins step %c1 {
      memref.store %zero, %counts[%p, %b] : memref<?x?x$count>
    }
    %fell:2 = scf.for %k = %start to %stop step %c1
        iter_args(%fall = %false, %before = %c0) -> (i1, index) {
      $bin
      %seen = memref.load %counts[%p, %bin] : memref<?x?x$count>
      %more = arith.addi %seen, %one : $count
      memref.store %more, %counts[%p, %bin] : memref<?x?x$count>
      %less = arith.cmpi ult, %bin, %before : index
      %any = arith.ori %fall, %less : i1
      scf.yield %any, %bin : i1, index
    }
    memref.store %fell#0, %falls[%p] : memref<?xi1>
    scf.reduce
  }
  // The greatest bin of a piece is not above the least of the next one, if all are in order.
  %order_breaks:2 = scf.for %p = %c0 to %pieces step %c1
      iter_args(%fall = %false, %before = %c0) -> (i1, index) {
    %start = arith.muli %p, %length : index
    %next = arith.addi %start, %length : index
    %limit = arith.minui %next, %total : index
    %inside = memref.load %falls[%p] : memref<?xi1>
    %some_keys = arith.cmpi ult, %start, %limit : index
    %result:2 = scf.if %some_keys -> (i1, index) {
      %first = scf.execute_region -> index {
        %k = arith.addi %start, %c0 : index
        $bin
        scf.yield %bin : index
      }
      %final = scf.execute_region -> index {
        %k = arith.subi %limit, %c1 : index
        $bin
        scf.yield %bin : index
      }
      %less = arith.cmpi ult, %first, %before : index
      %here = arith.ori %less, %inside : i1
      %any = arith.ori %fall, %here : i1
      scf.yield %any, %final : i1, index
    } else {
      scf.yield %fall, %before : i1, index
    }
    scf.yield %result#0, %result#1 : i1, index
  }
  %end = scf.for %b = %c0 to %bins step %c1 iter_args(%at = %zero) -> ($count) {
    %begin = $widened
    memref.store %begin, %offsets[%b] : memref<?xi64>
    %last = scf.for %p = %c0 to %pieces step %c1 iter_args(%first = %at) -> ($count) {
      %size = memref.load %counts[%p, %b] : memref<?x?x$count>
      memref.store %first, %counts[%p, %b] : memref<?x?x$count>
      %next = arith.addi %first, %size : $count
      scf.yield %next : $count
    }
    scf.yield %last : $count
  }
  scf.parallel (%p) = (%c0) to (%pieces) step (%c1) {
    %start = arith.muli %p, %length : index
    %next = arith.addi %start, %length : index
    %stop = arith.minui %next, %total : index
    scf.if %order_breaks#0 {
      scf.for %k = %start to %stop step %c1 {
        $bin
        %place = memref.load %counts[%p, %bin] : memref<?x?x$count>
        %after = arith.addi %place, %one : $count
        memref.store %after, %counts[%p, %bin] : memref<?x?x$count>
        %where = arith.index_cast %place : $count to index
        %safe = arith.minui %where, %greatest : index
        $moves
      }
    } else {
      $copies
    }
    scf.reduce
  }
  return
}
