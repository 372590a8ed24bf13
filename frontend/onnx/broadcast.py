"""ONNX's broadcasting of sizes that are known at run time: those of 1 are broadcast, too.

torch-mlir takes unknown sizes for equal ones. Before it reads a model, operands whose unknown sizes
may differ from those of others are expanded to the common ones.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.common import Left
from mlir_gs.frontend.common.elementwise import sizes_of
from mlir_gs.frontend.common.slices import Int, Window, take_windows
from mlir_gs.frontend.onnx.gather_scatter import COMMON, result
from mlir_gs.frontend.onnx.graphs import domain_of, graphs, put, shapes, tensor_types
from mlir_gs.frontend.onnx.node import ONNX, Node, as_index, expect, expect_sizes
from mlir_gs.frontend.torch.gather import expanded
from mlir_gs.lowering.ir.builders import index
from mlir_gs.lowering.ir.emit import compare, value

arith = dialect("arith")
scf = dialect("scf")
tensor = dialect("tensor")

_BROADCASTS = {
    *("Add", "Sub", "Mul", "Div", "Pow", "Mod", "PRelu", "BitShift", "And", "Or", "Xor", "Where"),
    *("Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "Max", "Min", "Mean", "Sum"),
    *("BitwiseAnd", "BitwiseOr", "BitwiseXor"),
}
_PRODUCTS = {"MatMul": (0, 1), "MatMulInteger": (0, 1), "QLinearMatMul": (0, 3)}
"""Which inputs are the factors, whose sizes but the last two are broadcast."""

Size = int | str | None
"""Known, named, or neither."""


def expand_unknown(onnx: Any, model: Any) -> None:
    """Expand operands in `model`, whose shapes have been inferred."""
    for graph in graphs(onnx, model.graph):
        types, sizes = tensor_types(graph), shapes(graph, _size)
        nodes = []
        for node in graph.node:
            if domain_of(node.domain):
                pass
            elif node.op_type in _BROADCASTS:
                nodes += _expansions(onnx, graph, node, types, sizes, range(len(node.input)), 0)
            elif node.op_type in _PRODUCTS:
                inputs = _PRODUCTS[node.op_type]
                nodes += _expansions(onnx, graph, node, types, sizes, inputs, 2)
            nodes.append(node)
        put(graph.node, nodes)


def _size(dim: Any) -> Size:
    return dim.dim_value if dim.HasField("dim_value") else dim.dim_param or None


def _expansions(
    onnx: Any,
    graph: Any,
    node: Any,
    types: Mapping[str, Any],
    known: Mapping[str, Sequence[Size]],
    inputs: Iterable[int],
    last: int,
) -> Iterator[Any]:
    """The nodes that expand these `inputs` of `node`, which then reads their results, in all dims
    but the `last`."""
    helper, names = onnx.helper, {number: node.input[number] for number in inputs}
    if any(name not in known for name in names.values()):
        return
    if all(len(known[n]) < 2 and _is_size(onnx, types.get(n)) for n in names.values()):
        # Arithmetic of sizes, which torch-mlir folds.
        return
    outer = {name: known[name][: len(known[name]) - last] for name in names.values()}
    for number, name in names.items():
        sizes, kept = list(outer[name]), known[name][len(outer[name]) :]
        left = [n for n in dict.fromkeys(names.values()) if n != name]
        # What one brings may differ from others.
        while other := next((n for n in left if _may_differ(sizes, outer[n])), None):
            left.remove(other)
            here = f"{node.name}: input {number}, {len(left)}"
            steps, wanted = [("Shape", [other], {})], f"{here}: Shape"
            if last:
                ones = onnx.numpy_helper.from_array(np.ones(last, np.int64), f"{here}: ones")
                graph.initializer.append(ones)
                steps = [
                    ("Shape", [other], {"end": -last}),
                    ("Concat", [wanted, ones.name], {"axis": 0}),
                ]
                wanted = f"{here}: Concat"
            steps.append(("Expand", [node.input[number], wanted], {}))
            for kind, given, attributes in steps:
                made = f"{here}: {kind}"
                yield helper.make_node(kind, given, [made], made, **attributes)
            for made, count in ((f"{here}: Shape", 0), (f"{here}: Concat", last)):
                shape = [len(outer[other]) + count]
                info = helper.make_tensor_value_info(made, onnx.TensorProto.INT64, shape)
                graph.value_info.append(info)
            here, sizes = f"{here}: Expand", _common(sizes, outer[other])
            kind = types[name].elem_type
            graph.value_info.append(helper.make_tensor_value_info(here, kind, [*sizes, *kept]))
            node.input[number] = here


def _is_size(onnx: Any, type_: Any) -> bool:
    return type_ is None or type_.elem_type in (onnx.TensorProto.INT64, onnx.TensorProto.BOOL)


def _may_differ(own: Sequence[Size], other: Sequence[Size]) -> bool:
    pairs = zip(reversed(own), reversed(other), strict=False)
    return any(not isinstance(a, int) and b != 1 and (a is None or a != b) for a, b in pairs)


def _common(own: Sequence[Size], other: Sequence[Size]) -> list[Size]:
    rank = max(len(own), len(other))
    padded = [[1] * (rank - len(each)) + list(each) for each in (own, other)]
    return [
        b if a == 1 else a if b == 1 or a == b else _known(a, b)
        for a, b in zip(*padded, strict=True)
    ]


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
    found = _expanded(source, windows, same) if windows else source
    found = expanded(found, sizes)
    return result(node, expect_sizes(found, node.result_type(), "onnx.Expand"))


def _expanded(
    source: ir.Value, windows: Mapping[int, Window], same: Sequence[ir.Value]
) -> ir.Value:
    """The `windows` of the source; it itself where all of its sizes are the `same`."""
    made = scf.IfOp(reduce(arith.andi, same), [source.type], has_else=True)
    with ir.InsertionPoint(made.then_block):
        scf.yield_([source])
    with ir.InsertionPoint(made.else_block):
        scf.yield_([take_windows(source, windows)])
    return made.results[0]
