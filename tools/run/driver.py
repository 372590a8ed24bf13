"""What `gs-run` does, step by step."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from mlir_gs import execution
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference import run as reference_run
from mlir_gs.execution.compilation.compile import tuned
from mlir_gs.execution.machine import host
from mlir_gs.lowering import run_pipeline
from mlir_gs.lowering.ir.builders import walk
from mlir_gs.lowering.ir.combiners import is_reassociative
from mlir_gs.lowering.kernel.attributes import RESULTS, records
from mlir_gs.lowering.scf.targets import without
from mlir_gs.tools.common.command_line import UsageError
from mlir_gs.tools.common.progress import crash_quietly, doing
from mlir_gs.tools.common.read_module import one_line, read_module
from mlir_gs.tools.common.saved_file import check_writable, save
from mlir_gs.tools.run import report, speed
from mlir_gs.tools.run.argument_plan import Plan, plan
from mlir_gs.tools.run.blame import blame
from mlir_gs.tools.run.inputs import GENERATE, as_element, generate, read_argument
from mlir_gs.tools.run.options import parse_options, parse_shapes
from mlir_gs.tools.run.sources import NoAnswer, source_results


def run(argv: Sequence[str]) -> int:
    """Run the tool; returns the exit code. Raises UsageError."""
    options = parse_options(argv)
    with one_line():
        module = read_module(options.file, options.pass_pipeline)
        name = execution.entry_name(module, options.entry)
        with module.context, ir.Location.unknown():
            analyzed, parameters = execution.generalized(module, name)
            found = plan(execution.find(analyzed, name))
            _check_output(options.output, _count_results(execution.find(module, name)))
            arguments = _arguments(options, parameters, found)
            if options.reference:
                return _report_reference(options, module, name, arguments)
            settings = {
                "threads": options.threads,
                "sanitize": options.sanitize,
                "target": options.target,
            }
            if options.tune:
                tried = tuned(module, name, tune=arguments, **settings)
                print(report.tried_text(tried))
                settings["target"] = options.target = tried[0][0]
            kernel = execution.compile(module, name, **settings)
            return _report_compiled(options, module, kernel, found, arguments)


def _arguments(options: Any, parameters: Sequence[execution.Parameter], found: Plan) -> list[Any]:
    texts = options.args if options.args is not None else [GENERATE] * len(parameters)
    if len(texts) != len(parameters):
        raise UsageError(f"--args: expected {len(parameters)} values, found {len(texts)}")
    given = [
        text if text == GENERATE else as_element(read_argument(text), parameter)
        for text, parameter in zip(texts, parameters, strict=True)
    ]
    shapes = parse_shapes(options.shape)
    values = generate(found, parameters, given, shapes, options.size, options.seed)
    for number, (parameter, text, value) in enumerate(zip(parameters, texts, values, strict=True)):
        note = "generated" if text == GENERATE else text
        if number in found.coordinates and text == GENERATE:
            note = "generated coordinates"
        print(report.array_text(parameter.label, value, note, quiet=True))
    return values


def _report_compiled(
    options: Any, module: Any, kernel: Any, about: Plan, arguments: Sequence[Any]
) -> int:
    witness = None
    given = copies(arguments) if options.check else []
    if options.check:
        witness = witness_of(options, module, kernel.name, given)
    doing(options.file, f"running @{kernel.name}", who="compiled code")
    crash_quietly()
    results = called(lambda: kernel(*arguments))
    named = named_results(kernel, arguments, results)
    for label, value in named:
        print(report.array_text(label, value, quiet=options.quiet))
    code = 0
    if witness is not None:
        found = differences_of(named, witness)
        code = _report_check(named, witness, found)
        if found:
            print(f"check: {blame(_checked_without(options, module, kernel.name, given, witness))}")
    if options.time is not None:
        seconds = report.measure(timed(kernel, arguments, results), options.time)
        values = results if isinstance(results, tuple) else (results,)
        moved = report.moved_bytes(kernel.parameters, arguments, values, about.gathered)
        copied = speed.copy_speed(moved, options.threads)
        print(report.time_text(seconds, moved, copied))
        notes = speed.strategies(module, kernel.name, options.threads, options.target)
        if notes:
            print(speed.strategies_text(notes))
    _save(options.output, named)
    return code


@dataclass(frozen=True)
class _Witness:
    """Whose results these are. `rounded`: it adds and rounds floats in an order of its own. `note`:
    why the source program was not run."""

    who: str
    results: Sequence[Any]
    rounded: bool = False
    note: str = ""


def witness_of(options: Any, module: Any, name: str, arguments: Sequence[Any]) -> _Witness:
    """The results of the source program, run by another project or, as far as it knows the ops, by
    the reference; else those of the reference after the import."""
    note, source = "", module
    if options.pass_pipeline is not None and options.file != "-":
        source = read_module(options.file)
    try:
        ran = source_results(options.file, source, name, copies(arguments))
        if ran is not None:
            return _Witness(f"{ran[0]}, from the source program", ran[1], rounded=True)
    except NoAnswer as why:
        note = f"the reference starts after the import: {why}"
    found, is_ordered = _reference(module, name, copies(arguments))
    return _Witness("the reference", found, rounded=not is_ordered, note=note)


def called(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except NotImplementedError:
        raise
    except (TypeError, ValueError, IndexError, RuntimeError, MemoryError) as error:
        text = " ".join(str(error).split())
        kind = "" if isinstance(error, TypeError | ValueError) else f"{type(error).__name__}: "
        raise UsageError(kind + text) from error


def copies(arguments: Sequence[Any]) -> list[Any]:
    return [value.copy() if isinstance(value, np.ndarray) else value for value in arguments]


def named_results(kernel: Any, arguments: Sequence[Any], results: Any) -> list[tuple[str, Any]]:
    """Results by label; without any, the arguments that the function writes."""
    if results is None:
        written = zip(kernel.parameters, arguments, strict=True)
        return [(parameter.label, value) for parameter, value in written if parameter.written]
    values = results if isinstance(results, tuple) else (results,)
    return [(f"result {number}", value) for number, value in enumerate(values)]


def timed(kernel: Any, arguments: Sequence[Any], results: Any) -> Callable[[], Any]:
    """A call that writes into the same results each time, where the kernel can."""
    found = kernel.results
    if found and all(result.is_destination and not result.is_scalar for result in found):
        return lambda: kernel(*arguments, out=results)
    return lambda: kernel(*arguments)


_SPELLED_OUT = "linalg-generalize-named-ops,convert-elementwise-to-linalg,lower-affine"


def _reference(module: Any, name: str, arguments: Sequence[Any]) -> tuple[list[Any], bool]:
    """The reference's results on the module as it was written, if it knows every op of it, else
    on what the conversions of source languages make of it, with upstream's names spelled out; and
    whether all of its sums have an order."""
    try:
        known = execution.imported(module, name) if _is_foreign(module) else module
        try:
            found = called(lambda: reference_run.run(known, name, arguments))
        except NotImplementedError:
            known = execution.imported(known, name)
            run_pipeline(known, _SPELLED_OUT)
            found = called(lambda: reference_run.run(known, name, arguments))
    except NotImplementedError as error:
        raise UsageError(f"the reference cannot run this: {error}") from error
    is_ordered = not any(map(is_reassociative, walk(known.operation)))
    return list(found or arguments), is_ordered


def _is_foreign(module: Any) -> bool:
    """Whether ops of a source language stand in the module; upstream's tensor ops do not count."""
    known = (
        *("gs", "func", "tensor", "memref", "bufferization", "linalg", "arith", "math", "complex"),
        *("scf", "cf", "affine", "index", "ub", "builtin", "tosa", "tcp", "dml"),
    )
    return any(op.name.partition(".")[0] not in known for op in walk(module.operation))


