"""What `gs-run` does, step by step."""

import contextlib
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from mlir_gs import execution
from mlir_gs.dialect import reference_run
from mlir_gs.dialect._bindings import ir
from mlir_gs.execution import CompileError
from mlir_gs.frontend.languages import load_model
from mlir_gs.frontend.stablehlo_artifacts import ArtifactError
from mlir_gs.lowering import PassFailure, PipelineError, run_pipeline
from mlir_gs.lowering.diagnostics import custom_form, error_text
from mlir_gs.tools import run_report
from mlir_gs.tools.command_line import UsageError
from mlir_gs.tools.parse_input import parse_bytes, parse_file
from mlir_gs.tools.run_inputs import GENERATE, generate, read_argument
from mlir_gs.tools.run_options import parse_options, parse_shapes
from mlir_gs.tools.run_plan import Plan, plan


def run(argv: Sequence[str]) -> int:
    """Run the tool; returns the exit code. Raises UsageError."""
    options = parse_options(argv)
    with _one_line():
        module = _module(options)
        name = execution.entry_name(module, options.entry)
        with module.context, ir.Location.unknown():
            analyzed, parameters = execution.generalized(module, name)
            found = plan(execution.find(analyzed, name))
            arguments = _arguments(options, parameters, found)
            if options.reference:
                return _report_reference(options, module, name, arguments)
            kernel = execution.compile(module, name, threads=options.threads)
            return _report_compiled(options, module, kernel, found, arguments)


@contextlib.contextmanager
def _one_line() -> Iterator[None]:
    """What is wrong with the input, the arguments or the call as a UsageError."""
    try:
        yield
    except PipelineError as error:
        raise UsageError(f"--pass-pipeline: {error}") from error
    except (CompileError, PassFailure) as error:
        raise UsageError(str(error).strip()) from error


def _module(options: Any) -> Any:
    name = options.file
    if name != "-" and not Path(name).is_file():
        raise UsageError(f"{name}: {'is a directory' if Path(name).is_dir() else 'no such file'}")
    data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    context = execution.context_for(data)
    try:
        model = load_model(name, data, context)
        if model is not None:
            operation = model.operation
        elif name == "-":
            operation = parse_bytes(data, "<stdin>", context)
        else:
            operation = parse_file(name, context)
    except (PassFailure, ArtifactError, ImportError) as error:
        raise UsageError(f"{name}: {error}") from error
    except ir.MLIRError as error:
        form = None if error.error_diagnostics else custom_form(data)
        if form is not None:
            line, column, message = form
            shown = "<stdin>" if name == "-" else name
            raise UsageError(f"{shown}:{line}:{column}: error: {message}") from error
        # A text from memory has no name while it is parsed.
        text = re.sub(r"^-:(?=\d)", "<stdin>:", error_text(error), flags=re.MULTILINE)
        raise UsageError(text) from error
    if options.pass_pipeline is not None:
        with context, ir.Location.unknown():
            run_pipeline(operation, options.pass_pipeline)
    return operation


def _arguments(options: Any, parameters: Sequence[execution.Parameter], found: Plan) -> list[Any]:
    texts = options.args if options.args is not None else [GENERATE] * len(parameters)
    if len(texts) != len(parameters):
        raise UsageError(f"--args: expected {len(parameters)} values, found {len(texts)}")
    given = [text if text == GENERATE else read_argument(text) for text in texts]
    shapes = parse_shapes(options.shape)
    values = generate(found, parameters, given, shapes, options.size, options.seed)
    for number, (parameter, text, value) in enumerate(zip(parameters, texts, values, strict=True)):
        note = "generated" if text == GENERATE else text
        if number in found.coordinates and text == GENERATE:
            note = "generated coordinates"
        print(run_report.array_text(parameter.label, value, note, quiet=True))
    return values


