// Made of cpu.c by `python -m mlir_gs.tools.docs.from_c` (sources 06aa05dee6d9725b).
llvm.mlir.global internal @__gs_cpu_known(0 : i32) {addr_space = 0 : i32, alignment = 4 : i64} : i32
llvm.mlir.global internal constant @__gs_cpu___gs_cpu_level_states(dense<[0, 6, 230]> : tensor<3xi32>) {addr_space = 0 : i32, alignment = 4 : i64} : !llvm.array<3 x i32>
llvm.mlir.global internal constant @__gs_cpu_LEVELS(dense<[[9970177, 0, 1], [943722496, 296, 32], [0, -805109760, 0]]> : tensor<3x3xi32>) {addr_space = 0 : i32, alignment = 16 : i64} : !llvm.array<3 x array<3 x i32>>
llvm.func @__gs_cpu_level() -> i32 attributes {no_inline} {
  %0 = llvm.mlir.constant(1 : i32) : i32
  %1 = llvm.mlir.addressof @__gs_cpu_known : !llvm.ptr
  %2 = llvm.mlir.constant(0 : i32) : i32
  %3 = llvm.mlir.constant(0 : i8) : i8
  %4 = llvm.mlir.constant(12 : i64) : i64
  %5 = llvm.mlir.constant(6 : i32) : i32
  %6 = llvm.mlir.constant(4 : i64) : i64
  %7 = llvm.mlir.constant(7 : i32) : i32
  %8 = llvm.mlir.constant(8 : i64) : i64
  %9 = llvm.mlir.constant(-2147483647 : i32) : i32
  %10 = llvm.mlir.constant(134217728 : i32) : i32
  %11 = llvm.mlir.constant(0 : i64) : i64
  %12 = llvm.mlir.addressof @__gs_cpu___gs_cpu_level_states : !llvm.ptr
  %13 = llvm.mlir.addressof @__gs_cpu_LEVELS : !llvm.ptr
  %14 = llvm.mlir.constant(1 : i64) : i64
  %15 = llvm.mlir.constant(3 : i64) : i64
  %16 = llvm.mlir.constant(2 : i32) : i32
  %17 = llvm.mlir.constant(true) : i1
  %18 = llvm.alloca %0 x !llvm.array<3 x i32> {alignment = 4 : i64} : (i32) -> !llvm.ptr
  %19 = llvm.load %1 {alignment = 4 : i64} : !llvm.ptr -> i32
  %20 = llvm.icmp "eq" %19, %2 : i32
  llvm.cond_br %20, ^bb1, ^bb10(%19 : i32)
^bb1:
  llvm.intr.lifetime.start %18 : !llvm.ptr
  "llvm.intr.memset"(%18, %3, %4) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %21 = llvm.inline_asm tail_call_kind = <tail> asm_dialect = att "  xchgq  %rbx,${1:q}\0A  cpuid\0A  xchgq  %rbx,${1:q}", "={ax},=r,={cx},={dx},0,~{dirflag},~{fpsr},~{flags}" %2 : (i32) -> !llvm.struct<(i32, i32, i32, i32)>
  %22 = llvm.extractvalue %21[0] : !llvm.struct<(i32, i32, i32, i32)>
  %23 = llvm.inline_asm tail_call_kind = <tail> asm_dialect = att "  xchgq  %rbx,${1:q}\0A  cpuid\0A  xchgq  %rbx,${1:q}", "={ax},=r,={cx},={dx},0,~{dirflag},~{fpsr},~{flags}" %0 : (i32) -> !llvm.struct<(i32, i32, i32, i32)>
  %24 = llvm.extractvalue %23[2] : !llvm.struct<(i32, i32, i32, i32)>
  llvm.store %24, %18 {alignment = 4 : i64} : i32, !llvm.ptr
  %25 = llvm.icmp "ugt" %22, %5 : i32
  llvm.cond_br %25, ^bb2, ^bb3
^bb2:
  %26 = llvm.getelementptr inbounds %18[%6] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %27 = llvm.inline_asm tail_call_kind = <tail> asm_dialect = att "  xchgq  %rbx,${1:q}\0A  cpuid\0A  xchgq  %rbx,${1:q}", "={ax},=r,={cx},={dx},0,2,~{dirflag},~{fpsr},~{flags}" %7, %2 : (i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  %28 = llvm.extractvalue %27[1] : !llvm.struct<(i32, i32, i32, i32)>
  llvm.store %28, %26 {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.br ^bb3
^bb3:
  %29 = llvm.getelementptr inbounds %18[%8] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %30 = llvm.inline_asm tail_call_kind = <tail> asm_dialect = att "  xchgq  %rbx,${1:q}\0A  cpuid\0A  xchgq  %rbx,${1:q}", "={ax},=r,={cx},={dx},0,~{dirflag},~{fpsr},~{flags}" %9 : (i32) -> !llvm.struct<(i32, i32, i32, i32)>
  %31 = llvm.extractvalue %30[2] : !llvm.struct<(i32, i32, i32, i32)>
  llvm.store %31, %29 {alignment = 4 : i64} : i32, !llvm.ptr
  %32 = llvm.and %24, %10 : i32
  %33 = llvm.icmp "eq" %32, %2 : i32
  llvm.cond_br %33, ^bb5(%2 : i32), ^bb4
^bb4:
  %34 = llvm.inline_asm has_side_effects tail_call_kind = <tail> asm_dialect = att "xgetbv", "={ax},={dx},{cx},~{dirflag},~{fpsr},~{flags}" %2 : (i32) -> !llvm.struct<(i32, i32)>
  %35 = llvm.extractvalue %34[0] : !llvm.struct<(i32, i32)>
  llvm.br ^bb5(%35 : i32)
^bb5(%36: i32):
  llvm.br ^bb6(%11, %0 : i64, i32)
^bb6(%37: i64, %38: i32):
  %39 = llvm.getelementptr %12[%11, %37] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<3 x i32>
  %40 = llvm.load %39 {alignment = 4 : i64} : !llvm.ptr -> i32
  %41 = llvm.and %40, %36 : i32
  %42 = llvm.icmp "eq" %41, %40 : i32
  %43 = llvm.zext %42 : i1 to i32
  llvm.br ^bb8(%11, %43 : i64, i32)
^bb7:
  %44 = llvm.icmp "eq" %59, %2 : i32
  %45 = llvm.trunc %37 : i64 to i32
  %46 = llvm.add %45, %16 : i32
  %47 = llvm.select %44, %38, %46 : i1, i32
  %48 = llvm.add %37, %14 overflow<nsw, nuw> : i64
  %49 = llvm.icmp "eq" %48, %15 : i64
  %50 = llvm.select %44, %17, %49 : i1, i1
  llvm.cond_br %50, ^bb9, ^bb6(%48, %47 : i64, i32)
^bb8(%51: i64, %52: i32):
  %53 = llvm.getelementptr %18[%11, %51] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<3 x i32>
  %54 = llvm.load %53 {alignment = 4 : i64} : !llvm.ptr -> i32
  %55 = llvm.getelementptr %13[%11, %37, %51] : (!llvm.ptr, i64, i64, i64) -> !llvm.ptr, !llvm.array<3 x array<3 x i32>>
  %56 = llvm.load %55 {alignment = 4 : i64} : !llvm.ptr -> i32
  %57 = llvm.and %56, %54 : i32
  %58 = llvm.icmp "eq" %57, %56 : i32
  %59 = llvm.select %58, %52, %2 : i1, i32
  %60 = llvm.add %51, %14 overflow<nsw, nuw> : i64
  %61 = llvm.icmp "eq" %60, %15 : i64
  llvm.cond_br %61, ^bb7, ^bb8(%60, %59 : i64, i32)
^bb9:
  llvm.store %47, %1 {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.intr.lifetime.end %18 : !llvm.ptr
  llvm.br ^bb10(%47 : i32)
^bb10(%62: i32):
  llvm.return %62 : i32
}
