"""Constants of an ONNX model that shape inference does not compute, and branches that they take, so
that it finds more ranks."""

import math
from importlib import import_module
from typing import Any

import numpy as np
from mlir_gs.frontend.onnx.graphs import inner_graphs, put
from mlir_gs.frontend.onnx.infer import infer
from mlir_gs.frontend.onnx.upgrade import tell_ranks

_MOST = 64
"""Elements of a tensor that may hold sizes."""


def with_known_sizes(onnx: Any, model: Any) -> Any:
    """`model` with sizes that follow from constants computed, and shapes inferred from them.

    `model` may change.
    """
    while True:
        folded = _fold(onnx, model.graph, list(model.opset_import), {}, {})
        if not tell_ranks(model) and not folded:
            return model
        model = infer(onnx, model)


def _fold(
    onnx: Any,
    graph: Any,
    opsets: list[Any],
    outer: dict[str, np.ndarray],
    outside: dict[str, Any],
) -> bool:
    """Replace nodes by what they compute, in inner graphs too; whether there was one.

    `outer` and `outside`: values and types that the graph sees.
    """
    known = outer | {
        each.name: onnx.numpy_helper.to_array(each)
        for each in graph.initializer
        if np.prod(each.dims) <= _MOST
    }
    types = {each.name: each.type.tensor_type for each in (*graph.value_info, *graph.input)}
    types = outside | types
    results = {each.name for each in graph.output}
    kept, folded = [], False
    for node in graph.node:
        taken = _taken_branch(node, known)
        if taken is not None:
            kept += _in_place_of(onnx, node, taken)
            folded = True
            continue
        for inner in inner_graphs(onnx, [node]):
            folded |= _fold(onnx, inner, opsets, known, types)
        found = None if results & set(node.output) else _value(onnx, node, known, types, opsets)
        if found is None or found.size > _MOST:
            kept.append(node)
            continue
        known[node.output[0]] = found
        # torch-mlir does not look into other forms of constants everywhere.
        is_plain = node.op_type == "Constant" and node.attribute[0].name == "value"
        kept.append(node if is_plain else _constant(onnx, found, node.output[0]))
        folded |= not is_plain
    put(graph.node, kept)
    return folded


def _value(
    onnx: Any, node: Any, known: dict[str, np.ndarray], types: dict[str, Any], opsets: list[Any]
) -> np.ndarray | None:
    """What a node of one result gives, if its inputs are known, or for Shape their sizes."""
    if len(node.output) != 1 or node.domain or not _is_few(types.get(node.output[0])):
        return None
    if node.op_type in ("Shape", "Size") and node.input[0] in types:
        sizes = [size.dim_value for size in types[node.input[0]].shape.dim]
        if not types[node.input[0]].HasField("shape") or 0 in sizes:
            return None
        if node.op_type == "Size":
            return np.array(np.prod(sizes, dtype=np.int64))
        begin, end = (
            next((a.i for a in node.attribute if a.name == name), default)
            for name, default in (("start", 0), ("end", len(sizes)))
        )
        return np.array(sizes[begin:end], np.int64)
    given = [name for name in node.input if name]
    if node.op_type.startswith(("Random", "Bernoulli")) or not set(given) <= set(known):
        return None
    if any(attribute.type == onnx.AttributeProto.GRAPH for attribute in node.attribute):
        return None
    evaluator = import_module("onnx.reference").ReferenceEvaluator(
        onnx.helper.make_model(_alone(onnx, node, given, known), opset_imports=opsets)
    )
    return np.asarray(evaluator.run(None, {name: known[name] for name in given})[0])


def _is_few(type_: Any) -> bool:
    """Whether a tensor may have few elements: what few ones make may be of any size."""
    if type_ is None or not type_.HasField("shape"):
        return True
    return math.prod(float(size.dim_value) for size in type_.shape.dim) <= _MOST


def _taken_branch(node: Any, known: dict[str, np.ndarray]) -> Any | None:
    """The branch of an If whose condition is known."""
    if node.op_type != "If" or node.domain or node.input[0] not in known:
        return None
    wanted = "then_branch" if known[node.input[0]].item() else "else_branch"
    return next(each.g for each in node.attribute if each.name == wanted)


def _constant(onnx: Any, held: np.ndarray, name: str) -> Any:
    """A node: inference knows the initializers of inner graphs not by their values."""
    value = onnx.numpy_helper.from_array(held)
    return onnx.helper.make_node("Constant", [], [name], name=name, value=value)


def _in_place_of(onnx: Any, node: Any, branch: Any) -> list[Any]:
    """The nodes of a branch of `node`, under names that no other graph has."""
    own = [each.name for each in branch.initializer]
    own += [name for inner in branch.node for name in inner.output if name]
    names = {name: f"{node.output[0]}/{name}" for name in own}
    moved = []
    for place, result in zip(node.output, branch.output, strict=True):
        given = names.get(result.name, result.name)
        moved.append(onnx.helper.make_node("Identity", [given], [place]))
    held = [
        _constant(onnx, onnx.numpy_helper.to_array(each), names[each.name])
        for each in branch.initializer
    ]
    return [*held, *(_renamed(onnx, inner, names) for inner in branch.node), *moved]


def _renamed(onnx: Any, node: Any, names: dict[str, str]) -> Any:
    """A copy of `node`, graphs in its attributes and all, that uses and gives other names."""
    copy = type(node)()
    copy.CopyFrom(node)
    for held in (copy.input, copy.output):
        held[:] = [names.get(name, name) for name in held]
    for inner in inner_graphs(onnx, [copy]):
        put(inner.node, [_renamed(onnx, each, names) for each in inner.node])
        for result in inner.output:
            result.name = names.get(result.name, result.name)
    return copy


def _alone(onnx: Any, node: Any, given: list[str], known: dict[str, np.ndarray]) -> Any:
    """The graph of one node."""
    info = onnx.helper.make_tensor_value_info
    inputs = [
        info(name, onnx.helper.np_dtype_to_tensor_dtype(known[name].dtype), known[name].shape)
        for name in dict.fromkeys(given)
    ]
    outputs = [info(node.output[0], onnx.TensorProto.UNDEFINED, None)]
    return onnx.helper.make_graph([node], "alone", inputs, outputs)
