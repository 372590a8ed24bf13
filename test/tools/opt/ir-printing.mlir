// RUN: gs-opt %s --cse --canonicalize --mlir-print-ir-after-all -o /dev/null 2>&1 \
// RUN:   | filecheck %s --check-prefix=AFTER
// RUN: gs-opt %s --cse --mlir-print-ir-before-all --mlir-print-op-generic -o /dev/null 2>&1 \
// RUN:   | filecheck %s --check-prefix=BEFORE
// RUN: gs-opt %s --cse --symbol-dce --mlir-print-ir-after-change -o /dev/null 2>&1 \
// RUN:   | filecheck %s --check-prefix=CHANGE
// RUN: gs-opt %s --cse --mlir-timing -o /dev/null 2>&1 | filecheck %s --check-prefix=TIMING
// RUN: gs-opt %s --cse --mlir-pass-statistics -o /dev/null 2>&1 | filecheck %s --check-prefix=STATS
// RUN: rm -rf %t.dir
// RUN: gs-opt %s --cse --mlir-print-ir-after-all --mlir-print-ir-tree-dir=%t.dir -o /dev/null
// RUN: filecheck %s --check-prefix=TREE < %t.dir/builtin_module_no-symbol-name/0_cse.mlir

// AFTER: IR Dump After CSE{{.*}}cse
// AFTER: IR Dump After Canonicalize{{.*}}canonicalize
// BEFORE: IR Dump Before CSE{{.*}}cse
// BEFORE: "arith.addi"
// BEFORE: "arith.addi"
// CHANGE: IR Dump After CSE
// CHANGE-NOT: IR Dump After SymbolDCE
// TIMING: Execution time report
// TIMING: CSE
// STATS: Pass statistics report
// TREE: arith.addi
func.func @f(%a: i32) -> (i32, i32) {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  return %0, %1 : i32, i32
}
