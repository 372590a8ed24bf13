func.func @f(%keys: memref<?xi64>, %table: memref<?xi32>, %different: memref<?xi64>,
             %first: memref<?xi64>, %numbers: memref<?xi64>, %found: memref<1xi64>, %factor: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %none = arith.constant 0 : i32
  %half = arith.constant 32 : i64
  %none_found = arith.constant -1 : i64
  %n = memref.dim %keys, %c0 : memref<?xi64>
  %slots = memref.dim %table, %c0 : memref<?xi32>
  %size = arith.index_cast %slots : index to i64
  %mask = arith.subi %size, %i1 : i64
  // The table has 2^b slots, and a key begins at the first b bits of its product.
  %shift = math.ctlz %mask : i64
  // It gives up, with -1, where keys take more steps: a factor may put them all in a row of slots.
  %most = arith.constant 8 : index
  %each = arith.muli %n, %most : index
  %all = arith.addi %each, %c1 : index
  %count, %rest = scf.for %k = %c0 to %n step %c1 iter_args(%known = %i0, %steps = %all) -> (i64, index) {
    %key = memref.load %keys[%k] : memref<?xi64>
    %high = arith.shrui %key, %half : i64
    %mixed = arith.xori %key, %high : i64
    %product = arith.muli %mixed, %factor : i64
    %start = arith.shrui %product, %shift : i64
    %slot, %left = scf.while (%at = %start, %steps_left = %steps) : (i64, index) -> (i64, index) {
      %place = arith.index_cast %at : i64 to index
      %code = memref.load %table[%place] : memref<?xi32>
      %used = arith.cmpi sge, %code, %none : i32
      %goes = scf.if %used -> (i1) {
        %where = arith.index_cast %code : i32 to index
        %other = memref.load %different[%where] : memref<?xi64>
        %differs = arith.cmpi ne, %other, %key : i64
        %may = arith.cmpi ne, %steps_left, %c0 : index
        %both = arith.andi %differs, %may : i1
        scf.yield %both : i1
      } else {
        scf.yield %used : i1
      }
      scf.condition(%goes) %at, %steps_left : i64, index
    } do {
    ^bb0(%at: i64, %steps_left: index):
      %next = arith.addi %at, %i1 : i64
      %wrapped = arith.andi %next, %mask : i64
      %less = arith.subi %steps_left, %c1 : index
      scf.yield %wrapped, %less : i64, index
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
    scf.yield %after, %left : i64, index
  }
  %ended = arith.cmpi eq, %rest, %c0 : index
  %result = arith.select %ended, %none_found, %count : i64
  memref.store %result, %found[%c0] : memref<1xi64>
  return
}
