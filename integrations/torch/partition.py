"""An ATen graph cut into parts that become kernels and the rest, which stays with Torch."""

import logging
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from operator import getitem
from typing import Any

import torch
from mlir_gs.execution import CompileError
from mlir_gs.integrations.torch.decompositions import spelled_out
from mlir_gs.integrations.torch.kernel import KernelModule, program_of
from mlir_gs.integrations.torch.ops import is_indexing, is_view, key, objection
from mlir_gs.integrations.torch.searches import SEARCH, may
from mlir_gs.integrations.torch.writes import copies_last, name_of, write_in_place, written
from mlir_gs.lowering import PassFailure
from torch._inductor.pattern_matcher import stable_topological_sort
from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
from torch.fx.passes.operator_support import OperatorSupportBase
from torch.fx.passes.utils.fuser_utils import fuse_as_graphmodule

log = logging.getLogger(__name__)

Node = torch.fx.Node


@dataclass
class Decisions:
    """What became of one graph: the ops of each kernel, and why others stay with their `taker`,
    eager Torch or inductor."""

    kernels: list[list[str]] = field(default_factory=list)
    eager: list[tuple[str, str]] = field(default_factory=list)
    taker: str = "eager"

    def __str__(self) -> str:
        lines = [f"kernel of {', '.join(ops)}" for ops in self.kernels]
        lines += [f"{self.taker}: {op}: {reason}" for op, reason in self.eager]
        return "\n".join(lines) or "an empty graph"


class _Support(OperatorSupportBase):
    def __init__(self, barred: dict[Node, str]) -> None:
        self.barred = barred

    def is_node_supported(self, submodules: Any, node: Node) -> bool:
        return node.op == "call_function" and node not in self.barred


def may_gain(graph: torch.fx.Graph) -> bool:
    """Whether some gather or scatter may become a kernel; those that write to inputs do so in place
    first."""
    write_in_place(graph)
    gathers = (is_indexing(node) and objection(node) is None for node in graph.nodes)
    return any(gathers) or may(graph)


def handed_on(graphs: Iterable[torch.fx.GraphModule]) -> Decisions:
    """What is said of graphs without kernels."""
    found = [_decisions(gm, [], refused(gm.graph)) for gm in graphs]
    return Decisions(eager=[each for one in found for each in one.eager])


def refused(graph: torch.fx.Graph) -> dict[Node, str]:
    """The nodes that stay with Torch, and why."""
    barred: dict[Node, str] = {}
    for node in graph.nodes:
        reason = objection(node) if node.op == "call_function" else None
        if node.target is written:
            reason = "it writes to an input in place"
        if reason is not None:
            barred[node] = reason
    return barred


@dataclass
class Part:
    """Nodes of a graph, these as a graph of their own, what it takes and gives, its kernel."""

    nodes: list[Node]
    graph: torch.fx.GraphModule
    inputs: Sequence[Node]
    outputs: Sequence[Node]
    kernel: KernelModule


def partition(
    gm: torch.fx.GraphModule, threads: int, barred: dict[Node, str]
) -> tuple[list[Part], Decisions]:
    """The parts of `gm` that are kernels, without nodes that are `barred`, and those of which fail
    to compile; `barred` says of these why."""
    done: dict[frozenset[Node], Part | None] = {}
    while True:
        parts = parts_of(gm, barred)
        for nodes in parts:
            _repeat_views(gm, nodes)
        for nodes in parts:
            if frozenset(nodes) not in done:
                done[frozenset(nodes)] = _compiled(gm, nodes, threads, barred)
        chosen = [done[frozenset(nodes)] for nodes in parts]
        made = [part for part in chosen if part is not None]
        if len(made) == len(chosen):
            decisions = _decisions(gm, [part.nodes for part in made], barred)
            log.info("%s", decisions)
            return made, decisions


def replace(
    graph: torch.fx.Graph, parts: Iterable[Part], call: Callable[[Part, list[Node]], Node]
) -> None:
    """Put what `call` makes of a part and its inputs in the place of each, and last all copies to
    the graph's inputs."""
    moved: dict[Node, Node] = {}
    for part in parts:
        with graph.inserting_after(part.nodes[-1]):
            made = call(part, [moved.get(node, node) for node in part.inputs])
        made.meta["val"] = tuple(node.meta["val"] for node in part.outputs)
        with graph.inserting_after(made):
            for number, node in enumerate(part.outputs):
                moved[node] = graph.call_function(getitem, (made, number))
                node.replace_all_uses_with(moved[node], propagate_meta=True)
        for node in reversed(part.nodes):
            graph.erase_node(node)
    stable_topological_sort(graph)
    copies_last(graph)


