func.func @f(%keys: memref<?xi64>, %table: memref<?xi32>, %different: memref<?xi64>,
             %first: memref<?xi64>, %numbers: memref<?xi64>, %found: memref<1xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %none = arith.constant 0 : i32
  %half = arith.constant 32 : i64
  // 2^64 over the golden ratio: keys in a row, or at a stride, come to lie apart.
  %factor = arith.constant 0x9E3779B97F4A7C15 : i64
  %n = memref.dim %keys, %c0 : memref<?xi64>
  %slots = memref.dim %table, %c0 : memref<?xi32>
  %size = arith.index_cast %slots : index to i64
  %mask = arith.subi %size, %i1 : i64
  // The table has 2^b slots, and a key begins at the first b bits of its product.
  %shift = math.ctlz %mask : i64
  %count = scf.for %k = %c0 to %n step %c1 iter_args(%known = %i0) -> (i64) {
    %key = memref.load %keys[%k] : memref<?xi64>
    %high = arith.shrui %key, %half : i64
    %mixed = arith.xori %key, %high : i64
    %product = arith.muli %mixed, %factor : i64
    %start = arith.shrui %product, %shift : i64
    %slot = scf.while (%at = %start) : (i64) -> i64 {
      %place = arith.index_cast %at : i64 to index
      %code = memref.load %table[%place] : memref<?xi32>
      %used = arith.cmpi sge, %code, %none : i32
      %goes = scf.if %used -> (i1) {
        %where = arith.index_cast %code : i32 to index
        %other = memref.load %different[%where] : memref<?xi64>
        %differs = arith.cmpi ne, %other, %key : i64
        scf.yield %differs : i1
      } else {
        scf.yield %used : i1
      }
      scf.condition(%goes) %at : i64
    } do {
    ^bb0(%at: i64):
      %next = arith.addi %at, %i1 : i64
      %wrapped = arith.andi %next, %mask : i64
      scf.yield %wrapped : i64
    }
    %place = arith.index_cast %slot : i64 to index
    %code = memref.load %table[%place] : memref<?xi32>
    %is_new = arith.cmpi slt, %code, %none : i32
    %old = arith.extsi %code : i32 to i64
    %number = arith.select %is_new, %known, %old : i64
    %after = scf.if %is_new -> (i64) {
      %where = arith.index_cast %known : i64 to index
      %position = arith.index_cast %k : index to i64
      %new = arith.trunci %known : i64 to i32
      memref.store %new, %table[%place] : memref<?xi32>
      memref.store %key, %different[%where] : memref<?xi64>
      memref.store %position, %first[%where] : memref<?xi64>
      %more = arith.addi %known, %i1 : i64
      scf.yield %more : i64
    } else {
      scf.yield %known : i64
    }
    memref.store %number, %numbers[%k] : memref<?xi64>
    scf.yield %after : i64
  }
  memref.store %count, %found[%c0] : memref<1xi64>
  return
}
