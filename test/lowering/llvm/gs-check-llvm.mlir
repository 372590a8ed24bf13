// RUN: gs-opt %s --gs-check-llvm --verify-diagnostics

llvm.func @f(%x: i32) {
  // expected-error @+1 {{'index.constant' has no lowering to LLVM}}
  %a = index.constant 4
  llvm.return
}
