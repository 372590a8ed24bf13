"""Modules that no kernel comes from: the tools say one sentence of each, and no traceback."""

from pathlib import Path

import pytest
from mlir_gs.tools.common.command_line import UsageError
from mlir_gs.tools.run import driver

FAR = "memref<4xf32, strided<[9223372036854775807], offset: 9223372036854775807>>"
MODULES = {
    "no function with a body": ("", "no func.func with a body"),
    "a declaration": ("func.func private @f()\n", "no func.func with a body"),
    "strides": (f"func.func @f(%a: {FAR}) -> {FAR} {{\n  return %a : {FAR}\n}}\n", "no memory has"),
}


@pytest.mark.parametrize("name", MODULES)
def test_one_sentence(name: str, tmp_path: Path, capfd) -> None:
    text, said = MODULES[name]
    path = tmp_path / "odd.mlir"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=said) as caught:
        driver.run([str(path)])
    assert "\n" not in str(caught.value)


def test_an_initializer_without_its_data(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    helper, types = onnx.helper, onnx.TensorProto
    dims = [1 << 40, 1 << 40]
    weights = types(name="w", data_type=types.FLOAT, dims=dims, raw_data=b"")
    graph = helper.make_graph(
        [helper.make_node("Gather", ["w", "i"], ["y"])],
        "g",
        [helper.make_tensor_value_info("i", types.INT64, [3])],
        [helper.make_tensor_value_info("y", types.FLOAT, None)],
        [weights],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    (tmp_path / "m.onnx").write_bytes(model.SerializeToString())
    with pytest.raises(UsageError, match="'w' holds 0 bytes, which do not fit its dims"):
        driver.run([str(tmp_path / "m.onnx")])
