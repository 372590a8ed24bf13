"""What is refused, errors while a model runs, and models that cannot be read."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir
from mlir_gs.execution import CompileError
from mlir_gs.frontend import onnx as onnx_frontend
from mlir_gs.frontend.torch.vtensor import register_torch
from mlir_gs.lowering import PassFailure, run_pipeline

OTHER_DOMAIN = (
    "'nowhere.NoSuchOp' op is not supported: nothing converts operators of domain 'nowhere'"
)
DATA = "!torch.vtensor<[4,3],f32>"
TYPES = {
    "x": DATA,
    "i": "!torch.vtensor<[2,2],si64>",
    "v": "!torch.vtensor<[2],si64>",
    "one": "!torch.vtensor<[1],si64>",
    "any": "!torch.vtensor<[?],si64>",
    "c": "!torch.vtensor<[4,3],complex<f32>>",
    "bytes": "!torch.vtensor<[3,32],ui8>",
    "scales": "!torch.vtensor<[3,3],f32>",
    "nibbles": "!torch.vtensor<[4,3],si4>",
    "picture": "!torch.vtensor<[1,1,2,2],f32>",
    "places": "!torch.vtensor<[1,1,2,2],si64>",
    "none": "!torch.none",
    "less": "!torch.vtensor<[2],si64>",
}
CONSTANTS = """%none = torch.constant.none
      %less = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[-1, 2]> : tensor<2xsi64>}
          : () -> !torch.vtensor<[2],si64>"""
SQUARE = "torch.onnx.kernel_shape = [2 : si64, 2 : si64]"
# The message, the node, its inputs, its attributes.
REFUSED = {
    "axis must be in [-2, 2), found 2": ("Gather", "x i", "torch.onnx.axis = 2 : si64"),
    "needs input 1, which is left out": ("Gather", "x none", ""),
    "batch_dims must be in [0, 2), found 2": (
        "GatherND",
        "x i",
        "torch.onnx.batch_dims = 2 : si64",
    ),
    "last dimension of indices must be in [1, 2], and 1 by the ranks, found [2]": (
        "GatherND",
        "x i",
        "",
    ),
    "reduction must be none, add, mul, min or max, found 'xor'": (
        "ScatterElements",
        "x i x",
        'torch.onnx.reduction = "xor"',
    ),
    "input 0 must have elements of 8 to 32 bits, found si4": ("DequantizeLinear", "nibbles x", ""),
    "no reduction 'max' of complex<f32> elements": (
        "ScatterElements",
        "c i c",
        'torch.onnx.reduction = "max"',
    ),
    "starts, ends, axes and steps must have rank 1, found rank 2": ("Slice", "x v i", ""),
    "axes must differ, found [1, -1]": (
        "Slice",
        "x",
        "torch.onnx.starts = [0 : si64, 0 : si64], torch.onnx.ends = [1 : si64, 1 : si64], "
        "torch.onnx.axes = [1 : si64, -1 : si64]",
    ),
    "attribute 'ends' must be ints, found nothing": (
        "Slice",
        "x",
        "torch.onnx.starts = [0 : si64]",
    ),
    "attribute 'axis' must be int, found \"one\"": ("Gather", "x i", 'torch.onnx.axis = "one"'),
    "attribute 'mode' must be string, found 3 : si64": (
        "TensorScatter",
        "x x",
        "torch.onnx.mode = 3 : si64",
    ),
    "repeats must have shape [2], found [1]": ("Tile", "x one", ""),
    "repeats must be 0 or more and their result below 8796093022208 elements, found [-1, 2]": (
        "Tile",
        "x less",
        "",
    ),
    "sorted must be 0 or 1, found 2": ("Unique", "x", "torch.onnx.sorted = 2 : si64"),
    "bits must be 2, 4 or 8, found 3": (
        "GatherBlockQuantized",
        "bytes i scales",
        "torch.onnx.bits = 3 : si64",
    ),
    "block_size must be a power of 2 from 16 on, found 24": (
        "GatherBlockQuantized",
        "bytes i scales",
        "torch.onnx.block_size = 24 : si64",
    ),
    "of uint8 data gather_axis must be 0 and quantize_axis the last, found [1, 0]": (
        "GatherBlockQuantized",
        "bytes i scales",
        "torch.onnx.gather_axis = 1 : si64, torch.onnx.quantize_axis = 0 : si64",
    ),
    "scales must have shape [3, 4], a number for each block, found [3, 3]": (
        "GatherBlockQuantized",
        "bytes i scales",
        "torch.onnx.block_size = 16 : si64",
    ),
    "data must be int4, uint4 or uint8, found f32": ("GatherBlockQuantized", "x i scales", ""),
    "X must have rank 3 or more, found 2": ("MaxUnpool", "x i", SQUARE),
    "attribute 'kernel_shape' must have 2 numbers, found 1": (
        "MaxUnpool",
        "picture places",
        "torch.onnx.kernel_shape = [2 : si64]",
    ),
    "the result would have shape [1, 1, 0, -1]": (
        "MaxUnpool",
        "picture places",
        f"{SQUARE}, torch.onnx.pads = [2 : si64, 2 : si64, 1 : si64, 2 : si64]",
    ),
    "I must have the shape of X, [1, 1, 2, 2], found [2, 2]": ("MaxUnpool", "picture i", SQUARE),
    "output_shape must be 4 numbers or more in each dim, found tensor<2xi64>": (
        "MaxUnpool",
        "picture places less",
        SQUARE,
    ),
    "values must be two numbers, found tensor<2x2xi64>": ("OneHot", "i one i", ""),
    "depth must be one number in [0, 8796093022208), found a tensor of shape [2]": (
        "OneHot",
        "i v v",
        "",
    ),
    "starts, ends, axes and steps must have one length, found 2, 1": ("Slice", "x v one", ""),
    "mode must be linear or circular, found 'zigzag'": (
        "TensorScatter",
        "x x",
        'torch.onnx.mode = "zigzag"',
    ),
}


def _refusal(node: str, inputs: str, attributes: str) -> str:
    names = inputs.split()
    operands = ", ".join(f"%{name}" for name in names)
    types = ", ".join(TYPES[name] for name in names)
    arguments = ", ".join(f"%{k}: {v}" for k, v in TYPES.items() if k not in ("none", "less"))
    text = f"""
    func.func @main({arguments}) {{
      {CONSTANTS}
      %0 = torch.operator "onnx.{node}"({operands}) {{{attributes}}} : ({types}) -> {DATA}
      return
    }}"""
    context = dialect.context()
    register_torch(context)
    with context, ir.Location.unknown():
        module = ir.Module.parse(text)
        with pytest.raises(PassFailure) as raised:
            run_pipeline(module, "convert-onnx-to-gs")
    return str(raised.value).splitlines()[0]


@pytest.mark.parametrize("message", REFUSED)
def test_refused(message: str) -> None:
    node = REFUSED[message][0]
    assert f"-:6:12: error: 'onnx.{node}' op {message}" == _refusal(*REFUSED[message])


def test_step_of_zero() -> None:
    """As a constant it is refused; known at run time only, it is an error of the call."""
    pytest.importorskip("onnx")
    from onnx_harness import compiled, node_model

    inputs: dict[str, Any] = {
        "data": np.zeros((4, 3), np.float32),
        "starts": np.array([0]),
        "ends": np.array([4]),
        "axes": np.array([0]),
        "steps": np.array([0]),
    }
    model = node_model("Slice", inputs, inputs["data"], 13, constants=["axes", "steps"])
    with pytest.raises(PassFailure, match=r"'onnx.Slice' op steps must not be 0"):
        compiled(model)
    model = node_model("Slice", inputs, inputs["data"], 13, constants=["axes"])
    with pytest.raises(RuntimeError, match="the step of a slice is 0"):
        compiled(model)(*(inputs[name] for name in ("data", "starts", "ends", "steps")))


@pytest.mark.parametrize("dtype", ["i8", "f4"])
@pytest.mark.parametrize("depth", [-2, -(1 << 63), 1 << 62])
def test_depth_that_is_no_size(depth: int, dtype: str) -> None:
    """As a constant it is refused; known at run time only, it is an error of the call."""
    pytest.importorskip("onnx")
    from onnx_harness import compiled, node_model

    inputs: dict[str, Any] = {
        "indices": np.array([0]),
        "depth": np.array(depth).astype(dtype),
        "values": np.array([0, 1], np.float32),
    }
    result = np.zeros((1, 1), np.float32)
    model = node_model("OneHot", inputs, result, 11, dynamic=True, known=("depth", "values"))
    with pytest.raises(RuntimeError, match=r"'onnx\.OneHot' depth is negative or too large"):
        compiled(model)(*inputs.values())
    model = node_model("OneHot", inputs, result, 11, dynamic=True, constants=["depth"])
    with pytest.raises((PassFailure, CompileError, RuntimeError), match=r"depth|has the size -"):
        compiled(model)(inputs["indices"], inputs["values"])


def test_declared_size_that_is_not_there() -> None:
    pytest.importorskip("onnx")
    from onnx_harness import compiled, node_model

    data, condition = np.zeros((4, 3), np.float32), np.array([True, False, True, False])
    model = node_model("Compress", {"data": data, "c": condition}, data[:2], 11, axis=0)
    kernel = compiled(model)
    assert kernel(data, condition).shape == (2, 3)
    with pytest.raises(RuntimeError, match=r"'onnx\.Compress' result has another size in dim 0"):
        kernel(data, ~condition | condition)


def test_out_of_bounds() -> None:
    """An error, as ONNX has it, that names the node's place; the last valid ones are none."""
    pytest.importorskip("onnx")
    from onnx_harness import compiled, node_model

    data = np.arange(12, dtype=np.float32).reshape(4, 3)
    kernel = compiled(node_model("Gather", {"data": data, "i": np.array([0, 1])}, data[:2], 13))
    np.testing.assert_array_equal(kernel(data, np.array([-4, 3])), data[[0, 3]])
    for wrong in (-5, 4):
        with pytest.raises(IndexError, match=rf"coordinate {wrong} at position \[1"):
            kernel(data, np.array([0, wrong]))


