"""Graphs of which all is one kernel: Dynamo calls that, without the wrappers of AOTAutograd and of
inductor, which take longer than a small gather."""

from collections.abc import Callable, Sequence, Set
from contextlib import nullcontext
from typing import Any

import torch
from mlir_gs.integrations.torch.ops import FUNCTIONS, INDEXING, REDUCTIONS, TAKEN
from mlir_gs.integrations.torch.partition import Decisions, Part, partition, parts_of, refused
from torch._dynamo.backends.common import aot_autograd
from torch._functorch._aot_autograd.schemas import OutputType
from torch._guards import TracingContext
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils._python_dispatch import TorchDispatchMode

_LOOPS = REDUCTIONS | FUNCTIONS | {"aten.cat", "aten.constant_pad_nd", "aten.cumsum", "aten.repeat"}
"""What inductor's loops compute faster."""


class _NotWhole(Exception):
    """Something of the graph is not for a kernel."""


class _Screen(TorchDispatchMode):
    """Stops at the first op that is not `taken`, before a long graph is traced for nothing; sees
    whether there are gathers or scatters."""

    def __init__(self, taken: Set[str]) -> None:
        super().__init__()
        self.taken, self.indexes = taken, False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = str(func).removesuffix(".default").replace("_.", ".").removesuffix("_")
        taken = name in self.taken or func.namespace == "prim"
        self.indexes |= name in INDEXING
        # Of masks sizes depend on data, as those of other ops with this tag: Dynamo looks for each
        # such size that comes up in the results of the graph.
        sized = torch.Tag.dynamic_output_shape in func.tags
        if name == "aten.index.Tensor":
            sized = any(i is not None and i.dtype in (torch.bool, torch.uint8) for i in args[1])
        if not taken or sized:
            raise _NotWhole
        return func(*args, **(kwargs or {}))


def whole(
    gm: torch.fx.GraphModule, inputs: Sequence[Any], threads: int, every: bool
) -> tuple[Callable[..., Any], Decisions] | None:
    """A function that runs a graph of Dynamo as one kernel, and the decisions on its ops.

    None if the graph is more than one kernel, has ops that loops compute faster (unless `every`),
    is differentiated, writes to its inputs, or returns these or views.
    """
    nodes = [node for node in gm.graph.nodes if node.op == "placeholder"]
    given = [node.meta.get("example_value") for node in nodes]
    if any(map(_is_other, gm.graph.nodes)) or not all(map(_is_plain, inputs)):
        return None
    found: list[tuple[Callable[..., Any], Decisions]] = []

    def compile_graph(graph: torch.fx.GraphModule, _inputs: Sequence[Any]) -> Any:
        barred = refused(graph.graph)
        kept = [node for node in graph.graph.nodes if node.op == "call_function"]
        if parts_of(graph, barred) != [kept] or not _is_simple():
            raise _NotWhole
        parts, decisions = partition(graph, threads, barred)
        if [part.nodes for part in parts] != [kept]:
            raise _NotWhole
        found.append((_call(graph.graph, len(given), parts[0]), decisions))
        return graph.forward

    fake = next((each.fake_mode for each in given if isinstance(each, FakeTensor)), nullcontext())
    try:
        with torch.no_grad(), fake, _Screen(TAKEN if every else TAKEN - _LOOPS) as screen:
            _runs(gm, given)
        if not screen.indexes:
            return None
        aot_autograd(fw_compiler=compile_graph)(gm, inputs)
    except _NotWhole:
        return None
    return found[0]


def _runs(gm: torch.fx.GraphModule, given: Sequence[Any]) -> None:
    try:
        gm(*given)
    except RuntimeError as error:
        # Some ops take symbolic sizes only where AOTAutograd traces them.
        raise _NotWhole from error


def _is_other(node: torch.fx.Node) -> bool:
    """Whether the node reads an attribute or enters a mode, as autocast or a level of vmap. The
    screen may stop before the graph leaves that mode."""
    makes = isinstance(node.meta.get("example_value"), torch.Tensor)
    enters = node.op == "call_function" and not node.all_input_nodes and not makes
    return node.op == "get_attr" or enters


def _is_plain(value: Any) -> bool:
    if type(value) not in (torch.Tensor, torch.nn.Parameter):
        return isinstance(value, int | torch.SymInt)
    return not (value.is_neg() or (value.requires_grad and torch.is_grad_enabled()))


def _is_simple() -> bool:
    """Whether AOTAutograd's wrapper of the graph being compiled only calls it."""
    meta: Any = getattr(TracingContext.try_get(), "fw_metadata", None)
    if not meta or meta.tokens or meta.num_intermediate_bases or meta.num_graphsafe_rng_states:
        return False
    written = any(one.mutates_data or one.mutates_metadata for one in meta.input_info)
    return not written and all(
        one.output_type is OutputType.non_alias and not one.requires_grad
        for one in meta.output_info
    )


def _call(graph: torch.fx.Graph, count: int, part: Part) -> Callable[..., Any]:
    """A function of the graph's `count` arguments that gives its results."""
    arguments = [node for node in graph.nodes if node.op == "placeholder"]
    results: Any = graph.output_node().args[0]
    if len(arguments) != count or not {*results} <= {*part.outputs}:
        raise _NotWhole
    taken = [arguments.index(node) for node in part.inputs]
    order = [part.outputs.index(node) for node in results]
    forward = part.kernel.forward
    if (taken, order) == ([*range(count)], [*range(len(part.outputs))]):
        return forward

    def call(*values: Any) -> list[Any]:
        found = forward(*[values[n] for n in taken])
        return [found[n] for n in order]

    return call
