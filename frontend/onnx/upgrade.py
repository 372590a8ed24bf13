"""Forms of models that torch-mlir does not convert, as others that it does."""

from collections.abc import Collection, Sequence
from importlib import import_module
from typing import Any

import numpy as np
from mlir_gs.frontend.common.common import Refusal
from mlir_gs.frontend.onnx.graphs import domain_of, graphs, line, put, shapes, tensor_types
from mlir_gs.lowering import PassFailure

_OLDEST = 13
_CONVERTED = {"BatchNormalization": 15}
"""From which versions on torch-mlir converts all operators; some need a later one."""

STEPS = Refusal(
    "auto_pad SAME_UPPER or SAME_LOWER with strides other than 1 along dims of dynamic sizes",
    "attribute 'auto_pad' {kind} is not supported with strides along dynamic sizes",
)
_POOLS = {"MaxPool", "AveragePool", "Conv"}
_RANKED = {"Reshape": 1, "ConstantOfShape": 0}
"""Operators whose result has as many dims as an input has elements."""


def upgraded(onnx: Any, model: Any, ours: Collection[str]) -> Any:
    """`model` with operators of a version that is converted, by the onnx package, and declared
    sizes of -1, which some exporters write, as ones that only run time tells.

    `ours`: operators that are converted in all versions.
    """
    for value in (*model.graph.input, *model.graph.output, *model.graph.value_info):
        for size in value.type.tensor_type.shape.dim:
            if size.dim_value == -1:
                size.Clear()
    used = {node.op_type for node in model.graph.node if not node.domain}
    later = [_CONVERTED.get(each, _OLDEST) for each in used if f"onnx.{each}" not in ours]
    given = [each.version for each in model.opset_import if not domain_of(each.domain)]
    if not given or given[0] >= max(later, default=0):
        return model
    try:
        return import_module("onnx.version_converter").convert_version(model, max(later))
    except Exception:
        # It does not know all ways from one version to the next.
        return model


def tell_ranks(model: Any) -> bool:
    """Declare the ranks that follow from the lengths of lists of sizes; whether there were any."""
    values = {each.name: each.type.tensor_type for each in model.graph.value_info}
    values |= {each.name: each.type.tensor_type for each in model.graph.input}
    results = {each.name: each.type.tensor_type for each in model.graph.output}
    lengths = {each.name: list(each.dims) for each in model.graph.initializer}
    found = False
    for node in model.graph.node:
        place = _RANKED.get(node.op_type)
        if place is None or node.domain or len(node.input) <= place:
            continue
        listed = values.get(node.input[place])
        sizes = [size.dim_value for size in listed.shape.dim] if listed is not None else []
        sizes = lengths.get(node.input[place], sizes)
        result = results.get(node.output[0], values.get(node.output[0]))
        if len(sizes) == 1 and sizes[0] and result is not None and not result.HasField("shape"):
            for _ in range(sizes[0]):
                result.shape.dim.add()
            found = True
    return found


def pad_pools(onnx: Any, model: Any) -> None:
    """Write out the `auto_pad` of pools, where steps or sizes tell how much it is, and a Pad before
    maxima of which the two ends of dynamic sizes differ.

    Shapes have to be inferred.
    """
    for graph in graphs(onnx, model.graph):
        types, sizes = tensor_types(graph), shapes(graph, lambda dim: dim.dim_value)
        nodes = []
        for node in graph.node:
            known = types.get(node.input[0]) if node.input else None
            if node.op_type in _POOLS and not node.domain and known is not None:
                kernel = sizes.get(node.input[1], []) if len(node.input) > 1 else []
                nodes += _padded(onnx, graph, node, known, kernel)
            nodes.append(node)
        put(graph.node, nodes)


def _padded(onnx: Any, graph: Any, node: Any, given: Any, kernel: Sequence[int]) -> list[Any]:
    """The nodes before a pool of a tensor of the type `given`, whose pads are written out."""
    attributes = {each.name: onnx.helper.get_attribute_value(each) for each in node.attribute}
    attributes.setdefault("kernel_shape", kernel)
    sizes = [size.dim_value for size in given.shape.dim]
    kind = attributes.get("auto_pad", b"NOTSET")
    pads = list(attributes.get("pads", ()))
    if kind != b"NOTSET":
        found = _pads(attributes, kind, sizes[2:])
        if found is None:
            refused = STEPS(kind=kind.decode())
            raise PassFailure(line(node, refused))
        pads = found
    dims = len(pads) // 2
    tensor = _least(onnx, given.elem_type)
    is_even = pads[:dims] == pads[dims:] or 0 not in sizes[2:]
    if is_even or node.op_type != "MaxPool" or len(node.output) > 1 or tensor is None:
        if kind != b"NOTSET":
            _set(onnx, node, pads)
        return []
    padded = f"{node.name}: padded"
    amounts = np.array([0, 0, *pads[:dims], 0, 0, *pads[dims:]])
    graph.initializer.append(onnx.numpy_helper.from_array(amounts, f"{padded} by"))
    graph.initializer.append(onnx.numpy_helper.from_array(tensor, f"{padded} with"))
    shape = [*(n or None for n in sizes[:2]), *[None] * dims]
    graph.value_info.append(onnx.helper.make_tensor_value_info(padded, given.elem_type, shape))
    inputs = [node.input[0], f"{padded} by", f"{padded} with"]
    node.input[0] = padded
    _set(onnx, node, [0] * 2 * dims)
    return [onnx.helper.make_node("Pad", inputs, [padded], name=padded)]


def _least(onnx: Any, kind: int) -> np.ndarray | None:
    """What changes no maximum; None for elements that pools do not take."""
    element = onnx.helper.tensor_dtype_to_np_dtype(kind)
    if element.kind == "f":
        return np.array(-np.inf, element)
    return np.array(np.iinfo(element).min, element) if element.kind in "iu" else None


def _set(onnx: Any, node: Any, pads: Sequence[int]) -> None:
    left = [each for each in node.attribute if each.name not in ("auto_pad", "pads")]
    put(node.attribute, [*left, onnx.helper.make_attribute("pads", pads)])


def _pads(given: dict[str, Any], kind: bytes, sizes: Sequence[int]) -> list[int] | None:
    """Elements before and after each dim; None where dynamic `sizes`, which are 0, decide it."""
    kernel = given["kernel_shape"]
    if kind == b"VALID":
        return [0] * 2 * len(kernel)
    ones = [1] * len(kernel)
    steps, apart = given.get("strides", ones), given.get("dilations", ones)
    if len(sizes) != len(kernel) or any(
        n == 0 and s != 1 for n, s in zip(sizes, steps, strict=True)
    ):
        return None
    spans = [(k - 1) * d + 1 for k, d in zip(kernel, apart, strict=True)]
    # A step of 1 leaves as many elements as there are, however many.
    left = [(n - 1) % s + 1 if n else 1 for n, s in zip(sizes, steps, strict=True)]
    whole = [max(span - n, 0) for span, n in zip(spans, left, strict=True)]
    before = [n // 2 if kind == b"SAME_UPPER" else n - n // 2 for n in whole]
    return [*before, *(n - b for n, b in zip(whole, before, strict=True))]
