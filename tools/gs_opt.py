"""`gs-opt`: mlir-opt with the gs dialect and its passes."""

import sys

from mlir_gs.tools.common.console import tool

main = tool("gs-opt")

if __name__ == "__main__":
    sys.exit(main())
