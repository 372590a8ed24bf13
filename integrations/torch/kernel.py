"""A part of an ATen graph as one kernel, called with Torch's tensors."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from traceback import walk_tb
from typing import Any

import numpy as np
import torch
from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir, module
from mlir_gs.execution import Kernel, compile
from mlir_gs.execution.call import memory
from mlir_gs.execution.signature.sizes import function_of
from mlir_gs.frontend.torch.vtensor import register_torch
from mlir_gs.integrations.torch.strides import Strides, new_strided, strides_of
from mlir_gs.lowering import PassFailure, run_pipeline


@dataclass(frozen=True)
class Program:
    """What a kernel is compiled of: MLIR, the most threads, and the results' types and strides."""

    text: str
    threads: int
    dtypes: tuple[torch.dtype, ...]
    strides: tuple[Strides | None, ...]

    def compiled(self) -> "KernelModule":
        """Raises CompileError and PassFailure."""
        return KernelModule(self)


class KernelModule(torch.nn.Module):
    """Runs a kernel in the place of the graph that it was made of.

    Takes the graph's tensors and sizes; gives its results, which are new.
    """

    def __init__(self, program: Program) -> None:
        super().__init__()
        self.program = program
        self.kernel = kernel = compile(program.text, "main", threads=program.threads)
        self._allocate = _allocator(kernel, program)
        self._simple = all(result.is_destination for result in kernel.results)
        if _gives_one(kernel, program) and kernel.become_native(may_compile=True):
            self.forward = lambda *arguments: (kernel(*arguments),)

    def forward(self, *arguments: Any) -> tuple[Any, ...]:
        outputs = self._allocate(*arguments)
        returned = self.kernel.invoke(arguments, outputs)
        if self._simple:
            return outputs
        return self._collect(arguments, outputs, returned)

    def _collect(self, arguments: Any, outputs: Any, returned: Any) -> tuple[Any, ...]:
        """Results of sizes that depend on data come from the kernel; arguments are copied."""
        made = iter(outputs)
        owned = [r for r in self.kernel.results if not r.is_destination and r.argument is None]
        given = iter([returned] if len(owned) == 1 else returned)
        found = []
        for number, result in enumerate(self.kernel.results):
            if result.is_destination:
                found.append(next(made))
                continue
            if result.argument is not None:
                value = arguments[result.argument].clone(memory_format=torch.contiguous_format)
            else:
                # The elements of a kernel have no sign.
                value = torch.from_dlpack(next(given)).view(self.program.dtypes[number])
            found.append(_restrided(value, self.program.strides[number]))
        return tuple(found)


def _gives_one(kernel: Kernel, program: Program) -> bool:
    """Whether what the kernel itself gives for tensors is the one result, and one that native calls
    make."""
    if len(kernel.results) != 1 or program.strides[0] is not None:
        return False
    result = kernel.results[0]
    static = math.prod(size or 1 for size in result.parameter.shape or ())
    if static * program.dtypes[0].itemsize >= memory.LARGE:
        return False
    named = getattr(torch, result.parameter.element.name, None)
    takes_tensors = any(parameter.is_array for parameter in kernel.parameters)
    return takes_tensors and named is program.dtypes[0] and not result.is_scalar


def _restrided(value: torch.Tensor, strides: Strides | None) -> torch.Tensor:
    """A contiguous tensor with these strides."""
    if strides is None:
        return value
    return new_strided(tuple(value.shape), strides, value.dtype).copy_(value)


def _allocator(kernel: Kernel, program: Program) -> Callable[..., tuple[Any, ...]]:
    """A function of the arguments that gives a new tensor for each result in our memory."""
    made = [
        f"empty({result.shape_source}, dtype=d{number})"
        if program.strides[number] is None
        else f"new({result.shape_source}, s{number}, d{number})"
        for number, result in enumerate(kernel.results)
        if result.is_destination
    ]
    names: dict[str, Any] = {f"d{number}": dtype for number, dtype in enumerate(program.dtypes)}
    names |= {f"s{number}": each for number, each in enumerate(program.strides)}
    source = f"({''.join(f'{one}, ' for one in made)})"
    return function_of(source, len(kernel.parameters), empty=_empty, new=new_strided, **names)


_CARRIERS = {size: np.dtype(f"i{size}") for size in (1, 2, 4, 8)}


def _empty(shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    """A new tensor, in memory that is used again where that of glibc would be fresh, which takes
    longer to touch than to write."""
    size = dtype.itemsize
    if math.prod(shape) * size <= memory.KEPT or size not in _CARRIERS:
        return torch.empty(shape, dtype=dtype)
    return torch.from_numpy(memory.empty(shape, _CARRIERS[size])).view(dtype)


def import_graph(graph: torch.fx.Graph) -> str:
    """The function `main` of a graph of ATen ops, as text: `gs`, linalg and their kin.

    Sizes that the graph takes are i64 arguments. Raises PassFailure.
    """
    context: Any = dialect.context()
    register_torch(context)
    with context, ir.Location.unknown():
        importer = module("extras.fx_importer").FxImporter(context=context)
        try:
            function = importer.import_stateless_graph(graph, func_name="main")
        except Exception as error:
            # It raises whatever it meets.
            raise PassFailure(f"not imported from Torch: {_at(error)}{error}") from error
        # A dynamic size is never the 1 that is broadcast: Torch compiles again for that.
        function.attributes["torch.assume_strict_symbolic_shapes"] = ir.UnitAttr.get()
        imported = importer.module
        run_pipeline(imported, "gs-import-torch,linalg-fuse-elementwise-ops")
        return str(imported)


def _at(error: Exception) -> str:
    """The op that the importer was at."""
    name = ""
    for frame, _ in walk_tb(error.__traceback__):
        node = frame.f_locals.get("node")
        if isinstance(node, torch.fx.Node) and node.op == "call_function":
            name = f"'torch.{str(node.target).removesuffix('.default')}' op: "
    return name


def program_of(graph: torch.fx.Graph, threads: int) -> Program:
    """Of a graph of ATen ops. Raises UnknownStrides, and what `import_graph` raises."""
    outputs: Any = graph.output_node().args[0]
    values = [node.meta["val"] for node in outputs]
    strides = tuple(map(strides_of, values))
    return Program(import_graph(graph), threads, tuple(v.dtype for v in values), strides)
