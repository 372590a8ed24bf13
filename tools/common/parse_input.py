"""Parse an input so that its locations name the file it came from."""

import os
import sys
from typing import Any, BinaryIO

from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.languages import read_model
from mlir_gs.frontend.stablehlo.artifacts import ArtifactError
from mlir_gs.lowering import PassFailure
from mlir_gs.lowering.passes.input_limits import MOST_BYTES
from mlir_gs.tools.common.command_line import UsageError

_ANONYMOUS = "-"
BYTECODE_MAGIC = b"ML\xefR"


def read_input(file: BinaryIO, shown: str) -> bytes:
    """All of an input, of a device without an end no more than is parsed. Raises UsageError."""
    data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise UsageError(f"{shown}: the input has more than {MOST_BYTES} bytes")
    return data


def read_path(path: str) -> bytes:
    """All of the file `path`, or of stdin for `-`. Raises UsageError."""
    try:
        if path == "-":
            return read_input(sys.stdin.buffer, "<stdin>")
        with open(path, "rb") as file:
            return read_input(file, path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"cannot open input file '{path}': {reason}") from error


def parse_file(path: str, context: Any) -> Any:
    """The operation in a regular file, a module around it. Raises ir.MLIRError."""
    return ir.Module.parseFile(path, context).operation


def parse_module(data: bytes, name: str, context: Any, first: int = 1, located: bool = True) -> Any:
    """The `ir.Module` that `data` holds; locations name `name`, and count lines from `first`.

    Without `located` they stay as the bindings make them: without the name, from line 1. Raises
    ir.MLIRError.
    """
    module = ir.Module.parse(data, context)
    # The bindings parse modules from memory without a name for the source.
    if located and not data.startswith(BYTECODE_MAGIC):
        with context:
            _rename(module.operation, name, first - 1)
    return module


def parse_bytes(
    data: bytes,
    name: str,
    context: Any,
    implicit_module: bool = True,
    first: int = 1,
    located: bool = True,
) -> Any:
    """The operation that `data`, text or bytecode, holds; the rest is as for `parse_module`.

    Without `implicit_module` a text must hold one operation. Raises ir.MLIRError.
    """
    if implicit_module or data.startswith(BYTECODE_MAGIC):
        return parse_module(data, name, context, first, located).operation
    # Without a container the bindings take a name, but text only, and count from 1.
    text = "\n" * (first - 1) + data.decode("utf-8", "replace")
    return ir.Operation.parse(text, source_name=name, context=context).operation


def parse_model(data: bytes, name: str, context: Any, first: int = 1) -> Any | None:
    """The operation of a model of another kind than MLIR, in the language of the file; else None.

    Lines count from `first`. Raises UsageError, and ir.MLIRError for StableHLO's text.
    """
    try:
        model = read_model(name, data, context)
    except (PassFailure, ArtifactError, ImportError) as error:
        text = str(error).strip()
        if not text.startswith(name):
            text = f"{name}:{text}" if text[:1].isdigit() else f"{name}: {text}"
        raise UsageError(text) from error
    if model is None:
        return None
    if not is_binary(data):
        with context:
            _rename(model.operation, name, first - 1)
    return model.operation


def is_binary(data: bytes) -> bool:
    """Whether `data` is bytecode or a model, and no text."""
    return data.startswith(BYTECODE_MAGIC) or b"\0" in data[:4096]


def can_parse_file(path: str) -> bool:
    """Whether the bindings can read `path` themselves, a second time."""
    return os.path.isfile(path) and path.isprintable() and path != _ANONYMOUS


def _rename(operation: Any, name: str, lines: int) -> None:
    """Give `operation` and all that it holds the file name `name` where they have none, and put
    them so many lines further down."""
    # Not recursive: an input may nest deeper than Python calls.
    waiting = [operation]
    while waiting:
        outer = waiting.pop()
        outer.location = _renamed(outer.location, name, lines)
        for region in outer.regions:
            for block in region.blocks:
                for argument in block.arguments:
                    argument.set_location(_renamed(argument.location, name, lines))
                waiting += [inner.operation for inner in block.operations]


def _renamed(location: Any, name: str, lines: int) -> Any:
    if isinstance(location, ir.FileLineColLoc):
        if location.filename != _ANONYMOUS:
            return location
        return ir.Location.file(name, location.start_line + lines, location.start_col)
    if isinstance(location, ir.NameLoc):
        return ir.Location.name(location.name_str, _renamed(location.child_loc, name, lines))
    if isinstance(location, ir.FusedLoc):
        inner = [_renamed(each, name, lines) for each in location.locations]
        return ir.Location.fused(inner, location.metadata)
    if isinstance(location, ir.CallSiteLoc):
        return ir.Location.callsite(
            _renamed(location.callee, name, lines), [_renamed(location.caller, name, lines)]
        )
    return location
