"""The onnx package's own backend tests of gather, scatter, slice, one-hot and compress."""

import importlib
from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx")

# The modules that make the tests; each holds those of one op.
MODULES = (
    "compress",
    "gather",
    "gatherelements",
    "gathernd",
    "onehot",
    "scatter",
    "scatterelements",
    "scatternd",
    "slice",
    "tensorscatter",
)
OPS = {
    *("Compress", "Gather", "GatherElements", "GatherND", "OneHot", "Scatter", "ScatterElements"),
    *("ScatterND", "Slice", "TensorScatter"),
}


def _cases() -> dict[str, Any]:
    for name in MODULES:
        importlib.import_module(f"onnx.backend.test.case.node.{name}")
    made = importlib.import_module("onnx.backend.test.case.node")._NodeTestCases
    return {
        case.name: case
        for case in made
        if case.model is not None and {node.op_type for node in case.model.graph.node} <= OPS
    }


CASES = _cases()
PASSED: set[str] = set()

# Functions of the package written out in nodes: these ops among others, which are torch-mlir's.
FUNCTIONS = {
    "test_nllloss_NCd1_weight_ii_expanded": "negativeloglikelihoodloss",
    "test_attention_4d_causal_expanded": "attention",
    "test_rotary_embedding_interleaved_expanded": "rotaryembedding",
    "test_spacetodepth_example_expanded": "spacetodepth",
    "test_layer_normalization_2d_axis0_expanded": "layernormalization",
}


@pytest.mark.parametrize("name", sorted(CASES))
def test_backend_node(name: str) -> None:
    from onnx_harness import array, run

    case = CASES[name]
    for inputs, outputs in case.data_sets:
        found = run(case.model, [array(each) for each in inputs])
        assert len(found) == len(outputs)
        for got, wanted in zip(found, outputs, strict=True):
            np.testing.assert_array_equal(got, array(wanted), strict=True)
    PASSED.add(name)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_in_nodes(name: str) -> None:
    from onnx_harness import array, run

    importlib.import_module(f"onnx.backend.test.case.node.{FUNCTIONS[name]}")
    made = importlib.import_module("onnx.backend.test.case.node")._NodeTestCases
    (case,) = (each for each in made if each.name == name)
    assert {node.op_type for node in case.model.graph.node} & OPS
    for inputs, outputs in case.data_sets:
        found = run(case.model, [array(each) for each in inputs])
        for got, wanted in zip(found, outputs, strict=True):
            np.testing.assert_allclose(got, array(wanted), rtol=1e-4, atol=1e-5, strict=True)


def test_count(request: pytest.FixtureRequest, capsys: Any) -> None:
    """Prints how many of the package's tests ran and passed; every op is among them."""
    run = [each for each in request.session.items if each.name.startswith("test_backend_node")]
    with capsys.disabled():
        print(
            f"\nonnx backend node tests: {len(PASSED)} passed of {len(run)} run, {len(CASES)} known"
        )
    ops = {node.op_type for case in CASES.values() for node in case.model.graph.node}
    assert ops >= OPS - {"TensorScatter"}
    assert len(PASSED) == len(run)
