"""Sanitized code against the reference: it raises exactly where a promise is broken."""

import hypothesis
import numpy as np
from draw import HypothesisDraw
from harness import difference
from hypothesis import strategies as st
from mlir_gs import execution
from planted_faults import Spoilt, spoilt_program

SETTINGS = {
    "deadline": None,
    "derandomize": True,
    "database": None,
    "suppress_health_check": list(hypothesis.HealthCheck),
    "print_blob": False,
}


@st.composite
def spoilt(draw: st.DrawFn) -> Spoilt:
    return spoilt_program(HypothesisDraw(draw))


def complaint(case: Spoilt) -> str:
    """What is wrong with how sanitized code treats a case; empty if nothing is."""
    kernel = execution.compile(case.program.text, threads=1, sanitize=True)
    arguments = [argument.copy() for argument in case.arguments]
    try:
        results = kernel(*arguments)
        results = results if isinstance(results, tuple) else (results,)
    except IndexError as error:
        if not case.broken:
            return f"false alarm: {error}"
        if f":{case.place}: 'gs." not in str(error):
            return f"wrong place, not {case.place}: {error}"
        if not all(
            np.array_equal(a.view(np.uint8) if a.ndim else a, b.view(np.uint8) if b.ndim else b)
            for a, b in zip(arguments, case.left, strict=True)
        ):
            return f"an argument was written before: {error}"
        return ""
    if case.broken:
        return f"not caught: {case.broken}"
    if case.program.written:
        results = tuple(arguments[n] for n in case.program.written)
    return difference(case.program, results, case.results) or ""


def text_of(case: Spoilt, found: str) -> str:
    arguments = "".join(f"\n  {argument!r}" for argument in case.arguments)
    return f"{found}\n{case.program.text}arguments:{arguments}"


@hypothesis.settings(max_examples=80, **SETTINGS)
@hypothesis.given(spoilt())
def test_every_broken_promise_is_caught_and_nothing_else(case: Spoilt) -> None:
    found = complaint(case)
    assert not found, text_of(case, found)
