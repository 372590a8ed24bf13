"""Products whose factors have more than two dims, or dims that are broadcast at run time."""

from typing import Any

import mlir_gs
import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
ort = pytest.importorskip("onnxruntime")

from mlir_gs.frontend.onnx import load  # noqa: E402  (after importorskip)
from mlir_gs.lowering import PassFailure  # noqa: E402  (as above)

P = onnx.TensorProto
SCALE = onnx.numpy_helper.from_array(np.float32(0.3), "s")
POINT = onnx.numpy_helper.from_array(np.uint8(3), "z")
INPUTS = {
    "MatMul": ("x", "w"),
    "MatMulInteger": ("x", "w", "z", "z"),
    "QLinearMatMul": ("x", "s", "z", "w", "s", "z", "s", "z"),
    "Gemm": ("x", "w", "c"),
}


def model(op: str, sizes: list[list], held: list, **attributes: Any) -> "onnx.ModelProto":
    helper, kind = onnx.helper, P.FLOAT if op in ("MatMul", "Gemm") else P.UINT8
    names = [name for name in dict.fromkeys(INPUTS[op]) if name not in "sz"]
    pairs = zip(names, sizes, strict=True)
    inputs = [helper.make_tensor_value_info(name, kind, size) for name, size in pairs]
    node = helper.make_node(op, INPUTS[op], ["y"], **attributes)
    output = helper.make_tensor_value_info("y", P.INT32 if op == "MatMulInteger" else kind, None)
    graph = helper.make_graph([node], "g", inputs, [output], held)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)


def check(made: "onnx.ModelProto", shapes: list[list[tuple]], kind: type) -> None:
    kernel = mlir_gs.compile(load(made), "main")
    session = ort.InferenceSession(made.SerializeToString(), providers=["CPUExecutionProvider"])
    rng = np.random.default_rng(3)
    for each in shapes:
        arrays = [rng.integers(0, 9, shape).astype(kind) for shape in each]
        feed = {given.name: a for given, a in zip(made.graph.input, arrays, strict=True)}
        wanted = session.run(None, feed)[0]
        found = np.asarray(kernel(*arrays))
        assert found.shape == wanted.shape
        assert (found == wanted).all()


BATCHES = [[(1, 2, 3), (3, 3, 2)], [(3, 2, 3), (1, 3, 2)], [(0, 2, 3), (1, 3, 2)]]


@pytest.mark.parametrize("op", ["MatMul", "MatMulInteger", "QLinearMatMul"])
def test_batches_of_unknown_sizes(op: str) -> None:
    kind = np.float32 if op == "MatMul" else np.uint8
    held = {"MatMul": [], "MatMulInteger": [POINT]}.get(op, [SCALE, POINT])
    check(model(op, [["b", "n", "k"], ["c", "k", "m"]], held), BATCHES, kind)


@pytest.mark.parametrize(
    "shapes", [[(2, 2, 3), (3, 2)], [(1, 2, 3), (4, 3, 2)], [(2, 2, 2, 3), (2, 2, 3, 2)]]
)
def test_quantized_products_of_more_dims(shapes: list[tuple]) -> None:
    sizes = [list(shape) for shape in shapes]
    check(model("QLinearMatMul", sizes, [SCALE, POINT]), [shapes], np.uint8)


def test_quantized_products_of_rows_are_refused() -> None:
    scale = onnx.numpy_helper.from_array(np.ones(2, np.float32), "s")
    with pytest.raises(PassFailure, match="input 'a_scale' must have one element"):
        load(model("QLinearMatMul", [[2, 2, 3], [2, 3, 2]], [scale, POINT]))


@pytest.mark.parametrize("beta", [1.0, 2.0])
def test_what_gemm_adds_has_unknown_sizes(beta: float) -> None:
    made = model("Gemm", [["n", "k"], ["m", "k"], ["p", "q"]], [], transB=1, alpha=3.0, beta=beta)
    ends = [(1, 4), (2, 4), (2, 1), (1, 1)]
    check(made, [[(2, 3), (4, 3), end] for end in ends], np.float32)


