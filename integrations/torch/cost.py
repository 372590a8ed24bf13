"""Which gathers and scatters a kernel does in less time than inductor's loops: an estimate of bytes
and of the facts of the machine.

Both read and write what lies in order alike, and both compute on the way. They differ in lines at
coordinates out of L2, which kernels prefetch; in sums at coordinates on several threads, which
inductor's loops do by atomic operations; and in ops that inductor has no loops for. What would be
fused and is not, as one part is in a kernel and the other is not, is stored and read again.
"""

from collections.abc import Iterable, Iterator
from math import prod
from typing import Any, cast

import torch
from mlir_gs.execution.call import memory
from mlir_gs.execution.machine.host import target
from mlir_gs.integrations.torch.decompositions import size_of
from mlir_gs.integrations.torch.ops import (
    REDUCTIONS,
    is_companion,
    is_indexing,
    is_scatter,
    is_view,
    key,
)
from mlir_gs.lowering.scf.policy import policy
from mlir_gs.lowering.scf.target import Target
from mlir_gs.lowering.scf.targets import machine
from torch._inductor.lowering import fallbacks
from torch._inductor.utils import needs_fallback_due_to_atomic_add_limitations

Node = torch.fx.Node


def worth_a_kernel(graph: torch.fx.Graph, threads: int, barred: dict[Node, str]) -> set[Node]:
    """The nodes, but those that are `barred`, of kernels that gain time. What shares nodes with
    others joins them if one kernel of all gains more."""
    groups: list[tuple[float, set[Node]]] = []
    facts = machine(target()).target
    anchors = [node for node in graph.nodes if is_indexing(node) and node not in barred]
    if sum(_saved(each, facts, threads) for each in anchors) <= least(facts):
        return set()
    found = [each for each in _neighbours(graph, anchors, barred) if gains(each, threads)]
    alone = [(gain(each, threads), each) for each in found]
    for most, together in sorted(alone, key=lambda one: -one[0]):
        met = [each for each in groups if not each[1].isdisjoint(together)]
        union = together.union(*(nodes for _, nodes in met))
        most = gain(union, threads) if met else most
        if most >= sum(each for each, _ in met):
            groups = [each for each in groups if each not in met] + [(most, union)]
    return set[Node]().union(*(nodes for _, nodes in groups))


def gains(together: set[Node], threads: int) -> bool:
    """Whether one kernel of these nodes takes less time than loops.

    Both read what moves. A kernel asks for lines ahead in half of the time: in the other half it is
    no faster, and memory takes that long.
    """
    facts = machine(target()).target
    read = _moved_alike(together) * 1e-9 / (2 * facts.read_gbs) / threads
    most = sum(_saved(each, facts, threads) for each in together)
    enough = read + least(facts)
    return most > enough and gain(together, threads) > enough


def gain(together: set[Node], threads: int) -> float:
    """Seconds that a kernel of these nodes saves, but those for what is stored before and after."""
    facts = machine(target()).target
    saved = sum(_saved(each, facts, threads) for each in together)
    return saved - _lost(together, facts, threads)


def _moved_alike(together: set[Node]) -> int:
    """Bytes that a kernel moves no faster than loops: what moves at coordinates, and what a kernel
    gives and loops would not store, as who reads it may ask for another order."""
    given = [n for n in together if not (_is_stored(n) or together.issuperset(n.users))]
    moved = [n for n in together if is_indexing(n)]
    return sum(map(_bytes, _tensors(given))) + sum(map(_moved, moved))


def is_cheap(node: Node) -> bool:
    """Whether to compute it again takes less time than to store and to read it. What it reads and
    loops compute is stored for that. What products and callers read is stored in any case."""
    fuse = all(is_fused(user) or is_indexing(user) for user in readers_of(node))
    if not fuse or not is_companion(node) or _is_stored(node):
        return False
    facts = machine(target()).target
    inlined = {each for each in node.all_input_nodes if _inlined(each)}
    read = sum(map(_bytes, _tensors({*node.all_input_nodes} - inlined))) * 1e-9 / facts.read_gbs
    stored = sum(map(_bytes, _tensors(inlined))) * _stored(facts)
    return read + stored < sum(map(_bytes, _tensors([node]))) * _stored(facts)


