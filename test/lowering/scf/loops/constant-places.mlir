// Elements that move to constant offsets, or from them: what shares a line stays one by one.
// RUN: gs-opt %s --convert-gs-to-scf --canonicalize --cse | filecheck %s

memref.global "private" constant @near : memref<4xindex> = dense<[0, 4, 8, 12]>
memref.global "private" constant @eight : memref<8xindex> = dense<[4, 8, 12, 0, 20, 24, 28, 16]>
memref.global "private" constant @twice : memref<8xindex> = dense<[0, 4, 8, 12, 0, 4, 8, 12]>
memref.global "private" constant @side_by_side : memref<4xindex> = dense<[0, 1, 2, 3]>
memref.global "private" constant @far : memref<4xindex> = dense<[0, 24, 48, 72]>

// CHECK-LABEL: func.func @in_lines
// CHECK: %[[BITS:.*]] = arith.bitcast %{{.*}} : f64 to i64
// CHECK: %[[SAME:.*]] = llvm.inline_asm "", "=r,0" %[[BITS]] : (i64) -> i64
// CHECK: %[[ELEMENT:.*]] = arith.bitcast %[[SAME]] : i64 to f64
// CHECK: memref.store %[[ELEMENT]], %arg1
func.func @in_lines(%updates: memref<?x4xf64>, %dest: memref<?xf64>) {
  %offsets = memref.get_global @near : memref<4xindex>
  gs.generic (d0, d1) [s0 = %offsets[d1]]
      ins(%updates[d0, d1]) outs(%dest[d0 * 16 + s0]) iterators(d0 = reduction, d1 = reduction)
      : (memref<?x4xf64>, memref<4xindex>, memref<?xf64>) -> () {
  ^bb0(%update: f64, %old: f64):
    gs.yield %update : f64
  }
  return
}

// Neighbours are one vector, without a mask.
// CHECK-LABEL: func.func @neighbours
// CHECK-NOT: llvm.inline_asm
// CHECK: return
func.func @neighbours(%updates: memref<?x4xf64>, %dest: memref<?xf64>) {
  %offsets = memref.get_global @side_by_side : memref<4xindex>
  gs.generic (d0, d1) [s0 = %offsets[d1]]
      ins(%updates[d0, d1]) outs(%dest[d0 * 4 + s0]) iterators(d0 = reduction, d1 = reduction)
      : (memref<?x4xf64>, memref<4xindex>, memref<?xf64>) -> () {
  ^bb0(%update: f64, %old: f64):
    gs.yield %update : f64
  }
  return
}

// A line for each store.
// CHECK-LABEL: func.func @line_by_line
// CHECK-NOT: llvm.inline_asm
// CHECK: return
func.func @line_by_line(%updates: memref<?x4xf64>, %dest: memref<?xf64>) {
  %offsets = memref.get_global @far : memref<4xindex>
  gs.generic (d0, d1) [s0 = %offsets[d1]]
      ins(%updates[d0, d1]) outs(%dest[d0 * 8 + s0]) iterators(d0 = reduction, d1 = reduction)
      : (memref<?x4xf64>, memref<4xindex>, memref<?xf64>) -> () {
  ^bb0(%update: f64, %old: f64):
    gs.yield %update : f64
  }
  return
}

// Every step writes to the same places: only the last one counts, and LLVM finds that out.
// CHECK-LABEL: func.func @same_places
// CHECK-NOT: llvm.inline_asm
// CHECK: return
func.func @same_places(%updates: memref<?x4xf64>, %dest: memref<?xf64>) {
  %offsets = memref.get_global @near : memref<4xindex>
  gs.generic (d0, d1) [s0 = %offsets[d1]]
      ins(%updates[d0, d1]) outs(%dest[s0]) iterators(d0 = reduction, d1 = reduction)
      : (memref<?x4xf64>, memref<4xindex>, memref<?xf64>) -> () {
  ^bb0(%update: f64, %old: f64):
    gs.yield %update : f64
  }
  return
}

// Reads are left to LLVM, also where stores are non-temporal.
// CHECK-LABEL: func.func @from_memory
// CHECK-NOT: llvm.inline_asm
// CHECK: return
func.func @from_memory(%source: memref<?xf64>, %out: memref<2000000x8xf64>) {
  %offsets = memref.get_global @eight : memref<8xindex>
  gs.generic (d0, d1) [s0 = %offsets[d1]]
      ins(%source[d0 * 32 + s0]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<?xf64>, memref<8xindex>, memref<2000000x8xf64>) -> () {
  ^bb0(%x: f64, %old: f64):
    gs.yield %x : f64
  }
  return
}

// Of what two lanes read LLVM makes one load.
// CHECK-LABEL: func.func @read_twice
// CHECK-NOT: llvm.inline_asm
// CHECK: return
func.func @read_twice(%source: memref<?xf64>, %out: memref<2000000x8xf64>) {
  %offsets = memref.get_global @twice : memref<8xindex>
  gs.generic (d0, d1) [s0 = %offsets[d1]]
      ins(%source[d0 * 32 + s0]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<?xf64>, memref<8xindex>, memref<2000000x8xf64>) -> () {
  ^bb0(%x: f64, %old: f64):
    gs.yield %x : f64
  }
  return
}
