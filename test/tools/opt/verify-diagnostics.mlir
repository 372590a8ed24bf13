// RUN: gs-opt %s --split-input-file --verify-diagnostics
// RUN: gs-opt %s -split-input-file -verify-diagnostics=only-expected

// Every form of the comments; the annotated lines stand before, on and after the line.

func.func @same_line() -> i32 {
  return %a : i32 // expected-error {{undeclared SSA}}
}

// -----

func.func @offsets() -> i32 {
  // expected-error@+1 {{use of undeclared SSA value name}}
  return %a : i32
}

// -----

func.func @before() -> i32 {
  return %a : i32

  // expected-error@-2 {{undeclared}}
}

// -----

func.func @above_below(%x: i32) -> i32 { // expected-note {{prior use here}}
  %y = arith.addi %x, %x : i64
  // expected-error @above {{expects different type}}
  return %y : i32
}

// -----

func.func @below() -> i32 {
  // expected-error@below {{undeclared SSA value}}
  return %a : i32
}

// -----

func.func @regex() -> i32 {
  // expected-error-re@+1 {{undeclared {{S+A}} value}}
  return %a : i32
}
