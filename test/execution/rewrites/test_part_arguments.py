"""Parts of a kernel take of memrefs what they use, and calls pass that."""

import pytest
from mlir_gs.dialect._bindings import ir
from mlir_gs.execution.rewrites.part_arguments import drop_unused, pass_kept
from mlir_gs.execution.rewrites.parts import Part, mark_parts

ONE = "!llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>"
TEXT = f"""
llvm.func @part(%allocation: !llvm.ptr, %pointer: !llvm.ptr, %offset: i64, %size: i64,
    %stride: i64, %number: i64) attributes {{no_inline}} {{
  %0 = llvm.mlir.poison : {ONE}
  %1 = llvm.insertvalue %allocation, %0[0] : {ONE}
  %2 = llvm.insertvalue %pointer, %1[1] : {ONE}
  %3 = llvm.insertvalue %offset, %2[2] : {ONE}
  %4 = llvm.insertvalue %size, %3[3, 0] : {ONE}
  %5 = llvm.insertvalue %stride, %4[4, 0] : {ONE}
  READ
  llvm.return
}}
llvm.func @around(%allocation: !llvm.ptr, %pointer: !llvm.ptr, %offset: i64, %size: i64,
    %stride: i64, %number: i64) {{
  llvm.call @part(%allocation, %pointer, %offset, %size, %stride, %number)
      : (!llvm.ptr, !llvm.ptr, i64, i64, i64, i64) -> ()
  llvm.return
}}
"""
SOME = f"""
  %6 = llvm.extractvalue %5[1] : {ONE}
  %7 = llvm.extractvalue %5[3, 0] : {ONE}
  llvm.store %7, %6 : i64, !llvm.ptr
"""
ALL = f"""
  %6 = llvm.extractvalue %5[1] : {ONE}
  llvm.store %5, %6 : {ONE}, !llvm.ptr
"""


@pytest.mark.parametrize(
    ("read", "ranks", "wanted"),
    [
        (SOME, (1, None), [1, 3, 5]),
        ("", (1, None), [5]),
        # The whole descriptor goes somewhere.
        (ALL, (1, None), [0, 1, 2, 3, 4, 5]),
        # Not what a memref of this rank becomes.
        (SOME, (2, None), [0, 1, 2, 3, 4, 5]),
    ],
    ids=["some", "none", "all", "other"],
)
def test_what_is_left(read: str, ranks: tuple[int | None, ...], wanted: list[int]) -> None:
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.parse(TEXT.replace("READ", read))
        found = [Part("part", ranks, frozenset([0]))]
        mark_parts(module, found)
        kept = drop_unused(module, found)
        pass_kept(module, kept)
        assert module.operation.verify()
        part, around = module.body.operations
        kinds = [str(argument.type) for argument in part.regions[0].blocks[0].arguments]
        pointers = [number < 2 for number in wanted]
        assert kinds == ["!llvm.ptr" if is_pointer else "i64" for is_pointer in pointers]
        (call,) = (op for op in around.regions[0].blocks[0] if op.operation.name == "llvm.call")
        numbers = [ir.BlockArgument(operand).arg_number for operand in call.operands]
        assert numbers == wanted
        assert ("llvm.noalias" in str(part)) is (ranks[0] == 1 and 1 in wanted)
