// RUN: gs-opt %s --gs-note-memory | FileCheck %s

// CHECK-LABEL: func.func private @part
// CHECK-SAME: gs.disjoint = array<i64: 1>, gs.ranks = array<i64: 1, 1, -1>, no_inline
func.func private @part(%x: memref<?xf32>, %r: memref<?xf32>, %n: index) attributes {no_inline} {
  %v = memref.load %x[%n] : memref<?xf32>
  memref.store %v, %r[%n] : memref<?xf32>
  return
}

// CHECK-LABEL: func.func @f
// CHECK-SAME: gs.arguments = [{type = memref<?xf32>}, {donated, type = memref<?xf32>, written}, {type = index}]
// CHECK-SAME: gs.disjoint = array<i64: 1, 3>
// CHECK-SAME: gs.ranks = array<i64: 1, 1, -1, 1>
func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %n: index, %r: memref<?xf32>) attributes {
    gs.kernel, gs.results = [],
    gs.arguments = [{type = tensor<?xf32>}, {donated, type = tensor<?xf32>}, {type = index}]} {
  call @part(%x, %r, %n) : (memref<?xf32>, memref<?xf32>, index) -> ()
  return
}
