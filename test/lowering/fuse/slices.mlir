// RUN: gs-opt --gs-optimize %s | filecheck %s
// RUN: gs-run %s --entry static --check | filecheck %s --check-prefix=EQUAL
// RUN: gs-run %s --entry dynamic --shape 0=20x30 --shape 1=9x1 -a _ _ 4 --check | filecheck %s --check-prefix=EQUAL
// RUN: gs-run %s --entry computed --check | filecheck %s --check-prefix=EQUAL
// RUN: gs-run %s --entry one_row --check | filecheck %s --check-prefix=EQUAL
// RUN: gs-run %s --entry repeated --check | filecheck %s --check-prefix=EQUAL

// EQUAL: check: equal to the reference

// Only the slice that is read is gathered.
// CHECK-LABEL: func.func @static
// CHECK:         gs.generic (d0, d1) [s0 = %{{.*}}[d0 * 2 + 1, 0] mode(clip)] ins(%{{.*}}[s0, d1 + 16]) outs(%{{.*}}[d0, d1])
// CHECK-NOT:     extract_slice
func.func @static(%x: tensor<20x256xf32>, %i: tensor<50x1xi32>) -> tensor<20x8xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) mode(clip)
      : (tensor<20x256xf32>, tensor<50x1xi32>) -> tensor<50x256xf32>
  %s = tensor.extract_slice %g[1, 16] [20, 8] [2, 1] : tensor<50x256xf32> to tensor<20x8xf32>
  return %s : tensor<20x8xf32>
}

// Mode error looks at all coordinates, also at those outside of the slice.
// CHECK-LABEL: func.func @dynamic
// CHECK:         call @__gs_raise
// CHECK:         gs.generic (d0, d1) [s0 = %{{.*}}[d0, 0]] ins(%{{.*}}[s0, d1 + 3]) outs(%{{.*}}[d0, d1])
// CHECK-NOT:     extract_slice
func.func @dynamic(%x: tensor<?x?xf32>, %i: tensor<?x1xi32>, %n: index) -> tensor<5x?xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) mode(error)
      : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %s = tensor.extract_slice %g[0, 3] [5, %n] [1, 1] : tensor<?x?xf32> to tensor<5x?xf32>
  return %s : tensor<5x?xf32>
}

// CHECK-LABEL: func.func @computed
// CHECK:         gs.generic (d0, d1) [s0 = %{{.*}}[d0 + 7, 0]] ins(%{{.*}}[s0, d1], %{{.*}}[d0 + 7, d1])
// CHECK-NOT:     extract_slice
func.func @computed(%x: tensor<20x8xf32>, %w: tensor<50x8xf32>, %i: tensor<50x1xi32>)
    -> tensor<3x8xf32> {
  %0 = tensor.empty() : tensor<50x8xf32>
  %g = gs.gather %x[%i] gather_dims([0])
      : (tensor<20x8xf32>, tensor<50x1xi32>) -> tensor<50x8xf32>
  %m = linalg.mul ins(%g, %w : tensor<50x8xf32>, tensor<50x8xf32>)
      outs(%0 : tensor<50x8xf32>) -> tensor<50x8xf32>
  %s = tensor.extract_slice %m[7, 0] [3, 8] [1, 1] : tensor<50x8xf32> to tensor<3x8xf32>
  return %s : tensor<3x8xf32>
}

// The slice drops a dim.
// CHECK-LABEL: func.func @one_row
// CHECK:         gs.generic (d0) [s0 = %{{.*}}[7, 0]] ins(%{{.*}}[s0, d0]) outs(%{{.*}}[d0])
// CHECK-NOT:     extract_slice
func.func @one_row(%x: tensor<20x8xf32>, %i: tensor<50x1xi32>) -> tensor<8xf32> {
  %g = gs.gather %x[%i] gather_dims([0])
      : (tensor<20x8xf32>, tensor<50x1xi32>) -> tensor<50x8xf32>
  %s = tensor.extract_slice %g[7, 0] [1, 8] [1, 1] : tensor<50x8xf32> to tensor<8xf32>
  return %s : tensor<8xf32>
}

// What others read as well stays whole, and so does what is summed up.
// CHECK-LABEL: func.func @whole
// CHECK:         gs.generic
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      gs.yield
// CHECK:         tensor.extract_slice
// CHECK:         arith.addf
// CHECK:         tensor.extract_slice
func.func @whole(%x: tensor<20x8xf32>, %i: tensor<50x1xi32>)
    -> (tensor<50x8xf32>, tensor<3x8xf32>, tensor<4x8xf32>) {
  %g = gs.gather %x[%i] gather_dims([0])
      : (tensor<20x8xf32>, tensor<50x1xi32>) -> tensor<50x8xf32>
  %s = tensor.extract_slice %g[7, 0] [3, 8] [1, 1] : tensor<50x8xf32> to tensor<3x8xf32>
  %a = gs.scatter %g into %x[%i] scatter_dims([0]) combine(add)
      : (tensor<50x8xf32>, tensor<20x8xf32>, tensor<50x1xi32>) -> tensor<20x8xf32>
  %t = tensor.extract_slice %a[1, 0] [4, 8] [1, 1] : tensor<20x8xf32> to tensor<4x8xf32>
  return %g, %s, %t : tensor<50x8xf32>, tensor<3x8xf32>, tensor<4x8xf32>
}

// Seven rows of three elements are read once each, before the loops that read them repeatedly.
// CHECK-LABEL: func.func @repeated
// CHECK-NOT:     floordiv
// CHECK:         gs.generic (d0, d1) [s0 = %{{.*}}[d0]] ins(%{{.*}}[s0], %{{.*}}[d1])
// CHECK-NOT:     floordiv
// CHECK:         return
func.func @repeated(%x: tensor<50xf32>, %i: tensor<40xi32>, %y: tensor<7xf32>) -> tensor<40x21xf32> {
  %0 = tensor.empty() : tensor<7x3xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]} ins(%y : tensor<7xf32>) outs(%0 : tensor<7x3xf32>) {
  ^bb0(%e: f32, %old: f32):
    linalg.yield %e : f32
  } -> tensor<7x3xf32>
  %c = tensor.collapse_shape %b [[0, 1]] : tensor<7x3xf32> into tensor<21xf32>
  %1 = tensor.empty() : tensor<40x21xf32>
  %r = gs.generic (d0, d1) [s0 = %i[d0]] ins(%x[s0], %c[d1]) outs(%1[d0, d1])
      iterators(d0 = parallel, d1 = parallel) : (tensor<50xf32>, tensor<21xf32>, tensor<40xi32>, tensor<40x21xf32>) -> tensor<40x21xf32> {
  ^bb0(%a: f32, %e: f32, %old: f32):
    %m = arith.mulf %a, %e : f32
    gs.yield %m : f32
  }
  return %r : tensor<40x21xf32>
}
