// RUN: gs-opt %s --convert-gs-to-scf --canonicalize --cse | filecheck %s

// The coordinates of a block are looked at in a loop without branches; where all are in bounds, the
// points have none either.
// CHECK-LABEL: func.func @elements(
// CHECK: scf.for %[[START:.*]] = %{{.*}} to %[[END:.*]] step %[[LENGTH:.*]] {
// CHECK: %[[FAR:.*]] = scf.for {{.*}} iter_args
// CHECK-NEXT: memref.load
// CHECK-NEXT: arith.maxui
// CHECK-NEXT: scf.yield
// CHECK: scf.if
// CHECK: arith.cmpi ult
// CHECK-NEXT: scf.if
// CHECK: else
// CHECK-NOT: arith.cmpi
// CHECK: return
func.func @elements(%u: memref<?xi32>, %i: memref<?xi32>, %y: memref<100xi32>) {
  gs.generic (e) [s = %i[e] mode(fill_or_drop)] ins(%u[e]) outs(%y[s]) iterators(e = reduction)
      : (memref<?xi32>, memref<?xi32>, memref<100xi32>) -> () {
  ^bb0(%a: i32, %o: i32):
    %r = arith.addi %o, %a : i32
    gs.yield %r : i32
  }
  return
}

// Rows hide what a look at their coordinate takes.
// CHECK-LABEL: func.func @rows(
// CHECK-NOT: maxui
// CHECK: return
func.func @rows(%u: memref<?x16xi32>, %i: memref<?xi32>, %y: memref<100x16xi32>) {
  gs.generic (e, d) [s = %i[e] mode(fill_or_drop)] ins(%u[e, d]) outs(%y[s, d])
      iterators(e = reduction, d = parallel)
      : (memref<?x16xi32>, memref<?xi32>, memref<100x16xi32>) -> () {
  ^bb0(%a: i32, %o: i32):
    %r = arith.addi %o, %a : i32
    gs.yield %r : i32
  }
  return
}

// Points of a known number, no more than a block has, are not worth a second copy of the body.
// CHECK-LABEL: func.func @few(
// CHECK-NOT: maxui
// CHECK: return
func.func @few(%u: memref<50xi32>, %i: memref<50xi32>, %y: memref<100xi32>) {
  gs.generic (e) [s = %i[e] mode(fill_or_drop)] ins(%u[e]) outs(%y[s]) iterators(e = reduction)
      : (memref<50xi32>, memref<50xi32>, memref<100xi32>) -> () {
  ^bb0(%a: i32, %o: i32):
    %r = arith.addi %o, %a : i32
    gs.yield %r : i32
  }
  return
}

// The memory of an argument is asked for where it may be that of the output. Memory that the
// function allocates is not; a view of the coordinates is.
// CHECK-LABEL: func.func @elements_of_memory_of_its_own(
// CHECK-NOT: extract_strided_metadata
// CHECK: arith.maxui
// CHECK-LABEL: func.func @coordinates_that_are_written(
// CHECK: extract_strided_metadata
// CHECK: arith.maxui
func.func @elements_of_memory_of_its_own(%u: memref<?xi32>, %i: memref<?xi32>) -> memref<100xi32> {
  %y = memref.alloc() : memref<100xi32>
  gs.generic (e) [s = %i[e] mode(fill_or_drop)] ins(%u[e]) outs(%y[s]) iterators(e = reduction)
      : (memref<?xi32>, memref<?xi32>, memref<100xi32>) -> () {
  ^bb0(%a: i32, %o: i32):
    gs.yield %a : i32
  }
  return %y : memref<100xi32>
}

func.func @coordinates_that_are_written(%n: index, %u: memref<?xi32>) -> memref<?xi32> {
  %y = memref.alloc(%n) : memref<?xi32>
  %i = memref.cast %y : memref<?xi32> to memref<?xi32, strided<[?], offset: ?>>
  gs.generic (e) [s = %i[e] mode(fill_or_drop)] ins(%u[e]) outs(%y[s]) iterators(e = reduction)
      : (memref<?xi32>, memref<?xi32, strided<[?], offset: ?>>, memref<?xi32>) -> () {
  ^bb0(%a: i32, %o: i32):
    gs.yield %a : i32
  }
  return %y : memref<?xi32>
}
