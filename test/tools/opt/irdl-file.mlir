// RUN: gs-opt %s --irdl-file=%S/Inputs/cmath.irdl.mlir | FileCheck %s
// RUN: not gs-opt %s 2>&1 | FileCheck %s --check-prefix UNKNOWN
// RUN: not gs-opt %s --irdl-file=%S/Inputs/taken.irdl.mlir 2>&1 | FileCheck %s --check-prefix TAKEN
// RUN: not gs-opt %s --irdl-file=%S/irdl-file.mlir 2>&1 | FileCheck %s --check-prefix WRONG
// RUN: not gs-opt %s --irdl-file=nowhere.mlir 2>&1 | FileCheck %s --check-prefix NOWHERE
// RUN: gs-opt --irdl > %t.irdl.mlir
// RUN: not gs-opt %s --irdl-file=%t.irdl.mlir 2>&1 | FileCheck %s --check-prefix OURS

// CHECK: "cmath.norm"(%{{.*}}) : (f32) -> f64
// UNKNOWN: irdl-file.mlir:[[# @LINE + 7]]:20: error: operation being parsed with an unregistered dialect
// TAKEN: gs-opt: {{.*}}taken.irdl.mlir: a dialect 'arith' has already been registered
// WRONG: irdl-file.mlir:[[# @LINE + 5]]:20: error:
// NOWHERE: gs-opt: cannot open input file 'nowhere.mlir': No such file or directory
// OURS: gs-opt: {{.*}}.irdl.mlir: a dialect 'gs' has already been registered

func.func @f(%x: f32) -> f64 {
  %0 = "cmath.norm"(%x) : (f32) -> f64
  return %0 : f64
}
