"""The backend of `torch.compile`, and what it says of its decisions."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import getitem
from typing import Any

import torch
from mlir_gs.execution.machine.openmp import wanted_threads
from mlir_gs.integrations.torch.autotune import compile_ways, or_eager
from mlir_gs.integrations.torch.decompositions import for_inductor
from mlir_gs.integrations.torch.inductor import KernelPass
from mlir_gs.integrations.torch.inductor_loops import compile_loops
from mlir_gs.integrations.torch.ops import HALVES
from mlir_gs.integrations.torch.partition import (
    Decisions,
    Part,
    handed_on,
    may_gain,
    partition,
    refused,
    replace,
)
from mlir_gs.integrations.torch.products import multiply_tables
from mlir_gs.integrations.torch.searches import place
from mlir_gs.integrations.torch.whole import whole
from torch._dynamo.backends import registry
from torch._dynamo.backends.common import aot_autograd
from torch._functorch import config as functorch
from torch._functorch._aot_autograd.utils import make_boxed_func
from torch._functorch.partitioners import default_partition
from torch._inductor import config
from torch._inductor.compile_fx import compile_fx
from torch._inductor.cpp_builder import get_cpp_compiler
from torch._inductor.custom_graph_pass import get_custom_graph_passes
from torch._inductor.exc import InvalidCxxCompiler

log = logging.getLogger(__name__)

NAME = "mlir_gs"
_RESTS = ("inductor", "eager")
_OPTIONS = ("threads", "rest", "kernels")

_VIEW = torch.ops.aten.view.default

Told = Callable[[str, Decisions], None]


def backend(
    gm: torch.fx.GraphModule,
    example_inputs: Sequence[Any],
    *,
    mode: str | None = None,
    options: dict[str, Any] | None = None,
) -> Callable[..., Any]:
    """The backend that `torch.compile(backend="mlir_gs")` finds.

    Gathers and scatters become kernels where they gain time; all else is inductor's, of which
    `mode` is one: "max-autotune" measures graphs with and without kernels, and eager Torch, at the
    first call. Static and dynamic sizes alike; sizes that are dynamic do not compile again.

    `options`: "threads", at most so many per kernel, by default those of Torch; "rest", who takes
    all else: "inductor", or "eager", as where there is no C++ compiler; "kernels": "all" for
    whatever can be a kernel, by default what gains by it. Decisions are logged under
    `mlir_gs.integrations`
    (`torch._logging.set_logs(modules={"mlir_gs.integrations": logging.INFO})`); see `explain`.

    Raises ValueError for other options, and for threads that are no number of at least 1.
    """
    return _backend(gm, example_inputs, mode, options or {}, None)


def _backend(
    gm: torch.fx.GraphModule,
    example_inputs: Sequence[Any],
    mode: str | None,
    options: dict[str, Any],
    told: Told | None,
) -> Callable[..., Any]:
    unknown = set(options) - set(_OPTIONS)
    if unknown:
        raise ValueError(f"unknown options {sorted(unknown)}; there are {', '.join(_OPTIONS)}")
    rest = options.get("rest", "inductor" if has_compiler() else "eager")
    if rest not in _RESTS:
        raise ValueError(f"rest: expected one of {', '.join(_RESTS)}, found {rest!r}")
    if options.get("kernels", "all") != "all":
        raise ValueError(f"kernels: expected all, found {options['kernels']!r}")
    threads = wanted_threads(options.get("threads", torch.get_num_threads()))
    multiply_tables(gm)
    if rest == "eager":
        return _with_eager(gm, example_inputs, threads, told)
    others = get_custom_graph_passes(config.post_grad_custom_pre_pass)
    patches = {**torch._inductor.list_mode_options(mode or "default")}
    compiled: Any
    if (mode or "").startswith("max-autotune"):
        # What is chosen is not in Torch's caches.
        passes = [KernelPass(threads, every, told or _unheard) for every in (False, True)]
        inner = partial(compile_ways, others, passes)
        with functorch.patch(enable_autograd_cache=False), for_inductor(False) as table:
            compiled = compile_fx(gm, list(example_inputs), inner, patches, decompositions=table)
        return or_eager(gm, compiled)
    every = options.get("kernels") == "all"
    if (one := whole(gm, example_inputs, threads, every)) is not None:
        (told or _unheard)("whole", one[1])
        return one[0]
    kernels = KernelPass(threads, every, told)
    patches["post_grad_custom_pre_pass"] = [*others, kernels]
    with for_inductor(every) as table:
        inputs = list(example_inputs)
        compiled = compile_fx(gm, inputs, compile_loops, patches, decompositions=table)
    return compiled


def _unheard(_direction: str, _decisions: Decisions) -> None:
    pass


def _with_eager(
    gm: torch.fx.GraphModule, example_inputs: Sequence[Any], threads: int, told: Told | None
) -> Callable[..., Any]:
    """Kernels where there may be some, and eager Torch. A graph without one stays as it is."""

    def compiler(direction: str) -> Callable[..., Any]:
        def compile_graph(graph: torch.fx.GraphModule, _inputs: Sequence[Any]) -> Any:
            if not may_gain(graph.graph) and direction == "inference":
                raise _NothingToGain([graph])
            searches = place(graph.graph, False)
            parts, decisions = partition(graph, threads, refused(graph.graph))
            decisions.kernels += [[name] for name in searches]
            replace(graph.graph, parts, partial(_call, graph))
            for node in graph.graph.find_nodes(op="call_function", target=_VIEW):
                # Some ops of eager Torch give other strides than they were traced with.
                node.target = torch.ops.aten.reshape.default
            graph.recompile()
            if told is not None:
                told(direction, decisions)
            return make_boxed_func(graph.forward)

        return compile_graph

    compile_parts = aot_autograd(
        fw_compiler=compiler("forward"),
        bw_compiler=compiler("backward"),
        inference_compiler=compiler("inference"),
        partition_fn=_partition_joint,
        keep_inference_input_mutations=True,
    )
    try:
        return compile_parts(gm, example_inputs)
    except _NothingToGain as nothing:
        decisions = handed_on(nothing.graphs)
    log.info("%s", decisions)
    if told is not None:
        told("as it was", decisions)
    return gm.forward


def _call(gm: torch.fx.GraphModule, part: Part, inputs: list[torch.fx.Node]) -> torch.fx.Node:
    name = f"gs_{sum(1 for _ in gm.children())}"
    gm.add_submodule(name, part.kernel)
    return gm.graph.call_module(name, tuple(_as_traced(gm.graph, node) for node in inputs))


def _as_traced(graph: torch.fx.Graph, node: torch.fx.Node) -> torch.fx.Node:
    """Batch norms of halves give statistics that are halves, and are traced as single precision."""
    read = node.all_input_nodes[0].all_input_nodes if node.target is getitem else []
    halves = any(getattr(each.meta["val"], "dtype", None) in HALVES for each in read)
    if not halves or node.meta["val"].dtype != torch.float32:
        return node
    return graph.call_function(torch.ops.aten.to.dtype, (node, torch.float32))


class _NothingToGain(Exception):
    """No op of these graphs, one or that and its derivative's, may become a kernel."""

    def __init__(self, graphs: Sequence[torch.fx.GraphModule]) -> None:
        super().__init__()
        self.graphs = graphs


