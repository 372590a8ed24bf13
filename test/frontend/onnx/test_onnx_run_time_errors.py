"""Coordinates out of bounds are reported by the names of ONNX's ops and nodes."""

import numpy as np
import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from onnx_harness import compiled, node_model

DATA, UPDATES = np.ones((3, 2), np.float32), np.ones((1, 2), np.float32)
CASES = {
    "Gather": ({"data": DATA, "indices": np.array([1])}, UPDATES),
    "GatherND": ({"data": DATA, "indices": np.array([[1]])}, UPDATES),
    "GatherElements": ({"data": DATA, "indices": np.array([[1, 0]])}, UPDATES),
    "ScatterND": ({"data": DATA, "indices": np.array([[1]]), "updates": UPDATES}, DATA),
    "ScatterElements": ({"data": DATA, "indices": np.array([[1, 0]]), "updates": UPDATES}, DATA),
}


@pytest.mark.parametrize("op", CASES)
def test_the_op_of_onnx_is_named(op: str) -> None:
    inputs, result = CASES[op]
    kernel = compiled(node_model(op, inputs, result, 18))
    kernel(*inputs.values())
    wrong = {**inputs, "indices": inputs["indices"] + 7}
    message = rf"'onnx.{op}' op, into dimension 0 of 'operand #0': coordinate [78] at .* size 3"
    with pytest.raises(IndexError, match=message):
        kernel(*wrong.values())
