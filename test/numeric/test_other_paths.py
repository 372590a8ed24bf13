"""The other ways through the lowering: to linalg, and to gs.generic and back to the named op."""

from dataclasses import replace

import pytest
from combinations import Combination, combinations
from harness import Failed, Outcome, Refused, compiled, difference, parsed, spelled
from mlir_gs import lowering
from mlir_gs.dialect._bindings import ir
from program import Program

QUICK = list(combinations(quick=True))
# A program compiles in 0.1 s or so: every seventh, which is no multiple of any group's size.
SAMPLE = [c for c in QUICK[::7] if "memref" not in c.program().text]
NAMED = ("gs.gather", "gs.scatter", "gs.gather_elements", "gs.scatter_elements")


def _through(combination: Combination, pipeline: str) -> ir.Module:
    module = parsed([combination.program()])
    lowering.run_pipeline(module, pipeline)
    return module


def _compiled(module: ir.Module, program: Program) -> Outcome:
    """What `module` gives for the arguments of `program`."""
    # As a module: a NaN of 8 bits does not parse as MLIR prints it.
    outcome = compiled(replace(program, text=module))
    assert not isinstance(outcome, (Refused, str)), f"{program.label}: {outcome}"
    return outcome


@pytest.mark.parametrize("op", sorted({c.op for c in SAMPLE}))
def test_through_linalg(op: str) -> None:
    chosen = [c for c in SAMPLE if c.op == op]
    assert len(chosen) >= 3
    for combination in chosen:
        program = combination.program()
        module = _through(combination, "gs-generalize,convert-gs-to-linalg,canonicalize,cse")
        assert '"gs.' not in str(module)
        outcome = _compiled(module, program)
        expected = spelled(program)
        if isinstance(expected, Failed):
            assert isinstance(outcome, Failed), program.label
            continue
        complaint = difference(program, outcome, expected)
        assert complaint is None, f"{program.label}: {complaint}\n{program.text}"


@pytest.mark.parametrize("op", NAMED)
def test_back_to_the_named_op(op: str) -> None:
    chosen = [c for c in QUICK[::3] if c.op == op]
    assert len(chosen) >= 20
    for combination in chosen:
        if getattr(combination.choice, "combiner", None) == "replace":
            # Comes back with an empty region, which says the same.
            continue
        named = _through(combination, "gs-check-sizes,canonicalize,cse")
        back = _through(combination, "gs-generalize,gs-specialize,canonicalize,cse")
        wanted = str(named)
        if "gather" in op:
            # `unique` of a gs.generic speaks of what is written, that of a gather of what is read.
            wanted = wanted.replace(", unique", "")
        assert str(back) == wanted


def test_slices_come_back_with_the_smallest_window() -> None:
    chosen = [c for c in QUICK[::3] if c.op == "gs.strided_slice"]
    assert len(chosen) >= 5
    for combination in chosen:
        program = combination.program()
        back = _through(combination, "gs-generalize,gs-specialize,canonicalize,cse")
        # A window is known where the size of the result is.
        assert ('"gs.strided_slice"' in str(back)) == (
            "?" not in program.text.splitlines()[0].split("->")[1]
        )
        assert difference(program, _compiled(back, program), spelled(program)) is None
