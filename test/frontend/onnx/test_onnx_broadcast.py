"""Sizes of run time that are 1 are broadcast, as onnxruntime does."""

import mlir_gs
import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
ort = pytest.importorskip("onnxruntime")

from mlir_gs.frontend.onnx import load  # noqa: E402  (after importorskip)

FLOAT, BOOL = onnx.TensorProto.FLOAT, onnx.TensorProto.BOOL


def _model(op: str, types: list[int], sizes: list[list]) -> "onnx.ModelProto":
    helper = onnx.helper
    inputs = [
        helper.make_tensor_value_info(f"x{n}", type_, size)
        for n, (type_, size) in enumerate(zip(types, sizes, strict=True))
    ]
    node = helper.make_node(op, [each.name for each in inputs], ["y"])
    output = helper.make_tensor_value_info("y", BOOL if op == "Less" else FLOAT, None)
    graph = helper.make_graph([node], "g", inputs, [output])
    opsets = [helper.make_opsetid("", 17)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


@pytest.mark.parametrize(
    ("op", "sizes"),
    [
        ("Mul", [["n", "m"], ["p", "q"]]),
        ("Less", [["n", 3], [None, None]]),
        ("Max", [["n"], ["p", "q"], [2, "r"]]),
        ("Where", [["a", 1], ["b"], ["c", "d"]]),
    ],
)
def test_dynamic_sizes_of_1(op: str, sizes: list[list]) -> None:
    types = [BOOL if op == "Where" and not n else FLOAT for n in range(len(sizes))]
    model = _model(op, types, sizes)
    kernel = mlir_gs.compile(load(model), "main")
    session = ort.InferenceSession(model.SerializeToString())
    rng = np.random.default_rng(0)
    for ones in range(2 ** sum(map(len, sizes))):
        bits, given = iter(bin(ones | 1 << 20)[:2:-1]), {}
        for n, names in enumerate(sizes):
            places = range(2 - len(names), 2)
            shape = [
                name if isinstance(name, int) else 1 if next(bits) == "1" else (2, 3)[place]
                for place, name in zip(places, names, strict=True)
            ]
            numbers = rng.integers(0, 5, shape)
            given[f"x{n}"] = numbers > 2 if types[n] == BOOL else numbers.astype(np.float32)
        found, wanted = kernel(*given.values()), session.run(None, given)[0]
        assert np.array_equal(found, wanted), [each.shape for each in given.values()]
        assert found.shape == wanted.shape


def test_sizes_that_do_not_fit() -> None:
    kernel = mlir_gs.compile(load(_model("Mul", [FLOAT] * 2, [["n", "m"], ["p", "q"]])), "main")
    with pytest.raises(RuntimeError, match="shape does not fit dim 0 of the input"):
        kernel(np.zeros((2, 3), np.float32), np.zeros((3, 3), np.float32))
