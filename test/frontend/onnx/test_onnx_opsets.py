"""Every op at every opset that defines it, against the onnx package's reference evaluator."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx")

RNG = np.random.default_rng(20261120)


def _data(*shape: int, dtype: Any = np.float32) -> np.ndarray:
    return RNG.integers(0, 100, shape).astype(dtype)


def _indices(limit: int, *shape: int, dtype: Any = np.int64) -> np.ndarray:
    """Indices of both signs."""
    return RNG.integers(-limit, limit, shape).astype(dtype)


def _distinct(limit: int, shape: tuple[int, ...], axis: int) -> np.ndarray:
    """Indices that do not repeat along `axis`."""
    keys = RNG.random([limit if d == axis else size for d, size in enumerate(shape)])
    order = keys.argsort(axis).astype(np.int64)
    return order.take(range(shape[axis]), axis)


def _check(op: str, opset: int, inputs: dict[str, Any], **options: Any) -> None:
    """The compiled node gives exactly what the reference evaluator gives, however it is typed."""
    from onnx.reference import ReferenceEvaluator
    from onnx_harness import node_model, run

    constants = options.pop("constants", ())
    known = options.pop("known", ())
    stand_in = np.zeros(0, np.float32)
    given = {k: v for k, v in inputs.items() if v is not None and k not in constants}
    # The evaluator does not know ScatterElements by its old name.
    name, version = ("ScatterElements", 11) if op == "Scatter" else (op, opset)
    model = node_model(name, inputs, stand_in, version, constants=constants, **options)
    (wanted,) = ReferenceEvaluator(model).run(None, given)
    wanted = np.asarray(wanted)
    for dynamic in (False, True):
        model = node_model(
            op, inputs, wanted, opset, constants=constants, dynamic=dynamic, known=known, **options
        )
        (found,) = run(model, list(given.values()))
        np.testing.assert_array_equal(found, wanted, strict=True)


@pytest.mark.parametrize("opset", [1, 11, 13])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_gather(opset: int, axis: int) -> None:
    indices = _indices(4, 2, 3, dtype=np.int32)
    # Negative indices came with opset 11.
    given = indices % 4 if opset < 11 else indices
    _check("Gather", opset, {"data": _data(4, 4, 4), "indices": given}, axis=axis)


@pytest.mark.parametrize("dtype", ["f8", "f2", "i1", "u1", "i4", "u4", "u8", "?", "c8"])
def test_gather_dtypes(dtype: str) -> None:
    data = _data(5, 3, dtype=dtype)
    _check("Gather", 13, {"data": data, "indices": _indices(5, 4)})


def test_gather_scalar_index() -> None:
    _check("Gather", 13, {"data": _data(5, 3), "indices": np.array(-2)}, axis=1)


@pytest.mark.parametrize("opset", [11, 13])
@pytest.mark.parametrize("axis", [0, 2, -2])
def test_gather_elements(opset: int, axis: int) -> None:
    _check(
        "GatherElements",
        opset,
        {"data": _data(4, 4, 4), "indices": _indices(4, 4, 4, 4)},
        axis=axis,
    )


@pytest.mark.parametrize(("opset", "batch"), [(11, 0), (12, 0), (12, 1), (13, 1), (13, 2)])
def test_gather_nd(opset: int, batch: int) -> None:
    inputs = {"data": _data(2, 3, 4, 5), "indices": _indices(2, 2, 3, 2)}
    attributes = {"batch_dims": batch} if opset > 11 else {}
    _check("GatherND", opset, inputs, **attributes)


@pytest.mark.parametrize(
    ("op", "opset"),
    [("Scatter", 9), ("Scatter", 10), *(("ScatterElements", n) for n in (11, 13, 16, 18))],
)
@pytest.mark.parametrize("axis", [0, 1])
def test_scatter_elements(op: str, opset: int, axis: int) -> None:
    inputs = {
        "data": _data(5, 6),
        "indices": _distinct(5, (3, 4), axis),
        "updates": _data(3, 4),
    }
    _check(op, opset, inputs, axis=axis)


@pytest.mark.parametrize("reduction", ["add", "mul", "min", "max"])
@pytest.mark.parametrize("dtype", ["f4", "f2", "u1"])
def test_scatter_elements_reductions(reduction: str, dtype: str) -> None:
    opset = 16 if reduction in ("add", "mul") else 18
    inputs = {
        "data": _data(5, 6, dtype=dtype) % 7,
        "indices": _indices(6, 5, 4),
        "updates": _data(5, 4, dtype=dtype) % 7,
    }
    _check("ScatterElements", opset, inputs, axis=-1, reduction=reduction)


@pytest.mark.parametrize("opset", [11, 13, 16, 18])
def test_scatter_nd(opset: int) -> None:
    indices = np.array([[[3, 1], [-4, 2]], [[1, -1], [2, 0]]])
    inputs = {"data": _data(4, 4, 5), "indices": indices, "updates": _data(2, 2, 5)}
    _check("ScatterND", opset, inputs)


@pytest.mark.parametrize("reduction", ["add", "mul", "min", "max"])
@pytest.mark.parametrize("dtype", ["i8", "u1"])
def test_scatter_nd_reductions(reduction: str, dtype: str) -> None:
    opset = 16 if reduction in ("add", "mul") else 18
    inputs = {
        "data": _data(4, 3, dtype=dtype) % 7,
        "indices": _indices(4, 6, 1),
        "updates": _data(6, 3, dtype=dtype) % 7,
    }
    _check("ScatterND", opset, inputs, reduction=reduction)


def test_slice_attributes() -> None:
    _check("Slice", 1, {"data": _data(6, 7, 8)}, starts=[1, -3], ends=[-1, 100], axes=[0, 2])
    _check("Slice", 1, {"data": _data(6, 7, 8)}, starts=[2], ends=[4])


SLICES = {
    "all": ([1, 0, 2], [4, 7, 8], None, None),
    "some": ([1, -3], [-1, 100], [0, -1], None),
    "steps": ([0, 7], [100, -100], [0, 2], [2, -3]),
    "backwards": ([-1, 20, 3], [-20, 1, -100], [0, 1, 2], [-1, -2, -1]),
    "empty": ([4], [2], [1], [1]),
}


@pytest.mark.parametrize(("opset", "known"), [(10, False), (11, True), (13, False), (13, True)])
@pytest.mark.parametrize("name", SLICES)
def test_slice(opset: int, known: bool, name: str) -> None:
    inputs: dict[str, Any] = {"data": _data(6, 7, 8)}
    for key, values in zip(("starts", "ends", "axes", "steps"), SLICES[name], strict=True):
        inputs[key] = None if values is None else np.array(values)
    constants = [k for k, v in inputs.items() if v is not None and k != "data"] if known else []
    _check("Slice", opset, inputs, constants=constants, known=("starts", "ends", "axes", "steps"))


@pytest.mark.parametrize(
    ("opset", "axis", "dtype"),
    [(9, -1, "i8"), (9, 0, "f4"), (11, -1, "i8"), (11, 1, "i4"), (11, 0, "u1"), (11, 1, "f4")],
)
def test_one_hot(opset: int, axis: int, dtype: str) -> None:
    signed = opset >= 11 and dtype != "u1"
    indices = (_indices(7, 3, 4) if signed else RNG.integers(0, 7, (3, 4))).astype(dtype)
    inputs = {
        "indices": indices,
        "depth": np.array(7, np.int64),
        "values": np.array([2, 5], np.float32),
    }
    _check("OneHot", opset, inputs, axis=axis)
    _check("OneHot", opset, inputs, axis=axis, constants=["depth"])


@pytest.mark.parametrize("opset", [9, 11])
@pytest.mark.parametrize("axis", [None, 0, 1, -1])
def test_compress(opset: int, axis: int | None) -> None:
    data = _data(5, 6)
    count = data.size if axis is None else data.shape[axis]
    for length in (count, count - 2):
        condition = RNG.random(length) < 0.5
        attributes = {} if axis is None else {"axis": axis % 2 if opset < 11 else axis}
        _check("Compress", opset, {"data": data, "condition": condition}, **attributes)


@pytest.mark.parametrize("mode", ["linear", "circular"])
def test_tensor_scatter(mode: str) -> None:
    starts = np.array([0, 4] if mode == "linear" else [3, 7])
    inputs = {"cache": _data(2, 3, 8, 4), "update": _data(2, 3, 4, 4), "starts": starts}
    _check("TensorScatter", 24, inputs, mode=mode)
