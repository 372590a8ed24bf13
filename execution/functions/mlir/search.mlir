func.func @f(%a: memref<?x$t>, %v: memref<?x$t>, $ends%result: memref<?x$place>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %lanes = arith.constant $lanes : index
  %size = memref.dim %a, %c0 : memref<?x$t>
  %n = memref.dim %v, %c0 : memref<?x$t>
  %room = memref.dim %result, %c0 : memref<?x$place>
  %fits = arith.cmpi eq, %n, %room : index
  cf.assert %fits, "a place for each value"
  %last_lane = arith.subi %lanes, %c1 : index
  $numbers
  %blocks = arith.divui %n, %lanes : index
  %whole = arith.muli %blocks, %lanes : index
  %turn = arith.constant $turn : index
  scf.parallel (%first_block) = (%c0) to (%blocks) step (%turn) {
    %next_turn = arith.addi %first_block, %turn : index
    %end_block = arith.minui %next_turn, %blocks : index
    scf.for %block = %first_block to %end_block step %c1 iter_args(%place = %c0) -> (index) {
      %k = arith.muli %block, %lanes : index
      // Values that ascend from the one before on have no place before its.
      %begun = arith.cmpi ugt, %block, %first_block : index
      %ascends = scf.if %begun -> i1 {
        %before = arith.subi %k, %c1 : index
        %values = vector.load %v[%k] : memref<?x$t>, vector<${lanes}x$t>
        %earlier = vector.load %v[%before] : memref<?x$t>, vector<${lanes}x$t>
        %orders = arith.$least, %earlier, %values : vector<${lanes}x$t>
        %all = vector.reduction <and>, %orders : vector<${lanes}xi1> into i1
        scf.yield %all : i1
      } else {
        scf.yield %begun : i1
      }
      %from, %keys = scf.if %ascends -> (index, index) {
        %to_last = arith.addi %k, %last_lane : index
        %greatest = memref.load %v[%to_last] : memref<?x$t>
        %room_left = arith.subi $keys, %place : index
        %step = scf.while (%far = %c1) : (index) -> index {
          %within = arith.cmpi ult, %far, %room_left : index
          %further = scf.if %within -> i1 {
            %at_far = arith.addi %place, %far : index
            %probe = arith.subi %at_far, %c1 : index
            %y = memref.load %a[%probe] : memref<?x$t>
            %is = arith.$before, %y, %greatest : $t
            scf.yield %is : i1
          } else {
            scf.yield %within : i1
          }
          scf.condition(%further) %far : index
        } do {
        ^bb0(%far: index):
          %twice = arith.addi %far, %far : index
          scf.yield %twice : index
        }
        %some = arith.minui %step, %room_left : index
        scf.yield %place, %some : index, index
      } else {
        scf.yield %c0, $keys : index, index
      }
      $many
      scf.yield %found#$lanes : index
    }
    scf.reduce
  }
  scf.for %k = %whole to %n step %c1 {
    $one
  }
  return
}
