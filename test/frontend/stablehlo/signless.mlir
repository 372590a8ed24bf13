// RUN: gs-opt %s --stablehlo-enter-signless | filecheck %s

// Arguments and results that are no tensors are marked, too.
// CHECK-LABEL: func @marked
// CHECK-SAME: %{{.*}}: tensor<?xui8> {gs.unsigned}, %{{.*}}: memref<2xui32> {gs.unsigned}
// CHECK-SAME: %{{.*}}: ui16 {gs.unsigned}, %{{.*}}: memref<2xi32>)
// CHECK-SAME: -> (memref<2xui32> {gs.unsigned})
func.func @marked(%a: tensor<?xui8>, %b: memref<2xui32>, %c: ui16, %d: memref<2xi32>)
    -> memref<2xui32> {
  return %b : memref<2xui32>
}
