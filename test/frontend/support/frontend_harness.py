"""Runs a function through a front end: by the reference and compiled, against NumPy's result."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from mlir_gs import dialect, execution, frontend
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference import run as reference_run
from mlir_gs.lowering import run_pipeline

__all__ = ["check", "converted", "results"]


def converted(text: str, pipeline: str) -> Any:
    """The module of `text` after `pipeline`, in a context of its own."""
    assert frontend.__all__  # Its passes are registered.
    with dialect.context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        run_pipeline(module, pipeline)
        return module


def results(module: Any, arguments: Sequence[Any], entry: str | None = None) -> Any:
    """(compiled, referenced): what function `entry` returns on copies of `arguments`."""
    kernel = execution.compile(module, entry)
    compiled = kernel(*(argument.copy() for argument in arguments))
    compiled = compiled if isinstance(compiled, (tuple, list)) else (compiled,)
    compiled = tuple(np.array(array) for array in compiled)
    copies = [argument.copy() for argument in arguments]
    # The reference interprets linalg.generic; upstream says what the named ops mean.
    run_pipeline(module, "func.func(linalg-generalize-named-ops)")
    return compiled, reference_run.run(module, entry, copies)


def check(
    text: str,
    pipeline: str,
    arguments: Sequence[np.ndarray | np.generic],
    *expected: np.ndarray,
    entry: str | None = None,
) -> None:
    """Compiled code and reference give exactly `expected`, bit for bit."""
    for found in results(converted(text, pipeline), arguments, entry):
        assert len(found) == len(expected)
        for array, wanted in zip(found, expected, strict=True):
            np.testing.assert_array_equal(array, wanted, strict=True)
