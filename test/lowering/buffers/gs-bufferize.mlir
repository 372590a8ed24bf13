// RUN: gs-opt %s --gs-generalize --gs-bufferize --cse --canonicalize | filecheck %s

// gs.generic to memrefs: what is written in place, and each copy that is needed.

// A fresh output is written directly.
// CHECK-LABEL: func.func @gather
// CHECK-SAME: (%[[SOURCE:.*]]: memref<?x8xf32>, %[[INDICES:.*]]: memref<5x1xi32>)
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT: memref.{{alloc|copy}}
// CHECK: gs.generic {{.*}} = %[[INDICES]][{{.*}} ins(%[[SOURCE]][{{.*}} outs(%[[OUT:.*]][d0, d1])
// CHECK-SAME: : (memref<?x8xf32>, memref<5x1xi32>, memref<5x8xf32>) -> () {
// CHECK-NEXT: ^bb0(%[[ELEMENT:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: gs.yield %[[ELEMENT]]
// CHECK-NOT: memref.{{alloc|copy}}
// CHECK: return %[[OUT]]
func.func @gather(%source: tensor<?x8xf32>, %indices: tensor<5x1xi32>) -> tensor<5x8xf32> {
  %0 = gs.gather %source[%indices] gather_dims([0])
      : (tensor<?x8xf32>, tensor<5x1xi32>) -> tensor<5x8xf32>
  return %0 : tensor<5x8xf32>
}

