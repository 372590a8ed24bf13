"""`python -m mlir_gs --cmakedir`: where `find_package(mlir-gs)` finds this installation."""

import sys
from pathlib import Path

from mlir_gs import __version__

_USAGE = "usage: python -m mlir_gs (--version | --cmakedir)"


def main(arguments: list[str]) -> int:
    """Run the command; returns the exit code."""
    texts = {"--version": __version__, "--cmakedir": str(Path(__file__).parent / "cmake")}
    if len(arguments) != 1 or arguments[0] not in (*texts, "--help"):
        print(_USAGE, file=sys.stderr)
        return 1
    print(texts.get(arguments[0], _USAGE))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
