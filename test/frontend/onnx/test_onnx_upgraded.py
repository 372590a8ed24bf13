"""Forms of nodes that models of packages have, brought to ones that torch-mlir converts, against
ONNX Runtime."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from mlir_gs.lowering import PassFailure

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")

from onnx import TensorProto, helper, numpy_helper  # noqa: E402  (after importorskip)
from onnx_harness import run  # noqa: E402  (after importorskip)

RNG = np.random.default_rng(20261128)
X = RNG.normal(size=(2, 3, 8, 9)).astype(np.float32)
STATIC: list[Any] = [2, 3, 8, 9]
DYNAMIC: list[Any] = ["n", 3, 8, "w"]
STEPS = "attribute 'auto_pad' SAME_.+ is not supported with strides along dynamic sizes"


def _floats(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape).astype(np.float32)


def _model(
    nodes: Sequence[Any], opset: int, shape: Sequence[Any], rank: int = 4, **constants: Any
) -> Any:
    info = helper.make_tensor_value_info
    return helper.make_model(
        helper.make_graph(
            list(nodes),
            "g",
            [info("x", TensorProto.FLOAT, shape)],
            [info("y", TensorProto.FLOAT, [None] * rank)],
            [numpy_helper.from_array(np.asarray(held), name) for name, held in constants.items()],
        ),
        opset_imports=[helper.make_opsetid("", opset)],
        ir_version=8,
    )


def _check(model: Any, x: np.ndarray = X) -> None:
    session = onnxruntime.InferenceSession(model.SerializeToString())
    (wanted,) = session.run(None, {"x": x})
    (found,) = run(model, [x])
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("opset", [7, 9, 14])
def test_batch_normalization_of_old_versions(opset: int) -> None:
    scale = {name: np.abs(_floats(3)) + 1 for name in ("scale", "bias", "mean", "var")}
    node = helper.make_node("BatchNormalization", ["x", *scale], ["y"], epsilon=1e-4)
    _check(_model([node], opset, DYNAMIC, **scale))


@pytest.mark.parametrize("shape", [STATIC, DYNAMIC], ids=["static", "dynamic"])
@pytest.mark.parametrize(
    ("op", "pad"),
    [("MaxPool", "SAME_UPPER"), ("AveragePool", "SAME_LOWER"), ("Conv", "SAME_UPPER")],
)
def test_auto_pad(op: str, pad: str, shape: list[Any]) -> None:
    """By an even number of elements, which the two ends do not share; also by steps."""
    more = {"w": _floats(4, 3, 2, 3)} if op == "Conv" else {}
    for steps in ([1, 1], [2, 3]):
        node = helper.make_node(
            op, ["x", *more], ["y"], kernel_shape=[2, 3], auto_pad=pad, strides=steps
        )
        model = _model([node], 11, shape, **more)
        if steps != [1, 1] and shape is DYNAMIC:
            with pytest.raises(PassFailure, match=STEPS):
                run(model, [X])
        else:
            _check(model)


@pytest.mark.parametrize("pads", [[0, 0, 1, 1], [1, 0, 0, 2]])
def test_pads_of_maxima_of_dynamic_sizes(pads: list[int]) -> None:
    node = helper.make_node("MaxPool", ["x"], ["y"], kernel_shape=[2, 3], pads=pads)
    for opset in (8, 13):
        _check(_model([node], opset, DYNAMIC))


@pytest.mark.parametrize("mode", ["reflect", "edge", "wrap"])
@pytest.mark.parametrize("shape", [STATIC, DYNAMIC], ids=["static", "dynamic"])
def test_pad_by_elements(mode: str, shape: list[Any]) -> None:
    opset = 19 if mode == "wrap" else 13
    pads = np.array([1, 0, 3, 2, 0, 2, 0, 5])
    node = helper.make_node("Pad", ["x", "pads"], ["y"], mode=mode)
    _check(_model([node], opset, shape, pads=pads))


def test_reflection_of_too_few() -> None:
    node = helper.make_node("Pad", ["x", "pads"], ["y"], mode="reflect")
    model = _model([node], 13, ["n", 3, 8, "w"], pads=np.array([0, 0, 0, 4, 0, 0, 0, 0]))
    with pytest.raises(RuntimeError, match="dim 3 is too small to reflect"):
        run(model, [X[..., :4]])


def test_rank_of_a_reshape() -> None:
    nodes = [
        helper.make_node("Shape", ["x"], ["s"]),
        helper.make_node("Slice", ["s", "zero", "two", "zero"], ["h"]),
        helper.make_node("Concat", ["h", "rest"], ["t"], axis=0),
        helper.make_node("Reshape", ["x", "t"], ["z"]),
        helper.make_node("Relu", ["z"], ["y"]),
    ]
    for opset in (11, 13):
        _check(_model(nodes, opset, DYNAMIC, 3, zero=[0], two=[2], rest=[-1]))


def test_sizes_of_minus_one() -> None:
    _check(_model([helper.make_node("Relu", ["x"], ["y"])], 11, [-1, 3, "?", "?"]))


def test_branches_of_known_sizes() -> None:
    """Each branch squeezes a dim, as it has the size 1."""
    make, info = helper.make_node, helper.make_tensor_value_info

    def inner(op: str, name: str) -> Any:
        dim = make("Constant", [], [f"{name} dim"], value=numpy_helper.from_array(np.array([1])))
        inputs = ["x", f"{name} dim"] if op == "Squeeze" else ["x"]
        made = [dim, make(op, inputs, [name])]
        return helper.make_graph(made, name, [], [info(name, TensorProto.FLOAT, None)])

    def outer(op: str, name: str) -> Any:
        flag = make("If", ["one"], [f"{name} i"], then_branch=inner("Squeeze", f"{name} a"),
                    else_branch=inner("Identity", f"{name} b"))  # fmt: skip
        made = [flag, make(op, [f"{name} i"], [name])]
        return helper.make_graph(made, name, [], [info(name, TensorProto.FLOAT, None)])

    nodes = [
        make("Shape", ["x"], ["s"]),
        make("Gather", ["s", "second"], ["g"]),
        make("Equal", ["g", "wanted"], ["one"]),
        make("ReduceSum", ["x"], ["sum"], keepdims=0),
        make("Greater", ["sum", "none"], ["positive"]),
        make("If", ["positive"], ["y"], then_branch=outer("Exp", "c"),
             else_branch=outer("Neg", "d")),
    ]  # fmt: skip
    model = _model(nodes, 13, [3, 1], 1, second=1, wanted=1, none=np.float32(0))
    for x in (np.ones((3, 1), np.float32), -np.ones((3, 1), np.float32)):
        _check(model, x)
