"""ONNX's broadcasting of sizes that are known at run time: those of 1 are broadcast, too.

torch-mlir takes unknown sizes for equal ones. Before it reads a model, operands whose unknown sizes
may differ from those of others are expanded to the common ones.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.common import Left
from mlir_gs.frontend.common.elementwise import sizes_of
from mlir_gs.frontend.common.slices import Int, Window, take_windows
from mlir_gs.frontend.onnx.gather_scatter import COMMON, result
from mlir_gs.frontend.onnx.graphs import domain_of, element_types, graphs, put, shapes
from mlir_gs.frontend.onnx.node import ONNX, Node, as_index, expect, expect_sizes
from mlir_gs.frontend.torch.gather import expanded
from mlir_gs.lowering.ir.builders import index
from mlir_gs.lowering.ir.emit import choose, compare, value

arith = dialect("arith")
tensor = dialect("tensor")

_BROADCASTS = {
    *("Add", "Sub", "Mul", "Div", "Pow", "Mod", "PRelu", "BitShift", "And", "Or", "Xor", "Where"),
    *("Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "Max", "Min", "Mean", "Sum"),
    *("BitwiseAnd", "BitwiseOr", "BitwiseXor"),
}
_PRODUCTS = {"MatMul": (0, 1), "MatMulInteger": (0, 1), "QLinearMatMul": (0, 3)}
"""Which inputs are the factors, whose sizes but the last two are broadcast."""
_SCALED = ("LayerNormalization", "RMSNormalization")
"""Other inputs are broadcast to the first one."""

Size = int | str | None
"""Known, named, or neither."""
Label = int | str | None
"""Dims with the same one are broadcast: a letter, or a place from the end; None is not."""
Dims = Sequence[tuple[Label, Size]]


def expand_unknown(onnx: Any, model: Any) -> None:
    """Expand operands in `model`, whose shapes have been inferred."""
    for graph in graphs(onnx, model.graph):
        kinds, sizes = element_types(graph), shapes(graph, _size)
        nodes = []
        for node in graph.node:
            if not domain_of(node.domain) and all(n in sizes for n in node.input if n):
                given = [sizes.get(name, []) for name in node.input]
                dims = {
                    number: list(zip(labels, given[number], strict=True))
                    for number, labels in _labels(node, [*map(len, given)])
                    if node.input[number]
                }
                nodes += _expansions(onnx, graph, node, kinds, dims)
            nodes.append(node)
        put(graph.node, nodes)


def _size(dim: Any) -> Size:
    return dim.dim_value if dim.HasField("dim_value") else dim.dim_param or None


def _labels(node: Any, ranks: Sequence[int]) -> Iterator[tuple[int, Sequence[Label]]]:
    """The inputs that are broadcast, with the labels of their dims."""
    from_end: list[list[Label]] = [[*range(-rank, 0)] for rank in ranks]
    given = {attribute.name: attribute for attribute in node.attribute}
    if node.op_type in _BROADCASTS:
        yield from enumerate(from_end)
    elif node.op_type in _SCALED and ranks[0]:
        axis = (given["axis"].i if "axis" in given else -1) % ranks[0]
        yield from enumerate([[*[None] * axis, *from_end[0][axis:]], *from_end[1:]])
    elif node.op_type == "Einsum":
        terms = given["equation"].s.decode().replace(" ", "").split("->")[0]
        for number, term in enumerate(terms.split(",")):
            first, dots, last = term.partition("...")
            inner = range(len(first + last) - ranks[number], 0) if dots else ()
            yield number, [*first, *inner, *last]
    for number in _PRODUCTS.get(node.op_type, ()):
        inner = min(ranks[number], 2)
        yield number, [*from_end[number][: ranks[number] - inner], *[None] * inner]


def _expansions(
    onnx: Any, graph: Any, node: Any, kinds: Mapping[str, int], inputs: Mapping[int, Dims]
) -> Iterator[Any]:
    """The nodes that expand these `inputs` of `node`, which then reads their results."""
    names, integer = list(node.input), onnx.TensorProto.INT64
    sizes = (integer, onnx.TensorProto.BOOL, 0)
    if all(len(dims) < 2 and kinds.get(names[n], 0) in sizes for n, dims in inputs.items()):
        # Arithmetic of sizes, which torch-mlir folds.
        return

    def made(op: str, given: Sequence[str], kind: int, shape: Sequence[Size], **more: Any) -> Any:
        name = f"{node.name}: {op} {len(graph.value_info)}"
        graph.value_info.append(onnx.helper.make_tensor_value_info(name, kind, shape))
        return onnx.helper.make_node(op, given, [name], name, **more)

    for number, dims in inputs.items():
        pairs = [(names[n], others) for n, others in inputs.items()]
        left = [pair for pair in pairs if pair != (names[number], dims)]
        if node.op_type in _SCALED and number == 0:
            left = []
        # What one brings may differ from others.
        while other := next((e for e in left if _may_differ(node, dims, e[1])), None):
            left.remove(other)
            name, brought = other
            places, dims = _common(dims, brought)
            steps = [made("Shape", [name], integer, [len(brought)])]
            if places != [*range(len(brought))]:
                one = onnx.helper.make_tensor("", integer, [1], [1])
                steps = [
                    made("Constant", [], integer, [1], value=one)
                    if place is None
                    else made("Shape", [name], integer, [1], start=place, end=place + 1)
                    for place in places
                ]
                parts = [step.output[0] for step in steps]
                steps.append(made("Concat", parts, integer, [len(parts)], axis=0))
            given = [node.input[number], steps[-1].output[0]]
            shape = [size for _, size in dims]
            steps.append(made("Expand", given, kinds[names[number]], shape))
            node.input[number] = steps[-1].output[0]
            yield from steps


def _may_differ(node: Any, own: Dims, other: Dims) -> bool:
    brought = dict(other)
    # torch-mlir broadcasts known sizes, but not those of letters.
    fixed = (1,) if node.op_type == "Einsum" else ()
    return any(
        (a in fixed or not isinstance(a, int)) and b != 1 and (a is None or a != b)
        for label, a in own
        if label is not None and (b := brought.get(label, 1)) != 1
    )


def _common(own: Dims, other: Dims) -> tuple[list[int | None], Dims]:
    """For each dim of `own` expanded to `other` its place in `other`, and the dim."""
    places: dict[Label, int] = {
        label: place for place, (label, _) in enumerate(other) if label is not None
    }
    before = [(n, 1) for n in places if isinstance(n, int) and n < -len(own)]
    found, dims = [], []
    for label, a in (*before, *own):
        place = places.get(label)
        b = 1 if place is None else other[place][1]
        size = b if a == 1 else a if b == 1 or a == b else _known(a, b)
        found.append(place)
        dims.append((label, size))
    return found, dims


def _known(a: Size, b: Size) -> Size:
    return next((n for n in (a, b) if isinstance(n, int)), None)


@ONNX.converts("onnx.Expand", {"sizes that are known at run time": "`gs.generic`"}, refuses=COMMON)
def convert_expand(node: Node) -> Sequence[ir.Value]:
    """A dim of size 1 has the size that the shape has for it; others stay."""
    source, held = node.input(0), node.input(1)
    count, rank = held.type.shape[0], source.type.rank
    if DYNAMIC not in source.type.shape or count == DYNAMIC:
        raise Left
    known = node.integers(1)
    total = max(count, rank)
    own: list[Int] = [*[1] * (total - rank), *sizes_of(source)]
    wanted: list[Int] = [1] * (total - count)
    wanted += known or [as_index(tensor.extract(held, [index(d)])) for d in range(count)]
    sizes, windows, same = [], {}, []
    for d, (size, other) in enumerate(zip(own, wanted, strict=True)):
        if isinstance(size, int) or other == 1:
            sizes.append(other if size == 1 else size)
            continue
        is_one, is_equal = compare("eq", size, 1), compare("eq", size, other)
        fits = arith.ori(arith.ori(is_one, compare("eq", other, 1)), is_equal)
        expect(fits, f"'onnx.Expand' shape does not fit dim {d} of the input")
        sizes.append(arith.select(is_one, value(other), size))
        windows[d - total + rank] = Window(0, sizes[-1], arith.select(is_one, index(0), index(1)))
        same.append(compare("eq", size, sizes[-1]))
    found = source
    if windows:
        is_same = reduce(arith.andi, same)
        found = choose(is_same, source.type, lambda: source, lambda: take_windows(source, windows))
    found = expanded(found, sizes)
    return result(node, expect_sizes(found, node.result_type(), "onnx.Expand"))
