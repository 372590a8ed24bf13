func.func @f(%a: memref<?x$t>, %v: memref<?x$t>, $ends%result: memref<?x$place>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %lanes = arith.constant $lanes : index
  %size = memref.dim %a, %c0 : memref<?x$t>
  %n = memref.dim %v, %c0 : memref<?x$t>
  %room = memref.dim %result, %c0 : memref<?x$place>
  %fits = arith.cmpi eq, %n, %room : index
  cf.assert %fits, "a place for each value"
  $numbers
  %blocks = arith.divui %n, %lanes : index
  %whole = arith.muli %blocks, %lanes : index
  scf.parallel (%block) = (%c0) to (%blocks) step (%c1) {
    %k = arith.muli %block, %lanes : index
    $many
    scf.reduce
  }
  scf.for %k = %whole to %n step %c1 {
    $one
  }
  return
}
