"""`gs-lsp`: a language server for editors."""

import sys
from collections.abc import Sequence

from mlir_gs._forks import uninterrupted
from mlir_gs.tools.common.console import run_tool


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tool on `argv` (default: the process's); returns the exit code: 0, or 1."""
    return run_tool("gs-lsp", _run, argv, frozenset({"--debug"}))


def _run(arguments: list[str]) -> int:
    # Here, so that an installation without MLIR's bindings gets a line and no traceback.
    with uninterrupted:
        from mlir_gs.tools.lsp.driver import run

    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
