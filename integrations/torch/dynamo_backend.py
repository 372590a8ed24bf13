"""The backend of `torch.compile`, and what it says of its decisions."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from mlir_gs.execution.machine.openmp import wanted_threads
from mlir_gs.integrations.torch.decompositions import decompositions
from mlir_gs.integrations.torch.partition import Decisions, handed_on, may_gain, partition
from torch._dynamo.backends import registry
from torch._dynamo.backends.common import aot_autograd
from torch._functorch._aot_autograd.utils import make_boxed_func
from torch._functorch.partitioners import default_partition
from torch._inductor.compile_fx import compile_fx
from torch._inductor.cpp_builder import get_cpp_compiler
from torch._inductor.exc import InvalidCxxCompiler

log = logging.getLogger(__name__)

NAME = "mlir_gs"
_OPTIONS = ("threads",)


def backend(
    gm: torch.fx.GraphModule,
    example_inputs: Sequence[Any],
    *,
    options: dict[str, Any] | None = None,
) -> Callable[..., Any]:
    """The backend that `torch.compile(backend="mlir_gs")` finds.

    `options`: `{"threads": n}`, at most so many per kernel, by default the CPUs of the process.
    Static and dynamic sizes alike; sizes that are dynamic do not compile again. Derivatives are
    those of AOTAutograd: of a gather a scatter that adds, and the other way. A graph no op of which
    becomes a kernel, nor of its derivative, is handed on as it was: to inductor where there is a
    C++ compiler, else to eager Torch. In others an op, element type or device that kernels do not
    take stays with eager Torch. Both are logged under `mlir_gs.integrations`
    (`torch._logging.set_logs(modules={"mlir_gs.integrations": logging.INFO})`); see `explain`.

    Raises ValueError for unknown options, and for threads that are no number of at least 1.
    """
    return _backend(gm, example_inputs, options or {}, None)


def _backend(
    gm: torch.fx.GraphModule,
    example_inputs: Sequence[Any],
    options: dict[str, Any],
    found: "Explanation | None",
) -> Callable[..., Any]:
    unknown = set(options) - set(_OPTIONS)
    if unknown:
        raise ValueError(f"unknown options {sorted(unknown)}; there is {', '.join(_OPTIONS)}")
    # Here, as what fails below is left to Torch.
    wanted_threads(options.get("threads"))

    def compiler(direction: str) -> Callable[..., Any]:
        def compile_graph(graph: torch.fx.GraphModule, _inputs: Sequence[Any]) -> Any:
            if direction == "inference" and not may_gain(graph):
                raise _NothingToGain([graph])
            decisions = partition(graph, options.get("threads"))
            if found is not None:
                found.graphs.append((direction, decisions))
            return make_boxed_func(graph.forward)

        return compile_graph

    compile_parts = aot_autograd(
        fw_compiler=compiler("forward"),
        bw_compiler=compiler("backward"),
        inference_compiler=compiler("inference"),
        partition_fn=_partition_joint,
        decompositions=decompositions(),
        keep_inference_input_mutations=True,
    )
    try:
        return compile_parts(gm, example_inputs)
    except _NothingToGain as nothing:
        taker = "inductor" if _has_compiler() else "eager"
        decisions = handed_on(nothing.graphs, taker)
    log.info("%s", decisions)
    if found is not None:
        found.graphs.append(("as it was", decisions))
    compiled: Any = compile_fx(gm, list(example_inputs)) if taker == "inductor" else gm.forward
    return compiled


class _NothingToGain(Exception):
    """No op of these graphs, one or that and its derivative's, may become a kernel."""

    def __init__(self, graphs: Sequence[torch.fx.GraphModule]) -> None:
        super().__init__()
        self.graphs = graphs


def _partition_joint(joint: torch.fx.GraphModule, *arguments: Any, **keywords: Any) -> Any:
    """The forward and the backward graph. Raises _NothingToGain."""
    graphs = default_partition(joint, *arguments, **keywords)
    if not any(map(may_gain, graphs)):
        raise _NothingToGain(graphs)
    return graphs


def _has_compiler() -> bool:
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
    given = options.pop("options", None) or {}

    def listed(gm: torch.fx.GraphModule, inputs: Sequence[Any]) -> Callable[..., Any]:
        return _backend(gm, inputs, given, found)

    compiled = torch.compile(function, backend=listed, **options)

    def call(*arguments: Any, **keywords: Any) -> tuple[Any, Explanation]:
        return compiled(*arguments, **keywords), found

    return call
