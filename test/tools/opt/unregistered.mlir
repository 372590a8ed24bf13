// RUN: not gs-opt %s 2>&1 | filecheck %s --check-prefix=ERR
// RUN: gs-opt %s --allow-unregistered-dialect | filecheck %s
// RUN: gs-opt %s -allow-unregistered-dialect --verify-roundtrip | filecheck %s

// ERR: unregistered.mlir:[[# @LINE + 2]]:11: error: {{.*}}unregistered dialect
// CHECK: "other.op"() : () -> ()
"other.op"() : () -> ()
