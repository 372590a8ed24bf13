module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>) -> (tensor<3x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [0:3, 0:3:2] : (tensor<3x4xf32>) -> tensor<3x2xf32>
    %1 = stablehlo.slice %arg0 [0:3, 1:4:2] : (tensor<3x4xf32>) -> tensor<3x2xf32>
    %2 = stablehlo.maximum %0, %1 : tensor<3x2xf32>
    %3 = stablehlo.compare EQ, %0, %2, FLOAT : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xi1>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %6 = stablehlo.select %3, %4, %5 : tensor<3x2xi1>, tensor<3x2xf32>
    %7 = stablehlo.compare EQ, %1, %2, FLOAT : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xi1>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %10 = stablehlo.select %7, %8, %9 : tensor<3x2xi1>, tensor<3x2xf32>
    %11 = stablehlo.divide %6, %10 : tensor<3x2xf32>
    %12 = stablehlo.compare EQ, %1, %2, FLOAT : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xi1>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<3x2xi1>, tensor<3x2xf32>
    %16 = stablehlo.compare EQ, %0, %2, FLOAT : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xi1>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %19 = stablehlo.select %16, %17, %18 : tensor<3x2xi1>, tensor<3x2xf32>
    %20 = stablehlo.divide %15, %19 : tensor<3x2xf32>
    %21 = stablehlo.slice %2 [0:3, 0:1:2] : (tensor<3x2xf32>) -> tensor<3x1xf32>
    %22 = stablehlo.slice %2 [0:3, 1:2:2] : (tensor<3x2xf32>) -> tensor<3x1xf32>
    %23 = stablehlo.maximum %21, %22 : tensor<3x1xf32>
    %24 = stablehlo.compare EQ, %21, %23, FLOAT : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x1xi1>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %27 = stablehlo.select %24, %25, %26 : tensor<3x1xi1>, tensor<3x1xf32>
    %28 = stablehlo.compare EQ, %22, %23, FLOAT : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x1xi1>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %31 = stablehlo.select %28, %29, %30 : tensor<3x1xi1>, tensor<3x1xf32>
    %32 = stablehlo.divide %27, %31 : tensor<3x1xf32>
    %33 = stablehlo.compare EQ, %22, %23, FLOAT : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x1xi1>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %36 = stablehlo.select %33, %34, %35 : tensor<3x1xi1>, tensor<3x1xf32>
    %37 = stablehlo.compare EQ, %21, %23, FLOAT : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x1xi1>
    %cst_13 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %40 = stablehlo.select %37, %38, %39 : tensor<3x1xi1>, tensor<3x1xf32>
    %41 = stablehlo.divide %36, %40 : tensor<3x1xf32>
    %42 = stablehlo.slice %23 [0:3, 0:0] : (tensor<3x1xf32>) -> tensor<3x0xf32>
    %43 = stablehlo.slice %2 [0:3, 2:2:2] : (tensor<3x2xf32>) -> tensor<3x0xf32>
    %44 = stablehlo.maximum %42, %43 : tensor<3x0xf32>
    %45 = stablehlo.compare EQ, %42, %44, FLOAT : (tensor<3x0xf32>, tensor<3x0xf32>) -> tensor<3x0xi1>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<3x0xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<3x0xf32>
    %48 = stablehlo.select %45, %46, %47 : tensor<3x0xi1>, tensor<3x0xf32>
    %49 = stablehlo.compare EQ, %43, %44, FLOAT : (tensor<3x0xf32>, tensor<3x0xf32>) -> tensor<3x0xi1>
    %cst_17 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<3x0xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<3x0xf32>
    %52 = stablehlo.select %49, %50, %51 : tensor<3x0xi1>, tensor<3x0xf32>
    %53 = stablehlo.divide %48, %52 : tensor<3x0xf32>
    %54 = stablehlo.compare EQ, %43, %44, FLOAT : (tensor<3x0xf32>, tensor<3x0xf32>) -> tensor<3x0xi1>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<3x0xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<3x0xf32>
    %57 = stablehlo.select %54, %55, %56 : tensor<3x0xi1>, tensor<3x0xf32>
    %58 = stablehlo.compare EQ, %42, %44, FLOAT : (tensor<3x0xf32>, tensor<3x0xf32>) -> tensor<3x0xi1>
    %cst_21 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<3x0xf32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<3x0xf32>
    %61 = stablehlo.select %58, %59, %60 : tensor<3x0xi1>, tensor<3x0xf32>
    %62 = stablehlo.divide %57, %61 : tensor<3x0xf32>
    %63 = stablehlo.slice %2 [0:3, 0:1] : (tensor<3x2xf32>) -> tensor<3x1xf32>
    %64 = stablehlo.concatenate %63, %44, dim = 1 : (tensor<3x1xf32>, tensor<3x0xf32>) -> tensor<3x1xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %65 = stablehlo.pad %64, %cst_23, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<3x1xf32>, tensor<f32>) -> tensor<3x2xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %66 = stablehlo.pad %23, %cst_24, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<3x1xf32>, tensor<f32>) -> tensor<3x2xf32>
    %67 = stablehlo.add %65, %66 : tensor<3x2xf32>
    %68 = stablehlo.slice %67 [0:3, 0:1] : (tensor<3x2xf32>) -> tensor<3x1xf32>
    %69 = stablehlo.slice %arg0 [0:3, 2:4:2] : (tensor<3x4xf32>) -> tensor<3x1xf32>
    %70 = stablehlo.maximum %68, %69 : tensor<3x1xf32>
    %71 = stablehlo.compare EQ, %68, %70, FLOAT : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x1xi1>
    %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %74 = stablehlo.select %71, %72, %73 : tensor<3x1xi1>, tensor<3x1xf32>
    %75 = stablehlo.compare EQ, %69, %70, FLOAT : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x1xi1>
    %cst_27 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %78 = stablehlo.select %75, %76, %77 : tensor<3x1xi1>, tensor<3x1xf32>
    %79 = stablehlo.divide %74, %78 : tensor<3x1xf32>
    %80 = stablehlo.compare EQ, %69, %70, FLOAT : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x1xi1>
    %cst_29 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %83 = stablehlo.select %80, %81, %82 : tensor<3x1xi1>, tensor<3x1xf32>
    %84 = stablehlo.compare EQ, %68, %70, FLOAT : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x1xi1>
    %cst_31 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %87 = stablehlo.select %84, %85, %86 : tensor<3x1xi1>, tensor<3x1xf32>
    %88 = stablehlo.divide %83, %87 : tensor<3x1xf32>
    %cst_33 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %90 = stablehlo.pad %89, %cst_34, low = [0, -1], high = [0, 0], interior = [0, 0] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x3xf32>
    %91 = stablehlo.slice %90 [0:3, 0:3:2] : (tensor<3x3xf32>) -> tensor<3x2xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %92 = stablehlo.pad %89, %cst_35, low = [0, 0], high = [0, -1], interior = [0, 0] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x3xf32>
    %93 = stablehlo.slice %92 [0:3, 0:3:2] : (tensor<3x3xf32>) -> tensor<3x2xf32>
    %94 = stablehlo.slice %93 [0:3, 0:1] : (tensor<3x2xf32>) -> tensor<3x1xf32>
    %95 = stablehlo.slice %93 [0:3, 1:2] : (tensor<3x2xf32>) -> tensor<3x1xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %96 = stablehlo.pad %94, %cst_36, low = [0, 0], high = [0, 3], interior = [0, 0] : (tensor<3x1xf32>, tensor<f32>) -> tensor<3x4xf32>
    %97 = stablehlo.multiply %95, %88 : tensor<3x1xf32>
    %98 = stablehlo.multiply %95, %79 : tensor<3x1xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %99 = stablehlo.pad %97, %cst_37, low = [0, 2], high = [0, 1], interior = [0, 1] : (tensor<3x1xf32>, tensor<f32>) -> tensor<3x4xf32>
    %100 = stablehlo.add %96, %99 : tensor<3x4xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %101 = stablehlo.pad %98, %cst_38, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<3x1xf32>, tensor<f32>) -> tensor<3x2xf32>
    %102 = stablehlo.add %91, %101 : tensor<3x2xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %103 = stablehlo.pad %102, %cst_39, low = [0, -1], high = [0, 0], interior = [0, 0] : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x1xf32>
    %104 = stablehlo.slice %103 [0:3, 0:1:2] : (tensor<3x1xf32>) -> tensor<3x1xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %105 = stablehlo.pad %102, %cst_40, low = [0, 0], high = [0, -1], interior = [0, 0] : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x1xf32>
    %106 = stablehlo.slice %105 [0:3, 0:1:2] : (tensor<3x1xf32>) -> tensor<3x1xf32>
    %107 = stablehlo.slice %106 [0:3, 0:1] : (tensor<3x1xf32>) -> tensor<3x1xf32>
    %108 = stablehlo.slice %106 [0:3, 1:1] : (tensor<3x1xf32>) -> tensor<3x0xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %109 = stablehlo.pad %107, %cst_41, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<3x1xf32>, tensor<f32>) -> tensor<3x2xf32>
    %110 = stablehlo.multiply %108, %62 : tensor<3x0xf32>
    %111 = stablehlo.multiply %108, %53 : tensor<3x0xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %112 = stablehlo.pad %110, %cst_42, low = [0, 2], high = [0, 0], interior = [0, 1] : (tensor<3x0xf32>, tensor<f32>) -> tensor<3x2xf32>
    %113 = stablehlo.add %109, %112 : tensor<3x2xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %114 = stablehlo.pad %111, %cst_43, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<3x0xf32>, tensor<f32>) -> tensor<3x1xf32>
    %115 = stablehlo.add %104, %114 : tensor<3x1xf32>
    %116 = stablehlo.multiply %115, %41 : tensor<3x1xf32>
    %117 = stablehlo.multiply %115, %32 : tensor<3x1xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %118 = stablehlo.pad %116, %cst_44, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<3x1xf32>, tensor<f32>) -> tensor<3x2xf32>
    %119 = stablehlo.add %113, %118 : tensor<3x2xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %120 = stablehlo.pad %117, %cst_45, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<3x1xf32>, tensor<f32>) -> tensor<3x2xf32>
    %121 = stablehlo.add %119, %120 : tensor<3x2xf32>
    %122 = stablehlo.multiply %121, %20 : tensor<3x2xf32>
    %123 = stablehlo.multiply %121, %11 : tensor<3x2xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %124 = stablehlo.pad %122, %cst_46, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x4xf32>
    %125 = stablehlo.add %100, %124 : tensor<3x4xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %126 = stablehlo.pad %123, %cst_47, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x4xf32>
    %127 = stablehlo.add %125, %126 : tensor<3x4xf32>
    return %127 : tensor<3x4xf32>
  }
}
