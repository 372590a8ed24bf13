"""Files that hold StableHLO: text, MLIR bytecode, portable artifacts, and what jax.export saves."""

import re

from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.stablehlo.common import ARTIFACT, SHARDS, bindings, register_dialects
from mlir_gs.lowering.ir.builders import replace_op, walk_named
from mlir_gs.lowering.passes.diagnostics import plain_message

_BYTECODE = b"ML\xefR"
_PRODUCER = b"StableHLO_v"
# What the provider has no parser of in Shardy. Rewritten in place: lines keep their numbers.
_MESH = re.compile(r"^[ \t]*sdy\.mesh @.*$", re.MULTILINE)
_RULE = re.compile(r" = #sdy\.op_sharding_rule<(?:->|[^>])*>")
_CONSTRAINT = re.compile(r"sdy\.sharding_constraint (%[\w#]+) <.*> : (\S+)")


class ArtifactError(ValueError):
    """The file holds no StableHLO that can be read; the text says why, in one line."""


def is_stablehlo(source: bytes) -> bool:
    """Whether `source` looks like a file that `load` reads, rather than MLIR of other dialects."""
    if _artifact(source) is not None:
        return True
    return not source.startswith(_BYTECODE) and b"stablehlo." in source


def load(source: bytes | bytearray | str, context: ir.Context) -> ir.Module:
    """The module in `source`, in `context`, which then knows StableHLO's dialects.

    `source`: MLIR text or bytecode, a portable artifact (any version that the provider reads), or
    the bytes of a `jax.export.Exported.serialize()`, of which the module is taken. Shardings are
    left out: the program is the one for all devices together, and runs on one.

    Raises ArtifactError, and MLIRError with locations for text that does not parse.
    """
    if isinstance(source, bytearray):
        source = bytes(source)
    register_dialects(context)
    allowed = context.allow_unregistered_dialects
    # Shardings are attributes and ops of a dialect that the provider does not have.
    context.allow_unregistered_dialects = True
    try:
        module = _read(source, context)
        _drop_shardings(module)
    finally:
        context.allow_unregistered_dialects = allowed
    return module


def _read(source: bytes | str, context: ir.Context) -> ir.Module:
    if isinstance(source, str):
        return _parse(source, context)
    artifact = _artifact(source)
    if artifact is not None:
        return _deserialize(artifact, context)
    if source.startswith(_BYTECODE):
        with context:
            return ir.Module.parse(source)
    try:
        return _parse(source.decode("utf-8"), context)
    except UnicodeDecodeError:
        raise ArtifactError("neither MLIR text nor a StableHLO portable artifact") from None


def _parse(text: str, context: ir.Context) -> ir.Module:
    shards = text.find("sdy.manual_computation")
    if shards >= 0:
        line, column = text.count("\n", 0, shards) + 1, shards - text.rfind("\n", 0, shards)
        message = f"'sdy.manual_computation' op {SHARDS.message}"
        raise ArtifactError(f"{line}:{column}: error: {message}")
    if "sdy." in text:
        text = _RULE.sub("", _MESH.sub("", text))
        text = _CONSTRAINT.sub(r'"sdy.sharding_constraint"(\1) : (\2) -> \2', text)
    with context:
        return ir.Module.parse(text)


def _deserialize(artifact: bytes, context: ir.Context) -> ir.Module:
    reasons: list[str] = []

    def keep(diagnostic: ir.Diagnostic) -> bool:
        reasons.append(plain_message(diagnostic))
        return True

    handler = context.attach_diagnostic_handler(keep)
    try:
        return bindings().deserialize_portable_artifact(context, artifact)
    except (ValueError, UnicodeError, RuntimeError):
        producer = artifact[5:40].split(b"\0")[0].decode("ascii", "replace")
        reason = reasons[0] if reasons else "unknown"
        version = bindings().get_current_version()
        text = ARTIFACT.message.format(producer=producer, version=version, reason=reason)
        raise ArtifactError(text) from None
    finally:
        handler.detach()


def _artifact(source: bytes) -> bytes | None:
    """The portable artifact that `source` is, or that it holds as a vector of a flatbuffer."""
    start = source.find(_BYTECODE)
    if start < 0 or not source[start + 5 :].startswith(_PRODUCER):
        return None
    if start == 0:
        return source
    length = int.from_bytes(source[max(start - 4, 0) : start], "little")
    return source[start : start + length] if length <= len(source) - start else None


def _drop_shardings(module: ir.Module) -> None:
    for op in walk_named(module.operation, "sdy.sharding_constraint"):
        replace_op(op, op.operands)
    for op in walk_named(module.operation, "sdy.mesh"):
        op.erase()
