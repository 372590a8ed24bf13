"""`gs-reduce`: shrink a module that a script finds interesting, as mlir-reduce does."""

import sys

from mlir_gs.tools.common.console import tool

main = tool("gs-reduce")

if __name__ == "__main__":
    sys.exit(main())
