"""`mode="max-autotune"`: graphs with and without kernels, and eager Torch, are measured, and the
fastest is kept."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from mlir_gs.integrations.torch.inductor import KernelPass
from mlir_gs.integrations.torch.inductor_loops import compile_loops
from mlir_gs.integrations.torch.writes import share_memory
from torch._guards import TracingContext
from torch._inductor import config
from torch._inductor.utils import clone_preserve_strides
from torch.utils import _pytree as pytree

_ROUNDS = 3


def compile_ways(
    others: Sequence[Any],
    passes: Sequence[KernelPass],
    gm: torch.fx.GraphModule,
    inputs: Any,
    **keywords: Any,
) -> Any:
    """Inductor's `inner_compile`, once without kernels and with each pass that puts some in.

    `others`: passes that run before these, of the user.
    """
    ways: list[Callable[..., Any]] = []
    counts: list[int] = [0]
    for kernels in (None, *passes):
        ran = [*others, *([] if kernels is None else [kernels])]
        context = TracingContext.try_get()
        if context is not None and context.output_strides is not None:
            # Each compilation appends the same.
            context.output_strides.clear()
        with config.patch(post_grad_custom_pre_pass=ran):
            made: Any = compile_loops(_copied(gm), inputs, **keywords)
        if kernels is None:
            ways.append(made)
        elif kernels.placed not in counts:
            counts.append(kernels.placed)
            ways.append(made)
    return ways[0] if len(ways) == 1 else Fastest(ways)


def _copied(gm: torch.fx.GraphModule) -> torch.fx.GraphModule:
    """With the values of the nodes, which a deep copy would copy."""
    graph, values = torch.fx.Graph(), dict[torch.fx.Node, torch.fx.Node]()
    for node in gm.graph.nodes:
        values[node] = graph.node_copy(node, values.__getitem__)
    return torch.fx.GraphModule(gm, graph)


class Fastest:
    """The one of several ways to run a graph that took the least time with the first arguments.

    Each way takes the list of arguments.
    """

    def __init__(self, ways: Sequence[Callable[..., Any]]) -> None:
        self.ways = ways
        # Of the instance: what Torch wraps it in copies no attribute of a class.
        self._boxed_call = True

    def __call__(self, inputs: list[Any]) -> Any:
        if len(self.ways) > 1:
            self.ways = [min(self.ways, key=partial(_took, inputs))]
        return self.ways[0](inputs)


def or_eager(gm: torch.fx.GraphModule, compiled: Callable[..., Any]) -> Callable[..., Any]:
    """`compiled`, or Dynamo's graph itself, which eager Torch runs: whichever takes less time.

    What is differentiated is timed with its derivative. Tensors that share memory, which copies
    would not, are not measured.
    """
    fastest = Fastest([lambda inputs: compiled(*inputs), lambda inputs: gm.forward(*inputs)])

    def call(*inputs: Any) -> Any:
        tensors = [x for x in inputs if isinstance(x, torch.Tensor)]
        if len(fastest.ways) > 1 and share_memory(tensors):
            return compiled(*inputs)
        return fastest([*inputs])

    return call


def _took(inputs: Sequence[Any], way: Callable[..., Any]) -> float:
    """Seconds of a call, the least of some. A graph may write to its arguments."""
    best = float("inf")
    for _ in range(_ROUNDS):
        given = [_copy(x) if isinstance(x, torch.Tensor) else x for x in inputs]
        begun = time.perf_counter()
        found = way([*given])
        _differentiate(found, given)
        best = min(best, time.perf_counter() - begun)
    return best


def _copy(x: torch.Tensor) -> torch.Tensor:
    """With the strides of `x`. A leaf where `x` is one: others may be written to."""
    plain = type(x) in (torch.Tensor, torch.nn.Parameter)
    copy = clone_preserve_strides(x.detach()) if plain else x.detach().clone()
    copy.requires_grad_(x.requires_grad)
    return copy if x.is_leaf else clone_preserve_strides(copy) if plain else copy.clone()


def _differentiate(results: Any, inputs: Sequence[Any]) -> None:
    """Run the backward graph, if there is one, and leave no gradient behind."""
    ends = [x for x in pytree.tree_leaves(results) if _has_gradient(x) and x.grad_fn is not None]
    starts = [x for x in inputs if _has_gradient(x)]
    if ends and starts:
        torch.autograd.grad(ends, starts, [*map(torch.ones_like, ends)], allow_unused=True)


def _has_gradient(x: Any) -> bool:
    return isinstance(x, torch.Tensor) and x.requires_grad
