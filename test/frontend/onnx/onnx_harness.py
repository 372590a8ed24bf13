"""Runs ONNX models through the front end, compiled and by the reference."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from mlir_gs import execution
from mlir_gs.frontend import onnx as onnx_frontend
from onnx import helper

__all__ = ["array", "compiled", "node_model", "run"]


def compiled(model: onnx.ModelProto) -> Any:
    """The kernel of a model."""
    return execution.compile(onnx_frontend.load(model))


def run(model: onnx.ModelProto, inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
    """What a model gives."""
    found = compiled(model)(*inputs)
    return [np.asarray(each) for each in (found if isinstance(found, tuple) else (found,))]


def array(value: Any) -> np.ndarray:
    """An input or output of a test of the onnx package."""
    if isinstance(value, onnx.TensorProto):
        return onnx.numpy_helper.to_array(value)
    return np.asarray(value)


def node_model(
    op: str,
    inputs: dict[str, np.ndarray | None],
    result: np.ndarray,
    opset: int,
    *,
    constants: Sequence[str] = (),
    dynamic: bool = False,
    known: Sequence[str] = (),
    **attributes: Any,
) -> onnx.ModelProto:
    """A model of one node. `constants` are the inputs that are initializers; None leaves an
    optional input out. `dynamic`: no size is declared, but of the inputs in
    `known`."""

    def info(name: str, value: np.ndarray) -> onnx.ValueInfoProto:
        kind = helper.np_dtype_to_tensor_dtype(value.dtype)
        free = dynamic and name not in known
        sizes = [f"{name}{d}" for d in range(value.ndim)] if free else list(value.shape)
        return helper.make_tensor_value_info(name, kind, sizes)

    given = {name: value for name, value in inputs.items() if value is not None}
    names = [name if value is not None else "" for name, value in inputs.items()]
    while names and not names[-1]:
        names.pop()
    node = helper.make_node(op, names, ["result"], **attributes)
    graph = helper.make_graph(
        [node],
        "one node",
        [info(name, value) for name, value in given.items() if name not in constants],
        [info("result", result)],
        [onnx.numpy_helper.from_array(given[name], name) for name in constants],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
