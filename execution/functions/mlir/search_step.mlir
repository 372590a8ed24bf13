    // In each turn, half of the keys that are left come before a value, or not.
    $loads
    %found:$results = scf.while (%left = $keys, $starts) : ($types) -> ($types) {
      %go = arith.cmpi ugt, %left, %c0 : index
      scf.condition(%go) %left, $places : $types
    } do {
    ^bb0(%left: index, $arguments):
      %more = arith.addi %left, %c1 : index
      %half = arith.shrui %more, %c1 : index
      %last = arith.subi %half, %c1 : index
      %rest = arith.subi %left, %half : index
      $steps
      scf.yield %rest, $nexts : $types
    }
    $stores
