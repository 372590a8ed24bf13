// pattern: compose_gathers_of_elements
// status: proved

func.func @elements_0(%x: tensor<?x?xf32>, %i: tensor<?x?xi32>, %k: tensor<?x?xi64>) -> tensor<?x?xf32> {
  %g = gs.gather_elements %x[%i] dim(0) : (tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  %r = gs.gather_elements %g[%k] dim(0) : (tensor<?x?xf32>, tensor<?x?xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @elements_1(%x: tensor<?x?xf32>, %i: tensor<?x?xi32>, %k: tensor<?x?xi64>) -> tensor<?x?xf32> {
  %g = gs.gather_elements %x[%i] dim(0) mode(fill)
      : (tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  %r = gs.gather_elements %g[%k] dim(0) : (tensor<?x?xf32>, tensor<?x?xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @elements_2(%x: tensor<?x?xf32>, %i: tensor<?x?xi32>, %k: tensor<?x?xi64>) -> tensor<?x?xf32> {
  %g = gs.gather_elements %x[%i] dim(0) mode(clip) wrap_negative
      : (tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  %r = gs.gather_elements %g[%k] dim(0) mode(clip)
      : (tensor<?x?xf32>, tensor<?x?xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @elements_3(%x: tensor<?x?xf32>, %i: tensor<?x?xi32>, %k: tensor<?x?xi64>) -> tensor<?x?xf32> {
  %g = gs.gather_elements %x[%i] dim(0) unique
      : (tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  %r = gs.gather_elements %g[%k] dim(0) unique
      : (tensor<?x?xf32>, tensor<?x?xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @one_dim(%x: tensor<?xf32>, %i: tensor<?xi32>, %k: tensor<?xi64>) -> tensor<?xf32> {
  %g = gs.gather_elements %x[%i] dim(0) : (tensor<?xf32>, tensor<?xi32>) -> tensor<?xf32>
  %r = gs.gather_elements %g[%k] dim(0) : (tensor<?xf32>, tensor<?xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

func.func @last_of_three(%x: tensor<?x?x?xf32>, %i: tensor<?x?x?xi32>, %k: tensor<?x?x?xi32>) -> tensor<?x?x?xf32> {
  %g = gs.gather_elements %x[%i] dim(2)
      : (tensor<?x?x?xf32>, tensor<?x?x?xi32>) -> tensor<?x?x?xf32>
  %r = gs.gather_elements %g[%k] dim(2)
      : (tensor<?x?x?xf32>, tensor<?x?x?xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}
