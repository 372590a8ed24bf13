// RUN: gs-opt %s --canonicalize --cse --mlir-print-ir-before=cse -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix BEFORE
// RUN: gs-opt %s --gs-generalize --canonicalize --cse --mlir-print-ir-after=gs-generalize,cse \
// RUN:   --mlir-print-ir-before=canonicalize -o /dev/null 2>&1 | FileCheck %s --check-prefix BOTH
// RUN: gs-opt %s --pass-pipeline='builtin.module(func.func(canonicalize,cse))' \
// RUN:   --mlir-print-ir-after=canonicalize --mlir-print-ir-after=cse -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix NESTED
// RUN: gs-opt %s --canonicalize --cse --symbol-dce --mlir-print-ir-after=cse,symbol-dce \
// RUN:   --mlir-print-ir-after-change -o /dev/null 2>&1 | FileCheck %s --check-prefix CHANGE
// RUN: not gs-opt %s --mlir-print-ir-before=nonsense 2>&1 | FileCheck %s --check-prefix UNKNOWN
// RUN: not gs-opt %s --cse --mlir-print-ir-before=cse --mlir-print-ir-tree-dir=%t 2>&1 \
// RUN:   | FileCheck %s --check-prefix TREE
// RUN: not gs-opt %s --convert-gs-to-scf="threads=0" --mlir-print-ir-before=cse 2>&1 \
// RUN:   | FileCheck %s --check-prefix FAILS

// BEFORE-NOT: Canonicalizer
// BEFORE: // -----// IR Dump Before CSE{{.*}}cse
// BEFORE: arith.addi
// BEFORE-NOT: IR Dump

// BOTH: IR Dump After GsGeneralize
// BOTH: IR Dump Before Canonicalizer
// BOTH-NOT: IR Dump Before
// BOTH: IR Dump After CSE

// NESTED: IR Dump After Canonicalizer
// NESTED: func.func @f
// NESTED: IR Dump After CSE
// NESTED: func.func @f

// CHANGE: IR Dump After CSE
// CHANGE-NOT: IR Dump

// UNKNOWN: gs-opt: for the --mlir-print-ir-before option: Cannot find option named 'nonsense'!
// TREE: gs-opt: --mlir-print-ir-tree-dir takes dumps of all passes, not of some
// FAILS: threads must be from 1 to 65536
func.func @f(%a: i32) -> (i32, i32) {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  return %0, %1 : i32, i32
}