def _report_compiled(
    options: Any, module: Any, kernel: Any, found: Plan, arguments: Sequence[Any]
) -> int:
    expected = None
    if options.check:
        expected = _reference(module, kernel.name, _copies(arguments))
    results = _call(lambda: kernel(*arguments))
    named = _named(kernel, arguments, results)
    for label, value in named:
        print(run_report.array_text(label, value, quiet=options.quiet))
    code = 0 if expected is None else _compare(named, expected)
    if options.time is not None:
        seconds = run_report.measure(_timed(kernel, arguments, results), options.time)
        values = results if isinstance(results, tuple) else (results,)
        moved = run_report.moved_bytes(kernel.parameters, arguments, values, found.gathered)
        print(run_report.time_text(seconds, moved))
    _save(options.output, named)
    return code


def _call(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except (TypeError, ValueError, IndexError, RuntimeError, MemoryError) as error:
        text = " ".join(str(error).split())
        kind = "" if isinstance(error, TypeError | ValueError) else f"{type(error).__name__}: "
        raise UsageError(kind + text) from error


def _copies(arguments: Sequence[Any]) -> list[Any]:
    return [value.copy() if isinstance(value, np.ndarray) else value for value in arguments]


def _named(kernel: Any, arguments: Sequence[Any], results: Any) -> list[tuple[str, Any]]:
    """Results by label; without any, the arguments that the function writes."""
    if results is None:
        written = zip(kernel.parameters, arguments, strict=True)
        return [(parameter.label, value) for parameter, value in written if parameter.written]
    values = results if isinstance(results, tuple) else (results,)
    return [(f"result {number}", value) for number, value in enumerate(values)]


def _timed(kernel: Any, arguments: Sequence[Any], results: Any) -> Callable[[], Any]:
    """A call that writes into the same results each time, where the kernel can."""
    if any(not result.is_destination or result.is_scalar for result in kernel.results):
        return lambda: kernel(*arguments)
    if not kernel.results:
        return lambda: kernel(*arguments)
    return lambda: kernel(*arguments, out=results)


def _reference(module: Any, name: str, arguments: Sequence[Any]) -> list[Any]:
    """The reference's results on the module as it was written, if it knows every op of it, else
    on what the conversions of source languages make of it."""
    try:
        known = execution.imported(module, name) if _is_foreign(module) else module
        found = _call(lambda: reference_run.run(known, name, arguments))
    except NotImplementedError as error:
        raise UsageError(f"the reference cannot run this: {error}") from error
    if not found:
        return list(arguments)
    return list(found)


def _is_foreign(module: Any) -> bool:
    """Whether ops of a source language stand in the module; upstream's tensor ops do not count."""
    known = ("gs", "func", "tensor", "memref", "linalg", "arith", "math", "complex", "scf")
    found = False

    def visit(op: Any) -> Any:
        nonlocal found
        found |= op.name.partition(".")[0] not in (*known, "builtin", "affine", "cf")
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return found


def _compare(named: Sequence[tuple[str, Any]], expected: Sequence[Any]) -> int:
    differences = []
    for label, value in named:
        kind, number = label.split()[:2]
        wanted = expected[int(number)] if kind in ("result", "argument") else None
        differences.append(run_report.difference(label, value, wanted))
    told = [text for text in differences if text is not None]
    for text in told:
        print(f"check: {text}")
    if not told:
        several = "" if len(named) == 1 else "s"
        print(f"check: equal to the reference ({len(named)} result{several})")
    return 1 if told else 0


def _report_reference(options: Any, module: Any, name: str, arguments: Sequence[Any]) -> int:
    found = _reference(module, name, arguments)
    named = [(f"result {number}", value) for number, value in enumerate(found)]
    for label, value in named:
        print(run_report.array_text(label, value, quiet=options.quiet))
    _save(options.output, named)
    return 0


def _save(path: str | None, named: Sequence[tuple[str, Any]]) -> None:
    if path is None:
        return
    if not named:
        raise UsageError(f"{path}: the function has no results to save")
    try:
        if path.endswith(".npy") and len(named) == 1:
            np.save(path, named[0][1], allow_pickle=False)
        elif path.endswith(".npz"):
            np.savez(path, **{label.replace(" ", "_"): value for label, value in named})
        else:
            raise UsageError(f"{path}: {len(named)} results go to a file named .npz, one to .npy")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise UsageError(f"{path}: {error}") from error
