"""Shape inference of the onnx package, kept from what ends the process in it."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from mlir_gs.dialect._bindings import module
from mlir_gs.frontend.common.common import Refusal
from mlir_gs.frontend.onnx.contrib import add_types
from mlir_gs.frontend.onnx.graphs import (
    element_types,
    graphs,
    inner_graphs,
    line,
    name,
    tensor_types,
)
from mlir_gs.lowering import PassFailure

NO_RANK = Refusal(
    "values of unknown rank, for example from branches of an If with different ranks",
    "no rank is known for '{name}', a result of {maker}: {reason}",
)
NEGATIVE = Refusal(
    "tensors of a negative size", "'{name}', a result of {maker}, would have sizes {found}"
)
NARROW = Refusal(
    "element types that the importer does not know, for example 2-bit integers",
    "has elements of {found}",
)
_UNTOLD = "shape inference does not find it, and the model declares none"
_STEPS, _FAR = 4, 1 << 31
_HIDDEN = "steps that shape inference does not see"


def infer(onnx: Any, model: Any) -> Any:
    """A copy of `model` with shapes inferred. Raises what onnx raises."""
    found = _infer(onnx, model)
    while add_types(onnx, found) or _add_sizes(onnx, found):
        found = _infer(onnx, found)
    return found


def _add_sizes(onnx: Any, model: Any) -> bool:
    """Say that results have the sizes of what they are made of; whether it was not known."""
    added = False
    for graph in graphs(onnx, model.graph):
        types = tensor_types(graph)
        for node in graph.node:
            given, made = (types.get(each[0]) for each in (node.input or [""], node.output))
            if node.op_type == "GroupNormalization" and given is not None and made is not None:
                added |= given.shape != made.shape
                made.shape.CopyFrom(given.shape)
    return added


def _infer(onnx: Any, model: Any) -> Any:
    """By the onnx package.

    It walks over a slice of sizes by steps that it holds in 32 bits: with constants beyond them it
    never ends. They are hidden from it.
    """
    copy = type(model)()
    copy.CopyFrom(model)
    far = [node for node, known in _slices(onnx, copy.graph, {}) if not _near(onnx, node, known)]
    if not far:
        return onnx.shape_inference.infer_shapes(copy, data_prop=True)
    hidden = copy.graph.input.add()
    hidden.CopyFrom(onnx.helper.make_tensor_value_info(_HIDDEN, onnx.TensorProto.INT64, [None]))
    for node in far:
        node.input[_STEPS] = _HIDDEN
    found = onnx.shape_inference.infer_shapes(copy, data_prop=True)
    del found.graph.input[-1]
    pairs = zip(graphs(onnx, found.graph), graphs(onnx, model.graph), strict=True)
    for graph, given in pairs:
        for node, before in zip(graph.node, given.node, strict=True):
            node.input[:] = before.input
    return found


def _slices(onnx: Any, graph: Any, outer: dict[str, Any]) -> Iterator[tuple[Any, dict[str, Any]]]:
    """The Slice nodes that have steps, and what is known of values by name: tensors, and None for
    what only run time tells."""
    known = {**outer, **{each.name: None for each in graph.input}}
    known |= {each.name: each for each in graph.initializer}
    for node in graph.node:
        if node.op_type == "Constant":
            held = [each.t for each in node.attribute if each.name == "value"]
            known |= dict.fromkeys(node.output, held[0]) if held else {}
        if node.op_type == "Slice" and len(node.input) > _STEPS and node.input[_STEPS]:
            yield node, known
        for inner in inner_graphs(onnx, [node]):
            yield from _slices(onnx, inner, known)


def _near(onnx: Any, node: Any, known: dict[str, Any]) -> bool:
    """Whether inference does not know the steps of a Slice, or they are small. It may know what is
    computed from constants."""
    steps = node.input[_STEPS]
    if steps not in known:
        return False
    held = known[steps]
    if held is None:
        return True
    try:
        return bool((np.abs(onnx.numpy_helper.to_array(held).astype(float)) < _FAR // 2).all())
    except Exception:
        return False


def check_values(onnx: Any, model: Any) -> None:
    """Raises PassFailure for a tensor of unknown rank, which the importer would take for a scalar,
    of a negative size, or of elements that the importer does not know."""
    known = module("extras.onnx_importer").ELEM_TYPE_TO_IR_TYPE_CB
    for graph in graphs(onnx, model.graph):
        for value, kind in tensor_types(graph).items():
            if not kind.elem_type:
                continue
            makers = [f"'{name(node)}'" for node in graph.node if value in node.output]
            words = {"name": value, "maker": makers[0] if makers else "the model"}
            if not kind.HasField("shape"):
                raise PassFailure(str(NO_RANK(reason=_reason(onnx, model), **words)))
            sizes = [size.dim_value for size in kind.shape.dim]
            if min(sizes, default=0) < 0:
                raise PassFailure(str(NEGATIVE(found=sizes, **words)))
        held = element_types(graph)
        for node in graph.node:
            for each in (*node.input, *node.output):
                if held.get(each, 0) and held[each] not in known:
                    text = onnx.TensorProto.DataType.Name(held[each]).lower()
                    raise PassFailure(line(node, NARROW(found=text)))


def _reason(onnx: Any, model: Any) -> str:
    """What inference has to say against the model, which it keeps to itself by default."""
    try:
        onnx.shape_inference.infer_shapes(model, strict_mode=True)
    except Exception as error:
        return str(error).strip().partition("\n")[0]
    return _UNTOLD
