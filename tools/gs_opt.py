"""`gs-opt`: mlir-opt with the gs dialect and its passes."""

import sys
from collections.abc import Sequence

from mlir_gs._forks import uninterrupted
from mlir_gs.tools.common.console import run_tool
from mlir_gs.tools.common.version import version_text


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tool on `argv` (default: the process's); returns the exit code: 0, or 1."""
    return run_tool("gs-opt", _run, argv, frozenset({"--debug", "-debug"}))


def _run(arguments: list[str]) -> int:
    if arguments in (["--version"], ["-version"]):
        print(version_text("gs-opt"))
        return 0
    # Here, so that an installation without MLIR's bindings gets a line and no traceback.
    with uninterrupted:
        from mlir_gs.tools.opt.driver import run

    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
