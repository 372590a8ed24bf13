"""What inductor stores that its loops would compute again, or in another type."""

from math import prod
from typing import Any

import torch
from mlir_gs.integrations.torch.cost import is_fused, readers_of
from mlir_gs.integrations.torch.decompositions import size_of
from mlir_gs.integrations.torch.ops import is_indexing, is_scatter, is_view
from torch._inductor.lowering import fallbacks

_IN_ORDER: dict[str, Any] = {"memory_format": torch.contiguous_format}


def store_repeated(graph: torch.fx.Graph) -> None:
    """Gathers whose elements loops would read one by one for several places each, as biases of
    attention that lie in a table by head.

    before --> after: `add(x, permute(index(t, [i])))` --> `add(x, clone(permute(index(t, [i]))))`,
    which is stored in the order of `add`, after one look at each coordinate. Of rows in the order
    in which they lie, loops take a vector at a coordinate: these stay. So do those of which the
    graph gives a view, and those that ops outside of loops read.
    """
    for node in list(graph.nodes):
        if not is_indexing(node) or is_scatter(node) or node.target in fallbacks:
            continue
        last = node
        while len(last.users) == 1 and _is_moved(user := next(iter(last.users))):
            last = user
        readers = [*readers_of(last)]
        if last is node or not all(_reads_along(each, last) for each in readers):
            continue
        value: torch.Tensor = last.meta["val"]
        if sum(_count(each.meta["val"]) for each in readers) < 2 * max(1, _count(value)):
            continue
        with graph.inserting_after(last):
            stored = graph.call_function(torch.ops.aten.clone.default, (last,), _IN_ORDER)
        stored.meta = {"val": value.new_empty(value.shape), "inductor_realize_to_strides": True}
        last.replace_all_uses_with(stored, delete_user_cb=lambda user, own=stored: user is not own)


def _is_moved(node: torch.fx.Node) -> bool:
    """Whether it is a view of which no element repeats."""
    return is_view(node) and 0 not in map(size_of, node.meta["val"].stride())


def _reads_along(reader: torch.fx.Node, node: torch.fx.Node) -> bool:
    """Whether loops go along the last dim of `node`, whose elements do not follow each other."""
    if torch.Tag.pointwise not in getattr(reader.target, "tags", ()) or not node.meta["val"].ndim:
        return False
    (length, stride), along = (
        (size_of(each.meta["val"].shape[-1]), size_of(each.meta["val"].stride()[-1]))
        for each in (node, reader)
    )
    return length > 1 != stride and along == (length, 1)


def _count(value: torch.Tensor) -> int:
    return prod(map(size_of, value.shape))


def store_masks_as_numbers(graph: torch.fx.Graph) -> None:
    """Of the bools that loops compute and the graph gives, as those that a derivative reads.

    before --> after: `return le(x, 0)` --> `return view(uint8(int32(le(x, 0))), bool)`. Inductor's
    vectors become bools one element at a time, and numbers all at once. Not of parts and expanded
    ones, whose strides numbers would not have.
    """
    output, ops = graph.output_node(), (torch.ops.prims.convert_element_type, torch.ops.aten.view)
    steps = (ops[0].default, torch.int32), (ops[0].default, torch.uint8), (ops[1].dtype, torch.bool)
    for node in output.all_input_nodes:
        value: Any = node.meta.get("val")
        base = given = node
        while is_view(base):
            base = base.all_input_nodes[0]
        is_mask = isinstance(value, torch.Tensor) and value.dtype == torch.bool
        is_whole = is_mask and value.to(torch.uint8).stride() == value.stride()
        if not is_whole or value.device.type != "cpu" or not is_fused(base):
            continue
        for op, dtype in steps:
            with graph.inserting_before(output):
                given = graph.call_function(op, (given, dtype))
            given.meta["val"] = value.to(dtype)
        output.replace_input_with(node, given)
