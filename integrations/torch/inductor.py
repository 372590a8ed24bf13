"""Kernels in inductor's graphs: a pass that puts them in, and the op that it puts in.

What is not in a kernel is inductor's: the cut between forward and backward, fusion, writes in
place, sizes. A kernel's MLIR stands in the code that inductor writes (`TORCH_LOGS=output_code`),
and is compiled, or read from the disk, when this code is loaded: also in a later process, from
inductor's cache.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from mlir_gs.execution.digests import digest
from mlir_gs.execution.disk.cached import are_edited, digest_of_sources, key, stamps
from mlir_gs.integrations.torch.cost import (
    gain,
    gains,
    is_cheap,
    is_of_expanded,
    worth_a_kernel,
)
from mlir_gs.integrations.torch.kernel import KernelModule, Program
from mlir_gs.integrations.torch.ops import is_scatter, is_view
from mlir_gs.integrations.torch.partition import Part, partition, parts_of, refused, replace
from mlir_gs.integrations.torch.searches import place
from mlir_gs.integrations.torch.stored import store_masks_as_numbers, store_repeated
from mlir_gs.integrations.torch.strides import new_strided
from mlir_gs.integrations.torch.sums import add_in_one_place
from mlir_gs.integrations.torch.writes import in_place
from torch import library
from torch._inductor.codegen.custom_extern_kernel_codegen import (
    CUSTOM_EXTERN_KERNEL_CODEGEN,
    CustomCodegen,
)
from torch._inductor.custom_graph_pass import CustomGraphPass
from torch._inductor.virtualized import V

_library = library.Library("mlir_gs", "DEF")
_library.define(
    "kernel(str name, Tensor[] tensors, SymInt[] sizes) -> Tensor[]",
    tags=(torch.Tag.pt2_compliant_tag, torch.Tag.flexible_layout),
)
OP: Any = torch.ops.mlir_gs.kernel.default


@dataclass(frozen=True)
class _Placed:
    """A kernel that stands in a graph: which of its arguments are tensors, the graph that it was
    made of, whose results have the same sizes, and what it is compiled of."""

    is_tensor: tuple[bool, ...]
    part: torch.fx.GraphModule
    kernel: KernelModule

    def in_order(self, tensors: Sequence[Any], sizes: Sequence[Any]) -> list[Any]:
        """The arguments of the kernel."""
        left, right = iter(tensors), iter(sizes)
        return [next(left if each else right) for each in self.is_tensor]


_placed: dict[str, _Placed] = {}


def _run(name: str, tensors: list[torch.Tensor], sizes: list[int]) -> list[torch.Tensor]:
    one = _placed[name]
    return list(one.kernel(*one.in_order(tensors, sizes)))


def _fake(name: str, tensors: list[torch.Tensor], sizes: list[Any]) -> list[torch.Tensor]:
    """New tensors like those that the kernel would give, of fake or symbolic sizes."""
    one = _placed[name]
    found = one.part(*one.in_order(tensors, sizes))
    given = zip(found, one.kernel.program.strides, strict=True)
    return [
        value.new_empty(value.shape)
        if each is None
        else new_strided(value.shape, each, value.dtype)
        for value, each in given
    ]


_library.impl("kernel", _run, "CPU")
library.register_fake("mlir_gs::kernel", _fake, lib=_library)


def _write_call(node: Any, writeline: Callable[[str], None]) -> None:
    """The call in inductor's code: of the kernel itself, not of the op."""
    name, *sizes = node.constant_args
    one, wrapper = _placed[name], V.graph.wrapper_code
    line = f"{name} = {one.kernel.program!r}.compiled().forward"
    if not wrapper.header.contains(line):
        wrapper.header.writeline(f"from {Program.__module__} import Program")
        wrapper.header.writeline(line)
    tensors = [each.codegen_reference() for each in node.inputs]
    arguments = one.in_order(tensors, [wrapper.val_to_arg_str(each) for each in sizes])
    writeline(f"{node.get_name()} = {name}({', '.join(arguments)})")


CUSTOM_EXTERN_KERNEL_CODEGEN["torch.ops.mlir_gs.kernel.default"] = CustomCodegen(python=_write_call)


