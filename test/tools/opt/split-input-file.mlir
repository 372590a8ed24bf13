// RUN: not gs-opt %s --split-input-file 2> %t.err | filecheck %s
// RUN: filecheck %s --check-prefix=ERR < %t.err
// RUN: not gs-opt %s --split-input-file --output-split-marker=//==== 2>/dev/null \
// RUN:   | filecheck %s --check-prefix=MARK
// RUN: not gs-opt %s '--split-input-file=// +++' 2>&1 | filecheck %s --check-prefix=OTHER
// RUN: not gs-opt %s --split-input-file --cse --mlir-print-debuginfo 2>/dev/null \
// RUN:   | filecheck %s --check-prefix=LOC

// Parts are independent, a part that fails does not stop the next, and lines count from the top.

// CHECK: @f
// CHECK: // -----
// CHECK-NOT: @bad
// CHECK: // -----
// CHECK: @f
// MARK: //====
// MARK: //====
// ERR: :[[# @LINE + 16]]:1: warning: near miss with file split marker
// ERR: :[[# @LINE + 11]]:10: error: use of undeclared SSA value name
// OTHER-NOT: // -----
// OTHER: :[[# @LINE + 9]]:10: error: use of undeclared SSA value name
// OTHER-NOT: {{^}}module
// LOC: loc("{{.*}}split-input-file.mlir":[[# @LINE + 2]]:1)
// LOC: loc("{{.*}}split-input-file.mlir":[[# @LINE + 11]]:1)
func.func @f() { return }

// -----

func.func @bad() -> i32 {
  return %missing : i32
}

// -----
// ------ not a marker
func.func @f() { return }
