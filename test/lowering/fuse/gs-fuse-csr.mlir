// RUN: gs-opt %s --gs-optimize --gs-bufferize --canonicalize --cse | filecheck %s

// Compressed rows: a loop over rows around a gs.generic over the entries of one. What is merged
// has the dynamic bounds of the row, and nothing but the result is allocated.

// y[r] = sum of value[e] * x[column[e]] over e in [start[r], start[r + 1])
// CHECK-LABEL: func.func @spmv_csr
// CHECK: memref.alloc(
// CHECK-NOT: memref.alloc
// CHECK: scf.forall
// CHECK-NOT: memref.alloc
// CHECK: gs.generic (
// CHECK: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-NOT: gs.generic (
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @spmv_csr(%value: tensor<?xf64>, %x: tensor<?xf64>, %start: tensor<?xi32>, %column: tensor<?x1xi32>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = tensor.dim %start, %c0 : tensor<?xi32>
  %n = arith.subi %count, %c1 : index
  %e = tensor.empty(%n) : tensor<?xf64>
  %y = scf.forall (%r) in (%n) shared_outs(%out = %e) -> tensor<?xf64> {
    %r1 = arith.addi %r, %c1 : index
    %a = tensor.extract %start[%r] : tensor<?xi32>
    %b = tensor.extract %start[%r1] : tensor<?xi32>
    %first = arith.index_cast %a : i32 to index
    %end = arith.index_cast %b : i32 to index
    %size = arith.subi %end, %first : index
    %v = tensor.extract_slice %value[%first] [%size] [1] : tensor<?xf64> to tensor<?xf64>
    %c = tensor.extract_slice %column[%first, 0] [%size, 1] [1, 1] : tensor<?x1xi32> to tensor<?x1xi32>
    %g = gs.gather %x[%c] gather_dims([0]) : (tensor<?xf64>, tensor<?x1xi32>) -> tensor<?xf64>
    %p = arith.mulf %v, %g : tensor<?xf64>
    %row = tensor.extract_slice %out[%r] [1] [1] : tensor<?xf64> to tensor<f64>
    %row0 = linalg.fill ins(%zero : f64) outs(%row : tensor<f64>) -> tensor<f64>
    %s = linalg.reduce ins(%p : tensor<?xf64>) outs(%row0 : tensor<f64>) dimensions = [0]
      (%u: f64, %acc: f64) {
        %t = arith.addf %acc, %u : f64
        linalg.yield %t : f64
      }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %out[%r] [1] [1] : tensor<f64> into tensor<?xf64>
    }
  }
  return %y : tensor<?xf64>
}

// y[r, j] = sum of value[e] * x[column[e], j] over e in [start[r], start[r + 1])
// CHECK-LABEL: func.func @spmm_csr
// CHECK: memref.alloc(
// CHECK-NOT: memref.alloc
// CHECK: scf.forall
// CHECK-NOT: memref.alloc
// CHECK: gs.generic (
// CHECK: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-NOT: gs.generic (
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @spmm_csr(%value: tensor<?xf32>, %x: tensor<?x64xf32>, %start: tensor<?xi32>, %column: tensor<?x1xi32>) -> tensor<?x64xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = tensor.dim %start, %c0 : tensor<?xi32>
  %n = arith.subi %count, %c1 : index
  %e = tensor.empty(%n) : tensor<?x64xf32>
  %y = scf.forall (%r) in (%n) shared_outs(%out = %e) -> tensor<?x64xf32> {
    %r1 = arith.addi %r, %c1 : index
    %a = tensor.extract %start[%r] : tensor<?xi32>
    %b = tensor.extract %start[%r1] : tensor<?xi32>
    %first = arith.index_cast %a : i32 to index
    %end = arith.index_cast %b : i32 to index
    %size = arith.subi %end, %first : index
    %v = tensor.extract_slice %value[%first] [%size] [1] : tensor<?xf32> to tensor<?xf32>
    %c = tensor.extract_slice %column[%first, 0] [%size, 1] [1, 1] : tensor<?x1xi32> to tensor<?x1xi32>
    %g = gs.gather %x[%c] gather_dims([0]) : (tensor<?x64xf32>, tensor<?x1xi32>) -> tensor<?x64xf32>
    %new = tensor.empty(%size) : tensor<?x64xf32>
    %wide = linalg.broadcast ins(%v : tensor<?xf32>) outs(%new : tensor<?x64xf32>) dimensions = [1]
    %p = arith.mulf %wide, %g : tensor<?x64xf32>
    %row = tensor.extract_slice %out[%r, 0] [1, 64] [1, 1] : tensor<?x64xf32> to tensor<64xf32>
    %row0 = linalg.fill ins(%zero : f32) outs(%row : tensor<64xf32>) -> tensor<64xf32>
    %s = linalg.reduce ins(%p : tensor<?x64xf32>) outs(%row0 : tensor<64xf32>) dimensions = [0]
      (%u: f32, %acc: f32) {
        %t = arith.addf %acc, %u : f32
        linalg.yield %t : f32
      }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %out[%r, 0] [1, 64] [1, 1] : tensor<64xf32> into tensor<?x64xf32>
    }
  }
  return %y : tensor<?x64xf32>
}
