"""From a module at any level to the LLVM dialect with a kernel that takes what a call gives."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Any

import mlir_gs.frontend  # noqa: F401  (registers the conversions)
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.assembly import in_words_of
from mlir_gs.dialect.assembly.locations import ANONYMOUS
from mlir_gs.execution.compilation.entry import arguments_of, entry_of
from mlir_gs.execution.compilation.source import copy_module, make_internal
from mlir_gs.execution.generated import messages
from mlir_gs.execution.generated.plan import KERNEL_PREFIX
from mlir_gs.execution.generated.raising_text import NO_MEMORY_TEXT, bodies_text
from mlir_gs.execution.generated.text import reference
from mlir_gs.execution.generated.wrapper import alias_text, kernel_text, wrapper_text
from mlir_gs.execution.llvm.managers import run_kept
from mlir_gs.execution.machine import cpu, host, openmp
from mlir_gs.execution.machine.target_features import target_features
from mlir_gs.execution.signature.parameters import parameter
from mlir_gs.execution.signature.signature import CompileError, Entry, Parameter
from mlir_gs.execution.switches import disabled
from mlir_gs.lowering import PassFailure
from mlir_gs.lowering.checks.sites import ATTRIBUTE as SITES
from mlir_gs.lowering.ir.builders import callee_of, has_named, symbol, walk_named
from mlir_gs.lowering.kernel.attributes import ARGUMENTS, kernel_of, records
from mlir_gs.lowering.kernel.gs_choose_kernel import GsChooseKernel
from mlir_gs.lowering.llvm.allocations import is_no_memory
from mlir_gs.lowering.llvm.llvm_ops import append, type_list
from mlir_gs.lowering.llvm.lowered_ops import Ops, defined, ops_of
from mlir_gs.lowering.passes.options import option_text


@dataclass(frozen=True)
class Lowered:
    """What a kernel in the LLVM dialect takes and gives, and what its operations are."""

    entry: Entry
    ops: Ops

    @property
    def parallel(self) -> bool:
        """Whether it runs parallel loops."""
        return "omp.parallel" in self.ops.names


def choose(module: Any, name: str | None, donated: Sequence[int | str] = ()) -> None:
    """Choose the function `name` of `module`, an `ir.Module`, to be compiled; it may write the
    arguments `donated`. Raises CompileError."""
    try:
        GsChooseKernel(name or "", tuple(map(str, donated))).run(module.operation)
    except PassFailure as failure:
        raise CompileError(str(failure)) from failure


def pipeline_text(
    strided: bool = False,
    threads: int = 1,
    optimize: bool = True,
    sanitize: bool = False,
    target: str | None = None,
    *,
    halves: bool | None = None,
    is_x86: bool | None = None,
    disable: Sequence[str] = (),
) -> str:
    """What `lower` runs, as `gs-opt` does. `halves`: the CPU computes with f16, by default if this
    one does; `is_x86`: it is one for x86-64, by default as this one. The others are options of
    `gs-to-llvm`."""
    if halves is None:
        halves = cpu.NO_HALVES not in (target_features(target=target) or "")
    left_out = {*disabled(), *disable, *(("integer-halves",) if halves else ())}
    options = {
        "threads": threads,
        "sanitize": sanitize,
        "optimize": optimize,
        "target": host.target(target),
        "strided": strided,
        "clock": "cycle" if (cpu.is_x86() if is_x86 is None else is_x86) else "steady",
        "disable": tuple(sorted(left_out)),
    }
    return f"gs-to-llvm{{{' '.join(f'{k}={option_text(v)}' for k, v in options.items())}}}"


def lower(module: Any, text: str, travels: bool = False, source: Any = None) -> Lowered:
    """Lower `module`, an `ir.Module` of which a function is chosen, by the pipeline `text`, in
    place, and put around it what calls it. `travels`: not for this process, tvm-ffi calls the code
    by a symbol. `source`: the text that it was parsed from, in whose words errors are. Raises
    CompileError."""
    function = kernel_of(module.operation)
    if function is not None and ARGUMENTS not in function.attributes:
        _check_types(function)
    _run(module, text)
    if isinstance(source, str) and SITES in module.operation.attributes:
        _reword(module.operation, source.encode("utf-8", "surrogatepass"))
    ops = ops_of(module)
    return Lowered(_finish(module, kernel_of(module.operation), travels, ops.names), ops)


_PLACE = re.compile(rf"{ANONYMOUS}:(\d+):(\d+): ")


def _reword(module: Any, source: bytes) -> None:
    """Put the places where code may raise into the words of `source`."""
    texts = [each.value for each in module.attributes[SITES]]
    places = [_PLACE.match(text) for text in texts]
    texts = [
        text if at is None else in_words_of(source, int(at[1]), int(at[2]), text)
        for text, at in zip(texts, places, strict=True)
    ]
    module.attributes[SITES] = ir.ArrayAttr.get([ir.StringAttr.get(text) for text in texts])


def _check_types(function: Any) -> None:
    """Refuse what no caller can pass, before passes fail on it less clearly."""
    type_ = function.attributes["function_type"].value
    for kind, types in (("argument", type_.inputs), ("result", type_.results)):
        for number, value_type in enumerate(types):
            # A front end converts types and elements of its own.
            if "!" not in str(value_type):
                parameter(f"{kind} {number}", value_type)


def generalized(source: Any, name: str) -> tuple[Any, list[Parameter]]:
    """A module in which function `name` of `source` computes by `gs.generic` and linalg.generic,
    and what that function takes. It computes nothing if it is of the LLVM dialect in `source`.
    Raises CompileError."""
    module = imported(source, name)
    with module.context, ir.Location.unknown():
        _run(module, "gs-describe-kernel,gs-generalize,linalg-generalize-named-ops")
        function = kernel_of(module.operation)
        found = records(function, ARGUMENTS)
        if function.name == "llvm.func":
            types = ", ".join(f"%a{n}: {one['type'].value}" for n, one in enumerate(found))
            module = ir.Module.parse(f"func.func @{reference(name)[1:]}({types}) {{ return }}")
        return module, arguments_of(found)


def lowered(
    source: Any, name: str, *, threads: int | None = None, target: str | None = None
) -> Any:
    """A copy of `source`, lowered as `compile` lowers it for C-contiguous arrays. Raises
    CompileError."""
    module = copy_module(source)
    with module.context, ir.Location.unknown():
        choose(module, name)
        lower(module, pipeline_text(threads=openmp.thread_count(threads), target=target))
    return module


def imported(source: Any, name: str | None) -> Any:
    """A copy of `source` with the one function `name`, of `gs` and upstream's ops. Raises
    CompileError."""
    module = copy_module(source)
    with module.context, ir.Location.unknown():
        choose(module, name)
        _run(module, "gs-prepare")
    return module


def _run(module: Any, text: str) -> None:
    try:
        run_kept(module, text)
    except PassFailure as failure:
        raise CompileError(str(failure)) from failure


def _finish(module: Any, function: Any, travels: bool, names: Set[str]) -> Entry:
    """Put the code around the function that calls it, and what it calls."""
    entry, name = entry_of(function), symbol(function)
    make_internal(module)
    signature = type_list(function.regions[0].blocks[0].arguments)
    fails = "llvm.call" in names and any(map(is_no_memory, walk_named(function, "llvm.call")))
    inlined = _may_inline(module, function, names)
    bodies = bodies_text(module.operation) + NO_MEMORY_TEXT * fails
    around = wrapper_text(entry) if travels else alias_text(KERNEL_PREFIX + name)
    text = (
        f"llvm.func {reference(name)}({signature}) -> i32\n"
        + "".join(line for name, line in _OUTSIDE.items() if f"@{name}(" in bodies)
        + bodies
        + kernel_text(entry)
        + around
    )
    append(module, text)
    if inlined:
        # What stays a function says which of its pointers are disjoint.
        function.attributes["arg_attrs"] = ir.ArrayAttr.get(
            [ir.DictAttr.get({})] * len(function.regions[0].blocks[0].arguments)
        )
        function.attributes["sym_visibility"] = ir.StringAttr.get("private")
        _run(module, "inline{default-pipeline=}")
    return entry


def _may_inline(module: Any, function: Any, names: Set[str]) -> bool:
    """Whether upstream's pass may inline `function`, which has no parallel region, and nothing
    else. Others LLVM inlines, which takes longer."""
    if "omp.parallel" in names and has_named(function, "omp.parallel"):
        return False
    if "llvm.call" not in names:
        return True
    free = {symbol(op) for op in defined(module) if "no_inline" not in op.attributes}
    return not any(callee_of(op) in free for op in walk_named(module.operation, "llvm.call"))


_OUTSIDE = {
    line.partition("@")[2].partition("(")[0]: f"{line}\n"
    for line in (
        "llvm.func @malloc(i64) -> !llvm.ptr",
        "llvm.func @free(!llvm.ptr)",
        *messages.DECLARATIONS.strip().splitlines(),
    )
}
"""By name, what the generated code around a kernel calls of other libraries."""
