// Made of memory.c by `python -m mlir_gs.tools.docs.from_c` (sources 06aa05dee6d9725b).
llvm.func @__gs_alloc(%arg0: !llvm.ptr, %arg1: i64) -> (!llvm.ptr {llvm.noalias}) attributes {no_inline} {
  %0 = llvm.mlir.constant(16 : i64) : i64
  %1 = llvm.mlir.zero : !llvm.ptr
  %2 = llvm.mlir.constant(8 : i64) : i64
  %3 = llvm.add %arg1, %0 : i64
  %4 = llvm.call tail @malloc(%3) : (i64) -> !llvm.ptr
  %5 = llvm.icmp "eq" %4, %1 : !llvm.ptr
  llvm.cond_br %5, ^bb4(%1 : !llvm.ptr), ^bb1
^bb1:
  %6 = llvm.load %arg0 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.store %6, %4 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %7 = llvm.getelementptr inbounds %4[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %arg0, %7 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  llvm.store %4, %arg0 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %8 = llvm.icmp "eq" %6, %1 : !llvm.ptr
  llvm.cond_br %8, ^bb3, ^bb2
^bb2:
  %9 = llvm.getelementptr inbounds %6[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %4, %9 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  llvm.br ^bb3
^bb3:
  %10 = llvm.getelementptr %4[%0] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.br ^bb4(%10 : !llvm.ptr)
^bb4(%11: !llvm.ptr):
  llvm.return %11 : !llvm.ptr
}
llvm.func @malloc(i64) -> (!llvm.ptr {llvm.noalias})
llvm.func @__gs_free(%arg0: !llvm.ptr) attributes {no_inline} {
  %0 = llvm.mlir.zero : !llvm.ptr
  %1 = llvm.mlir.constant(-16 : i64) : i64
  %2 = llvm.mlir.constant(-8 : i64) : i64
  %3 = llvm.mlir.constant(8 : i64) : i64
  %4 = llvm.icmp "eq" %arg0, %0 : !llvm.ptr
  llvm.cond_br %4, ^bb4, ^bb1
^bb1:
  %5 = llvm.getelementptr %arg0[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %6 = llvm.load %5 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %7 = llvm.getelementptr %arg0[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %8 = llvm.load %7 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.store %6, %8 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  %9 = llvm.load %5 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %10 = llvm.icmp "eq" %9, %0 : !llvm.ptr
  llvm.cond_br %10, ^bb3, ^bb2
^bb2:
  %11 = llvm.load %7 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %12 = llvm.getelementptr inbounds %9[%3] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %11, %12 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  llvm.br ^bb3
^bb3:
  llvm.call tail @free(%5) : (!llvm.ptr) -> ()
  llvm.br ^bb4
^bb4:
  llvm.return
}
llvm.func @free(!llvm.ptr)
llvm.func @__gs_free_all(%arg0: !llvm.ptr) attributes {no_inline} {
  %0 = llvm.mlir.zero : !llvm.ptr
  %1 = llvm.load %arg0 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %2 = llvm.icmp "eq" %1, %0 : !llvm.ptr
  llvm.cond_br %2, ^bb1, ^bb2(%1 : !llvm.ptr)
^bb1:
  llvm.return
^bb2(%3: !llvm.ptr):
  %4 = llvm.load %3 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.call tail @free(%3) : (!llvm.ptr) -> ()
  %5 = llvm.icmp "eq" %4, %0 : !llvm.ptr
  llvm.cond_br %5, ^bb1, ^bb2(%4 : !llvm.ptr)
}
