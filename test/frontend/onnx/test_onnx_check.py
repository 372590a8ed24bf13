"""Models whose nodes are not as their operators are defined, models with functions of their own,
and constants that end the process in shape inference."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from mlir_gs.frontend import onnx as onnx_frontend
from mlir_gs.lowering import PassFailure

onnx = pytest.importorskip("onnx")

FLOAT, INT64, STRING = onnx.TensorProto.FLOAT, onnx.TensorProto.INT64, onnx.TensorProto.STRING
make_node, make_attribute = onnx.helper.make_node, onnx.helper.make_attribute


def _attributes(node: Any, *more: Any) -> Any:
    node.attribute.extend(more)
    return node


def _text(name: str, held: bytes) -> Any:
    return onnx.AttributeProto(name=name, type=onnx.AttributeProto.STRING, s=held)


AXIS = make_attribute("axis", 1)
# What is said of the node, and the node: its inputs are x, of floats, and i, of integers.
WRONG: dict[str, Any] = {
    "'onnx.Gather' op attribute 'axis' must be of kind INT, found STRING": make_node(
        "Gather", ["x", "i"], ["y"], axis="one"
    ),
    "'onnx.Gather' op attribute 'axis' must be of kind INT, found INTS": make_node(
        "Gather", ["x", "i"], ["y"], axis=[1]
    ),
    "'onnx.Concat' op needs attribute 'axis'": make_node("Concat", ["x", "x"], ["y"]),
    "'onnx.Gather' op has no attribute 'axes'": make_node("Gather", ["x", "i"], ["y"], axes=[1]),
    "'onnx.Gather' op has attribute 'axis' twice": _attributes(
        make_node("Gather", ["x", "i"], ["y"]), AXIS, AXIS
    ),
    "'onnx.TopK' op attribute 'sorted' must be 0 or 1, found -1": make_node(
        "TopK", ["x", "i"], ["y", "k"], sorted=-1
    ),
    "'onnx.Resize' op attribute 'mode' must be nearest or linear or cubic, found odd": make_node(
        "Resize", ["x", "", "x"], ["y"], mode="odd"
    ),
    "'onnx.Conv' op attribute 'group' must be 1 or more, found 0": make_node(
        "Conv", ["x", "x"], ["y"], group=0
    ),
    "'onnx.Gemm' op attribute 'alpha' must be other than 0, found 0.0": make_node(
        "Gemm", ["x", "x"], ["y"], alpha=0.0
    ),
    "'onnx.Resize' op attribute 'coordinate_transformation_mode' must be half_pixel or": make_node(
        "Resize", ["x", "", "x"], ["y"], coordinate_transformation_mode="nonsense"
    ),
    "'onnx.TopK' op attribute 'largest' must be 0 or 1, found 2": make_node(
        "TopK", ["x", "i"], ["y", "k"], largest=2
    ),
    "'onnx.ScatterND' op attribute 'reduction' is not UTF-8": _attributes(
        make_node("ScatterND", ["x", "i", "x"], ["y"]), _text("reduction", b"\xff\xfe")
    ),
    "'onnx.Gather' op must have 2 to 2 inputs, found 1": make_node("Gather", ["x"], ["y"]),
    "'onnx.Gather' op must have 2 to 2 inputs, found 3": make_node(
        "Gather", ["x", "i", "i"], ["y"]
    ),
    "'onnx.Gather' op needs input 'data'": make_node("Gather", ["", "i"], ["y"]),
    "'onnx.Gather' op input 'indices' must have elements of int32, int64, found float": make_node(
        "Gather", ["x", "x"], ["y"]
    ),
    "'onnx.ScatterND' op input 'updates' must have elements of float, found int64": make_node(
        "ScatterND", ["x", "i", "i"], ["y"]
    ),
    "'onnx.TensorScatter' op is no operator of domain 'ai.onnx' at version 20 that is known": (
        make_node("TensorScatter", ["x", "x"], ["y"])
    ),
    "'nowhere.Gather' op is no operator of domain 'nowhere' at version 1 that is known": make_node(
        "Gather", ["x", "i"], ["y"], domain="nowhere"
    ),
    "'com.microsoft.Unique' op is no operator of domain 'com.microsoft' at version 1": make_node(
        "Unique", ["x"], ["y"], domain="com.microsoft"
    ),
    "op is of domain 'elsewhere', of which the model imports no operator set": make_node(
        "Gather", ["x", "i"], ["y"], domain="elsewhere"
    ),
}


def _model(nodes: list[Any], functions: Sequence[Any] = ()) -> Any:
    info = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph(
        nodes,
        "g",
        [info("x", FLOAT, [4, 3]), info("i", INT64, [2, 1]), info("c", onnx.TensorProto.BOOL, [])],
        [info("y", FLOAT, ["a", "b"])],
    )
    opsets = [("", 20), ("nowhere", 1), ("com.microsoft", 1), ("mine", 1)]
    made = [onnx.helper.make_opsetid(*each) for each in opsets]
    return onnx.helper.make_model(graph, opset_imports=made, functions=list(functions))


def _alone(node: Any) -> Any:
    return _model([node])


def _in_a_branch(node: Any) -> Any:
    info = onnx.helper.make_tensor_value_info("y", FLOAT, ["a", "b"])
    branches = {
        name: onnx.helper.make_graph([held], name, [], [info])
        for name, held in (
            ("then_branch", node),
            ("else_branch", make_node("Identity", ["x"], ["y"])),
        )
    }
    return _model([make_node("If", ["c"], ["y"], **branches)])


def _in_a_function(node: Any) -> Any:
    opsets = [onnx.helper.make_opsetid(*each) for each in (("", 20), ("nowhere", 1))]
    opsets.append(onnx.helper.make_opsetid("com.microsoft", 1))
    made = onnx.helper.make_function("mine", "F", ["x", "i"], ["y"], [node], opsets)
    return _model([make_node("F", ["x", "i"], ["y"], domain="mine")], [made])


@pytest.mark.parametrize("around", [_alone, _in_a_branch, _in_a_function])
@pytest.mark.parametrize("message", WRONG)
def test_wrong_nodes(message: str, around: Callable[[Any], Any]) -> None:
    with pytest.raises(PassFailure) as raised:
        onnx_frontend.load(around(WRONG[message]))
    (line,) = {each for each in str(raised.value).splitlines() if message in each}
    assert ": error: " in line


def test_text() -> None:
    info = onnx.helper.make_tensor_value_info
    node = make_node("StringConcat", ["x", "x"], ["y"])
    graph = onnx.helper.make_graph([node], "g", [info("x", STRING, [2])], [info("y", STRING, [2])])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 20)])
    with pytest.raises(PassFailure, match=r"'onnx\.StringConcat' op is not supported"):
        onnx_frontend.load(model)


def _of_type(kind: int, node: Any) -> Any:
    info = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph(
        [node], "g", [info("x", kind, [1, 2, 4])], [info("y", kind, None)]
    )
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 25)])


def test_elements_that_the_importer_does_not_know() -> None:
    model = _of_type(onnx.TensorProto.INT2, make_node("Identity", ["x"], ["y"]))
    with pytest.raises(PassFailure, match=r"'onnx\.Identity' op has elements of int2"):
        onnx_frontend.load(model)


def test_negative_sizes() -> None:
    model = _of_type(FLOAT, make_node("Identity", ["x"], ["y"]))
    model.graph.input[0].type.tensor_type.shape.dim[1].dim_value = -3
    message = r"'x', a result of the model, would have sizes \[1, -3, 4\]"
    with pytest.raises(PassFailure, match=message):
        onnx_frontend.load(model)


def test_domains_that_nothing_converts() -> None:
    node = make_node("Binarizer", ["x"], ["y"], domain="ai.onnx.ml")
    model = _of_type(FLOAT, node)
    del model.opset_import[:]
    model.opset_import.append(onnx.helper.make_opsetid("ai.onnx.ml", 5))
    message = r"is not supported: nothing converts operators of domain 'ai\.onnx\.ml'"
    with pytest.raises(PassFailure, match=message):
        onnx_frontend.load(model)


def test_rotary_embedding() -> None:
    model = _of_type(FLOAT, make_node("RotaryEmbedding", ["x", "x", "x"], ["y"]))
    message = "is not supported: torch-mlir takes it for com.microsoft's"
    with pytest.raises(PassFailure, match=message):
        onnx_frontend.load(model)


@pytest.mark.parametrize("count", [0, 2, 5])
def test_factors_of_pictures(count: int) -> None:
    """torch-mlir would read behind them."""
    model = _of_type(FLOAT, make_node("Upsample", ["x", "f"], ["y"]))
    model.opset_import[0].version = 9
    scales = np.ones(count, np.float32)
    model.graph.initializer.append(onnx.numpy_helper.from_array(scales, "f"))
    with pytest.raises(PassFailure, match=r"Upsample|input 'scales' must have 3 numbers, found "):
        onnx_frontend.load(model)


def test_functions_of_the_model() -> None:
    from onnx_harness import compiled

    opsets = [onnx.helper.make_opsetid("", 20)]
    nodes = [
        make_node("Squeeze", ["i"], ["flat"]),
        make_node("Gather", ["x", "flat"], ["y"]),
    ]
    made = onnx.helper.make_function("mine", "F", ["x", "i"], ["y"], nodes, opsets)
    model = _model([make_node("F", ["x", "i"], ["y"], domain="mine")], [made])
    x, i = np.arange(12, dtype=np.float32).reshape(4, 3), np.array([[3], [-4]])
    np.testing.assert_array_equal(compiled(model)(x, i, np.array(True)), x[[3, 0]])


@pytest.mark.parametrize("step", [(1 << 63) - 1, -(1 << 63), 1 << 31, 1 << 32, -(1 << 40)])
@pytest.mark.parametrize("length", [0, 1, 10])
def test_far_steps(step: int, length: int) -> None:
    """Shape inference of the onnx package would not come back from these constants."""
    from onnx_harness import compiled, node_model

    start, end = (length, -(1 << 63)) if step < 0 else (0, (1 << 63) - 1)
    data = np.arange(length)
    inputs = {
        "data": data,
        **{f"c{k}": np.array([held]) for k, held in enumerate((start, end, 0, step))},
    }
    wanted = data[start:end:step]
    model = node_model("Slice", inputs, wanted, 13, constants=list(inputs)[1:])
    np.testing.assert_array_equal(compiled(model)(data), wanted)
