// RUN: gs-opt %s --gs-mark-kernel --gs-mark-kernel=level=loops | FileCheck %s

// CHECK: func.func @f() attributes {gs.buffers, gs.kernel, gs.loops}
func.func @f() attributes {gs.kernel} {
  return
}
