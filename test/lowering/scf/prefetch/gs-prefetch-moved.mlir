// What a loop moves to other lines, by its own step, while coordinates stay: dense rows alone.
// RUN: gs-opt %s --allow-unregistered-dialect --gs-prefetch="target=generic:lines-l2=16:elements-ahead=32:read-ahead=0:far-bytes=4194304:memory-bytes=4194304" --canonicalize --cse | filecheck %s

// Columns of each row, one in a step: no core waits for those of the next row.
// CHECK-LABEL: func.func @next_row
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @next_row(%table: memref<2048x4096xf32>, %ids: memref<?xindex>, %out: memref<2048x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 2048 : index
  %n = memref.dim %ids, %c0 : memref<?xindex>
  scf.for %i = %c0 to %rows step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %id = memref.load %ids[%j] : memref<?xindex>
      %x = memref.load %table[%i, %id] : memref<2048x4096xf32>
      memref.store %x, %out[%i, %j] : memref<2048x?xf32>
    }
  }
  return
}

// Several columns of a row in a step: where they are dense, the lines of the next row in order.
// CHECK-LABEL: func.func @next_dense_row
// CHECK: %[[POINTS:.*]] = memref.dim %arg1
// CHECK: %[[REACHED:.*]] = arith.muli %[[POINTS]], %c64
// CHECK: %[[DENSE:.*]] = arith.cmpi sge, %[[REACHED]], %c16384
// CHECK: scf.for %[[I:.*]] = %c0 to
// CHECK: scf.for
// CHECK: scf.if %[[DENSE]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %c1
// CHECK: memref.prefetch %arg0[%[[NEXT]], %{{.*}}], read
// CHECK-NOT: memref.prefetch
// CHECK: memref.load %arg0[%[[I]],
// The places of no row alone: each column has one of its own.
// CHECK-LABEL: func.func @rows_of_columns
// CHECK-NOT: arith.cmpi
// CHECK: return
func.func @next_dense_row(%table: memref<2048x4096xf32>, %ids: memref<?xindex>,
    %out: memref<2048x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %rows = arith.constant 2048 : index
  %n = memref.dim %ids, %c0 : memref<?xindex>
  scf.for %i = %c0 to %rows step %c1 {
    %odd = arith.remui %n, %c2 : index
    %even = arith.subi %n, %odd : index
    scf.for %j = %c0 to %even step %c2 {
      %id = memref.load %ids[%j] : memref<?xindex>
      %x = memref.load %table[%i, %id] : memref<2048x4096xf32>
      %k = arith.addi %j, %c1 : index
      %other = memref.load %ids[%k] : memref<?xindex>
      %y = memref.load %table[%i, %other] : memref<2048x4096xf32>
      memref.store %x, %out[%i, %j] : memref<2048x?xf32>
      memref.store %y, %out[%i, %k] : memref<2048x?xf32>
    }
  }
  return
}

func.func @rows_of_columns(%table: memref<64x64x4096xf32>, %ids: memref<?xindex>,
    %rows: memref<?xindex>, %n: index, %out: memref<64x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %n step %c2 {
      %row = memref.load %rows[%j] : memref<?xindex>
      %id = memref.load %ids[%j] : memref<?xindex>
      %x = memref.load %table[%i, %row, %id] : memref<64x64x4096xf32>
      memref.store %x, %out[%i, %j] : memref<64x?xf32>
    }
  }
  return
}

