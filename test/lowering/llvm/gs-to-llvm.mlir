// RUN: gs-opt %s --gs-to-llvm | FileCheck %s
// RUN: gs-opt %s --gs-to-llvm=threads=2 | FileCheck %s --check-prefix=THREADS
// RUN: gs-opt %s --gs-to-llvm | gs-opt --gs-to-llvm | FileCheck %s
// RUN: gs-opt %s --gs-to-llvm | gs-run - --shape 0=5x64 --shape 1=3x1 | FileCheck %s --check-prefix=SHOWN
// RUN: gs-run %s --shape 0=5x64 --shape 1=3x1 | FileCheck %s --check-prefix=SHOWN
// RUN: gs-opt %s --gs-to-llvm=strided | FileCheck %s --check-prefix=STRIDED

// THREADS: omp.parallel
// CHECK-LABEL: llvm.func @rows(
// CHECK-SAME: llvm.noalias
// CHECK-SAME: -> i32 attributes
// CHECK-SAME: gs.arguments = [{type = memref<?x64xf32>}, {type = memref<?x1xi64>}]
// CHECK-SAME: gs.results = [{sizes = {{\[\[}}"size", 1, 0], 64], type = memref<?x64xf32>}]
// CHECK-NOT: gs.gather
// STRIDED: gs.arguments = [{type = memref<?x64xf32, strided<[?, ?], offset: ?>>}
// SHOWN: result 0: float32[3, 64]
func.func @rows(%t: tensor<?x64xf32>, %i: tensor<?x1xi64>) -> tensor<?x64xf32> {
  %r = gs.gather %t[%i] gather_dims([0]) mode(clip)
      : (tensor<?x64xf32>, tensor<?x1xi64>) -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}
