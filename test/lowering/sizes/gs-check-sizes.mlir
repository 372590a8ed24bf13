// RUN: gs-opt %s --gs-check-sizes | filecheck %s
// RUN: gs-opt %s --gs-check-sizes --gs-check-sizes | filecheck %s

// Each constraint on sizes that the types leave open is asserted as soon as the sizes are there; what
// stands there already is not asserted again.

// CHECK-LABEL: func.func @batches
// CHECK-SAME: (%[[SOURCE:.*]]: tensor<?x4x5xf32>, %[[INDICES:.*]]: tensor<?x2x1xi32>,
// CHECK-DAG: %[[FOUND:.*]] = tensor.dim %[[SOURCE]], %c0
// CHECK-DAG: %[[WANTED:.*]] = tensor.dim %[[INDICES]], %c0
// CHECK: %[[FIT:.*]] = arith.cmpi eq, %[[FOUND]], %[[WANTED]]
// CHECK: cf.assert %[[FIT]], "{{.*}}gs-check-sizes.mlir:[[# @LINE + 7]]:8: 'gs.gather' op, size of dimension 0 of 'source' must be that of dimension 0 of 'indices'"
// CHECK-NOT: cf.assert
// CHECK: memref.store
// CHECK: gs.gather %[[SOURCE]][%[[INDICES]]] gather_dims([1]) batch_dims(1) {gs.sizes_checked}
func.func @batches(%source: tensor<?x4x5xf32>, %indices: tensor<?x2x1xi32>, %m: memref<i64>, %i: i64)
    -> tensor<?x2x5xf32> {
  memref.store %i, %m[] : memref<i64>
  %0 = gs.gather %source[%indices] gather_dims([1]) batch_dims(1)
      : (tensor<?x4x5xf32>, tensor<?x2x1xi32>) -> tensor<?x2x5xf32>
  return %0 : tensor<?x2x5xf32>
}

