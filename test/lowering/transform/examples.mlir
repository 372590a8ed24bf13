// RUN: gs-opt %S/../../../examples/transform/experts.mlir --transform-interpreter --canonicalize \
// RUN:   --cse --gs-bufferize | filecheck %s --check-prefix=EXPERTS
// RUN: gs-opt %S/../../../examples/transform/attention.mlir --transform-interpreter \
// RUN:   --canonicalize --cse --gs-bufferize | filecheck %s --check-prefix=ATTENTION
// RUN: %python %S/../../../examples/transform/own_op.py | filecheck %s --check-prefix=OWN

// The result, and of all else what one token needs.

// EXPERTS-LABEL: func.func @experts
// EXPERTS-NEXT: arith.constant
// EXPERTS: memref.alloc() {{.*}} : memref<24x16xf32>
// EXPERTS: scf.forall
// EXPERTS-DAG: memref.alloc() {{.*}} : memref<1x16x32xf32>
// EXPERTS-DAG: memref.alloc() {{.*}} : memref<1x32xf32>
// EXPERTS-DAG: memref.alloc() {{.*}} : memref<1x32x16xf32>
// EXPERTS-NOT: memref.alloc
// EXPERTS: return

// Scores of all places, but keys and values of a page.

// ATTENTION-LABEL: func.func @attention
// ATTENTION-NOT: memref<32x16x64xf32>
// ATTENTION: scf.forall
// ATTENTION: memref.alloc() {{.*}} : memref<1x16x64xf32>
// ATTENTION-NOT: memref<32x16x64xf32>
// ATTENTION: scf.for
// ATTENTION: memref.alloc() {{.*}} : memref<1x16x64xf32>
// ATTENTION-NOT: memref<32x16x64xf32>
// ATTENTION: return

// OWN-LABEL: func.func @two
// OWN: scf.for {{.*}} -> (tensor<512x64xf32>)
// OWN: gs.generic
// OWN: gs.generic
// OWN-NOT: scf.for
// OWN: return
