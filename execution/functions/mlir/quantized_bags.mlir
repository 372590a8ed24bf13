  // A bag ends where the next one starts, or with the rows.
  %true = arith.constant true
  %bags = memref.dim %result, %c0 : $out
  %zero = arith.constant 0.0 : f32
  %begins = memref.dim %starts, %c0 : memref<?x$i>
  %end_of_all = arith.index_cast %points : index to $i
  %fits:2 = scf.for %r = %c0 to %begins step %c1
      iter_args(%before = %none, %ascend = %true) -> ($i, i1) {
    %start = memref.load %starts[%r] : memref<?x$i>
    %up = arith.cmpi sge, %start, %before : $i
    %so_far = arith.andi %ascend, %up : i1
    scf.yield %start, %so_far : $i, i1
  }
  %any = arith.cmpi ne, %begins, %c0 : index
  %begin = scf.if %any -> $i {
    %given = memref.load %starts[%c0] : memref<?x$i>
    scf.yield %given : $i
  } else {
    scf.yield %none : $i
  }
  %from_first = arith.cmpi eq, %begin, %none : $i
  %inside = arith.cmpi sle, %fits#0, %end_of_all : $i
  %within_rows = arith.andi %from_first, %inside : i1
  %ascending = arith.andi %fits#1, %within_rows : i1
  cf.assert %ascending, "bags that ascend"
  scf.parallel (%r) = (%c0) to (%bags) step (%c1) {
    %next = arith.addi %r, %c1 : index
    %a = memref.load %starts[%r] : memref<?x$i>
    %another = arith.cmpi slt, %next, %begins : index
    %b = scf.if %another -> $i {
      %given = memref.load %starts[%next] : memref<?x$i>
      scf.yield %given : $i
    } else {
      scf.yield %end_of_all : $i
    }
    %first = arith.index_cast %a : $i to index
    %end = arith.index_cast %b : $i to index
    %size = arith.subi %end, %first : index
    %row = memref.subview %result[%r, 0] [1, $columns] [1, 1] : $out to $row
    %part = memref.subview %rows[%first] [%size] [1] : memref<?x$i> to memref<?x$i, $strided>
    $factors
    linalg.fill ins(%zero : f32) outs(%row : $row)
    scf.reduce
  }
