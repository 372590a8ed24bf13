// RUN: gs-opt %s --no-implicit-module | filecheck %s
// RUN: gs-opt %s --no-implicit-module --verify-roundtrip | filecheck %s
// RUN: not gs-opt %s --no-implicit-module --cse 2>&1 | filecheck %s --check-prefix=ANCHOR

// CHECK-NOT: module
// CHECK: func.func @f
// ANCHOR: no-implicit-module.mlir:[[# @LINE + 1]]:1: error: can't run 'builtin.module' pass manager on 'func.func' op
func.func @f() { return }
