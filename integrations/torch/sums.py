"""Sums of scatters, as the gradient of what was gathered from more than once."""

from math import prod
from typing import Any

import torch
from mlir_gs.integrations.torch.decompositions import size_of
from mlir_gs.integrations.torch.ops import HALVES, is_scatter, key
from mlir_gs.integrations.torch.writes import alike

aten: Any = torch.ops.aten

_ADD = {"aten.index_add", "aten.index_put", "aten.scatter_add"}
_ZEROS = {"aten.zeros", "aten.zeros_like", "aten.new_zeros"}
_FULL = {"aten.full", "aten.full_like", "aten.new_full"}


def add_in_one_place(graph: torch.fx.Graph) -> None:
    """Scatters that add to zeros add to what their sums are added to.

    before --> after: `add(y, index_add(zeros, 0, i, u))` --> `index_add(y, 0, i, u)`. Applies where
    `y` is a scatter, too, of this shape and type, and nothing else reads the sums: what loops
    compute would be stored for the scatter. Not to halves, which are rounded at each step, and not
    where more elements are added than there are sums: loops that add the same elements to two
    tensors compute them once, and one after the other twice.
    """
    for node in graph.find_nodes(op="call_function", target=aten.add.Tensor):
        if node.kwargs or node.meta["val"].dtype in HALVES:
            continue
        for y, sums in (node.args[:2], node.args[1::-1]):
            if y is sums or not (_adds_to_zeros(sums, node) and alike(y, node) and is_scatter(y)):
                continue
            with graph.inserting_before(node):
                made = graph.call_function(sums.target, (y, *sums.args[1:]), sums.kwargs)
            node.replace_all_uses_with(made, propagate_meta=True)
            graph.erase_node(node)
            graph.erase_node(sums)
            break


def _adds_to_zeros(node: Any, reader: torch.fx.Node) -> bool:
    """Whether only `reader` reads the node, a scatter of plain additions to zeros."""
    if not isinstance(node, torch.fx.Node) or key(node) not in _ADD or [*node.users] != [reader]:
        return False
    if node.kwargs or (key(node) == "aten.index_put" and node.args[3:] != (True,)):
        return False
    to: Any = node.args[0]
    is_zero = key(to) in _ZEROS or (key(to) in _FULL and to.args[-1] == 0)
    added: Any = node.args[2 if key(node) == "aten.index_put" else 3]
    counts = [prod(map(size_of, each.meta["val"].shape)) for each in (added, node)]
    return is_zero and alike(node, reader) and counts[0] <= counts[1]
