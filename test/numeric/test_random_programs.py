"""Random programs under hypothesis: a few of those that fuzz_programs.py runs by the thousand."""

import hypothesis
import numpy as np
import pytest
import small_sizes
from fuzz_programs import complaints, programs
from mlir_gs.execution import compile
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


@pytest.mark.usefixtures("loops_for_large_arrays")
@hypothesis.settings(max_examples=30, **SETTINGS)
@hypothesis.given(programs(("strategy",)))
def test_any_body_in_each_strategy(program: Program) -> None:
    """Bodies that leave out inputs or outputs: fuzz_programs.py --op strategy --small-sizes."""
    found = complaints(program)
    assert not found, found


ONE_BY_ONE = """
func.func @f(%a: tensor<index>, %b: tensor<2xindex>, %c: tensor<1x1xindex>, %d: tensor<1x1x2xf64>)
    -> tensor<1x1x2xf64> {
  %r = gs.generic (d0, d1, d2) [s0 = %a[], s1 = %b[d1], s2 = %c[d0, d2]]
      outs(%d[s1, d0, d1]) iterators(d0 = parallel, d1 = parallel, d2 = reduction)
      : (tensor<index>, tensor<2xindex>, tensor<1x1xindex>, tensor<1x1x2xf64>)
      -> tensor<1x1x2xf64> {
  ^bb0(%old: f64):
    %one = arith.constant 1.0 : f64
    gs.yield %one : f64
  }
  return %r : tensor<1x1x2xf64>
}
"""


@pytest.mark.usefixtures("loops_for_large_arrays")
@pytest.mark.parametrize("threads", [1, 2])
def test_strips_of_dims_of_size_1(threads: int) -> None:
    """A strip that begins where its view does: found by fuzz_programs.py, seed 72."""
    zeros = (np.zeros((), np.int64), np.zeros(2, np.int64), np.zeros((1, 1), np.int64))
    # d1 writes each of two elements of the last dim.
    found = compile(ONE_BY_ONE, threads=threads)(*zeros, np.zeros((1, 1, 2)))
    np.testing.assert_array_equal(found, np.ones((1, 1, 2)))


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
    assert {f"gs.{op}" for op in OPS if op != "strategy"} <= seen
    modes = {"promise_in_bounds", "clip", "fill", "drop", "fill_or_drop", "error"}
    assert modes | {"unique", "sorted", "wrap", "memref", "dynamic", "mixed", "empty"} <= seen
    assert ranks >= set(range(9))
