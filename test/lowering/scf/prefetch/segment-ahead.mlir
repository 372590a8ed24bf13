// RUN: gs-opt %s --gs-bufferize --convert-gs-to-scf=target=generic:read-ahead=2048 | filecheck %s

// The coordinates of a segment are asked for by the loop over segments: between it and the lanes, none
// of their points is known.

// CHECK-LABEL: func.func @rows_of_planes
// CHECK: scf.while
// CHECK: return
func.func @rows_of_planes(%x: tensor<3x2x?xf32>, %k: tensor<2x1xi8>, %i: tensor<?x4x1xi32>, %y: tensor<?x4x2x?xf32>) -> tensor<?x4x2x?xf32> {
  %r = "gs.generic"(%x, %k, %i, %y) ({
  ^bb0(%a: f32, %o: f32):
    "gs.yield"(%a) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1, d2, d3)[s0, s1] -> (d0, 0)>], [affine_map<(d0, d1, d2, d3)[s0, s1] -> (d0, d1, 0)>]],
    indexing_maps = [affine_map<(d0, d1, d2, d3)[s0, s1] -> (s1, d2, d3)>, affine_map<(d0, d1, d2, d3)[s0, s1] -> (s0, d1, d2, d3)>],
    iterator_types = ["reduction", "parallel", "parallel", "parallel"], sorted,
    operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0>
  } : (tensor<3x2x?xf32>, tensor<2x1xi8>, tensor<?x4x1xi32>, tensor<?x4x2x?xf32>) -> tensor<?x4x2x?xf32>
  return %r : tensor<?x4x2x?xf32>
}
