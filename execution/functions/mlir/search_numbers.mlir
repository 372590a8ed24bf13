  // NaN comes last: the search ends where they begin, as all keys before that come before one.
  %number = scf.while (%end = %size) : (index) -> index {
    %some = arith.cmpi ugt, %end, %c0 : index
    %nan = scf.if %some -> i1 {
      %last = arith.subi %end, %c1 : index
      %y = memref.load %a[%last] : memref<?x$t>
      %is = arith.cmpf uno, %y, %y : $t
      scf.yield %is : i1
    } else {
      scf.yield %some : i1
    }
    scf.condition(%nan) %end : index
  } do {
  ^bb0(%end: index):
    %less = arith.subi %end, %c1 : index
    scf.yield %less : index
  }