// Each row has columns of its own: if they are dense, the lines of the next row in order, of four
// elements for each point.
// CHECK-LABEL: func.func @dense
// CHECK: scf.for %[[J:.*]] = %c0 to %c1024
// CHECK: %[[NEXT:.*]] = arith.addi %{{.*}}, %c1
// CHECK: %[[AT:.*]] = arith.muli %[[J]], %c4
// CHECK: memref.prefetch %arg0[%[[NEXT]], %[[AT]]], read
// CHECK-NOT: arith.minui
// Of a row with more lines than points too many would be prefetched for nothing.
// CHECK-LABEL: func.func @sparse
// CHECK: arith.minui
// CHECK: %[[ID:.*]] = memref.load
// CHECK: memref.prefetch %arg0[%{{.*}}, %[[ID]]], read
func.func @dense(%table: memref<2048x4096xf32>, %ids: memref<2048x1024xindex>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 2048 : index
  %n = arith.constant 1024 : index
  scf.for %i = %c0 to %rows step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %id = memref.load %ids[%i, %j] : memref<2048x1024xindex>
      %y = memref.load %table[%i, %id] : memref<2048x4096xf32>
      "test.use"(%y) : (f32) -> ()
    }
  }
  return
}

func.func @sparse(%table: memref<2048x18000xf32>, %ids: memref<2048x1024xindex>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 2048 : index
  %n = arith.constant 1024 : index
  scf.for %i = %c0 to %rows step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %id = memref.load %ids[%i, %j] : memref<2048x1024xindex>
      %y = memref.load %table[%i, %id] : memref<2048x18000xf32>
      "test.use"(%y) : (f32) -> ()
    }
  }
  return
}

// A window of eight points that a step moves to lines of their own.
// CHECK-LABEL: func.func @window
// CHECK-NOT: memref.prefetch
// CHECK: return
// A step of less: most of its lines were touched before.
// CHECK-LABEL: func.func @narrow_window
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @window(%out: memref<?xf64>, %offsets: memref<8xindex>, %steps: index, %x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c1024 = arith.constant 1024 : index
  scf.for %i = %c0 to %steps step %c1 {
    %begin = arith.muli %i, %c1024 : index
    scf.for %j = %c0 to %c8 step %c1 {
      %offset = memref.load %offsets[%j] : memref<8xindex>
      %at = arith.addi %begin, %offset : index
      memref.store %x, %out[%at] : memref<?xf64>
    }
  }
  return
}

func.func @narrow_window(%out: memref<?xf64>, %offsets: memref<8xindex>, %steps: index, %x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %steps step %c1 {
    %begin = arith.muli %i, %c8 : index
    scf.for %j = %c0 to %c8 step %c1 {
      %offset = memref.load %offsets[%j] : memref<8xindex>
      %at = arith.addi %begin, %offset : index
      memref.store %x, %out[%at] : memref<?xf64>
    }
  }
  return
}

// Short rows far apart are no stream to the hardware.
// CHECK-LABEL: func.func @apart
// CHECK: %[[LATER:.*]] = arith.addi %{{.*}}, %c32
// CHECK: memref.prefetch %arg0[%[[LATER]], %arg2], read
// CHECK-NOT: memref.prefetch %arg1
// CHECK: return
func.func @apart(%table: memref<4096x1024xf32>, %buffer: memref<4096x16xf32>, %first: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %n = arith.constant 4096 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c16 step %c1 {
      %at = arith.addi %first, %j : index
      %x = memref.load %table[%i, %at] : memref<4096x1024xf32>
      memref.store %x, %buffer[%i, %j] : memref<4096x16xf32>
    }
  }
  return
}

// A list of a thread's own points: beyond its end there is nothing, so it is read up to there.
// CHECK-LABEL: func.func @listed
// CHECK: %[[LAST:.*]] = arith.subi %[[COUNT:[a-z0-9]+]], %c1
// CHECK: scf.for %{{.*}} = %c0 to %[[COUNT]]
// CHECK: %[[AT:.*]] = arith.minsi %{{.*}}, %[[LAST]]
// CHECK: memref.load %{{.*}}[%[[AT]]]
// CHECK: memref.prefetch %arg0
func.func @listed(%out: memref<4000000xf32>, %count: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %list = memref.alloca() : memref<4096xindex>
  "test.fill"(%list) : (memref<4096xindex>) -> ()
  scf.for %i = %c0 to %count step %c1 {
    %at = memref.load %list[%i] : memref<4096xindex>
    memref.store %x, %out[%at] : memref<4000000xf32>
  }
  return
}

