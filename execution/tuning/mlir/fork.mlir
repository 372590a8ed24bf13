func.func @fork(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %line = arith.constant 64 : index
  %threads = arith.constant $threads : index
  %one = arith.constant 1.0 : f32
  scf.parallel (%t) = (%c0) to (%threads) step (%c1) {
    %place = arith.muli %t, %line : index
    memref.store %one, %x[%place] : memref<?xf32>
  }
  return
}
