"""The dialects of source languages, registered when a text mentions them."""

from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend import onnx, stablehlo_artifacts
from mlir_gs.frontend.stablehlo_common import register_dialects as register_stablehlo
from mlir_gs.frontend.vtensor import register_torch

# How a file of bytecode begins; portable artifacts of StableHLO do too.
_BYTECODE = b"ML\xefR"


def know_languages(context: Any, text: str | bytes) -> None:
    """Make `context` know the languages whose names `text`, or bytecode, mentions.

    Registering them all costs each start some milliseconds. Doing it again changes nothing.
    """
    words = text.encode() if isinstance(text, str) else text
    if b"stablehlo" in words or b"chlo." in words:
        register_stablehlo(context)
    if any(name in words for name in (b"torch.", b"torch_c.", b"tm_tensor.", b"onnx.")):
        register_torch(context)


def load_model(path: str, data: bytes, context: Any) -> Any | None:
    """The module of a file that is no MLIR, told by its kind; None where it is MLIR.

    `path`: its name; `data`: its bytes. An ONNX model (by the ending .onnx) comes as `gs` and
    upstream's dialects, a portable artifact or export of StableHLO as StableHLO. Raises
    PassFailure, ArtifactError, and ImportError where onnx is needed and missing.
    """
    if path.endswith(".onnx"):
        return onnx.load(path, context)
    binary = data.startswith(_BYTECODE) or b"\0" in data[:4096]
    if binary and stablehlo_artifacts.is_stablehlo(data):
        with ir.Location.unknown(context):
            return stablehlo_artifacts.load(data, context)
    return None
