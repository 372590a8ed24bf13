func.func @f(%q: memref<?x?x${d}xf32>, %k: $cache, %v: $cache, %table: memref<?x?x$i>,
    %lengths: memref<?xi64>, %starts: memref<?xi64>, %factors: memref<3xf32>, %seen: index,
    %sinks: memref<?xf32>, %work: memref<?x?x2xf32>, %result: memref<?x?x${d}xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant $page : index
  %true = arith.constant true
  %sequences = memref.dim %lengths, %c0 : memref<?xi64>
  %pages = memref.dim %k, %c0 : $cache
  %parts = arith.constant $parts : index
  %all = scf.for %s = %c0 to %sequences step %c1 iter_args(%good = %true) -> i1 {
    %given = memref.load %lengths[%s] : memref<?xi64>
    %length = arith.index_cast %given : i64 to index
    %used = arith.ceildivui %length, %size : index
    %next = arith.addi %s, %c1 : index
    %low = memref.load %starts[%s] : memref<?xi64>
    %high = memref.load %starts[%next] : memref<?xi64>
    %tokens = arith.subi %high, %low : i64
    %others = arith.subi %given, %tokens : i64
    %known = arith.index_cast %others : i64 to index
    %limit = arith.addi %known, %c1 : index
    %hidden = arith.subi %limit, %seen : index
    %from_key = arith.maxsi %hidden, %c0 : index
    %from = arith.divui %from_key, %size : index
    %each = scf.for %p = %from to %used step %c1 iter_args(%still = %good) -> i1 {
      %number = memref.load %table[%s, %p] : memref<?x?x$i>
      %page = arith.index_cast %number : $i to index
      %is_one = arith.cmpi ult, %page, %pages : index
      %both = arith.andi %still, %is_one : i1
      scf.yield %both : i1
    }
    scf.yield %each : i1
  }
  cf.assert %all, "a page for each number"
  scf.parallel (%s, %part) = (%c0, %c0) to (%sequences, %parts) step (%c1, %c1) {
    scf.reduce
  }
  return
}
