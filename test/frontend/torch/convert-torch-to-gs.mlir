// RUN: gs-opt %s --convert-torch-to-gs --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @gather
func.func @gather(%x: !torch.vtensor<[4,?],f32>, %i: !torch.vtensor<[4,3],si64>)
    -> !torch.vtensor<[4,3],f32> {
  %dim = torch.constant.int -1
  %false = torch.constant.bool false
  // CHECK: gs.gather_elements {{.*}} dim(1) mode(error)
  %0 = torch.aten.gather %x, %dim, %i, %false
      : !torch.vtensor<[4,?],f32>, !torch.int, !torch.vtensor<[4,3],si64>, !torch.bool
      -> !torch.vtensor<[4,3],f32>
  return %0 : !torch.vtensor<[4,3],f32>
}

// -----

// Neighbouring indices: their broadcast dims stand where they stood. One of size 1 is read at 0.
// CHECK-LABEL: func.func @index_neighbours
func.func @index_neighbours(%x: !torch.vtensor<[4,5,6],f32>, %i: !torch.vtensor<[3,1],si64>,
    %j: !torch.vtensor<[2],si64>) -> !torch.vtensor<[4,3,2],f32> {
  %none = torch.constant.none
  %l = torch.prim.ListConstruct %none, %i, %j
      : (!torch.none, !torch.vtensor<[3,1],si64>, !torch.vtensor<[2],si64>)
      -> !torch.list<optional<vtensor>>
  // CHECK: gs.generic (d0, d1, d2) [s0 = %{{.*}}[d1, 0]{{.*}}, s1 = %{{.*}}[d2]{{.*}}] ins(%{{.*}}[d0, s0, s1])
  %0 = torch.aten.index.Tensor %x, %l
      : !torch.vtensor<[4,5,6],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[4,3,2],f32>
  return %0 : !torch.vtensor<[4,3,2],f32>
}

// -----

// CHECK-LABEL: func.func @index_put_accumulate
func.func @index_put_accumulate(%x: !torch.vtensor<[4,5],f32>, %i: !torch.vtensor<[7],si64>,
    %v: !torch.vtensor<[7,5],f32>) -> !torch.vtensor<[4,5],f32> {
  %true = torch.constant.bool true
  %l = torch.prim.ListConstruct %i : (!torch.vtensor<[7],si64>) -> !torch.list<vtensor>
  // CHECK: gs.scatter {{.*}} scatter_dims([0]) mode(error) wrap_negative combine(add) {gs.origin = ["aten.index_put.hacked_twin", "self"]} :
  %0 = torch.aten.index_put.hacked_twin %x, %l, %v, %true
      : !torch.vtensor<[4,5],f32>, !torch.list<vtensor>, !torch.vtensor<[7,5],f32>, !torch.bool
      -> !torch.vtensor<[4,5],f32>
  return %0 : !torch.vtensor<[4,5],f32>
}

// -----

// Without self: the neutral element is written first, then the reduction runs.
// CHECK-LABEL: func.func @scatter_reduce_without_self
func.func @scatter_reduce_without_self(%x: !torch.vtensor<[4],si32>, %i: !torch.vtensor<[6],si64>,
    %v: !torch.vtensor<[6],si32>) -> !torch.vtensor<[4],si32> {
  %dim = torch.constant.int 0
  %amax = torch.constant.str "amax"
  %false = torch.constant.bool false
  // CHECK: %[[LEAST:.*]] = arith.constant -2147483648 : i32
  // CHECK: %[[NEUTRAL:.*]] = linalg.fill ins(%[[LEAST]]
  // CHECK: %[[START:.*]] = gs.scatter_elements %[[NEUTRAL]] into 
  // CHECK: gs.scatter_elements %{{.*}} into %[[START]][{{.*}} combine(max) :
  %0 = torch.aten.scatter_reduce.two %x, %dim, %i, %v, %amax, %false
      : !torch.vtensor<[4],si32>, !torch.int, !torch.vtensor<[6],si64>, !torch.vtensor<[6],si32>,
        !torch.str, !torch.bool -> !torch.vtensor<[4],si32>
  return %0 : !torch.vtensor<[4],si32>
}

// -----

// An op that the torch dialect does not have arrives as torch.operator.
// CHECK-LABEL: func.func @index_add
func.func @index_add(%x: !torch.vtensor<[4,5],si64>, %i: !torch.vtensor<[2],si64>,
    %v: !torch.vtensor<[4,2],si64>) -> !torch.vtensor<[4,5],si64> {
  %dim = torch.constant.int 1
  %alpha = torch.constant.int 3
  // CHECK: arith.constant 3 : i64
  // CHECK: linalg.generic
  // CHECK: arith.muli
  // CHECK: gs.generic (d0, d1) [s0 = %{{.*}} mode(error)] {{.*}} iterators(d0 = parallel, d1 = reduction) {gs.origin = ["aten.index_add", "operand #0"]} :
  // CHECK: arith.addi
  %0 = torch.operator "torch.aten.index_add"(%x, %dim, %i, %v, %alpha)
      : (!torch.vtensor<[4,5],si64>, !torch.int, !torch.vtensor<[2],si64>,
         !torch.vtensor<[4,2],si64>, !torch.int) -> !torch.vtensor<[4,5],si64>
  return %0 : !torch.vtensor<[4,5],si64>
}