def parts_of(gm: torch.fx.GraphModule, barred: dict[Node, str]) -> list[list[Node]]:
    """The nodes of each part with a gather or scatter, in the order of the graph. A part grows
    along what it reads and gives; those that wait for as many others are one."""
    partitioner = CapabilityBasedPartitioner(
        gm, _Support(barred), allows_single_node_partition=True
    )
    # Set, as Torch's older partitioners take no such argument: they merge any parts.
    partitioner.skip_horizontal_fusion = True
    proposed = [set(each.nodes) for each in partitioner.propose_partitions()]
    parts = [nodes for nodes in proposed if any(map(is_indexing, nodes))]
    waits = _waits(gm.graph, {node: n for n, nodes in enumerate(parts) for node in nodes})
    found = list[list[Node]]()
    for number in sorted({*waits.values()}):
        nodes = _without_ends([node for node in gm.graph.nodes if waits.get(node) == number])
        if any(map(is_indexing, nodes)):
            found.append(nodes)
    return found


def _waits(graph: torch.fx.Graph, parts: dict[Node, int]) -> dict[Node, int]:
    """For each node of a part: the length of the longest chain of parts that its own waits for."""
    waits, before = dict.fromkeys(graph.nodes, 0), dict[Node, int]()
    most = dict.fromkeys(parts.values(), 0)
    while waits != before:
        before = {**waits}
        for node in graph.nodes:
            own = parts.get(node, -1)
            given = [waits[n] + (parts.get(n, own) != own) for n in node.all_input_nodes]
            waits[node] = max(most.get(own, 0), 0, *given)
            if own in most:
                most[own] = waits[node]
    return {node: most[number] for node, number in parts.items()}


def _without_ends(nodes: list[Node]) -> list[Node]:
    """Without views at the end, which would be copied, and without what is not read."""
    kept = dict.fromkeys(nodes)
    for node in reversed(nodes):
        if is_indexing(node) or any(user in kept for user in node.users):
            continue
        if is_view(node) or not node.users:
            del kept[node]
    return list(kept)


def _repeat_views(gm: torch.fx.GraphModule, nodes: list[Node]) -> None:
    """Spell views that are read inside and outside a second time, for the outside.

    A kernel gives no views: they share memory and have the strides of what they are views of.
    """
    inside = set(nodes)
    for node in reversed(nodes):
        outside = [user for user in node.users if user not in inside]
        if is_view(node) and outside:
            with gm.graph.inserting_after(node):
                repeated = gm.graph.node_copy(node)
            for user in outside:
                user.replace_input_with(node, repeated)


def _compiled(
    gm: torch.fx.GraphModule, nodes: list[Node], threads: int, barred: dict[Node, str]
) -> Part | None:
    """The kernel of a part, or None; then at least one of its nodes is barred."""
    made = fuse_as_graphmodule(gm, nodes, "part", always_return_tuple=True)
    try:
        return Part(nodes, *made, program_of(spelled_out(made[0]).graph, threads).compiled())
    except (CompileError, PassFailure) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        _bar(nodes, reason, barred)
    except Exception as error:
        # The importer raises whatever it meets.
        _bar(nodes, f"{type(error).__name__}: {error}".splitlines()[0], barred)
    return None


_NAMED = re.compile(r"torch\.(aten\.[\w.]+)")


def _bar(nodes: list[Node], reason: str, barred: dict[Node, str]) -> None:
    """Bar the ops that the reason names, else what goes along, else the first of the gathers."""
    named = set(_NAMED.findall(reason))
    guilty = [node for node in nodes if key(node) in named]
    guilty = guilty or [node for node in nodes if not is_indexing(node)] or nodes[:1]
    log.info("not compiled: %s: %s", ", ".join(map(key, nodes)), reason)
    for node in guilty:
        barred[node] = reason


def _decisions(
    gm: torch.fx.GraphModule, parts: Iterable[list[Node]], barred: dict[Node, str]
) -> Decisions:
    inside = {node for nodes in parts for node in nodes}
    decisions = Decisions([[key(node) for node in nodes] for nodes in parts])
    for node in gm.graph.nodes:
        if node.op == "call_function" and node not in inside and node.target is not SEARCH:
            reason = barred.get(node, "not next to a gather or scatter")
            decisions.eager.append((name_of(node), reason))
    return decisions
