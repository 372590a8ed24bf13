"""Parallel regions that wait once."""

import pytest
from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir
from mlir_gs.execution.rewrites.joins import join_once

LOOP = """
omp.wsloop {reduction} {{
  omp.loop_nest (%i) : i64 = (%zero) to (%n) step (%one) {{
    llvm.call @work(%i) : (i64) -> ()
    omp.yield
  }}
}}
"""
REGION = """
omp.declare_reduction @add : i64 init {{
^bb0(%a: i64):
  %c = llvm.mlir.constant(0 : i64) : i64
  omp.yield(%c : i64)
}} combiner {{
^bb0(%a: i64, %b: i64):
  %c = llvm.add %a, %b : i64
  omp.yield(%c : i64)
}}
llvm.func @work(i64)
llvm.func @f(%n: i64, %sum: !llvm.ptr) {{
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  omp.parallel {{
    {body}
    omp.terminator
  }}
  llvm.return
}}
"""
PLAIN = LOOP.format(reduction="")
REDUCES = LOOP.format(reduction="reduction(@add %sum -> %each : !llvm.ptr)")
CALL = "llvm.call @work(%zero) : (i64) -> ()"
STACK = "%s = llvm.intr.stacksave : !llvm.ptr"
RESTORED = "llvm.intr.stackrestore %s : !llvm.ptr"


@pytest.mark.parametrize(
    ("body", "waits"),
    [
        (PLAIN, [False]),
        (STACK + PLAIN + RESTORED, [False]),
        (CALL + PLAIN, [False]),
        (PLAIN + CALL, [True]),
        (PLAIN + PLAIN, [True, False]),
        (REDUCES, [True]),
        (f"llvm.br ^next\n^next:\n{PLAIN}", [False]),
        (f"{PLAIN}llvm.br ^next\n^next:\n{CALL}", [True]),
    ],
)
def test_loops_that_nothing_follows(body: str, waits: list[bool]) -> None:
    with dialect.context(), ir.Location.unknown():
        module = ir.Module.parse(REGION.format(body=body))
        join_once(module)
        module.operation.verify()
        lines = [line for line in str(module).splitlines() if "omp.wsloop" in line]
        assert ["nowait" not in line for line in lines] == waits
