"""Strategies that are left out: the loops are others, the results are the same."""

import re
from pathlib import Path

import numpy as np
import pytest
from mlir_gs import dialect, execution
from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.parse import ParseError, parse
from mlir_gs.lowering import PassFailure, run_pipeline
from mlir_gs.lowering.scf.table import STRATEGIES

INPUTS = sorted(Path(__file__).parent.rglob("*.mlir"))
TARGETS = ("generic", "emerald-rapids", "zen5", "tiny")
ADD = """
func.func @f(%updates: tensor<?x{row}xf32>, %dest: tensor<?x{row}xf32>, %i: tensor<?x1xi64>)
    -> tensor<?x{row}xf32> {{
  %r = gs.scatter %updates into %dest[%i] scatter_dims([0]) mode(drop) combine(add)
      : (tensor<?x{row}xf32>, tensor<?x{row}xf32>, tensor<?x1xi64>) -> tensor<?x{row}xf32>
  return %r : tensor<?x{row}xf32>
}}"""
TAKE = """
func.func @f(%table: tensor<?x{row}xf32>, %i: tensor<?x1xi64>) -> tensor<?x{row}xf32> {{
  %r = gs.gather %table[%i] gather_dims([0]) mode(fill)
      : (tensor<?x{row}xf32>, tensor<?x1xi64>) -> tensor<?x{row}xf32>
  return %r : tensor<?x{row}xf32>
}}"""


def loops(text: str, target: str) -> str | None:
    with dialect.context() as context, ir.Location.unknown():
        context.allow_unregistered_dialects = True
        try:
            module = parse(text, context)
            steps = f"convert-gs-to-scf{{threads=2 target={{{target}}}}}"
            run_pipeline(module, f"{steps},gs-prefetch{{target={{{target}}}}}")
        except (ParseError, PassFailure):
            # It shows a diagnostic, or is for another pass.
            return None
        return str(module)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_each_strategy_can_be_left_out(strategy: str) -> None:
    """Some lit input of its has other loops without it."""
    words = set(re.split("-", strategy))
    for path in sorted(INPUTS, key=lambda path: not words & set(re.split("[-.]", path.name))):
        for text in path.read_text(encoding="utf-8").split("// -----"):
            for target in TARGETS:
                usual = loops(text, target)
                if usual is not None and usual != loops(text, f"{target}:disable={strategy}"):
                    return
    pytest.fail(f"no input has other loops without '{strategy}'", pytrace=False)


@pytest.mark.parametrize("strategy", [*STRATEGIES, ",".join(STRATEGIES)])
def test_results_are_the_same(strategy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    places = rng.integers(-1, 41, (3000, 1))
    for row in (1, 24):
        table = rng.standard_normal((40, row)).astype(np.float32)
        updates = rng.standard_normal((3000, row)).astype(np.float32)
        inside = (places[:, 0] >= 0) & (places[:, 0] < 40)
        taken = np.full((3000, row), np.nan, np.float32)
        taken[inside] = table[places[inside, 0]]
        added = table.copy()
        np.add.at(added, places[inside, 0], updates[inside])
        for target in ("native", "tiny"):
            monkeypatch.setenv("MLIR_GS_TARGET", f"{target}:disable={strategy}")
            take = execution.compile(TAKE.format(row=row), threads=2)
            add = execution.compile(ADD.format(row=row), threads=2)
            np.testing.assert_array_equal(take(table, places), taken)
            np.testing.assert_array_equal(add(updates, table, places), added)
