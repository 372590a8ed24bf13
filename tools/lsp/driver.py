"""What `gs-lsp` does with its command line."""

import argparse
import os

from mlir_gs.tools.common.command_line import UsageError
from mlir_gs.tools.common.options import Parser

_DESCRIPTION = """A language server for MLIR with gs ops: it speaks the Language Server Protocol on
stdin and stdout. Editors start it.

It reports what gs-opt reports when it reads the file. Hovering shows what an op does and what it
reads where, and the types of values. It completes ops, their clauses and values, and finds where a
value is defined."""

_EXAMPLES = """examples:
  gs-lsp                        docs/editors.md says how editors start it

exit codes: 0 after the editor has said exit, 1 for what is wrong with the installation"""

_MISSING = "the protocol is not installed: pip install pygls, or '.[lsp]' in a clone"


def run(arguments: list[str]) -> int:
    """Run the tool; returns the exit code. Raises UsageError where pygls is not installed."""
    _options(arguments)
    try:
        from mlir_gs.tools.lsp.server import make_server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise UsageError(_MISSING) from None
    # The server closes its streams. What anything else prints is no part of the protocol.
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    make_server().start_io(incoming, outgoing)
    return 0


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = Parser("gs-lsp", _DESCRIPTION, _EXAMPLES)
    # What some editors add to every server's command.
    parser.add("--stdio", "no effect: there is no other way")
    return parser.read(arguments)
