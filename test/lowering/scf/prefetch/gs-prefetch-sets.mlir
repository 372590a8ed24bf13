// Rows that are written and not read come to the second cache, others to the first one. Rows of a line or
// more are prefetched from L3 too, shorter ones from memory alone, and
// not elements that vectors only take: a core loads enough of them at once.
// RUN: gs-opt %s --gs-prefetch="target=generic:prefetch-level=1:read-ahead=0" | filecheck %s

// CHECK-LABEL: func.func @set
// CHECK: memref.prefetch %arg0{{.*}}, read, locality<2>
// CHECK-LABEL: func.func @add
// CHECK: memref.prefetch %arg0{{.*}}, write, locality<3>
// CHECK-LABEL: func.func @lines
// CHECK: memref.prefetch %arg0{{.*}}, read, locality<3>
// CHECK-LABEL: func.func @halves
// CHECK-NOT: memref.prefetch
// CHECK-LABEL: func.func @take
// CHECK-NOT: memref.prefetch
// CHECK-LABEL: func.func @double
// CHECK: memref.prefetch %arg0
func.func @set(%table: memref<1000000x64xf32>, %ids: memref<?xindex>, %given: vector<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %ids, %c0 : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %id = memref.load %ids[%i] : memref<?xindex>
    vector.store %given, %table[%id, %c0] : memref<1000000x64xf32>, vector<64xf32>
  }
  return
}

func.func @add(%table: memref<1000000x64xf32>, %ids: memref<?xindex>, %given: vector<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %ids, %c0 : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %id = memref.load %ids[%i] : memref<?xindex>
    %old = vector.load %table[%id, %c0] : memref<1000000x64xf32>, vector<64xf32>
    %new = arith.addf %old, %given : vector<64xf32>
    vector.store %new, %table[%id, %c0] : memref<1000000x64xf32>, vector<64xf32>
  }
  return
}

func.func @lines(%table: memref<50000x16xf32>, %ids: memref<?xindex>, %out: memref<?x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %ids, %c0 : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %id = memref.load %ids[%i] : memref<?xindex>
    %row = vector.load %table[%id, %c0] : memref<50000x16xf32>, vector<16xf32>
    vector.store %row, %out[%i, %c0] : memref<?x16xf32>, vector<16xf32>
  }
  return
}

func.func @halves(%table: memref<100000x8xf32>, %ids: memref<?xindex>, %out: memref<?x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %ids, %c0 : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %id = memref.load %ids[%i] : memref<?xindex>
    %row = vector.load %table[%id, %c0] : memref<100000x8xf32>, vector<8xf32>
    vector.store %row, %out[%i, %c0] : memref<?x8xf32>, vector<8xf32>
  }
  return
}

func.func @take(%table: memref<100000000xf32>, %ids: memref<?xindex>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %ids, %c0 : memref<?xindex>
  scf.for %i = %c0 to %n step %c2 {
    %next = arith.addi %i, %c1 : index
    %a = memref.load %ids[%i] : memref<?xindex>
    %b = memref.load %ids[%next] : memref<?xindex>
    %x = memref.load %table[%a] : memref<100000000xf32>
    %y = memref.load %table[%b] : memref<100000000xf32>
    %v = vector.from_elements %x, %y : vector<2xf32>
    vector.store %v, %out[%i] : memref<?xf32>, vector<2xf32>
  }
  return
}

func.func @double(%table: memref<100000000xf32>, %ids: memref<?xindex>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %ids, %c0 : memref<?xindex>
  scf.for %i = %c0 to %n step %c2 {
    %next = arith.addi %i, %c1 : index
    %a = memref.load %ids[%i] : memref<?xindex>
    %b = memref.load %ids[%next] : memref<?xindex>
    %x = memref.load %table[%a] : memref<100000000xf32>
    %y = memref.load %table[%b] : memref<100000000xf32>
    %both = arith.addf %x, %y : f32
    %v = vector.from_elements %x, %both : vector<2xf32>
    vector.store %v, %out[%i] : memref<?xf32>, vector<2xf32>
  }
  return
}
