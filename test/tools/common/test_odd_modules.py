"""Modules that no kernel comes from: the tools say one sentence of each, and no traceback."""

import sys
from pathlib import Path

import pytest
from mlir_gs.tools.common.command_line import UsageError
from mlir_gs.tools.run import driver

# The corpus is beside this file.
sys.path.insert(0, str(Path(__file__).parent))
from odd_modules import complaint

CASES = {
    "run": (
        *("empty", "a declaration", "a callee that is declared", "a name with a zero", "no UTF-8"),
        *("layout: index of 32", "layout: index of 0", "a constant of 2^40", "a layout of 2^63"),
    ),
    "compile": ("a name of nothing", "no UTF-8", "layout: index of 7", "a device"),
    "prove": ("f80", "a vector", "unranked"),
    "opt": ("groups of an alias", "half of bytecode", "binary", "a link to itself"),
    "lsp": ("UTF-16", "open string"),
    "python": ("npy", "a zero in the text"),
}
"""Of each kind; `odd_modules.py` gives every tool all of them."""


@pytest.mark.skipif(sys.platform == "win32", reason="tools are forked")
@pytest.mark.parametrize(
    ("tool", "name"), [(tool, name) for tool, names in CASES.items() for name in names]
)
def test_one_sentence(tool: str, name: str) -> None:
    if tool == "prove":
        pytest.importorskip("z3")
    assert not complaint(tool, name)


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
