// Made of python.c by `python -m mlir_gs.tools.docs.from_c` (sources 06aa05dee6d9725b).
llvm.mlir.global private constant @__gs_python_switch_table_array(dense<[2, 2, 2, 2, 2, 0, 2]> : tensor<7xi32>) {addr_space = 0 : i32, alignment = 4 : i64} : !llvm.array<7 x i32>
llvm.func @__gs_call(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: !llvm.ptr) -> !llvm.ptr {
  %0 = llvm.mlir.constant(1 : i32) : i32
  %1 = llvm.mlir.constant(24 : i64) : i64
  %2 = llvm.mlir.constant(9223372036854775807 : i64) : i64
  %3 = llvm.mlir.constant(32 : i64) : i64
  %4 = llvm.mlir.zero : !llvm.ptr
  %5 = llvm.mlir.constant(false) : i1
  %6 = llvm.mlir.constant(1 : i64) : i64
  %7 = llvm.mlir.constant(true) : i1
  %8 = llvm.mlir.constant(0 : i64) : i64
  %9 = llvm.mlir.constant(56 : i64) : i64
  %10 = llvm.mlir.constant(48 : i64) : i64
  %11 = llvm.mlir.constant(-1 : i64) : i64
  %12 = llvm.mlir.constant(40 : i64) : i64
  %13 = llvm.mlir.undef : !llvm.ptr
  %14 = llvm.mlir.constant(72 : i64) : i64
  %15 = llvm.mlir.constant(120 : i64) : i64
  %16 = llvm.mlir.constant(16 : i64) : i64
  %17 = llvm.mlir.constant(8 : i64) : i64
  %18 = llvm.mlir.constant(0 : i32) : i32
  %19 = llvm.mlir.constant(4 : i64) : i64
  %20 = llvm.mlir.constant(3 : i32) : i32
  %21 = llvm.mlir.constant(4 : i32) : i32
  %22 = llvm.mlir.constant(2 : i32) : i32
  %23 = llvm.mlir.addressof @__gs_python_make : !llvm.ptr
  %24 = llvm.mlir.constant(104 : i64) : i64
  %25 = llvm.mlir.constant(112 : i64) : i64
  %26 = llvm.mlir.constant(80 : i64) : i64
  %27 = llvm.mlir.constant(64 : i64) : i64
  %28 = llvm.alloca %0 x !llvm.ptr {alignment = 8 : i64} : (i32) -> !llvm.ptr
  %29 = llvm.alloca %0 x !llvm.array<16 x struct<(i32, struct<(i32)>, struct<(i64)>)>> {alignment = 16 : i64} : (i32) -> !llvm.ptr
  %30 = llvm.alloca %0 x !llvm.array<16 x struct<(ptr, struct<(i32, i32)>, i32, struct<(i8, i8, i16)>, ptr, ptr, i64)>> {alignment = 16 : i64} : (i32) -> !llvm.ptr
  %31 = llvm.alloca %0 x !llvm.array<16 x array<8 x i64>> {alignment = 16 : i64} : (i32) -> !llvm.ptr
  %32 = llvm.alloca %0 x !llvm.struct<(struct<(i64, ptr)>, ptr, ptr, ptr, i64)> {alignment = 8 : i64} : (i32) -> !llvm.ptr
  %33 = llvm.alloca %0 x !llvm.struct<(ptr, ptr, i32, ptr, ptr, ptr)> {alignment = 8 : i64} : (i32) -> !llvm.ptr
  %34 = llvm.alloca %0 x !llvm.ptr {alignment = 8 : i64} : (i32) -> !llvm.ptr
  %35 = llvm.getelementptr inbounds %arg0[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %36 = llvm.load %35 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %37 = llvm.load %36 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %38 = llvm.and %arg2, %2 : i64
  %39 = llvm.getelementptr inbounds %36[%3] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %40 = llvm.load %39 {alignment = 8 : i64} : !llvm.ptr -> i64
  %41 = llvm.icmp "eq" %38, %40 : i64
  llvm.cond_br %41, ^bb1, ^bb11
^bb1:
  %42 = llvm.icmp "eq" %arg3, %4 : !llvm.ptr
  llvm.cond_br %42, ^bb10(%4, %5 : !llvm.ptr, i1), ^bb2
^bb2:
  %43 = llvm.call tail @PyTuple_Size(%arg3) : (!llvm.ptr) -> i64
  %44 = llvm.icmp "eq" %43, %6 : i64
  llvm.cond_br %44, ^bb3, ^bb10(%4, %7 : !llvm.ptr, i1)
^bb3:
  %45 = llvm.call tail @PyTuple_GetItem(%arg3, %8) : (!llvm.ptr, i64) -> !llvm.ptr
  %46 = llvm.getelementptr inbounds %37[%3] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %47 = llvm.load %46 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %48 = llvm.icmp "eq" %45, %47 : !llvm.ptr
  llvm.cond_br %48, ^bb4, ^bb10(%4, %7 : !llvm.ptr, i1)
^bb4:
  %49 = llvm.load %39 {alignment = 8 : i64} : !llvm.ptr -> i64
  %50 = llvm.getelementptr %arg1[%49] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  %51 = llvm.load %50 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %52 = llvm.getelementptr inbounds %36[%9] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %53 = llvm.load %52 {alignment = 8 : i64} : !llvm.ptr -> i64
  %54 = llvm.icmp "eq" %53, %8 : i64
  llvm.cond_br %54, ^bb6(%4 : !llvm.ptr), ^bb5
^bb5:
  %55 = llvm.getelementptr inbounds %37[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %56 = llvm.load %55 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %57 = llvm.icmp "eq" %51, %56 : !llvm.ptr
  %58 = llvm.select %57, %4, %51 : i1, !llvm.ptr
  llvm.br ^bb6(%58 : !llvm.ptr)
^bb6(%59: !llvm.ptr):
  llvm.cond_br %54, ^bb7, ^bb10(%59, %5 : !llvm.ptr, i1)
^bb7:
  %60 = llvm.getelementptr inbounds %36[%10] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %61 = llvm.load %60 {alignment = 8 : i64} : !llvm.ptr -> i64
  %62 = llvm.icmp "sgt" %61, %11 : i64
  llvm.cond_br %62, ^bb8, ^bb10(%59, %7 : !llvm.ptr, i1)
^bb8:
  %63 = llvm.getelementptr %arg1[%61] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  %64 = llvm.load %63 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %65 = llvm.icmp "eq" %51, %64 : !llvm.ptr
  llvm.cond_br %65, ^bb10(%59, %5 : !llvm.ptr, i1), ^bb9
^bb9:
  %66 = llvm.getelementptr inbounds %37[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %67 = llvm.load %66 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %68 = llvm.icmp "ne" %51, %67 : !llvm.ptr
  llvm.br ^bb10(%59, %68 : !llvm.ptr, i1)
^bb10(%69: !llvm.ptr, %70: i1):
  llvm.cond_br %70, ^bb11, ^bb12
^bb11:
  %71 = llvm.call fastcc tail @__gs_python_forward(%36, %arg0, %arg1, %38, %arg3) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> !llvm.ptr
  llvm.br ^bb57(%71 : !llvm.ptr)
^bb12:
  llvm.intr.lifetime.start %29 : !llvm.ptr
  llvm.intr.lifetime.start %30 : !llvm.ptr
  llvm.intr.lifetime.start %31 : !llvm.ptr
  %72 = llvm.getelementptr inbounds %36[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %73 = llvm.load %72 {alignment = 8 : i64} : !llvm.ptr -> i64
  %74 = llvm.add %73, %38 : i64
  %75 = llvm.icmp "sgt" %74, %8 : i64
  llvm.cond_br %75, ^bb13, ^bb33(%75, %8, %13 : i1, i64, !llvm.ptr)
^bb13:
  %76 = llvm.getelementptr inbounds %36[%14] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %77 = llvm.getelementptr inbounds %37[%15] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %78 = llvm.getelementptr inbounds %37[%16] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %79 = llvm.getelementptr inbounds %37[%17] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.br ^bb14(%75, %13, %18, %8 : i1, !llvm.ptr, i32, i64)
^bb14(%80: i1, %81: !llvm.ptr, %82: i32, %83: i64):
  %84 = llvm.icmp "ult" %83, %38 : i64
  llvm.cond_br %84, ^bb15, ^bb16(%69 : !llvm.ptr)
^bb15:
  %85 = llvm.getelementptr %arg1[%83] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  %86 = llvm.load %85 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.br ^bb16(%86 : !llvm.ptr)
^bb16(%87: !llvm.ptr):
  %88 = llvm.icmp "eq" %87, %4 : !llvm.ptr
  llvm.cond_br %88, ^bb17, ^bb18
^bb17:
  %89 = llvm.getelementptr %29[%8, %83] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<16 x struct<(i32, struct<(i32)>, struct<(i64)>)>>
  llvm.store %18, %89 {alignment = 16 : i64} : i32, !llvm.ptr
  %90 = llvm.getelementptr inbounds %89[%19] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %18, %90 {alignment = 4 : i64} : i32, !llvm.ptr
  %91 = llvm.getelementptr inbounds %89[%17] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %8, %91 {alignment = 8 : i64} : i64, !llvm.ptr
  llvm.br ^bb30(%82, %21, %81 : i32, i32, !llvm.ptr)
^bb18:
  %92 = llvm.load %76 {alignment = 8 : i64} : !llvm.ptr -> i64
  %93 = llvm.lshr %92, %83 : i64
  %94 = llvm.trunc %93 : i64 to i32
  %95 = llvm.and %94, %0 : i32
  %96 = llvm.getelementptr %29[%8, %83] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<16 x struct<(i32, struct<(i32)>, struct<(i64)>)>>
  %97 = llvm.getelementptr %30[%8, %83] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<16 x struct<(ptr, struct<(i32, i32)>, i32, struct<(i8, i8, i16)>, ptr, ptr, i64)>>
  %98 = llvm.getelementptr %31[%8, %83] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<16 x array<8 x i64>>
  %99 = llvm.getelementptr inbounds %87[%17] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %100 = llvm.load %99 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %101 = llvm.getelementptr inbounds %96[%19] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %18, %101 {alignment = 4 : i64} : i32, !llvm.ptr
  %102 = llvm.load %37 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %103 = llvm.icmp "eq" %100, %102 : !llvm.ptr
  llvm.cond_br %103, ^bb20, ^bb19
^bb19:
  %104 = llvm.load %77 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %105 = llvm.icmp "eq" %100, %104 : !llvm.ptr
  llvm.cond_br %105, ^bb20, ^bb21
^bb20:
  %106 = llvm.call fastcc @__gs_python_array(%37, %87, %95, %96, %97, %98) : (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  llvm.br ^bb27(%106 : i32)
^bb21:
  %107 = llvm.load %78 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %108 = llvm.icmp "eq" %100, %107 : !llvm.ptr
  llvm.cond_br %108, ^bb22, ^bb23
^bb22:
  llvm.store %20, %96 {alignment = 16 : i64} : i32, !llvm.ptr
  %109 = llvm.call @PyFloat_AsDouble(%87) : (!llvm.ptr) -> f64
  %110 = llvm.getelementptr inbounds %96[%17] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %109, %110 {alignment = 8 : i64} : f64, !llvm.ptr
  llvm.br ^bb27(%0 : i32)
^bb23:
  %111 = llvm.load %79 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %112 = llvm.icmp "eq" %100, %111 : !llvm.ptr
  llvm.cond_br %112, ^bb24, ^bb27(%18 : i32)
^bb24:
  llvm.store %0, %96 {alignment = 16 : i64} : i32, !llvm.ptr
  %113 = llvm.call @PyLong_AsLongLong(%87) : (!llvm.ptr) -> i64
  %114 = llvm.getelementptr inbounds %96[%17] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %113, %114 {alignment = 8 : i64} : i64, !llvm.ptr
  %115 = llvm.icmp "eq" %113, %11 : i64
  llvm.cond_br %115, ^bb25, ^bb27(%0 : i32)
^bb25:
  %116 = llvm.call @PyErr_Occurred() : () -> !llvm.ptr
  %117 = llvm.icmp "eq" %116, %4 : !llvm.ptr
  llvm.cond_br %117, ^bb27(%0 : i32), ^bb26
^bb26:
  llvm.call @PyErr_Clear() : () -> ()
  llvm.br ^bb27(%18 : i32)
^bb27(%118: i32):
  %119 = llvm.icmp "eq" %118, %18 : i32
  llvm.cond_br %119, ^bb28, ^bb29
^bb28:
  %120 = llvm.call fastcc @__gs_python_forward(%36, %arg0, %arg1, %38, %arg3) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> !llvm.ptr
  llvm.br ^bb30(%82, %0, %120 : i32, i32, !llvm.ptr)
^bb29:
  %121 = llvm.select %84, %118, %18 : i1, i32
  %122 = llvm.or %121, %82 : i32
  llvm.br ^bb30(%122, %18, %81 : i32, i32, !llvm.ptr)
^bb30(%123: i32, %124: i32, %125: !llvm.ptr):
  llvm.switch %124 : i32, ^bb32(%80 : i1) [
    0: ^bb31,
    4: ^bb31
  ]
^bb31:
  %126 = llvm.add %83, %6 overflow<nsw, nuw> : i64
  %127 = llvm.load %72 {alignment = 8 : i64} : !llvm.ptr -> i64
  %128 = llvm.add %127, %38 : i64
  %129 = llvm.icmp "slt" %126, %128 : i64
  llvm.cond_br %129, ^bb14(%129, %125, %123, %126 : i1, !llvm.ptr, i32, i64), ^bb32(%129 : i1)
^bb32(%130: i1):
  %131 = llvm.and %123, %22 : i32
  %132 = llvm.zext nneg %131 : i32 to i64
  llvm.br ^bb33(%130, %132, %125 : i1, i64, !llvm.ptr)
^bb33(%133: i1, %134: i64, %135: !llvm.ptr):
  llvm.cond_br %133, ^bb56(%135 : !llvm.ptr), ^bb34
^bb34:
  %136 = llvm.getelementptr inbounds %36[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.intr.lifetime.start %32 : !llvm.ptr
  llvm.store %38, %32 {alignment = 8 : i64} : i64, !llvm.ptr
  %137 = llvm.getelementptr inbounds %32[%17] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %23, %137 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %138 = llvm.getelementptr inbounds %32[%16] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %36, %138 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %139 = llvm.getelementptr inbounds %32[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %140 = llvm.getelementptr %30[%8, %38] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<16 x struct<(ptr, struct<(i32, i32)>, i32, struct<(i8, i8, i16)>, ptr, ptr, i64)>>
  llvm.store %140, %139 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %141 = llvm.getelementptr inbounds %32[%3] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %4, %141 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %142 = llvm.getelementptr inbounds %32[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %134, %142 {alignment = 8 : i64} : i64, !llvm.ptr
  llvm.intr.lifetime.start %33 : !llvm.ptr
  llvm.store %4, %33 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %143 = llvm.getelementptr inbounds %33[%17] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %29, %143 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %144 = llvm.getelementptr inbounds %33[%16] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %145 = llvm.load %136 {alignment = 8 : i64} : !llvm.ptr -> i64
  %146 = llvm.add %145, %arg2 : i64
  %147 = llvm.trunc %146 : i64 to i32
  llvm.store %147, %144 {alignment = 8 : i64} : i32, !llvm.ptr
  %148 = llvm.getelementptr inbounds %33[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %4, %148 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %149 = llvm.getelementptr inbounds %33[%3] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %4, %149 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %150 = llvm.getelementptr inbounds %33[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %32, %150 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %151 = llvm.getelementptr inbounds %36[%17] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %152 = llvm.load %151 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %153 = llvm.call fastcc @__gs_python_attempt(%33, %37, %152) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  %154 = llvm.icmp "eq" %153, %20 : i32
  llvm.cond_br %154, ^bb35, ^bb37(%153 : i32)
^bb35:
  %155 = llvm.getelementptr inbounds %36[%16] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %156 = llvm.load %155 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %157 = llvm.icmp "eq" %156, %4 : !llvm.ptr
  llvm.cond_br %157, ^bb37(%20 : i32), ^bb36
^bb36:
  %158 = llvm.call fastcc @__gs_python_attempt(%33, %37, %156) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  llvm.br ^bb37(%158 : i32)
^bb37(%159: i32):
  %160 = llvm.icmp "eq" %159, %18 : i32
  %161 = llvm.load %141 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.cond_br %160, ^bb38, ^bb48
^bb38:
  llvm.intr.lifetime.start %28 : !llvm.ptr
  llvm.store %161, %28 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %162 = llvm.icmp "eq" %161, %4 : !llvm.ptr
  llvm.cond_br %162, ^bb39, ^bb44
^bb39:
  %163 = llvm.icmp "eq" %69, %4 : !llvm.ptr
  llvm.cond_br %163, ^bb40, ^bb41(%69 : !llvm.ptr)
^bb40:
  %164 = llvm.load %36 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %165 = llvm.getelementptr inbounds %164[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %166 = llvm.load %165 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.br ^bb41(%166 : !llvm.ptr)
^bb41(%167: !llvm.ptr):
  llvm.store %167, %28 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %168 = llvm.getelementptr inbounds %36[%10] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %169 = llvm.load %168 {alignment = 8 : i64} : !llvm.ptr -> i64
  %170 = llvm.icmp "sgt" %169, %11 : i64
  llvm.cond_br %170, ^bb42, ^bb43
^bb42:
  %171 = llvm.getelementptr %arg1[%169] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  %172 = llvm.load %171 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.store %172, %28 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  llvm.br ^bb43
^bb43:
  %173 = llvm.load %28 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.call @Py_IncRef(%173) : (!llvm.ptr) -> ()
  llvm.br ^bb46
^bb44:
  %174 = llvm.getelementptr inbounds %36[%27] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %175 = llvm.load %174 {alignment = 8 : i64} : !llvm.ptr -> i64
  %176 = llvm.icmp "eq" %175, %8 : i64
  llvm.cond_br %176, ^bb46, ^bb45
^bb45:
  %177 = llvm.load %36 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %178 = llvm.getelementptr inbounds %177[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %179 = llvm.load %178 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %180 = llvm.call @PyObject_VectorcallMethod(%179, %28, %6, %4) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> !llvm.ptr
  %181 = llvm.load %28 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.call @Py_DecRef(%181) : (!llvm.ptr) -> ()
  llvm.br ^bb47(%180 : !llvm.ptr)
^bb46:
  %182 = llvm.load %28 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.br ^bb47(%182 : !llvm.ptr)
^bb47(%183: !llvm.ptr):
  llvm.intr.lifetime.end %28 : !llvm.ptr
  llvm.br ^bb55(%183 : !llvm.ptr)
^bb48:
  %184 = llvm.icmp "eq" %161, %4 : !llvm.ptr
  llvm.cond_br %184, ^bb50, ^bb49
^bb49:
  llvm.call @Py_DecRef(%161) : (!llvm.ptr) -> ()
  llvm.br ^bb50
^bb50:
  %185 = llvm.icmp "eq" %159, %0 : i32
  llvm.cond_br %185, ^bb51, ^bb52
^bb51:
  %186 = llvm.getelementptr inbounds %37[%26] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %187 = llvm.load %186 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %188 = llvm.call @PyObject_Vectorcall(%187, %4, %8, %4) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> !llvm.ptr
  llvm.br ^bb55(%188 : !llvm.ptr)
^bb52:
  llvm.intr.lifetime.start %34 : !llvm.ptr
  llvm.store %4, %34 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %189 = llvm.getelementptr inbounds %37[%24] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %190 = llvm.load %189 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.call %190(%34) : !llvm.ptr, (!llvm.ptr) -> ()
  %191 = llvm.load %34 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %192 = llvm.icmp "eq" %191, %4 : !llvm.ptr
  llvm.cond_br %192, ^bb54, ^bb53
^bb53:
  %193 = llvm.getelementptr inbounds %37[%25] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %194 = llvm.load %193 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %195 = llvm.call %194(%191) : !llvm.ptr, (!llvm.ptr) -> i32
  llvm.br ^bb54
^bb54:
  %196 = llvm.call fastcc @__gs_python_forward(%36, %arg0, %arg1, %38, %arg3) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> !llvm.ptr
  llvm.intr.lifetime.end %34 : !llvm.ptr
  llvm.br ^bb55(%196 : !llvm.ptr)
^bb55(%197: !llvm.ptr):
  llvm.intr.lifetime.end %33 : !llvm.ptr
  llvm.intr.lifetime.end %32 : !llvm.ptr
  llvm.br ^bb56(%197 : !llvm.ptr)
^bb56(%198: !llvm.ptr):
  llvm.intr.lifetime.end %31 : !llvm.ptr
  llvm.intr.lifetime.end %30 : !llvm.ptr
  llvm.intr.lifetime.end %29 : !llvm.ptr
  llvm.br ^bb57(%198 : !llvm.ptr)
^bb57(%199: !llvm.ptr):
  llvm.return %199 : !llvm.ptr
}
llvm.func internal fastcc @__gs_python_forward(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: !llvm.ptr, %arg3: i64, %arg4: !llvm.ptr) -> !llvm.ptr {
  %0 = llvm.mlir.zero : !llvm.ptr
  %1 = llvm.mlir.constant(0 : i64) : i64
  %2 = llvm.mlir.constant(1 : i64) : i64
  %3 = llvm.mlir.constant(8 : i64) : i64
  %4 = llvm.mlir.constant(3 : i64) : i64
  %5 = llvm.mlir.constant(24 : i64) : i64
  %6 = llvm.icmp "eq" %arg4, %0 : !llvm.ptr
  llvm.cond_br %6, ^bb2(%1 : i64), ^bb1
^bb1:
  %7 = llvm.call tail @PyTuple_Size(%arg4) : (!llvm.ptr) -> i64
  llvm.br ^bb2(%7 : i64)
^bb2(%8: i64):
  %9 = llvm.add %8, %arg3 : i64
  %10 = llvm.add %9, %2 : i64
  %11 = llvm.alloca %10 x !llvm.ptr {alignment = 16 : i64} : (i64) -> !llvm.ptr
  llvm.store %arg1, %11 {alignment = 16 : i64} : !llvm.ptr, !llvm.ptr
  %12 = llvm.getelementptr %11[%3] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %13 = llvm.shl %9, %4 : i64
  %14 = llvm.call @memcpy(%12, %arg2, %13) : (!llvm.ptr, !llvm.ptr, i64) -> !llvm.ptr
  %15 = llvm.getelementptr inbounds %arg0[%5] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %16 = llvm.load %15 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %17 = llvm.add %arg3, %2 overflow<nuw> : i64
  %18 = llvm.call @PyObject_Vectorcall(%16, %11, %17, %arg4) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> !llvm.ptr
  llvm.return %18 : !llvm.ptr
}
llvm.func internal @__gs_python_make(%arg0: !llvm.ptr, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr) -> i32 {
  %0 = llvm.mlir.constant(1 : i32) : i32
  %1 = llvm.mlir.constant(16 : i64) : i64
  %2 = llvm.mlir.constant(80 : i64) : i64
  %3 = llvm.mlir.constant(72 : i64) : i64
  %4 = llvm.mlir.constant(0 : i64) : i64
  %5 = llvm.mlir.constant(92 : i64) : i64
  %6 = llvm.mlir.constant(1 : i64) : i64
  %7 = llvm.mlir.constant(false) : i1
  %8 = llvm.mlir.constant(40 : i64) : i64
  %9 = llvm.mlir.constant(88 : i64) : i64
  %10 = llvm.mlir.zero : !llvm.ptr
  %11 = llvm.mlir.constant(8 : i64) : i64
  %12 = llvm.mlir.constant(12 : i64) : i64
  %13 = llvm.mlir.constant(0 : i32) : i32
  %14 = llvm.mlir.constant(20 : i64) : i64
  %15 = llvm.mlir.constant(24 : i64) : i64
  %16 = llvm.mlir.constant(32 : i64) : i64
  %17 = llvm.mlir.constant(136 : i64) : i64
  %18 = llvm.mlir.addressof @__gs_python_ignore : !llvm.ptr
  %19 = llvm.mlir.constant(144 : i64) : i64
  %20 = llvm.mlir.constant(56 : i64) : i64
  %21 = llvm.mlir.constant(64 : i64) : i64
  %22 = llvm.mlir.constant(2 : i64) : i64
  %23 = llvm.mlir.constant(-1 : i32) : i32
  %24 = llvm.alloca %0 x !llvm.struct<(ptr, struct<(i32, i32)>, i32, struct<(i8, i8, i16)>, ptr, ptr, i64)> {alignment = 8 : i64} : (i32) -> !llvm.ptr
  %25 = llvm.alloca %0 x !llvm.ptr {alignment = 8 : i64} : (i32) -> !llvm.ptr
  %26 = llvm.alloca %0 x !llvm.ptr {alignment = 8 : i64} : (i32) -> !llvm.ptr
  %27 = llvm.alloca %0 x !llvm.array<2 x ptr> {alignment = 16 : i64} : (i32) -> !llvm.ptr
  %28 = llvm.getelementptr inbounds %arg0[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %29 = llvm.load %28 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %30 = llvm.load %29 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %31 = llvm.getelementptr inbounds %29[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %32 = llvm.getelementptr inbounds %30[%3] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %33 = llvm.load %32 {alignment = 8 : i64} : !llvm.ptr -> i64
  %34 = llvm.icmp "sgt" %arg1, %4 : i64
  llvm.cond_br %34, ^bb1, ^bb9
^bb1:
  %35 = llvm.getelementptr inbounds %29[%5] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %36 = llvm.load %35 {alignment = 4 : i64} : !llvm.ptr -> i32
  %37 = llvm.zext nneg %36 : i32 to i64
  %38 = llvm.shl %6, %37 overflow<nuw> : i64
  llvm.br ^bb3(%4, %6, %38 : i64, i64, i64)
^bb2:
  %39 = llvm.icmp "eq" %49, %4 : i64
  llvm.cond_br %39, ^bb4, ^bb9
^bb3(%40: i64, %41: i64, %42: i64):
  %43 = llvm.getelementptr %arg2[%40] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %44 = llvm.load %43 {alignment = 8 : i64} : !llvm.ptr -> i64
  %45 = llvm.mul %44, %42 : i64
  %46 = llvm.icmp "ule" %44, %33 : i64
  %47 = llvm.icmp "ule" %45, %33 : i64
  %48 = llvm.select %46, %47, %7 : i1, i1
  %49 = llvm.select %48, %41, %4 : i1, i64
  %50 = llvm.add %40, %6 overflow<nsw, nuw> : i64
  %51 = llvm.icmp "eq" %50, %arg1 : i64
  llvm.cond_br %51, ^bb2, ^bb3(%50, %49, %45 : i64, i64, i64)
^bb4:
  %52 = llvm.getelementptr inbounds %arg0[%8] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %53 = llvm.load %52 {alignment = 8 : i64} : !llvm.ptr -> i64
  %54 = llvm.icmp "eq" %53, %4 : i64
  llvm.cond_br %54, ^bb5, ^bb14(%10 : !llvm.ptr)
^bb5:
  %55 = llvm.load %31 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %56 = llvm.call tail @PyTuple_New(%arg1) : (i64) -> !llvm.ptr
  %57 = llvm.icmp "ne" %56, %10 : !llvm.ptr
  llvm.cond_br %57, ^bb7(%4 : i64), ^bb6
^bb6:
  %58 = llvm.icmp "eq" %56, %10 : !llvm.ptr
  llvm.cond_br %58, ^bb14(%10 : !llvm.ptr), ^bb8
^bb7(%59: i64):
  %60 = llvm.getelementptr %arg2[%59] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %61 = llvm.load %60 {alignment = 8 : i64} : !llvm.ptr -> i64
  %62 = llvm.call tail @PyLong_FromLongLong(%61) : (i64) -> !llvm.ptr
  %63 = llvm.call tail @PyTuple_SetItem(%56, %59, %62) : (!llvm.ptr, i64, !llvm.ptr) -> i32
  %64 = llvm.add %59, %6 overflow<nsw, nuw> : i64
  %65 = llvm.icmp "slt" %64, %arg1 : i64
  %66 = llvm.and %65, %57 : i1
  llvm.cond_br %66, ^bb7(%64 : i64), ^bb6
^bb8:
  llvm.intr.lifetime.start %27 : !llvm.ptr
  llvm.store %56, %27 {alignment = 16 : i64} : !llvm.ptr, !llvm.ptr
  %67 = llvm.getelementptr inbounds %27[%11] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %55, %67 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %68 = llvm.getelementptr inbounds %30[%21] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %69 = llvm.load %68 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %70 = llvm.call @PyObject_Vectorcall(%69, %27, %22, %10) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> !llvm.ptr
  llvm.call @Py_DecRef(%56) : (!llvm.ptr) -> ()
  llvm.intr.lifetime.end %27 : !llvm.ptr
  llvm.br ^bb14(%70 : !llvm.ptr)
^bb9:
  %71 = llvm.getelementptr inbounds %arg0[%8] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %72 = llvm.load %71 {alignment = 8 : i64} : !llvm.ptr -> i64
  %73 = llvm.icmp "eq" %72, %4 : i64
  llvm.cond_br %73, ^bb13, ^bb10
^bb10:
  %74 = llvm.getelementptr inbounds %29[%9] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %75 = llvm.load %74 {alignment = 8 : i64} : !llvm.ptr -> i32
  llvm.intr.lifetime.start %24 : !llvm.ptr
  llvm.store %10, %24 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %76 = llvm.getelementptr inbounds %24[%11] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %0, %76 {alignment = 8 : i64} : i32, !llvm.ptr
  %77 = llvm.getelementptr inbounds %24[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %13, %77 {alignment = 4 : i64} : i32, !llvm.ptr
  %78 = llvm.getelementptr inbounds %24[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %79 = llvm.trunc %arg1 : i64 to i32
  llvm.store %79, %78 {alignment = 8 : i64} : i32, !llvm.ptr
  %80 = llvm.getelementptr inbounds %24[%14] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %75, %80 {alignment = 4 : i64} : i32, !llvm.ptr
  %81 = llvm.getelementptr inbounds %24[%15] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %arg2, %81 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %82 = llvm.getelementptr inbounds %24[%16] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %10, %82 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %83 = llvm.getelementptr inbounds %24[%8] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %4, %83 {alignment = 8 : i64} : i64, !llvm.ptr
  llvm.intr.lifetime.start %25 : !llvm.ptr
  llvm.intr.lifetime.start %26 : !llvm.ptr
  %84 = llvm.getelementptr inbounds %30[%17] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %85 = llvm.load %84 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %86 = llvm.call %85(%24, %25, %10, %18) : !llvm.ptr, (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  %87 = llvm.icmp "eq" %86, %13 : i32
  llvm.cond_br %87, ^bb11, ^bb12(%10 : !llvm.ptr)
^bb11:
  %88 = llvm.getelementptr inbounds %30[%19] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %89 = llvm.load %88 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %90 = llvm.load %25 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %91 = llvm.call %89(%90, %26) : !llvm.ptr, (!llvm.ptr, !llvm.ptr) -> i32
  %92 = llvm.icmp "eq" %91, %13 : i32
  %93 = llvm.load %26 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %94 = llvm.select %92, %93, %10 : i1, !llvm.ptr
  llvm.br ^bb12(%94 : !llvm.ptr)
^bb12(%95: !llvm.ptr):
  llvm.intr.lifetime.end %26 : !llvm.ptr
  llvm.intr.lifetime.end %25 : !llvm.ptr
  llvm.intr.lifetime.end %24 : !llvm.ptr
  llvm.br ^bb14(%95 : !llvm.ptr)
^bb13:
  %96 = llvm.load %31 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.call tail @Py_IncRef(%96) : (!llvm.ptr) -> ()
  %97 = llvm.getelementptr inbounds %30[%20] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %98 = llvm.load %97 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %99 = llvm.trunc %arg1 : i64 to i32
  %100 = llvm.load %31 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %101 = llvm.call tail %98(%99, %arg2, %100, %13) : !llvm.ptr, (i32, !llvm.ptr, !llvm.ptr, i32) -> !llvm.ptr
  llvm.br ^bb14(%101 : !llvm.ptr)
^bb14(%102: !llvm.ptr):
  %103 = llvm.getelementptr inbounds %arg0[%16] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %102, %103 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %104 = llvm.icmp "eq" %102, %10 : !llvm.ptr
  llvm.cond_br %104, ^bb15, ^bb16
^bb15:
  llvm.call @PyErr_Clear() : () -> ()
  llvm.br ^bb17(%23 : i32)
^bb16:
  %105 = llvm.getelementptr inbounds %arg0[%15] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %106 = llvm.load %105 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %107 = llvm.call fastcc @__gs_python_array(%30, %102, %0, %arg3, %106, %10) : (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  %108 = llvm.icmp "eq" %107, %13 : i32
  %109 = llvm.sext %108 : i1 to i32
  llvm.br ^bb17(%109 : i32)
^bb17(%110: i32):
  llvm.return %110 : i32
}
llvm.func internal fastcc @__gs_python_attempt(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: !llvm.ptr) -> i32 {
  %0 = llvm.mlir.constant(1 : i32) : i32
  %1 = llvm.mlir.constant(8 : i64) : i64
  %2 = llvm.mlir.constant(24 : i64) : i64
  %3 = llvm.mlir.constant(88 : i64) : i64
  %4 = llvm.mlir.constant(0 : i32) : i32
  %5 = llvm.mlir.constant(3 : i32) : i32
  %6 = llvm.mlir.constant(2 : i32) : i32
  %7 = llvm.mlir.constant(96 : i64) : i64
  %8 = llvm.alloca %0 x !llvm.struct<(i32, struct<(i32)>, struct<(i64)>)> {alignment = 8 : i64} : (i32) -> !llvm.ptr
  %9 = llvm.getelementptr inbounds %arg2[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %10 = llvm.load %9 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %11 = llvm.load %10 {alignment = 8 : i64} : !llvm.ptr -> i64
  %12 = llvm.alloca %11 x i64 {alignment = 16 : i64} : (i64) -> !llvm.ptr
  llvm.store %arg2, %arg0 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %13 = llvm.getelementptr inbounds %arg0[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %12, %13 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %14 = llvm.getelementptr inbounds %arg1[%3] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %15 = llvm.load %14 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %16 = llvm.call %15(%arg0) : !llvm.ptr, (!llvm.ptr) -> i32
  %17 = llvm.icmp "eq" %16, %4 : i32
  llvm.cond_br %17, ^bb2, ^bb1
^bb1:
  %18 = llvm.icmp "eq" %16, %0 : i32
  %19 = llvm.select %18, %5, %6 : i1, i32
  llvm.br ^bb3(%19 : i32)
^bb2:
  llvm.intr.lifetime.start %8 : !llvm.ptr
  %20 = llvm.call @PyEval_SaveThread() : () -> !llvm.ptr
  %21 = llvm.getelementptr inbounds %arg1[%7] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %22 = llvm.load %21 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %23 = llvm.call %22(%arg0, %8) : !llvm.ptr, (!llvm.ptr, !llvm.ptr) -> i32
  llvm.call @PyEval_RestoreThread(%20) : (!llvm.ptr) -> ()
  %24 = llvm.icmp "ne" %23, %4 : i32
  %25 = llvm.zext %24 : i1 to i32
  llvm.intr.lifetime.end %8 : !llvm.ptr
  llvm.br ^bb3(%25 : i32)
^bb3(%26: i32):
  llvm.return %26 : i32
}
llvm.func @Py_DecRef(!llvm.ptr)
llvm.func @PyObject_Vectorcall(!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> !llvm.ptr
llvm.func @PyTuple_Size(!llvm.ptr) -> i64
llvm.func @PyTuple_GetItem(!llvm.ptr, i64) -> !llvm.ptr
llvm.func @memcpy(!llvm.ptr, !llvm.ptr, i64) -> !llvm.ptr
llvm.func internal fastcc @__gs_python_array(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i32, %arg3: !llvm.ptr, %arg4: !llvm.ptr, %arg5: !llvm.ptr) -> i32 {
  %0 = llvm.mlir.constant(1 : i32) : i32
  %1 = llvm.mlir.constant(7 : i32) : i32
  %2 = llvm.mlir.constant(8 : i64) : i64
  %3 = llvm.mlir.constant(120 : i64) : i64
  %4 = llvm.mlir.constant(176 : i64) : i64
  %5 = llvm.mlir.constant(168 : i64) : i64
  %6 = llvm.mlir.constant(56 : i64) : i64
  %7 = llvm.mlir.constant(16 : i64) : i64
  %8 = llvm.mlir.constant(0 : i32) : i32
  %9 = llvm.mlir.constant(24 : i64) : i64
  %10 = llvm.mlir.constant(8 : i32) : i32
  %11 = llvm.mlir.constant(64 : i64) : i64
  %12 = llvm.mlir.constant(1024 : i32) : i32
  %13 = llvm.mlir.constant(32 : i64) : i64
  %14 = llvm.mlir.constant(12 : i64) : i64
  %15 = llvm.mlir.constant(20 : i64) : i64
  %16 = llvm.mlir.zero : !llvm.ptr
  %17 = llvm.mlir.constant(40 : i64) : i64
  %18 = llvm.mlir.constant(0 : i64) : i64
  %19 = llvm.mlir.constant(128 : i64) : i64
  %20 = llvm.mlir.constant(7 : i8) : i8
  %21 = llvm.mlir.constant(99 : i8) : i8
  %22 = llvm.mlir.constant(152 : i64) : i64
  %23 = llvm.mlir.constant(48 : i64) : i64
  %24 = llvm.mlir.constant(160 : i64) : i64
  %25 = llvm.mlir.constant(1 : i64) : i64
  %26 = llvm.mlir.constant(2 : i32) : i32
  %27 = llvm.mlir.addressof @__gs_python_switch_table_array : !llvm.ptr
  %28 = llvm.alloca %0 x !llvm.ptr {alignment = 8 : i64} : (i32) -> !llvm.ptr
  llvm.store %1, %arg3 {alignment = 8 : i64} : i32, !llvm.ptr
  %29 = llvm.getelementptr inbounds %arg3[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %arg4, %29 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %30 = llvm.getelementptr inbounds %arg1[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %31 = llvm.load %30 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %32 = llvm.getelementptr inbounds %arg0[%3] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %33 = llvm.load %32 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %34 = llvm.icmp "eq" %31, %33 : !llvm.ptr
  llvm.cond_br %34, ^bb1, ^bb13
^bb1:
  %35 = llvm.getelementptr inbounds %arg0[%19] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %36 = llvm.load %35 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %37 = llvm.call tail %36(%arg1, %arg4) : !llvm.ptr, (!llvm.ptr, !llvm.ptr) -> i32
  %38 = llvm.icmp "eq" %37, %8 : i32
  llvm.cond_br %38, ^bb2, ^bb12
^bb2:
  %39 = llvm.getelementptr inbounds %arg4[%15] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %40 = llvm.load %39 {alignment = 4 : i64} : !llvm.ptr -> i32
  llvm.intr.lifetime.start %28 : !llvm.ptr
  llvm.store %arg1, %28 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %41 = llvm.trunc %40 : i32 to i8
  %42 = llvm.icmp "ult" %41, %20 : i8
  llvm.cond_br %42, ^bb9, ^bb3
^bb3:
  %43 = llvm.getelementptr inbounds %arg0[%22] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %44 = llvm.load %43 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %45 = llvm.call tail @PyObject_GetAttr(%arg1, %44) : (!llvm.ptr, !llvm.ptr) -> !llvm.ptr
  %46 = llvm.icmp "eq" %45, %16 : !llvm.ptr
  llvm.cond_br %46, ^bb4, ^bb5
^bb4:
  llvm.call tail @PyErr_Clear() : () -> ()
  llvm.br ^bb11(%8 : i32)
^bb5:
  llvm.call tail @Py_DecRef(%45) : (!llvm.ptr) -> ()
  %47 = llvm.getelementptr inbounds %arg0[%23] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %48 = llvm.load %47 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %49 = llvm.icmp "eq" %48, %45 : !llvm.ptr
  llvm.cond_br %49, ^bb6, ^bb11(%8 : i32)
^bb6:
  %50 = llvm.getelementptr inbounds %arg0[%24] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %51 = llvm.load %50 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %52 = llvm.call @PyObject_VectorcallMethod(%51, %28, %25, %16) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> !llvm.ptr
  %53 = llvm.icmp "eq" %52, %16 : !llvm.ptr
  llvm.cond_br %53, ^bb7, ^bb8
^bb7:
  llvm.call @PyErr_Clear() : () -> ()
  llvm.br ^bb11(%8 : i32)
^bb8:
  llvm.call @Py_DecRef(%52) : (!llvm.ptr) -> ()
  %54 = llvm.load %47 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %55 = llvm.icmp "eq" %54, %52 : !llvm.ptr
  %56 = llvm.select %55, %26, %8 : i1, i32
  llvm.br ^bb11(%56 : i32)
^bb9:
  %57 = llvm.lshr %21, %41 : i8
  %58 = llvm.trunc %57 : i8 to i1
  llvm.cond_br %58, ^bb10, ^bb3
^bb10:
  %59 = llvm.and %40, %1 : i32
  %60 = llvm.zext nneg %59 : i32 to i64
  %61 = llvm.getelementptr inbounds %27[%18, %60] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<7 x i32>
  %62 = llvm.load %61 {alignment = 4 : i64} : !llvm.ptr -> i32
  llvm.br ^bb11(%62 : i32)
^bb11(%63: i32):
  llvm.intr.lifetime.end %28 : !llvm.ptr
  llvm.br ^bb27(%63 : i32)
^bb12:
  llvm.call tail @PyErr_Clear() : () -> ()
  llvm.br ^bb27(%8 : i32)
^bb13:
  %64 = llvm.getelementptr inbounds %arg0[%4] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %65 = llvm.getelementptr inbounds %arg0[%5] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %66 = llvm.load %65 {alignment = 8 : i64} : !llvm.ptr -> i64
  %67 = llvm.getelementptr %64[%66] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(ptr, struct<(i8, i8, i16)>, i32)>
  %68 = llvm.icmp "ult" %64, %67 : !llvm.ptr
  llvm.cond_br %68, ^bb14, ^bb17(%64 : !llvm.ptr)
^bb14:
  %69 = llvm.getelementptr inbounds %arg1[%6] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %70 = llvm.load %69 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.br ^bb15(%64 : !llvm.ptr)
^bb15(%71: !llvm.ptr):
  %72 = llvm.load %71 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %73 = llvm.icmp "eq" %72, %70 : !llvm.ptr
  llvm.cond_br %73, ^bb17(%71 : !llvm.ptr), ^bb16
^bb16:
  %74 = llvm.getelementptr %71[%7] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %75 = llvm.icmp "ult" %74, %67 : !llvm.ptr
  llvm.cond_br %75, ^bb15(%74 : !llvm.ptr), ^bb17(%74 : !llvm.ptr)
^bb17(%76: !llvm.ptr):
  %77 = llvm.icmp "eq" %76, %67 : !llvm.ptr
  llvm.cond_br %77, ^bb27(%8 : i32), ^bb18
^bb18:
  %78 = llvm.getelementptr inbounds %arg1[%9] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %79 = llvm.load %78 {alignment = 8 : i64} : !llvm.ptr -> i32
  %80 = llvm.icmp "sgt" %79, %10 : i32
  llvm.cond_br %80, ^bb27(%8 : i32), ^bb19
^bb19:
  %81 = llvm.icmp "eq" %arg2, %8 : i32
  llvm.cond_br %81, ^bb21, ^bb20
^bb20:
  %82 = llvm.getelementptr inbounds %arg1[%11] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %83 = llvm.load %82 {alignment = 8 : i64} : !llvm.ptr -> i32
  %84 = llvm.and %83, %12 : i32
  %85 = llvm.icmp "eq" %84, %8 : i32
  llvm.cond_br %85, ^bb27(%8 : i32), ^bb21
^bb21:
  %86 = llvm.getelementptr inbounds %arg1[%7] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %87 = llvm.load %86 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %88 = llvm.getelementptr inbounds %76[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %89 = llvm.load %88 {alignment = 8 : i64} : !llvm.ptr -> i32
  %90 = llvm.getelementptr inbounds %arg1[%13] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %91 = llvm.load %90 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.store %87, %arg4 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %92 = llvm.getelementptr inbounds %arg4[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %0, %92 {alignment = 8 : i64} : i32, !llvm.ptr
  %93 = llvm.getelementptr inbounds %arg4[%14] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %8, %93 {alignment = 4 : i64} : i32, !llvm.ptr
  %94 = llvm.getelementptr inbounds %arg4[%7] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %79, %94 {alignment = 8 : i64} : i32, !llvm.ptr
  %95 = llvm.getelementptr inbounds %arg4[%15] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %89, %95 {alignment = 4 : i64} : i32, !llvm.ptr
  %96 = llvm.getelementptr inbounds %arg4[%9] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %91, %96 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %97 = llvm.getelementptr inbounds %arg4[%13] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %16, %97 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %98 = llvm.getelementptr inbounds %arg4[%17] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %18, %98 {alignment = 8 : i64} : i64, !llvm.ptr
  %99 = llvm.getelementptr inbounds %arg1[%11] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %100 = llvm.load %99 {alignment = 8 : i64} : !llvm.ptr -> i32
  %101 = llvm.and %100, %0 : i32
  %102 = llvm.icmp "eq" %101, %8 : i32
  llvm.cond_br %102, ^bb22, ^bb27(%0 : i32)
^bb22:
  %103 = llvm.load %78 {alignment = 8 : i64} : !llvm.ptr -> i32
  %104 = llvm.icmp "sgt" %103, %8 : i32
  llvm.cond_br %104, ^bb23, ^bb26
^bb23:
  %105 = llvm.getelementptr inbounds %arg1[%17] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %106 = llvm.getelementptr inbounds %76[%14] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.br ^bb25(%8 : i32)
^bb24:
  %107 = llvm.add %110, %0 overflow<nsw, nuw> : i32
  %108 = llvm.load %78 {alignment = 8 : i64} : !llvm.ptr -> i32
  %109 = llvm.icmp "slt" %107, %108 : i32
  llvm.cond_br %109, ^bb25(%107 : i32), ^bb26
^bb25(%110: i32):
  %111 = llvm.load %105 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %112 = llvm.zext nneg %110 : i32 to i64
  %113 = llvm.getelementptr %111[%112] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %114 = llvm.load %113 {alignment = 8 : i64} : !llvm.ptr -> i64
  %115 = llvm.load %106 {alignment = 4 : i64} : !llvm.ptr -> i32
  %116 = llvm.zext nneg %115 : i32 to i64
  %117 = llvm.ashr %114, %116 : i64
  %118 = llvm.getelementptr %arg5[%112] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.store %117, %118 {alignment = 8 : i64} : i64, !llvm.ptr
  %119 = llvm.load %106 {alignment = 4 : i64} : !llvm.ptr -> i32
  %120 = llvm.zext nneg %119 : i32 to i64
  %121 = llvm.shl %117, %120 : i64
  %122 = llvm.load %105 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %123 = llvm.getelementptr %122[%112] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %124 = llvm.load %123 {alignment = 8 : i64} : !llvm.ptr -> i64
  %125 = llvm.icmp "eq" %121, %124 : i64
  llvm.cond_br %125, ^bb24, ^bb27(%8 : i32)
^bb26:
  llvm.store %arg5, %97 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  llvm.br ^bb27(%0 : i32)
^bb27(%126: i32):
  llvm.return %126 : i32
}
llvm.func @PyFloat_AsDouble(!llvm.ptr) -> f64
llvm.func @PyLong_AsLongLong(!llvm.ptr) -> i64
llvm.func @PyErr_Occurred() -> !llvm.ptr
llvm.func @PyErr_Clear()
llvm.func @PyObject_GetAttr(!llvm.ptr, !llvm.ptr) -> !llvm.ptr
llvm.func @PyObject_VectorcallMethod(!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> !llvm.ptr
llvm.func @Py_IncRef(!llvm.ptr)
llvm.func @PyTuple_New(i64) -> !llvm.ptr
llvm.func @PyTuple_SetItem(!llvm.ptr, i64, !llvm.ptr) -> i32
llvm.func @PyLong_FromLongLong(i64) -> !llvm.ptr
llvm.func internal @__gs_python_ignore(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: !llvm.ptr) {
  llvm.return
}
llvm.func @PyEval_SaveThread() -> !llvm.ptr
llvm.func @PyEval_RestoreThread(!llvm.ptr)
