// RUN: gs-opt %s --pass-pipeline='builtin.module(gs-if{has=arith.,scf.}(canonicalize))' | FileCheck %s --check-prefix=RUNS
// RUN: gs-opt %s --pass-pipeline='builtin.module(gs-if{has=arith. lacks=func.}(canonicalize))' | FileCheck %s --check-prefix=NOT
// RUN: gs-opt %s --pass-pipeline='builtin.module(gs-if{unmarked=my.mark}(canonicalize))' | FileCheck %s --check-prefix=NOT
// RUN: gs-opt %s --pass-pipeline='builtin.module(gs-if{when=may-merge}(canonicalize))' | FileCheck %s --check-prefix=NOT
// RUN: gs-opt %s --pass-pipeline='builtin.module(gs-if{has=arith.}(gs-if{has=func.}(cse)))' --mlir-print-ir-after-all 2>&1 | FileCheck %s --check-prefix=PRINTS
// RUN: not gs-opt %s --gs-if=has=func. 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not gs-opt %s --pass-pipeline='builtin.module(gs-if{when=never}(cse))' 2>&1 | FileCheck %s --check-prefix=WHEN
// RUN: not gs-opt %s --pass-pipeline='builtin.module(gs-if{has=func.}(no-pass))' 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// RUNS-NOT: arith.constant
// NOT: arith.constant
// PRINTS: IR Dump After CSE
// EMPTY: error: 'gs-if' needs passes in parentheses
// WHEN: error: 'gs-if': no condition 'never' (there are: {{.*}}may-merge
// UNKNOWN: error: 'no-pass' does not refer to a registered pass
func.func @f() attributes {my.mark} {
  %unused = arith.constant 1 : i32
  return
}
