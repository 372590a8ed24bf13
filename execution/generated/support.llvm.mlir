// Made of support.c by `python -m mlir_gs.tools.docs.from_c` (sources 92864792e5a2020d).
llvm.mlir.global private constant @__gs_support_str("%s\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_1("%s, found %d\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_2("TypeError\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_3(dense<0> : tensor<1xi8>) {addr_space = 0 : i32, alignment = 1 : i64} : !llvm.array<1 x i8>
llvm.mlir.global private constant @__gs_support_str_4("ValueError\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_5(" with other strides\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_6(" at an address that is not aligned to the element size\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_7("%s, found %s%s\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_8("int %lld\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_9("float %g\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global internal constant @__gs_support_FORMATS(dense<"0x696E7425640000000000000000000000000000000000000075696E742564000000000000000000000000000000000000666C6F61742564000000000000000000000000000000000068616E646C6525640000000000000000000000000000000062666C6F6174256400000000000000000000000000000000636F6D706C65782564000000000000000000000000000000626F6F6C0000000000000000000000000000000000000000666C6F6174385F65336D3400000000000000000000000000666C6F6174385F65346D3300000000000000000000000000666C6F6174385F65346D33623131666E757A000000000000666C6F6174385F65346D33666E0000000000000000000000666C6F6174385F65346D33666E757A000000000000000000666C6F6174385F65356D3200000000000000000000000000666C6F6174385F65356D32666E757A000000000000000000666C6F6174385F65386D30666E7500000000000000000000666C6F6174365F65326D33666E0000000000000000000000666C6F6174365F65336D32666E0000000000000000000000666C6F6174345F65326D31666E0000000000000000000000756E6B6E6F776E2064747970650000000000000000000000"> : tensor<19x24xi8>) {addr_space = 0 : i32, alignment = 16 : i64} : !llvm.array<19 x array<24 x i8>>
llvm.mlir.global private constant @__gs_support_str_10("[\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_11(", %lld\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_12("%lld\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_13("]\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_14("] on device %d\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_15("None\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_16("bool\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_17("pointer\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_18("dtype\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_19("device\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_20("str\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_21("bytes\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_22("error\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_23("function\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_24("shape\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_25("list\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_26("dict\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_27("module\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_28("large int\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_29("object\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_30("; with these arguments it is %s\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_31("MemoryError\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_32("there is no memory for a result\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_33("ffi.Array\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support___const_list_name() {addr_space = 0 : i32, alignment = 8 : i64} : !llvm.struct<(ptr, i64)> {
  %0 = llvm.mlir.constant(9 : i64) : i64
  %1 = llvm.mlir.addressof @__gs_support_str_33 : !llvm.ptr
  %2 = llvm.mlir.undef : !llvm.struct<(ptr, i64)>
  %3 = llvm.insertvalue %1, %2[0] : !llvm.struct<(ptr, i64)>
  %4 = llvm.insertvalue %0, %3[1] : !llvm.struct<(ptr, i64)>
  llvm.return %4 : !llvm.struct<(ptr, i64)>
}
llvm.func @__gs_report(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: !llvm.ptr) {
  %0 = llvm.mlir.constant(1 : i32) : i32
  %1 = llvm.mlir.zero : !llvm.ptr
  %2 = llvm.mlir.constant(2 : i32) : i32
  %3 = llvm.mlir.constant(73 : i8) : i8
  %4 = llvm.mlir.constant(3 : i32) : i32
  %5 = llvm.mlir.constant(4 : i32) : i32
  %6 = llvm.mlir.constant(4 : i64) : i64
  %7 = llvm.mlir.constant(1020 : i64) : i64
  %8 = llvm.mlir.addressof @__gs_support_str : !llvm.ptr
  %9 = llvm.mlir.addressof @TVMFFIErrorSetRaised : !llvm.ptr
  %10 = llvm.mlir.constant(8 : i64) : i64
  %11 = llvm.mlir.constant(0 : i64) : i64
  %12 = llvm.mlir.constant(0 : i32) : i32
  %13 = llvm.alloca %0 x !llvm.struct<(ptr, i64)> {alignment = 8 : i64} : (i32) -> !llvm.ptr
  %14 = llvm.alloca %0 x !llvm.struct<(ptr, i64)> {alignment = 8 : i64} : (i32) -> !llvm.ptr
  %15 = llvm.alloca %0 x !llvm.struct<(ptr, i64)> {alignment = 8 : i64} : (i32) -> !llvm.ptr
  %16 = llvm.alloca %0 x !llvm.ptr {alignment = 8 : i64} : (i32) -> !llvm.ptr
  %17 = llvm.icmp "eq" %arg2, %1 : !llvm.ptr
  llvm.cond_br %17, ^bb1, ^bb5
^bb1:
  %18 = llvm.icmp "eq" %9, %1 : !llvm.ptr
  llvm.cond_br %18, ^bb9, ^bb2
^bb2:
  llvm.intr.lifetime.start %13 : !llvm.ptr
  llvm.store %arg0, %13 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %19 = llvm.getelementptr inbounds %13[%10] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %20 = llvm.call tail @strlen(%arg0) : (!llvm.ptr) -> i64
  llvm.store %20, %19 {alignment = 8 : i64} : i64, !llvm.ptr
  llvm.intr.lifetime.start %14 : !llvm.ptr
  llvm.store %arg1, %14 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %21 = llvm.getelementptr inbounds %14[%10] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %22 = llvm.call tail @strlen(%arg1) : (!llvm.ptr) -> i64
  llvm.store %22, %21 {alignment = 8 : i64} : i64, !llvm.ptr
  llvm.intr.lifetime.start %15 : !llvm.ptr
  llvm.store %arg0, %15 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %23 = llvm.getelementptr inbounds %15[%10] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %11, %23 {alignment = 8 : i64} : i64, !llvm.ptr
  llvm.intr.lifetime.start %16 : !llvm.ptr
  %24 = llvm.call @TVMFFIErrorCreate(%13, %14, %15, %16) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  %25 = llvm.icmp "eq" %24, %12 : i32
  llvm.cond_br %25, ^bb3, ^bb4
^bb3:
  %26 = llvm.load %16 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.call @TVMFFIErrorSetRaised(%26) : (!llvm.ptr) -> ()
  %27 = llvm.load %16 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %28 = llvm.call @TVMFFIObjectDecRef(%27) : (!llvm.ptr) -> i32
  llvm.br ^bb4
^bb4:
  llvm.intr.lifetime.end %16 : !llvm.ptr
  llvm.intr.lifetime.end %15 : !llvm.ptr
  llvm.intr.lifetime.end %14 : !llvm.ptr
  llvm.intr.lifetime.end %13 : !llvm.ptr
  llvm.br ^bb9
^bb5:
  %29 = llvm.load %arg0 {alignment = 1 : i64} : !llvm.ptr -> i8
  llvm.switch %29 : i8, ^bb6 [
    84: ^bb8(%0 : i32),
    86: ^bb7
  ]
^bb6:
  %30 = llvm.icmp "eq" %29, %3 : i8
  %31 = llvm.select %30, %4, %5 : i1, i32
  llvm.br ^bb8(%31 : i32)
^bb7:
  llvm.br ^bb8(%2 : i32)
^bb8(%32: i32):
  llvm.store %32, %arg2 {alignment = 4 : i64} : i32, !llvm.ptr
  %33 = llvm.getelementptr inbounds %arg2[%6] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %34 = llvm.call tail @snprintf(%33, %7, %8, %arg1) vararg(!llvm.func<i32 (ptr, i64, ptr, ...)>) : (!llvm.ptr, i64, !llvm.ptr, !llvm.ptr) -> i32
  llvm.br ^bb9
^bb9:
  llvm.return
}
llvm.func extern_weak @TVMFFIErrorSetRaised(!llvm.ptr)
llvm.func @snprintf(!llvm.ptr, i64, !llvm.ptr, ...) -> i32
llvm.func @__gs_set_error(%arg0: !llvm.ptr, %arg1: !llvm.ptr) {
  %0 = llvm.mlir.zero : !llvm.ptr
  llvm.call tail @__gs_report(%arg0, %arg1, %0) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.return
}
llvm.func @__gs_size(%arg0: !llvm.ptr, %arg1: !llvm.ptr) {
  %0 = llvm.mlir.constant(16 : i64) : i64
  %1 = llvm.mlir.constant(32 : i64) : i64
  %2 = llvm.mlir.constant(24 : i64) : i64
  %3 = llvm.mlir.constant(0 : i64) : i64
  %4 = llvm.mlir.constant(40 : i64) : i64
  %5 = llvm.mlir.constant(-6 : i64) : i64
  %6 = llvm.mlir.constant(4 : i64) : i64
  %7 = llvm.mlir.constant(-1 : i64) : i64
  %8 = llvm.mlir.constant(63 : i64) : i64
  %9 = llvm.mlir.constant(48 : i64) : i64
  %10 = llvm.getelementptr inbounds %arg0[%0] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %11 = llvm.getelementptr inbounds %arg0[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %12 = llvm.load %10 {alignment = 8 : i64} : !llvm.ptr -> i64
  %13 = llvm.getelementptr inbounds %arg0[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %14 = llvm.load %13 {alignment = 8 : i64} : !llvm.ptr -> i64
  %15 = llvm.getelementptr %arg1[%14] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %16 = llvm.icmp "eq" %12, %3 : i64
  %17 = llvm.load %11 {alignment = 8 : i64} : !llvm.ptr -> i64
  llvm.cond_br %16, ^bb22(%17 : i64), ^bb1
^bb1:
  %18 = llvm.getelementptr %arg1[%17] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %19 = llvm.load %18 {alignment = 8 : i64} : !llvm.ptr -> i64
  %20 = llvm.getelementptr %arg0[%4] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %21 = llvm.load %20 {alignment = 8 : i64} : !llvm.ptr -> i64
  %22 = llvm.getelementptr %arg1[%21] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %23 = llvm.load %22 {alignment = 8 : i64} : !llvm.ptr -> i64
  %24 = llvm.icmp "eq" %23, %3 : i64
  %25 = llvm.add %12, %5 : i64
  %26 = llvm.icmp "ult" %25, %6 : i64
  %27 = llvm.and %26, %24 : i1
  llvm.cond_br %27, ^bb22(%7 : i64), ^bb2
^bb2:
  llvm.switch %12 : i64, ^bb23 [
    1: ^bb22(%19 : i64),
    2: ^bb3,
    3: ^bb5,
    4: ^bb6,
    5: ^bb7,
    6: ^bb8,
    7: ^bb11,
    8: ^bb12,
    9: ^bb13,
    10: ^bb14,
    11: ^bb15,
    12: ^bb16,
    13: ^bb17,
    14: ^bb18,
    15: ^bb19,
    16: ^bb20,
    17: ^bb21
  ]
^bb3:
  %28 = llvm.icmp "eq" %19, %3 : i64
  llvm.cond_br %28, ^bb4, ^bb22(%23 : i64)
^bb4:
  %29 = llvm.getelementptr %arg0[%9] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %30 = llvm.load %29 {alignment = 8 : i64} : !llvm.ptr -> i64
  %31 = llvm.getelementptr %arg1[%30] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %32 = llvm.load %31 {alignment = 8 : i64} : !llvm.ptr -> i64
  llvm.br ^bb22(%32 : i64)
^bb5:
  %33 = llvm.add %23, %19 : i64
  llvm.br ^bb22(%33 : i64)
^bb6:
  %34 = llvm.sub %19, %23 : i64
  llvm.br ^bb22(%34 : i64)
^bb7:
  %35 = llvm.mul %23, %19 : i64
  llvm.br ^bb22(%35 : i64)
^bb8:
  %36 = llvm.icmp "eq" %23, %7 : i64
  llvm.cond_br %36, ^bb9, ^bb10
^bb9:
  %37 = llvm.sub %3, %19 : i64
  llvm.br ^bb22(%37 : i64)
^bb10:
  %38 = llvm.sdiv %19, %23 : i64
  llvm.br ^bb22(%38 : i64)
^bb11:
  %39 = llvm.sdiv %19, %23 : i64
  %40 = llvm.srem %19, %23 : i64
  %41 = llvm.ashr %40, %8 : i64
  %42 = llvm.add %41, %39 : i64
  llvm.br ^bb22(%42 : i64)
^bb12:
  %43 = llvm.sub %3, %19 : i64
  %44 = llvm.sdiv %43, %23 : i64
  %45 = llvm.srem %43, %23 : i64
  %46 = llvm.lshr %45, %8 : i64
  %47 = llvm.sub %46, %44 : i64
  llvm.br ^bb22(%47 : i64)
^bb13:
  %48 = llvm.sdiv %19, %23 : i64
  %49 = llvm.srem %19, %23 : i64
  %50 = llvm.ashr %49, %8 : i64
  %51 = llvm.add %50, %48 : i64
  %52 = llvm.mul %51, %23 : i64
  %53 = llvm.sub %19, %52 : i64
  llvm.br ^bb22(%53 : i64)
^bb14:
  %54 = llvm.intr.smax(%19, %23) : (i64, i64) -> i64
  llvm.br ^bb22(%54 : i64)
^bb15:
  %55 = llvm.intr.smin(%19, %23) : (i64, i64) -> i64
  llvm.br ^bb22(%55 : i64)
^bb16:
  %56 = llvm.icmp "eq" %19, %23 : i64
  %57 = llvm.zext %56 : i1 to i64
  llvm.br ^bb22(%57 : i64)
^bb17:
  %58 = llvm.icmp "ne" %19, %23 : i64
  %59 = llvm.zext %58 : i1 to i64
  llvm.br ^bb22(%59 : i64)
^bb18:
  %60 = llvm.icmp "slt" %19, %23 : i64
  %61 = llvm.zext %60 : i1 to i64
  llvm.br ^bb22(%61 : i64)
^bb19:
  %62 = llvm.icmp "sle" %19, %23 : i64
  %63 = llvm.zext %62 : i1 to i64
  llvm.br ^bb22(%63 : i64)
^bb20:
  %64 = llvm.icmp "sgt" %19, %23 : i64
  %65 = llvm.zext %64 : i1 to i64
  llvm.br ^bb22(%65 : i64)
^bb21:
  %66 = llvm.icmp "sge" %19, %23 : i64
  %67 = llvm.zext %66 : i1 to i64
  llvm.br ^bb22(%67 : i64)
^bb22(%68: i64):
  llvm.store %68, %15 {alignment = 8 : i64} : i64, !llvm.ptr
  llvm.br ^bb23
^bb23:
  llvm.return
}
llvm.func @__gs_check(%arg0: !llvm.ptr) -> i32 {
  %0 = llvm.mlir.constant(1 : i32) : i32
  %1 = llvm.mlir.constant(8 : i64) : i64
  %2 = llvm.mlir.constant(16 : i64) : i64
  %3 = llvm.mlir.constant(1024 : i64) : i64
  %4 = llvm.mlir.addressof @__gs_support_str_1 : !llvm.ptr
  %5 = llvm.mlir.constant(32 : i64) : i64
  %6 = llvm.mlir.addressof @__gs_support_str_2 : !llvm.ptr
  %7 = llvm.mlir.constant(-1 : i32) : i32
  %8 = llvm.mlir.constant(96 : i64) : i64
  %9 = llvm.mlir.constant(0 : i64) : i64
  %10 = llvm.mlir.constant(0 : i32) : i32
  %11 = llvm.mlir.constant(104 : i64) : i64
  %12 = llvm.mlir.constant(24 : i64) : i64
  %13 = llvm.mlir.constant(40 : i64) : i64
  %14 = llvm.mlir.undef : i32
  %15 = llvm.mlir.addressof @__gs_support_str_4 : !llvm.ptr
  %16 = llvm.mlir.addressof @__gs_support_str_3 : !llvm.ptr
  %17 = llvm.mlir.constant(2 : i32) : i32
  %18 = llvm.mlir.constant(48 : i64) : i64
  %19 = llvm.mlir.constant(72 : i64) : i64
  %20 = llvm.mlir.constant(-1 : i64) : i64
  %21 = llvm.mlir.zero : !llvm.ptr
  %22 = llvm.mlir.constant(31 : i32) : i32
  %23 = llvm.mlir.constant(20 : i64) : i64
  %24 = llvm.mlir.constant(21 : i64) : i64
  %25 = llvm.mlir.constant(22 : i64) : i64
  %26 = llvm.mlir.constant(63 : i8) : i8
  %27 = llvm.mlir.constant(56 : i64) : i64
  %28 = llvm.mlir.constant(1 : i64) : i64
  %29 = llvm.mlir.constant(64 : i64) : i64
  %30 = llvm.mlir.constant(1 : i16) : i16
  %31 = llvm.mlir.constant(true) : i1
  %32 = llvm.mlir.constant(80 : i64) : i64
  %33 = llvm.mlir.constant(false) : i1
  %34 = llvm.mlir.constant(-9223372036854775808 : i64) : i64
  %35 = llvm.mlir.addressof @__gs_support_str_5 : !llvm.ptr
  %36 = llvm.mlir.constant(88 : i64) : i64
  %37 = llvm.mlir.addressof @__gs_support_str_6 : !llvm.ptr
  %38 = llvm.alloca %0 x !llvm.array<1024 x i8> {alignment = 16 : i64} : (i32) -> !llvm.ptr
  %39 = llvm.load %arg0 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %40 = llvm.getelementptr inbounds %39[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %41 = llvm.load %40 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %42 = llvm.getelementptr inbounds %arg0[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %43 = llvm.load %42 {alignment = 8 : i64} : !llvm.ptr -> i32
  %44 = llvm.sext %43 : i32 to i64
  %45 = llvm.getelementptr inbounds %41[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %46 = llvm.load %45 {alignment = 8 : i64} : !llvm.ptr -> i64
  %47 = llvm.icmp "eq" %46, %44 : i64
  llvm.cond_br %47, ^bb2, ^bb1
^bb1:
  llvm.intr.lifetime.start %38 : !llvm.ptr
  %48 = llvm.getelementptr inbounds %39[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %49 = llvm.load %48 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %50 = llvm.getelementptr inbounds %41[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %51 = llvm.load %50 {alignment = 8 : i64} : !llvm.ptr -> i64
  %52 = llvm.getelementptr %49[%51] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %53 = llvm.call @snprintf(%38, %3, %4, %52, %43) vararg(!llvm.func<i32 (ptr, i64, ptr, ...)>) : (!llvm.ptr, i64, !llvm.ptr, !llvm.ptr, i32) -> i32
  %54 = llvm.getelementptr inbounds %arg0[%5] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %55 = llvm.load %54 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.call @__gs_report(%6, %38, %55) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.intr.lifetime.end %38 : !llvm.ptr
  llvm.br ^bb57(%7 : i32)
^bb2:
  %56 = llvm.getelementptr inbounds %41[%8] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %57 = llvm.load %56 {alignment = 8 : i64} : !llvm.ptr -> i64
  %58 = llvm.icmp "sgt" %57, %9 : i64
  llvm.cond_br %58, ^bb3, ^bb57(%10 : i32)
^bb3:
  %59 = llvm.getelementptr inbounds %41[%11] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %60 = llvm.getelementptr inbounds %arg0[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %61 = llvm.getelementptr inbounds %arg0[%5] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %62 = llvm.getelementptr inbounds %arg0[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %63 = llvm.getelementptr inbounds %arg0[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %64 = llvm.getelementptr inbounds %arg0[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %65 = llvm.getelementptr inbounds %arg0[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %66 = llvm.getelementptr inbounds %arg0[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %67 = llvm.getelementptr inbounds %arg0[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %68 = llvm.getelementptr inbounds %arg0[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %69 = llvm.getelementptr inbounds %arg0[%13] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %70 = llvm.getelementptr inbounds %arg0[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.br ^bb5(%9, %59, %14 : i64, !llvm.ptr, i32)
^bb4:
  %71 = llvm.add %74, %28 overflow<nsw, nuw> : i64
  %72 = llvm.load %56 {alignment = 8 : i64} : !llvm.ptr -> i64
  %73 = llvm.icmp "slt" %71, %72 : i64
  llvm.cond_br %73, ^bb5(%71, %308, %307 : i64, !llvm.ptr, i32), ^bb57(%10 : i32)
^bb5(%74: i64, %75: !llvm.ptr, %76: i32):
  %77 = llvm.getelementptr inbounds %75[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %78 = llvm.load %77 {alignment = 8 : i64} : !llvm.ptr -> i64
  llvm.switch %78 : i64, ^bb53 [
    0: ^bb6,
    1: ^bb39,
    2: ^bb45,
    3: ^bb50
  ]
^bb6:
  %79 = llvm.load %66 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %80 = llvm.getelementptr inbounds %75[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %81 = llvm.load %80 {alignment = 8 : i64} : !llvm.ptr -> i64
  %82 = llvm.getelementptr %79[%81] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, struct<(i32)>, struct<(i64)>)>
  %83 = llvm.getelementptr inbounds %75[%19] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %84 = llvm.load %83 {alignment = 8 : i64} : !llvm.ptr -> i64
  %85 = llvm.getelementptr inbounds %75[%8] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %86 = llvm.getelementptr inbounds %75[%13] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %87 = llvm.load %86 {alignment = 8 : i64} : !llvm.ptr -> i64
  %88 = llvm.icmp "sgt" %87, %20 : i64
  llvm.cond_br %88, ^bb7, ^bb8(%85 : !llvm.ptr)
^bb7:
  %89 = llvm.load %67 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %90 = llvm.getelementptr %89[%87] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.br ^bb8(%90 : !llvm.ptr)
^bb8(%91: !llvm.ptr):
  %92 = llvm.load %68 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %93 = llvm.getelementptr inbounds %75[%5] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %94 = llvm.load %93 {alignment = 8 : i64} : !llvm.ptr -> i64
  %95 = llvm.getelementptr %92[%94] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %96 = llvm.load %82 {alignment = 8 : i64} : !llvm.ptr -> i32
  %97 = llvm.icmp "eq" %96, %10 : i32
  llvm.cond_br %97, ^bb9, ^bb12
^bb9:
  %98 = llvm.load %69 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %99 = llvm.icmp "eq" %98, %21 : !llvm.ptr
  llvm.cond_br %99, ^bb12, ^bb10
^bb10:
  %100 = llvm.load %98 {alignment = 8 : i64} : !llvm.ptr -> i64
  %101 = llvm.icmp "slt" %81, %100 : i64
  llvm.cond_br %101, ^bb12, ^bb11
^bb11:
  %102 = llvm.getelementptr inbounds %98[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %103 = llvm.load %102 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %104 = llvm.call tail %103(%98, %84, %91, %82) : !llvm.ptr, (!llvm.ptr, i64, !llvm.ptr, !llvm.ptr) -> i32
  %105 = llvm.getelementptr inbounds %95[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %9, %105 {alignment = 8 : i64} : i64, !llvm.ptr
  %106 = llvm.getelementptr inbounds %95[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %9, %106 {alignment = 8 : i64} : i64, !llvm.ptr
  %107 = llvm.icmp "eq" %104, %10 : i32
  %108 = llvm.ashr %104, %22 : i32
  llvm.cond_br %107, ^bb12, ^bb54(%108 : i32)
^bb12:
  %109 = llvm.load %82 {alignment = 8 : i64} : !llvm.ptr -> i32
  llvm.switch %109 : i32, ^bb15(%21 : !llvm.ptr) [
    70: ^bb13,
    7: ^bb14
  ]
^bb13:
  %110 = llvm.getelementptr inbounds %82[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %111 = llvm.load %110 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %112 = llvm.getelementptr %111[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.br ^bb15(%112 : !llvm.ptr)
^bb14:
  %113 = llvm.getelementptr inbounds %82[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %114 = llvm.load %113 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.br ^bb15(%114 : !llvm.ptr)
^bb15(%115: !llvm.ptr):
  %116 = llvm.icmp "eq" %115, %21 : !llvm.ptr
  llvm.cond_br %116, ^bb16, ^bb17
^bb16:
  llvm.call fastcc tail @__gs_support_refuse(%arg0, %6, %75, %16) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.br ^bb54(%7 : i32)
^bb17:
  %117 = llvm.getelementptr inbounds %115[%23] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %118 = llvm.load %117 {alignment = 4 : i64} : !llvm.ptr -> i8
  %119 = llvm.getelementptr inbounds %115[%24] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %120 = llvm.load %119 {alignment = 1 : i64} : !llvm.ptr -> i8
  %121 = llvm.getelementptr inbounds %115[%25] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %122 = llvm.load %121 {alignment = 2 : i64} : !llvm.ptr -> i16
  %123 = llvm.icmp "ugt" %118, %26 : i8
  llvm.cond_br %123, ^bb20, ^bb18
^bb18:
  %124 = llvm.getelementptr inbounds %75[%27] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %125 = llvm.load %124 {alignment = 8 : i64} : !llvm.ptr -> i64
  %126 = llvm.zext nneg %118 : i8 to i64
  %127 = llvm.shl %28, %126 overflow<nuw> : i64
  %128 = llvm.and %125, %127 : i64
  %129 = llvm.icmp "eq" %128, %9 : i64
  llvm.cond_br %129, ^bb20, ^bb19
^bb19:
  %130 = llvm.zext %120 : i8 to i64
  %131 = llvm.getelementptr inbounds %75[%29] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %132 = llvm.load %131 {alignment = 8 : i64} : !llvm.ptr -> i64
  %133 = llvm.icmp "ne" %132, %130 : i64
  %134 = llvm.icmp "ne" %122, %30 : i16
  %135 = llvm.select %133, %31, %134 : i1, i1
  llvm.cond_br %135, ^bb20, ^bb21
^bb20:
  llvm.call fastcc tail @__gs_support_refuse(%arg0, %6, %75, %16) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.br ^bb54(%7 : i32)
^bb21:
  %136 = llvm.getelementptr inbounds %115[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %137 = llvm.load %136 {alignment = 8 : i64} : !llvm.ptr -> i32
  %138 = llvm.icmp "eq" %137, %0 : i32
  llvm.cond_br %138, ^bb22, ^bb23
^bb22:
  %139 = llvm.getelementptr inbounds %115[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %140 = llvm.load %139 {alignment = 8 : i64} : !llvm.ptr -> i32
  %141 = llvm.sext %140 : i32 to i64
  %142 = llvm.icmp "eq" %84, %141 : i64
  llvm.cond_br %142, ^bb24, ^bb23
^bb23:
  llvm.call fastcc tail @__gs_support_refuse(%arg0, %15, %75, %16) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.br ^bb54(%7 : i32)
^bb24:
  %143 = llvm.getelementptr inbounds %75[%18] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %144 = llvm.load %143 {alignment = 8 : i64} : !llvm.ptr -> i64
  %145 = llvm.icmp "eq" %144, %9 : i64
  %146 = llvm.getelementptr %85[%84] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %147 = llvm.select %145, %21, %146 : i1, !llvm.ptr
  %148 = llvm.getelementptr inbounds %75[%32] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %149 = llvm.load %148 {alignment = 8 : i64} : !llvm.ptr -> i64
  %150 = llvm.icmp "sgt" %84, %9 : i64
  llvm.cond_br %150, ^bb25, ^bb27(%9, %9, %33, %33, %33, %31 : i64, i64, i1, i1, i1, i1)
^bb25:
  %151 = llvm.getelementptr inbounds %115[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %152 = llvm.getelementptr inbounds %115[%5] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %153 = llvm.icmp "eq" %147, %21 : !llvm.ptr
  %154 = llvm.getelementptr inbounds %95[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.br ^bb28(%84, %0, %0, %10, %0, %28, %9, %9 : i64, i32, i32, i32, i32, i64, i64, i64)
^bb26:
  %155 = llvm.icmp "eq" %188, %10 : i32
  %156 = llvm.icmp "ne" %201, %10 : i32
  %157 = llvm.icmp "ne" %215, %10 : i32
  %158 = llvm.select %156, %31, %157 : i1, i1
  %159 = llvm.icmp "eq" %192, %10 : i32
  llvm.br ^bb27(%211, %212, %159, %157, %155, %158 : i64, i64, i1, i1, i1, i1)
^bb27(%160: i64, %161: i64, %162: i1, %163: i1, %164: i1, %165: i1):
  llvm.cond_br %164, ^bb33, ^bb34
^bb28(%166: i64, %167: i32, %168: i32, %169: i32, %170: i32, %171: i64, %172: i64, %173: i64):
  %174 = llvm.add %166, %20 overflow<nsw> : i64
  %175 = llvm.load %151 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %176 = llvm.getelementptr %175[%174] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %177 = llvm.load %176 {alignment = 8 : i64} : !llvm.ptr -> i64
  %178 = llvm.load %152 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %179 = llvm.icmp "eq" %178, %21 : !llvm.ptr
  llvm.cond_br %179, ^bb30(%171 : i64), ^bb29
^bb29:
  %180 = llvm.getelementptr %178[%174] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %181 = llvm.load %180 {alignment = 8 : i64} : !llvm.ptr -> i64
  llvm.br ^bb30(%181 : i64)
^bb30(%182: i64):
  %183 = llvm.getelementptr %91[%174] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %184 = llvm.load %183 {alignment = 8 : i64} : !llvm.ptr -> i64
  %185 = llvm.icmp "eq" %184, %20 : i64
  %186 = llvm.icmp "eq" %184, %177 : i64
  %187 = llvm.select %185, %31, %186 : i1, i1
  %188 = llvm.select %187, %168, %10 : i1, i32
  %189 = llvm.icmp "eq" %177, %28 : i64
  %190 = llvm.icmp "eq" %182, %171 : i64
  %191 = llvm.select %189, %31, %190 : i1, i1
  %192 = llvm.select %191, %170, %10 : i1, i32
  llvm.cond_br %153, ^bb32(%167 : i32), ^bb31
^bb31:
  %193 = llvm.getelementptr %147[%174] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %194 = llvm.load %193 {alignment = 8 : i64} : !llvm.ptr -> i64
  %195 = llvm.icmp "eq" %194, %34 : i64
  %196 = llvm.icmp "eq" %194, %182 : i64
  %197 = llvm.select %195, %31, %196 : i1, i1
  %198 = llvm.select %197, %31, %189 : i1, i1
  %199 = llvm.and %167, %0 : i32
  %200 = llvm.select %198, %199, %10 : i1, i32
  llvm.br ^bb32(%200 : i32)
^bb32(%201: i32):
  %202 = llvm.getelementptr %154[%9, %174] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<0 x i64>
  llvm.store %177, %202 {alignment = 8 : i64} : i64, !llvm.ptr
  %203 = llvm.add %174, %84 overflow<nsw> : i64
  %204 = llvm.getelementptr %154[%9, %203] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<0 x i64>
  llvm.store %182, %204 {alignment = 8 : i64} : i64, !llvm.ptr
  %205 = llvm.add %177, %20 : i64
  %206 = llvm.mul %205, %149 : i64
  %207 = llvm.mul %206, %182 : i64
  %208 = llvm.icmp "slt" %207, %9 : i64
  %209 = llvm.select %208, %173, %172 : i1, i64
  %210 = llvm.add %209, %207 : i64
  %211 = llvm.select %208, %210, %173 : i1, i64
  %212 = llvm.select %208, %172, %210 : i1, i64
  %213 = llvm.icmp "eq" %177, %9 : i64
  %214 = llvm.zext %213 : i1 to i32
  %215 = llvm.or %169, %214 : i32
  %216 = llvm.mul %177, %171 : i64
  %217 = llvm.icmp "sgt" %166, %28 : i64
  llvm.cond_br %217, ^bb28(%174, %201, %188, %215, %192, %216, %212, %211 : i64, i32, i32, i32, i32, i64, i64, i64), ^bb26
^bb33:
  llvm.call fastcc tail @__gs_support_refuse_sizes(%arg0, %75, %115, %91) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.br ^bb54(%7 : i32)
^bb34:
  llvm.cond_br %165, ^bb36, ^bb35
^bb35:
  llvm.call fastcc tail @__gs_support_refuse(%arg0, %15, %75, %35) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.br ^bb54(%7 : i32)
^bb36:
  %218 = llvm.load %115 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %219 = llvm.ptrtoint %218 : !llvm.ptr to i64
  %220 = llvm.getelementptr inbounds %115[%13] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %221 = llvm.load %220 {alignment = 8 : i64} : !llvm.ptr -> i64
  %222 = llvm.add %221, %219 : i64
  llvm.store %222, %95 {alignment = 8 : i64} : i64, !llvm.ptr
  %223 = llvm.getelementptr inbounds %75[%36] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %224 = llvm.load %223 {alignment = 8 : i64} : !llvm.ptr -> i64
  %225 = llvm.add %224, %20 : i64
  %226 = llvm.and %225, %222 : i64
  %227 = llvm.icmp "eq" %226, %9 : i64
  %228 = llvm.select %227, %31, %163 : i1, i1
  llvm.cond_br %228, ^bb38, ^bb37
^bb37:
  llvm.call fastcc tail @__gs_support_refuse(%arg0, %15, %75, %37) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.br ^bb54(%7 : i32)
^bb38:
  %229 = llvm.add %222, %160 : i64
  %230 = llvm.getelementptr inbounds %95[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %229, %230 {alignment = 8 : i64} : i64, !llvm.ptr
  %231 = llvm.add %161, %149 : i64
  %232 = llvm.add %231, %222 : i64
  %233 = llvm.select %163, %229, %232 : i1, i64
  %234 = llvm.getelementptr inbounds %95[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %233, %234 {alignment = 8 : i64} : i64, !llvm.ptr
  %235 = llvm.icmp "eq" %147, %21 : !llvm.ptr
  %236 = llvm.select %235, %162, %33 : i1, i1
  %237 = llvm.xor %163, %31 : i1
  %238 = llvm.select %236, %237, %33 : i1, i1
  %239 = llvm.zext %238 : i1 to i32
  llvm.br ^bb54(%239 : i32)
^bb39:
  %240 = llvm.load %64 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %241 = llvm.getelementptr inbounds %75[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %242 = llvm.load %241 {alignment = 8 : i64} : !llvm.ptr -> i64
  %243 = llvm.getelementptr %240[%242] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, struct<(i32)>, struct<(i64)>)>
  %244 = llvm.load %243 {alignment = 8 : i64} : !llvm.ptr -> i32
  %245 = llvm.add %244, %7 : i32
  %246 = llvm.icmp "ult" %245, %17 : i32
  llvm.cond_br %246, ^bb41, ^bb40
^bb40:
  llvm.call fastcc tail @__gs_support_refuse(%arg0, %6, %75, %16) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.br ^bb54(%7 : i32)
^bb41:
  %247 = llvm.getelementptr inbounds %243[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %248 = llvm.load %247 {alignment = 8 : i64} : !llvm.ptr -> i64
  %249 = llvm.getelementptr inbounds %75[%13] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %250 = llvm.load %249 {alignment = 8 : i64} : !llvm.ptr -> i64
  %251 = llvm.icmp "slt" %248, %250 : i64
  llvm.cond_br %251, ^bb43, ^bb42
^bb42:
  %252 = llvm.getelementptr inbounds %75[%18] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %253 = llvm.load %252 {alignment = 8 : i64} : !llvm.ptr -> i64
  %254 = llvm.icmp "sgt" %248, %253 : i64
  llvm.cond_br %254, ^bb43, ^bb44
^bb43:
  llvm.call fastcc tail @__gs_support_refuse(%arg0, %15, %75, %16) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.br ^bb54(%7 : i32)
^bb44:
  %255 = llvm.load %65 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %256 = llvm.getelementptr inbounds %75[%5] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %257 = llvm.load %256 {alignment = 8 : i64} : !llvm.ptr -> i64
  %258 = llvm.getelementptr %255[%257] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.store %248, %258 {alignment = 8 : i64} : i64, !llvm.ptr
  llvm.br ^bb54(%10 : i32)
^bb45:
  %259 = llvm.load %62 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %260 = llvm.getelementptr inbounds %75[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %261 = llvm.load %260 {alignment = 8 : i64} : !llvm.ptr -> i64
  %262 = llvm.getelementptr %259[%261] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, struct<(i32)>, struct<(i64)>)>
  %263 = llvm.load %63 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %264 = llvm.getelementptr inbounds %75[%5] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %265 = llvm.load %264 {alignment = 8 : i64} : !llvm.ptr -> i64
  %266 = llvm.getelementptr %263[%265] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %267 = llvm.load %262 {alignment = 8 : i64} : !llvm.ptr -> i32
  llvm.switch %267 : i32, ^bb48 [
    3: ^bb46,
    1: ^bb47,
    2: ^bb47
  ]
^bb46:
  %268 = llvm.getelementptr inbounds %262[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %269 = llvm.load %268 {alignment = 8 : i64} : !llvm.ptr -> f64
  llvm.br ^bb49(%269 : f64)
^bb47:
  %270 = llvm.getelementptr inbounds %262[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %271 = llvm.load %270 {alignment = 8 : i64} : !llvm.ptr -> i64
  %272 = llvm.sitofp %271 : i64 to f64
  llvm.br ^bb49(%272 : f64)
^bb48:
  llvm.call fastcc tail @__gs_support_refuse(%arg0, %6, %75, %16) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.br ^bb54(%7 : i32)
^bb49(%273: f64):
  llvm.store %273, %266 {alignment = 8 : i64} : f64, !llvm.ptr
  llvm.br ^bb54(%10 : i32)
^bb50:
  %274 = llvm.load %60 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %275 = llvm.getelementptr inbounds %75[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %276 = llvm.getelementptr inbounds %75[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %277 = llvm.load %276 {alignment = 8 : i64} : !llvm.ptr -> i64
  %278 = llvm.getelementptr %274[%277] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %279 = llvm.getelementptr %75[%5] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %280 = llvm.load %279 {alignment = 8 : i64} : !llvm.ptr -> i64
  %281 = llvm.getelementptr %274[%280] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %282 = llvm.getelementptr inbounds %278[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %283 = llvm.load %282 {alignment = 8 : i64} : !llvm.ptr -> i64
  %284 = llvm.getelementptr inbounds %281[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %285 = llvm.load %284 {alignment = 8 : i64} : !llvm.ptr -> i64
  %286 = llvm.icmp "ugt" %283, %285 : i64
  llvm.cond_br %286, ^bb51, ^bb54(%10 : i32)
^bb51:
  %287 = llvm.getelementptr inbounds %281[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %288 = llvm.load %287 {alignment = 8 : i64} : !llvm.ptr -> i64
  %289 = llvm.getelementptr inbounds %278[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %290 = llvm.load %289 {alignment = 8 : i64} : !llvm.ptr -> i64
  %291 = llvm.icmp "ule" %288, %290 : i64
  %292 = llvm.icmp "eq" %290, %283 : i64
  %293 = llvm.or %291, %292 : i1
  %294 = llvm.icmp "eq" %285, %288 : i64
  %295 = llvm.or %294, %293 : i1
  llvm.cond_br %295, ^bb54(%10 : i32), ^bb52
^bb52:
  %296 = llvm.load %arg0 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %297 = llvm.getelementptr inbounds %296[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %298 = llvm.load %297 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %299 = llvm.load %275 {alignment = 8 : i64} : !llvm.ptr -> i64
  %300 = llvm.getelementptr %298[%299] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %301 = llvm.load %61 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.call tail @__gs_report(%15, %300, %301) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.br ^bb54(%7 : i32)
^bb53:
  %302 = llvm.load %70 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.call tail @__gs_size(%75, %302) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.br ^bb54(%10 : i32)
^bb54(%303: i32):
  %304 = llvm.icmp "eq" %303, %10 : i32
  llvm.cond_br %304, ^bb55, ^bb56(%303, %75 : i32, !llvm.ptr)
^bb55:
  %305 = llvm.load %75 {alignment = 8 : i64} : !llvm.ptr -> i64
  %306 = llvm.getelementptr %75[%305] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.br ^bb56(%76, %306 : i32, !llvm.ptr)
^bb56(%307: i32, %308: !llvm.ptr):
  llvm.cond_br %304, ^bb4, ^bb57(%307 : i32)
^bb57(%309: i32):
  llvm.return %309 : i32
}
llvm.func @__gs_run(%arg0: !llvm.ptr, %arg1: !llvm.ptr) -> i32 {
  %0 = llvm.mlir.constant(1 : i32) : i32
  %1 = llvm.mlir.constant(8 : i64) : i64
  %2 = llvm.mlir.constant(24 : i64) : i64
  %3 = llvm.mlir.constant(32 : i64) : i64
  %4 = llvm.mlir.constant(40 : i64) : i64
  %5 = llvm.mlir.constant(48 : i64) : i64
  %6 = llvm.mlir.constant(56 : i64) : i64
  %7 = llvm.mlir.constant(64 : i64) : i64
  %8 = llvm.mlir.constant(72 : i64) : i64
  %9 = llvm.mlir.constant(80 : i64) : i64
  %10 = llvm.mlir.constant(88 : i64) : i64
  %11 = llvm.mlir.constant(0 : i32) : i32
  %12 = llvm.mlir.constant(-1 : i32) : i32
  %13 = llvm.mlir.constant(0 : i64) : i64
  %14 = llvm.mlir.constant(16 : i64) : i64
  %15 = llvm.mlir.constant(4 : i64) : i64
  %16 = llvm.mlir.zero : !llvm.ptr
  %17 = llvm.mlir.constant(0 : i8) : i8
  %18 = llvm.mlir.constant(20 : i64) : i64
  %19 = llvm.mlir.addressof @__gs_support_free_result : !llvm.ptr
  %20 = llvm.mlir.constant(70 : i32) : i32
  %21 = llvm.mlir.addressof @__gs_support_str_31 : !llvm.ptr
  %22 = llvm.mlir.addressof @__gs_support_str_32 : !llvm.ptr
  %23 = llvm.mlir.constant(1 : i64) : i64
  %24 = llvm.mlir.addressof @__gs_support___const_list_name : !llvm.ptr
  %25 = llvm.mlir.constant(2 : i32) : i32
  %26 = llvm.alloca %0 x !llvm.struct<(ptr, i64)> {alignment = 8 : i64} : (i32) -> !llvm.ptr
  %27 = llvm.alloca %0 x !llvm.ptr {alignment = 8 : i64} : (i32) -> !llvm.ptr
  %28 = llvm.alloca %0 x i32 {alignment = 4 : i64} : (i32) -> !llvm.ptr
  %29 = llvm.load %arg0 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %30 = llvm.getelementptr inbounds %29[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %31 = llvm.load %30 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %32 = llvm.getelementptr inbounds %arg0[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %33 = llvm.load %32 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %34 = llvm.load %29 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %35 = llvm.getelementptr inbounds %arg0[%3] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %36 = llvm.load %35 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %37 = llvm.getelementptr inbounds %31[%3] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %38 = llvm.load %37 {alignment = 8 : i64} : !llvm.ptr -> i64
  %39 = llvm.getelementptr %33[%38] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %40 = llvm.load %39 {alignment = 8 : i64} : !llvm.ptr -> i64
  %41 = llvm.inttoptr %40 : i64 to !llvm.ptr
  %42 = llvm.getelementptr %31[%4] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %43 = llvm.load %42 {alignment = 8 : i64} : !llvm.ptr -> i64
  %44 = llvm.getelementptr %33[%43] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %45 = llvm.load %44 {alignment = 8 : i64} : !llvm.ptr -> i64
  %46 = llvm.inttoptr %45 : i64 to !llvm.ptr
  %47 = llvm.getelementptr %31[%5] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %48 = llvm.load %47 {alignment = 8 : i64} : !llvm.ptr -> i64
  %49 = llvm.getelementptr %33[%48] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %50 = llvm.load %49 {alignment = 8 : i64} : !llvm.ptr -> i64
  %51 = llvm.inttoptr %50 : i64 to !llvm.ptr
  %52 = llvm.getelementptr %31[%6] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %53 = llvm.load %52 {alignment = 8 : i64} : !llvm.ptr -> i64
  %54 = llvm.getelementptr %33[%53] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %55 = llvm.load %54 {alignment = 8 : i64} : !llvm.ptr -> i64
  %56 = llvm.inttoptr %55 : i64 to !llvm.ptr
  %57 = llvm.getelementptr %31[%7] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %58 = llvm.load %57 {alignment = 8 : i64} : !llvm.ptr -> i64
  %59 = llvm.getelementptr %33[%58] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %60 = llvm.load %59 {alignment = 8 : i64} : !llvm.ptr -> i64
  %61 = llvm.inttoptr %60 : i64 to !llvm.ptr
  %62 = llvm.getelementptr %31[%8] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %63 = llvm.load %62 {alignment = 8 : i64} : !llvm.ptr -> i64
  %64 = llvm.getelementptr %33[%63] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %65 = llvm.load %64 {alignment = 8 : i64} : !llvm.ptr -> i64
  %66 = llvm.inttoptr %65 : i64 to !llvm.ptr
  %67 = llvm.getelementptr %31[%9] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %68 = llvm.load %67 {alignment = 8 : i64} : !llvm.ptr -> i64
  %69 = llvm.getelementptr %33[%68] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %70 = llvm.load %69 {alignment = 8 : i64} : !llvm.ptr -> i64
  %71 = llvm.inttoptr %70 : i64 to !llvm.ptr
  %72 = llvm.getelementptr %31[%10] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %73 = llvm.load %72 {alignment = 8 : i64} : !llvm.ptr -> i64
  %74 = llvm.getelementptr %33[%73] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %75 = llvm.load %74 {alignment = 8 : i64} : !llvm.ptr -> i64
  %76 = llvm.inttoptr %75 : i64 to !llvm.ptr
  %77 = llvm.call tail %34(%36, %33, %41, %46, %51, %56, %61, %66, %71, %76) : !llvm.ptr, (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  %78 = llvm.icmp "eq" %77, %11 : i32
  llvm.cond_br %78, ^bb1, ^bb18(%12 : i32)
^bb1:
  %79 = llvm.getelementptr inbounds %31[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %80 = llvm.load %79 {alignment = 8 : i64} : !llvm.ptr -> i64
  %81 = llvm.getelementptr %31[%80] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %82 = llvm.load %81 {alignment = 8 : i64} : !llvm.ptr -> i64
  %83 = llvm.icmp "eq" %82, %13 : i64
  llvm.cond_br %83, ^bb18(%11 : i32), ^bb2
^bb2:
  %84 = llvm.getelementptr inbounds %81[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %85 = llvm.load %84 {alignment = 8 : i64} : !llvm.ptr -> i64
  %86 = llvm.getelementptr %33[%85] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %87 = llvm.load %81 {alignment = 8 : i64} : !llvm.ptr -> i64
  %88 = llvm.icmp "sgt" %87, %13 : i64
  llvm.cond_br %88, ^bb3, ^bb11
^bb3:
  %89 = llvm.getelementptr inbounds %81[%14] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.br ^bb5(%13 : i64)
^bb4:
  %90 = llvm.add %93, %23 overflow<nsw, nuw> : i64
  %91 = llvm.load %81 {alignment = 8 : i64} : !llvm.ptr -> i64
  %92 = llvm.icmp "slt" %90, %91 : i64
  llvm.cond_br %92, ^bb5(%90 : i64), ^bb11
^bb5(%93: i64):
  %94 = llvm.load %32 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %95 = llvm.getelementptr %89[%13, %93] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<0 x struct<(i64, i64, i64, i64, i64)>>
  %96 = llvm.load %95 {alignment = 8 : i64} : !llvm.ptr -> i64
  %97 = llvm.getelementptr inbounds %95[%14] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %98 = llvm.load %97 {alignment = 8 : i64} : !llvm.ptr -> i64
  %99 = llvm.getelementptr inbounds %95[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %100 = llvm.load %99 {alignment = 8 : i64} : !llvm.ptr -> i64
  %101 = llvm.shl %98, %15 : i64
  %102 = llvm.add %101, %7 : i64
  %103 = llvm.call @malloc(%102) : (i64) -> !llvm.ptr
  %104 = llvm.icmp "eq" %103, %16 : !llvm.ptr
  llvm.cond_br %104, ^bb6, ^bb7
^bb6:
  %105 = llvm.load %35 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.call @__gs_report(%21, %22, %105) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.br ^bb10(%12 : i32)
^bb7:
  %106 = llvm.getelementptr %86[%93] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, struct<(i32)>, struct<(i64)>)>
  %107 = llvm.getelementptr %94[%96] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %108 = llvm.getelementptr %103[%7] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %109 = llvm.getelementptr %107[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %110 = llvm.call @memcpy(%108, %109, %101) : (!llvm.ptr, !llvm.ptr, i64) -> !llvm.ptr
  llvm.intr.lifetime.start %28 : !llvm.ptr
  %111 = llvm.getelementptr inbounds %95[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %112 = llvm.load %111 {alignment = 8 : i64} : !llvm.ptr -> i64
  %113 = llvm.trunc %112 : i64 to i32
  llvm.store %113, %28 {alignment = 4 : i64} : i32, !llvm.ptr
  %114 = llvm.getelementptr %107[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %115 = llvm.load %114 {alignment = 8 : i64} : !llvm.ptr -> i64
  %116 = llvm.getelementptr %107[%14] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %117 = llvm.load %116 {alignment = 8 : i64} : !llvm.ptr -> i64
  %118 = llvm.mul %117, %100 : i64
  %119 = llvm.add %118, %115 : i64
  %120 = llvm.inttoptr %119 : i64 to !llvm.ptr
  llvm.store %120, %103 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %121 = llvm.getelementptr inbounds %103[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  "llvm.intr.memset"(%121, %17, %4) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  llvm.store %0, %121 {alignment = 8 : i64} : i32, !llvm.ptr
  %122 = llvm.trunc %98 : i64 to i32
  %123 = llvm.getelementptr inbounds %103[%14] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %122, %123 {alignment = 8 : i64} : i32, !llvm.ptr
  %124 = llvm.getelementptr inbounds %103[%18] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %125 = llvm.call @memcpy(%124, %28, %15) : (!llvm.ptr, !llvm.ptr, i64) -> !llvm.ptr
  %126 = llvm.getelementptr inbounds %103[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %108, %126 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %127 = llvm.getelementptr %108[%98] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %128 = llvm.getelementptr inbounds %103[%3] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %127, %128 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %129 = llvm.load %107 {alignment = 8 : i64} : !llvm.ptr -> i64
  %130 = llvm.getelementptr inbounds %95[%3] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %131 = llvm.load %130 {alignment = 8 : i64} : !llvm.ptr -> i64
  %132 = llvm.sub %129, %131 : i64
  %133 = llvm.inttoptr %132 : i64 to !llvm.ptr
  %134 = llvm.getelementptr inbounds %103[%5] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %133, %134 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %135 = llvm.getelementptr inbounds %103[%6] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %19, %135 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  llvm.store %20, %106 {alignment = 8 : i64} : i32, !llvm.ptr
  %136 = llvm.getelementptr inbounds %106[%15] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %11, %136 {alignment = 4 : i64} : i32, !llvm.ptr
  %137 = llvm.getelementptr inbounds %106[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %103, %137 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %138 = llvm.load %35 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %139 = llvm.icmp "eq" %138, %16 : !llvm.ptr
  llvm.cond_br %139, ^bb8, ^bb9(%11 : i32)
^bb8:
  %140 = llvm.call @TVMFFITensorFromDLPack(%103, %11, %11, %137) : (!llvm.ptr, i32, i32, !llvm.ptr) -> i32
  llvm.br ^bb9(%140 : i32)
^bb9(%141: i32):
  llvm.intr.lifetime.end %28 : !llvm.ptr
  llvm.br ^bb10(%141 : i32)
^bb10(%142: i32):
  %143 = llvm.icmp "eq" %142, %11 : i32
  llvm.cond_br %143, ^bb4, ^bb18(%12 : i32)
^bb11:
  %144 = llvm.load %81 {alignment = 8 : i64} : !llvm.ptr -> i64
  %145 = llvm.icmp "sgt" %144, %23 : i64
  llvm.cond_br %145, ^bb12, ^bb17
^bb12:
  %146 = llvm.load %35 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %147 = llvm.icmp "eq" %146, %16 : !llvm.ptr
  llvm.cond_br %147, ^bb14, ^bb13
^bb13:
  %148 = llvm.shl %144, %15 : i64
  %149 = llvm.call @memcpy(%arg1, %86, %148) : (!llvm.ptr, !llvm.ptr, i64) -> !llvm.ptr
  llvm.br ^bb18(%11 : i32)
^bb14:
  llvm.intr.lifetime.start %26 : !llvm.ptr
  "llvm.intr.memcpy"(%26, %24, %14) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.intr.lifetime.start %27 : !llvm.ptr
  %150 = llvm.call @TVMFFIFunctionGetGlobal(%26, %27) : (!llvm.ptr, !llvm.ptr) -> i32
  %151 = llvm.load %27 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %152 = llvm.trunc %144 : i64 to i32
  %153 = llvm.call @TVMFFIFunctionCall(%151, %86, %152, %arg1) : (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> i32
  %154 = llvm.load %27 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %155 = llvm.call @TVMFFIObjectDecRef(%154) : (!llvm.ptr) -> i32
  llvm.br ^bb16(%13 : i64)
^bb15:
  llvm.intr.lifetime.end %27 : !llvm.ptr
  llvm.intr.lifetime.end %26 : !llvm.ptr
  llvm.br ^bb18(%153 : i32)
^bb16(%156: i64):
  %157 = llvm.getelementptr %86[%156, 2] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, struct<(i32)>, struct<(i64)>)>
  %158 = llvm.load %157 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %159 = llvm.call @TVMFFIObjectDecRef(%158) : (!llvm.ptr) -> i32
  %160 = llvm.add %156, %23 overflow<nsw, nuw> : i64
  %161 = llvm.icmp "eq" %160, %144 : i64
  llvm.cond_br %161, ^bb15, ^bb16(%160 : i64)
^bb17:
  "llvm.intr.memcpy"(%arg1, %86, %14) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.br ^bb18(%11 : i32)
^bb18(%162: i32):
  llvm.return %162 : i32
}
llvm.func @__gs_enter(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i32, %arg3: !llvm.ptr, %arg4: !llvm.ptr) -> i32 {
  %0 = llvm.mlir.constant(1 : i32) : i32
  %1 = llvm.mlir.constant(8 : i64) : i64
  %2 = llvm.mlir.constant(16 : i64) : i64
  %3 = llvm.mlir.constant(24 : i64) : i64
  %4 = llvm.mlir.constant(32 : i64) : i64
  %5 = llvm.mlir.constant(40 : i64) : i64
  %6 = llvm.mlir.zero : !llvm.ptr
  %7 = llvm.mlir.constant(0 : i32) : i32
  %8 = llvm.mlir.constant(-1 : i32) : i32
  %9 = llvm.mlir.constant(1 : i64) : i64
  %10 = llvm.alloca %0 x !llvm.struct<(ptr, ptr, i32, ptr, ptr, ptr)> {alignment = 8 : i64} : (i32) -> !llvm.ptr
  %11 = llvm.getelementptr inbounds %arg0[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %12 = llvm.load %11 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %13 = llvm.load %12 {alignment = 8 : i64} : !llvm.ptr -> i64
  %14 = llvm.alloca %13 x i64 {alignment = 16 : i64} : (i64) -> !llvm.ptr
  llvm.intr.lifetime.start %10 : !llvm.ptr
  llvm.store %arg0, %10 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %15 = llvm.getelementptr inbounds %10[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %arg1, %15 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %16 = llvm.getelementptr inbounds %10[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %arg2, %16 {alignment = 8 : i64} : i32, !llvm.ptr
  %17 = llvm.getelementptr inbounds %10[%3] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %14, %17 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %18 = llvm.getelementptr inbounds %10[%4] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %arg4, %18 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %19 = llvm.getelementptr inbounds %10[%5] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %6, %19 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %20 = llvm.call @__gs_check(%10) : (!llvm.ptr) -> i32
  %21 = llvm.icmp "eq" %20, %7 : i32
  llvm.cond_br %21, ^bb1, ^bb2
^bb1:
  %22 = llvm.call @__gs_run(%10, %arg3) : (!llvm.ptr, !llvm.ptr) -> i32
  llvm.br ^bb4(%22 : i32)
^bb2:
  %23 = llvm.icmp "slt" %20, %7 : i32
  llvm.cond_br %23, ^bb4(%8 : i32), ^bb3
^bb3:
  llvm.store %0, %arg3 {alignment = 8 : i64} : i32, !llvm.ptr
  %24 = llvm.getelementptr inbounds %arg3[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %9, %24 {alignment = 8 : i64} : i64, !llvm.ptr
  llvm.br ^bb4(%7 : i32)
^bb4(%25: i32):
  llvm.intr.lifetime.end %10 : !llvm.ptr
  llvm.return %25 : i32
}
llvm.func @__gs_sizes(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i32, %arg3: !llvm.ptr, %arg4: !llvm.ptr) -> i32 {
  %0 = llvm.mlir.constant(1 : i32) : i32
  %1 = llvm.mlir.constant(8 : i64) : i64
  %2 = llvm.mlir.addressof @__gs_support_take_sizes : !llvm.ptr
  %3 = llvm.mlir.constant(16 : i64) : i64
  %4 = llvm.mlir.constant(24 : i64) : i64
  %5 = llvm.mlir.constant(32 : i64) : i64
  %6 = llvm.mlir.constant(40 : i64) : i64
  %7 = llvm.mlir.constant(31 : i32) : i32
  %8 = llvm.alloca %0 x !llvm.struct<(struct<(i64, ptr)>, ptr)> {alignment = 8 : i64} : (i32) -> !llvm.ptr
  %9 = llvm.alloca %0 x !llvm.struct<(ptr, ptr, i32, ptr, ptr, ptr)> {alignment = 8 : i64} : (i32) -> !llvm.ptr
  %10 = llvm.getelementptr inbounds %arg0[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %11 = llvm.load %10 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %12 = llvm.load %11 {alignment = 8 : i64} : !llvm.ptr -> i64
  %13 = llvm.alloca %12 x i64 {alignment = 16 : i64} : (i64) -> !llvm.ptr
  llvm.intr.lifetime.start %8 : !llvm.ptr
  %14 = llvm.sext %arg2 : i32 to i64
  llvm.store %14, %8 {alignment = 8 : i64} : i64, !llvm.ptr
  %15 = llvm.getelementptr inbounds %8[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %2, %15 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %16 = llvm.getelementptr inbounds %8[%3] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %arg3, %16 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  llvm.intr.lifetime.start %9 : !llvm.ptr
  llvm.store %arg0, %9 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %17 = llvm.getelementptr inbounds %9[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %arg1, %17 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %18 = llvm.getelementptr inbounds %9[%3] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %19 = llvm.getelementptr inbounds %11[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %20 = llvm.load %19 {alignment = 8 : i64} : !llvm.ptr -> i64
  %21 = llvm.trunc %20 : i64 to i32
  llvm.store %21, %18 {alignment = 8 : i64} : i32, !llvm.ptr
  %22 = llvm.getelementptr inbounds %9[%4] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %13, %22 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %23 = llvm.getelementptr inbounds %9[%5] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %arg4, %23 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %24 = llvm.getelementptr inbounds %9[%6] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %8, %24 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %25 = llvm.call @__gs_check(%9) : (!llvm.ptr) -> i32
  %26 = llvm.ashr %25, %7 : i32
  llvm.intr.lifetime.end %9 : !llvm.ptr
  llvm.intr.lifetime.end %8 : !llvm.ptr
  llvm.return %26 : i32
}
llvm.func internal @__gs_support_take_sizes(%arg0: !llvm.ptr, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr) -> i32 {
  %0 = llvm.mlir.constant(16 : i64) : i64
  %1 = llvm.mlir.constant(8 : i64) : i64
  %2 = llvm.mlir.constant(0 : i64) : i64
  %3 = llvm.mlir.constant(1 : i64) : i64
  %4 = llvm.mlir.constant(1 : i32) : i32
  %5 = llvm.getelementptr inbounds %arg0[%0] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %6 = llvm.load %5 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %7 = llvm.getelementptr %6[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %7, %5 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %8 = llvm.load %6 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %9 = llvm.icmp "sgt" %arg1, %2 : i64
  llvm.cond_br %9, ^bb2(%2 : i64), ^bb1
^bb1:
  llvm.return %4 : i32
^bb2(%10: i64):
  %11 = llvm.getelementptr %arg2[%10] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %12 = llvm.load %11 {alignment = 8 : i64} : !llvm.ptr -> i64
  %13 = llvm.getelementptr %8[%10] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.store %12, %13 {alignment = 8 : i64} : i64, !llvm.ptr
  %14 = llvm.add %10, %3 overflow<nsw, nuw> : i64
  %15 = llvm.icmp "eq" %14, %arg1 : i64
  llvm.cond_br %15, ^bb1, ^bb2(%14 : i64)
}
llvm.func @__gs_function(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i32, %arg3: !llvm.ptr) -> i32 {
  %0 = llvm.mlir.constant(68 : i32) : i32
  %1 = llvm.mlir.constant(8 : i64) : i64
  %2 = llvm.mlir.addressof @__gs_support_enter : !llvm.ptr
  %3 = llvm.mlir.addressof @__gs_support_release : !llvm.ptr
  llvm.store %0, %arg3 {alignment = 8 : i64} : i32, !llvm.ptr
  %4 = llvm.getelementptr inbounds %arg1[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %5 = llvm.load %4 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %6 = llvm.getelementptr inbounds %arg3[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %7 = llvm.call tail @TVMFFIFunctionCreate(%5, %2, %3, %6) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  llvm.return %7 : i32
}
llvm.func @TVMFFIFunctionCreate(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
llvm.func internal @__gs_support_enter(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i32, %arg3: !llvm.ptr) -> i32 {
  %0 = llvm.mlir.zero : !llvm.ptr
  %1 = llvm.call tail @__gs_enter(%arg0, %arg1, %arg2, %arg3, %0) : (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, !llvm.ptr) -> i32
  llvm.return %1 : i32
}
llvm.func internal @__gs_support_release(%arg0: !llvm.ptr) {
  %0 = llvm.mlir.constant(24 : i64) : i64
  %1 = llvm.mlir.zero : !llvm.ptr
  %2 = llvm.getelementptr inbounds %arg0[%0] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %3 = llvm.load %2 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %4 = llvm.icmp "eq" %3, %1 : !llvm.ptr
  llvm.cond_br %4, ^bb2, ^bb1
^bb1:
  llvm.call tail %3(%arg0) : !llvm.ptr, (!llvm.ptr) -> ()
  llvm.br ^bb2
^bb2:
  llvm.return
}
llvm.func @__truncsfbf2(%arg0: f32) -> bf16 {
  %0 = llvm.mlir.constant(16 : i32) : i32
  %1 = llvm.mlir.constant(0.000000e+00 : f32) : f32
  %2 = llvm.mlir.constant(32767 : i32) : i32
  %3 = llvm.mlir.constant(1 : i32) : i32
  %4 = llvm.mlir.constant(64 : i32) : i32
  %5 = llvm.bitcast %arg0 : f32 to i32
  %6 = llvm.lshr %5, %0 : i32
  %7 = llvm.fcmp "uno" %arg0, %1 : f32
  llvm.cond_br %7, ^bb1, ^bb2
^bb1:
  %8 = llvm.or %6, %4 : i32
  llvm.br ^bb3(%8 : i32)
^bb2:
  %9 = llvm.add %5, %2 : i32
  %10 = llvm.and %6, %3 : i32
  %11 = llvm.add %9, %10 : i32
  %12 = llvm.lshr %11, %0 : i32
  llvm.br ^bb3(%12 : i32)
^bb3(%13: i32):
  %14 = llvm.trunc %13 overflow<nuw> : i32 to i16
  %15 = llvm.bitcast %14 : i16 to bf16
  llvm.return %15 : bf16
}
llvm.func @__truncdfbf2(%arg0: f64) -> bf16 {
  %0 = llvm.mlir.constant(0.000000e+00 : f64) : f64
  %1 = llvm.mlir.constant(1 : i32) : i32
  %2 = llvm.mlir.constant(16 : i32) : i32
  %3 = llvm.mlir.constant(0.000000e+00 : f32) : f32
  %4 = llvm.mlir.constant(32767 : i32) : i32
  %5 = llvm.mlir.constant(64 : i32) : i32
  %6 = llvm.fptrunc %arg0 : f64 to f32
  %7 = llvm.fpext %6 : f32 to f64
  %8 = llvm.fcmp "une" %7, %arg0 : f64
  %9 = llvm.fcmp "ord" %arg0, %0 : f64
  %10 = llvm.and %9, %8 : i1
  llvm.cond_br %10, ^bb1, ^bb2(%6 : f32)
^bb1:
  %11 = llvm.bitcast %6 : f32 to i32
  %12 = llvm.intr.fabs(%7) : (f64) -> f64
  %13 = llvm.intr.fabs(%arg0) : (f64) -> f64
  %14 = llvm.fcmp "ogt" %12, %13 : f64
  %15 = llvm.sext %14 : i1 to i32
  %16 = llvm.add %15, %11 : i32
  %17 = llvm.or %16, %1 : i32
  %18 = llvm.bitcast %17 : i32 to f32
  llvm.br ^bb2(%18 : f32)
^bb2(%19: f32):
  %20 = llvm.bitcast %19 : f32 to i32
  %21 = llvm.lshr %20, %2 : i32
  %22 = llvm.fcmp "uno" %19, %3 : f32
  llvm.cond_br %22, ^bb3, ^bb4
^bb3:
  %23 = llvm.or %21, %5 : i32
  llvm.br ^bb5(%23 : i32)
^bb4:
  %24 = llvm.add %20, %4 : i32
  %25 = llvm.and %21, %1 : i32
  %26 = llvm.add %24, %25 : i32
  %27 = llvm.lshr %26, %2 : i32
  llvm.br ^bb5(%27 : i32)
^bb5(%28: i32):
  %29 = llvm.trunc %28 overflow<nuw> : i32 to i16
  %30 = llvm.bitcast %29 : i16 to bf16
  llvm.return %30 : bf16
}
llvm.func @__truncdfhf2(%arg0: f64) -> f16 {
  %0 = llvm.mlir.constant(0.000000e+00 : f64) : f64
  %1 = llvm.mlir.constant(1 : i32) : i32
  %2 = llvm.fptrunc %arg0 : f64 to f32
  %3 = llvm.fpext %2 : f32 to f64
  %4 = llvm.fcmp "une" %3, %arg0 : f64
  %5 = llvm.fcmp "ord" %arg0, %0 : f64
  %6 = llvm.and %5, %4 : i1
  llvm.cond_br %6, ^bb1, ^bb2(%2 : f32)
^bb1:
  %7 = llvm.bitcast %2 : f32 to i32
  %8 = llvm.intr.fabs(%3) : (f64) -> f64
  %9 = llvm.intr.fabs(%arg0) : (f64) -> f64
  %10 = llvm.fcmp "ogt" %8, %9 : f64
  %11 = llvm.sext %10 : i1 to i32
  %12 = llvm.add %11, %7 : i32
  %13 = llvm.or %12, %1 : i32
  %14 = llvm.bitcast %13 : i32 to f32
  llvm.br ^bb2(%14 : f32)
^bb2(%15: f32):
  %16 = llvm.fptrunc %15 : f32 to f16
  llvm.return %16 : f16
}
llvm.func @strlen(!llvm.ptr) -> i64
llvm.func @TVMFFIErrorCreate(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
llvm.func @TVMFFIObjectDecRef(!llvm.ptr) -> i32
llvm.func internal fastcc @__gs_support_refuse(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: !llvm.ptr, %arg3: !llvm.ptr) {
  %0 = llvm.mlir.constant(1 : i32) : i32
  %1 = llvm.mlir.constant(8 : i64) : i64
  %2 = llvm.mlir.constant(16 : i64) : i64
  %3 = llvm.mlir.zero : !llvm.ptr
  %4 = llvm.mlir.constant(24 : i64) : i64
  %5 = llvm.mlir.addressof @__gs_support_str_15 : !llvm.ptr
  %6 = llvm.mlir.addressof @__gs_support_str_28 : !llvm.ptr
  %7 = llvm.mlir.addressof @__gs_support_str_27 : !llvm.ptr
  %8 = llvm.mlir.addressof @__gs_support_str_26 : !llvm.ptr
  %9 = llvm.mlir.addressof @__gs_support_str_25 : !llvm.ptr
  %10 = llvm.mlir.addressof @__gs_support_str_24 : !llvm.ptr
  %11 = llvm.mlir.addressof @__gs_support_str_23 : !llvm.ptr
  %12 = llvm.mlir.addressof @__gs_support_str_22 : !llvm.ptr
  %13 = llvm.mlir.addressof @__gs_support_str_21 : !llvm.ptr
  %14 = llvm.mlir.addressof @__gs_support_str_20 : !llvm.ptr
  %15 = llvm.mlir.addressof @__gs_support_str_19 : !llvm.ptr
  %16 = llvm.mlir.addressof @__gs_support_str_18 : !llvm.ptr
  %17 = llvm.mlir.addressof @__gs_support_str_17 : !llvm.ptr
  %18 = llvm.mlir.addressof @__gs_support_str_16 : !llvm.ptr
  %19 = llvm.mlir.constant(1024 : i64) : i64
  %20 = llvm.mlir.addressof @__gs_support_str_9 : !llvm.ptr
  %21 = llvm.mlir.addressof @__gs_support_str_8 : !llvm.ptr
  %22 = llvm.mlir.addressof @__gs_support_str_29 : !llvm.ptr
  %23 = llvm.mlir.addressof @__gs_support_str : !llvm.ptr
  %24 = llvm.mlir.addressof @__gs_support_str_7 : !llvm.ptr
  %25 = llvm.mlir.constant(32 : i64) : i64
  %26 = llvm.alloca %0 x !llvm.array<1024 x i8> {alignment = 16 : i64} : (i32) -> !llvm.ptr
  %27 = llvm.alloca %0 x !llvm.array<1024 x i8> {alignment = 16 : i64} : (i32) -> !llvm.ptr
  llvm.intr.lifetime.start %26 : !llvm.ptr
  llvm.intr.lifetime.start %27 : !llvm.ptr
  %28 = llvm.getelementptr inbounds %arg0[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %29 = llvm.load %28 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %30 = llvm.getelementptr inbounds %arg2[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %31 = llvm.load %30 {alignment = 8 : i64} : !llvm.ptr -> i64
  %32 = llvm.getelementptr %29[%31] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, struct<(i32)>, struct<(i64)>)>
  %33 = llvm.load %32 {alignment = 8 : i64} : !llvm.ptr -> i32
  llvm.switch %33 : i32, ^bb3(%3 : !llvm.ptr) [
    70: ^bb1,
    7: ^bb2
  ]
^bb1:
  %34 = llvm.getelementptr inbounds %32[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %35 = llvm.load %34 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %36 = llvm.getelementptr %35[%4] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.br ^bb3(%36 : !llvm.ptr)
^bb2:
  %37 = llvm.getelementptr inbounds %32[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %38 = llvm.load %37 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.br ^bb3(%38 : !llvm.ptr)
^bb3(%39: !llvm.ptr):
  %40 = llvm.icmp "eq" %39, %3 : !llvm.ptr
  llvm.cond_br %40, ^bb5, ^bb4
^bb4:
  llvm.call fastcc @__gs_support_describe_tensor(%39, %26) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.br ^bb23
^bb5:
  llvm.switch %33 : i32, ^bb21 [
    1: ^bb6,
    3: ^bb7,
    0: ^bb22(%5 : !llvm.ptr),
    2: ^bb8,
    4: ^bb9,
    5: ^bb10,
    6: ^bb11,
    8: ^bb12,
    11: ^bb12,
    65: ^bb12,
    9: ^bb13,
    12: ^bb13,
    66: ^bb13,
    67: ^bb14,
    68: ^bb15,
    69: ^bb16,
    71: ^bb17,
    75: ^bb17,
    72: ^bb18,
    76: ^bb18,
    73: ^bb19,
    78: ^bb20
  ]
^bb6:
  %41 = llvm.getelementptr inbounds %32[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %42 = llvm.load %41 {alignment = 8 : i64} : !llvm.ptr -> i64
  %43 = llvm.call @snprintf(%26, %19, %21, %42) vararg(!llvm.func<i32 (ptr, i64, ptr, ...)>) : (!llvm.ptr, i64, !llvm.ptr, i64) -> i32
  llvm.br ^bb23
^bb7:
  %44 = llvm.getelementptr inbounds %32[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %45 = llvm.load %44 {alignment = 8 : i64} : !llvm.ptr -> f64
  %46 = llvm.call @snprintf(%26, %19, %20, %45) vararg(!llvm.func<i32 (ptr, i64, ptr, ...)>) : (!llvm.ptr, i64, !llvm.ptr, f64) -> i32
  llvm.br ^bb23
^bb8:
  llvm.br ^bb22(%18 : !llvm.ptr)
^bb9:
  llvm.br ^bb22(%17 : !llvm.ptr)
^bb10:
  llvm.br ^bb22(%16 : !llvm.ptr)
^bb11:
  llvm.br ^bb22(%15 : !llvm.ptr)
^bb12:
  llvm.br ^bb22(%14 : !llvm.ptr)
^bb13:
  llvm.br ^bb22(%13 : !llvm.ptr)
^bb14:
  llvm.br ^bb22(%12 : !llvm.ptr)
^bb15:
  llvm.br ^bb22(%11 : !llvm.ptr)
^bb16:
  llvm.br ^bb22(%10 : !llvm.ptr)
^bb17:
  llvm.br ^bb22(%9 : !llvm.ptr)
^bb18:
  llvm.br ^bb22(%8 : !llvm.ptr)
^bb19:
  llvm.br ^bb22(%7 : !llvm.ptr)
^bb20:
  llvm.br ^bb22(%6 : !llvm.ptr)
^bb21:
  llvm.br ^bb22(%22 : !llvm.ptr)
^bb22(%47: !llvm.ptr):
  %48 = llvm.call @snprintf(%26, %19, %23, %47) vararg(!llvm.func<i32 (ptr, i64, ptr, ...)>) : (!llvm.ptr, i64, !llvm.ptr, !llvm.ptr) -> i32
  llvm.br ^bb23
^bb23:
  %49 = llvm.load %arg0 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %50 = llvm.getelementptr inbounds %49[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %51 = llvm.load %50 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %52 = llvm.getelementptr inbounds %arg2[%4] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %53 = llvm.load %52 {alignment = 8 : i64} : !llvm.ptr -> i64
  %54 = llvm.getelementptr %51[%53] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %55 = llvm.call @snprintf(%27, %19, %24, %54, %26, %arg3) vararg(!llvm.func<i32 (ptr, i64, ptr, ...)>) : (!llvm.ptr, i64, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  %56 = llvm.getelementptr inbounds %arg0[%25] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %57 = llvm.load %56 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.call @__gs_report(%arg1, %27, %57) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.intr.lifetime.end %27 : !llvm.ptr
  llvm.intr.lifetime.end %26 : !llvm.ptr
  llvm.return
}
llvm.func internal fastcc @__gs_support_refuse_sizes(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: !llvm.ptr, %arg3: !llvm.ptr) {
  %0 = llvm.mlir.constant(1 : i32) : i32
  %1 = llvm.mlir.constant(40 : i64) : i64
  %2 = llvm.mlir.constant(0 : i64) : i64
  %3 = llvm.mlir.constant(0 : i8) : i8
  %4 = llvm.mlir.constant(48 : i64) : i64
  %5 = llvm.mlir.constant(8 : i64) : i64
  %6 = llvm.mlir.constant(16 : i64) : i64
  %7 = llvm.mlir.constant(20 : i64) : i64
  %8 = llvm.mlir.constant(24 : i64) : i64
  %9 = llvm.mlir.constant(1024 : i64) : i64
  %10 = llvm.mlir.addressof @__gs_support_str_30 : !llvm.ptr
  %11 = llvm.mlir.addressof @__gs_support_str_4 : !llvm.ptr
  %12 = llvm.mlir.addressof @__gs_support_str_3 : !llvm.ptr
  %13 = llvm.alloca %0 x !llvm.struct<(ptr, struct<(i32, i32)>, i32, struct<(i8, i8, i16)>, ptr, ptr, i64)> {alignment = 8 : i64} : (i32) -> !llvm.ptr
  %14 = llvm.alloca %0 x !llvm.array<1024 x i8> {alignment = 16 : i64} : (i32) -> !llvm.ptr
  %15 = llvm.alloca %0 x !llvm.array<1024 x i8> {alignment = 16 : i64} : (i32) -> !llvm.ptr
  %16 = llvm.getelementptr inbounds %arg1[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %17 = llvm.load %16 {alignment = 8 : i64} : !llvm.ptr -> i64
  %18 = llvm.icmp "slt" %17, %2 : i64
  llvm.cond_br %18, ^bb1, ^bb2
^bb1:
  llvm.call fastcc tail @__gs_support_refuse(%arg0, %11, %arg1, %12) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.br ^bb3
^bb2:
  llvm.intr.lifetime.start %13 : !llvm.ptr
  "llvm.intr.memset"(%13, %3, %4) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %19 = llvm.getelementptr inbounds %13[%5] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %0, %19 {alignment = 8 : i64} : i32, !llvm.ptr
  %20 = llvm.getelementptr inbounds %13[%6] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %21 = llvm.getelementptr inbounds %arg2[%6] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %22 = llvm.load %21 {alignment = 8 : i64} : !llvm.ptr -> i32
  llvm.store %22, %20 {alignment = 8 : i64} : i32, !llvm.ptr
  %23 = llvm.getelementptr inbounds %13[%7] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %24 = llvm.getelementptr inbounds %arg2[%7] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %25 = llvm.load %24 {alignment = 4 : i64} : !llvm.ptr -> i32
  llvm.store %25, %23 {alignment = 4 : i64} : i32, !llvm.ptr
  %26 = llvm.getelementptr inbounds %13[%8] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %arg3, %26 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  llvm.intr.lifetime.start %14 : !llvm.ptr
  llvm.intr.lifetime.start %15 : !llvm.ptr
  llvm.call fastcc @__gs_support_describe_tensor(%13, %14) : (!llvm.ptr, !llvm.ptr) -> ()
  %27 = llvm.call @snprintf(%15, %9, %10, %14) vararg(!llvm.func<i32 (ptr, i64, ptr, ...)>) : (!llvm.ptr, i64, !llvm.ptr, !llvm.ptr) -> i32
  llvm.call fastcc @__gs_support_refuse(%arg0, %11, %arg1, %15) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.intr.lifetime.end %15 : !llvm.ptr
  llvm.intr.lifetime.end %14 : !llvm.ptr
  llvm.intr.lifetime.end %13 : !llvm.ptr
  llvm.br ^bb3
^bb3:
  llvm.return
}
llvm.func internal fastcc @__gs_support_describe_tensor(%arg0: !llvm.ptr, %arg1: !llvm.ptr) {
  %0 = llvm.mlir.constant(20 : i64) : i64
  %1 = llvm.mlir.constant(18 : i8) : i8
  %2 = llvm.mlir.addressof @__gs_support_FORMATS : !llvm.ptr
  %3 = llvm.mlir.constant(0 : i64) : i64
  %4 = llvm.mlir.constant(21 : i64) : i64
  %5 = llvm.mlir.constant(1024 : i64) : i64
  %6 = llvm.mlir.constant(2 : i64) : i64
  %7 = llvm.mlir.addressof @__gs_support_str_10 : !llvm.ptr
  %8 = llvm.mlir.constant(16 : i64) : i64
  %9 = llvm.mlir.constant(0 : i32) : i32
  %10 = llvm.mlir.constant(24 : i64) : i64
  %11 = llvm.mlir.addressof @__gs_support_str_12 : !llvm.ptr
  %12 = llvm.mlir.addressof @__gs_support_str_11 : !llvm.ptr
  %13 = llvm.mlir.constant(1 : i64) : i64
  %14 = llvm.mlir.constant(19 : i64) : i64
  %15 = llvm.mlir.constant(8 : i64) : i64
  %16 = llvm.mlir.constant(1 : i32) : i32
  %17 = llvm.mlir.addressof @__gs_support_str_14 : !llvm.ptr
  %18 = llvm.mlir.addressof @__gs_support_str_13 : !llvm.ptr
  %19 = llvm.getelementptr inbounds %arg0[%0] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %20 = llvm.load %19 {alignment = 4 : i64} : !llvm.ptr -> i8
  %21 = llvm.intr.umin(%20, %1) : (i8, i8) -> i8
  %22 = llvm.zext nneg %21 : i8 to i64
  %23 = llvm.getelementptr %2[%3, %22] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<19 x array<24 x i8>>
  %24 = llvm.getelementptr inbounds %arg0[%4] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %25 = llvm.load %24 {alignment = 1 : i64} : !llvm.ptr -> i8
  %26 = llvm.zext %25 : i8 to i32
  %27 = llvm.call tail @snprintf(%arg1, %5, %23, %26) vararg(!llvm.func<i32 (ptr, i64, ptr, ...)>) : (!llvm.ptr, i64, !llvm.ptr, i32) -> i32
  %28 = llvm.sext %27 : i32 to i64
  %29 = llvm.getelementptr %arg1[%28] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %30 = llvm.call tail @snprintf(%29, %6, %7) vararg(!llvm.func<i32 (ptr, i64, ptr, ...)>) : (!llvm.ptr, i64, !llvm.ptr) -> i32
  %31 = llvm.sext %30 : i32 to i64
  %32 = llvm.getelementptr %29[%31] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %33 = llvm.getelementptr inbounds %arg0[%8] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %34 = llvm.load %33 {alignment = 8 : i64} : !llvm.ptr -> i32
  %35 = llvm.icmp "sgt" %34, %9 : i32
  llvm.cond_br %35, ^bb1, ^bb2(%32 : !llvm.ptr)
^bb1:
  %36 = llvm.getelementptr inbounds %arg0[%10] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.br ^bb3(%3, %32 : i64, !llvm.ptr)
^bb2(%37: !llvm.ptr):
  %38 = llvm.getelementptr inbounds %arg0[%15] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %39 = llvm.load %38 {alignment = 8 : i64} : !llvm.ptr -> i32
  %40 = llvm.icmp "eq" %39, %16 : i32
  llvm.cond_br %40, ^bb4, ^bb5
^bb3(%41: i64, %42: !llvm.ptr):
  %43 = llvm.icmp "eq" %41, %3 : i64
  %44 = llvm.select %43, %11, %12 : i1, !llvm.ptr
  %45 = llvm.load %36 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %46 = llvm.getelementptr %45[%41] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %47 = llvm.load %46 {alignment = 8 : i64} : !llvm.ptr -> i64
  %48 = llvm.call tail @snprintf(%42, %10, %44, %47) vararg(!llvm.func<i32 (ptr, i64, ptr, ...)>) : (!llvm.ptr, i64, !llvm.ptr, i64) -> i32
  %49 = llvm.sext %48 : i32 to i64
  %50 = llvm.getelementptr %42[%49] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %51 = llvm.add %41, %13 overflow<nsw, nuw> : i64
  %52 = llvm.load %33 {alignment = 8 : i64} : !llvm.ptr -> i32
  %53 = llvm.sext %52 : i32 to i64
  %54 = llvm.icmp "slt" %51, %53 : i64
  %55 = llvm.icmp "ult" %41, %14 : i64
  %56 = llvm.and %55, %54 : i1
  llvm.cond_br %56, ^bb3(%51, %50 : i64, !llvm.ptr), ^bb2(%50 : !llvm.ptr)
^bb4:
  %57 = llvm.call tail @snprintf(%37, %10, %18) vararg(!llvm.func<i32 (ptr, i64, ptr, ...)>) : (!llvm.ptr, i64, !llvm.ptr) -> i32
  llvm.br ^bb6
^bb5:
  %58 = llvm.call tail @snprintf(%37, %10, %17, %39) vararg(!llvm.func<i32 (ptr, i64, ptr, ...)>) : (!llvm.ptr, i64, !llvm.ptr, i32) -> i32
  llvm.br ^bb6
^bb6:
  llvm.return
}
llvm.func @malloc(i64) -> (!llvm.ptr {llvm.noalias})
llvm.func @memcpy(!llvm.ptr, !llvm.ptr, i64) -> !llvm.ptr
llvm.func internal @__gs_support_free_result(%arg0: !llvm.ptr) {
  %0 = llvm.mlir.constant(48 : i64) : i64
  %1 = llvm.getelementptr inbounds %arg0[%0] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %2 = llvm.load %1 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.call tail @free(%2) : (!llvm.ptr) -> ()
  llvm.call tail @free(%arg0) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @TVMFFITensorFromDLPack(!llvm.ptr, i32, i32, !llvm.ptr) -> i32
llvm.func @free(!llvm.ptr)
llvm.func @TVMFFIFunctionGetGlobal(!llvm.ptr, !llvm.ptr) -> i32
llvm.func @TVMFFIFunctionCall(!llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> i32
