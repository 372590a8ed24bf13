"""What the onnx package does not know of ONNX Runtime's GatherBlockQuantized: the type of its
result, and numbers of 4 bits, which it reads and the importer does not."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from mlir_gs.frontend.onnx.check import graphs

_OP = "GatherBlockQuantized"


def _nodes(graph: Any) -> list[Any]:
    return [n for n in graph.node if n.op_type == _OP and n.domain == "com.microsoft"]


def unpack(onnx: Any, model: Any) -> None:
    """Constants of 4 bits become bytes, with the zero points that they had by default.

    In bytes, unsigned ones are a form of the operator's own, `bits = 8`; signed ones are one of
    ours.
    """
    for graph in graphs(onnx, model.graph):
        held = {each.name: each for each in graph.initializer}
        for node in _nodes(graph):
            data = held.get(node.input[0])
            kinds = onnx.TensorProto
            if data is None or data.data_type not in (kinds.UINT4, kinds.INT4):
                continue
            wide = np.uint8 if data.data_type == kinds.UINT4 else np.int8
            names = list(node.input)
            names[0] = _added(onnx, graph, data, wide)
            if len(names) > 3 and names[3]:
                if names[3] not in held:
                    continue
                names[3] = _added(onnx, graph, held[names[3]], wide)
            elif names[2] in held:
                zeros = np.zeros(tuple(held[names[2]].dims), wide)
                name = f"{node.output[0]}: zero points"
                graph.initializer.append(onnx.numpy_helper.from_array(zeros, name))
                names[3:] = [name]
            else:
                continue
            node.input[:] = names
            kept = [each for each in node.attribute if each.name != "bits"]
            del node.attribute[:]
            node.attribute.extend([*kept, onnx.helper.make_attribute("bits", 8)])


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
        types = {
            each.name: each.type.tensor_type
            for each in (*graph.value_info, *graph.input, *graph.output)
        }
        constants = {each.name: each for each in graph.initializer}
        for node in _nodes(graph):
            found = types.get(node.output[0])
            if found is not None and found.HasField("shape"):
                continue
            shapes = [_shape(types.get(each), constants.get(each)) for each in node.input[:3]]
            data, indices, *rest = shapes
            if data is None or indices is None or None in rest:
                continue
            info = _result(onnx, node, data, indices, types, constants)
            if found is None:
                graph.value_info.append(info)
            else:
                found.CopyFrom(info.type.tensor_type)
            added = True
    return added


def _shape(type_: Any, held: Any) -> list[int | None] | None:
    if held is not None:
        return list(held.dims)
    if type_ is None or not type_.HasField("shape"):
        return None
    return [d.dim_value if d.HasField("dim_value") else None for d in type_.shape.dim]


def _result(
    onnx: Any,
    node: Any,
    data: Sequence[int | None],
    indices: Sequence[int | None],
    types: Any,
    constants: Any,
) -> Any:
    given = {each.name: each.i for each in node.attribute}
    gather = given.get("gather_axis", 0) % max(len(data), 1)
    shape = [*data[:gather], *indices, *data[gather + 1 :]]
    name, scales = node.input[0], node.input[2]
    kind = constants[name].data_type if name in constants else types[name].elem_type
    packed = 8 // max(given.get("bits", 4), 1) if kind == onnx.TensorProto.UINT8 else 1
    if shape and shape[-1] is not None:
        shape[-1] *= packed
    kind = constants[scales].data_type if scales in constants else types[scales].elem_type
    return onnx.helper.make_tensor_value_info(node.output[0], kind, shape)
