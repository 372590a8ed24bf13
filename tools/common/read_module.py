"""The input of tools that compile: an MLIR file of any level, or a model."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mlir_gs import execution
from mlir_gs.dialect._bindings import ir
from mlir_gs.execution import CompileError
from mlir_gs.frontend.parse import ParseError, parse
from mlir_gs.lowering import PassFailure, PipelineError, run_pipeline
from mlir_gs.lowering.passes.diagnostics import error_text
from mlir_gs.tools.common.command_line import UsageError
from mlir_gs.tools.common.parse_input import parse_model, read_input
from mlir_gs.tools.common.progress import doing


@contextlib.contextmanager
def one_line() -> Iterator[None]:
    """What is wrong with the input, the arguments or the call as a UsageError."""
    try:
        yield
    except PipelineError as error:
        raise UsageError(f"--pass-pipeline: {error}") from error
    except (CompileError, PassFailure) as error:
        raise UsageError(str(error).strip()) from error


def read_module(name: str, passes: str | None = None) -> Any:
    """The module of the file `name`, or of stdin for `-`, after the pipeline `passes`. Raises
    UsageError."""
    if name != "-" and not Path(name).is_file():
        is_there = "is no regular file" if Path(name).exists() else "no such file"
        raise UsageError(f"{name}: {'is a directory' if Path(name).is_dir() else is_there}")
    shown = "<stdin>" if name == "-" else name
    try:
        with contextlib.nullcontext(sys.stdin.buffer) if name == "-" else open(name, "rb") as file:
            data = read_input(file, shown)
    except OSError as error:
        raise UsageError(f"{name}: {error.strerror}") from error
    doing(shown, "reading it")
    context = execution.context_for(data)
    try:
        operation = parse_model(data, name, context)
        if operation is None:
            path = None if name == "-" else name
            operation = parse(data, context, name=shown, path=path).operation
    except ParseError as error:
        raise UsageError(str(error)) from error
    except ir.MLIRError as error:
        raise UsageError(error_text(error)) from error
    if passes is not None:
        doing(shown, "running passes on it")
        with context, ir.Location.unknown():
            run_pipeline(operation, passes)
    doing(shown, "compiling it")
    return operation
