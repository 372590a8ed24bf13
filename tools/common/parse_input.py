"""Parse an input so that its locations name the file it came from."""

import io
import os
import sys
from typing import Any, BinaryIO

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.assembly import Generic
from mlir_gs.dialect.assembly.locations import ANONYMOUS, Place, relocate
from mlir_gs.frontend.languages import read_model
from mlir_gs.frontend.parse import BYTECODE_MAGIC
from mlir_gs.frontend.stablehlo.artifacts import ArtifactError
from mlir_gs.lowering import PassFailure
from mlir_gs.lowering.passes.input_limits import MOST_BYTES
from mlir_gs.tools.common.command_line import UsageError

_PIECE = 1 << 20
"""Bytes that are read at once."""


def read_input(file: BinaryIO, shown: str) -> bytes:
    """All of an input, of a device without an end no more than is parsed. Raises UsageError."""
    data = io.BytesIO()
    # In pieces: `read` takes memory for all that it may read, before it reads.
    while data.tell() <= MOST_BYTES and (piece := file.read(_PIECE)):
        data.write(piece)
    if data.tell() > MOST_BYTES:
        raise UsageError(f"{shown}: the input has more than {MOST_BYTES} bytes")
    return data.getvalue()


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


def parse_module(data: bytes, name: str, context: Any) -> Any:
    """The `ir.Module` that `data` holds; locations name `name`. Raises ir.MLIRError."""
    module = ir.Module.parse(data, context)
    relocate(module.operation, name, moved_by(0))
    return module


def parse_bytes(
    generic: Generic,
    name: str,
    context: Any,
    implicit_module: bool = True,
    first: int = 1,
    located: bool = True,
) -> Any:
    """The operation in a text or bytecode; locations name `name`, and count lines from `first`.

    Without `located` they stay as the bindings make them: without the name, from line 1 of the text
    in the generic form. Without `implicit_module` a text must hold one operation. Raises
    ir.MLIRError.
    """
    data = generic.text
    is_bytecode = data.startswith(BYTECODE_MAGIC)
    if implicit_module or is_bytecode:
        operation = ir.Module.parse(data, context).operation
    else:
        # Without a container the bindings take text only.
        text = data.decode("utf-8", "replace")
        operation = ir.Operation.parse(text, source_name=ANONYMOUS, context=context).operation
    # The bindings parse what is in memory without a name for the source.
    if located and not is_bytecode:
        relocate(operation, name, moved_by(first - 1, generic.place))
    return operation


def moved_by(lines: int, place: Place | None = None) -> Place:
    """Where a place in the text of `place` is, if that begins so many lines further down."""

    def found(line: int, column: int) -> tuple[int, int]:
        line, column = place(line, column) if place else (line, column)
        return line + lines, column

    return found


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
        relocate(model.operation, name, moved_by(first - 1))
    return model.operation


def is_binary(data: bytes) -> bool:
    """Whether `data` is bytecode or a model, and no text."""
    return data.startswith(BYTECODE_MAGIC) or b"\0" in data[:4096]


def can_parse_file(path: str) -> bool:
    """Whether the bindings can read `path` themselves, a second time."""
    return os.path.isfile(path) and path.isprintable() and path != ANONYMOUS
