// RUN: gs-opt %s --gs-schedule="threads=2 target=generic:llc-bytes=1048576" --split-input-file | filecheck %s
// RUN: gs-opt %s --gs-schedule --gs-explain --split-input-file -o /dev/null 2>&1 | filecheck %s --check-prefix=TOLD
// RUN: gs-opt %s --gs-schedule="target=generic:disable=masked-reads" --split-input-file | filecheck %s --check-prefix=LESS
// RUN: gs-opt %s --gs-schedule --convert-gs-to-scf --split-input-file | filecheck %s --check-prefix=OBEYED

// Rows: threads cut a dim, and stores are non-temporal where 768 KiB and more are touched.
// CHECK-LABEL: func.func @rows
// CHECK: gs.schedule = {cuts = {column_bytes = 256 : i64, line = 64 : i64, serial_bytes = 262144 : i64}, streaming = {stream_bytes = 786432 : i64, stream_scattered = true}, threads = 2 : i64, vector_bytes = 64 : i64}
// TOLD: gs-schedule.mlir:{{[0-9]+}}:3: remark: 'gs.generic' runs: gs.schedule = {streaming = {{{.*}}stream_bytes = 25165824
func.func @rows(%a: memref<90000x64xf32>, %i: memref<90000xi64>, %y: memref<90000x64xf32>) {
  gs.generic (d0, d1) [s0 = %i[d0]]
      ins(%a[s0, d1]) outs(%y[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<90000x64xf32>, memref<90000xi64>, memref<90000x64xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// -----

// Elements under fill: reads are masked.
// CHECK-LABEL: func.func @elements
// CHECK: masked_reads = {}
// LESS-LABEL: func.func @elements
// LESS-NOT: masked_reads
func.func @elements(%a: memref<900xf32>, %i: memref<9000xi64>, %y: memref<9000xf32>) {
  gs.generic (d0) [s0 = %i[d0] mode(fill_or_drop)]
      ins(%a[s0] fill(0.0 : f32)) outs(%y[d0]) iterators(d0 = parallel)
      : (memref<900xf32>, memref<9000xi64>, memref<9000xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// -----

// A schedule that is given stays, and is obeyed: vectors of 8 elements on 3 threads.
// CHECK-LABEL: func.func @given
// CHECK: gs.schedule = {cuts = {}, threads = 3 : i64, vector_bytes = 32 : i64}
// OBEYED-LABEL: func.func @given
// OBEYED: scf.parallel {{.*}} to (%c3
// OBEYED-LABEL: func.func private @gs_kernel_0(
// OBEYED: vector.load {{.*}} vector<8xf32>
func.func @given(%a: memref<?x64xf32>, %i: memref<?xi64>, %y: memref<?x64xf32>) {
  gs.generic (d0, d1) [s0 = %i[d0]]
      ins(%a[s0, d1]) outs(%y[d0, d1]) iterators(d0 = parallel, d1 = parallel) {gs.schedule = {cuts = {}, threads = 3 : i64, vector_bytes = 32 : i64}}
      : (memref<?x64xf32>, memref<?xi64>, memref<?x64xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}
