// Rows at coordinates are prefetched by cache lines, long ones a line at a time.
// RUN: gs-opt %s --gs-prefetch="target=generic:memory-bytes=1048576" --canonicalize --cse | filecheck %s

// A row of 64 f32 is four lines and, where it does not begin with one, a fifth; 8 KiB are 32 rows.
// CHECK-LABEL: func.func @short
// CHECK: scf.for %[[I:.*]] = %c0 to
// CHECK: %[[LATER:.*]] = arith.addi %[[I]], %c32
// CHECK: %[[ID:.*]] = memref.load %arg1
// CHECK: memref.prefetch %arg0[%[[ID]], %c0], read
// CHECK: memref.prefetch %arg0[%[[ID]], %c16], read
// CHECK: memref.prefetch %arg0[%[[ID]], %c32], read
// CHECK: memref.prefetch %arg0[%[[ID]], %c48], read
// CHECK: memref.prefetch %arg0[%[[ID]], %c63], read
// CHECK: scf.for
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @short(%table: memref<200000x64xf32>, %ids: memref<5000xindex>, %out: memref<5000x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %n = arith.constant 5000 : index
  scf.for %i = %c0 to %n step %c1 {
    %id = memref.load %ids[%i] : memref<5000xindex>
    scf.for %j = %c0 to %c64 step %c16 {
      %x = vector.load %table[%id, %j] : memref<200000x64xf32>, vector<16xf32>
      vector.store %x, %out[%i, %j] : memref<5000x64xf32>, vector<16xf32>
    }
  }
  return
}

// By elements as well.
// CHECK-LABEL: func.func @scalar
// CHECK-COUNT-5: memref.prefetch %arg0
// CHECK: scf.for
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @scalar(%table: memref<200000x64xf32>, %ids: memref<5000xindex>, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %n = arith.constant 5000 : index
  scf.for %i = %c0 to %n step %c1 {
    %id = memref.load %ids[%i] : memref<5000xindex>
    scf.for %j = %c0 to %c64 step %c1 {
      %x = memref.load %table[%id, %j] : memref<200000x64xf32>
      %y = memref.load %out[%j] : memref<64xf32>
      %z = arith.addf %x, %y : f32
      memref.store %z, %out[%j] : memref<64xf32>
    }
  }
  return
}

// Of a long row the lines of the next one are prefetched while the same ones of this are read.
// CHECK-LABEL: func.func @long
// CHECK: scf.for %[[I:.*]] = %c0 to
// CHECK: arith.addi %[[I]], %c1
// CHECK: %[[ID:.*]] = memref.load %arg1
// CHECK: scf.for %[[J:.*]] = %c0 to
// CHECK: memref.prefetch %arg0[%[[ID]], %[[J]]], read
// CHECK-NEXT: vector.load
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @long(%table: memref<20000x4096xf32>, %ids: memref<5000xindex>, %out: memref<5000x4096xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c4096 = arith.constant 4096 : index
  %n = arith.constant 5000 : index
  scf.for %i = %c0 to %n step %c1 {
    %id = memref.load %ids[%i] : memref<5000xindex>
    scf.for %j = %c0 to %c4096 step %c16 {
      %x = vector.load %table[%id, %j] : memref<20000x4096xf32>, vector<16xf32>
      vector.store %x, %out[%i, %j] : memref<5000x4096xf32>, vector<16xf32>
    }
  }
  return
}

