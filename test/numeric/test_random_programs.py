"""Random programs under hypothesis: a few of those that fuzz_programs.py runs by the thousand."""

import hypothesis
import pytest
import small_sizes
from fuzz_programs import complaints, programs
from program import Program
from random_programs import OPS

SETTINGS = {
    "deadline": None,
    "derandomize": True,
    "database": None,
    "suppress_health_check": list(hypothesis.HealthCheck),
    "print_blob": False,
}


@hypothesis.settings(max_examples=400, **SETTINGS)
@hypothesis.given(programs())
def test_reference_against_numpy(program: Program) -> None:
    found = complaints(program, reference_only=True)
    assert not found, found


@hypothesis.settings(max_examples=100, **SETTINGS)
@hypothesis.given(programs())
def test_compiled_against_reference_and_numpy(program: Program) -> None:
    found = complaints(program)
    assert not found, found


@pytest.fixture
def loops_for_large_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    """They run on small ones, too."""
    monkeypatch.setenv("MLIR_GS_CACHE", "off")
    small_sizes.apply(monkeypatch.setattr)


@pytest.mark.usefixtures("loops_for_large_arrays")
@hypothesis.settings(max_examples=100, **SETTINGS)
@hypothesis.given(programs())
def test_loops_for_large_arrays(program: Program) -> None:
    found = complaints(program)
    assert not found, found


def test_random_programs_reach_all_there_is() -> None:
    """A few hundred programs meet every op, mode, sizes form and rank."""
    seen: set[str] = set()
    ranks: set[int] = set()

    @hypothesis.settings(max_examples=1500, phases=[hypothesis.Phase.generate], **SETTINGS)
    @hypothesis.given(programs())
    def look(program: Program) -> None:
        seen.update({program.op, *program.label.replace("/", " ").split()})
        ranks.update(argument.ndim for argument in program.arguments)
        if any(0 in argument.shape for argument in program.arguments):
            seen.add("empty")

    look()
    assert {f"gs.{op}" for op in OPS} <= seen
    modes = {"promise_in_bounds", "clip", "fill", "drop", "fill_or_drop", "error"}
    assert modes | {"unique", "sorted", "wrap", "memref", "dynamic", "mixed", "empty"} <= seen
    assert ranks >= set(range(9))
