"""A proof rests on nothing contradictory: what is assumed of a function can be so."""

from collections.abc import Iterator

import pytest

pytest.importorskip("z3")

import z3
from mlir_gs import dialect
from mlir_gs.prove.meaning import Meaning
from mlir_gs.prove.prove import functions, plain
from mlir_gs.prove.symbolic import reading
from pattern_files import PatternFile, pattern_files

# Files whose functions are read without upstream's passes.
# Of functions that differ in their mode, some are enough.
_EVERY = 3
FILES = [file for file in pattern_files() if "linalg." not in file.text]


@pytest.fixture
def context() -> Iterator[None]:
    with dialect.context():
        yield


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.path.stem)
def test_assumptions_can_be_met(file: PatternFile) -> None:
    if not file.is_proved:
        return
    for name, module in zip(("before", "after"), file.modules(), strict=True):
        module = plain(module)
        for entry, function in list(functions(module).items())[::_EVERY]:
            with reading(file.written()[1]):
                side = Meaning(name, function).side
            solver = z3.Solver()
            solver.set("timeout", 500)
            solver.add(*side.facts, *(event.never() for event in side.events))
            assert solver.check() != z3.unsat, f"{name} of @{entry}"
