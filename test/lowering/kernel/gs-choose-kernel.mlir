// RUN: gs-opt %s --gs-choose-kernel="entry=f donate={1}" | FileCheck %s
// RUN: not gs-opt %s --gs-choose-kernel 2>&1 | FileCheck %s --check-prefix=WHICH
// RUN: not gs-opt %s --gs-choose-kernel="entry=f donate={3}" 2>&1 | FileCheck %s --check-prefix=DONATE
// RUN: gs-opt %s --gs-choose-kernel=entry=g --gs-choose-kernel=entry=f | FileCheck %s --check-prefix=ONCE

// WHICH: error: which function? Name one as the entry: the module has f, g
// DONATE: error: donate: no argument 3: 'f' has 0, 1

// CHECK-LABEL: func.func @f
// CHECK-SAME: %{{.*}}: tensor<?xf32>, %{{.*}}: tensor<?xf32> {bufferization.writable = true})
// CHECK-SAME: attributes {gs.kernel}
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32>
    attributes {llvm.emit_c_interface} {
  return %y : tensor<?xf32>
}

// CHECK: func.func private @g
// ONCE: func.func private @f
// ONCE: func.func @g() attributes {gs.kernel}
func.func @g() {
  return
}
