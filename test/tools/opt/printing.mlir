// RUN: gs-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: gs-opt %s --mlir-print-debuginfo | filecheck %s --check-prefix=LOC
// RUN: gs-opt %s --mlir-print-debuginfo --mlir-print-local-scope | filecheck %s --check-prefix=LOCAL
// RUN: gs-opt %s --mlir-pretty-debuginfo | filecheck %s --check-prefix=PRETTY
// RUN: gs-opt %s --mlir-elide-elementsattrs-if-larger=2 | filecheck %s --check-prefix=ELIDE
// RUN: gs-opt %s --mlir-print-skip-regions | filecheck %s --check-prefix=SKIP
// RUN: gs-opt %s --mlir-use-nameloc-as-prefix | filecheck %s --check-prefix=NAME
// RUN: gs-opt < %s --mlir-print-debuginfo | filecheck %s --check-prefix=STDIN

// GENERIC: "func.func"()
// GENERIC: "func.return"
// LOC: = loc("{{.*}}printing.mlir":[[# @LINE + 8]]:1)
// LOCAL: arith.constant {{.*}} loc("table")
// PRETTY: arith.constant {{.*}} "table"
// ELIDE: dense_resource<__elided__> : tensor<4xi32>
// SKIP: module {...}
// NAME: %table = arith.constant
// STDIN: loc("<stdin>":[[# @LINE + 2]]:1)
// STDIN-NOT: "-"
func.func @f() -> tensor<4xi32> {
  %0 = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32> loc("table")
  return %0 : tensor<4xi32>
}
