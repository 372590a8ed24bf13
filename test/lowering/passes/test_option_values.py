"""Values of the options of all passes and pipelines that nobody wants: a sentence, or they work."""

from collections.abc import Iterator
from typing import Any

import pytest
from mlir_gs.dialect import context
from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.parse import parse
from mlir_gs.lowering import PassFailure, PipelineError, run_pipeline
from mlir_gs.lowering.passes.registry import pass_options, registered_passes, registered_pipelines

GATHER = """
func.func @rows(%t: tensor<?x64xf32>, %i: tensor<?x1xi64>) -> tensor<?x64xf32> {
  %r = gs.gather %t[%i] gather_dims([0])
      : (tensor<?x64xf32>, tensor<?x1xi64>) -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}
func.func private @sums(%t: tensor<?x64xf32>, %i: tensor<?x1xi64>, %u: tensor<?x64xf32>)
    -> tensor<?x64xf32> {
  %r = gs.scatter %u into %t[%i] scatter_dims([0]) combine(add)
      : (tensor<?x64xf32>, tensor<?x64xf32>, tensor<?x1xi64>) -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}
"""
BEFORE = {
    "convert-gs-to-scf": "gs-generalize,gs-bufferize,",
    "gs-bufferize": "gs-generalize,",
    "gs-schedule": "gs-generalize,gs-bufferize,",
    "gs-tile": "gs-generalize,",
}
NUMBERS = [0, -1, 2**31, 2**60, 2**63 - 1, 2**64]
OTHERS = ["", "1.5", "nan", "9" * 5000, "\udcff", "\0", "a b"]


def options() -> Iterator[tuple[str, str]]:
    """Passes and pipelines with an option of each."""
    for name, cls in registered_passes().items():
        for option in pass_options(cls):
            yield name, option.name
    for name, pipeline in registered_pipelines().items():
        for option in pipeline.options:
            yield name, option.name


def told(text: str) -> str:
    """The message with which a pipeline is refused, empty where it works."""
    with context() as ctx, ir.Location.unknown():
        module: Any = parse(GATHER, ctx)
        try:
            run_pipeline(module.operation, text)
        except (PipelineError, PassFailure) as error:
            return str(error)
        assert module.operation.verify()
    return ""


@pytest.mark.parametrize("name", sorted({name for name, _ in options()}))
def test_values_that_nobody_wants(name: str) -> None:
    before, after = BEFORE.get(name, ""), "(cse)" * (name == "gs-if")
    assert told(before + name + after) == ""
    for option in [option for each, option in options() if each == name]:
        for value in [*NUMBERS, *OTHERS]:
            message = told(f"{before}{name}{{{option}={value}}}{after}")
            assert "gs.generic" not in message, (option, value, message)
            # The pass, the option or the value is named in a sentence.
            words = (name, option, "option", ascii(str(value)))
            named = any(word in message for word in words)
            assert message == "" or named, (option, message)
