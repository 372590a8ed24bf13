// Made of openmp.c by `python -m mlir_gs.tools.docs.from_c` (sources 06aa05dee6d9725b).
llvm.mlir.global internal @__gs_openmp_gnu_0() {addr_space = 0 : i32, alignment = 8 : i64} : !llvm.ptr {
  %0 = llvm.mlir.zero : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.mlir.global internal @__gs_openmp_gnu_1() {addr_space = 0 : i32, alignment = 8 : i64} : !llvm.ptr {
  %0 = llvm.mlir.zero : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.mlir.global internal @__gs_openmp_gnu_2() {addr_space = 0 : i32, alignment = 8 : i64} : !llvm.ptr {
  %0 = llvm.mlir.zero : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.mlir.global internal @__gs_openmp_gnu_3() {addr_space = 0 : i32, alignment = 8 : i64} : !llvm.ptr {
  %0 = llvm.mlir.zero : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.mlir.global internal @__gs_openmp_gnu_4() {addr_space = 0 : i32, alignment = 8 : i64} : !llvm.ptr {
  %0 = llvm.mlir.zero : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.mlir.global internal @__gs_openmp_share_key(0 : i32) {addr_space = 0 : i32, alignment = 4 : i64} : i32
llvm.mlir.global internal @__gs_openmp_count_key(0 : i32) {addr_space = 0 : i32, alignment = 4 : i64} : i32
llvm.func @__gs_openmp_begin(%arg0: !llvm.ptr) -> i32 {
  %0 = llvm.mlir.addressof @__gs_openmp_gnu_0 : !llvm.ptr
  %1 = llvm.mlir.constant(8 : i64) : i64
  %2 = llvm.mlir.addressof @__gs_openmp_gnu_1 : !llvm.ptr
  %3 = llvm.mlir.constant(16 : i64) : i64
  %4 = llvm.mlir.addressof @__gs_openmp_gnu_2 : !llvm.ptr
  %5 = llvm.mlir.constant(24 : i64) : i64
  %6 = llvm.mlir.addressof @__gs_openmp_gnu_3 : !llvm.ptr
  %7 = llvm.mlir.constant(32 : i64) : i64
  %8 = llvm.mlir.addressof @__gs_openmp_gnu_4 : !llvm.ptr
  %9 = llvm.mlir.addressof @__gs_openmp_share_key : !llvm.ptr
  %10 = llvm.mlir.zero : !llvm.ptr
  %11 = llvm.mlir.addressof @__gs_openmp_count_key : !llvm.ptr
  %12 = llvm.load %arg0 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.store %12, %0 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %13 = llvm.getelementptr %arg0[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %14 = llvm.load %13 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.store %14, %2 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %15 = llvm.getelementptr %arg0[%3] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %16 = llvm.load %15 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.store %16, %4 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %17 = llvm.getelementptr %arg0[%5] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %18 = llvm.load %17 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.store %18, %6 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %19 = llvm.getelementptr %arg0[%7] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %20 = llvm.load %19 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.store %20, %8 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %21 = llvm.call tail @pthread_key_create(%9, %10) : (!llvm.ptr, !llvm.ptr) -> i32
  %22 = llvm.call tail @pthread_key_create(%11, %10) : (!llvm.ptr, !llvm.ptr) -> i32
  %23 = llvm.or %22, %21 : i32
  llvm.return %23 : i32
}
llvm.func @pthread_key_create(!llvm.ptr, !llvm.ptr) -> i32
llvm.func @__kmpc_global_thread_num(%arg0: !llvm.ptr) -> i32 {
  %0 = llvm.mlir.addressof @__gs_openmp_share_key : !llvm.ptr
  %1 = llvm.mlir.zero : !llvm.ptr
  %2 = llvm.mlir.constant(0 : i32) : i32
  %3 = llvm.load %0 {alignment = 4 : i64} : !llvm.ptr -> i32
  %4 = llvm.call tail @pthread_getspecific(%3) : (i32) -> !llvm.ptr
  %5 = llvm.icmp "eq" %4, %1 : !llvm.ptr
  llvm.cond_br %5, ^bb2(%2 : i32), ^bb1
^bb1:
  %6 = llvm.load %4 {alignment = 4 : i64} : !llvm.ptr -> i32
  llvm.br ^bb2(%6 : i32)
^bb2(%7: i32):
  llvm.return %7 : i32
}
llvm.func @pthread_getspecific(i32) -> !llvm.ptr
llvm.func @__kmpc_push_num_threads(%arg0: !llvm.ptr, %arg1: i32, %arg2: i32) {
  %0 = llvm.mlir.addressof @__gs_openmp_count_key : !llvm.ptr
  %1 = llvm.load %0 {alignment = 4 : i64} : !llvm.ptr -> i32
  %2 = llvm.sext %arg2 : i32 to i64
  %3 = llvm.inttoptr %2 : i64 to !llvm.ptr
  %4 = llvm.call tail @pthread_setspecific(%1, %3) : (i32, !llvm.ptr) -> i32
  llvm.return
}
llvm.func @pthread_setspecific(i32, !llvm.ptr) -> i32
llvm.func @__kmpc_fork_call(%arg0: !llvm.ptr, %arg1: i32, %arg2: !llvm.ptr, %arg3: !llvm.ptr) {
  %0 = llvm.mlir.constant(1 : i32) : i32
  %1 = llvm.mlir.addressof @__gs_openmp_count_key : !llvm.ptr
  %2 = llvm.mlir.addressof @__gs_openmp_gnu_4 : !llvm.ptr
  %3 = llvm.mlir.zero : !llvm.ptr
  %4 = llvm.mlir.constant(8 : i64) : i64
  %5 = llvm.mlir.constant(16 : i64) : i64
  %6 = llvm.mlir.constant(0 : i32) : i32
  %7 = llvm.mlir.addressof @__gs_openmp_share_key : !llvm.ptr
  %8 = llvm.mlir.addressof @__gs_openmp_gnu_0 : !llvm.ptr
  %9 = llvm.mlir.addressof @__gs_openmp_run_part : !llvm.ptr
  %10 = llvm.mlir.constant(4294967296 : i64) : i64
  %11 = llvm.alloca %0 x !llvm.struct<(i32, i32, i32)> {alignment = 8 : i64} : (i32) -> !llvm.ptr
  %12 = llvm.alloca %0 x !llvm.struct<(ptr, ptr, i32)> {alignment = 8 : i64} : (i32) -> !llvm.ptr
  %13 = llvm.load %1 {alignment = 4 : i64} : !llvm.ptr -> i32
  %14 = llvm.call tail @pthread_getspecific(%13) : (i32) -> !llvm.ptr
  %15 = llvm.ptrtoint %14 : !llvm.ptr to i64
  %16 = llvm.trunc %15 : i64 to i32
  %17 = llvm.load %2 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %18 = llvm.call tail %17() : !llvm.ptr, () -> i32
  %19 = llvm.load %1 {alignment = 4 : i64} : !llvm.ptr -> i32
  %20 = llvm.call tail @pthread_setspecific(%19, %3) : (i32, !llvm.ptr) -> i32
  llvm.intr.lifetime.start %12 : !llvm.ptr
  llvm.store %arg2, %12 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %21 = llvm.getelementptr inbounds %12[%4] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %arg3, %21 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %22 = llvm.getelementptr inbounds %12[%5] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %23 = llvm.icmp "sgt" %16, %6 : i32
  %24 = llvm.select %23, %16, %18 : i1, i32
  llvm.store %24, %22 {alignment = 8 : i64} : i32, !llvm.ptr
  %25 = llvm.icmp "eq" %24, %0 : i32
  llvm.cond_br %25, ^bb2, ^bb1
^bb1:
  %26 = llvm.load %7 {alignment = 4 : i64} : !llvm.ptr -> i32
  %27 = llvm.call tail @pthread_getspecific(%26) : (i32) -> !llvm.ptr
  %28 = llvm.icmp "eq" %27, %3 : !llvm.ptr
  llvm.cond_br %28, ^bb3, ^bb2
^bb2:
  llvm.intr.lifetime.start %11 : !llvm.ptr
  llvm.store %10, %11 {alignment = 8 : i64} : i64, !llvm.ptr
  %29 = llvm.getelementptr inbounds %11[%4] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %0, %29 {alignment = 8 : i64} : i32, !llvm.ptr
  %30 = llvm.load %7 {alignment = 4 : i64} : !llvm.ptr -> i32
  %31 = llvm.call tail @pthread_getspecific(%30) : (i32) -> !llvm.ptr
  %32 = llvm.load %7 {alignment = 4 : i64} : !llvm.ptr -> i32
  %33 = llvm.call @pthread_setspecific(%32, %11) : (i32, !llvm.ptr) -> i32
  %34 = llvm.load %12 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %35 = llvm.load %21 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.call %34(%11, %11, %35) : !llvm.ptr, (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  %36 = llvm.load %7 {alignment = 4 : i64} : !llvm.ptr -> i32
  %37 = llvm.call @pthread_setspecific(%36, %31) : (i32, !llvm.ptr) -> i32
  llvm.intr.lifetime.end %11 : !llvm.ptr
  llvm.br ^bb4
^bb3:
  %38 = llvm.load %8 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %39 = llvm.icmp "sgt" %18, %0 : i32
  %40 = llvm.load %22 {alignment = 8 : i64} : !llvm.ptr -> i32
  %41 = llvm.select %39, %18, %40 : i1, i32
  llvm.call %38(%9, %12, %41, %6) : !llvm.ptr, (!llvm.ptr, !llvm.ptr, i32, i32) -> ()
  llvm.br ^bb4
^bb4:
  llvm.intr.lifetime.end %12 : !llvm.ptr
  llvm.return
}
llvm.func internal @__gs_openmp_run_part(%arg0: !llvm.ptr) {
  %0 = llvm.mlir.constant(1 : i32) : i32
  %1 = llvm.mlir.addressof @__gs_openmp_gnu_3 : !llvm.ptr
  %2 = llvm.mlir.constant(16 : i64) : i64
  %3 = llvm.mlir.addressof @__gs_openmp_gnu_2 : !llvm.ptr
  %4 = llvm.mlir.constant(32 : i64) : i64
  %5 = llvm.mlir.constant(8 : i64) : i64
  %6 = llvm.mlir.addressof @__gs_openmp_share_key : !llvm.ptr
  %7 = llvm.alloca %0 x !llvm.struct<(i32, i32, i32)> {alignment = 8 : i64} : (i32) -> !llvm.ptr
  %8 = llvm.load %1 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %9 = llvm.call tail %8() : !llvm.ptr, () -> i32
  %10 = llvm.getelementptr inbounds %arg0[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %11 = llvm.load %10 {alignment = 8 : i64} : !llvm.ptr -> i32
  %12 = llvm.intr.smin(%11, %9) : (i32, i32) -> i32
  %13 = llvm.load %3 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %14 = llvm.call tail %13() : !llvm.ptr, () -> i32
  %15 = llvm.zext %12 : i32 to i64
  %16 = llvm.shl %15, %4 overflow<nuw> : i64
  %17 = llvm.zext %14 : i32 to i64
  %18 = llvm.or disjoint %16, %17 : i64
  llvm.intr.lifetime.start %7 : !llvm.ptr
  llvm.store %18, %7 {alignment = 8 : i64} : i64, !llvm.ptr
  %19 = llvm.getelementptr inbounds %7[%5] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %9, %19 {alignment = 8 : i64} : i32, !llvm.ptr
  %20 = llvm.load %6 {alignment = 4 : i64} : !llvm.ptr -> i32
  %21 = llvm.call tail @pthread_getspecific(%20) : (i32) -> !llvm.ptr
  %22 = llvm.load %6 {alignment = 4 : i64} : !llvm.ptr -> i32
  %23 = llvm.call @pthread_setspecific(%22, %7) : (i32, !llvm.ptr) -> i32
  %24 = llvm.load %arg0 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %25 = llvm.getelementptr inbounds %arg0[%5] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %26 = llvm.load %25 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.call %24(%7, %7, %26) : !llvm.ptr, (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  %27 = llvm.load %6 {alignment = 4 : i64} : !llvm.ptr -> i32
  %28 = llvm.call @pthread_setspecific(%27, %21) : (i32, !llvm.ptr) -> i32
  llvm.intr.lifetime.end %7 : !llvm.ptr
  llvm.return
}
llvm.func @__kmpc_barrier(%arg0: !llvm.ptr, %arg1: i32) {
  %0 = llvm.mlir.addressof @__gs_openmp_share_key : !llvm.ptr
  %1 = llvm.mlir.zero : !llvm.ptr
  %2 = llvm.mlir.constant(8 : i64) : i64
  %3 = llvm.mlir.constant(1 : i32) : i32
  %4 = llvm.mlir.addressof @__gs_openmp_gnu_1 : !llvm.ptr
  %5 = llvm.load %0 {alignment = 4 : i64} : !llvm.ptr -> i32
  %6 = llvm.call tail @pthread_getspecific(%5) : (i32) -> !llvm.ptr
  %7 = llvm.icmp "eq" %6, %1 : !llvm.ptr
  llvm.cond_br %7, ^bb3, ^bb1
^bb1:
  %8 = llvm.getelementptr inbounds %6[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %9 = llvm.load %8 {alignment = 4 : i64} : !llvm.ptr -> i32
  %10 = llvm.icmp "sgt" %9, %3 : i32
  llvm.cond_br %10, ^bb2, ^bb3
^bb2:
  %11 = llvm.load %4 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.call tail %11() : !llvm.ptr, () -> ()
  llvm.br ^bb3
^bb3:
  llvm.return
}
llvm.func @__kmpc_for_static_init_8u(%arg0: !llvm.ptr, %arg1: i32, %arg2: i32, %arg3: !llvm.ptr, %arg4: !llvm.ptr, %arg5: !llvm.ptr, %arg6: !llvm.ptr, %arg7: i64, %arg8: i64) {
  %0 = llvm.mlir.addressof @__gs_openmp_share_key : !llvm.ptr
  %1 = llvm.mlir.zero : !llvm.ptr
  %2 = llvm.mlir.constant(0 : i64) : i64
  %3 = llvm.mlir.constant(1 : i64) : i64
  %4 = llvm.mlir.constant(4 : i64) : i64
  %5 = llvm.mlir.constant(true) : i1
  %6 = llvm.mlir.constant(-1 : i64) : i64
  %7 = llvm.mlir.constant(1 : i32) : i32
  %8 = llvm.mlir.constant(false) : i1
  %9 = llvm.mlir.constant(0 : i32) : i32
  %10 = llvm.load %0 {alignment = 4 : i64} : !llvm.ptr -> i32
  %11 = llvm.call tail @pthread_getspecific(%10) : (i32) -> !llvm.ptr
  %12 = llvm.icmp "eq" %11, %1 : !llvm.ptr
  llvm.cond_br %12, ^bb2(%2 : i64), ^bb1
^bb1:
  %13 = llvm.load %11 {alignment = 4 : i64} : !llvm.ptr -> i32
  %14 = llvm.sext %13 : i32 to i64
  llvm.br ^bb2(%14 : i64)
^bb2(%15: i64):
  llvm.cond_br %12, ^bb4(%3 : i64), ^bb3
^bb3:
  %16 = llvm.getelementptr inbounds %11[%4] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %17 = llvm.load %16 {alignment = 4 : i64} : !llvm.ptr -> i32
  %18 = llvm.sext %17 : i32 to i64
  llvm.br ^bb4(%18 : i64)
^bb4(%19: i64):
  %20 = llvm.load %arg5 {alignment = 8 : i64} : !llvm.ptr -> i64
  %21 = llvm.load %arg4 {alignment = 8 : i64} : !llvm.ptr -> i64
  %22 = llvm.icmp "ult" %20, %21 : i64
  llvm.cond_br %22, ^bb6(%2 : i64), ^bb5
^bb5:
  %23 = llvm.sub %20, %21 : i64
  %24 = llvm.udiv %23, %arg7 : i64
  %25 = llvm.add %24, %3 : i64
  llvm.br ^bb6(%25 : i64)
^bb6(%26: i64):
  %27 = llvm.udiv %26, %19 : i64
  %28 = llvm.urem %26, %19 : i64
  %29 = llvm.icmp "uge" %15, %19 : i64
  %30 = llvm.icmp "ult" %15, %28 : i64
  %31 = llvm.zext %30 : i1 to i64
  %32 = llvm.add %27, %31 : i64
  llvm.store %26, %arg6 {alignment = 8 : i64} : i64, !llvm.ptr
  %33 = llvm.icmp "eq" %32, %2 : i64
  %34 = llvm.select %29, %5, %33 : i1, i1
  llvm.cond_br %34, ^bb10, ^bb7
^bb7:
  %35 = llvm.add %19, %6 overflow<nsw> : i64
  %36 = llvm.icmp "eq" %15, %35 : i64
  llvm.cond_br %36, ^bb9(%7 : i32), ^bb8
^bb8:
  %37 = llvm.icmp "ugt" %19, %26 : i64
  %38 = llvm.add %28, %6 : i64
  %39 = llvm.icmp "eq" %15, %38 : i64
  %40 = llvm.select %37, %39, %8 : i1, i1
  %41 = llvm.zext %40 : i1 to i32
  llvm.br ^bb9(%41 : i32)
^bb9(%42: i32):
  llvm.store %42, %arg3 {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.cond_br %34, ^bb11, ^bb12
^bb10:
  llvm.store %9, %arg3 {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.br ^bb11
^bb11:
  llvm.store %2, %arg5 {alignment = 8 : i64} : i64, !llvm.ptr
  llvm.store %3, %arg4 {alignment = 8 : i64} : i64, !llvm.ptr
  llvm.br ^bb13
^bb12:
  %43 = llvm.mul %27, %15 : i64
  %44 = llvm.intr.umin(%15, %28) : (i64, i64) -> i64
  %45 = llvm.add %44, %43 : i64
  %46 = llvm.mul %45, %arg7 : i64
  %47 = llvm.load %arg4 {alignment = 8 : i64} : !llvm.ptr -> i64
  %48 = llvm.add %47, %46 : i64
  llvm.store %48, %arg4 {alignment = 8 : i64} : i64, !llvm.ptr
  %49 = llvm.add %32, %6 : i64
  %50 = llvm.mul %49, %arg7 : i64
  %51 = llvm.add %48, %50 : i64
  llvm.store %51, %arg5 {alignment = 8 : i64} : i64, !llvm.ptr
  llvm.br ^bb13
^bb13:
  llvm.return
}
llvm.func @__kmpc_for_static_fini(%arg0: !llvm.ptr, %arg1: i32) {
  llvm.return
}