def is_fused(node: Node) -> bool:
    """Whether inductor computes it in loops: products of a vector, too."""
    if key(node) == "aten.bmm":
        a, b = (each.meta["val"].shape for each in cast(tuple[Node, Node], node.args[:2]))
        return a[1] == 1 or b[2] == 1
    return is_companion(node) or torch.Tag.pointwise in getattr(node.target, "tags", ())


def least(facts: Target) -> float:
    """Seconds that are worth a kernel: those for which loops take several threads."""
    return 16e-6 * facts.fork_us


def _neighbours(
    graph: torch.fx.Graph, anchors: Iterable[Node], barred: dict[Node, str]
) -> Iterator[set[Node]]:
    """What loops would compute together with a gather or scatter: what it reads, back to tensors
    that are stored; of a gather what reads it, too, up to a reduction or scatter, and the rest of
    what these compute with. Each set once."""
    nodes = list(graph.nodes)
    # Sets are the bits of an integer: those of a thousand gathers may have all nodes.
    behind, ahead = dict[Node, int](), dict[Node, int]()
    for number, node in enumerate(nodes):
        behind[node] = 1 << number
        for each in node.all_input_nodes:
            if _may(each, barred) and _inlined(each):
                behind[node] |= behind[each]
    for node in reversed(nodes):
        ahead[node] = behind[node]
        for user in () if _is_stored(node) else node.users:
            if _may(user, barred):
                ahead[node] |= ahead[user]
    for bits, reads in dict.fromkeys(
        (behind[each], False) if is_scatter(each) else (ahead[each], True) for each in anchors
    ):
        found = {node for node, bit in zip(nodes, f"{bits:b}"[::-1], strict=False) if bit == "1"}
        while reads and (moves := [n for n in found if _moves(n) and not found & {*n.users}]):
            # Who reads them chooses the order in which they lie.
            found -= {*moves}
        yield found


def _may(node: Node, barred: dict[Node, str]) -> bool:
    return node.op == "call_function" and node not in barred


def _moves(node: Node) -> bool:
    return is_view(node) or key(node) == "aten.clone"


def _inlined(node: Node) -> bool:
    """Whether its values are computed in the loops that read them."""
    if is_view(node):
        return any(map(_inlined, node.all_input_nodes))
    return not _is_stored(node) and (is_companion(node) or is_indexing(node))


def _is_stored(node: Node) -> bool:
    """Whether loops store it for those who read it; they write what is concatenated in place."""
    own = key(node) in REDUCTIONS or key(node) == "aten.cat"
    return own or is_scatter(node) or node.target in fallbacks


def _saved(node: Node, facts: Target, threads: int) -> float:
    """Seconds by which a kernel does this node faster."""
    if not is_indexing(node):
        return 0.0
    result, *operands = _tensors([node, *node.all_input_nodes])
    data = operands[0] if operands else result
    moved = _moved(node)
    saved = 0.0
    if node.target in fallbacks or _is_reduced(node) or _is_added_alone(node, result):
        # Eager Torch reads what was stored for it.
        saved += moved * _stored(facts)
    is_atomic = _adds(node) and not _is_shared(node, result, threads)
    is_reset = _is_reduced(node) and not node.kwargs.get("include_self", True)
    if is_scatter(node) and (is_reset or (threads > 1 and is_atomic)):
        # One element at a time: by atomic additions, or by eager Torch, which first writes where
        # each goes if what lies there does not count.
        updates = moved / max(1, result.dtype.itemsize)
        saved += updates * facts.latency_ns * 1e-9 / facts.lines_l1
    if is_scatter(node) and _bytes(result) > memory.KEPT:
        # The blocks of results are touched already.
        saved += _bytes(result) * 1e-9 / facts.write_gbs
    table = result if is_scatter(node) else data
    loops = policy(facts)
    run = _run(node, table)
    if not is_scatter(node) and _is_added_by_elements(node, table):
        # Each takes a line, of which a cache gives twice what memory does.
        saved += moved / table.dtype.itemsize * facts.line * 1e-9 / (2 * facts.read_gbs)
    in_order = _reach(node, table) <= facts.l1_bytes
    if _bytes(table) > loops.far_bytes and not in_order:
        lines = moved / max(1, min(facts.line, run))
        ahead = max(facts.lines_l1, facts.lines_l2)
        latency = facts.latency_ns * 1e-9
        if is_scatter(node) and _adds(node):
            # Loops look at the coordinates of each vector, a kernel at those of each row; of less
            # than a vector loops add one element at a time.
            latency *= 1 - facts.vector_bytes / run if run >= facts.vector_bytes else 1
        elif _bytes(table) <= facts.llc_bytes:
            # What a cache holds comes sooner the less of it is in use.
            latency *= min(_bytes(table), moved) / facts.llc_bytes
        # Without a prefetch, half of the time goes by without a line asked for.
        saved += lines * latency * (1 / facts.lines_l1 - 1 / (2 * ahead))
    return saved / threads


