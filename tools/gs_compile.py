"""`gs-compile`: functions of an MLIR file as an object, a shared library and a C header."""

import sys

from mlir_gs.tools.common.console import tool

main = tool("gs-compile")

if __name__ == "__main__":
    sys.exit(main())
