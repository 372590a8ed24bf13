  // No coordinate is negative, or as large as the number of rows.
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : $i
  %points = memref.dim %rows, %c0 : memref<?x$i>
  %most = scf.for %k = %c0 to %points step %c1 iter_args(%top = %none) -> $i {
    %at = memref.load %rows[%k] : memref<?x$i>
    %above = arith.maxui %top, %at : $i
    scf.yield %above : $i
  }
  %height = memref.dim %data, %c0 : $table
  %last = arith.index_castui %most : $i to index
  %below = arith.cmpi ult, %last, %height : index
  %all = arith.cmpi eq, %points, %c0 : index
  %within = arith.ori %all, %below : i1
  cf.assert %within, "a row for each number"
