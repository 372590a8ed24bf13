// first: gs-generalize
// pass: gs-fuse
// status: proved

func.func @gather_then_map(%x: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r_0 = arith.constant 0 : index
  %r_1 = arith.constant 1 : index
  %r_n = tensor.dim %g, %r_0 : tensor<?x?xf32>
  %r_m = tensor.dim %g, %r_1 : tensor<?x?xf32>
  %r_e = tensor.empty(%r_n, %r_m) : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%g : tensor<?x?xf32>) outs(%r_e : tensor<?x?xf32>) {
  ^bb0(%p: f32, %o: f32):
    %w = math.tanh %p : f32
    linalg.yield %w : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @two_gathers_then_map(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) mode(fill)
      : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %h = gs.gather %y[%i] gather_dims([0]) mode(fill)
      : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r_0 = arith.constant 0 : index
  %r_1 = arith.constant 1 : index
  %r_n = tensor.dim %g, %r_0 : tensor<?x?xf32>
  %r_m = tensor.dim %g, %r_1 : tensor<?x?xf32>
  %r_e = tensor.empty(%r_n, %r_m) : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%g, %h : tensor<?x?xf32>, tensor<?x?xf32>) outs(%r_e : tensor<?x?xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %w = arith.mulf %p, %q : f32
    linalg.yield %w : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @map_then_scatter(%u: tensor<?x?xf32>, %d: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %v_0 = arith.constant 0 : index
  %v_1 = arith.constant 1 : index
  %v_n = tensor.dim %u, %v_0 : tensor<?x?xf32>
  %v_m = tensor.dim %u, %v_1 : tensor<?x?xf32>
  %v_e = tensor.empty(%v_n, %v_m) : tensor<?x?xf32>
  %v = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%u : tensor<?x?xf32>) outs(%v_e : tensor<?x?xf32>) {
  ^bb0(%p: f32, %o: f32):
    %w = math.absf %p : f32
    linalg.yield %w : f32
  } -> tensor<?x?xf32>
  %r = gs.scatter %v into %d[%i] scatter_dims([0]) mode(drop) combine(add)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @gather_of_gather(%x: tensor<?xf32>, %i: tensor<?x1xi32>, %k: tensor<?x1xi64>) -> tensor<?xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  %r = gs.gather %g[%k] gather_dims([0]) : (tensor<?xf32>, tensor<?x1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

func.func @gather_then_scatter(%x: tensor<?x?xf32>, %d: tensor<?x?xf32>, %i: tensor<?x1xi32>, %k: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) mode(fill)
      : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = gs.scatter %g into %d[%k] scatter_dims([0]) mode(clip) combine(add)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @gather_then_sum(%x: tensor<?x?xf32>, %i: tensor<?x1xi32>, %s: tensor<?xf32>) -> tensor<?xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) mode(clip)
      : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a)>], iterator_types = ["parallel", "reduction"]} ins(%g : tensor<?x?xf32>) outs(%s : tensor<?xf32>) {
  ^bb0(%p: f32, %o: f32):
    %w = arith.addf %o, %p : f32
    linalg.yield %w : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
