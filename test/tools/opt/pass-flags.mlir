// RUN: gs-opt %s --cse --canonicalize="max-iterations=2 top-down=false" --dump-pass-pipeline 2>&1 \
// RUN:   | filecheck %s --check-prefixes=DUMP,CSE
// RUN: gs-opt %s -cse -mlir-disable-threading | filecheck %s --check-prefix=CSE
// RUN: gs-opt %s --pass-pipeline='builtin.module(func.func(cse))' | filecheck %s --check-prefix=CSE
// RUN: gs-opt %s --pass-pipeline 'func.func(cse)' | filecheck %s --check-prefix=CSE
// RUN: gs-opt %s --gpu-async-region --dump-pass-pipeline 2>&1 | filecheck %s --check-prefix=NEST
// RUN: gs-opt %s | filecheck %s --check-prefix=NONE

// DUMP: builtin.module(cse,canonicalize{{.*}}max-iterations=2{{.*}}top-down=false})
// A pass that upstream restricts to functions is nested in them.
// NEST: builtin.module(func.func(gpu-async-region))
// CSE-COUNT-1: arith.addi
// CSE-NOT: arith.addi
// NONE-COUNT-2: arith.addi
func.func @f(%a: i32) -> (i32, i32) {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  return %0, %1 : i32, i32
}
