// RUN: not gs-opt %S/Inputs/deep.mlir 2>&1 | FileCheck %s --check-prefix DEEP
// RUN: not gs-run %S/Inputs/deep.mlir 2>&1 | FileCheck %s --check-prefix DEEP
// RUN: not gs-opt %s --time-limit=0.001 2>&1 | FileCheck %s --check-prefix TIME
// RUN: gs-opt %s --time-limit=100 --memory-limit=20000 | FileCheck %s
// RUN: not gs-opt %s --time-limit=soon 2>&1 | FileCheck %s --check-prefix NUMBER
// RUN: not gs-run %s --memory-limit=-1 2>&1 | FileCheck %s --check-prefix ABOVE

// DEEP: deep.mlir:1:275: error: brackets are nested more than 256 deep
// TIME: gs-opt: stopped: it took more than 0.001 s (--time-limit)
// NUMBER: gs-opt: --time-limit: expected a number, found 'soon'
// ABOVE: gs-run: --memory-limit: expected a number above 0, found '-1'

// CHECK: func.func @f
func.func @f() {
  return
}
