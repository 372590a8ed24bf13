"""Workloads of benchmarks/ on arrays whose rows lie apart: kernels choose vectors when called."""

import pytest
from harness import apart, difference
from mlir_gs import execution
from printed_roads import INPUTS, from_workload

CHOSEN = [name for name in INPUTS if name[0] in "SU"]
GROUPS = 4


@pytest.mark.parametrize("group", range(GROUPS))
def test_rows_that_lie_apart(group: int) -> None:
    for name in CHOSEN[group::GROUPS]:
        program = from_workload(name)
        kernel = execution.compile(program.text, threads=1)
        found = kernel(*map(apart, program.arguments))
        outcome = found if isinstance(found, tuple) else (found,)
        wrong = difference(program, outcome, program.spelling())
        assert wrong is None, f"{name} {program.label}: {wrong}"