def test_models_that_cannot_be_read(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")

    path = tmp_path / "no.onnx"
    with pytest.raises(PassFailure, match=r"no\.onnx: not an ONNX model: "):
        onnx_frontend.load(path)
    path.write_bytes(b"certainly not a model")
    with pytest.raises(PassFailure, match=r"no\.onnx: not an ONNX model: "):
        onnx_frontend.load(path)
    path.write_bytes(b"")
    with pytest.raises(PassFailure, match=r"no\.onnx: not an ONNX model: it has no graph"):
        onnx_frontend.load(path)
    with pytest.raises(TypeError, match=r"an onnx\.ModelProto, found bytes"):
        onnx_frontend.load(b"")
    node = onnx.helper.make_node("NoSuchOp", ["x"], ["y"], domain="nowhere")
    x = onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [3])
    y = onnx.helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, None)
    opsets = [onnx.helper.make_opsetid("", 13), onnx.helper.make_opsetid("nowhere", 1)]
    model = onnx.helper.make_model(
        onnx.helper.make_graph([node], "g", [x], [y]), opset_imports=opsets
    )
    with pytest.raises(PassFailure, match=OTHER_DOMAIN):
        onnx_frontend.load(model)


def test_branches_that_differ_in_rank() -> None:
    onnx = pytest.importorskip("onnx")
    helper, types = onnx.helper, onnx.TensorProto

    def branch(name: str, shape: list[int]) -> object:
        made = helper.make_tensor_value_info(name, types.FLOAT, shape)
        filled = helper.make_tensor(f"{name}_shape", types.INT64, [len(shape)], shape)
        nodes = [
            helper.make_node("Constant", [], [f"{name}_s"], value=filled),
            helper.make_node("ConstantOfShape", [f"{name}_s"], [name]),
        ]
        return helper.make_graph(nodes, name, [], [made])

    chosen = {"then_branch": branch("a", [3]), "else_branch": branch("b", [2, 3])}
    graph = helper.make_graph(
        [helper.make_node("If", ["c"], ["y"], **chosen)],
        "g",
        [helper.make_tensor_value_info("c", types.BOOL, [])],
        [helper.make_tensor_value_info("y", types.FLOAT, None)],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    with pytest.raises(PassFailure, match=r"no rank is known for 'y', a result of 'onnx\.If': "):
        onnx_frontend.load(model)
