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


def _agrees(op: str, sizes: list[list], arguments: list[list], rank: int, **attributes) -> None:
    helper = onnx.helper
    names = [f"x{n}" for n in range(len(sizes))]
    inputs = [
        helper.make_tensor_value_info(name, FLOAT, size)
        for name, size in zip(names, sizes, strict=True)
    ]
    node = helper.make_node(op, names, ["y"], **attributes)
    output = helper.make_tensor_value_info("y", FLOAT, [None] * rank)
    graph = helper.make_graph([node], "g", inputs, [output])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    kernel = mlir_gs.compile(load(model), "main")
    session = ort.InferenceSession(model.SerializeToString())
    rng = np.random.default_rng(0)
    for shapes in arguments:
        given = [rng.normal(size=shape).astype(np.float32) for shape in shapes]
        wanted = session.run(None, dict(zip(names, given, strict=True)))[0]
        found = np.asarray(kernel(*given))
        assert found.shape == wanted.shape
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("equation", "rank", "sizes", "arguments"),
    [
        (
            "...ij,...jk->...ik",
            3,
            [["a", "i", "j"], ["b", "j", "k"]],
            [[(2, 3, 4), (2, 4, 5)], [(1, 3, 4), (2, 4, 5)], [(2, 3, 4), (1, 4, 5)]],
        ),
        ("i...,...i->...", 1, [["i", "a"], ["b", "i"]], [[(3, 1), (2, 3)], [(3, 2), (1, 3)]]),
        ("ij,jk->ik", 2, [["i", "j"], ["k", "l"]], [[(2, 1), (4, 3)], [(2, 4), (1, 3)]]),
    ],
)
def test_terms_of_an_einsum(
    equation: str, rank: int, sizes: list[list], arguments: list[list]
) -> None:
    _agrees("Einsum", sizes, arguments, rank, equation=equation)


@pytest.mark.parametrize(
    ("axis", "scale", "arguments"),
    [
        (-1, ["k"], [[(2, 3, 4), (4,), (1,)], [(2, 3, 4), (1,), (4,)], [(2, 3, 1), (1,), (1,)]]),
        (1, ["k", "l"], [[(2, 3, 4), (3, 1), (1, 4)], [(2, 3, 4), (1, 1), (3, 4)]]),
        (1, ["k"], [[(2, 3, 4), (4,), (1,)]]),
    ],
)
def test_scales_of_a_normalization(axis: int, scale: list, arguments: list[list]) -> None:
    bias = [f"b{name}" for name in scale]
    _agrees("LayerNormalization", [["a", "n", "m"], scale, bias], arguments, 3, axis=axis)


@pytest.mark.parametrize(
    ("left", "right"), [((4,), (2, 4, 5)), ((2, 3, 4), (4,)), ((4,), (1, 2, 4, 5))]
)
@pytest.mark.parametrize("dynamic", [True, False])
def test_a_vector_and_batches_of_matrices(left: tuple, right: tuple, dynamic: bool) -> None:
    sizes = [
        [f"{side}{d}" if dynamic else size for d, size in enumerate(shape)]
        for side, shape in (("a", left), ("b", right))
    ]
    _agrees("MatMul", sizes, [[left, right]], max(len(left), len(right)) - 1)


@pytest.mark.parametrize("dynamic", [True, False])
@pytest.mark.parametrize(
    ("op", "shapes", "attributes"),
    [
        ("InstanceNormalization", [(2, 3, 4), (3,), (3,)], {}),
        ("InstanceNormalization", [(2, 3, 4, 5), (3,), (3,)], {"epsilon": 0.5}),
        ("MeanVarianceNormalization", [(2, 3, 4, 5)], {}),
    ],
)
def test_normalizations(op: str, shapes: list, attributes: dict, dynamic: bool) -> None:
    """Sizes that only run time tells, and results that declare no size."""
    sizes = [[f"{n}_{d}" for d in range(len(shape))] for n, shape in enumerate(shapes)]
    _agrees(op, sizes if dynamic else shapes, [shapes], len(shapes[0]), **attributes)


@pytest.mark.parametrize("op", ["ArgMax", "ArgMin"])
@pytest.mark.parametrize(("axis", "keepdims"), [(1, 1), (-2, 0)])
def test_the_last_of_equal_extremes(op: str, axis: int, keepdims: int) -> None:
    helper = onnx.helper
    attributes = {"axis": axis, "keepdims": keepdims, "select_last_index": 1}
    node = helper.make_node(op, ["x"], ["y"], **attributes)
    given = [helper.make_tensor_value_info("x", FLOAT, ["n", "m"])]
    rank = 1 + keepdims
    made = [helper.make_tensor_value_info("y", onnx.TensorProto.INT64, [None] * rank)]
    graph = helper.make_graph([node], "g", given, made)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    x = np.array([[1, 1, 0, 1], [2, 2, 2, 0]], np.float32)
    wanted = ort.InferenceSession(model.SerializeToString()).run(None, {"x": x})[0]
    assert np.array_equal(mlir_gs.compile(load(model), "main")(x), wanted)


@pytest.mark.parametrize("dynamic", [True, False])
@pytest.mark.parametrize("axes", [None, [-1, 0], [1]])
@pytest.mark.parametrize("wanted", [[3, 8], [9, 2]])
@pytest.mark.parametrize("known", [True, False])
def test_what_is_cropped_and_padded(
    wanted: list, axes: list | None, dynamic: bool, known: bool
) -> None:
    helper, size = onnx.helper, np.array(wanted[: len(axes or wanted)])
    given = [helper.make_tensor_value_info("x", FLOAT, ["n", "m"] if dynamic else [5, 6])]
    held = [onnx.numpy_helper.from_array(size, "size")] if known else []
    if not known:
        given.append(helper.make_tensor_value_info("size", onnx.TensorProto.INT64, size.shape))
    attributes = {} if axes is None else {"axes": axes}
    node = helper.make_node("CenterCropPad", ["x", "size"], ["y"], **attributes)
    made = [helper.make_tensor_value_info("y", FLOAT, [None, None])]
    graph = helper.make_graph([node], "g", given, made, held)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
    x = np.arange(30, dtype=np.float32).reshape(5, 6)
    feed = {"x": x} if known else {"x": x, "size": size}
    expected = ort.InferenceSession(model.SerializeToString()).run(None, feed)[0]
    assert np.array_equal(mlir_gs.compile(load(model), "main")(*feed.values()), expected)
