// Whatever is wrong gets one line and a code that is not 0.

// RUN: not gs-run %t.missing.mlir 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not gs-run %S 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: not gs-run %s 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not gs-run %s --entry c 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not gs-run %s -e a --args 1 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not gs-run %s -e a --args x _ 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not gs-run %s -e a --args %t.npy _ 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not gs-run %s -e a --shape 0=3x5 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not gs-run %s -e a --shape 0:3 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not gs-run %s -e a --shape 0=3x4 --shape 0=5x4 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not gs-run %s -e sum --shape 0=3 --shape 1=5 2>&1 | FileCheck %s --check-prefix=UNEQUAL
// RUN: %python -c "import numpy as n; n.save('%t.f4.npy', n.zeros(4, 'f'))" \
// RUN:   && not gs-run %s -e sum --args _ %t.f4.npy --shape 1=5 2>&1 | FileCheck %s --check-prefix=GIVEN
// RUN: gs-run %s -e least --shape 0=3 --shape 1=5 --check | FileCheck %s --check-prefix=LEAST
// RUN: not gs-run %s -e a -o %t.txt 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not gs-run %s -e two -o %t.npy 2>&1 | FileCheck %s --check-prefix=SEVERAL
// RUN: not gs-run %s -e a --size 0 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not gs-run %s -e a --nothing 2>&1 | FileCheck %s --check-prefix=FLAG
// RUN: not gs-run %s -e a --pass-pipeline='builtin.module(nothing)' 2>&1 | FileCheck %s --check-prefix=PIPELINE
// RUN: not gs-run %s -e b 2>&1 | FileCheck %s --check-prefix=RAISED
// RUN: not gs-run %s -e a -o %t.npy/x.npy --quiet 2>&1 | FileCheck %s --check-prefix=OUTPUT
// RUN: echo 'func.func @f() { retur }' | not gs-run - 2>&1 | FileCheck %s --check-prefix=PARSE
// RUN: %python -c "import numpy as n; n.save('%t.f8.npy', n.zeros((3, 4)))" \
// RUN:   && not gs-run %s -e a --args %t.f8.npy _ 2>&1 | FileCheck %s --check-prefix=DTYPE
// RUN: %python -c "import numpy as n; n.save('%t.o.npy', n.array([{}], object))" \
// RUN:   && not gs-run %s -e a --args %t.o.npy _ 2>&1 | FileCheck %s --check-prefix=PICKLE

// MISSING: gs-run: {{.*}}.missing.mlir: no such file
// FOLDER: gs-run: {{.*}}: is a directory
// ENTRY: gs-run: which function? Name one as the entry: the module has a, b, sum, least, two
// UNKNOWN: gs-run: no function 'c' with a body: the module has a, b, sum, least, two
// COUNT: gs-run: --args: expected 2 values, found 1
// VALUE: gs-run: --args x: expected a .npy or .npz file, a number, true, false, or _
// FILE: gs-run: {{.*}}.npy: No such file or directory
// SHAPE: gs-run: --shape 0=3x5: argument 0: expected float32[?, 4]
// TWICE: gs-run: --shape 0=5x4: argument 0 has a shape already
// UNEQUAL-DAG: argument 0: float32[3]
// UNEQUAL-DAG: argument 1: float32[5]
// UNEQUAL-DAG: gs-run: {{.*}}'arith.addf' op, size of dimension 0 of 'operand #1' must be that of dimension 0 of 'operand #0': expected 3, found 5
// GIVEN: gs-run: --shape 1=...: argument 1 is given by --args
// LEAST: argument 0: float32[3]
// LEAST: argument 1: float32[5]
// LEAST: check: equal to the reference (1 result)
// NAME-NOT: argument 0
// NAME: gs-run: {{.*}}.txt: expected a name in .npy or .npz
// SEVERAL-NOT: argument 0
// SEVERAL: gs-run: {{.*}}.npy: 2 results go to a file named .npz
// FORM: gs-run: --shape 0:3: expected a form like 0=1000x64
// SIZE: gs-run: argument --size: expected a number above 0, found 0
// FLAG: gs-run: unrecognized arguments: --nothing
// PIPELINE: 'nothing' does not refer to a registered pass or pass pipeline
// RAISED: gs-run: IndexError: {{.*}}gs-run-errors.mlir:{{.*}}coordinate 9 at position [0, 0] is out of bounds for size 3
// OUTPUT: gs-run: cannot open output file '{{.*}}x.npy': No such file or directory
// PARSE: <stdin>:1:18: error: custom op 'retur' is unknown
// DTYPE: gs-run: argument 0: expected float32[?, 4], found float64[3, 4]
// PICKLE: gs-run: {{.*}}.o.npy: Object arrays cannot be loaded when allow_pickle=False

func.func @a(%table: tensor<?x4xf32>, %ids: tensor<?x1xindex>) -> tensor<?x4xf32> {
  %rows = gs.gather %table[%ids] gather_dims([0])
      : (tensor<?x4xf32>, tensor<?x1xindex>) -> tensor<?x4xf32>
  return %rows : tensor<?x4xf32>
}

func.func @b(%table: tensor<3x4xf32>) -> tensor<1x4xf32> {
  %ids = arith.constant dense<9> : tensor<1x1xi64>
  %rows = gs.gather %table[%ids] gather_dims([0]) mode(error)
      : (tensor<3x4xf32>, tensor<1x1xi64>) -> tensor<1x4xf32>
  return %rows : tensor<1x4xf32>
}

func.func @sum(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %sum = arith.addf %x, %y : tensor<?xf32>
  return %sum : tensor<?xf32>
}

// Plain dims of unequal sizes are cut to the least: both shapes are kept.
func.func @least(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<f32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %sum = gs.generic (i) ins(%x[i], %y[i]) outs(%zero[]) iterators(i = reduction)
      : (tensor<?xf32>, tensor<?xf32>, tensor<f32>) -> tensor<f32> {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    gs.yield %s : f32
  }
  return %sum : tensor<f32>
}

func.func @two(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  return %x, %x : tensor<?xf32>, tensor<?xf32>
}