def _moved(node: Node) -> int:
    """Bytes that a gather reads, or that a scatter writes, again and again to one place."""
    result = next(_tensors([node]))
    if not is_scatter(node):
        return _bytes(result)
    given = {each: each.meta["val"].numel() for each in node.all_input_nodes if _is_tensor(each)}
    if "backward" in key(node):
        # A row for each index.
        return (
            size_of(max(given.values()))
            * result.dtype.itemsize
            * prod(map(size_of, result.shape[1:]))
        )
    found = [size_of(count) for each, count in given.items() if each is not node.args[0]]
    return max(found, default=0) * result.dtype.itemsize


def _lost(together: set[Node], facts: Target, threads: int) -> float:
    """Seconds to store and read again what goes between a kernel and loops that it would be fused
    with."""
    given = {each for node in together for each in node.all_input_nodes} - together
    stored = [node for node in given if node.op == "call_function" and _inlined(node)]
    # What two nests of a kernel read lies in memory, where each loop computes it for itself.
    ends = _ends(together)
    stored += [n for n in together if n.all_input_nodes and _inlined(n) and len(ends[n]) > 1]
    for node in together:
        outside = [user for user in readers_of(node) if user not in together]
        # Loops write what is concatenated where it goes.
        if any(key(user) == "aten.cat" for user in outside) or (
            any(map(is_fused, outside)) and not (_is_stored(node) or is_cheap(node))
        ):
            stored.append(node)
    return sum(map(_bytes, _tensors(stored))) * _stored(facts) / threads


def _ends(together: set[Node]) -> dict[Node, set[Node]]:
    """What loops compute of each node: results of a kernel, reductions and scatters; two of more.
    None of views."""
    found: dict[Node, set[Node]] = {}
    for node in sorted(together, reverse=True):
        each = {node}
        if together.issuperset(node.users):
            given = ({user} if _is_stored(user) else found[user] for user in node.users)
            each = {*list(set[Node]().union(*given))[:2]}
        found[node] = each
    return {node: set[Node]() if is_view(node) else each for node, each in found.items()}


def readers_of(node: Node) -> Iterator[Node]:
    """What reads a node, also through views."""
    for user in node.users:
        if is_view(user):
            yield from readers_of(user)
        else:
            yield user


def _stored(facts: Target) -> float:
    """Seconds a byte to write and to read."""
    return 1e-9 / facts.write_gbs + 1e-9 / facts.read_gbs


def _adds(node: Node) -> bool:
    """Whether inductor's loops add to memory that several threads may write to."""
    sums = "add" in key(node) or "accumulate" in key(node)
    return sums or (len(node.args) > 3 and node.args[3] is True)


def _is_reduced(node: Node) -> bool:
    """Whether inductor stores updates for eager Torch: reductions at coordinates but sums."""
    return "reduce" in key(node) and any(map(_inlined, node.all_input_nodes[1:]))


def _is_shared(node: Node, result: torch.Tensor, threads: int) -> bool:
    """Whether inductor leaves sums to eager Torch, whose threads share the dims before the one with
    coordinates."""
    dim: Any = node.args[1] if key(node) in ("aten.scatter_add", "aten.scatter_reduce.two") else 0
    return prod(map(size_of, result.shape[: dim % max(1, result.ndim)])) >= threads


def _is_added_alone(node: Node, result: torch.Tensor) -> bool:
    """Whether inductor leaves it to eager Torch: sums of types without an atomic addition."""
    return (
        is_scatter(node)
        and _adds(node)
        and needs_fallback_due_to_atomic_add_limitations(result.dtype)
    )


def _run(node: Node, table: torch.Tensor) -> int:
    """Bytes that follow each other at a coordinate."""
    return table.dtype.itemsize * prod(
        map(size_of, table.shape[table.ndim - _of_rows(node, table) :])
    )


