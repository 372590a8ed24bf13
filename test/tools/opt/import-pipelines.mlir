// The passes of StableHLO and torch-mlir are flags and names of pipelines; test_import_pipelines.py
// runs what --dump-pass-pipeline prints of an import.
// RUN: gs-opt %s --gs-import-stablehlo | filecheck %s
// RUN: gs-opt %s --gs-import-torch | filecheck %s
// RUN: gs-opt %s --gs-import-tosa | filecheck %s
// RUN: gs-opt %s --stablehlo-legalize-to-linalg --torch-decompose-complex-ops | filecheck %s

// Ours may stand in func.func(...), between upstream's.
// RUN: gs-opt %s --pass-pipeline='builtin.module(func.func(cse,gs-generalize,cse),symbol-dce)' --dump-pass-pipeline 2>&1 | filecheck %s --check-prefix=NESTED

// All of these are in --help, with their options.
// RUN: gs-opt --help | filecheck %s --check-prefix=HELP

// CHECK: func.func @f(%{{.*}}: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return
// NESTED: builtin.module(func.func(cse),gs-generalize,func.func(cse),symbol-dce)
// HELP: Passes of upstream that these pipelines run
// HELP: --one-shot-bufferize="allow-return-allocs-from-loops=false
// HELP: --stablehlo-legalize-to-linalg="
// HELP: --tosa-to-scf
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
