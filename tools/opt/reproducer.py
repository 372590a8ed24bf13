"""Reproducers: an input together with the pipeline that fails on it, as mlir-opt writes them."""

import contextlib
import os
import re
from typing import Any

from mlir_gs.tools.common.saved_file import save

_PIPELINE = re.compile(rb'\bmlir_reproducer:\s*\{[^}]*?\bpipeline:\s*"((?:[^"\\]|\\.)*)"', re.S)
_BLOCK = re.compile(rb"\{-#.*?#-\}", re.S)
_TEMPLATE = """{text}
{{-#
  external_resources: {{
    mlir_reproducer: {{
      pipeline: "{pipeline}",
      disable_threading: true,
      verify_each: true
    }}
  }}
#-}}
"""


def write(path: str, operation: Any, pipeline: str) -> None:
    """Write `operation` with `pipeline` to `path`; raises UsageError."""
    # The bindings print no file metadata, so that the block is put behind the text.
    text = operation.get_asm(print_generic_op_form=True, enable_debug_info=True).rstrip("\n")
    quoted = pipeline.replace("\\", "\\\\").replace('"', "\\22").replace("\n", " ")
    whole = _TEMPLATE.format(text=text, pipeline=quoted).encode()
    save(path, lambda file: file.write(whole))


def remove(path: str) -> None:
    """Remove what `write` left, for nothing failed. A link or a device is left where it is."""
    if os.path.isfile(path) and not os.path.islink(path):
        with contextlib.suppress(FileNotFoundError):
            os.remove(path)


def read(data: bytes) -> tuple[bytes, str] | None:
    """Input and pipeline of a reproducer, None if `data` is none. Line numbers stay."""
    found = _PIPELINE.search(data)
    if found is None:
        return None
    pipeline = re.sub(
        rb"\\([0-9A-Fa-f]{2}|\\)",
        lambda m: b"\\" if m[1] == b"\\" else bytes([int(m[1], 16)]),
        found[1],
    )
    blank = _BLOCK.sub(lambda m: b"\n" * m[0].count(b"\n"), data)
    return blank, pipeline.decode("utf-8", "replace")
