// Packed elements are loaded once and shuffled to the lanes that share them; so are scales of blocks.
// RUN: gs-opt %s --convert-gs-to-scf=target=generic --canonicalize --cse | filecheck %s

memref.global "private" constant @shifts : memref<2xi32> = dense<[0, 4]>

// CHECK-LABEL: func.func @nibbles
// CHECK: %[[BYTES:.*]] = vector.load %arg0[%{{.*}}, %{{.*}}] : memref<?x16xi8>, vector<[[HALF:.*]]xi8>
// CHECK: vector.shuffle %[[BYTES]], %{{.*}} [0, 0, 1, 1,
// CHECK: memref.load %arg1[%{{.*}}, %{{.*}}] : memref<?x2xf32>
// CHECK-NEXT: vector.broadcast
// CHECK-NOT: vector.from_elements
// CHECK: return
func.func @nibbles(%table: memref<?x16xi8>, %scales: memref<?x2xf32>, %ids: memref<?xi32>,
                   %out: memref<?x32xf32>) {
  %shifts = memref.get_global @shifts : memref<2xi32>
  gs.generic (d0, d1) [s0 = %ids[d0]]
      ins(%table[s0, d1 floordiv 2], %scales[s0, d1 floordiv 16], %shifts[d1 mod 2]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<?x16xi8>, memref<?x2xf32>, memref<2xi32>, memref<?xi32>, memref<?x32xf32>) -> () {
  ^bb0(%byte: i8, %scale: f32, %shift: i32, %old: f32):
    %wide = arith.extui %byte : i8 to i32
    %moved = arith.shrui %wide, %shift : i32
    %mask = arith.constant 15 : i32
    %number = arith.andi %moved, %mask : i32
    %float = arith.sitofp %number : i32 to f32
    %new = arith.mulf %float, %scale : f32
    gs.yield %new : f32
  }
  return
}

// Floats of 8 bits are bytes until they are converted.
// CHECK-LABEL: func.func @bytes
// CHECK: %[[BYTES:.*]] = vector.load %{{.*}} : memref<?x32xi8>, vector<[[LANES:.*]]xi8>
// CHECK: %[[SMALL:.*]] = arith.bitcast %[[BYTES]] : vector<[[LANES]]xi8> to vector<[[LANES]]xf8E4M3FN>
// CHECK: arith.extf %[[SMALL]] : vector<[[LANES]]xf8E4M3FN> to vector<[[LANES]]xf32>
func.func @bytes(%table: memref<?x32xf8E4M3FN>, %ids: memref<?xi32>, %out: memref<?x32xf32>) {
  gs.generic (d0, d1) [s0 = %ids[d0]]
      ins(%table[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<?x32xf8E4M3FN>, memref<?xi32>, memref<?x32xf32>) -> () {
  ^bb0(%small: f8E4M3FN, %old: f32):
    %new = arith.extf %small : f8E4M3FN to f32
    gs.yield %new : f32
  }
  return
}

// Lanes that begin in the middle of a byte: each has an address of its own.
// CHECK-LABEL: func.func @between
// CHECK: vector.from_elements
func.func @between(%table: memref<?x16xi32>, %ids: memref<?xi32>, %out: memref<?x16xi32>) {
  gs.generic (d0, d1) [s0 = %ids[d0]]
      ins(%table[s0, (d1 + 1) floordiv 2]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<?x16xi32>, memref<?xi32>, memref<?x16xi32>) -> () {
  ^bb0(%element: i32, %old: i32):
    %new = arith.xori %element, %old : i32
    gs.yield %new : i32
  }
  return
}
