"""Recurrent layers against onnxruntime, and the forms of them that are refused."""

from typing import Any

import numpy as np
import pytest
from mlir_gs import compile
from mlir_gs.frontend import onnx as onnx_frontend
from mlir_gs.lowering import PassFailure

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")

GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
ACTIVATIONS = {"LSTM": 3, "GRU": 2, "RNN": 1}
STEPS, BATCH, WIDTH, HIDDEN = 3, 2, 4, 5


def _arguments(op: str) -> dict[str, np.ndarray]:
    made, rows = np.random.default_rng(0), GATES[op] * HIDDEN
    shapes = [(STEPS, BATCH, WIDTH), (1, rows, WIDTH), (1, rows, HIDDEN), (1, 2 * rows)]
    return {f"x{n}": made.normal(size=s).astype(np.float32) for n, s in enumerate(shapes)}


def _model(op: str, given: dict[str, np.ndarray], known: bool = False, **attributes: Any) -> Any:
    info, to_type = onnx.helper.make_tensor_value_info, onnx.helper.np_dtype_to_tensor_dtype
    names = [f"x{n}" if f"x{n}" in given else "" for n in range(1 + max(int(k[1:]) for k in given))]
    node = onnx.helper.make_node(op, names, ["y", "h"], "node", hidden_size=HIDDEN, **attributes)
    held = {"x4"} if known else set()
    graph = onnx.helper.make_graph(
        [node],
        "g",
        [info(k, to_type(v.dtype), v.shape) for k, v in given.items() if k not in held],
        [info(k, onnx.TensorProto.FLOAT, None) for k in ("y", "h")],
        [onnx.numpy_helper.from_array(given[k], k) for k in held & set(given)],
    )
    opsets = [onnx.helper.make_opsetid("", 22)]
    return onnx.helper.make_model(graph, opset_imports=opsets, ir_version=10)


def _check(model: Any, given: dict[str, np.ndarray]) -> None:
    held = {each.name for each in model.graph.input}
    given = {name: array for name, array in given.items() if name in held}
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    found = compile(onnx_frontend.load(model), "main", threads=1)(*given.values())
    for one, other in zip(found, session.run(None, given), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("activation", ["Relu", "Sigmoid", "Tanh"])
@pytest.mark.parametrize("op", GATES)
def test_activations(op: str, activation: str) -> None:
    given = _arguments(op)
    _check(_model(op, given, activations=[activation] * ACTIVATIONS[op]), given)


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("op", GATES)
def test_lengths_of_whole_sequences(op: str, known: bool) -> None:
    given = {**_arguments(op), "x4": np.full(BATCH, STEPS, np.int32)}
    _check(_model(op, given, known), given)


@pytest.mark.parametrize("lengths", [[1, STEPS], [STEPS, 0], [STEPS, STEPS + 1]])
@pytest.mark.parametrize("op", GATES)
def test_other_lengths(op: str, lengths: list[int]) -> None:
    given = {**_arguments(op), "x4": np.array(lengths, np.int32)}
    found = onnx_frontend.load(_model(op, given))
    with pytest.raises(RuntimeError, match=f"'onnx.{op}' sequence_lens must be "):
        compile(found, "main", threads=1)(*given.values())
    told = f"input 'sequence_lens' must be {STEPS}, the length of the sequence, found "
    with pytest.raises(PassFailure, match=told):
        onnx_frontend.load(_model(op, given, True))


@pytest.mark.parametrize("op", GATES)
@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ({"clip": 0.5}, "attribute 'clip' is not supported"),
        ({"activations": ["Softsign"]}, "activation 'Softsign' is not supported"),
        ({"activations": ["tanh"]}, "activation 'tanh' is not supported"),
    ],
)
def test_refused(op: str, attributes: dict[str, Any], message: str) -> None:
    with pytest.raises(PassFailure) as refused:
        onnx_frontend.load(_model(op, _arguments(op), **attributes))
    assert f"'onnx.{op}' op " in str(refused.value)
    assert message in str(refused.value)


def test_peepholes() -> None:
    given = {**_arguments("LSTM"), "x7": np.ones((1, 3 * HIDDEN), np.float32)}
    with pytest.raises(PassFailure, match=r"'onnx.LSTM' op input 'P' is not supported"):
        onnx_frontend.load(_model("LSTM", given))
