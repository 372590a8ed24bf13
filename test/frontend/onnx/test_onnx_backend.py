"""The onnx package's own backend tests of the ops that this front end converts."""

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
    "maxunpool",
    "nonzero",
    "onehot",
    "scatter",
    "scatterelements",
    "scatternd",
    "slice",
    "tensorscatter",
    "tile",
    "unique",
)
OPS = {
    *("Compress", "Gather", "GatherElements", "GatherND", "OneHot", "Scatter", "ScatterElements"),
    *("MaxUnpool", "NonZero", "ScatterND", "Slice", "TensorScatter", "Tile", "Unique"),
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
# Why a test is not run at an older opset than its own.
LEFT_OUT: dict[str, str] = {}
EXPLICIT_SIGN = {"Gather": 11, "OneHot": 11}
"""The opsets from which on an op takes negative indices."""


def _older() -> list[tuple[str, int]]:
    """Each test again at each older version of its op; LEFT_OUT gets those that are none there."""
    import onnx

    found = []
    for name, case in CASES.items():
        op = case.model.graph.node[0].op_type
        schemas = onnx.defs.get_all_schemas_with_history()
        versions = {s.since_version for s in schemas if s.name == op and s.domain == ""}
        for version in sorted(versions):
            if version >= case.model.opset_import[0].version:
                continue
            reason = _not_then(onnx, case, op, version)
            if reason is None:
                found.append((name, version))
            else:
                LEFT_OUT[f"{name} at opset {version}"] = reason
    return found


def _at(case: Any, version: int) -> Any:
    model = type(case.model)()
    model.CopyFrom(case.model)
    model.opset_import[0].version = version
    return model


def _not_then(onnx: Any, case: Any, op: str, version: int) -> str | None:
    """Why the test is not one of an older opset; None if it is."""
    try:
        onnx.checker.check_model(_at(case, version), full_check=True)
    except Exception as error:
        lines = [line.strip() for line in str(error).splitlines()]
        return next(line for line in lines if line)
    since = EXPLICIT_SIGN.get(op, 0)
    if version < since:
        numbers = [np.asarray(each) for each in case.data_sets[0][0]]
        indices = numbers[1 if op == "Gather" else 0]
        if (indices < 0).any():
            return f"negative indices came with opset {since}"
    return None


OLDER = _older()

# Functions of the package written out in nodes: these ops among others, which are torch-mlir's.
FUNCTIONS = {
    "test_nllloss_NCd1_weight_ii_expanded": "negativeloglikelihoodloss",
    "test_attention_4d_causal_expanded": "attention",
    "test_rotary_embedding_interleaved_expanded": "rotaryembedding",
    "test_affine_grid_3d_expanded": "affinegrid",
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


@pytest.mark.parametrize(("name", "opset"), OLDER)
def test_backend_node_older(name: str, opset: int) -> None:
    from onnx_harness import array, run

    case = CASES[name]
    for inputs, outputs in case.data_sets:
        found = run(_at(case, opset), [array(each) for each in inputs])
        for got, wanted in zip(found, outputs, strict=True):
            np.testing.assert_array_equal(got, array(wanted), strict=True)
    PASSED.add(f"{name} at opset {opset}")


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
        known = f"{len(CASES)} known, and {len(OLDER)} at older opsets"
        print(f"\nonnx backend node tests: {len(PASSED)} passed of {len(run)} run; {known}")
        for name, reason in LEFT_OUT.items():
            print(f"  left out: {name}: {reason}")
    ops = {node.op_type for case in CASES.values() for node in case.model.graph.node}
    assert ops >= OPS - {"TensorScatter"}
    assert len(PASSED) == len(run)
