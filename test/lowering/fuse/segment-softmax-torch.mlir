// RUN: gs-opt %s --gs-import-torch --gs-optimize --gs-bufferize --split-input-file | filecheck %s

// Softmax over segments as Torch spells it: what is stored beside the result has an element for each
// segment. Quotients are written over the exponentials.

// CHECK-LABEL: func.func @softmax
// CHECK: memref.alloc() {{.*}} : memref<50xf32>
// CHECK: arith.maximumf
// CHECK: memref.alloc() {{.*}} : memref<400xf32>
// CHECK: math.exp
// CHECK: arith.addf
// CHECK: outs(%[[RESULT:[a-z_0-9]+]][d0]) iterators(d0 = parallel)
// CHECK: arith.divf
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: return %[[RESULT]] : memref<400xf32>
func.func @softmax(%arg0: !torch.vtensor<[400],f32>, %arg1: !torch.vtensor<[400],si64>) -> !torch.vtensor<[400],f32> {
  %0 = torch.vtensor.literal(dense<0.000000e+00> : tensor<50xf32>) : !torch.vtensor<[50],f32>
  %1 = torch.vtensor.literal(dense<0xFF800000> : tensor<50xf32>) : !torch.vtensor<[50],f32>
  %none = torch.constant.none
  %true = torch.constant.bool true
  %str = torch.constant.str "amax"
  %false = torch.constant.bool false
  %int0 = torch.constant.int 0
  %int6 = torch.constant.int 6
  %int1 = torch.constant.int 1
  %int50 = torch.constant.int 50
  %2 = torch.prim.ListConstruct %int50 : (!torch.int) -> !torch.list<int>
  %cpu = torch.constant.device "cpu"
  %3 = torch.aten.empty.memory_format %2, %int6, %int0, %cpu, %false, %none : !torch.list<int>, !torch.int, !torch.int, !torch.Device, !torch.bool, !torch.none -> !torch.vtensor<[50],f32>
  %4 = torch.aten.scatter_reduce.two %1, %int0, %arg1, %arg0, %str, %true : !torch.vtensor<[50],f32>, !torch.int, !torch.vtensor<[400],si64>, !torch.vtensor<[400],f32>, !torch.str, !torch.bool -> !torch.vtensor<[50],f32>
  %5 = torch.aten.gather %4, %int0, %arg1, %false : !torch.vtensor<[50],f32>, !torch.int, !torch.vtensor<[400],si64>, !torch.bool -> !torch.vtensor<[400],f32>
  %6 = torch.aten.sub.Tensor %arg0, %5, %int1 : !torch.vtensor<[400],f32>, !torch.vtensor<[400],f32>, !torch.int -> !torch.vtensor<[400],f32>
  %7 = torch.aten.exp %6 : !torch.vtensor<[400],f32> -> !torch.vtensor<[400],f32>
  %8 = torch.prim.ListConstruct %int50 : (!torch.int) -> !torch.list<int>
  %cpu_0 = torch.constant.device "cpu"
  %9 = torch.aten.empty.memory_format %8, %int6, %int0, %cpu_0, %false, %none : !torch.list<int>, !torch.int, !torch.int, !torch.Device, !torch.bool, !torch.none -> !torch.vtensor<[50],f32>
  %10 = torch.aten.scatter_add %0, %int0, %arg1, %7 : !torch.vtensor<[50],f32>, !torch.int, !torch.vtensor<[400],si64>, !torch.vtensor<[400],f32> -> !torch.vtensor<[50],f32>
  %11 = torch.aten.gather %10, %int0, %arg1, %false : !torch.vtensor<[50],f32>, !torch.int, !torch.vtensor<[400],si64>, !torch.bool -> !torch.vtensor<[400],f32>
  %12 = torch.aten.div.Tensor %7, %11 : !torch.vtensor<[400],f32>, !torch.vtensor<[400],f32> -> !torch.vtensor<[400],f32>
  return %12 : !torch.vtensor<[400],f32>
}

// -----

// y * (g - zeros.scatter_add(0, ids, g * y).gather(0, ids)): no products and no sums of rows are stored.
// CHECK-LABEL: func.func @gradient
// CHECK-DAG: memref.alloc() {{.*}} : memref<400xf32>
// CHECK-DAG: memref.alloc() {{.*}} : memref<50xf32>
// CHECK: gs.generic {{.*}} iterators(d0 = reduction)
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK-NOT: memref.alloc
// CHECK: gs.generic {{.*}} iterators(d0 = parallel)
// CHECK: arith.subf
// CHECK: arith.mulf
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @gradient(%g: !torch.vtensor<[400],f32>, %y: !torch.vtensor<[400],f32>, %i: !torch.vtensor<[400],si64>) -> !torch.vtensor<[400],f32> {
  %zeros = torch.vtensor.literal(dense<0.000000e+00> : tensor<50xf32>) : !torch.vtensor<[50],f32>
  %false = torch.constant.bool false
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %0 = torch.aten.mul.Tensor %g, %y : !torch.vtensor<[400],f32>, !torch.vtensor<[400],f32> -> !torch.vtensor<[400],f32>
  %1 = torch.aten.scatter_add %zeros, %int0, %i, %0 : !torch.vtensor<[50],f32>, !torch.int, !torch.vtensor<[400],si64>, !torch.vtensor<[400],f32> -> !torch.vtensor<[50],f32>
  %2 = torch.aten.gather %1, %int0, %i, %false : !torch.vtensor<[50],f32>, !torch.int, !torch.vtensor<[400],si64>, !torch.bool -> !torch.vtensor<[400],f32>
  %3 = torch.aten.sub.Tensor %g, %2, %int1 : !torch.vtensor<[400],f32>, !torch.vtensor<[400],f32>, !torch.int -> !torch.vtensor<[400],f32>
  %4 = torch.aten.mul.Tensor %y, %3 : !torch.vtensor<[400],f32>, !torch.vtensor<[400],f32> -> !torch.vtensor<[400],f32>
  return %4 : !torch.vtensor<[400],f32>
}
