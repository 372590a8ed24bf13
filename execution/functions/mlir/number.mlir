func.func @f(%values: memref<?x$value>, %edges: memref<?x$edge>, %scales: memref<3x$edge>,
             %result: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %lanes = arith.constant $lanes : index
  %step = arith.constant 4096 : index
  %i1 = arith.constant 1 : i32
  %n = memref.dim %values, %c0 : memref<?x$value>
  %room = memref.dim %result, %c0 : memref<?xi32>
  %fits = arith.cmpi ule, %n, %room : index
  cf.assert %fits, "a number for each value"
  %ends = memref.dim %edges, %c0 : memref<?x$edge>
  %some = arith.cmpi uge, %ends, %c2 : index
  cf.assert %some, "a bin has two ends"
  %end = arith.subi %ends, %c1 : index
  %first = memref.load %edges[%c0] : memref<?x$edge>
  %final = memref.load %edges[%end] : memref<?x$edge>
  %scale = memref.load %scales[%c0] : memref<3x$edge>
  %near = memref.load %scales[%c1] : memref<3x$edge>
  %far = memref.load %scales[%c2] : memref<3x$edge>
  %count = arith.index_cast %end : index to i32
  %most = arith.subi %count, %i1 : i32
  scf.parallel (%block) = (%c0) to (%n) step (%step) {
    %next = arith.addi %block, %step : index
    %stop = arith.minui %next, %n : index
    %size = arith.subi %stop, %block : index
    %rest = arith.remui %size, %lanes : index
    %whole = arith.subi %stop, %rest : index
    scf.for %k = %block to %whole step %lanes { $many }
    scf.for %k = %whole to %stop step %c1 { $one }
    scf.reduce
  }
  return
}
