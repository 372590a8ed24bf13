"""What the onnx package does not know of ONNX Runtime's GatherBlockQuantized: the type of its
result, and numbers of 4 bits, which it reads and the importer does not."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from mlir_gs.frontend.onnx.graphs import (
    element_types,
    graphs,
    known_size,
    put,
    shapes,
    tensor_types,
)

_OP = "GatherBlockQuantized"
_POINTS = {_OP: 3, "DequantizeLinear": 2}
"""Operators that read numbers of 4 bits, and which input their zero points are."""


def _nodes(graph: Any) -> list[Any]:
    return [n for n in graph.node if n.op_type == _OP and n.domain == "com.microsoft"]


def unpack(onnx: Any, model: Any) -> None:
    """Constants of 4 bits become bytes, with the zero points that they had by default.

    In bytes, unsigned ones are a form of GatherBlockQuantized's own, `bits = 8`; signed ones are
    one of ours.
    """
    for graph in graphs(onnx, model.graph):
        held = {each.name: each for each in graph.initializer}
        changed = {
            name
            for node in graph.node
            if node.op_type in _POINTS
            for name in _unpack(onnx, graph, node, held)
        }
        used = {name for each in graphs(onnx, model.graph) for n in each.node for name in n.input}
        used |= {each.name for part in graphs(onnx, model.graph) for each in part.output}
        kept = [each for each in graph.initializer if each.name not in changed - used]
        if len(kept) < len(graph.initializer):
            put(graph.initializer, kept)


def _unpack(onnx: Any, graph: Any, node: Any, held: Mapping[str, Any]) -> list[str]:
    """What `node` no longer reads."""
    data, kinds = held.get(node.input[0]), onnx.TensorProto
    if data is None or data.data_type not in (kinds.UINT4, kinds.INT4):
        return []
    wide = np.uint8 if data.data_type == kinds.UINT4 else np.int8
    names, place = list(node.input), _POINTS[node.op_type]
    names[0] = _added(onnx, graph, data, wide)
    if len(names) > place and names[place]:
        if names[place] not in held:
            return []
        names[place] = _added(onnx, graph, held[names[place]], wide)
    elif node.op_type == _OP and names[2] in held:
        zeros = np.zeros(tuple(held[names[2]].dims), wide)
        name = f"{node.output[0]}: zero points"
        graph.initializer.append(onnx.numpy_helper.from_array(zeros, name))
        names[3:] = [name]
    elif node.op_type == _OP:
        return []
    old = [before for before, now in zip(node.input, names, strict=False) if before != now]
    node.input[:] = names
    if node.op_type == _OP:
        kept = [each for each in node.attribute if each.name != "bits"]
        put(node.attribute, [*kept, onnx.helper.make_attribute("bits", 8)])
    return old


def _added(onnx: Any, graph: Any, held: Any, wide: Any) -> str:
    """The name of a tensor of `graph` with the numbers of `held` in bytes."""
    name = f"{held.name}: in bytes"
    if all(each.name != name for each in graph.initializer):
        array = onnx.numpy_helper.to_array(held).astype(wide)
        graph.initializer.append(onnx.numpy_helper.from_array(array, name))
    return name


def add_types(onnx: Any, model: Any) -> bool:
    """Say what type the results have that have none; whether there was one."""
    added = False
    for graph in graphs(onnx, model.graph):
        types, kinds = tensor_types(graph), element_types(graph)
        sizes = shapes(graph, known_size)
        for node in _nodes(graph):
            found = types.get(node.output[0])
            if found is not None and found.HasField("shape"):
                continue
            data, indices, *rest = (sizes.get(each) for each in node.input[:3])
            if data is None or indices is None or None in rest:
                continue
            info = _result(onnx, node, data, indices, kinds)
            if found is None:
                graph.value_info.append(info)
            else:
                found.CopyFrom(info.type.tensor_type)
            added = True
    return added


def _result(
    onnx: Any,
    node: Any,
    data: Sequence[int | None],
    indices: Sequence[int | None],
    kinds: Mapping[str, int],
) -> Any:
    given = {each.name: each.i for each in node.attribute}
    gather = given.get("gather_axis", 0) % max(len(data), 1)
    shape = [*data[:gather], *indices, *data[gather + 1 :]]
    is_byte = kinds[node.input[0]] == onnx.TensorProto.UINT8
    packed = 8 // max(given.get("bits", 4), 1) if is_byte else 1
    if shape and shape[-1] is not None:
        shape[-1] *= packed
    return onnx.helper.make_tensor_value_info(node.output[0], kinds[node.input[2]], shape)
