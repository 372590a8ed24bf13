// RUN: gs-opt %s --gs-optimize --gs-bufferize --canonicalize | filecheck %s

// Each workload is one loop nest, and what it allocates is its result.

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#bkj = affine_map<(b, k, j) -> (b, k, j)>
#bk = affine_map<(b, k, j) -> (b, k)>
#bj = affine_map<(b, k, j) -> (b, j)>

// CHECK-LABEL: func.func @gather_compute_scatter
// CHECK-NOT: memref.alloc
// CHECK-NOT: linalg.generic
// CHECK: gs.generic (
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK-NOT: gs.generic (
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @gather_compute_scatter(%x: tensor<?x?xf32>, %i: tensor<?x1xi32>, %k: tensor<?x1xi32>, %w: tensor<?xf32>,
    %y: tensor<?x?xf32> {bufferization.writable = true}) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = gs.gather %x[%i] gather_dims([0]) : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %d0 = tensor.dim %g, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %g, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%d0, %d1) : tensor<?x?xf32>
  %m = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%g, %w : tensor<?x?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<?x?xf32>
  %n = math.tanh %m : tensor<?x?xf32>
  %r = gs.scatter %n into %y[%k] scatter_dims([0]) combine(add)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// The RFC's update in place: what is gathered is the element that is written.
// CHECK-LABEL: func.func @update_in_place
// CHECK-NOT: memref.alloc
// CHECK: gs.generic {{.*}} = %arg1[{{.*}} outs(%arg0[
// CHECK-NOT: gs.generic (
// CHECK: return
func.func @update_in_place(%x: tensor<100x8xf32> {bufferization.writable = true}, %i: tensor<5x1xi64>) -> tensor<100x8xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) unique
      : (tensor<100x8xf32>, tensor<5x1xi64>) -> tensor<5x8xf32>
  %n = math.exp %g : tensor<5x8xf32>
  %r = gs.scatter %n into %x[%i] scatter_dims([0]) unique
      : (tensor<5x8xf32>, tensor<100x8xf32>, tensor<5x1xi64>) -> tensor<100x8xf32>
  return %r : tensor<100x8xf32>
}

// h[receiver] += norm[e] * x[sender]; then relu in place.
// CHECK-LABEL: func.func @graph_convolution
// CHECK-COUNT-1: memref.alloc()
// CHECK-NOT: memref.alloc
// CHECK: linalg.fill
// CHECK: gs.generic (
// CHECK: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-NOT: gs.generic (
// CHECK: linalg.generic
// CHECK: arith.maximumf
// CHECK: return
func.func @graph_convolution(%x: tensor<34x16xf32>, %sender: tensor<156xi64>, %receiver: tensor<156xi64>, %norm: tensor<156xf32>) -> tensor<34x16xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.expand_shape %sender [[0, 1]] output_shape [156, 1] : tensor<156xi64> into tensor<156x1xi64>
  %t = tensor.expand_shape %receiver [[0, 1]] output_shape [156, 1] : tensor<156xi64> into tensor<156x1xi64>
  %g = gs.gather %x[%s] gather_dims([0])
      : (tensor<34x16xf32>, tensor<156x1xi64>) -> tensor<156x16xf32>
  %e = tensor.empty() : tensor<156x16xf32>
  %wide = linalg.broadcast ins(%norm : tensor<156xf32>) outs(%e : tensor<156x16xf32>) dimensions = [1]
  %m = arith.mulf %g, %wide : tensor<156x16xf32>
  %h = tensor.empty() : tensor<34x16xf32>
  %h0 = linalg.fill ins(%zero : f32) outs(%h : tensor<34x16xf32>) -> tensor<34x16xf32>
  %sum = gs.scatter %m into %h0[%t] scatter_dims([0]) combine(add)
      : (tensor<156x16xf32>, tensor<34x16xf32>, tensor<156x1xi64>) -> tensor<34x16xf32>
  %zeros = arith.constant dense<0.0> : tensor<34x16xf32>
  %relu = arith.maximumf %sum, %zeros : tensor<34x16xf32>
  return %relu : tensor<34x16xf32>
}

