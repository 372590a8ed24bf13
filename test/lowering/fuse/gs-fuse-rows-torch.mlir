// RUN: gs-opt %s --gs-import-torch --gs-optimize --split-input-file | filecheck %s

// What torch.export gives for computing with gathered rows is one op, without an array of the rows.

// x[ids] @ w
// CHECK-LABEL: func.func @product
// CHECK: gs.generic (d0, d1, d2) [s0 = %{{.*}}[d0, 0] mode(error) wrap_negative]
// CHECK-SAME: ins(%arg0[s0, d2], %arg2[d2, d1]) outs(%{{.*}}[d0, d1])
// CHECK-SAME: iterators(d0 = parallel, d1 = parallel, d2 = reduction)
// CHECK: gs.yield
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @product(%arg0: !torch.vtensor<[1000,512],f32>, %arg1: !torch.vtensor<[64],si64>, %arg2: !torch.vtensor<[512,256],f32>) -> !torch.vtensor<[64,256],f32> {
  %0 = torch.prim.ListConstruct %arg1 : (!torch.vtensor<[64],si64>) -> !torch.list<vtensor>
  %1 = torch.aten.index.Tensor_hacked_twin %arg0, %0 : !torch.vtensor<[1000,512],f32>, !torch.list<vtensor> -> !torch.vtensor<[64,512],f32>
  %2 = torch.aten.mm %1, %arg2 : !torch.vtensor<[64,512],f32>, !torch.vtensor<[512,256],f32> -> !torch.vtensor<[64,256],f32>
  return %2 : !torch.vtensor<[64,256],f32>
}

// -----

// x[ids].float() * scales[ids].unsqueeze(1): both report the same coordinates.
// CHECK-LABEL: func.func @quantized
// CHECK: gs.generic (d0, d1) [s0 = %{{.*}}[d0, 0] mode(error) wrap_negative]
// CHECK-SAME: ins(%arg0[s0, d1], %arg1[s0]) outs(%{{.*}}[d0, d1])
// CHECK: arith.sitofp
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: gs.yield
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @quantized(%arg0: !torch.vtensor<[1000,64],si8>, %arg1: !torch.vtensor<[1000],f32>, %arg2: !torch.vtensor<[64],si64>) -> !torch.vtensor<[64,64],f32> {
  %none = torch.constant.none
  %false = torch.constant.bool false
  %int6 = torch.constant.int 6
  %int1 = torch.constant.int 1
  %0 = torch.prim.ListConstruct %arg2 : (!torch.vtensor<[64],si64>) -> !torch.list<vtensor>
  %1 = torch.aten.index.Tensor_hacked_twin %arg0, %0 : !torch.vtensor<[1000,64],si8>, !torch.list<vtensor> -> !torch.vtensor<[64,64],si8>
  %2 = torch.aten.to.dtype %1, %int6, %false, %false, %none : !torch.vtensor<[64,64],si8>, !torch.int, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[64,64],f32>
  %3 = torch.prim.ListConstruct %arg2 : (!torch.vtensor<[64],si64>) -> !torch.list<vtensor>
  %4 = torch.aten.index.Tensor_hacked_twin %arg1, %3 : !torch.vtensor<[1000],f32>, !torch.list<vtensor> -> !torch.vtensor<[64],f32>
  %5 = torch.aten.unsqueeze %4, %int1 : !torch.vtensor<[64],f32>, !torch.int -> !torch.vtensor<[64,1],f32>
  %6 = torch.aten.mul.Tensor %2, %5 : !torch.vtensor<[64,64],f32>, !torch.vtensor<[64,1],f32> -> !torch.vtensor<[64,64],f32>
  return %6 : !torch.vtensor<[64,64],f32>
}
