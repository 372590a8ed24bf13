// A sum of 8 bits does not wrap around any more.
func.func @f(%u: tensor<?xi8>, %d: tensor<?xi8>, %i: tensor<?x1xi32>) -> tensor<?xi8> {
  %r = gs.scatter %u into %d[%i] scatter_dims([0]) combine(add)
      : (tensor<?xi8>, tensor<?xi8>, tensor<?x1xi32>) -> tensor<?xi8>
  return %r : tensor<?xi8>
}

// -----

func.func @f(%u: tensor<?xi8>, %d: tensor<?xi8>, %i: tensor<?x1xi32>) -> tensor<?xi8> {
  %r = gs.scatter %u into %d[%i] scatter_dims([0])
      : (tensor<?xi8>, tensor<?xi8>, tensor<?x1xi32>) -> tensor<?xi8> {
  ^bb0(%c: i8, %v: i8):
    %a = arith.extsi %c : i8 to i16
    %b = arith.extsi %v : i8 to i16
    %s = arith.addi %a, %b : i16
    %m = arith.constant 127 : i16
    %t = arith.minsi %s, %m : i16
    %n = arith.trunci %t : i16 to i8
    gs.yield %n : i8
  }
  return %r : tensor<?xi8>
}
