"""What is read of the graphs of an ONNX model, and written to them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from mlir_gs.lowering import PassFailure


def graphs(onnx: Any, graph: Any) -> Iterator[Any]:
    """`graph` and those in its nodes."""
    yield graph
    for inner in inner_graphs(onnx, graph.node):
        yield from graphs(onnx, inner)


def inner_graphs(onnx: Any, nodes: Iterable[Any]) -> Iterator[Any]:
    """The graphs right in `nodes`."""
    for node in nodes:
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                yield attribute.g


def refuse(
    onnx: Any,
    graph: Any,
    known: Callable[[Any], Mapping[str, Any]],
    complaints: Callable[[Any, Mapping[str, Any]], Iterable[Any]],
) -> None:
    """Raises PassFailure with a line for each of the `complaints` about a node, of `graph` and
    those in its nodes. It is told what is `known` of the tensors that the node sees."""

    def wrong(graph: Any, outer: Mapping[str, Any]) -> Iterator[str]:
        seen = {**outer, **known(graph)}
        for node in graph.node:
            yield from (line(node, text) for text in complaints(node, seen))
            for inner in inner_graphs(onnx, [node]):
                yield from wrong(inner, seen)

    if lines := list(wrong(graph, {})):
        raise PassFailure("\n".join(lines))


def line(node: Any, text: Any) -> str:
    """An error about a node."""
    return f"{node.name}: error: '{name(node)}' op {text}"


def name(node: Any) -> str:
    """How messages call the operator of a node."""
    domain = domain_of(node.domain)
    return f"{domain}.{node.op_type}" if domain else f"onnx.{node.op_type}"


def domain_of(domain: str) -> str:
    """A domain under one name: ONNX's own has two."""
    return "" if domain == "ai.onnx" else domain


def tensor_types(graph: Any) -> dict[str, Any]:
    """The types of tensors other than constants, by name."""
    values = (*graph.value_info, *graph.input, *graph.output)
    return {each.name: each.type.tensor_type for each in values}


def element_types(graph: Any) -> dict[str, int]:
    """The element types of tensors, by name; 0 where there is none."""
    found = {name: type_.elem_type for name, type_ in tensor_types(graph).items()}
    return found | {each.name: each.data_type for each in graph.initializer}


def shapes(graph: Any, size: Callable[[Any], Any]) -> dict[str, list[Any]]:
    """The shapes of tensors that have one, by name; `size` of each dim that is not a constant's."""
    types = tensor_types(graph).items()
    found = {n: [size(d) for d in t.shape.dim] for n, t in types if t.HasField("shape")}
    return found | {each.name: list(each.dims) for each in graph.initializer}


def known_size(dim: Any) -> int | None:
    return dim.dim_value if dim.HasField("dim_value") else None


def put(held: Any, entries: Iterable[Any]) -> None:
    """Make `entries` those of a field of a message."""
    entries = list(entries)
    del held[:]
    held.extend(entries)
