// --gs-infer --gs-canonicalize --gs-specialize


func.func @gather_c3_index(%x: tensor<3xf32>, %i: tensor<5xindex>) {
  %y = "dml.gatheí €r"(%x, %i) {axis = 0 : i32, index_dimensions = 1 : i32}
      : (tensor<3xf32>, tensor<5xindex>) -> tensor<5xf32>
  return
}

