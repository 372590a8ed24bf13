// What is left alone: nothing of a later iteration is known, or it gains nothing.
// RUN: gs-opt %s --gs-prefetch="target=generic:far-bytes=0:memory-bytes=0" | filecheck %s

// CHECK-NOT: memref.prefetch

// The coordinate is carried.
func.func @chase(%next: memref<4000000xindex>, %start: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%at = %start) -> (index) {
    %then = memref.load %next[%at] : memref<4000000xindex>
    scf.yield %then : index
  }
  return %end : index
}

// A divisor may be zero at another iteration.
func.func @divided(%table: memref<4000000xf32>, %ids: memref<1000xindex>, %by: memref<1000xindex>,
    %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  scf.for %i = %c0 to %n step %c1 {
    %id = memref.load %ids[%i] : memref<1000xindex>
    %d = memref.load %by[%i] : memref<1000xindex>
    %at = arith.divui %id, %d : index
    memref.store %x, %table[%at] : memref<4000000xf32>
  }
  return
}

// A store that bypasses the caches; memory of another kind; elements that are vectors.
func.func @others(%table: memref<4000000xf32>, %far: memref<4000000xf32, 1>,
    %vectors: memref<4000000xvector<4xf32>>, %ids: memref<1000xindex>, %x: f32, %v: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  scf.for %i = %c0 to %n step %c1 {
    %id = memref.load %ids[%i] : memref<1000xindex>
    memref.store %x, %table[%id] {nontemporal = true} : memref<4000000xf32>
    memref.store %x, %far[%id] : memref<4000000xf32, 1>
    memref.store %v, %vectors[%id] : memref<4000000xvector<4xf32>>
  }
  return
}

// The memref is made in the loop.
func.func @made(%ids: memref<1000xindex>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  scf.for %i = %c0 to %n step %c1 {
    %id = memref.load %ids[%i] : memref<1000xindex>
    %table = memref.alloc() : memref<4000000xf32>
    memref.store %x, %table[%id] : memref<4000000xf32>
    memref.dealloc %table : memref<4000000xf32>
  }
  return
}

// A loop over i32; a layout that is no strides; a few coordinates; no coordinates.
func.func @short(%table: memref<4000000xf32>, %odd: memref<4000xf32, affine_map<(i) -> (i mod 8, i)>>,
    %ids: memref<1000xindex>, %few: memref<8xindex>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n = arith.constant 1000 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %in = arith.constant 1000 : i32
  scf.for %i = %i0 to %in step %i1 : i32 {
    %at = arith.index_cast %i : i32 to index
    %id = memref.load %ids[%at] : memref<1000xindex>
    memref.store %x, %table[%id] : memref<4000000xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %id = memref.load %ids[%i] : memref<1000xindex>
    memref.store %x, %odd[%id] : memref<4000xf32, affine_map<(i) -> (i mod 8, i)>>
    memref.store %x, %table[%i] : memref<4000000xf32>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %id = memref.load %few[%i] : memref<8xindex>
    memref.store %x, %table[%id] : memref<4000000xf32>
  }
  return
}

// CHECK: func.func @rank_0
func.func @rank_0(%at: memref<index>, %table: memref<4000000xf32>, %one: memref<f32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  scf.for %i = %c0 to %n step %c1 {
    %id = memref.load %at[] : memref<index>
    memref.store %x, %table[%id] : memref<4000000xf32>
    memref.store %x, %one[] : memref<f32>
  }
  return
}
