"""What `gs-explore` does with its command line."""

import argparse
import base64
import json
import webbrowser
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mlir_gs.tools.common.command_line import UsageError
from mlir_gs.tools.common.options import Parser, count, seconds
from mlir_gs.tools.common.parse_input import read_path

_DESCRIPTION = """Open an MLIR file as a page in the browser: edit it, choose passes, see what each
changed op by op, follow an op to its instructions, run it.

The page is served by this machine and to this machine alone, under an address that nobody can
guess. The file is read and never written."""

_EXAMPLES = """examples:
  gs-explore gather.mlir                           the passes of a compilation, in the browser
  gs-explore gather.mlir --pass-pipeline='builtin.module(gs-generalize,gs-fuse)'
  gs-explore                                       an example
  gs-explore 'http://127.0.0.1:9000/x/#eNqrV...'   what somebody has shared in a link
  gs-explore gather.mlir --no-browser --port 9000  print the address only
  gs-explore gather.mlir --request-limit 120       for long runs

exit codes: 0 after Ctrl-C, 1 for what is wrong with the file or the installation"""

_MISSING = "the server is not installed: pip install starlette uvicorn, or '.[explore]' in a clone"
_EXAMPLE = """\
// Rows of a table, added up by bag: an embedding bag of upstream's ops and gs.
func.func @bags(%table: tensor<1000x64xf32>, %ids: tensor<4096x1xi64>, %bags: tensor<4096x1xi64>)
    -> tensor<512x64xf32> {
  %rows = tensor.gather %table[%ids] gather_dims([0])
      : (tensor<1000x64xf32>, tensor<4096x1xi64>) -> tensor<4096x64xf32>
  %zero = arith.constant dense<0.0> : tensor<512x64xf32>
  %sums = gs.scatter %rows into %zero[%bags] scatter_dims([0]) combine(add)
      : (tensor<4096x64xf32>, tensor<512x64xf32>, tensor<4096x1xi64>) -> tensor<512x64xf32>
  return %sums : tensor<512x64xf32>
}
"""
DEFAULT_PIPELINE = "gs-to-llvm"


def run(arguments: Sequence[str]) -> int:
    """Run the tool; returns the exit code. Raises UsageError."""
    options = _options(arguments)
    state = _state(options)
    try:
        from mlir_gs.tools.explore.server import Limits, serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("starlette", "uvicorn", "anyio"):
            raise
        raise UsageError(_MISSING) from None

    def opened(address: str) -> None:
        print(f"gs-explore: {address}\nCtrl-C ends it", flush=True)
        if not options.no_browser:
            webbrowser.open(address)

    serve(state, options.port, Limits(options.request_limit), opened)
    return 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = Parser("gs-explore", _DESCRIPTION, _EXAMPLES)
    parser.add("file", "the MLIR file, - for stdin, or a shared link", nargs="?")
    pipeline = f"the passes to begin with (default: those of {DEFAULT_PIPELINE})"
    parser.add("--pass-pipeline TEXT", pipeline)
    parser.add("--port N", "of this machine (default: a free one)", type=count, default=0)
    parser.add("--no-browser", "print the address, open no browser")
    limit = "stop passes or a run that take more than N seconds (default: 30)"
    parser.add("--request-limit N", limit, type=seconds, default=30.0)
    found = parser.read(arguments)
    if found.port >= 1 << 16:
        raise UsageError(f"--port: expected a number below 65536, found {found.port}")
    return found


def _state(options: Any) -> dict[str, Any]:
    """What the page begins with: the name and text of the file, and the pipeline; all that a link
    holds, if one is given."""
    name = options.file
    if name is not None and name.startswith(("http://", "https://", "#")):
        return _state_of_link(name)
    text = _EXAMPLE
    if name is not None:
        try:
            text = read_path(name).decode()
        except UnicodeDecodeError:
            raise UsageError(
                f"{name}: no text; gs-opt prints bytecode and models as text"
            ) from None
    shown = {"": "example.mlir", "-": "stdin.mlir"}.get(name or "") or Path(name or "").name
    pipeline = DEFAULT_PIPELINE if options.pass_pipeline is None else options.pass_pipeline
    return {"name": shown, "text": text, "pipeline": pipeline}


_MOST = 1 << 24


def _state_of_link(link: str) -> dict[str, Any]:
    try:
        data = link.partition("#")[2].encode()
        unpack = zlib.decompressobj()
        text = unpack.decompress(base64.urlsafe_b64decode(data + b"=" * (-len(data) % 4)), _MOST)
        state = json.loads(text)
        if not isinstance(state["text"], str) or not isinstance(state["name"], str):
            raise ValueError
    except (ValueError, KeyError, TypeError, zlib.error, RecursionError):
        raise UsageError("the link holds nothing: expected one that gs-explore made") from None
    return state