def _of_rows(node: Node, table: torch.Tensor) -> int:
    """How many of the last dims follow each other at a coordinate."""
    if key(node) in ("aten.gather", "aten.take") or "scatter" in key(node):
        # Coordinates that are expanded are those of rows.
        at: Any = node.args[2] if key(node) != "aten.take" else None
        strides = () if at is None else at.meta["val"].stride()[::-1]
        return next((n for n, each in enumerate(strides) if each != 0), 0)
    given: Any = node.args[1] if len(node.args) > 1 else ()
    return table.ndim - (len(given) if isinstance(given, list | tuple) else 1)


def is_of_expanded(node: Node) -> bool:
    """Whether the coordinates of its rows come expanded: a kernel would read each element's."""
    if not is_indexing(node) or key(node) == "aten.take":
        return False
    at: Any = node.args[2] if len(node.args) > 2 else None
    is_given = isinstance(at, Node) and at.op == "placeholder" and _is_tensor(at)
    return is_given and any(n == 0 for n in at.meta["val"].stride())


def _is_added_by_elements(node: Node, table: torch.Tensor) -> bool:
    """Whether a reduction over coordinates takes the rows of a gather: inductor's vectors then lie
    along the coordinates, each element of one from another row. Where the reduction reads other
    rows in order as well, they lie along these."""
    rows, ways, seen = _of_rows(node, table), list(node.users), set[Node]()
    while rows and ways:
        user = ways.pop()
        if user in seen:
            continue
        seen.add(user)
        if key(user) in REDUCTIONS:
            given: Any = user.args[1] if len(user.args) > 1 else None
            depth = user.all_input_nodes[0].meta["val"].ndim
            # Neither None nor [] names dims: all of them are reduced.
            dims = [given] if isinstance(given, int) else given
            if dims and all(each % depth < depth - rows for each in dims):
                return not any(_has_rows(*each) for each in _read_by(user, rows))
        elif is_companion(user) and not (_is_stored(user) or is_view(user)):
            ways += user.users
    return False


def _read_by(node: Node, rows: int) -> Iterator[tuple[Node, int]]:
    """The tensors that the loop of a node reads in order, and how many of their last dims are of
    rows; of those that the node reads they are `rows`."""
    seen, ways = set[Node](), [(each, rows) for each in node.all_input_nodes]
    while ways:
        each, rows = ways.pop()
        if each in seen:
            continue
        seen.add(each)
        if not _inlined(each):
            yield each, rows
        elif not is_indexing(each):
            ranks = [n.meta["val"].ndim for n in each.all_input_nodes[:1] if _is_tensor(n)]
            if is_view(each) and ranks:
                rows += ranks[0] - each.meta["val"].ndim
            ways += [(given, rows) for given in each.all_input_nodes]


def _has_rows(node: Node, rows: int) -> bool:
    """Whether a tensor has several rows, and several elements in each; a row is its last dims."""
    shape = [size_of(each) for each in node.meta["val"].shape] if _is_tensor(node) else []
    first = max(0, len(shape) - max(rows, 0))
    return prod(shape[first:]) > 1 and prod(shape[max(0, first - 1) : first]) > 1


def _reach(node: Node, table: torch.Tensor) -> int:
    """Bytes of the blocks, one after the other, in which coordinates choose places: of the dims
    from the first that has coordinates."""
    dim: Any = 0
    for argument, given in zip(cast(Any, node.target)._schema.arguments, node.args, strict=False):
        if argument.name == "dim":
            dim = given
        elif argument.name == "indices" and isinstance(given, list | tuple):
            dim = next((number for number, each in enumerate(given) if each is not None), 0)
    return table.dtype.itemsize * prod(map(size_of, table.shape[dim:]))


def _tensors(nodes: Iterable[Node]) -> Iterator[torch.Tensor]:
    for node in nodes:
        value = node.meta.get("val")
        if isinstance(value, tuple | list):
            value = next((each for each in value if isinstance(each, torch.Tensor)), None)
        if isinstance(value, torch.Tensor):
            yield value


def _is_tensor(node: Node) -> bool:
    return isinstance(node.meta.get("val"), torch.Tensor)


def _bytes(value: torch.Tensor) -> int:
    return value.dtype.itemsize * prod(map(size_of, value.shape))
