"""From a module at any level to the LLVM dialect with a kernel that takes what a call gives."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.execution.compilation import pipeline
from mlir_gs.execution.compilation.source import copy_module, expose, find, make_internal
from mlir_gs.execution.generated import messages
from mlir_gs.execution.generated.raising_text import NO_MEMORY_TEXT, bodies_text
from mlir_gs.execution.generated.text import reference
from mlir_gs.execution.generated.wrapper import KERNEL_PREFIX, alias_text, kernel_text, wrapper_text
from mlir_gs.execution.llvm.managers import run_kept
from mlir_gs.execution.machine import host, openmp
from mlir_gs.execution.machine.cpu import is_x86
from mlir_gs.execution.rewrites.destinations import ALLOCATIONS, drop_copies, move_results
from mlir_gs.execution.signature.parameters import parameter
from mlir_gs.execution.signature.signature import CompileError, Entry, Parameter, Result
from mlir_gs.execution.switches import is_on
from mlir_gs.frontend.languages import imports
from mlir_gs.lowering import PassFailure
from mlir_gs.lowering.buffers.gs_bufferize import carriers
from mlir_gs.lowering.ir.builders import callee_of, has_named, walk, walk_named
from mlir_gs.lowering.kernel.gs_check_allocations import bound_sizes, check_sizes
from mlir_gs.lowering.kernel.gs_check_buffers import check_elements
from mlir_gs.lowering.kernel.gs_copies_to_linalg import strided_copies_to_linalg
from mlir_gs.lowering.kernel.gs_defer_writes import defer_writes
from mlir_gs.lowering.kernel.gs_lower_asserts import (
    checks_in_parallel,
    inlining,
    lower_assertions,
    named,
)
from mlir_gs.lowering.kernel.gs_share_copies import share_copies
from mlir_gs.lowering.kernel.gs_whole_bytes import refuse_scalable, to_whole_bytes, touches
from mlir_gs.lowering.kernel.written import is_written
from mlir_gs.lowering.llvm.allocations import is_no_memory
from mlir_gs.lowering.llvm.gs_mark_parts import mark_parts, parts, pointer_marks
from mlir_gs.lowering.llvm.gs_measure_regions import measure_regions
from mlir_gs.lowering.llvm.gs_return_status import return_status
from mlir_gs.lowering.llvm.llvm_ops import type_list
from mlir_gs.lowering.llvm.lowered_ops import defined, require_llvm, symbol
from mlir_gs.lowering.repair.repairs import needs_repair

WRITABLE = "bufferization.writable"
_PARALLEL = ("scf.parallel", "scf.forall")
UNSIGNED = "gs.unsigned"
"""On an argument or result: integers that a front end has made signless."""


@dataclass(frozen=True)
class Lowered:
    """What `lower` found out: what the function takes and gives, whether the code runs parallel
    loops, whether LLVM may round floats to 16 bits, whether it reads single f16 elements, whether
    LLVM might gather or scatter elements, and whether there are gathers in it."""

    entry: Entry
    parallel: bool
    rounds: bool
    halves: bool
    builds_vectors: bool
    gathers: bool


def lower(
    module: Any,
    name: str,
    strided: bool,
    threads: int,
    optimize: bool = True,
    *,
    target: str | None = None,
    travels: bool = False,
) -> Lowered:
    """`_lower`, whose failures are CompileErrors."""
    try:
        return _lower(module, name, strided, threads, optimize, target, travels)
    except PassFailure as failure:
        raise CompileError(str(failure)) from failure


def _lower(
    module: Any,
    name: str,
    strided: bool,
    threads: int,
    optimize: bool,
    target: str | None,
    travels: bool,
) -> Lowered:
    """Lower `module`, an `ir.Module` as `import_ops` leaves it with the function `name`, in place.

    `strided`: tensor arguments may have any strides. `optimize`: ops may be merged. `target`: see
    `host.target`. `travels`: not for this process, tvm-ffi calls the code by a symbol. Raises
    CompileError.
    """
    function = find(module, name)
    labels = _labels(function)
    donated = _marked(function, WRITABLE)
    unsigned = [_having(function, name, UNSIGNED) for name in ("arg_attrs", "res_attrs")]
    given = [isinstance(t, ir.MemRefType) for t in function.type.inputs]
    _plain_types(function)
    sequential = lower_assertions(module.operation)
    if optimize:
        if is_on("raised-loops"):
            _run(module, pipeline.RAISE, verify=False)
        _run(module, pipeline.optimize(module.operation), verify=False)
    _run(module, pipeline.to_buffers(strided), verify=False)
    # Those that passes have put in.
    sequential = lower_assertions(module.operation) or sequential
    check_elements(module.operation)
    function = find(module, name)
    writable = donated | {k for k, is_memref in enumerate(given) if is_memref}
    results = move_results(function, writable, strided)
    names = {op.name for op in walk(module)}
    if "memref.dealloc" not in names and _to_release(names):
        _run(module, pipeline.RELEASE, verify=False)
    elif "memref.copy" in names:
        drop_copies(module)
    if any(one.startswith("vector.") for one in names):
        refuse_scalable(module)
    has_vectors = touches(names)
    sequential = sequential or (threads > 1 and checks_in_parallel(module.operation))
    to_scf = pipeline.to_scf(1 if sequential else threads, target)
    _run(module, to_scf + inlining(module), verify=False)
    function = find(module, name)
    defer_writes(function, len(given), donated)
    names = {op.name for op in walk(module)}
    if "memref.copy" in names:
        if threads > 1 and not sequential:
            share_copies(function, replace(host.known(target), threads=threads))
        strided_copies_to_linalg(module)
        names = {op.name for op in walk(module)}
    _run(module, pipeline.to_loops(names), verify=False)
    function = find(module, name)
    arguments = _parameters(function, labels, donated, given)
    arguments = [p.as_unsigned() if n in unsigned[0] else p for n, p in enumerate(arguments)]
    results = [
        replace(r, parameter=r.parameter.as_unsigned()) if n in unsigned[1] else r
        for n, r in enumerate(results)
    ]
    disjoint = _disjoint(arguments, results) if not any(given) else set()
    disjoint = disjoint if is_on("alias-marks") else set()
    found = parts(module, function, disjoint)
    if has_vectors:
        to_whole_bytes(module)
    parallel = not sequential and threads > 1 and not names.isdisjoint(_PARALLEL)
    if "memref.alloc" in names:
        check_sizes(module, named(function, "memref.alloc"))
        bound_sizes(named(function, "memref.alloc", parallel=True))
    _run(module, pipeline.to_llvm(threads if parallel else 1, names))
    mark_parts(module, found)
    if parallel and is_on("one-thread-turns"):
        append(module, measure_regions(module, "cycle" if is_x86() else "steady"))
    ops = require_llvm(module)
    entry = _finish(module, name, arguments, results, not any(given), travels, ops.names)
    return Lowered(entry, parallel, ops.rounded, ops.halves, ops.builds_vectors, ops.gathers)


def generalized(source: Any, name: str) -> tuple[Any, list[Parameter]]:
    """A copy of `source` in which function `name` computes by `gs.generic` and linalg.generic, and
    what that function takes. Raises CompileError."""
    module = imported(source, name)
    with module.context, ir.Location.unknown():
        _run(module, pipeline.GENERALIZE)
        function = find(module, name)
        unsigned = _having(function, "arg_attrs", UNSIGNED)
        pairs = zip(_labels(function), function.type.inputs, strict=True)
        given = [parameter(label, value_type) for label, value_type in pairs]
        return module, [p.as_unsigned() if n in unsigned else p for n, p in enumerate(given)]


def lowered(
    source: Any, name: str, *, threads: int | None = None, target: str | None = None
) -> Any:
    """A copy of `source`, lowered as `compile` lowers it for C-contiguous arrays. Raises
    CompileError."""
    module = imported(source, name)
    with module.context, ir.Location.unknown():
        lower(module, name, False, openmp.thread_count(threads), target=target)
    return module


def imported(source: Any, name: str) -> Any:
    """A copy of `source` with the one function `name`, of `gs` and upstream's ops. Raises
    CompileError."""
    module = copy_module(source)
    with module.context, ir.Location.unknown():
        expose(module, name)
        import_ops(module)
    return module


def import_ops(module: Any) -> None:
    """Bring `module` to one public function, of ops that this project lowers and that check the
    sizes of what they get."""
    passes = ["gs-leave-bufferization"] if carriers(module.operation) else []
    several = len(module.body.operations) > 1
    if several:
        # An error return cannot leave a callee.
        passes.append(pipeline.ONE_FUNCTION)
    if needs_repair(module.operation):
        passes.append(pipeline.REPAIR)
    if several or imports(module.operation):
        passes.append("gs-import")
    _run(module, ",".join([*passes, pipeline.CHECK_SIZES]))


def check_promises(module: Any) -> None:
    """Put checks of what the ops of `module`, as `import_ops` leaves it, promise before them."""
    _run(module, pipeline.SANITIZE)


def mark_donated(module: Any, name: str, donated: Sequence[int | str]) -> None:
    """Let function `name` write these tensor arguments, given by number or by the name of
    their location. Raises CompileError."""
    if not donated:
        return
    function = find(module, name)
    names = [_argument_name(argument) for argument in function.regions[0].blocks[0].arguments]
    numbers = [names.index(one) if one in names else one for one in donated]
    inputs = function.type.inputs
    attributes = function.attributes
    old = (
        attributes["arg_attrs"]
        if "arg_attrs" in attributes
        else [ir.DictAttr.get({})] * len(inputs)
    )
    marks = [{entry.name: entry.attr for entry in one} for one in old]
    for number in numbers:
        if not isinstance(number, int) or not 0 <= number < len(inputs):
            listed = ", ".join(f"{n} ({one})" if one else str(n) for n, one in enumerate(names))
            raise CompileError(f"donate: no argument {number}: '{name}' has {listed or 'none'}")
        if not isinstance(inputs[number], ir.RankedTensorType):
            raise CompileError(f"donate: argument {number} is {inputs[number]}, not a tensor")
        marks[number][WRITABLE] = ir.BoolAttr.get(True)
    attributes["arg_attrs"] = ir.ArrayAttr.get([ir.DictAttr.get(one) for one in marks])


def _run(module: Any, text: str, verify: bool = True) -> None:
    try:
        run_kept(module, text, verify)
    except PassFailure as failure:
        raise CompileError(str(failure)) from failure


def _labels(function: Any) -> list[str]:
    labels = []
    for number, argument in enumerate(function.regions[0].blocks[0].arguments):
        name = _argument_name(argument)
        labels.append(f"argument {number} ({name})" if name else f"argument {number}")
    return labels


def _argument_name(argument: Any) -> str:
    location = argument.location
    return location.name_str if isinstance(location, ir.NameLoc) else ""


def _marked(function: Any, attribute: str) -> set[int]:
    """The numbers of the arguments that have a true boolean attribute."""
    return {
        number
        for number in _having(function, "arg_attrs", attribute)
        if ir.BoolAttr(function.attributes["arg_attrs"][number][attribute]).value
    }


def _having(function: Any, values: str, attribute: str) -> set[int]:
    """The numbers of the arguments (`arg_attrs`) or results (`res_attrs`) with an attribute."""
    if values not in function.attributes:
        return set()
    return {n for n, given in enumerate(function.attributes[values]) if attribute in given}


def _plain_types(function: Any) -> None:
    """Refuse what no caller can pass, before passes fail on it less clearly."""
    for number, value_type in enumerate(function.type.inputs):
        parameter(f"argument {number}", value_type)
    for number, value_type in enumerate(function.type.results):
        parameter(f"result {number}", value_type)


def _parameters(
    function: Any, labels: Sequence[str], donated: set[int], given: Sequence[bool]
) -> list[Parameter]:
    found = []
    for number, label in enumerate(labels):
        argument = function.regions[0].blocks[0].arguments[number]
        one = parameter(label, argument.type)
        written = number in donated or (given[number] and is_written(argument))
        found.append(replace(one, written=written))
    return found


def _disjoint(arguments: Sequence[Parameter], results: Sequence[Result]) -> set[int]:
    """The numbers of the block arguments whose memory a call is checked to have for itself."""
    destinations = sum(result.is_destination for result in results)
    written = {number for number, argument in enumerate(arguments) if argument.written}
    return written | {len(arguments) + number for number in range(destinations)}


def _to_release(names: set[str]) -> bool:
    """Whether operations of these names leave anything to free, or to bring to memref."""
    return any(name in ALLOCATIONS or name.startswith("bufferization.") for name in names)


def _finish(
    module: Any,
    name: str,
    arguments: Sequence[Parameter],
    results: Sequence[Result],
    checked_disjoint: bool,
    travels: bool,
    names: Set[str],
) -> Entry:
    function = find(module, name)
    operation = function.operation
    make_internal(module)
    entry = Entry(name, arguments, results, checked_disjoint, tracked=False)
    inlined = _may_inline(module, operation, names)
    if checked_disjoint and not inlined:
        _mark_noalias(operation, entry)
    calls = "llvm.call" in names
    tracked = return_status(module.operation, operation, bool(entry.owned), calls)
    entry = replace(entry, tracked=tracked)
    signature = type_list(operation.regions[0].blocks[0].arguments)
    fails = calls and any(map(is_no_memory, walk_named(operation, "llvm.call")))
    bodies = bodies_text(module.operation, tracked) + NO_MEMORY_TEXT * fails
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
        operation.attributes["sym_visibility"] = ir.StringAttr.get("private")
        _run(module, pipeline.INLINE, verify=False)
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


def _mark_noalias(function: Any, entry: Entry) -> None:
    """Mark written arrays as noalias: that they share no memory with others is checked before."""
    marks: list[Any] = []
    for one in entry.parameters:
        disjoint = one.written and is_on("alias-marks")
        marks += pointer_marks(None if one.shape is None else one.rank, disjoint)
    function.attributes["arg_attrs"] = ir.ArrayAttr.get(marks)


def append(module: Any, text: str) -> None:
    """Add what `text` defines to `module`; a symbol that it has already stays as it is."""
    present = {symbol(op) for op in module.body.operations}
    addition = ir.Module.parse(text)
    for op in list(addition.body.operations):
        if symbol(op) not in present:
            module.body.append(op)
