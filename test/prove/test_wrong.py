"""Wrong rewrites are refuted by arguments that were run, and are never proved."""

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("z3")

from mlir_gs.dialect import context
from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.parse import parse
from mlir_gs.prove.compare import compare
from mlir_gs.prove.prove import functions, prove
from mlir_gs.prove.runs import outcome

WRONG = sorted((Path(__file__).parent / "Inputs" / "wrong").glob("*.mlir"))


@pytest.fixture
def pair(request: pytest.FixtureRequest) -> Iterator[tuple[ir.Module, ir.Module]]:
    before, after = request.param.read_text(encoding="utf-8").split("// -----\n")
    with context():
        yield parse(before), parse(after)


def test_there_are_enough() -> None:
    assert len(WRONG) >= 40


@pytest.mark.parametrize("pair", WRONG, ids=[path.stem for path in WRONG], indirect=True)
def test_is_refuted(pair: tuple[ir.Module, ir.Module]) -> None:
    answer = prove(*pair, "f", timeout=5)
    assert answer.status == "refuted"
    found = answer.counterexample
    # Run again, apart from what found it.
    before, after = (outcome(module, "f", found.arguments) for module in pair)
    assert str(before) == str(found.before)
    assert str(after) == str(found.after)
    assert str(before) != str(after)


@pytest.mark.parametrize("pair", WRONG, ids=[path.stem for path in WRONG], indirect=True)
def test_the_solver_alone_proves_none(pair: tuple[ir.Module, ir.Module]) -> None:
    before, after = (functions(module)["f"] for module in pair)
    assert not compare(before, after, timeout=1).proved
