// Functions of every level, and what is generated for them.

// RUN: gs-run %s -e upstream --check --quiet | FileCheck %s --check-prefix=UPSTREAM
// RUN: gs-run %s -e scatter --check --quiet --shape 0=5x6 | FileCheck %s --check-prefix=SCATTER
// RUN: gs-run %s -e columns --check --quiet --shape 2=7x9 | FileCheck %s --check-prefix=COLUMNS
// RUN: gs-run %s -e loops --quiet --size 5 | FileCheck %s --check-prefix=LOOPS
// RUN: gs-run %s -e linalg --check --quiet | FileCheck %s --check-prefix=LINALG
// RUN: gs-run %s -e named --check --quiet --shape 0=3x4 --shape 1=4x5 | FileCheck %s --check-prefix=NAMED
// RUN: gs-run %s -e numbers --check --args 5 true | FileCheck %s --check-prefix=NUMBERS
// RUN: gs-run %s -e columns --quiet --pass-pipeline='builtin.module(convert-tensor-to-gs,gs-generalize,gs-bufferize)' | FileCheck %s --check-prefix=BUFFERS

// UPSTREAM: argument 0: float32[3, 4, 5] (generated)
// UPSTREAM: argument 1: int64[6, 2] (generated coordinates)
// UPSTREAM: result 0: float32[6, 4]
// UPSTREAM: check: equal
func.func @upstream(%s: tensor<3x4x5xf32>, %i: tensor<6x2xindex>) -> tensor<6x4xf32> {
  %r = tensor.gather %s[%i] gather_dims([0, 2])
      : (tensor<3x4x5xf32>, tensor<6x2xindex>) -> tensor<6x4xf32>
  return %r : tensor<6x4xf32>
}

// The updates get the sizes of what they update, and no row comes twice.
// SCATTER: argument 0: float64[5, 6] (generated)
// SCATTER: argument 1: int8[3, 1] (generated coordinates)
// SCATTER: argument 2: float64[3, 6] (generated)
// SCATTER: check: equal
func.func @scatter(%d: tensor<?x?xf64>, %i: tensor<3x1xi8>, %u: tensor<3x?xf64>)
    -> tensor<?x?xf64> {
  %r = gs.scatter %u into %d[%i] scatter_dims([0]) unique sorted
      : (tensor<3x?xf64>, tensor<?x?xf64>, tensor<3x1xi8>) -> tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}

// COLUMNS: argument 0: int32[1024, 9]
// COLUMNS: argument 1: uint8[7, 9] (generated coordinates)
// COLUMNS: check: equal
// BUFFERS: result 0: int32[1024, 1024]
func.func @columns(%d: tensor<?x?xi32>, %i: tensor<?x?xui8>, %u: tensor<?x?xi32>)
    -> tensor<?x?xi32> {
  %r = gs.scatter_elements %u into %d[%i] dim(0) combine(add)
      : (tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xui8>) -> tensor<?x?xi32>
  return %r : tensor<?x?xi32>
}

// A function without results shows what it wrote.
// LOOPS: argument 0: float32[5] (generated)
// LOOPS: argument 1: int64[5] (generated coordinates)
// LOOPS: argument 2: float32[5] (generated)
// LOOPS: argument 2: float32[5]
func.func @loops(%a: memref<?xf32>, %i: memref<?xindex>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %i, %c0 : memref<?xindex>
  scf.for %k = %c0 to %n step %c1 {
    %j = memref.load %i[%k] : memref<?xindex>
    %x = memref.load %a[%j] : memref<?xf32>
    memref.store %x, %b[%k] : memref<?xf32>
  }
  return
}

// LINALG: argument 1: int32[1024] (generated coordinates)
// LINALG: check: equal
func.func @linalg(%a: tensor<100xf32>, %i: tensor<?xi32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>],
      iterator_types = ["parallel"]} ins(%i : tensor<?xi32>) outs(%out : tensor<?xf32>) {
  ^bb0(%k: i32, %o: f32):
    %j = arith.index_cast %k : i32 to index
    %v = tensor.extract %a[%j] : tensor<100xf32>
    linalg.yield %v : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// NUMBERS: argument 0: 5 (5)
// NUMBERS: argument 1: True (true)
// NUMBERS: result 0: 10
// NUMBERS: check: equal
func.func @numbers(%a: index, %twice: i1) -> index {
  %sum = arith.addi %a, %a : index
  %r = arith.select %twice, %sum, %a : index
  return %r : index
}

// What the reference does not know by name it runs as upstream spells it out.
// NAMED: check: equal
func.func @named(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %o: tensor<3x5xf32>)
    -> tensor<3x5xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
      outs(%o : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}
