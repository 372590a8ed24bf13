"""Writes to a graph's inputs, which functionalization made copies of, as writes in place again."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import torch
from mlir_gs.integrations.torch.decompositions import size_of
from mlir_gs.integrations.torch.ops import is_scatter, is_view, key
from torch.fx.node import has_side_effect

Node = torch.fx.Node
aten: Any = torch.ops.aten

_VIEW_OF = {
    "aten.slice_scatter": aten.slice.Tensor,
    "aten.select_scatter": aten.select.int,
}
"""The view that each of these ops writes to."""

View = tuple[Any, tuple[Any, ...]]


@has_side_effect
def written(
    tensor: torch.Tensor,
    views: Sequence[View],
    op: Any,
    arguments: Sequence[Any],
    keywords: dict[str, Any],
) -> torch.Tensor:
    """`tensor`, after `op` has written to the view of it."""
    view = tensor
    for show, numbers in views:
        view = show(view, *numbers)
    op(view, *arguments, **keywords)
    return tensor


@dataclass(frozen=True)
class _Write:
    """What `written` is called with, and the nodes that only this write reads."""

    views: tuple[View, ...]
    op: Any
    arguments: tuple[Any, ...]
    keywords: dict[str, Any]
    absorbed: frozenset[Node]

    @property
    def elements(self) -> int:
        """How many elements of tensors the op reads."""
        found = [a for a in self.arguments if isinstance(a, Node)]
        return sum(_elements(each) for each in found)


def write_in_place(graph: torch.fx.Graph) -> None:
    """Rewrite the writes to inputs of `graph` that gain by it, in place.

    before: `new = index_copy(x, 0, i, rows)`; ...; `copy_(x, new)`
    after:  `new = x.index_copy_(0, i, rows)`

    Applies to ops that have a form in place, one after the other, also on slices of the input, that
    read fewer elements than the input has, where nothing else reads what the input held before.
    """
    for copy in graph.find_nodes(op="call_function", target=aten.copy_.default):
        target, new = copy.args[:2]
        chain = _chain(target, new) if isinstance(target, Node) and len(copy.args) == 2 else None
        if chain is None or not _pays(target, chain):
            continue
        if any(not _reads_only(base, node, write, copy) for base, node, write in chain):
            continue
        value = target
        for _, node, write in chain:
            with graph.inserting_before(node):
                given = (value, write.views, write.op, write.arguments, write.keywords)
                value = graph.call_function(written, given)
                value.meta = dict(node.meta)
        new.replace_all_uses_with(value, delete_user_cb=lambda user, copy=copy: user is not copy)
        copy.replace_all_uses_with(value)
        graph.erase_node(copy)
        _erase_unused(graph, [each for _, node, w in chain for each in (node, *w.absorbed)])


def copies_last(graph: torch.fx.Graph) -> None:
    """Move the copies to inputs behind all that may read what these held before."""
    end = graph.output_node()
    for copy in graph.find_nodes(op="call_function", target=aten.copy_.default):
        end.prepend(copy)


def in_place(graph: torch.fx.Graph) -> list[Node]:
    """The scatters that inductor does in its inputs, of which a kernel would make copies."""
    copies = graph.find_nodes(op="call_function", target=aten.copy_.default)
    targets = {copy.args[0] for copy in copies}
    return [node for node in graph.nodes if is_scatter(node) and _base(node) in targets]


def _base(node: Node) -> Node:
    """What views and scatters lead to."""
    while is_scatter(node) or is_view(node):
        node = node.all_input_nodes[0]
    return node


def name_of(node: Node) -> str:
    """The name of the op that a node runs."""
    if node.target is not written:
        return key(node)
    return str(node.args[2]).removesuffix(".default")


def _chain(target: Node, new: Any) -> list[tuple[Node, Node, _Write]] | None:
    """The ops that make `new` of the input `target`, in order: (what it was, op, write)."""
    if target.op != "placeholder":
        return None
    found = []
    while new is not target:
        if not isinstance(new, Node) or new.op != "call_function" or not new.args:
            return None
        base = new.args[0]
        write = _write(new, base, ()) if isinstance(base, Node) and alike(base, new) else None
        if write is None:
            return None
        found.append((base, new, write))
        new = base
    return found[::-1]


def _write(node: Node, base: Node, views: tuple[View, ...]) -> _Write | None:
    """What `node` writes to these `views` of `base`, if it is such a write."""
    if node.op != "call_function" or not isinstance(node.target, torch._ops.OpOverload):
        return None
    arguments: tuple[Any, ...] = node.args
    shown = _views(arguments[0], base) if arguments else None
    if shown is None or shown[0] != views or not alike(arguments[0], node):
        return None
    if key(node) in _VIEW_OF and not node.kwargs:
        source, at = arguments[1], (_VIEW_OF[key(node)], arguments[2:])
        inner = None
        if isinstance(source, Node) and list(source.users) == [node]:
            inner = _write(source, base, (*views, at))
        if inner is not None:
            absorbed = inner.absorbed | shown[1] | {source}
            return _Write(inner.views, inner.op, inner.arguments, inner.keywords, absorbed)
        return _Write((*views, at), aten.copy_.default, (source,), {}, shown[1])
    op = _in_place(node.target)
    if op is None:
        return None
    return _Write(views, op, arguments[1:], dict(node.kwargs), shown[1])


def _views(node: Any, base: Node) -> tuple[tuple[View, ...], frozenset[Node]] | None:
    """The slices and selections that lead from `base` to `node`, and their nodes."""
    views: tuple[View, ...] = ()
    nodes: set[Node] = set()
    while node is not base:
        if not isinstance(node, Node) or node.target not in _VIEW_OF.values() or node.kwargs:
            return None
        views = ((node.target, tuple(node.args[1:])), *views)
        nodes.add(node)
        node = node.args[0]
    return views, frozenset(nodes)


def _in_place(op: torch._ops.OpOverload) -> Any:
    """The overload that writes to the first argument of `op`."""
    schema = op._schema
    if op.namespace != "aten" or not schema.arguments or schema.arguments[0].name != "self":
        return None
    packet = getattr(aten, f"{schema.name.removeprefix('aten::')}_", None)
    return None if packet is None else getattr(packet, op._overloadname, None)


def alike(a: Any, b: Any) -> bool:
    """Whether these are nodes of tensors that have one type, shape and device."""
    one, other = (each.meta.get("val") if isinstance(each, Node) else None for each in (a, b))
    if not isinstance(one, torch.Tensor) or not isinstance(other, torch.Tensor):
        return False
    return (one.dtype, one.ndim, one.device) == (other.dtype, other.ndim, other.device) and all(
        x is y or (isinstance(x, int) and x == y) or str(x) == str(y)
        for x, y in zip(one.shape, other.shape, strict=True)
    )


def share_memory(tensors: Sequence[torch.Tensor]) -> bool:
    """Whether two of these are in one storage, or have none to ask for."""
    try:
        return len({x.untyped_storage()._cdata for x in tensors}) < len(tensors)
    except (RuntimeError, NotImplementedError):
        return True


def _reads_only(base: Node, node: Node, write: _Write, copy: Node) -> bool:
    """What the input holds before the write `node` is read by nothing but this write."""
    inside = {node, copy, *write.absorbed}
    return all(user in inside for each in (base, *write.absorbed) for user in each.users)


def _pays(target: Node, chain: Sequence[tuple[Node, Node, _Write]]) -> bool:
    """A copy of the input moves more than what is written to it."""
    return sum(write.elements for _, _, write in chain) < _elements(target)


def _elements(node: Node) -> int:
    value = node.meta.get("val")
    return prod(map(size_of, value.shape)) if isinstance(value, torch.Tensor) else 0


def _erase_unused(graph: torch.fx.Graph, nodes: Sequence[Node]) -> None:
    left = set(nodes)
    while unused := [node for node in left if not node.users]:
        for node in unused:
            graph.erase_node(node)
            left.discard(node)
