"""The dialects of source languages, registered when a text mentions them."""

from typing import Any

from mlir_gs.dialect._bindings import module as bindings
from mlir_gs.frontend.stablehlo_common import register_dialects as register_stablehlo


def know_languages(context: Any, text: str | bytes) -> None:
    """Make `context` know the languages whose names `text`, or bytecode, mentions.

    Registering them all costs each start some milliseconds. Doing it again changes nothing.
    """
    words = text.encode() if isinstance(text, str) else text
    if b"stablehlo" in words or b"chlo." in words:
        register_stablehlo(context)
    if b"torch." in words or b"onnx." in words:
        bindings("dialects.torch").register_dialect(context)
