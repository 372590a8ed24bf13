// RUN: gs-opt %s --split-input-file --convert-gs-to-scf --verify-diagnostics
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="threads=2" --verify-diagnostics
// RUN: gs-opt %s --split-input-file --gs-schedule --verify-diagnostics

// Loops are made of the body that holds the op, so that it would be lowered where it is no more.
func.func @in_a_body(%table: memref<9xf32>, %ids: memref<5xindex>, %out: memref<f32>) {
  %first = arith.constant 0 : index
  gs.generic () outs(%out[]) : (memref<f32>) -> () {
  ^bb0(%current: f32):
    %rows = memref.alloc() : memref<5xf32>
    // expected-error@+1 {{'gs.generic' op is in the body of a 'gs.generic': it has no loops there}}
    gs.generic (d0) [s0 = %ids[d0]] ins(%table[s0]) outs(%rows[d0]) iterators(d0 = parallel)
        : (memref<9xf32>, memref<5xindex>, memref<5xf32>) -> () {
    ^bb0(%a: f32, %o: f32):
      gs.yield %a : f32
    }
    %row = memref.load %rows[%first] : memref<5xf32>
    gs.yield %row : f32
  }
  return
}

// -----

func.func @in_a_loop_of_a_body(%x: memref<4xf32>, %out: memref<4xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  gs.generic (d0) outs(%out[d0]) iterators(d0 = parallel) : (memref<4xf32>) -> () {
  ^bb0(%current: f32):
    scf.for %i = %zero to %one step %one {
      // expected-error@+1 {{'gs.generic' op is in the body of a 'gs.generic': it has no loops there}}
      gs.generic (d0) outs(%x[d0]) iterators(d0 = parallel) : (memref<4xf32>) -> () {
      ^bb0(%o: f32):
        gs.yield %o : f32
      }
    }
    gs.yield %current : f32
  }
  return
}
