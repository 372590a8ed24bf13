"""From a module at any level to the LLVM dialect with a wrapper that tvm-ffi can call."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.execution import messages, pipeline, support
from mlir_gs.execution.deferred import defer_writes
from mlir_gs.execution.destinations import Result, move_results
from mlir_gs.execution.parts import mark_parts, parts, pointer_marks
from mlir_gs.execution.raising import lower_assertions, operations, return_status
from mlir_gs.execution.raising_text import bodies_text
from mlir_gs.execution.signature import CompileError, Parameter, parameter
from mlir_gs.execution.source import copy_module, expose, find, symbol
from mlir_gs.execution.text import reference
from mlir_gs.execution.wrapper import Entry, wrapper_text
from mlir_gs.execution.written import is_written
from mlir_gs.lowering import PassFailure, run_pipeline
from mlir_gs.lowering.diagnostics import location_text

linalg = dialect("linalg")

WRITABLE = "bufferization.writable"
UNSIGNED = "gs.unsigned"
"""On an argument or result: integers that a front end has made signless."""


def lower(module: Any, name: str, strided: bool, threads: int) -> tuple[Entry, bool]:
    """Lower `module`, an `ir.Module` as `import_ops` leaves it with the function `name`, in place.

    `strided`: tensor arguments may have any strides. Returns what the wrapper takes and gives, and
    whether the code runs parallel loops. Raises CompileError.
    """
    function = find(module, name)
    labels = _labels(function)
    donated = _marked(function, WRITABLE)
    unsigned = [_having(function, name, UNSIGNED) for name in ("arg_attrs", "res_attrs")]
    given = [isinstance(t, ir.MemRefType) for t in function.type.inputs]
    _plain_types(function)
    sequential = lower_assertions(module.operation)
    _run(module, pipeline.to_buffers(strided))
    function = find(module, name)
    writable = donated | {k for k, is_memref in enumerate(given) if is_memref}
    results = move_results(function, writable)
    if not any(op.name == "memref.dealloc" for op in operations(module.operation)):
        _run(module, pipeline.RELEASE)
    _run(module, pipeline.to_scf(1 if sequential else threads))
    function = find(module, name)
    defer_writes(function, len(given), donated)
    _strided_copies_to_linalg(module)
    _run(module, pipeline.TO_LOOPS)
    function = find(module, name)
    arguments = _parameters(function, labels, donated, given)
    arguments = [p.as_unsigned() if n in unsigned[0] else p for n, p in enumerate(arguments)]
    results = [
        replace(r, parameter=r.parameter.as_unsigned()) if n in unsigned[1] else r
        for n, r in enumerate(results)
    ]
    apart = _apart(arguments, results) if not any(given) else set()
    found = parts(module, function, apart)
    parallel = not sequential and threads > 1 and _has_parallel(module.operation)
    _run(module, pipeline.to_llvm(threads if parallel else 1))
    mark_parts(module, found)
    entry = _finish(module, name, arguments, results, not any(given))
    return entry, parallel


def generalized(source: Any, name: str) -> tuple[Any, list[Parameter]]:
    """A copy of `source` in which function `name` computes by `gs.generic` and linalg.generic, and
    what that function takes. Raises CompileError."""
    module = imported(source, name)
    with module.context, ir.Location.unknown():
        _run(module, pipeline.GENERALIZE)
        function = find(module, name)
        labels = _labels(function)
        pairs = zip(labels, function.type.inputs, strict=True)
        return module, [parameter(label, value_type) for label, value_type in pairs]


def imported(source: Any, name: str) -> Any:
    """A copy of `source` with the one function `name`, of `gs` and upstream's ops. Raises
    CompileError."""
    module = copy_module(source)
    with module.context, ir.Location.unknown():
        expose(module, name)
        import_ops(module)
    return module


def import_ops(module: Any) -> None:
    """Bring `module` to one public function, of ops that this project lowers."""
    _run(module, pipeline.INLINE)
    names = {op.name for op in operations(module.operation)}
    for text in pipeline.imports(names):
        _run(module, text)


def _run(module: Any, text: str) -> None:
    try:
        run_pipeline(module, text)
    except PassFailure as failure:
        raise CompileError(str(failure)) from failure


def _labels(function: Any) -> list[str]:
    labels = []
    for number, argument in enumerate(function.regions[0].blocks[0].arguments):
        location = argument.location
        name = f" ({location.name_str})" if isinstance(location, ir.NameLoc) else ""
        labels.append(f"argument {number}{name}")
    return labels


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


def _apart(arguments: Sequence[Parameter], results: Sequence[Result]) -> set[int]:
    """The numbers of the block arguments whose memory the wrapper checks to be their own."""
    destinations = sum(result.is_destination for result in results)
    written = {number for number, argument in enumerate(arguments) if argument.written}
    return written | {len(arguments) + number for number in range(destinations)}


def _has_parallel(module: Any) -> bool:
    return any(op.name in ("scf.parallel", "scf.forall") for op in operations(module))


def _strided_copies_to_linalg(module: Any) -> None:
    """A copy between layouts that are not both C-contiguous becomes loops: upstream's lowering
    calls a runtime library that the bindings do not carry."""
    for op in list(operations(module.operation)):
        if op.name != "memref.copy" or all(_is_compact(v.type) for v in op.operands):
            continue
        with ir.InsertionPoint(op), op.location:
            linalg.copy(op.operands[0], outs=[op.operands[1]])
        op.erase()


def _is_compact(memref_type: Any) -> bool:
    return ir.AffineMapAttr.get(ir.AffineMap.get_identity(memref_type.rank)) == memref_type.layout


def _finish(
    module: Any,
    name: str,
    arguments: Sequence[Parameter],
    results: Sequence[Result],
    checked_apart: bool,
) -> Entry:
    function = find(module, name)
    _require_llvm(module)
    operation = function.operation
    _make_internal(module)
    entry = Entry(name, arguments, results, checked_apart, tracked=False)
    if checked_apart:
        _mark_apart(operation, entry)
    tracked = return_status(module.operation, operation, bool(entry.owned))
    entry = replace(entry, tracked=tracked)
    signature = ", ".join(
        str(argument.type) for argument in operation.regions[0].blocks[0].arguments
    )
    text = (
        "llvm.func @malloc(i64) -> !llvm.ptr\nllvm.func @free(!llvm.ptr)\n"
        + f"llvm.func {reference(name)}({signature}) -> i32\n"
        + bodies_text(module.operation, tracked)
        + messages.DECLARATIONS
        + support.DECLARATIONS
        + wrapper_text(entry)
    )
    append(module, text)
    return entry


def _make_internal(module: Any) -> None:
    """Keep functions to the module: the engine would make an entry point for each."""
    internal = ir.Attribute.parse("#llvm.linkage<internal>")
    for op in module.body.operations:
        if op.operation.name == "llvm.func" and len(op.regions[0].blocks) > 0:
            op.operation.attributes["linkage"] = internal


def _mark_apart(function: Any, entry: Entry) -> None:
    """Tell LLVM that written arrays share no memory with others, which the wrapper checks."""
    marks: list[Any] = []
    for one in (*entry.arguments, *(result.parameter for result in entry.destinations)):
        marks += pointer_marks(None if one.shape is None else one.rank, one.written)
    function.attributes["arg_attrs"] = ir.ArrayAttr.get(marks)


def _require_llvm(module: Any) -> None:
    """Refuse what has no lowering to the LLVM dialect, which the engine would say less clearly."""
    for op in operations(module.operation):
        if op.name == "builtin.unrealized_conversion_cast":
            continue
        if not op.name.startswith(("llvm.", "omp.")):
            raise CompileError(
                f"{location_text(op.location)}: error: '{op.name}' has no lowering to LLVM"
            )


def append(module: Any, text: str) -> None:
    """Add what `text` defines to `module`; a symbol that it has already stays as it is."""
    present = {symbol(op) for op in module.body.operations}
    addition = ir.Module.parse(text)
    for op in list(addition.body.operations):
        if symbol(op) not in present:
            module.body.append(op)
