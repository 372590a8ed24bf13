"""`gs-prove`: whether one function may stand for another, by the solver Z3."""

import sys

from mlir_gs.tools.common.console import tool

main = tool("gs-prove")

if __name__ == "__main__":
    sys.exit(main())
