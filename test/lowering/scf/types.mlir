// RUN: gs-opt %s --convert-gs-to-scf --canonicalize | filecheck %s

// Layouts and element types.

// A last stride that is known at run time only: vectors if it is 1, elements if not.
// CHECK-LABEL: func.func @dynamic_stride
// CHECK-SAME: (%[[SOURCE:.*]]: memref<9x16xf32, strided<[?, ?], offset: ?>>
// CHECK: %{{.*}}, %{{.*}}, %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[SOURCE]]
// CHECK: %[[UNIT:.*]] = arith.cmpi eq, %[[STRIDES]]#1, %c1
// CHECK: scf.if %[[UNIT]] {
// CHECK: %[[ROWS:.*]] = memref.reinterpret_cast %[[SOURCE]] {{.*}} to memref<9x16xf32, strided<[?, 1], offset: ?>>
// CHECK: vector.load %[[ROWS]]
// CHECK: } else {
// CHECK-NOT: vector.
// CHECK: memref.load %[[SOURCE]]
// CHECK-NOT: vector.
// CHECK: return
func.func @dynamic_stride(%source: memref<9x16xf32, strided<[?, ?], offset: ?>>,
    %indices: memref<7xi32>, %out: memref<7x16xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0]]
      ins(%source[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<9x16xf32, strided<[?, ?], offset: ?>>, memref<7xi32>, memref<7x16xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// A stride that is known needs no branch: 2 is elements, 1 is vectors.
// CHECK-LABEL: func.func @static_strides
// CHECK-NOT: scf.if
// CHECK-NOT: vector.
// CHECK: memref.load %{{.*}} : memref<9x16xf32, strided<[32, 2]>>
// CHECK: vector.load %{{.*}} : memref<9x16xf32, strided<[32, 1], offset: 5>>, vector<16xf32>
// CHECK-NOT: scf.if
// CHECK: return
func.func @static_strides(%a: memref<9x16xf32, strided<[32, 2]>>,
    %b: memref<9x16xf32, strided<[32, 1], offset: 5>>, %indices: memref<7xi32>,
    %out: memref<7x16xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0]]
      ins(%a[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<9x16xf32, strided<[32, 2]>>, memref<7xi32>, memref<7x16xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  gs.generic (d0, d1) [s0 = %indices[d0]]
      ins(%b[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<9x16xf32, strided<[32, 1], offset: 5>>, memref<7xi32>, memref<7x16xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// Unsigned elements are moved as signless ones of their width; unsigned coordinates are extended
// by zeros, signed ones by their sign.
// CHECK-LABEL: func.func @unsigned_and_signed
// CHECK-SAME: (%[[SOURCE:.*]]: memref<9x16xui8>, %[[I:.*]]: memref<7xui8>, %[[J:.*]]: memref<7xsi16>
// CHECK-DAG: %[[BYTES:.*]] = builtin.unrealized_conversion_cast %[[SOURCE]] : memref<9x16xui8> to memref<9x16xi8>
// CHECK: memref.load %[[I]]
// CHECK: arith.index_castui %{{.*}} : i8 to index
// CHECK: vector.load {{.*}} : memref<9x16xi8>, vector<16xi8>
// CHECK: memref.load %[[J]]
// CHECK: arith.index_cast %{{.*}} : i16 to index
func.func @unsigned_and_signed(%source: memref<9x16xui8>, %i: memref<7xui8>, %j: memref<7xsi16>,
    %out: memref<7x16xui8>) {
  gs.generic (d0, d1) [s0 = %i[d0]]
      ins(%source[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<9x16xui8>, memref<7xui8>, memref<7x16xui8>) -> () {
  ^bb0(%x: ui8, %current: ui8):
    gs.yield %x : ui8
  }
  gs.generic (d0, d1) [s0 = %j[d0]]
      ins(%source[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<9x16xui8>, memref<7xsi16>, memref<7x16xui8>) -> () {
  ^bb0(%x: ui8, %current: ui8):
    gs.yield %x : ui8
  }
  return
}

// What is only moved is moved as integers that vectors can hold: i1 as bytes, complex as i64, floats
// of 8 bits as bytes. A coordinate of i1 is 0 or 1.
// CHECK-LABEL: func.func @moved_as_integers
// CHECK: memref.load {{.*}} : memref<7xi1>
// CHECK-NEXT: arith.index_castui %{{.*}} : i1 to index
// CHECK: vector.load {{.*}} : memref<2x16xi8>, vector<16xi8>
// CHECK: vector.load {{.*}} : memref<2x16xi64>, vector<16xi64>
// CHECK: vector.load {{.*}} : memref<2x16xi8>, vector<16xi8>
func.func @moved_as_integers(%bits: memref<2x16xi1>, %complex: memref<2x16xcomplex<f32>>,
    %small: memref<2x16xf8E4M3FN>, %i: memref<7xi1>, %a: memref<7x16xi1>,
    %b: memref<7x16xcomplex<f32>>, %c: memref<7x16xf8E4M3FN>) {
  gs.generic (d0, d1) [s0 = %i[d0]]
      ins(%bits[s0, d1]) outs(%a[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<2x16xi1>, memref<7xi1>, memref<7x16xi1>) -> () {
  ^bb0(%x: i1, %current: i1):
    gs.yield %x : i1
  }
  gs.generic (d0, d1) [s0 = %i[d0]]
      ins(%complex[s0, d1]) outs(%b[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<2x16xcomplex<f32>>, memref<7xi1>, memref<7x16xcomplex<f32>>) -> () {
  ^bb0(%x: complex<f32>, %current: complex<f32>):
    gs.yield %x : complex<f32>
  }
  gs.generic (d0, d1) [s0 = %i[d0]]
      ins(%small[s0, d1]) outs(%c[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<2x16xf8E4M3FN>, memref<7xi1>, memref<7x16xf8E4M3FN>) -> () {
  ^bb0(%x: f8E4M3FN, %current: f8E4M3FN):
    gs.yield %x : f8E4M3FN
  }
  return
}

// Vectors of bits go to and from memory as bytes.
// CHECK-LABEL: func.func @computed_bits
// CHECK: %[[LOADED:.*]] = vector.load {{.*}} : memref<64xi8>, vector<64xi8>
// CHECK: %[[BITS:.*]] = arith.trunci %[[LOADED]] : vector<64xi8> to vector<64xi1>
// CHECK: %[[NEW:.*]] = arith.ori %[[BITS]], {{.*}} : vector<64xi1>
// CHECK: %[[BYTES:.*]] = arith.extui %[[NEW]] : vector<64xi1> to vector<64xi8>
// CHECK: vector.store %[[BYTES]], {{.*}} : memref<64xi8>, vector<64xi8>
// CHECK-NOT: vector.{{.*}}memref<64xi1>
// CHECK: return
func.func @computed_bits(%x: memref<64xi1>, %out: memref<64xi1>) {
  gs.generic (d0) ins(%x[d0]) outs(%out[d0]) iterators(d0 = parallel)
      : (memref<64xi1>, memref<64xi1>) -> () {
  ^bb0(%xe: i1, %current: i1):
    %new = arith.ori %xe, %current : i1
    gs.yield %new : i1
  }
  return
}

// The defaults of mode fill: NaN, the least signed and the greatest unsigned integer.
// CHECK-LABEL: func.func @default_fills
// CHECK-DAG: arith.constant 0x7FC00000 : f32
// CHECK-DAG: arith.constant -128 : i8
// CHECK-DAG: arith.constant -1 : i8
func.func @default_fills(%f: memref<9xf32>, %s: memref<9xi8>, %u: memref<9xui8>, %i: memref<i32>,
    %a: memref<f32>, %b: memref<i8>, %c: memref<ui8>) {
  gs.generic () [s0 = %i[] mode(fill_or_drop)] ins(%f[s0]) outs(%a[])
      : (memref<9xf32>, memref<i32>, memref<f32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  gs.generic () [s0 = %i[] mode(fill_or_drop)] ins(%s[s0]) outs(%b[])
      : (memref<9xi8>, memref<i32>, memref<i8>) -> () {
  ^bb0(%x: i8, %current: i8):
    %new = arith.xori %x, %current : i8
    gs.yield %new : i8
  }
  gs.generic () [s0 = %i[] mode(fill_or_drop)] ins(%u[s0]) outs(%c[])
      : (memref<9xui8>, memref<i32>, memref<ui8>) -> () {
  ^bb0(%x: ui8, %current: ui8):
    gs.yield %x : ui8
  }
  return
}
