"""What holds for all front ends: their refusals are under test."""

import inspect
import re
from pathlib import Path
from typing import Any

import pytest
from mlir_gs import dialect, frontend
from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.common.common import FrontEnd, Refusal, front_ends
from mlir_gs.frontend.dml import dialect as dml_dialect
from mlir_gs.frontend.tcp import dialect as tcp_dialect
from mlir_gs.lowering import registered_passes

HERE = Path(__file__).parent
TESTS = [path for path in HERE.rglob("*") if path.suffix in (".mlir", ".py")]
SOURCES = {"tcp": tcp_dialect, "dml": dml_dialect}
assert frontend.__all__


@pytest.mark.parametrize("front_end", front_ends(), ids=lambda f: f.pass_name)
def test_each_front_end_is_a_pass(front_end: FrontEnd) -> None:
    assert front_end.pass_name in registered_passes()
    assert front_end.conversions


def _refusals() -> dict[str, Refusal]:
    return {
        refusal.form: refusal
        for front_end in front_ends()
        for refusals in (
            front_end.refuses,
            *(conversion.refusals for conversion in front_end.conversions.values()),
        )
        for refusal in refusals
    }


@pytest.mark.parametrize("form", _refusals())
def test_each_refusal_is_tested(form: str) -> None:
    """Its message stands in some test; a regular expression may have backslashes in it."""
    literals = re.split(r"\{\w+\}", _refusals()[form].message)
    pattern = re.compile(".+".join(map(re.escape, literals)))
    assert any(pattern.search(path.read_text().replace("\\", "")) for path in TESTS)


@pytest.mark.parametrize("name", SOURCES)
def test_constraints_verifiers_and_invalid_tests_agree(name: str) -> None:
    module: Any = SOURCES[name]
    source = inspect.getsource(module)
    dialect_class = {"tcp": tcp_dialect.Tcp, "dml": dml_dialect.Dml}[name]
    documented = {
        f"{op.OPERATION_NAME.split('.')[1]}_c{number}"
        for op in dialect_class.operations
        for number in re.findall(r"- C(\d+):", op.__doc__)
    }
    checked = set(re.findall(rf"{name}_(\w+_c\d+)\b", source))
    tested = set(re.findall(r"@(\w+?_c\d+)_", (HERE / name / "invalid.mlir").read_text()))
    assert documented == checked == tested


def test_source_dialects_load_with_gs() -> None:
    """In fresh contexts, again in one that has them, and after others are gone."""
    text = """
    func.func @f(%x: tensor<3xf32>, %i: tensor<3xi64>) -> tensor<3xf32> {
      %a = "tcp.gather"(%x, %i) {dim = 0 : index}
          : (tensor<3xf32>, tensor<3xi64>) -> tensor<3xf32>
      %b = "dml.gather"(%a, %i) {axis = 0 : i32, index_dimensions = 1 : i32}
          : (tensor<3xf32>, tensor<3xi64>) -> tensor<3xf32>
      return %b : tensor<3xf32>
    }"""
    for _ in range(3):
        contexts = [dialect.context() for _ in range(2)]
        for context in contexts:
            dialect.load(context)
            with context:
                assert ir.Module.parse(text).operation.verify()
