"""Products of rows that are gathered as rows of products."""

import operator
from collections.abc import Sequence
from functools import reduce
from math import prod
from typing import Any, cast

import torch
from mlir_gs.execution.machine.host import target
from mlir_gs.integrations.torch.decompositions import size_of
from mlir_gs.integrations.torch.writes import share_memory
from mlir_gs.lowering.scf.targets import machine

Node = torch.fx.Node

_LINEAR, _EMBEDDING = torch.nn.functional.linear, torch.nn.functional.embedding
PRODUCTS = (_LINEAR, operator.matmul, torch.matmul)
_PLAIN = (None, None, 2.0, False, False)  # No padding, no norm, a dense gradient.


def multiply_tables(gm: torch.fx.GraphModule) -> None:
    """Multiply tables in the place of the rows that are gathered from them, in graphs of Dynamo.

    before: `linear(cat([x[i], e], -1), w, b)`
    after:  `u, v = w.split(..., 1)`; `linear(e, v, b) + linear(x, u)[i]`

    Applies to f32 and f64 where a table has at most half as many rows as are taken, of the bytes of
    a vector, nothing from them to the product writes in place or enters a mode, and nothing after
    it writes to a table, which is kept for the gradient, or has hooks on rows. Results and
    gradients are sums of the same products in another order, which libraries do not promise either.
    A row that no coordinate names has a gradient of 0: its infinities make the weight's NaN.
    """
    last, seen = 0, dict[Node, int]()
    nodes = list(gm.graph.nodes)
    for number, node in enumerate(nodes):
        seen[node] = number
        last = last if _only_computes(node) else number
        if node.target not in PRODUCTS or node.kwargs:
            continue
        values = [_value(each) for each in (node, *node.args[:2])]
        types = {None if v is None else v.dtype for v in values}
        if len(types) > 1 or not types <= {torch.float32, torch.float64} or values[2].ndim != 2:
            continue
        parts = _parts(node.all_input_nodes[0]) if seen[node.all_input_nodes[0]] >= last else []
        tables = [_table(each) if seen[each] >= last else None for each in parts]
        # Of a bias per row eager Torch makes sums of the rows.
        is_of_rows = any(v is not None and v.ndim > 1 for v in map(_value, node.args[2:]))
        if any(tables) and not is_of_rows:
            after = [each for each in nodes[number + 1 :] if not _only_computes(each)]
            changed = [each for other in after for each in other.all_input_nodes]
            kept = [node.args[0], *parts, *tables]
            if any(_share(a, b) for a in changed for b in kept if b is not None):
                continue
            with gm.graph.inserting_before(node):
                made = _sum(node, parts, tables)
            node.replace_all_uses_with(made, propagate_meta=True)
            seen[made] = number
            gm.graph.erase_node(node)
            gm.recompile()


def _sum(node: Node, parts: Sequence[Node], tables: Sequence[Node | None]) -> Node:
    """The product in the place of `node`: of tables, and of the other parts together."""
    graph, dim, product = node.graph, int(node.target is _LINEAR), cast(Any, node.target)
    weight, *bias = cast(Any, node.args[1:])
    split = graph.call_method("split", (weight, [_value(p).shape[-1] for p in parts], dim))
    weights = [graph.call_function(operator.getitem, (split, n)) for n in range(len(parts))]
    terms = list[Node]()
    if rest := [n for n, table in enumerate(tables) if table is None]:
        joined = ([parts[n] for n in rest], -1), ([weights[n] for n in rest], dim)
        given = [graph.call_function(torch.cat, each) for each in joined]
        terms.append(graph.call_function(product, (*given, *bias)))
    for part, table, by in zip(parts, tables, weights, strict=True):
        if table is not None:
            made = graph.call_function(product, (table, by, *(() if terms else bias)))
            moved: Any = torch.fx.map_arg(part.args, lambda n, t=table, m=made: m if n is t else n)
            terms.append(graph.create_node(part.op, part.target, moved))
    return reduce(lambda a, b: graph.call_function(operator.add, (a, b)), terms)


def _parts(rows: Node) -> Sequence[Node]:
    """What is joined along the last dim, or `rows` alone."""
    if rows.target not in (torch.cat, torch.concat) or not rows.args:
        return [rows]
    parts, whole = cast(Any, rows.args[0]), _value(rows)
    dim = rows.args[1] if len(rows.args) > 1 else rows.kwargs.get("dim", 0)
    known = [v for v in map(_value, parts) if v is not None and isinstance(v.shape[-1], int)]
    alike = all((v.dtype, v.ndim) == (whole.dtype, whole.ndim) for v in known)
    is_last = len(known) == len(parts) and dim in (-1, whole.ndim - 1)
    return parts if alike and is_last else [rows]


def _table(part: Node) -> Node | None:
    """What `part` takes rows of, if to multiply all of its rows takes less time."""
    given, rows = cast(Any, part.args), _value(part)
    table = given[part.target is _EMBEDDING] if len(given) > 1 and not part.kwargs else None
    first, places = _value(table), list[Any]()
    if first is None or not isinstance(rows.shape[-1], int):
        return None
    if part.target is _EMBEDDING and given[2:] == _PLAIN[: len(given) - 2]:
        places = [given[0]]
    elif part.target is operator.getitem:
        places = [*given[1]] if isinstance(given[1], tuple) else [given[1]]
    elif part.target in (torch.index_select, "index_select"):
        places = [slice(None)] * (given[1] % first.ndim) + [given[2]]
    dims = [dim for dim, each in enumerate(places) if each != slice(None)]
    at = _value(places[dims[0]]) if len(dims) == 1 and dims[0] < first.ndim - 1 else None
    takes = at is not None and at.dtype in (torch.int32, torch.int64)
    counts = [prod(map(size_of, each.shape[:-1])) for each in (first, rows)]
    is_wide = rows.shape[-1] * rows.dtype.itemsize >= machine(target()).target.vector_bytes
    return table if takes and is_wide and 2 * counts[0] <= counts[1] else None


def _value(node: Any) -> Any:
    found = node.meta.get("example_value") if isinstance(node, Node) else None
    return found if isinstance(found, torch.Tensor) else None


def _share(a: Any, b: Any) -> bool:
    """Whether both are the same or may share memory."""
    values = [v for v in map(_value, (a, b)) if v is not None]
    return a is b or (len(values) > 1 and share_memory(values))


def _only_computes(node: Node) -> bool:
    """Whether it neither writes in place nor enters a mode, such as one without gradients."""
    if node.op in ("placeholder", "get_attr", "output"):
        return True
    name = getattr(node.target, "__name__", str(node.target))
    in_place = name.endswith("_") and not name.endswith("__")
    if name.endswith("__") or getattr(operator, name, None) is node.target:
        name = name.strip("_")
        in_place = name == "setitem" or (name[0] == "i" and hasattr(operator, name[1:]))
    if name in ("embedding", "embedding_bag"):
        # A norm is written to the table.
        in_place = node.args[3:4] not in ((), (None,)) or node.kwargs.get("max_norm") is not None
    in_place |= "out" in node.kwargs or any(v is True for v in (*node.args, *node.kwargs.values()))
    is_other = isinstance(node.target, torch._ops.OperatorBase | torch._ops.OpOverloadPacket)
    return "example_value" in node.meta and not (in_place or is_other)
