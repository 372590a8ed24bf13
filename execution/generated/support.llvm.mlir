// Made of support.c by `python -m mlir_gs.tools.docs.from_c` (sources 06aa05dee6d9725b).
llvm.mlir.global private constant @__gs_support_str("%s\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_1("%s, found %d\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_2("TypeError\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_3(dense<0> : tensor<1xi8>) {addr_space = 0 : i32, alignment = 1 : i64} : !llvm.array<1 x i8>
llvm.mlir.global private constant @__gs_support_str_4("ValueError\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_5(" with other strides\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_6(" that is not C-contiguous\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_7(" at an address that is not aligned to the element size\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_8("%s, found %s%s\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_9("int %lld\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_10("float %g\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global internal constant @__gs_support_FORMATS(dense<"0x696E7425640000000000000000000000000000000000000075696E742564000000000000000000000000000000000000666C6F61742564000000000000000000000000000000000068616E646C6525640000000000000000000000000000000062666C6F6174256400000000000000000000000000000000636F6D706C65782564000000000000000000000000000000626F6F6C0000000000000000000000000000000000000000666C6F6174385F65336D3400000000000000000000000000666C6F6174385F65346D3300000000000000000000000000666C6F6174385F65346D33623131666E757A000000000000666C6F6174385F65346D33666E0000000000000000000000666C6F6174385F65346D33666E757A000000000000000000666C6F6174385F65356D3200000000000000000000000000666C6F6174385F65356D32666E757A000000000000000000666C6F6174385F65386D30666E7500000000000000000000666C6F6174365F65326D33666E0000000000000000000000666C6F6174365F65336D32666E0000000000000000000000666C6F6174345F65326D31666E0000000000000000000000756E6B6E6F776E2064747970650000000000000000000000"> : tensor<19x24xi8>) {addr_space = 0 : i32, alignment = 16 : i64} : !llvm.array<19 x array<24 x i8>>
llvm.mlir.global private constant @__gs_support_str_11("[\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_12(", %lld\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_13("%lld\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_14("]\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_15("] on device %d\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_16("None\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_17("bool\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_18("pointer\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_19("dtype\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_20("device\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_21("str\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_22("bytes\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_23("error\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_24("function\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_25("shape\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_26("list\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_27("dict\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_28("module\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_29("large int\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_30("object\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_31("; with these arguments it is %s\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_32("MemoryError\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_33("there is no memory for a result\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support_str_34("ffi.Array\00") {addr_space = 0 : i32, alignment = 1 : i64}
llvm.mlir.global private constant @__gs_support___const_list_name() {addr_space = 0 : i32, alignment = 8 : i64} : !llvm.struct<(ptr, i64)> {
  %0 = llvm.mlir.constant(9 : i64) : i64
  %1 = llvm.mlir.addressof @__gs_support_str_34 : !llvm.ptr
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
  %36 = llvm.mlir.constant(2 : i64) : i64
  %37 = llvm.mlir.addressof @__gs_support_str_6 : !llvm.ptr
  %38 = llvm.mlir.constant(88 : i64) : i64
  %39 = llvm.mlir.addressof @__gs_support_str_7 : !llvm.ptr
  %40 = llvm.alloca %0 x !llvm.array<1024 x i8> {alignment = 16 : i64} : (i32) -> !llvm.ptr
  %41 = llvm.load %arg0 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %42 = llvm.getelementptr inbounds %41[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %43 = llvm.load %42 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %44 = llvm.getelementptr inbounds %arg0[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %45 = llvm.load %44 {alignment = 8 : i64} : !llvm.ptr -> i32
  %46 = llvm.sext %45 : i32 to i64
  %47 = llvm.getelementptr inbounds %43[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %48 = llvm.load %47 {alignment = 8 : i64} : !llvm.ptr -> i64
  %49 = llvm.icmp "eq" %48, %46 : i64
  llvm.cond_br %49, ^bb2, ^bb1
^bb1:
  llvm.intr.lifetime.start %40 : !llvm.ptr
  %50 = llvm.getelementptr inbounds %41[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %51 = llvm.load %50 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %52 = llvm.getelementptr inbounds %43[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %53 = llvm.load %52 {alignment = 8 : i64} : !llvm.ptr -> i64
  %54 = llvm.getelementptr %51[%53] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %55 = llvm.call @snprintf(%40, %3, %4, %54, %45) vararg(!llvm.func<i32 (ptr, i64, ptr, ...)>) : (!llvm.ptr, i64, !llvm.ptr, !llvm.ptr, i32) -> i32
  %56 = llvm.getelementptr inbounds %arg0[%5] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %57 = llvm.load %56 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.call @__gs_report(%6, %40, %57) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.intr.lifetime.end %40 : !llvm.ptr
  llvm.br ^bb59(%7 : i32)
^bb2:
  %58 = llvm.getelementptr inbounds %43[%8] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %59 = llvm.load %58 {alignment = 8 : i64} : !llvm.ptr -> i64
  %60 = llvm.icmp "sgt" %59, %9 : i64
  llvm.cond_br %60, ^bb3, ^bb59(%10 : i32)
^bb3:
  %61 = llvm.getelementptr inbounds %43[%11] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %62 = llvm.getelementptr inbounds %arg0[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %63 = llvm.getelementptr inbounds %arg0[%5] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %64 = llvm.getelementptr inbounds %arg0[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %65 = llvm.getelementptr inbounds %arg0[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %66 = llvm.getelementptr inbounds %arg0[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %67 = llvm.getelementptr inbounds %arg0[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %68 = llvm.getelementptr inbounds %arg0[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %69 = llvm.getelementptr inbounds %arg0[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %70 = llvm.getelementptr inbounds %arg0[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %71 = llvm.getelementptr inbounds %arg0[%13] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %72 = llvm.getelementptr inbounds %arg0[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.br ^bb5(%9, %61, %14 : i64, !llvm.ptr, i32)
^bb4:
  %73 = llvm.add %76, %28 overflow<nsw, nuw> : i64
  %74 = llvm.load %58 {alignment = 8 : i64} : !llvm.ptr -> i64
  %75 = llvm.icmp "slt" %73, %74 : i64
  llvm.cond_br %75, ^bb5(%73, %314, %313 : i64, !llvm.ptr, i32), ^bb59(%10 : i32)
^bb5(%76: i64, %77: !llvm.ptr, %78: i32):
  %79 = llvm.getelementptr inbounds %77[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %80 = llvm.load %79 {alignment = 8 : i64} : !llvm.ptr -> i64
  llvm.switch %80 : i64, ^bb55 [
    0: ^bb6,
    1: ^bb41,
    2: ^bb47,
    3: ^bb52
  ]
^bb6:
  %81 = llvm.load %68 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %82 = llvm.getelementptr inbounds %77[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %83 = llvm.load %82 {alignment = 8 : i64} : !llvm.ptr -> i64
  %84 = llvm.getelementptr %81[%83] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, struct<(i32)>, struct<(i64)>)>
  %85 = llvm.getelementptr inbounds %77[%19] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %86 = llvm.load %85 {alignment = 8 : i64} : !llvm.ptr -> i64
  %87 = llvm.getelementptr inbounds %77[%8] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %88 = llvm.getelementptr inbounds %77[%13] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %89 = llvm.load %88 {alignment = 8 : i64} : !llvm.ptr -> i64
  %90 = llvm.icmp "sgt" %89, %20 : i64
  llvm.cond_br %90, ^bb7, ^bb8(%87 : !llvm.ptr)
^bb7:
  %91 = llvm.load %69 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %92 = llvm.getelementptr %91[%89] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.br ^bb8(%92 : !llvm.ptr)
^bb8(%93: !llvm.ptr):
  %94 = llvm.load %70 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %95 = llvm.getelementptr inbounds %77[%5] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %96 = llvm.load %95 {alignment = 8 : i64} : !llvm.ptr -> i64
  %97 = llvm.getelementptr %94[%96] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %98 = llvm.load %84 {alignment = 8 : i64} : !llvm.ptr -> i32
  %99 = llvm.icmp "eq" %98, %10 : i32
  llvm.cond_br %99, ^bb9, ^bb12
^bb9:
  %100 = llvm.load %71 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %101 = llvm.icmp "eq" %100, %21 : !llvm.ptr
  llvm.cond_br %101, ^bb12, ^bb10
^bb10:
  %102 = llvm.load %100 {alignment = 8 : i64} : !llvm.ptr -> i64
  %103 = llvm.icmp "slt" %83, %102 : i64
  llvm.cond_br %103, ^bb12, ^bb11
^bb11:
  %104 = llvm.getelementptr inbounds %100[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %105 = llvm.load %104 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %106 = llvm.call tail %105(%100, %86, %93, %84) : !llvm.ptr, (!llvm.ptr, i64, !llvm.ptr, !llvm.ptr) -> i32
  %107 = llvm.getelementptr inbounds %97[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %9, %107 {alignment = 8 : i64} : i64, !llvm.ptr
  %108 = llvm.getelementptr inbounds %97[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %9, %108 {alignment = 8 : i64} : i64, !llvm.ptr
  %109 = llvm.icmp "eq" %106, %10 : i32
  %110 = llvm.ashr %106, %22 : i32
  llvm.cond_br %109, ^bb12, ^bb56(%110 : i32)
^bb12:
  %111 = llvm.load %84 {alignment = 8 : i64} : !llvm.ptr -> i32
  llvm.switch %111 : i32, ^bb15(%21 : !llvm.ptr) [
    70: ^bb13,
    7: ^bb14
  ]
^bb13:
  %112 = llvm.getelementptr inbounds %84[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %113 = llvm.load %112 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %114 = llvm.getelementptr %113[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.br ^bb15(%114 : !llvm.ptr)
^bb14:
  %115 = llvm.getelementptr inbounds %84[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %116 = llvm.load %115 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.br ^bb15(%116 : !llvm.ptr)
^bb15(%117: !llvm.ptr):
  %118 = llvm.icmp "eq" %117, %21 : !llvm.ptr
  llvm.cond_br %118, ^bb16, ^bb17
^bb16:
  llvm.call fastcc tail @__gs_support_refuse(%arg0, %6, %77, %16) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.br ^bb56(%7 : i32)
^bb17:
  %119 = llvm.getelementptr inbounds %117[%23] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %120 = llvm.load %119 {alignment = 4 : i64} : !llvm.ptr -> i8
  %121 = llvm.getelementptr inbounds %117[%24] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %122 = llvm.load %121 {alignment = 1 : i64} : !llvm.ptr -> i8
  %123 = llvm.getelementptr inbounds %117[%25] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %124 = llvm.load %123 {alignment = 2 : i64} : !llvm.ptr -> i16
  %125 = llvm.icmp "ugt" %120, %26 : i8
  llvm.cond_br %125, ^bb20, ^bb18
^bb18:
  %126 = llvm.getelementptr inbounds %77[%27] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %127 = llvm.load %126 {alignment = 8 : i64} : !llvm.ptr -> i64
  %128 = llvm.zext nneg %120 : i8 to i64
  %129 = llvm.shl %28, %128 overflow<nuw> : i64
  %130 = llvm.and %127, %129 : i64
  %131 = llvm.icmp "eq" %130, %9 : i64
  llvm.cond_br %131, ^bb20, ^bb19
^bb19:
  %132 = llvm.zext %122 : i8 to i64
  %133 = llvm.getelementptr inbounds %77[%29] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %134 = llvm.load %133 {alignment = 8 : i64} : !llvm.ptr -> i64
  %135 = llvm.icmp "ne" %134, %132 : i64
  %136 = llvm.icmp "ne" %124, %30 : i16
  %137 = llvm.select %135, %31, %136 : i1, i1
  llvm.cond_br %137, ^bb20, ^bb21
^bb20:
  llvm.call fastcc tail @__gs_support_refuse(%arg0, %6, %77, %16) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.br ^bb56(%7 : i32)
^bb21:
  %138 = llvm.getelementptr inbounds %117[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %139 = llvm.load %138 {alignment = 8 : i64} : !llvm.ptr -> i32
  %140 = llvm.icmp "eq" %139, %0 : i32
  llvm.cond_br %140, ^bb22, ^bb23
^bb22:
  %141 = llvm.getelementptr inbounds %117[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %142 = llvm.load %141 {alignment = 8 : i64} : !llvm.ptr -> i32
  %143 = llvm.sext %142 : i32 to i64
  %144 = llvm.icmp "eq" %86, %143 : i64
  llvm.cond_br %144, ^bb24, ^bb23
^bb23:
  llvm.call fastcc tail @__gs_support_refuse(%arg0, %15, %77, %16) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.br ^bb56(%7 : i32)
^bb24:
  %145 = llvm.getelementptr inbounds %77[%18] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %146 = llvm.load %145 {alignment = 8 : i64} : !llvm.ptr -> i64
  %147 = llvm.icmp "eq" %146, %28 : i64
  %148 = llvm.getelementptr %87[%86] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %149 = llvm.select %147, %148, %21 : i1, !llvm.ptr
  %150 = llvm.getelementptr inbounds %77[%32] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %151 = llvm.load %150 {alignment = 8 : i64} : !llvm.ptr -> i64
  %152 = llvm.icmp "sgt" %86, %9 : i64
  llvm.cond_br %152, ^bb25, ^bb27(%9, %9, %31, %33, %33, %31 : i64, i64, i1, i1, i1, i1)
^bb25:
  %153 = llvm.getelementptr inbounds %117[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %154 = llvm.getelementptr inbounds %117[%5] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %155 = llvm.icmp "eq" %149, %21 : !llvm.ptr
  %156 = llvm.getelementptr inbounds %97[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.br ^bb28(%86, %0, %0, %10, %0, %28, %9, %9 : i64, i32, i32, i32, i32, i64, i64, i64)
^bb26:
  %157 = llvm.icmp "eq" %190, %10 : i32
  %158 = llvm.icmp "ne" %203, %10 : i32
  %159 = llvm.icmp "ne" %217, %10 : i32
  %160 = llvm.select %158, %31, %159 : i1, i1
  %161 = llvm.icmp "ne" %194, %10 : i32
  llvm.br ^bb27(%213, %214, %161, %159, %157, %160 : i64, i64, i1, i1, i1, i1)
^bb27(%162: i64, %163: i64, %164: i1, %165: i1, %166: i1, %167: i1):
  llvm.cond_br %166, ^bb33, ^bb34
^bb28(%168: i64, %169: i32, %170: i32, %171: i32, %172: i32, %173: i64, %174: i64, %175: i64):
  %176 = llvm.add %168, %20 overflow<nsw> : i64
  %177 = llvm.load %153 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %178 = llvm.getelementptr %177[%176] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %179 = llvm.load %178 {alignment = 8 : i64} : !llvm.ptr -> i64
  %180 = llvm.load %154 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %181 = llvm.icmp "eq" %180, %21 : !llvm.ptr
  llvm.cond_br %181, ^bb30(%173 : i64), ^bb29
^bb29:
  %182 = llvm.getelementptr %180[%176] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %183 = llvm.load %182 {alignment = 8 : i64} : !llvm.ptr -> i64
  llvm.br ^bb30(%183 : i64)
^bb30(%184: i64):
  %185 = llvm.getelementptr %93[%176] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %186 = llvm.load %185 {alignment = 8 : i64} : !llvm.ptr -> i64
  %187 = llvm.icmp "eq" %186, %20 : i64
  %188 = llvm.icmp "eq" %186, %179 : i64
  %189 = llvm.select %187, %31, %188 : i1, i1
  %190 = llvm.select %189, %170, %10 : i1, i32
  %191 = llvm.icmp "eq" %179, %28 : i64
  %192 = llvm.icmp "eq" %184, %173 : i64
  %193 = llvm.select %191, %31, %192 : i1, i1
  %194 = llvm.select %193, %172, %10 : i1, i32
  llvm.cond_br %155, ^bb32(%169 : i32), ^bb31
^bb31:
  %195 = llvm.getelementptr %149[%176] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %196 = llvm.load %195 {alignment = 8 : i64} : !llvm.ptr -> i64
  %197 = llvm.icmp "eq" %196, %34 : i64
  %198 = llvm.icmp "eq" %196, %184 : i64
  %199 = llvm.select %197, %31, %198 : i1, i1
  %200 = llvm.select %199, %31, %191 : i1, i1
  %201 = llvm.and %169, %0 : i32
  %202 = llvm.select %200, %201, %10 : i1, i32
  llvm.br ^bb32(%202 : i32)
^bb32(%203: i32):
  %204 = llvm.getelementptr %156[%9, %176] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<0 x i64>
  llvm.store %179, %204 {alignment = 8 : i64} : i64, !llvm.ptr
  %205 = llvm.add %176, %86 overflow<nsw> : i64
  %206 = llvm.getelementptr %156[%9, %205] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<0 x i64>
  llvm.store %184, %206 {alignment = 8 : i64} : i64, !llvm.ptr
  %207 = llvm.add %179, %20 : i64
  %208 = llvm.mul %207, %151 : i64
  %209 = llvm.mul %208, %184 : i64
  %210 = llvm.icmp "slt" %209, %9 : i64
  %211 = llvm.select %210, %175, %174 : i1, i64
  %212 = llvm.add %211, %209 : i64
  %213 = llvm.select %210, %212, %175 : i1, i64
  %214 = llvm.select %210, %174, %212 : i1, i64
  %215 = llvm.icmp "eq" %179, %9 : i64
  %216 = llvm.zext %215 : i1 to i32
  %217 = llvm.or %171, %216 : i32
  %218 = llvm.mul %179, %173 : i64
  %219 = llvm.icmp "sgt" %168, %28 : i64
  llvm.cond_br %219, ^bb28(%176, %203, %190, %217, %194, %218, %214, %213 : i64, i32, i32, i32, i32, i64, i64, i64), ^bb26
^bb33:
  llvm.call fastcc tail @__gs_support_refuse_sizes(%arg0, %77, %117, %93) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.br ^bb56(%7 : i32)
^bb34:
  llvm.cond_br %167, ^bb36, ^bb35
^bb35:
  llvm.call fastcc tail @__gs_support_refuse(%arg0, %15, %77, %35) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.br ^bb56(%7 : i32)
^bb36:
  %220 = llvm.load %145 {alignment = 8 : i64} : !llvm.ptr -> i64
  %221 = llvm.icmp "ne" %220, %36 : i64
  %222 = llvm.select %221, %31, %164 : i1, i1
  %223 = llvm.select %222, %31, %165 : i1, i1
  llvm.cond_br %223, ^bb38, ^bb37
^bb37:
  llvm.call fastcc tail @__gs_support_refuse(%arg0, %15, %77, %37) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.br ^bb56(%7 : i32)
^bb38:
  %224 = llvm.load %117 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %225 = llvm.ptrtoint %224 : !llvm.ptr to i64
  %226 = llvm.getelementptr inbounds %117[%13] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %227 = llvm.load %226 {alignment = 8 : i64} : !llvm.ptr -> i64
  %228 = llvm.add %227, %225 : i64
  llvm.store %228, %97 {alignment = 8 : i64} : i64, !llvm.ptr
  %229 = llvm.getelementptr inbounds %77[%38] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %230 = llvm.load %229 {alignment = 8 : i64} : !llvm.ptr -> i64
  %231 = llvm.add %230, %20 : i64
  %232 = llvm.and %231, %228 : i64
  %233 = llvm.icmp "eq" %232, %9 : i64
  %234 = llvm.select %233, %31, %165 : i1, i1
  llvm.cond_br %234, ^bb40, ^bb39
^bb39:
  llvm.call fastcc tail @__gs_support_refuse(%arg0, %15, %77, %39) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.br ^bb56(%7 : i32)
^bb40:
  %235 = llvm.add %228, %162 : i64
  %236 = llvm.getelementptr inbounds %97[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %235, %236 {alignment = 8 : i64} : i64, !llvm.ptr
  %237 = llvm.add %163, %151 : i64
  %238 = llvm.add %237, %228 : i64
  %239 = llvm.select %165, %235, %238 : i1, i64
  %240 = llvm.getelementptr inbounds %97[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %239, %240 {alignment = 8 : i64} : i64, !llvm.ptr
  %241 = llvm.icmp "ne" %149, %21 : !llvm.ptr
  %242 = llvm.select %241, %31, %164 : i1, i1
  %243 = llvm.select %242, %31, %165 : i1, i1
  %244 = llvm.xor %243, %31 : i1
  %245 = llvm.zext %244 : i1 to i32
  llvm.br ^bb56(%245 : i32)
^bb41:
  %246 = llvm.load %66 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %247 = llvm.getelementptr inbounds %77[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %248 = llvm.load %247 {alignment = 8 : i64} : !llvm.ptr -> i64
  %249 = llvm.getelementptr %246[%248] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, struct<(i32)>, struct<(i64)>)>
  %250 = llvm.load %249 {alignment = 8 : i64} : !llvm.ptr -> i32
  %251 = llvm.add %250, %7 : i32
  %252 = llvm.icmp "ult" %251, %17 : i32
  llvm.cond_br %252, ^bb43, ^bb42
^bb42:
  llvm.call fastcc tail @__gs_support_refuse(%arg0, %6, %77, %16) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.br ^bb56(%7 : i32)
^bb43:
  %253 = llvm.getelementptr inbounds %249[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %254 = llvm.load %253 {alignment = 8 : i64} : !llvm.ptr -> i64
  %255 = llvm.getelementptr inbounds %77[%13] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %256 = llvm.load %255 {alignment = 8 : i64} : !llvm.ptr -> i64
  %257 = llvm.icmp "slt" %254, %256 : i64
  llvm.cond_br %257, ^bb45, ^bb44
^bb44:
  %258 = llvm.getelementptr inbounds %77[%18] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %259 = llvm.load %258 {alignment = 8 : i64} : !llvm.ptr -> i64
  %260 = llvm.icmp "sgt" %254, %259 : i64
  llvm.cond_br %260, ^bb45, ^bb46
^bb45:
  llvm.call fastcc tail @__gs_support_refuse(%arg0, %15, %77, %16) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.br ^bb56(%7 : i32)
^bb46:
  %261 = llvm.load %67 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %262 = llvm.getelementptr inbounds %77[%5] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %263 = llvm.load %262 {alignment = 8 : i64} : !llvm.ptr -> i64
  %264 = llvm.getelementptr %261[%263] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.store %254, %264 {alignment = 8 : i64} : i64, !llvm.ptr
  llvm.br ^bb56(%10 : i32)
^bb47:
  %265 = llvm.load %64 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %266 = llvm.getelementptr inbounds %77[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %267 = llvm.load %266 {alignment = 8 : i64} : !llvm.ptr -> i64
  %268 = llvm.getelementptr %265[%267] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, struct<(i32)>, struct<(i64)>)>
  %269 = llvm.load %65 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %270 = llvm.getelementptr inbounds %77[%5] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %271 = llvm.load %270 {alignment = 8 : i64} : !llvm.ptr -> i64
  %272 = llvm.getelementptr %269[%271] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %273 = llvm.load %268 {alignment = 8 : i64} : !llvm.ptr -> i32
  llvm.switch %273 : i32, ^bb50 [
    3: ^bb48,
    1: ^bb49,
    2: ^bb49
  ]
^bb48:
  %274 = llvm.getelementptr inbounds %268[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %275 = llvm.load %274 {alignment = 8 : i64} : !llvm.ptr -> f64
  llvm.br ^bb51(%275 : f64)
^bb49:
  %276 = llvm.getelementptr inbounds %268[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %277 = llvm.load %276 {alignment = 8 : i64} : !llvm.ptr -> i64
  %278 = llvm.sitofp %277 : i64 to f64
  llvm.br ^bb51(%278 : f64)
^bb50:
  llvm.call fastcc tail @__gs_support_refuse(%arg0, %6, %77, %16) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.br ^bb56(%7 : i32)
^bb51(%279: f64):
  llvm.store %279, %272 {alignment = 8 : i64} : f64, !llvm.ptr
  llvm.br ^bb56(%10 : i32)
^bb52:
  %280 = llvm.load %62 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %281 = llvm.getelementptr inbounds %77[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %282 = llvm.getelementptr inbounds %77[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %283 = llvm.load %282 {alignment = 8 : i64} : !llvm.ptr -> i64
  %284 = llvm.getelementptr %280[%283] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %285 = llvm.getelementptr %77[%5] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %286 = llvm.load %285 {alignment = 8 : i64} : !llvm.ptr -> i64
  %287 = llvm.getelementptr %280[%286] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %288 = llvm.getelementptr inbounds %284[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %289 = llvm.load %288 {alignment = 8 : i64} : !llvm.ptr -> i64
  %290 = llvm.getelementptr inbounds %287[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %291 = llvm.load %290 {alignment = 8 : i64} : !llvm.ptr -> i64
  %292 = llvm.icmp "ugt" %289, %291 : i64
  llvm.cond_br %292, ^bb53, ^bb56(%10 : i32)
^bb53:
  %293 = llvm.getelementptr inbounds %287[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %294 = llvm.load %293 {alignment = 8 : i64} : !llvm.ptr -> i64
  %295 = llvm.getelementptr inbounds %284[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %296 = llvm.load %295 {alignment = 8 : i64} : !llvm.ptr -> i64
  %297 = llvm.icmp "ule" %294, %296 : i64
  %298 = llvm.icmp "eq" %296, %289 : i64
  %299 = llvm.or %297, %298 : i1
  %300 = llvm.icmp "eq" %291, %294 : i64
  %301 = llvm.or %300, %299 : i1
  llvm.cond_br %301, ^bb56(%10 : i32), ^bb54
^bb54:
  %302 = llvm.load %arg0 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %303 = llvm.getelementptr inbounds %302[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %304 = llvm.load %303 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %305 = llvm.load %281 {alignment = 8 : i64} : !llvm.ptr -> i64
  %306 = llvm.getelementptr %304[%305] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %307 = llvm.load %63 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.call tail @__gs_report(%15, %306, %307) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.br ^bb56(%7 : i32)
^bb55:
  %308 = llvm.load %72 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.call tail @__gs_size(%77, %308) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.br ^bb56(%10 : i32)
^bb56(%309: i32):
  %310 = llvm.icmp "eq" %309, %10 : i32
  llvm.cond_br %310, ^bb57, ^bb58(%309, %77 : i32, !llvm.ptr)
^bb57:
  %311 = llvm.load %77 {alignment = 8 : i64} : !llvm.ptr -> i64
  %312 = llvm.getelementptr %77[%311] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.br ^bb58(%78, %312 : i32, !llvm.ptr)
^bb58(%313: i32, %314: !llvm.ptr):
  llvm.cond_br %310, ^bb4, ^bb59(%313 : i32)
^bb59(%315: i32):
  llvm.return %315 : i32
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
  %21 = llvm.mlir.addressof @__gs_support_str_32 : !llvm.ptr
  %22 = llvm.mlir.addressof @__gs_support_str_33 : !llvm.ptr
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
  %5 = llvm.mlir.addressof @__gs_support_str_16 : !llvm.ptr
  %6 = llvm.mlir.addressof @__gs_support_str_29 : !llvm.ptr
  %7 = llvm.mlir.addressof @__gs_support_str_28 : !llvm.ptr
  %8 = llvm.mlir.addressof @__gs_support_str_27 : !llvm.ptr
  %9 = llvm.mlir.addressof @__gs_support_str_26 : !llvm.ptr
  %10 = llvm.mlir.addressof @__gs_support_str_25 : !llvm.ptr
  %11 = llvm.mlir.addressof @__gs_support_str_24 : !llvm.ptr
  %12 = llvm.mlir.addressof @__gs_support_str_23 : !llvm.ptr
  %13 = llvm.mlir.addressof @__gs_support_str_22 : !llvm.ptr
  %14 = llvm.mlir.addressof @__gs_support_str_21 : !llvm.ptr
  %15 = llvm.mlir.addressof @__gs_support_str_20 : !llvm.ptr
  %16 = llvm.mlir.addressof @__gs_support_str_19 : !llvm.ptr
  %17 = llvm.mlir.addressof @__gs_support_str_18 : !llvm.ptr
  %18 = llvm.mlir.addressof @__gs_support_str_17 : !llvm.ptr
  %19 = llvm.mlir.constant(1024 : i64) : i64
  %20 = llvm.mlir.addressof @__gs_support_str_10 : !llvm.ptr
  %21 = llvm.mlir.addressof @__gs_support_str_9 : !llvm.ptr
  %22 = llvm.mlir.addressof @__gs_support_str_30 : !llvm.ptr
  %23 = llvm.mlir.addressof @__gs_support_str : !llvm.ptr
  %24 = llvm.mlir.addressof @__gs_support_str_8 : !llvm.ptr
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
  %10 = llvm.mlir.addressof @__gs_support_str_31 : !llvm.ptr
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
  %7 = llvm.mlir.addressof @__gs_support_str_11 : !llvm.ptr
  %8 = llvm.mlir.constant(16 : i64) : i64
  %9 = llvm.mlir.constant(0 : i32) : i32
  %10 = llvm.mlir.constant(24 : i64) : i64
  %11 = llvm.mlir.addressof @__gs_support_str_13 : !llvm.ptr
  %12 = llvm.mlir.addressof @__gs_support_str_12 : !llvm.ptr
  %13 = llvm.mlir.constant(1 : i64) : i64
  %14 = llvm.mlir.constant(19 : i64) : i64
  %15 = llvm.mlir.constant(8 : i64) : i64
  %16 = llvm.mlir.constant(1 : i32) : i32
  %17 = llvm.mlir.addressof @__gs_support_str_15 : !llvm.ptr
  %18 = llvm.mlir.addressof @__gs_support_str_14 : !llvm.ptr
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