def _partition_joint(joint: torch.fx.GraphModule, *arguments: Any, **keywords: Any) -> Any:
    """The forward and the backward graph. Raises _NothingToGain."""
    graphs = default_partition(joint, *arguments, **keywords)
    if not any([may_gain(each.graph) for each in graphs]):
        raise _NothingToGain(graphs)
    return graphs


def has_compiler() -> bool:
    """Whether inductor finds a C++ compiler."""
    try:
        get_cpp_compiler()
    except InvalidCxxCompiler:
        return False
    return True


def register() -> None:
    """Make `backend="mlir_gs"` known where the package's entry points are not, as in a zip."""
    # Torch knows the names of entry points before it loads them, and refuses to see one twice.
    registry.list_backends()
    registry._COMPILER_FNS.pop(NAME, None)
    registry.register_backend(backend, name=NAME)


@dataclass
class Explanation:
    """What became of each graph of a call: (forward, backward or inference, its decisions)."""

    graphs: list[tuple[str, Decisions]] = field(default_factory=list)

    @property
    def kernels(self) -> int:
        return sum(len(decisions.kernels) for _, decisions in self.graphs)

    def __str__(self) -> str:
        return "\n".join(
            f"graph {number}, {direction}:\n"
            + "".join(f"  {line}\n" for line in str(d).split("\n"))
            for number, (direction, d) in enumerate(self.graphs)
        )


def explain(function: Callable[..., Any], **options: Any) -> Callable[..., tuple[Any, Explanation]]:
    """`explain(f)(*arguments)`: the result of `f` compiled, and what was compiled to what.

    `function`: a function or `torch.nn.Module`; `options`: those of `torch.compile`, `dynamic`,
    `fullgraph` and `options`. A backward graph is listed once the result was differentiated.
    """
    found = Explanation()
    given, mode = options.pop("options", None) or {}, options.pop("mode", None)

    def listed(gm: torch.fx.GraphModule, inputs: Sequence[Any]) -> Callable[..., Any]:
        return _backend(gm, inputs, mode, given, lambda *told: found.graphs.append(told))

    compiled = torch.compile(function, backend=listed, **options)

    def call(*arguments: Any, **keywords: Any) -> tuple[Any, Explanation]:
        return compiled(*arguments, **keywords), found

    return call
