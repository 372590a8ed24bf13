"""`gs-run`: compile a function of an MLIR file or a model and run it."""

import sys

from mlir_gs.tools.common.console import tool

main = tool("gs-run")

if __name__ == "__main__":
    sys.exit(main())
