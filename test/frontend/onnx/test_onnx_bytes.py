"""Nodes of bytes against onnxruntime: quantization by the range of what is there, pools."""

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")

from onnx_harness import run  # noqa: E402  (after importorskip)

INFO, PROTO = onnx.helper.make_tensor_value_info, onnx.TensorProto


def check(op: str, given: np.ndarray, kinds: list[int], sizes=None, **attributes) -> None:
    outputs = [f"y{k}" for k in range(len(kinds))]
    node = onnx.helper.make_node(op, ["x"], outputs, "node", **attributes)
    kind = onnx.helper.np_dtype_to_tensor_dtype(given.dtype)
    graph = onnx.helper.make_graph(
        [node],
        "g",
        [INFO("x", kind, given.shape if sizes is None else sizes)],
        [INFO(name, kind, None) for name, kind in zip(outputs, kinds, strict=True)],
    )
    opsets = [onnx.helper.make_opsetid("", 22)]
    model = onnx.helper.make_model(graph, opset_imports=opsets, ir_version=10)
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    for one, other in zip(run(model, [given]), session.run(None, {"x": given}), strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    "values", [[], [0.0], [0.0, -0.0], [3.0], [-2.5], [-1.0, 0.3, 7.7], [1e-30, 2e-30]], ids=str
)
def test_dynamic_quantize_linear(values):
    kinds = [PROTO.UINT8, PROTO.FLOAT, PROTO.UINT8]
    check("DynamicQuantizeLinear", np.array(values, np.float32), kinds, ["n"])


def test_dynamic_quantize_linear_of_many_and_of_one():
    kinds = [PROTO.UINT8, PROTO.FLOAT, PROTO.UINT8]
    check("DynamicQuantizeLinear", np.float32(np.random.default_rng(0).normal(size=(7, 9))), kinds)
    check("DynamicQuantizeLinear", np.array(4.5, np.float32), kinds)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8])
def test_max_pool(dtype):
    picture = np.random.default_rng(0).integers(0, 256, (1, 2, 5, 6)).astype(dtype)
    kind = onnx.helper.np_dtype_to_tensor_dtype(picture.dtype)
    pads = [1, 0, 1, 1]
    check("MaxPool", picture, [kind], kernel_shape=[2, 3], strides=[1, 2], pads=pads)
