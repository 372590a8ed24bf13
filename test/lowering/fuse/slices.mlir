// RUN: gs-opt --gs-optimize %s | filecheck %s
// RUN: gs-run %s --entry static --check | filecheck %s --check-prefix=EQUAL
// RUN: gs-run %s --entry dynamic --shape 0=20x30 --shape 1=9x1 -a _ _ 4 --check | filecheck %s --check-prefix=EQUAL
// RUN: gs-run %s --entry computed --check | filecheck %s --check-prefix=EQUAL
// RUN: gs-run %s --entry one_row --check | filecheck %s --check-prefix=EQUAL
// RUN: gs-run %s --entry windows --check | filecheck %s --check-prefix=EQUAL
// RUN: gs-run %s --entry computing --check | filecheck %s --check-prefix=EQUAL
// RUN: gs-run %s --entry padded --check | filecheck %s --check-prefix=EQUAL
// RUN: gs-run %s --entry repeated --check | filecheck %s --check-prefix=EQUAL
// RUN: gs-run %s --entry shorter --check | filecheck %s --check-prefix=EQUAL

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

// Loops with more inputs than a gs.generic has read windows where they lie.
// CHECK-LABEL: func.func @windows
// CHECK-COUNT-9: tensor.extract_slice %arg0[{{.*}}] [6, 6] [1, 1] : tensor<8x8xf32> to tensor<6x6xf32>
// CHECK-NOT:     gs.generic
// CHECK:         return
func.func @windows(%x: tensor<8x8xf32>) -> tensor<6x6xf32> {
  %0 = tensor.empty() : tensor<6x6xf32>
  %a = gs.strided_slice %x[0, 0] [6, 6] [1, 1] : (tensor<8x8xf32>) -> tensor<6x6xf32>
  %b = gs.strided_slice %x[0, 1] [6, 6] [1, 1] : (tensor<8x8xf32>) -> tensor<6x6xf32>
  %c = gs.strided_slice %x[0, 2] [6, 6] [1, 1] : (tensor<8x8xf32>) -> tensor<6x6xf32>
  %d = gs.strided_slice %x[1, 0] [6, 6] [1, 1] : (tensor<8x8xf32>) -> tensor<6x6xf32>
  %e = gs.strided_slice %x[1, 1] [6, 6] [1, 1] : (tensor<8x8xf32>) -> tensor<6x6xf32>
  %f = gs.strided_slice %x[1, 2] [6, 6] [1, 1] : (tensor<8x8xf32>) -> tensor<6x6xf32>
  %g = gs.strided_slice %x[2, 0] [6, 6] [1, 1] : (tensor<8x8xf32>) -> tensor<6x6xf32>
  %h = gs.strided_slice %x[2, 1] [6, 6] [1, 1] : (tensor<8x8xf32>) -> tensor<6x6xf32>
  %i = gs.strided_slice %x[2, 2] [6, 6] [1, 1] : (tensor<8x8xf32>) -> tensor<6x6xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>,
      affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>,
      affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>,
      affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b, %c, %d, %e, %f, %g, %h, %i : tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>,
          tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>)
      outs(%0 : tensor<6x6xf32>) {
  ^bb0(%v0: f32, %v1: f32, %v2: f32, %v3: f32, %v4: f32, %v5: f32, %v6: f32, %v7: f32, %v8: f32, %old: f32):
    %m0 = arith.maximumf %v0, %v1 : f32
    %m1 = arith.maximumf %v2, %v3 : f32
    %m2 = arith.maximumf %v4, %v5 : f32
    %m3 = arith.maximumf %v6, %v7 : f32
    %n0 = arith.maximumf %m0, %m1 : f32
    %n1 = arith.maximumf %m2, %m3 : f32
    %n2 = arith.maximumf %n0, %n1 : f32
    %n3 = arith.maximumf %n2, %v8 : f32
    linalg.yield %n3 : f32
  } -> tensor<6x6xf32>
  return %s : tensor<6x6xf32>
}

// CHECK-LABEL: func.func @padded
// CHECK:         %[[S:.+]] = tensor.extract_slice %arg0[1, 0] [7, 8] [1, 1]
// CHECK-NEXT:    tensor.pad %[[S]]
// CHECK-NOT:     gs.generic
// CHECK:         return
func.func @padded(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %a = gs.strided_slice %x[1, 0] [7, 8] [1, 1] : (tensor<8x8xf32>) -> tensor<7x8xf32>
  %p = tensor.pad %a low[0, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<7x8xf32> to tensor<8x8xf32>
  return %p : tensor<8x8xf32>
}

// What computes is no window.
// CHECK-LABEL: func.func @computing
// CHECK:         gs.generic {{.*}} ins(%arg0[d0 + 2, d1 + 1])
// CHECK-NOT:     extract_slice
// CHECK:         return
func.func @computing(%x: tensor<8x8xf32>) -> (tensor<6x6xf32>, tensor<6x6xf32>) {
  %0 = tensor.empty() : tensor<6x6xf32>
  %a = gs.generic (d0, d1) ins(%x[d0 + 2, d1 + 1]) outs(%0[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (tensor<8x8xf32>, tensor<6x6xf32>) -> tensor<6x6xf32> {
  ^bb0(%e: f32, %old: f32):
    %m = math.absf %e : f32
    gs.yield %m : f32
  }
  %b = linalg.exp ins(%a : tensor<6x6xf32>) outs(%0 : tensor<6x6xf32>) -> tensor<6x6xf32>
  %c = linalg.abs ins(%a : tensor<6x6xf32>) outs(%0 : tensor<6x6xf32>) -> tensor<6x6xf32>
  return %b, %c : tensor<6x6xf32>, tensor<6x6xf32>
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

// Stays: the input is shorter than the output, whose other elements stay as they are.
// CHECK-LABEL: func.func @shorter
// CHECK: gs.generic (d0) ins(%arg1[d0]) outs(%arg0[d0])
#i = affine_map<(i) -> (i)>
func.func @shorter(%x: tensor<11xf32>, %u: tensor<7xf32>) -> tensor<11xf32> {
  %p = gs.generic (i) ins(%u[i]) outs(%x[i]) iterators(i = parallel) : (tensor<7xf32>, tensor<11xf32>) -> tensor<11xf32> {
  ^bb0(%e: f32, %o: f32):
    gs.yield %e : f32
  }
  %0 = tensor.empty() : tensor<11xf32>
  %r = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
      ins(%p : tensor<11xf32>) outs(%0 : tensor<11xf32>) {
  ^bb0(%e: f32, %o: f32):
    %m = arith.addf %e, %e : f32
    linalg.yield %m : f32
  } -> tensor<11xf32>
  return %r : tensor<11xf32>
}