// y[row[e]] += value[e] * x[column[e]]
// CHECK-LABEL: func.func @spmv_coo
// CHECK-COUNT-1: memref.alloc(
// CHECK-NOT: memref.alloc
// CHECK: gs.generic (
// CHECK: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-NOT: gs.generic (
// CHECK: return
func.func @spmv_coo(%value: tensor<?xf64>, %x: tensor<?xf64>, %row: tensor<?x1xi32>, %column: tensor<?x1xi32>, %n: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %g = gs.gather %x[%column] gather_dims([0]) : (tensor<?xf64>, tensor<?x1xi32>) -> tensor<?xf64>
  %p = arith.mulf %value, %g : tensor<?xf64>
  %e = tensor.empty(%n) : tensor<?xf64>
  %y0 = linalg.fill ins(%zero : f64) outs(%e : tensor<?xf64>) -> tensor<?xf64>
  %y = gs.scatter %p into %y0[%row] scatter_dims([0]) combine(add)
      : (tensor<?xf64>, tensor<?xf64>, tensor<?x1xi32>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// y[row[e], j] += value[e] * x[column[e], j]
// CHECK-LABEL: func.func @spmm_coo
// CHECK-COUNT-1: memref.alloc(
// CHECK-NOT: memref.alloc
// CHECK: gs.generic (
// CHECK: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-NOT: gs.generic (
// CHECK: return
func.func @spmm_coo(%value: tensor<?xf32>, %x: tensor<?x64xf32>, %row: tensor<?x1xi32>, %column: tensor<?x1xi32>, %n: index) -> tensor<?x64xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %g = gs.gather %x[%column] gather_dims([0])
      : (tensor<?x64xf32>, tensor<?x1xi32>) -> tensor<?x64xf32>
  %entries = tensor.dim %value, %c0 : tensor<?xf32>
  %e = tensor.empty(%entries) : tensor<?x64xf32>
  %p = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%g, %value : tensor<?x64xf32>, tensor<?xf32>) outs(%e : tensor<?x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %q = arith.mulf %a, %b : f32
    linalg.yield %q : f32
  } -> tensor<?x64xf32>
  %f = tensor.empty(%n) : tensor<?x64xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%f : tensor<?x64xf32>) -> tensor<?x64xf32>
  %y = gs.scatter %p into %y0[%row] scatter_dims([0]) combine(add)
      : (tensor<?x64xf32>, tensor<?x64xf32>, tensor<?x1xi32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// CHECK-LABEL: func.func @bag_sum
// CHECK-COUNT-1: memref.alloc(
// CHECK-NOT: memref.alloc
// CHECK: gs.generic (
// CHECK: arith.addf
// CHECK-NOT: gs.generic (
// CHECK: return
func.func @bag_sum(%table: tensor<1000x32xf32>, %bags: tensor<?x10xi64>, %n: index) -> tensor<?x32xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %b = tensor.dim %bags, %c0 : tensor<?x10xi64>
  %i = tensor.expand_shape %bags [[0], [1, 2]] output_shape [%b, 10, 1] : tensor<?x10xi64> into tensor<?x10x1xi64>
  %g = gs.gather %table[%i] gather_dims([0]) mode(clip)
      : (tensor<1000x32xf32>, tensor<?x10x1xi64>) -> tensor<?x10x32xf32>
  %e = tensor.empty(%b) : tensor<?x32xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
  %y = linalg.generic {indexing_maps = [#bkj, #bj], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%g : tensor<?x10x32xf32>) outs(%y0 : tensor<?x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}

// CHECK-LABEL: func.func @bag_mean
// CHECK-COUNT-1: memref.alloc()
// CHECK-NOT: memref.alloc
// CHECK: gs.generic (
// CHECK-NOT: gs.generic (
// CHECK: linalg.generic
// CHECK: arith.divf
// CHECK: return
func.func @bag_mean(%table: tensor<1000x32xf32>, %bags: tensor<50x10x1xi64>) -> tensor<50x32xf32> {
  %zero = arith.constant 0.0 : f32
  %g = gs.gather %table[%bags] gather_dims([0])
      : (tensor<1000x32xf32>, tensor<50x10x1xi64>) -> tensor<50x10x32xf32>
  %e = tensor.empty() : tensor<50x32xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%e : tensor<50x32xf32>) -> tensor<50x32xf32>
  %y = linalg.reduce ins(%g : tensor<50x10x32xf32>) outs(%y0 : tensor<50x32xf32>) dimensions = [1]
    (%a: f32, %o: f32) {
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    }
  %ten = arith.constant dense<10.0> : tensor<50x32xf32>
  %mean = arith.divf %y, %ten : tensor<50x32xf32>
  return %mean : tensor<50x32xf32>
}

// CHECK-LABEL: func.func @bag_max
// CHECK-COUNT-1: memref.alloc()
// CHECK-NOT: memref.alloc
// CHECK: gs.generic (
// CHECK: arith.maximumf
// CHECK-NOT: gs.generic (
// CHECK: return
func.func @bag_max(%table: tensor<1000x32xf32>, %bags: tensor<50x10x1xi64>) -> tensor<50x32xf32> {
  %least = arith.constant 0xFF800000 : f32
  %g = gs.gather %table[%bags] gather_dims([0])
      : (tensor<1000x32xf32>, tensor<50x10x1xi64>) -> tensor<50x10x32xf32>
  %e = tensor.empty() : tensor<50x32xf32>
  %y0 = linalg.fill ins(%least : f32) outs(%e : tensor<50x32xf32>) -> tensor<50x32xf32>
  %y = linalg.reduce ins(%g : tensor<50x10x32xf32>) outs(%y0 : tensor<50x32xf32>) dimensions = [1]
    (%a: f32, %o: f32) {
      %s = arith.maximumf %o, %a : f32
      linalg.yield %s : f32
    }
  return %y : tensor<50x32xf32>
}

// Weights are per row: sum over k of weight[b, k] * table[bags[b, k]].
// CHECK-LABEL: func.func @bag_weighted
// CHECK-COUNT-1: memref.alloc()
// CHECK-NOT: memref.alloc
// CHECK: gs.generic (
// CHECK: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-NOT: gs.generic (
// CHECK: return
func.func @bag_weighted(%table: tensor<1000x32xf32>, %bags: tensor<50x10x1xi64>, %weight: tensor<50x10xf32>) -> tensor<50x32xf32> {
  %zero = arith.constant 0.0 : f32
  %g = gs.gather %table[%bags] gather_dims([0])
      : (tensor<1000x32xf32>, tensor<50x10x1xi64>) -> tensor<50x10x32xf32>
  %w = tensor.empty() : tensor<50x10x32xf32>
  %wide = linalg.broadcast ins(%weight : tensor<50x10xf32>) outs(%w : tensor<50x10x32xf32>) dimensions = [2]
  %p = arith.mulf %g, %wide : tensor<50x10x32xf32>
  %e = tensor.empty() : tensor<50x32xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%e : tensor<50x32xf32>) -> tensor<50x32xf32>
  %y = linalg.reduce ins(%p : tensor<50x10x32xf32>) outs(%y0 : tensor<50x32xf32>) dimensions = [1]
    (%a: f32, %o: f32) {
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    }
  return %y : tensor<50x32xf32>
}

// The weighted sum of a mixture of experts: out[t, j] = sum over k of gate[t, k] * y[expert[t, k], t, j].
// CHECK-LABEL: func.func @experts_combine
// CHECK-COUNT-1: memref.alloc()
// CHECK-NOT: memref.alloc
// CHECK: gs.generic (
// CHECK: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-NOT: gs.generic (
// CHECK: return
func.func @experts_combine(%y: tensor<4096x64xbf16>, %row: tensor<512x2x1xi32>, %gate: tensor<512x2xf32>) -> tensor<512x64xf32> {
  %zero = arith.constant 0.0 : f32
  %g = gs.gather %y[%row] gather_dims([0])
      : (tensor<4096x64xbf16>, tensor<512x2x1xi32>) -> tensor<512x2x64xbf16>
  %wide = arith.extf %g : tensor<512x2x64xbf16> to tensor<512x2x64xf32>
  %e = tensor.empty() : tensor<512x64xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%e : tensor<512x64xf32>) -> tensor<512x64xf32>
  %o = linalg.generic {indexing_maps = [#bkj, #bk, #bj], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%wide, %gate : tensor<512x2x64xf32>, tensor<512x2xf32>) outs(%o0 : tensor<512x64xf32>) {
  ^bb0(%a: f32, %w: f32, %acc: f32):
    %p = arith.mulf %a, %w : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<512x64xf32>
  return %o : tensor<512x64xf32>
}

// Keys lie in pages; score[b, h, t] = sum over d of query[b, h, d] * key[page of t, t mod 16, h, d].
// CHECK-LABEL: func.func @paged_attention_scores
// CHECK-COUNT-1: memref.alloc()
// CHECK-NOT: memref.alloc
// CHECK: gs.generic (
// CHECK: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-NOT: gs.generic (
// CHECK: return
func.func @paged_attention_scores(%keys: tensor<128x16x4x64xf32>, %pages: tensor<3x8xi32>, %query: tensor<3x4x64xf32>) -> tensor<3x4x128xf32> {
  %zero = arith.constant 0.0 : f32
  %i = tensor.expand_shape %pages [[0], [1, 2]] output_shape [3, 8, 1] : tensor<3x8xi32> into tensor<3x8x1xi32>
  %g = gs.gather %keys[%i] gather_dims([0])
      : (tensor<128x16x4x64xf32>, tensor<3x8x1xi32>) -> tensor<3x8x16x4x64xf32>
  %k = tensor.collapse_shape %g [[0], [1, 2], [3], [4]] : tensor<3x8x16x4x64xf32> into tensor<3x128x4x64xf32>
  %e = tensor.empty() : tensor<3x4x128xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%e : tensor<3x4x128xf32>) -> tensor<3x4x128xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, h, t, d) -> (b, h, d)>, affine_map<(b, h, t, d) -> (b, t, h, d)>, affine_map<(b, h, t, d) -> (b, h, t)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%query, %k : tensor<3x4x64xf32>, tensor<3x128x4x64xf32>) outs(%s0 : tensor<3x4x128xf32>) {
  ^bb0(%q: f32, %kd: f32, %acc: f32):
    %p = arith.mulf %q, %kd : f32
    %n = arith.addf %acc, %p : f32
    linalg.yield %n : f32
  } -> tensor<3x4x128xf32>
  return %s : tensor<3x4x128xf32>
}