def _checked_without(
    options: Any, module: Any, name: str, arguments: Sequence[Any], witness: _Witness
) -> Callable[[Sequence[str]], bool]:
    """Whether results are those of the witness without some strategies of the lowering."""

    def is_right(strategies: Sequence[str]) -> bool:
        target = without(host.target(options.target), strategies)
        kernel = execution.compile(
            module, name, threads=options.threads, sanitize=options.sanitize, target=target
        )
        given = copies(arguments)
        named = named_results(kernel, given, called(lambda: kernel(*given)))
        return not differences_of(named, witness)

    return is_right


def differences_of(
    named: Sequence[tuple[str, Any]], witness: _Witness, *, exact: bool = False
) -> list[str]:
    differences = []
    for label, value in named:
        kind, number = label.split()[:2]
        wanted = witness.results[int(number)] if kind in ("result", "argument") else None
        rounded = witness.rounded and not exact
        differences.append(report.difference(label, value, wanted, rounded=rounded))
    return [text for text in differences if text is not None]


def _report_check(
    named: Sequence[tuple[str, Any]], witness: _Witness, differences: Sequence[str]
) -> int:
    if witness.note:
        print(f"check: {witness.note}")
    for text in differences:
        print(f"check: {text}")
    if not differences:
        several = "" if len(named) == 1 else "s"
        near = ", up to rounding" if differences_of(named, witness, exact=True) else ""
        print(f"check: equal to {witness.who}{near} ({len(named)} result{several})")
    return 1 if differences else 0


def _report_reference(options: Any, module: Any, name: str, arguments: Sequence[Any]) -> int:
    found, _ = _reference(module, name, arguments)
    named = [(f"result {number}", value) for number, value in enumerate(found)]
    for label, value in named:
        print(report.array_text(label, value, quiet=options.quiet))
    _save(options.output, named)
    return 0


def _count_results(function: Any) -> int:
    """Those of a function of any level: one of the LLVM dialect says in `gs.results` what it gives,
    where there is that."""
    if RESULTS in function.attributes:
        return len(records(function, RESULTS))
    type_ = function.attributes["function_type"].value
    return len(type_.results) if isinstance(type_, ir.FunctionType) else 0


def _check_output(path: str | None, count: int) -> None:
    """Refuse before the run what `_save` cannot write; `count` results, 0: written arguments."""
    if path is None:
        return
    if not path.endswith((".npy", ".npz")[count > 1 :]):
        several = f"{count} results go to a file named .npz"
        raise UsageError(f"{path}: {several if count > 1 else 'expected a name in .npy or .npz'}")
    check_writable(path)


def _save(path: str | None, named: Sequence[tuple[str, Any]]) -> None:
    if path is None:
        return
    if path.endswith(".npz"):
        values = {label.replace(" ", "_"): value for label, value in named}
        save(path, lambda file: np.savez(file, **values))
    elif len(named) == 1:
        save(path, lambda file: np.save(file, named[0][1], allow_pickle=False))
    else:
        raise UsageError(f"{path}: {len(named)} results go to a file named .npz, one to .npy")
