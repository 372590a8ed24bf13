"""Files that hold StableHLO: text, MLIR bytecode, portable artifacts, and what jax.export saves."""

from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.stablehlo_common import bindings, register_dialects

_BYTECODE = b"ML\xefR"
_PRODUCER = b"StableHLO_v"


class ArtifactError(ValueError):
    """The file holds no StableHLO that can be read; the text says why, in one line."""


def is_stablehlo(source: bytes) -> bool:
    """Whether `source` looks like a file that `load` reads, rather than MLIR of other dialects."""
    if _artifact(source) is not None:
        return True
    return not source.startswith(_BYTECODE) and b"stablehlo." in source


def load(source: bytes | str, context: ir.Context) -> ir.Module:
    """The module in `source`, in `context`, which then knows StableHLO's dialects.

    `source`: MLIR text or bytecode, a portable artifact (any version that the provider reads), or
    the bytes of a `jax.export.Exported.serialize()`, of which the module is taken.

    Raises ArtifactError, and MLIRError with locations for text that does not parse.
    """
    register_dialects(context)
    if isinstance(source, str):
        return _parse(source, context)
    artifact = _artifact(source)
    if artifact is not None:
        try:
            return bindings().deserialize_portable_artifact(context, artifact)
        except ValueError as error:
            version = _version(artifact)
            raise ArtifactError(
                f"not a portable artifact that this version of StableHLO "
                f"({bindings().get_current_version()}) reads: {version}"
            ) from error
    if source.startswith(_BYTECODE):
        with context:
            return ir.Module.parse(source)
    try:
        return _parse(source.decode("utf-8"), context)
    except UnicodeDecodeError:
        raise ArtifactError("neither MLIR text nor a StableHLO portable artifact") from None


def _parse(text: str, context: ir.Context) -> ir.Module:
    """Text of JAX may carry shardings: attributes of dialects that the provider does not have."""
    allowed = context.allow_unregistered_dialects
    context.allow_unregistered_dialects = True
    try:
        with context:
            return ir.Module.parse(text)
    finally:
        context.allow_unregistered_dialects = allowed


def _artifact(source: bytes) -> bytes | None:
    """The portable artifact that `source` is, or that it holds as a vector of a flatbuffer."""
    start = source.find(_BYTECODE)
    if start < 0 or not source[start + 5 :].startswith(_PRODUCER):
        return None
    if start == 0:
        return source
    length = int.from_bytes(source[max(start - 4, 0) : start], "little")
    return source[start : start + length] if length <= len(source) - start else None


def _version(artifact: bytes) -> str:
    """The producer that stands in the artifact, up to its final zero."""
    return artifact[5:40].split(b"\0")[0].decode("ascii", "replace")
