// RUN: not gs-opt %s --split-input-file --verify-diagnostics 2>&1 | filecheck %s
// RUN: not gs-opt %s --split-input-file --verify-diagnostics=only-expected 2>&1 \
// RUN:   | filecheck %s --check-prefix=ONLY

// CHECK: :[[# @LINE + 2]]:30: error: expected error "nothing" was not produced
// ONLY: :[[# @LINE + 1]]:30: error: expected error "nothing" was not produced
func.func @f() { return } // expected-error {{nothing}}

// -----

// CHECK: :[[# @LINE + 3]]:10: error: unexpected error: use of undeclared SSA value name
// ONLY-NOT: unexpected
func.func @unexpected() -> i32 {
  return %a : i32
}

// -----

// CHECK: :[[# @LINE + 2]]:22: error: 'error' diagnostic emitted when expecting a 'warning'
func.func @kind() -> i32 {
  return %a : i32 // expected-warning {{undeclared}}
}

// -----

// CHECK: error: invalid regular expression
// expected-error-re {{ {{[}} }}
