// Loops that must stay, as a step needs what other steps did, or that touch nothing where one has no
// steps: test_strangers.py.

// raised
func.func @inner_of_no_steps(%c: tensor<?xi32>, %x: tensor<?xf32>, %y: tensor<?xf32>, %n: index, %m: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %y) -> tensor<?xf32> {
    %u = scf.for %j = %c0 to %m step %c1 iter_args(%t = %s) -> tensor<?xf32> {
      %a = tensor.extract %c[%i] : tensor<?xi32>
      %k = arith.index_cast %a : i32 to index
      %e = tensor.extract %x[%j] : tensor<?xf32>
      %o = tensor.extract %t[%k] : tensor<?xf32>
      %f = arith.addf %o, %e : f32
      %w = tensor.insert %f into %t[%k] : tensor<?xf32>
      scf.yield %w : tensor<?xf32>
    }
    scf.yield %u : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// stays: nothing to raise
func.func @probes(%c: memref<?xi32>, %key: memref<?xi32>, %t: memref<16xi32>, %y: memref<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %c[%i] : memref<?xi32>
    %k = memref.load %key[%i] : memref<?xi32>
    %s = arith.index_cast %a : i32 to index
    %found = scf.while (%h = %s) : (index) -> index {
      %e = memref.load %t[%h] : memref<16xi32>
      %other = arith.cmpi ne, %e, %k : i32
      %more = arith.cmpi slt, %h, %c15 : index
      %go = arith.andi %other, %more : i1
      scf.condition(%go) %h : index
    } do {
    ^bb0(%h: index):
      %next = arith.addi %h, %c1 : index
      scf.yield %next : index
    }
    %p = arith.index_cast %found : index to i32
    memref.store %p, %y[%i] : memref<?xi32>
  }
  return
}

// -----

// stays: what is computed depends on the number of a step
func.func @first_that_matches(%c: memref<?xi32>, %x: memref<?xi32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %key = arith.constant 2 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%at = %n) -> (index) {
    %a = memref.load %c[%i] : memref<?xi32>
    %k = arith.index_cast %a : i32 to index
    %e = memref.load %x[%k] : memref<?xi32>
    %same = arith.cmpi eq, %e, %key : i32
    %none = arith.cmpi eq, %at, %n : index
    %first = arith.andi %same, %none : i1
    %new = arith.select %first, %i, %at : index
    scf.yield %new : index
  }
  return %r : index
}

// -----

// stays: nothing to raise
func.func @chases_pointers(%next: memref<16xi32>, %x: memref<?xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%k = %c0, %s = %zero) -> (index, f32) {
    %e = memref.load %x[%k] : memref<?xf32>
    %t = arith.addf %s, %e : f32
    %a = memref.load %next[%k] : memref<16xi32>
    %q = arith.index_cast %a : i32 to index
    scf.yield %q, %t : index, f32
  }
  return %r#1 : f32
}

// -----

// stays: the loops read what they write, at another place or later
func.func @swaps(%c: memref<?xi32>, %x: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %c[%i] : memref<?xi32>
    %k = arith.index_cast %a : i32 to index
    %u = memref.load %x[%i] : memref<?xf32>
    %v = memref.load %x[%k] : memref<?xf32>
    memref.store %v, %x[%i] : memref<?xf32>
    memref.store %u, %x[%k] : memref<?xf32>
  }
  return
}

// -----