@pytest.mark.parametrize("sizes", [[[2, 3], [3, 4]], [["n", "k"], ["k", "m"]]])
def test_gemm_that_adds_nothing_has_its_factor(
    sizes: list[list], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(INPUTS, "Gemm", ("x", "w"))
    check(model("Gemm", sizes, [], alpha=3.0), [[(2, 3), (3, 4)]], np.float32)


@pytest.mark.parametrize("op", ["MatMul", "MatMulInteger"])
@pytest.mark.parametrize(
    "shapes",
    [
        [(2, 1, 2, 4), (1, 3, 4, 5)],
        [(4,), (2, 3, 4, 5)],
        [(2, 3, 4, 5), (5,)],
        [(3, 2, 4), (2, 3, 4, 1)],
    ],
)
def test_integers_of_unknown_sizes(op: str, shapes: list) -> None:
    sizes = [[f"{n}_{d}" for d in range(len(shape))] for n, shape in enumerate(shapes)]
    if op == "MatMulInteger":
        check(model(op, sizes, [POINT]), [shapes], np.uint8)
        return
    made = model(op, sizes, [])
    for value in (*made.graph.input, *made.graph.output):
        value.type.tensor_type.elem_type = P.INT32
    check(made, [shapes], np.int32)


def test_einsum_of_dynamic_dims_with_nothing_to_contract() -> None:
    helper, kind = onnx.helper, onnx.TensorProto.FLOAT
    given = {"x": np.ones((2, 3, 4, 0), np.float32), "y": np.ones((2, 3, 6, 0), np.float32)}
    sizes = [helper.make_tensor_value_info(n, kind, [n + d for d in "abij"]) for n in given]
    node = helper.make_node("Einsum", list(given), ["z"], equation="abid,abjd->abij")
    graph = helper.make_graph([node], "g", sizes, [helper.make_tensor_value_info("z", kind, None)])
    opsets = [helper.make_opsetid("", 13)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=8)
    found = mlir_gs.compile(load(model), "main", threads=1)(*given.values())
    np.testing.assert_array_equal(found, np.zeros((2, 3, 4, 6), np.float32))


@pytest.mark.parametrize("is_dynamic", [True, False])
@pytest.mark.parametrize(
    ("equation", "shapes"),
    [
        ("j,...jk->...k", [(3,), (3, 4)]),
        ("j,...jk->...k", [(3,), (2, 3, 4)]),
        ("...ij,...jk", [(2, 3), (3, 4)]),
        ("...->...", [(2, 3)]),
        ("b...a", [(2, 3, 4)]),
        ("ba", [(2, 3)]),
        ("ij,kj", [(2, 3), (4, 3)]),
        ("ii", [(3, 3)]),
    ],
)
def test_einsum_of_dots_without_dims_and_without_an_arrow(
    equation: str, shapes: list[tuple[int, ...]], is_dynamic: bool
) -> None:
    helper, names = onnx.helper, "xy"[: len(shapes)]
    sizes = [[f"{n}{d}" for d in range(len(shape))] if is_dynamic else shape
             for n, shape in zip(names, shapes, strict=True)]  # fmt: skip
    inputs = [helper.make_tensor_value_info(n, P.FLOAT, size)
              for n, size in zip(names, sizes, strict=True)]  # fmt: skip
    node = helper.make_node("Einsum", list(names), ["z"], equation=equation)
    output = helper.make_tensor_value_info("z", P.FLOAT, None)
    graph = helper.make_graph([node], "g", inputs, [output])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    check(made, [shapes], np.float32)


def test_integers_times_themselves() -> None:
    """Two zero points of one tensor."""
    helper, other = onnx.helper, onnx.numpy_helper.from_array(np.uint8(7), "o")
    given = helper.make_tensor_value_info("x", P.UINT8, ["N", 2, 4, 4])
    node = helper.make_node("MatMulInteger", ["x", "x", "z", "o"], ["y"])
    output = helper.make_tensor_value_info("y", P.INT32, None)
    graph = helper.make_graph([node], "g", [given], [output], [POINT, other])
    opsets = [helper.make_opsetid("", 18)]
    check(helper.make_model(graph, opset_imports=opsets, ir_version=8), [[(3, 2, 4, 4)]], np.uint8)
