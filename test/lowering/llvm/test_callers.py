"""Which functions LLVM is told to optimize nothing in: those that only call others."""

import numpy as np
import pytest
from mlir_gs import dialect
from mlir_gs.execution import compile, entry_name, lowered
from mlir_gs.frontend.parse import parse
from mlir_gs.lowering import run_pipeline

FUNCTION = """
llvm.func @work(i64)
llvm.func @half_f16(f16)
llvm.func @half_bf16(bf16)
llvm.func @f(%n: i64, %memory: !llvm.ptr) attributes {{gs.kernel}} {{
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %two = llvm.mlir.constant(2 : i64) : i64
  omp.parallel {{
    omp.wsloop {{
      omp.loop_nest (%i) : i64 = (%zero) to ({upper}) step (%one) {{
        {each}
        omp.yield
      }}
    }}
    omp.terminator
  }}
  {after}
  llvm.return
}}
"""
CALL = "llvm.call @work(%i) : (i64) -> ()"
STORE = "llvm.store %i, %memory : i64, !llvm.ptr"


def loop(body: str) -> str:
    return f"""llvm.br ^head(%zero : i64)
^head(%k: i64):
  %more = llvm.icmp "slt" %k, %n : i64
  llvm.cond_br %more, ^body, ^end
^body:
  {body}
  %next = llvm.add %k, %one : i64
  llvm.br ^head(%next : i64)
^end:"""


HALF = """%h = llvm.mlir.constant(1.0 : {kind}) : {kind}
  llvm.call @half_{kind}(%h) : ({kind}) -> ()"""
LOOP = loop("llvm.store %k, %memory : i64, !llvm.ptr")
CALLS = loop("llvm.call @work(%k) : (i64) -> ()")


@pytest.mark.parametrize(
    ("upper", "each", "after", "only_calls"),
    [
        ("%two", CALL, "", True),
        ("%two", CALL, CALLS, True),
        ("%two", f"{STORE}\n{CALL}", "", True),
        ("%n", CALL, "", False),
        ("%two", CALL, HALF.format(kind="f16"), False),
        ("%two", CALL, HALF.format(kind="bf16"), False),
        ("%two", STORE, "", False),
        ("%two", CALL, LOOP, False),
        ("%two", f"{CALL}\n{LOOP}", "", False),
    ],
)
def test_functions(upper: str, each: str, after: str, only_calls: bool) -> None:
    text = FUNCTION.format(upper=upper, each=each, after=after)
    module = parse(text, dialect.context())
    function = module.body.operations[3]
    run_pipeline(module, "gs-leave-callers")
    assert ("optimize_none" in function.attributes) == only_calls


ROWS = """
func.func @rows(%table: tensor<?x64xf32>, %ids: tensor<?x1xi32>) -> tensor<?x64xf32> {
  %r = gs.gather %table[%ids] gather_dims([0])
      : (tensor<?x64xf32>, tensor<?x1xi32>) -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}"""
EACH = """
func.func @each(%ids: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %ids, %c0 : tensor<?xi32>
  %e = tensor.empty(%n) : tensor<?xi32>
  %r = scf.forall (%i) in (%n) shared_outs(%o = %e) -> tensor<?xi32> {
    %one = tensor.extract %ids[%i] : tensor<?xi32>
    %sum = arith.addi %one, %one : i32
    %made = tensor.from_elements %sum : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %made into %o[%i] [1] [1] : tensor<1xi32> into tensor<?xi32>
    }
  }
  return %r : tensor<?xi32>
}"""


@pytest.mark.parametrize(("text", "only_calls"), [(ROWS, True), (EACH, False)])
def test_kernels(text: str, only_calls: bool) -> None:
    module = lowered(parse(text), entry_name(parse(text)), threads=2)
    assert ("optimize_none" in str(module)) == only_calls
    assert "optimize_none" not in str(lowered(parse(text), entry_name(parse(text)), threads=1))


def test_kernel_that_shares_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its function is gone: it is a part of what calls it."""
    monkeypatch.setenv("MLIR_GS_CACHE", "off")
    text = """
func.func @f(%source: tensor<?x6xi32>) -> tensor<2x?xi32> {
  %r = gs.strided_slice %source[1, 0] [2, 3] [1, 1] : (tensor<?x6xi32>) -> tensor<2x?xi32>
  return %r : tensor<2x?xi32>
}"""
    source = np.arange(30, dtype="i4").reshape(5, 6)
    assert compile(text, threads=2)(source).tolist() == source[1:3, :3].tolist()