// Few columns of short rows.
// CHECK-LABEL: func.func @few
// CHECK-NOT: memref.prefetch
func.func @few(%table: memref<20000x256xf32>, %ids: memref<8xindex>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 20000 : index
  %n = arith.constant 8 : index
  scf.for %i = %c0 to %rows step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %id = memref.load %ids[%j] : memref<8xindex>
      %y = memref.load %table[%i, %id] : memref<20000x256xf32>
      "test.use"(%y) : (f32) -> ()
    }
  }
  return
}

// The next row follows from a number of the if: it is prefetched there.
// CHECK-LABEL: func.func @next_row_in_an_if
// CHECK: scf.for %[[I:.*]] =
// CHECK: scf.for
// CHECK: scf.if %arg4
// CHECK: %[[LATER:.*]] = arith.addi %[[I]], %c1
// CHECK: %[[ROW:.*]] = arith.floordivsi %[[LATER]], %c3
// CHECK: memref.prefetch %arg0[%[[ROW]],
// CHECK: memref.load %arg0
func.func @next_row_in_an_if(%x: memref<?x?x?xf32>, %i: memref<?xindex>, %m: memref<?xindex>,
    %n: index, %is: i1, %out: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %r = %c0 to %n step %c1 {
    %block = memref.load %m[%r] : memref<?xindex>
    scf.for %k = %c0 to %n step %c1 {
      %at = memref.load %i[%k] : memref<?xindex>
      scf.if %is {
        %c3 = arith.constant 3 : index
        %row = arith.floordivsi %r, %c3 : index
        %v = memref.load %x[%row, %block, %at] : memref<?x?x?xf32>
        memref.store %v, %out[] : memref<f32>
      }
    }
  }
  return
}

// Rows at coordinates in batches are found by the coordinates of later points; the loop over the
// batches has no rows of its own to bring.
// CHECK-LABEL: func.func @batches
// CHECK: scf.for
// CHECK: scf.for %[[P:.*]] = %c0 to
// CHECK: %[[LATER:.*]] = arith.addi %[[P]], %{{[0-9]+}}
// CHECK: %[[ROW:.*]] = memref.load %reinterpret_cast
// CHECK: scf.for
// CHECK: memref.prefetch %arg0[%{{.*}}, %[[ROW]],
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @batches(%x: memref<8x4096x?xf32>, %i: memref<8x700xindex>, %w: index,
    %out: memref<8x700x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c700 = arith.constant 700 : index
  scf.for %b = %c0 to %c8 step %c1 {
    scf.for %p = %c0 to %c700 step %c1 {
      %row = memref.load %i[%b, %p] : memref<8x700xindex>
      scf.for %c = %c0 to %w step %c16 {
        %v = vector.load %x[%b, %row, %c] : memref<8x4096x?xf32>, vector<16xf32>
        vector.store %v, %out[%b, %p, %c] : memref<8x700x?xf32>, vector<16xf32>
      }
    }
  }
  return
}

// Whether rows of a dynamic width lie far apart is known before the loop.
// CHECK-LABEL: func.func @dynamic_step
// CHECK: %[[STEP:.*]] = arith.muli %{{.*}}#0, %c4
// CHECK: %[[FAR:.*]] = arith.cmpi sge, %[[STEP]], %c2048
// CHECK: %[[PAYS:.*]] = arith.andi %{{.*}}, %[[FAR]]
// CHECK: scf.for
// CHECK: scf.if %[[PAYS]]
// CHECK: memref.prefetch %arg0
func.func @dynamic_step(%x: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = vector.load %x[%i, %c0] : memref<?x?xf32>, vector<8xf32>
    "test.use"(%v) : (vector<8xf32>) -> ()
  }
  return
}
