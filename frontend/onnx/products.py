"""Products that torch-mlir converts in part, as operators that it converts."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mlir_gs.frontend.common.common import Refusal
from mlir_gs.frontend.onnx.graphs import (
    domain_of,
    element_types,
    graphs,
    line,
    put,
    shapes,
    tensor_types,
)
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
    MatMulInteger, and the factors and the sum of a Gemm out where torch-mlir leaves alpha out, as
    nothing is added, or where the sizes of what is added are unknown. Give a factor of one dim that
    is multiplied with batches, which it refuses, two dims. Say what an Einsum gives, and leave out
    dots that stand for no dims.

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
            elif node.op_type in ("MatMul", "MatMulInteger") and not domain_of(node.domain):
                split = list(_of_integers(onnx, graph, node, known)) or split
            elif node.op_type == "Einsum" and not domain_of(node.domain):
                _spell_out(node, known)
            for each in split:
                nodes += _of_matrices(onnx, graph, each, known)
        put(graph.node, nodes)


def _spell_out(node: Any, known: Mapping[str, list[int]]) -> None:
    """Write an Einsum with its arrow, and without dots that stand for no dims."""
    (equation,) = (each for each in node.attribute if each.name == "equation")
    given, arrow, made = equation.s.decode().replace(" ", "").partition("->")
    if not arrow:
        once = [each for each in sorted(set(given) - {*",."}) if given.count(each) == 1]
        made = "".join(["..." * ("..." in given), *once])
    # What is of the graph around this one has no rank here.
    ranks = [len(known[name]) if name in known else -1 for name in node.input]
    pairs = zip(given.split(","), ranks, strict=False)
    if all("..." not in term or len(term) - 3 == rank for term, rank in pairs):
        given, made = given.replace("...", ""), made.replace("...", "")
    equation.s = f"{given}->{made}".encode()


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


def _of_integers(onnx: Any, graph: Any, node: Any, known: dict[str, list[int]]) -> Iterator[Any]:
    """One of dynamic sizes in four dims or more, which torch-mlir takes for floats, by Einsum."""
    helper, names, ranks = onnx.helper, [], [len(known.get(name, ())) for name in node.input[:2]]
    if not {*filter(None, node.input), node.output[0]} <= known.keys():
        # Some are of the graph around this one.
        return
    points, kind = [*node.input[2:], "", ""][:2], element_types(graph)[node.output[0]]
    is_dynamic = max(ranks) > 3 and any(0 in known.get(name, ()) for name in node.input[:2])
    by_row = points[0] and known[points[0]] not in ([], [1])
    if kind not in (onnx.TensorProto.INT32, onnx.TensorProto.INT64) or not is_dynamic or by_row:
        return

    def build(op: str, number: int, inputs: Sequence[str], like: str, **attributes: Any) -> Any:
        names.append(f"{node.name}: {op} {number} {like}")
        shape = [size or None for size in known[like]]
        graph.value_info.append(helper.make_tensor_value_info(names[-1], kind, shape))
        return helper.make_node(op, inputs, names[-1:], names[-1], **attributes)

    for number, (factor, point) in enumerate(zip(node.input[:2], points, strict=True)):
        if point:
            yield build("Cast", number, [point], point, to=kind)
        yield build("Cast", number, [factor], factor, to=kind)
        if point:
            yield build("Sub", number, [names.pop(), names.pop()], factor)
    batches = ["abcdefghijklmnopqrstuvw"[min(25 - rank, 23) :] for rank in ranks]
    left, right = batches[0] + "xy"[-ranks[0] :], batches[1] + "yz"[: ranks[1]]
    made = max(batches, key=len) + "x" * (ranks[0] > 1) + "z" * (ranks[1] > 1)
    terms = f"{left},{right}->{made}"
    yield helper.make_node("Einsum", names, node.output, node.name, equation=terms)


def _of_matrices(onnx: Any, graph: Any, node: Any, known: Mapping[str, list[int]]) -> Iterator[Any]:
    ranks = [len(known.get(name, ())) for name in node.input[:2]]
    is_product = node.op_type in ("MatMul", "MatMulInteger") and not domain_of(node.domain)
    if not is_product or min(ranks) != 1 or max(ranks) < 3:
        yield node
        return
    helper, integer, place = onnx.helper, onnx.TensorProto.INT64, ranks.index(1)
    kind = element_types(graph)[node.input[place]]
    last = onnx.TensorProto.INT32 if node.op_type == "MatMulInteger" else kind
    batches, vector = known[node.input[1 - place]], known[node.input[place]]
    factor = [*vector, 1] if place else [1, *vector]
    product = [*batches[:-1], 1] if place else [*batches[:-2], 1, batches[-1]]
    made = [f"{node.name}: {name}" for name in ("dim", "factor", "product")]
    for name, type_, sizes in ((made[1], kind, factor), (made[2], last, product)):
        shape = [size or None for size in sizes]
        graph.value_info.append(helper.make_tensor_value_info(name, type_, shape))
    graph.initializer.append(helper.make_tensor(made[0], integer, [1], [place - 2]))
    yield helper.make_node("Unsqueeze", [node.input[place], made[0]], [made[1]], made[1])
    node.input[place] = made[1]
    outputs, node.output[0] = list(node.output), made[2]
    yield node
    yield helper.make_node("Squeeze", [made[2], made[0]], outputs, f"{node.name}: result")


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
