"""NonMaxSuppression against onnxruntime, and the sizes of it that are refused."""

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")

from mlir_gs.lowering import PassFailure  # noqa: E402  (after importorskip)
from onnx_harness import run  # noqa: E402  (as above)

COUNT = 6


def _model(*sizes: int | str) -> Any:
    helper, kind = onnx.helper, onnx.TensorProto
    batch, classes, count = sizes
    held = [onnx.numpy_helper.from_array(np.array([4]), "most")]
    held.append(onnx.numpy_helper.from_array(np.array([0.3], np.float32), "overlap"))
    graph = helper.make_graph(
        [helper.make_node("NonMaxSuppression", ["boxes", "scores", "most", "overlap"], ["y"])],
        "g",
        [
            helper.make_tensor_value_info("boxes", kind.FLOAT, [batch, count, 4]),
            helper.make_tensor_value_info("scores", kind.FLOAT, [batch, classes, count]),
        ],
        [helper.make_tensor_value_info("y", kind.INT64, [None, 3])],
        held,
    )
    opsets = [helper.make_opsetid("", 13)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def _inputs(batch: int, classes: int, count: int = COUNT) -> list[np.ndarray]:
    random = np.random.default_rng(1)
    corners = random.random((batch, count, 2))
    boxes = np.concatenate([corners, corners + random.random(corners.shape)], axis=-1)
    scores = random.random((batch, classes, count))
    return [boxes.astype(np.float32), scores.astype(np.float32)]


@pytest.mark.parametrize("sizes", [(1, 1, COUNT), ("b", "c", "n"), ("b", 1, COUNT)])
def test_one_batch_of_one_class(sizes: tuple[int | str, ...]) -> None:
    model, inputs = _model(*sizes), _inputs(1, 1)
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    wanted = session.run(None, dict(zip(("boxes", "scores"), inputs, strict=True)))
    assert len(wanted[0]) > 1
    np.testing.assert_array_equal(run(model, inputs)[0], wanted[0])


@pytest.mark.parametrize(
    ("batch", "classes", "wrong"), [(2, 1, "'boxes' .* dim 0"), (1, 2, "'scores' .* dim 1")]
)
def test_more_are_refused(batch: int, classes: int, wrong: str) -> None:
    given = _inputs(batch, classes)
    with pytest.raises(PassFailure, match=f"{wrong}, found 2"):
        run(_model(batch, classes, COUNT), given)
    with pytest.raises(RuntimeError, match=wrong.replace(" .* ", " must have size 1 in ")):
        run(_model("b", "c", "n"), given)
