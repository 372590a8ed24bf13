"""Operators of which torch-mlir takes an unknown size for -1, by others that read the size."""

from importlib import import_module
from typing import Any

from mlir_gs.frontend.onnx.graphs import domain_of, graphs, known_size, put, shapes
from mlir_gs.frontend.onnx.infer import infer

_DOMAIN = "mlir_gs"
_LAST = """
    <domain: "mlir_gs", opset_import: ["" : 13]>
    {name} <axis: int = 0, keepdims: int = 1> (x) => (y) {{
        zero = Constant <value_int: int = 0> ()
        one = Constant <value_int: int = 1> ()
        back = Constant <value_ints: ints = [-1]> ()
        least = Constant <value_ints: ints = [-9223372036854775808]> ()
        axis = Constant <value_int: int = @axis> ()
        axes = Unsqueeze (axis, back)
        turned = Slice (x, back, least, axes, back)
        place = {name} <axis: int = @axis, keepdims: int = @keepdims> (turned)
        sizes = Shape (x)
        size = Gather (sizes, axis)
        last = Sub (size, one)
        y = Sub (last, place)
    }}"""
_FORMS = {
    "ArgMax": _LAST.format(name="ArgMax"),
    "ArgMin": _LAST.format(name="ArgMin"),
    "InstanceNormalization": """
    <domain: "mlir_gs", opset_import: ["" : 13]>
    InstanceNormalization <epsilon: float = 1e-5> (x, scale, b) => (y) {
        rows = Constant <value_ints: ints = [0, 0, -1]> ()
        end = Constant <value_ints: ints = [-1]> ()
        least = Constant <value_float: float = @epsilon> ()
        flat = Reshape (x, rows)
        mean = GlobalAveragePool (flat)
        moved = Sub (flat, mean)
        squares = Mul (moved, moved)
        variance = GlobalAveragePool (squares)
        some = CastLike (least, variance)
        more = Add (variance, some)
        deviation = Sqrt (more)
        normal = Div (moved, deviation)
        scales = Unsqueeze (scale, end)
        biases = Unsqueeze (b, end)
        scaled = Mul (normal, scales)
        added = Add (scaled, biases)
        sizes = Shape (x)
        y = Reshape (added, sizes)
    }""",
}


_DEFAULTS = {
    "ArgMax": {"axis": 0, "keepdims": 1, "select_last_index": 0},
    "ArgMin": {"axis": 0, "keepdims": 1, "select_last_index": 0},
    "InstanceNormalization": {"epsilon": 1e-5},
}


def with_sizes_read(onnx: Any, model: Any) -> Any:
    """`model`, whose shapes have been inferred, with such operators on dynamic sizes by others."""
    used = set()
    for graph in graphs(onnx, model.graph):
        known = shapes(graph, known_size)
        for node in graph.node:
            if domain_of(node.domain) or node.op_type not in _FORMS:
                continue
            given = {each.name: onnx.helper.get_attribute_value(each) for each in node.attribute}
            given = {**_DEFAULTS[node.op_type], **given}
            is_dynamic = None in known.get(node.input[0], [])
            if is_dynamic and given.pop("select_last_index", 1):
                attributes = [onnx.helper.make_attribute(*each) for each in given.items()]
                put(node.attribute, attributes)
                node.domain = _DOMAIN
                used.add(node.op_type)
    inliner = import_module("onnx.inliner")
    names = {node.op_type for graph in graphs(onnx, model.graph) for node in graph.node}
    if "CenterCropPad" in names:  # torch-mlir only pads dynamic sizes.
        for graph in graphs(onnx, model.graph):
            for each in graph.initializer:
                kinds = each.name, each.data_type, each.dims
                graph.value_info.append(onnx.helper.make_tensor_value_info(*kinds))
        crops = [("", "CenterCropPad")]
        model = inliner.inline_selected_functions(model, crops, inline_schema_functions=True)
        ends = {each.name for each in model.graph.output}
        put(model.graph.value_info, [e for e in model.graph.value_info if e.name not in ends])
    if not used:
        return infer(onnx, model) if "CenterCropPad" in names else model
    version = next(e.version for e in model.opset_import if not domain_of(e.domain))
    for name in sorted(used):
        form = onnx.parser.parse_function(_FORMS[name])
        form.opset_import[0].version = version
        model.functions.append(form)
    model.opset_import.append(onnx.helper.make_opsetid(_DOMAIN, 1))
    return infer(onnx, inliner.inline_local_functions(model))
