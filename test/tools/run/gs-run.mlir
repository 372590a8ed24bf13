// A bare run, a check against the reference, saving, reading and timing.

// RUN: gs-run %s | FileCheck %s --check-prefix=BARE
// RUN: gs-run %s --check --quiet | FileCheck %s --check-prefix=SAME
// RUN: gs-run %s --reference --size 3 --seed 7 | FileCheck %s --check-prefix=REFERENCE
// RUN: gs-run - < %s --quiet --shape 0=9x4 --shape '1=?' | FileCheck %s --check-prefix=SHAPES
// RUN: gs-run %s --time 5 --threads 1 --quiet | FileCheck %s --check-prefix=TIME

// BARE:      argument 0 (table): float32[1024, 4] (generated)
// BARE-NEXT: argument 1: int32[1024] (generated coordinates)
// BARE-NEXT: result 0: float32[1024, 4]
// BARE-NEXT: {{\[\[.*[0-9]+\.[0-9]+}}
// BARE:      ...
// BARE:      {{.*}}]]

// SAME: result 0: float32[1024, 4]
// SAME: check: equal to the reference (1 result)

// REFERENCE: argument 1: int32[3] (generated coordinates)
// REFERENCE: result 0: float32[3, 4]

// SHAPES: argument 0 (table): float32[9, 4]
// SHAPES: result 0: float32[1024, 4]

// TIME: calls median fastest bytes bytes/s (median) a copy here share
// TIME-NEXT: 5 {{.*}} us {{.*}} us 36.9 kB {{.*}}B/s {{.*}}B/s {{[0-9]+}}%
// TIME-NEXT: the op at {{.*}}gs-run.mlir:{{[0-9]+}}:{{[0-9]+}} runs
// TIME-NEXT: on one thread: threads = 1
// TIME-NEXT: d1 in vectors of 4: outputs step by one element along it

// RUN: %python -c "import numpy as n; n.save('%t.npy', n.arange(8, dtype='f4').reshape(2, 4)); n.savez('%t.npz', ids=n.array([1, 0, 1], 'i4'), other=n.zeros(1))" \
// RUN:   && gs-run %s --args %t.npy %t.npz:ids -o %t.out.npy | FileCheck %s --check-prefix=FILES
// RUN: %python -c "import numpy as n; print(n.load('%t.out.npy').tolist())" | FileCheck %s --check-prefix=SAVED
// RUN: gs-run %s --args %t.npy _ -o %t.out.npz --quiet | FileCheck %s --check-prefix=BOUND
// RUN: %python -c "import numpy as n; print(n.load('%t.out.npz')['result_0'].shape)" | FileCheck %s --check-prefix=KEY

// FILES:      result 0: float32[3, 4]
// FILES-NEXT: {{\[\[}}4. 5. 6. 7.]
// FILES-NEXT: [0. 1. 2. 3.]
// FILES-NEXT: [4. 5. 6. 7.]]
// SAVED: {{\[\[}}4.0, 5.0, 6.0, 7.0], [0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]]
// BOUND: result 0: float32[1024, 4]
// KEY: (1024, 4)

func.func @rows(%table: tensor<?x4xf32> loc("table"), %ids: tensor<?xi32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %ids, %c0 : tensor<?xi32>
  %wide = tensor.expand_shape %ids [[0, 1]] output_shape [%n, 1]
      : tensor<?xi32> into tensor<?x1xi32>
  %rows = gs.gather %table[%wide] gather_dims([0]) mode(error)
      : (tensor<?x4xf32>, tensor<?x1xi32>) -> tensor<?x4xf32>
  return %rows : tensor<?x4xf32>
}
