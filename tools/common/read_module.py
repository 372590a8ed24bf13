"""The input of tools that compile: an MLIR file of any level, or a model."""

import contextlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mlir_gs import execution
from mlir_gs.dialect._bindings import ir
from mlir_gs.execution import CompileError
from mlir_gs.lowering import PassFailure, PipelineError, run_pipeline
from mlir_gs.lowering.passes.diagnostics import custom_form, error_text
from mlir_gs.lowering.passes.input_limits import over_limit, types_over_limit
from mlir_gs.tools.common.command_line import UsageError
from mlir_gs.tools.common.parse_input import (
    is_binary,
    parse_bytes,
    parse_file,
    parse_model,
    read_input,
)
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
        beyond = None if operation is not None or is_binary(data) else over_limit(data)
        if beyond is not None:
            line, column, message = beyond
            raise UsageError(f"{shown}:{line}:{column}: error: {message}")
        if operation is None and name == "-":
            operation = parse_bytes(data, "<stdin>", context)
        elif operation is None:
            operation = parse_file(name, context)
        message = types_over_limit(operation) if is_binary(data) else ""
        if message:
            raise UsageError(f"{shown}: error: {message}")
    except ir.MLIRError as error:
        form = None if error.error_diagnostics else custom_form(data)
        if form is not None:
            line, column, message = form
            raise UsageError(f"{shown}:{line}:{column}: error: {message}") from error
        # A text from memory has no name while it is parsed.
        text = re.sub(r"^-:(?=\d)", "<stdin>:", error_text(error), flags=re.MULTILINE)
        raise UsageError(text) from error
    if passes is not None:
        doing(shown, "running passes on it")
        with context, ir.Location.unknown():
            run_pipeline(operation, passes)
    doing(shown, "compiling it")
    return operation
