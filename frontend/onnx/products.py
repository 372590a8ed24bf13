"""Products that torch-mlir converts in part, as operators that it converts."""

from collections.abc import Iterator, Mapping
from typing import Any

from mlir_gs.frontend.common.common import Refusal
from mlir_gs.frontend.onnx.graphs import domain_of, graphs, line, put, shapes, tensor_types
from mlir_gs.lowering import PassFailure

SCALES = Refusal(
    "QLinearMatMul of more than two dims with a scale or zero point for each row or column",
    "input '{name}' must have one element where factors have more than two dims",
)
_INPUTS = (
    *("a", "a_scale", "a_zero_point", "b", "b_scale", "b_zero_point", "y_scale", "y_zero_point"),
)


def split_products(onnx: Any, model: Any) -> None:
    """Write a QLinearMatMul of more than two dims, whose zero points torch-mlir leaves out, as a
    MatMulInteger. Write the factors and the sum of a Gemm out where torch-mlir leaves alpha out,
    as nothing is added, or where the sizes of what is added are unknown.

    Shapes have to be inferred. Raises PassFailure for scales that are not single numbers.
    """
    for graph in graphs(onnx, model.graph):
        types, known = tensor_types(graph), shapes(graph, lambda size: size.dim_value)
        nodes: list[Any] = []
        for node in graph.node:
            split = [node]
            if node.op_type == "QLinearMatMul" and not domain_of(node.domain):
                split = list(_quantized(onnx, graph, node, types, known)) or split
            elif node.op_type == "Gemm" and not domain_of(node.domain):
                split = list(_scaled(onnx, graph, node, types, known)) or split
            nodes += split
        put(graph.node, nodes)


def _quantized(
    onnx: Any, graph: Any, node: Any, types: Mapping[str, Any], known: Mapping[str, list[int]]
) -> Iterator[Any]:
    given = dict(zip(_INPUTS, node.input, strict=True))
    if all(len(known.get(given[each], (0, 0, 0))) <= 2 for each in ("a", "b")):
        return
    for each in _INPUTS:
        if each not in ("a", "b") and known.get(given[each]) not in ([], [1]):
            raise PassFailure(line(node, SCALES(name=each)))
    proto, build = onnx.TensorProto, _Nodes(onnx, graph, node, types)
    points = [given[each] for each in ("a", "b", "a_zero_point", "b_zero_point")]
    yield build("MatMulInteger", points, proto.INT32)
    yield build("Cast", [build.last], proto.FLOAT, to=proto.FLOAT)
    yield build("Mul", [build.last, given["a_scale"]], proto.FLOAT)
    yield build("Mul", [build.last, given["b_scale"]], proto.FLOAT, " of b")
    ends = [build.last, given["y_scale"], given["y_zero_point"]]
    yield onnx.helper.make_node("QuantizeLinear", ends, node.output, node.name)


def _scaled(
    onnx: Any, graph: Any, node: Any, types: Mapping[str, Any], known: Mapping[str, list[int]]
) -> Iterator[Any]:
    attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
    alpha, beta = attributes.pop("alpha", 1.0), attributes.pop("beta", 1.0)
    added = node.input[2] if len(node.input) > 2 else ""
    if 0 not in known.get(added, ()) if added else alpha == 1:
        return
    kind, build = types[node.output[0]].elem_type, _Nodes(onnx, graph, node, types)

    def times(tensor: str, number: float, name: str, like: str = "") -> Any:
        factor = onnx.helper.make_tensor(f"{node.name}: {name}", kind, [], [number])
        graph.initializer.append(factor)
        return build("Mul", [tensor, factor.name], kind, f" by {name}", like)

    yield build("Gemm", node.input[:2], kind, **attributes)
    yield times(build.last, alpha, "alpha")
    product = build.last
    if not added:
        yield onnx.helper.make_node("Identity", [product], node.output, node.name)
        return
    yield times(added, beta, "beta", added)
    yield onnx.helper.make_node("Add", [product, build.last], node.output, node.name)


class _Nodes:
    """Builds the nodes of parts of `node`, with the type of its result, or of a tensor like it."""

    def __init__(self, onnx: Any, graph: Any, node: Any, types: Mapping[str, Any]) -> None:
        self.onnx, self.graph, self.node, self.types = onnx, graph, node, types
        self.last = ""

    def __call__(
        self, op: str, inputs: Any, kind: int, more: str = "", like: str = "", **attributes: Any
    ) -> Any:
        self.last = f"{self.node.name}: {op}{more}"
        held = self.graph.value_info.add()
        held.name = self.last
        held.type.tensor_type.CopyFrom(self.types[like or self.node.output[0]])
        held.type.tensor_type.elem_type = kind
        return self.onnx.helper.make_node(op, inputs, [self.last], self.last, **attributes)