// So is a fresh tensor that nobody else reads: one allocation, the output, and no copy.
// CHECK-LABEL: func.func @scatter_into_fresh
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT: memref.{{alloc|copy}}
// CHECK: linalg.fill {{.*}} outs(%[[DEST:.*]] : memref<4x5xf32>)
// CHECK-NOT: memref.{{alloc|copy}}
// CHECK: gs.generic {{.*}} = %{{.*}}[{{.*}} ins(%{{.*}}[{{.*}} outs(%[[DEST]][
// CHECK-NOT: memref.{{alloc|copy}}
// CHECK: return %[[DEST]]
func.func @scatter_into_fresh(%updates: tensor<7x5xf32>, %indices: tensor<7x1xi32>)
    -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x5xf32>
  %dest = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x5xf32>) -> tensor<4x5xf32>
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0]) combine(add)
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// Two scatters, one after the other: still one allocation.
// CHECK-LABEL: func.func @scatter_twice
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT: memref.{{alloc|copy}}
// CHECK: gs.generic {{.*}} = %{{.*}}[{{.*}} ins(%{{.*}}[{{.*}} outs(%[[DEST:[^ ]*]][
// CHECK-NOT: memref.{{alloc|copy}}
// CHECK: gs.generic {{.*}} = %{{.*}}[{{.*}} ins(%{{.*}}[{{.*}} outs(%[[DEST]][
// CHECK-NOT: memref.{{alloc|copy}}
// CHECK: return %[[DEST]]
func.func @scatter_twice(%updates: tensor<7xf32>, %i: tensor<7x1xi32>, %j: tensor<7x1xi32>)
    -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4xf32>
  %dest = linalg.fill ins(%zero : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %0 = gs.scatter %updates into %dest[%i] scatter_dims([0])
      : (tensor<7xf32>, tensor<4xf32>, tensor<7x1xi32>) -> tensor<4xf32>
  %1 = gs.scatter %updates into %0[%j] scatter_dims([0])
      : (tensor<7xf32>, tensor<4xf32>, tensor<7x1xi32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// A filled dest that is used again: filled twice, not copied.
// CHECK-LABEL: func.func @dest_used_again
// CHECK: memref.alloc
// CHECK: memref.alloc
// CHECK-NOT: memref.{{alloc|copy}}
// CHECK: linalg.fill {{.*}} outs(%[[DEST:.*]] : memref<4xf32>)
// CHECK: linalg.fill {{.*}} outs(%[[NEW:.*]] : memref<4xf32>)
// CHECK-NOT: memref.{{alloc|copy}}
// CHECK: gs.generic {{.*}} = %{{.*}}[{{.*}} ins(%{{.*}}[{{.*}} outs(%[[NEW]][
// CHECK-NOT: memref.{{alloc|copy}}
// CHECK: return %[[DEST]], %[[NEW]]
func.func @dest_used_again(%updates: tensor<7xf32>, %indices: tensor<7x1xi32>)
    -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4xf32>
  %dest = linalg.fill ins(%zero : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7xf32>, tensor<4xf32>, tensor<7x1xi32>) -> tensor<4xf32>
  return %dest, %0 : tensor<4xf32>, tensor<4xf32>
}

// An argument of a public function is not written: exactly one copy.
// CHECK-LABEL: func.func @argument
// CHECK-SAME: %[[DEST:[^ ]*]]: memref<4xf32>, %{{[^ ]*}}: memref<7x1xi32>
// CHECK: %[[NEW:.*]] = memref.alloc
// CHECK: memref.copy %[[DEST]], %[[NEW]]
// CHECK-NOT: memref.{{alloc|copy}}
// CHECK: gs.generic {{.*}} = %{{.*}}[{{.*}} ins(%{{.*}}[{{.*}} outs(%[[NEW]][
// CHECK-NOT: memref.{{alloc|copy}}
// CHECK: return %[[NEW]]
func.func @argument(%updates: tensor<7xf32>, %dest: tensor<4xf32>, %indices: tensor<7x1xi32>)
    -> tensor<4xf32> {
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7xf32>, tensor<4xf32>, tensor<7x1xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Unless it is given away: then nothing is allocated and nothing copied.
// CHECK-LABEL: func.func @writable_argument
// CHECK-SAME: %[[DEST:[^ ]*]]: memref<4xf32>,
// CHECK-NOT: memref.{{alloc|copy}}
// CHECK: gs.generic {{.*}} = %{{.*}}[{{.*}} ins(%{{.*}}[{{.*}} outs(%[[DEST]][
// CHECK-NOT: memref.{{alloc|copy}}
// CHECK: return %[[DEST]]
func.func @writable_argument(%updates: tensor<7xf32>,
    %dest: tensor<4xf32> {bufferization.writable = true}, %indices: tensor<7x1xi32>)
    -> tensor<4xf32> {
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7xf32>, tensor<4xf32>, tensor<7x1xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Of a gather's operands none is written, so all of them may be arguments.
// CHECK-LABEL: func.func @source_used_again
// CHECK-SAME: (%[[SOURCE:[^ ]*]]: memref<4xf32>
// CHECK-NOT: memref.copy
// CHECK: return %[[SOURCE]], %{{.*}} : memref<4xf32>, memref<7xf32>
func.func @source_used_again(%source: tensor<4xf32>, %indices: tensor<7x1xi32>)
    -> (tensor<4xf32>, tensor<7xf32>) {
  %0 = gs.gather %source[%indices] gather_dims([0])
      : (tensor<4xf32>, tensor<7x1xi32>) -> tensor<7xf32>
  return %source, %0 : tensor<4xf32>, tensor<7xf32>
}

// A scatter that reads its dest as updates too writes to a copy.
// CHECK-LABEL: func.func @dest_is_updates
// CHECK-COUNT-1: memref.copy
// CHECK-NOT: memref.copy
// CHECK: return
func.func @dest_is_updates(%dest: tensor<4xf32> {bufferization.writable = true},
    %indices: tensor<4x1xi32>) -> tensor<4xf32> {
  %0 = gs.scatter %dest into %dest[%indices] scatter_dims([0])
      : (tensor<4xf32>, tensor<4xf32>, tensor<4x1xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A loop that carries dest writes it in place: one copy of the argument before it, none in it.
// CHECK-LABEL: func.func @loop
// CHECK: %[[DEST:.*]] = memref.alloc
// CHECK: memref.copy %{{.*}}, %[[DEST]]
// CHECK-NOT: memref.{{alloc|copy}}
// CHECK: scf.for
// CHECK-NOT: memref.{{alloc|copy}}
// CHECK: gs.generic {{.*}} = %{{.*}}[{{.*}} ins(%{{.*}}[{{.*}} outs(%[[DEST]][
// CHECK-NOT: memref.{{alloc|copy}}
// CHECK: return %[[DEST]]
func.func @loop(%n: index, %updates: tensor<7xf32>, %dest: tensor<4xf32>, %i: tensor<7x1xi32>)
    -> tensor<4xf32> {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = scf.for %k = %0 to %n step %1 iter_args(%iter = %dest) -> tensor<4xf32> {
    %3 = gs.scatter %updates into %iter[%i] scatter_dims([0])
        : (tensor<7xf32>, tensor<4xf32>, tensor<7x1xi32>) -> tensor<4xf32>
    scf.yield %3 : tensor<4xf32>
  }
  return %2 : tensor<4xf32>
}

// A gather into a slice of a larger tensor writes that slice: its own tensor.empty is eliminated.
// CHECK-LABEL: func.func @gather_into_slice
// CHECK-SAME: %[[OUT:[^ ]*]]: memref<9x8xf32>
// CHECK-NOT: memref.{{alloc|copy}}
// CHECK: %[[SLICE:.*]] = memref.subview %[[OUT]][2, 0] [5, 8] [1, 1]
// CHECK: gs.generic {{.*}} = %{{.*}}[{{.*}} ins(%{{.*}}[{{.*}} outs(%[[SLICE]][
// CHECK-NOT: memref.{{alloc|copy}}
// CHECK: return
func.func @gather_into_slice(%source: tensor<?x8xf32>, %indices: tensor<5x1xi32>,
    %out: tensor<9x8xf32> {bufferization.writable = true}) -> tensor<9x8xf32> {
  %0 = gs.gather %source[%indices] gather_dims([0])
      : (tensor<?x8xf32>, tensor<5x1xi32>) -> tensor<5x8xf32>
  %1 = tensor.insert_slice %0 into %out[2, 0] [5, 8] [1, 1]
      : tensor<5x8xf32> into tensor<9x8xf32>
  return %1 : tensor<9x8xf32>
}

// Arguments of private functions are left to upstream's analysis of the calls.
// CHECK-LABEL: func.func private @private
// CHECK-NOT: memref.{{alloc|copy}}
// CHECK: return
func.func private @private(%updates: tensor<7xf32>, %dest: tensor<4xf32>, %i: tensor<7x1xi32>)
    -> tensor<4xf32> {
  %0 = gs.scatter %updates into %dest[%i] scatter_dims([0])
      : (tensor<7xf32>, tensor<4xf32>, tensor<7x1xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @calls_private
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: call @private
func.func @calls_private(%updates: tensor<7xf32>, %i: tensor<7x1xi32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4xf32>
  %dest = linalg.fill ins(%zero : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %0 = call @private(%updates, %dest, %i)
      : (tensor<7xf32>, tensor<4xf32>, tensor<7x1xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// What the body reads besides the op's operands counts as read: here dest itself.
// CHECK-LABEL: func.func @body_reads_dest
// CHECK-SAME: %[[DEST:[^ ]*]]: memref<4xf32>,
// CHECK: %[[NEW:.*]] = memref.alloc
// CHECK: memref.copy %[[DEST]], %[[NEW]]
// CHECK-NOT: memref.{{alloc|copy}}
// CHECK: gs.generic {{.*}} = %{{.*}}[{{.*}} ins(%{{.*}}[{{.*}} outs(%[[NEW]][
// CHECK: memref.load %[[DEST]][%c0]
// CHECK: return %[[NEW]]
func.func @body_reads_dest(%updates: tensor<7xf32>,
    %dest: tensor<4xf32> {bufferization.writable = true}, %indices: tensor<7x1xi32>)
    -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7xf32>, tensor<4xf32>, tensor<7x1xi32>) -> tensor<4xf32> {
  ^bb0(%current: f32, %update: f32):
    %first = tensor.extract %dest[%zero] : tensor<4xf32>
    %new = arith.addf %update, %first : f32
    gs.yield %new : f32
  }
  return %0 : tensor<4xf32>
}

// A result that is changed and read again is copied, in its sizes.
// CHECK-LABEL: func.func @copy_of_result
// CHECK: gs.generic {{.*}} = %arg1[{{.*}} ins(%arg0[{{.*}} outs(%[[G:[^ ]*]][
// CHECK-NOT: x0xf32
// CHECK: memref.alloc(%{{.*}}) {{.*}} : memref<4x?xf32>
// CHECK: memref.copy
// CHECK-NOT: x0xf32
// CHECK: return
func.func @copy_of_result(%x: tensor<?x?xf32>, %i: tensor<4x1xindex>) -> (tensor<4x?xf32>, tensor<4x?xf32>) {
  %g = gs.gather %x[%i] gather_dims([0]) : (tensor<?x?xf32>, tensor<4x1xindex>) -> tensor<4x?xf32>
  %s = gs.scatter %g into %g[%i] scatter_dims([0]) combine(add)
      : (tensor<4x?xf32>, tensor<4x?xf32>, tensor<4x1xindex>) -> tensor<4x?xf32>
  return %g, %s : tensor<4x?xf32>, tensor<4x?xf32>
}

// What a switch gives is not written over, though upstream's interface of it says nothing of that.
// CHECK-LABEL: func.func @switch
// CHECK-NOT: scf.index_switch
// CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : index
// CHECK-DAG: %[[FIVE:.*]] = arith.constant 5 : index
// CHECK: arith.cmpi eq, %arg1, %[[THREE]]
// CHECK-NEXT: %[[GIVEN:.*]] = scf.if
// CHECK: linalg.fill {{.*}} outs(%[[INNER:.*]] :
// CHECK-NEXT: scf.yield %[[INNER]]
// CHECK: arith.cmpi eq, %arg1, %[[FIVE]]
// CHECK-NEXT: scf.if
// CHECK: linalg.fill {{.*}} outs(%[[OUTER:.*]] :
// CHECK: return %[[GIVEN]], %[[OUTER]]
func.func @switch(%a: tensor<8xf32>, %case: index, %x: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %empty = tensor.empty() : tensor<8xf32>
  %given = scf.index_switch %case -> tensor<8xf32>
  case 3 {
    %inner = linalg.fill ins(%x : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %inner : tensor<8xf32>
  }
  case 5 {
    %other = tensor.insert %x into %a[%case] : tensor<8xf32>
    scf.yield %other : tensor<8xf32>
  }
  default {
    scf.yield %a : tensor<8xf32>
  }
  %y = arith.addf %x, %x : f32
  %outer = linalg.fill ins(%y : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  return %given, %outer : tensor<8xf32>, tensor<8xf32>
}

// What each point reads where it writes is written over.
// CHECK-LABEL: func.func @written_over
// CHECK-SAME: (%[[A:[^ ]*]]: memref<?x8xf32>, %[[ROWS:[^ ]*]]: memref<?x1xi32>)
// CHECK: %[[X:.*]] = memref.alloc(
// CHECK: gs.generic {{.*}} ins(%[[A]][d0, d1]) outs(%[[X]][d1, d0])
// CHECK-NOT: memref.{{alloc|copy}}
// CHECK: gs.generic {{.*}} ins(%[[X]][d1, d0], %[[A]][s0, d1]) outs(%[[X]][d1, d0])
// CHECK: return %[[X]]
func.func @written_over(%a: tensor<?x8xf32>, %rows: tensor<?x1xi32>) -> tensor<8x?xf32> {
  %zero = arith.constant 0 : index
  %n = tensor.dim %a, %zero : tensor<?x8xf32>
  %empty = tensor.empty(%n) : tensor<8x?xf32>
  %0 = gs.generic (i, j) ins(%a[i, j]) outs(%empty[j, i]) iterators(i = parallel, j = parallel)
      : (tensor<?x8xf32>, tensor<8x?xf32>) -> tensor<8x?xf32> {
  ^bb0(%x: f32, %old: f32):
    %new = math.exp %x : f32
    gs.yield %new : f32
  }
  %1 = gs.generic (i, j) [r = %rows[i, 0]]
      ins(%0[j, i], %a[r, j]) outs(%empty[j, i]) iterators(i = parallel, j = parallel)
      : (tensor<8x?xf32>, tensor<?x8xf32>, tensor<?x1xi32>, tensor<8x?xf32>) -> tensor<8x?xf32> {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %new = arith.mulf %x, %y : f32
    gs.yield %new : f32
  }
  return %1 : tensor<8x?xf32>
}

// Not what is read at coordinates, or in another order, too, nor a row that others read.
// CHECK-LABEL: func.func @of_coordinates
// CHECK-COUNT-2: memref.alloc
// CHECK-NOT: memref.copy
func.func @of_coordinates(%a: tensor<8x8xf32>, %rows: tensor<8x1xi32>) -> tensor<8x8xf32> {
  %empty = tensor.empty() : tensor<8x8xf32>
  %0 = gs.generic (i, j) ins(%a[i, j]) outs(%empty[i, j]) iterators(i = parallel, j = parallel)
      : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%x: f32, %old: f32):
    %new = math.exp %x : f32
    gs.yield %new : f32
  }
  %1 = gs.generic (i, j) [r = %rows[i, 0]]
      ins(%0[i, j], %0[r, j]) outs(%empty[i, j]) iterators(i = parallel, j = parallel)
      : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x1xi32>, tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %new = arith.mulf %x, %y : f32
    gs.yield %new : f32
  }
  return %1 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @of_transposed
// CHECK-COUNT-2: memref.alloc
// CHECK-NOT: memref.copy
func.func @of_transposed(%a: tensor<8x8xf32>, %rows: tensor<8x1xi32>) -> tensor<8x8xf32> {
  %empty = tensor.empty() : tensor<8x8xf32>
  %0 = gs.generic (i, j) ins(%a[i, j]) outs(%empty[i, j]) iterators(i = parallel, j = parallel)
      : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%x: f32, %old: f32):
    %new = math.exp %x : f32
    gs.yield %new : f32
  }
  %1 = gs.generic (i, j) [r = %rows[i, 0]]
      ins(%0[i, j], %0[j, i]) outs(%empty[i, j]) iterators(i = parallel, j = parallel)
      : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x1xi32>, tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %new = arith.mulf %x, %y : f32
    gs.yield %new : f32
  }
  return %1 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @of_rows
// CHECK-COUNT-2: memref.alloc
// CHECK-NOT: memref.copy
func.func @of_rows(%a: tensor<8x8xf32>, %rows: tensor<8x1xi32>) -> tensor<8x8xf32> {
  %empty = tensor.empty() : tensor<8x8xf32>
  %0 = gs.generic (i, j) ins(%a[i, j]) outs(%empty[i, j]) iterators(i = parallel, j = parallel)
      : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%x: f32, %old: f32):
    %new = math.exp %x : f32
    gs.yield %new : f32
  }
  %1 = gs.generic (i, j) [r = %rows[i, 0]]
      ins(%0[i, j], %0[0, j]) outs(%empty[i, j]) iterators(i = parallel, j = parallel)
      : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x1xi32>, tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %new = arith.mulf %x, %y : f32
    gs.yield %new : f32
  }
  return %1 : tensor<8x8xf32>
}
