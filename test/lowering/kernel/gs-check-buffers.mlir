// RUN: gs-opt %s --gs-check-buffers --split-input-file --verify-diagnostics

func.func @taken(%x: memref<4xi128>, %v: vector<4xf32>) {
  %a = memref.alloc() : memref<4xi1>
  return
}

// -----

func.func @registers() {
  // expected-error @+1 {{'memref.alloc' op no buffer can hold elements of tf32}}
  %a = memref.alloc() : memref<4xtf32>
  return
}

// -----

func.func @scalable(%x: f32) {
  // expected-error @+1 {{'vector.broadcast' op has scalable vectors, which are not supported: vector<[4]xf32>}}
  %a = vector.broadcast %x : f32 to vector<[4]xf32>
  return
}