// Rows of coordinates that lie side by side: past the end of one, those of the next.
// CHECK-LABEL: func.func @bags
// CHECK: %[[ALL:.*]] = memref.reinterpret_cast %arg1 to offset: [0], sizes: [8000]
// CHECK: %[[ROW:.*]] = arith.muli %{{.*}}, %c8
// CHECK: %[[AT:.*]] = arith.addi %[[ROW]], %{{.*}}
// CHECK: arith.minui %[[AT]], %c7999
// CHECK: memref.load %[[ALL]]
// CHECK: memref.prefetch %arg0
func.func @bags(%table: memref<200000x16xf32>, %ids: memref<1000x8xi64>, %out: memref<1000x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n = arith.constant 1000 : index
  %zero = arith.constant dense<0.0> : vector<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    %sum = scf.for %j = %c0 to %c8 step %c1 iter_args(%s = %zero) -> (vector<16xf32>) {
      %id = memref.load %ids[%i, %j] : memref<1000x8xi64>
      %at = arith.index_cast %id : i64 to index
      %x = vector.load %table[%at, %c0] : memref<200000x16xf32>, vector<16xf32>
      %t = arith.addf %s, %x : vector<16xf32>
      scf.yield %t : vector<16xf32>
    }
    vector.store %sum, %out[%i, %c0] : memref<1000x16xf32>, vector<16xf32>
  }
  return
}

// Sums of segments that the loop stores in between: what is read in order is prefetched.
// CHECK-LABEL: func.func @segments
// CHECK: scf.for %[[I:.*]] = %c0 to %{{.*}} step %c1 iter_args
// CHECK: %[[FAR:.*]] = arith.addi %[[I]], %c512
// CHECK: memref.prefetch %arg1[%[[FAR]]], read
// CHECK: memref.prefetch %arg0[%{{.*}}], read
func.func @segments(%x: memref<?xf64>, %i: memref<?xi64>, %out: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %end:2 = scf.for %k = %c0 to %n step %c1 iter_args(%at = %c0, %sum = %zero) -> (index, f64) {
    %next = memref.load %i[%k] : memref<?xi64>
    %place = arith.index_cast %next : i64 to index
    %new = arith.cmpi ne, %place, %at : index
    scf.if %new {
      memref.store %sum, %out[%at] : memref<?xf64>
    }
    %rest = arith.select %new, %zero, %sum : f64
    %v = memref.load %x[%k] : memref<?xf64>
    %s = arith.addf %rest, %v : f64
    scf.yield %place, %s : index, f64
  }
  memref.store %end#1, %out[%end#0] : memref<?xf64>
  return
}

// A row of 1 MiB would leave the cache before it is read.
// CHECK-LABEL: func.func @stream
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @stream(%table: memref<2000x262144xf32>, %ids: memref<5000xindex>, %out: memref<5000x262144xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %m = arith.constant 262144 : index
  %n = arith.constant 5000 : index
  scf.for %i = %c0 to %n step %c1 {
    %id = memref.load %ids[%i] : memref<5000xindex>
    scf.for %j = %c0 to %m step %c16 {
      %x = vector.load %table[%id, %j] : memref<2000x262144xf32>, vector<16xf32>
      vector.store %x, %out[%i, %j] : memref<5000x262144xf32>, vector<16xf32>
    }
  }
  return
}

// Where the end of a row is computed in the loop, it is taken to be all that the table has: how far
// ahead, and whether the cache holds two, is known before the loop.
// CHECK-LABEL: func.func @unknown
// CHECK: %[[WIDTH:.*]] = memref.dim %arg0, %c1
// CHECK: %[[BYTES:.*]] = arith.muli %[[WIDTH]], %c4
// CHECK: arith.cmpi sle, %[[BYTES]], %c524288
// CHECK: scf.for
// CHECK: memref.prefetch %arg0
// CHECK: return
func.func @unknown(%table: memref<?x?xf32>, %ids: memref<5000xindex>, %ends: memref<5000xindex>, %out: memref<5000x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %n = arith.constant 5000 : index
  scf.for %i = %c0 to %n step %c1 {
    %id = memref.load %ids[%i] : memref<5000xindex>
    %end = memref.load %ends[%i] : memref<5000xindex>
    scf.for %j = %c0 to %end step %c16 {
      %x = vector.load %table[%id, %j] : memref<?x?xf32>, vector<16xf32>
      vector.store %x, %out[%i, %j] : memref<5000x?xf32>, vector<16xf32>
    }
  }
  return
}