class KernelPass(CustomGraphPass):
    """Puts kernels into a graph after the gradient is taken, where they gain time.

    `told` is called with what became of each graph; inductor's caches are then left out.
    """

    def __init__(self, threads: int, all_of_them: bool, told: Callable[..., None] | None) -> None:
        self.threads = threads
        self.all_of_them = all_of_them
        self.told = told
        self.placed = 0
        """The kernels of the last graph."""

    def __call__(self, graph: torch.fx.Graph) -> None:
        gm = graph.owning_module
        if gm is None:
            return
        add_in_one_place(graph)
        searches = place(graph, self.all_of_them)
        barred = refused(graph)
        barred |= {n: "its sizes depend on data" for n in graph.nodes if _sizes_depend(n)}
        barred |= dict.fromkeys(in_place(graph), "it writes to an input in place")
        if not self.all_of_them:
            barred |= {n: "its coordinates come expanded" for n in graph.nodes if is_of_expanded(n)}
            worth, kept = worth_a_kernel(graph, self.threads, barred), set[torch.fx.Node]()
            for nodes in parts_of(gm, barred) if worth else ():
                chosen = worth & {*nodes}
                if any(map(is_scatter, chosen)):
                    # Else inductor would store its operands for those who read them, too.
                    chosen = max(chosen, {*nodes}, key=partial(gain, threads=self.threads))
                    chosen = chosen if gains(chosen, self.threads) else set()
                kept |= chosen
            _take_repeating(graph, kept, barred)
            _repeat_cheap(graph, kept)
            for node in graph.nodes:
                if node.op == "call_function" and node not in kept:
                    barred.setdefault(node, "inductor's loops take less time")
        parts, decisions = partition(gm, self.threads, barred)
        if parts:
            replace(graph, parts, partial(_call, graph))
        store_repeated(graph)
        store_masks_as_numbers(graph)
        self.placed = len(parts) + len(searches)
        decisions.kernels += [[name] for name in searches]
        if self.told is not None:
            decisions.taker = "inductor"
            self.told("inductor", decisions)

    def uuid(self) -> str | None:
        """Equal for passes that make equal graphs; None where inductor's cache is left out."""
        if self.told is not None or are_edited():
            return None
        ours = repr(stamps(os.path.dirname(__file__), ".py"))
        return key(digest_of_sources() + ours, None, self.all_of_them, self.threads)


def _sizes_depend(node: torch.fx.Node) -> bool:
    """Whether inductor has to ask for the sizes of what the node gives."""
    return "unbacked_bindings" in node.meta


def _take_repeating(graph: torch.fx.Graph, kept: set[torch.fx.Node], barred: Any) -> None:
    """Keep the views that `kept` nodes read and whose elements repeat, one for each: from outside a
    kernel would read each element, coordinates of rows as those of elements."""
    for node in reversed(list(graph.nodes)):
        readers = [user for user in node.users if user in kept]
        if readers and is_view(node) and node not in barred and 0 in node.meta["val"].stride():
            kept.add(node)
            for user in readers[1:]:
                with graph.inserting_before(user):
                    kept.add(repeated := graph.node_copy(node))
                user.replace_input_with(node, repeated)


def _repeat_cheap(graph: torch.fx.Graph, kept: set[torch.fx.Node]) -> None:
    """What `kept` nodes and others read and is no more to compute than to read, numbers such as the
    gradient among it, is made for each."""
    for node in reversed(list(graph.nodes)):
        others = [user for user in node.users if user not in kept]
        if node in kept and others and (is_cheap(node) or not node.all_input_nodes):
            with graph.inserting_after(node):
                again = graph.node_copy(node)
            for user in others:
                user.replace_input_with(node, again)


def _call(graph: torch.fx.Graph, part: Part, inputs: list[torch.fx.Node]) -> torch.fx.Node:
    is_tensor = tuple(isinstance(node.meta["val"], torch.Tensor) for node in inputs)
    name = f"gs_{digest(repr(part.kernel.program))[:16]}"
    _placed[name] = _Placed(is_tensor, part.graph, part.kernel)
    given = list(zip(inputs, is_tensor, strict=True))
    tensors, sizes = [node for node, it in given if it], [node for node, it in given if not it]
    return graph.call_function(OP, (name, tensors, sizes))