// stays: a place is a number that the loops carry
func.func @compacts_a_tensor(%m: tensor<16xi32>, %c: tensor<16xi32>, %x: tensor<?xf32>, %y: tensor<16xf32>) -> (tensor<16xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %none = arith.constant 0 : i32
  %r:2 = scf.for %i = %c0 to %c16 step %c1 iter_args(%t = %y, %k = %c0) -> (tensor<16xf32>, index) {
    %a = tensor.extract %m[%i] : tensor<16xi32>
    %keep = arith.cmpi sgt, %a, %none : i32
    %u:2 = scf.if %keep -> (tensor<16xf32>, index) {
      %b = tensor.extract %c[%i] : tensor<16xi32>
      %q = arith.index_cast %b : i32 to index
      %e = tensor.extract %x[%q] : tensor<?xf32>
      %w = tensor.insert %e into %t[%k] : tensor<16xf32>
      %l = arith.addi %k, %c1 : index
      scf.yield %w, %l : tensor<16xf32>, index
    } else {
      scf.yield %t, %k : tensor<16xf32>, index
    }
    scf.yield %u#0, %u#1 : tensor<16xf32>, index
  }
  return %r#0, %r#1 : tensor<16xf32>, index
}

// -----

// stays: 'arith.addi' on i32 may wrap around
func.func @i32_place_wraps(%c: memref<16xi32>, %x: memref<?xf32>, %y: memref<16xf32>, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c16 step %c1 {
    %a = memref.load %c[%i] : memref<16xi32>
    %b = arith.addi %a, %n : i32
    %k = arith.index_cast %b : i32 to index
    %e = memref.load %x[%k] : memref<?xf32>
    memref.store %e, %y[%i] : memref<16xf32>
  }
  return
}

// -----

// stays: 'func.call' is no arithmetic
func.func @calls(%c: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %c[%i] : memref<?xi32>
    %k = arith.index_cast %a : i32 to index
    %e = memref.load %x[%k] : memref<?xf32>
    func.call @changes(%x, %k) : (memref<?xf32>, index) -> ()
    memref.store %e, %y[%i] : memref<?xf32>
  }
  return
}
func.func private @changes(%x: memref<?xf32>, %k: index) {
  %one = arith.constant 1.0 : f32
  memref.store %one, %x[%k] : memref<?xf32>
  return
}

// -----

// stays: a condition decides whether an inner loop runs
func.func @bfs_step_by_rows(%p: memref<?xi32>, %c: memref<?xi32>, %level: memref<?xi32>, %y: memref<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %now = arith.constant 1 : i32
  %then = arith.constant 2 : i32
  scf.for %i = %c0 to %n step %c1 {
    %l = memref.load %level[%i] : memref<?xi32>
    %there = arith.cmpi eq, %l, %now : i32
    scf.if %there {
      %q = arith.addi %i, %c1 : index
      %a = memref.load %p[%i] : memref<?xi32>
      %b = memref.load %p[%q] : memref<?xi32>
      %lo = arith.index_cast %a : i32 to index
      %hi = arith.index_cast %b : i32 to index
      scf.for %k = %lo to %hi step %c1 {
        %d = memref.load %c[%k] : memref<?xi32>
        %v = arith.index_cast %d : i32 to index
        memref.store %then, %level[%v] : memref<?xi32>
      }
    }
  }
  return
}

// -----

// stays: the loops read what they write, at another place or later
func.func @finds_roots(%a: memref<?xi32>, %b: memref<?xi32>, %parent: memref<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %e = %c0 to %n step %c1 {
    %u = memref.load %a[%e] : memref<?xi32>
    %v = memref.load %b[%e] : memref<?xi32>
    %i = arith.index_cast %u : i32 to index
    %j = arith.index_cast %v : i32 to index
    %f = memref.load %parent[%i] : memref<?xi32>
    %g = memref.load %parent[%j] : memref<?xi32>
    %s = arith.minsi %f, %g : i32
    memref.store %s, %parent[%i] : memref<?xi32>
  }
  return
}

// -----

// stays: a place is a quotient of something else than counters and a number
func.func @hashes(%c: memref<?xi32>, %d: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %c[%i] : memref<?xi32>
    %b = memref.load %d[%i] : memref<?xi32>
    %h = arith.remui %a, %b : i32
    %k = arith.index_cast %h : i32 to index
    %e = memref.load %x[%k] : memref<?xf32>
    memref.store %e, %y[%i] : memref<?xf32>
  }
  return
}