// What is known to fit is not asserted: sizes that come from one place, and windows within.
// CHECK-LABEL: func.func @known
// CHECK-NOT: cf.assert
// CHECK: return
func.func @known(%a: tensor<?xf32>, %i: tensor<?x1xi32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %b = arith.negf %a : tensor<?xf32>
  %c = arith.addf %a, %b : tensor<?xf32>
  %k = tensor.dim %i, %c0 : tensor<?x1xi32>
  %e = tensor.empty(%k) : tensor<?xf32>
  %r = gs.scatter %e into %c[%i] scatter_dims([0])
      : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  %s = tensor.extract_slice %r[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  return %r, %s : tensor<?xf32>, tensor<?xf32>
}

// Upstream's ops that read and write by sizes: each dim of a linalg op has one.
// CHECK-LABEL: func.func @upstream
// CHECK: cf.assert %{{.*}}, "{{.*}}'arith.addf' op, size of dimension 0 of 'operand #1' must be that of dimension 0 of 'operand #0'"
// CHECK: cf.assert %{{.*}}, "{{.*}}'linalg.matmul' op, size of dimension 0 of 'operand #1' must be that of dimension 1 of 'operand #0'"
// CHECK: cf.assert %{{.*}}, "{{.*}}'tensor.cast' op, size of dimension 0 of 'source' must be 7"
// CHECK: arith.addf
func.func @upstream(%a: tensor<?xf32>, %b: tensor<?xf32>, %m: tensor<4x?xf32>, %w: tensor<?x3xf32>,
                    %o: tensor<4x3xf32>) -> (tensor<7xf32>, tensor<4x3xf32>) {
  %0 = arith.addf %a, %b : tensor<?xf32>
  %1 = linalg.matmul ins(%m, %w : tensor<4x?xf32>, tensor<?x3xf32>) outs(%o : tensor<4x3xf32>)
      -> tensor<4x3xf32>
  %2 = tensor.cast %0 : tensor<?xf32> to tensor<7xf32>
  return %2, %1 : tensor<7xf32>, tensor<4x3xf32>
}

// A window that is known when it runs.
// CHECK-LABEL: func.func @window
// CHECK: cf.assert %{{.*}}, "{{.*}}'tensor.extract_slice' op, offset 0 must be at least 0"
// CHECK: cf.assert %{{.*}}, "{{.*}}'tensor.extract_slice' op, size 0 must be at least 0"
// CHECK: cf.assert %{{.*}}, "{{.*}}'tensor.extract_slice' op, size 0 must be at most what is behind its offset"
func.func @window(%a: tensor<?xf32>, %o: index, %n: index) -> tensor<?xf32> {
  %0 = tensor.extract_slice %a[%o] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Without coordinates no element is addressed: then sizes off dim may be any.
// CHECK-LABEL: func.func @elements
// CHECK: %[[SOME:.*]] = arith.cmpi sgt
// CHECK: scf.if %[[SOME]]
// CHECK: cf.assert %{{.*}}, "{{.*}}'gs.gather_elements' op, size of dimension 0 of 'source' must be at least that of dimension 0 of 'indices'"
func.func @elements(%a: tensor<?x?xf32>, %i: tensor<?x?xi32>) -> tensor<?x?xf32> {
  %0 = gs.gather_elements %a[%i] dim(1) : (tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Slices in loops are what the loop says.
// CHECK-LABEL: func.func @in_a_loop
// CHECK-NOT: cf.assert
// CHECK: return
func.func @in_a_loop(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%b = %a) -> tensor<?xf32> {
    %s = tensor.extract_slice %a[%k] [4] [1] : tensor<?xf32> to tensor<4xf32>
    %t = tensor.insert_slice %s into %b[%k] [4] [1] : tensor<4xf32> into tensor<?xf32>
    scf.yield %t : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// A broadcast has the sizes of its destination: there is nothing to check.
// CHECK-LABEL: func.func @broadcast_to_the_size_of_a_slice
// CHECK: linalg.broadcast
// CHECK-NEXT: arith.mulf
func.func @broadcast_to_the_size_of_a_slice(%v: tensor<?xf32>, %x: tensor<?x4xf32>, %n: index)
    -> tensor<?x4xf32> {
  %part = tensor.extract_slice %v[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %rows = tensor.extract_slice %x[0, 0] [%n, 4] [1, 1] : tensor<?x4xf32> to tensor<?x4xf32>
  %space = tensor.empty(%n) : tensor<?x4xf32>
  %wide = linalg.broadcast ins(%part : tensor<?xf32>) outs(%space : tensor<?x4xf32>)
      dimensions = [1]
  %products = arith.mulf %wide, %rows : tensor<?x4xf32>
  return %products : tensor<?x4xf32>
}

// Indices of single elements where they are constants; in loops, before them.
// CHECK-LABEL: func.func @places
// CHECK: cf.assert %{{.*}}'tensor.extract' op, index 0 must be at most the last of its dimension"
// CHECK: scf.if
// CHECK: cf.assert %{{.*}}'tensor.extract' op, index 0 must be at least 0"
// CHECK: scf.if
// CHECK: cf.assert %{{.*}}'tensor.extract' op, index 0 must be at most the last of its dimension"
// CHECK: scf.for
// CHECK-NOT: cf.assert
// CHECK: return
func.func @places(%x: tensor<?xf32>, %n: index) -> f32 {
  %least = arith.constant -1 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = tensor.extract %x[%c1] : tensor<?xf32>
  %any = tensor.extract %x[%n] : tensor<?xf32>
  %sum = arith.addf %first, %any : f32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %sum) -> f32 {
    %a = tensor.extract %x[%least] : tensor<?xf32>
    %b = tensor.extract %x[%c1] : tensor<?xf32>
    %t = arith.addf %a, %b : f32
    scf.yield %t : f32
  }
  return %r : f32
}

// What a step may not meet, or a size that the loop computes, is compared in the loop.
// CHECK-LABEL: func.func @places_in_branches
// CHECK-NOT: cf.assert
// CHECK: scf.for
// CHECK: cf.assert %{{.*}}'tensor.insert' op, index 0 must be at most
// CHECK: scf.if
// CHECK: cf.assert %{{.*}}'tensor.extract' op, index 0 must be at most
// CHECK-NOT: cf.assert
// CHECK: return
func.func @places_in_branches(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index, %f: i1)
    -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %y) -> tensor<?xf32> {
    %a = scf.if %f -> f32 {
      %b = tensor.extract %x[%c1] : tensor<?xf32>
      scf.yield %b : f32
    } else {
      scf.yield %v : f32
    }
    %t = tensor.insert %a into %s[%c0] : tensor<?xf32>
    scf.yield %t : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// A function that calls itself stays one, and has no caller to return an error to.
// CHECK-LABEL: func.func private @calls_itself
// CHECK-NOT: cf.assert
// CHECK: return
func.func private @calls_itself(%x: memref<?xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %more = arith.cmpi sgt, %n, %c0 : index
  %r = scf.if %more -> f32 {
    %left = arith.subi %n, %c1 : index
    %b = func.call @calls_itself(%x, %left) : (memref<?xf32>, index) -> f32
    scf.yield %b : f32
  } else {
    %a = memref.load %x[%c1] : memref<?xf32>
    scf.yield %a : f32
  }
  return %r : f32
}

// A view is held against its buffer; numbers with constants of more than 31 bits are checked.
// CHECK-LABEL: func.func @views
// CHECK-DAG: cf.assert %{{.*}}'memref.view' op, the end of the view must be at most the size of the
// CHECK-DAG: cf.assert %{{.*}}'memref.reinterpret_cast' op, the last place must be at most the last
// CHECK-DAG: cf.assert %{{.*}}'vector.load' op, index 0 must be at most the last place of 4 elements
// CHECK-DAG: cf.assert %{{.*}}'memref.load' op, index 0 must be at most the last of its dimension
func.func @views(%m: memref<?xi8>, %x: memref<?xf32>, %k: index, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %far = arith.constant 2147483648 : index
  %v = memref.view %m[%k][%n] : memref<?xi8> to memref<?xf32>
  %r = memref.reinterpret_cast %x to offset: [%k], sizes: [4], strides: [1]
      : memref<?xf32> to memref<4xf32, strided<[1], offset: ?>>
  %w = vector.load %x[%c0] : memref<?xf32>, vector<4xf32>
  %p = arith.addi %k, %far : index
  %a = memref.load %x[%p] : memref<?xf32>
  memref.store %a, %v[%k] : memref<?xf32>
  memref.store %a, %r[%k] : memref<4xf32, strided<[1], offset: ?>>
  vector.store %w, %x[%k] : memref<?xf32>, vector<4xf32>
  return %a : f32
}
