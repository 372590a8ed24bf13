"""Nodes whose inputs have ranks, axes and sizes on which inference or conversions end the process,
and nodes that would become an op that does not verify."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from mlir_gs import compile
from mlir_gs.frontend import onnx as onnx_frontend
from mlir_gs.lowering import PassFailure

onnx = pytest.importorskip("onnx")

FLOAT, INT64 = onnx.TensorProto.FLOAT, onnx.TensorProto.INT64
INF, NAN, FAR = float("inf"), float("nan"), 1 << 31
RECURRENT = [[2, 3, 4], [1, 5, 4], [1, 5, 5]]
LSTM, GRU = ([[2, 3, 4], [1, n, 4], [1, n, 5]] for n in (20, 15))

# The node's operator, the sizes of its inputs, its attributes, and what is said of it. Inputs named
# in "i" are of integers.
WRONG: list[tuple[str, Sequence[Sequence[int]], dict[str, Any], str]] = [
    ("LSTM", [LSTM[0], [], LSTM[2]], {"hidden_size": 5}, "input 'W' must have rank 3, found 0"),
    ("GRU", [*GRU, [30]], {"hidden_size": 5}, "input 'B' must have rank 2, found 1"),
    ("RNN", [*RECURRENT[:2], [5]], {"hidden_size": 5}, "input 'R' must have rank 3, found 1"),
    ("LayerNormalization", [[], []], {}, "axis must be in [-0, 0), found -1"),
    ("LayerNormalization", [[2, 3], [3]], {"axis": FAR}, f"axis must be in [-2, 2), found {FAR}"),
    ("LayerNormalization", [[2, 3], [3]], {"axis": 2}, "axis must be in [-2, 2), found 2"),
    ("LpNormalization", [[]], {}, "axis must be in [-0, 0), found -1"),
    ("Flatten", [[2, 3]], {"axis": FAR}, f"axis must be in [-2, 3), found {FAR}"),
    ("Einsum", [[]], {"equation": "->"}, "equation '->' must have a letter, found none"),
    ("Einsum", [[], []], {"equation": "...,...->..."}, "must have a letter, found none"),
    ("Einsum", [[2]], {"equation": "ij->i"}, "must have a letter for each dim of input 0 (1)"),
    ("Einsum", [[2], [2]], {"equation": "i->i"}, "must have a term for each of 2 inputs, found 1"),
    ("MeanVarianceNormalization", [[2, 3, 4]], {"axes": [1, -2]}, "axes must differ, found [1,"),
    *(
        (op, [[2]], {name: factor}, f"attribute '{name}' must be finite, found {factor}")
        for op, name in (
            *(("Celu", "alpha"), ("Elu", "alpha"), ("LeakyRelu", "alpha"), ("Selu", "alpha")),
            ("Selu", "gamma"),
        )
        for factor in (INF, -INF, NAN)
    ),
]


# torch-mlir reads as many factors as there are dims.
@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize("name", ["scales", "sizes"])
def test_factors_of_unknown_number(mode: str, name: str) -> None:
    info, kind = onnx.helper.make_tensor_value_info, FLOAT if name == "scales" else INT64
    names = ["x", "", "k"] if name == "scales" else ["x", "", "", "k"]
    node = onnx.helper.make_node("Resize", names, ["y"], "node", mode=mode)
    inputs = [info("x", FLOAT, [1, 1, 4, 4]), info("k", kind, ["n"])]
    graph = onnx.helper.make_graph([node], "g", inputs, [info("y", FLOAT, list("abcd"))])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 18)])
    assert f"'onnx.Resize' op input '{name}' must have 4 numbers, found [?]" in _refusal(model)


def test_triangles_of_complex_numbers() -> None:
    model = _model("Trilu", [[2, 3]], {0: onnx.TensorProto.COMPLEX64})
    model.graph.output[0].type.tensor_type.elem_type = onnx.TensorProto.COMPLEX64
    told = _refusal(model)
    assert "'onnx.Trilu' op is not supported: " in told
    assert "its elements are complex numbers" in told


# torch-mlir adds up the weights as integers.
@pytest.mark.parametrize("op", ["SoftmaxCrossEntropyLoss", "NegativeLogLikelihoodLoss"])
def test_means_by_weights(op: str) -> None:
    evaluator = pytest.importorskip("onnx.reference").ReferenceEvaluator
    model = _model(op, [[3, 4], [3], [4]], {1: INT64}, reduction="mean")
    rng = np.random.default_rng(0)
    given = [rng.random((3, 4), np.float32), np.array([0, 3, 1]), rng.random(4, np.float32)]
    found = compile(onnx_frontend.load(model), "main", threads=1)(*given)
    wanted = evaluator(model).run(None, dict(zip(("x0", "x1", "x2"), given, strict=True)))[0]
    np.testing.assert_allclose(found, wanted, rtol=1e-5)


# Data, indices and updates of scatters that do not fit.
UNFIT = {
    "ScatterElements": ([3, 3], [2, 3], [1, 3]),
    "ScatterND": ([4, 4], [2, 1], [3, 4]),
}


def _model(op: str, sizes: Sequence[Sequence[int]], kinds: dict[int, int], **given: Any) -> Any:
    info = onnx.helper.make_tensor_value_info
    names = [f"x{n}" for n in range(len(sizes))]
    inputs = [info(k, kinds.get(n, FLOAT), sizes[n]) for n, k in enumerate(names)]
    node = onnx.helper.make_node(op, names, ["y"], "the node", **given)
    graph = onnx.helper.make_graph([node], "g", inputs, [info("y", FLOAT, None)])
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 18)])


def _refusal(model: Any) -> str:
    with pytest.raises(PassFailure) as refused:
        onnx_frontend.load(model)
    return str(refused.value)


@pytest.mark.parametrize(("op", "sizes", "given", "message"), WRONG)
def test_refused(
    op: str, sizes: Sequence[Sequence[int]], given: dict[str, Any], message: str
) -> None:
    told = _refusal(_model(op, sizes, {}, **given))
    assert f"the node: error: 'onnx.{op}' op " in told
    assert message in told


@pytest.mark.parametrize("op", UNFIT)
def test_scatters_that_do_not_fit(op: str) -> None:
    told = _refusal(_model(op, UNFIT[op], {1: INT64}))
    assert told.startswith(f"the node: error: 'onnx.{op}' op becomes one that is wrong: 'gs.")
    assert "operand 'updates' must be tensor<2x" in told


@pytest.mark.parametrize("condition", [[], [2, 2]])
def test_conditions_of_another_rank(condition: Sequence[int]) -> None:
    model = _model("Compress", [[4], condition], {1: onnx.TensorProto.BOOL}, axis=0)
    assert "'onnx.Compress' op condition must be of rank 1, found " in _refusal(model)


@pytest.mark.parametrize("axis", [-2, 0, 1, 2])
def test_axes_of_flatten(axis: int) -> None:
    model = _model("Flatten", [[2, 3]], {}, axis=axis)
    evaluator = pytest.importorskip("onnx.reference").ReferenceEvaluator
    given = np.arange(6, dtype=np.float32).reshape(2, 3)
    found = compile(onnx_frontend.load(model), "main", threads=1)(given)
    assert np.array_equal(found, evaluator(model).run(None, {"x0": given})[0])
